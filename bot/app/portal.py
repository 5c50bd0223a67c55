"""The application in Discord's developer portal: reads what it holds, and sets it.

Discord's API has description, tags, pictures and installation links; name, addresses of policies
and the App Directory are changed on the portal's pages only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import discord

from bot.app import invite, listing
from bot.app.remote import logged_in

FIELDS = ("description", "tags", "icon", "cover", "installation")

NOTHING = "(nothing)"


@dataclass(frozen=True)
class Entry:
    """A field of the portal.

    Attributes:
        field: one of `FIELDS`.
        current: the value in the portal, in words.
        wanted: the value of Starpost, in words.
        change: arguments of discord.py's `AppInfo.edit` that set it.
    """

    field: str
    current: str
    wanted: str
    change: Mapping[str, Any]

    @property
    def differs(self) -> bool:
        """Whether the portal holds another value."""
        return self.current != self.wanted

    def lines(self) -> Iterator[str]:
        """Yield the difference, or a line that says that there is none."""
        if not self.differs:
            yield f"{self.field}: as it should be"
            return
        yield f"{self.field}:"
        yield f"  - {self.current or NOTHING}"
        yield f"  + {self.wanted}"


def entries(info: discord.AppInfo, *, replaces_pictures: bool = False) -> tuple[Entry, ...]:
    """Return all fields.

    Args:
        replaces_pictures: whether Starpost's pictures take the place of others, too. Discord
            stores pictures in a form of its own, so they cannot be compared.
    """
    description = listing.description()
    return (
        Entry("description", info.description, description, {"description": description}),
        Entry("tags", _listed(info.tags), _listed(listing.TAGS), {"tags": [*listing.TAGS]}),
        _picture("icon", info.icon, {"icon": listing.ICON}, replaces=replaces_pictures),
        _picture(
            "cover", info.cover_image, {"cover_image": listing.COVER}, replaces=replaces_pictures
        ),
        _installation(info),
    )


def _listed(tags: Collection[str]) -> str:
    """Return tags in alphabetical order: Discord may store them in any."""
    return ", ".join(sorted(tags))


def _picture(
    field: str, current: discord.Asset | None, change: Mapping[str, Any], *, replaces: bool
) -> Entry:
    """Return the field of a picture."""
    words = "a picture" if current else ""
    wanted = f"Starpost's {field}" if replaces or not current else words
    data = {name: path.read_bytes() for name, path in change.items()}
    return Entry(field, words, wanted, data)


def _installation(info: discord.AppInfo) -> Entry:
    """Return the field of the links that install the bot for a server and for a user."""
    server, user = info.guild_integration_config, info.user_integration_config
    return Entry(
        "installation",
        "; ".join(
            (
                _link_text("server", server),
                _link_text("user", user),
            )
        ),
        "; ".join(
            (
                _link("server", invite.SERVER_SCOPES, invite.permissions()),
                _link("user", invite.USER_SCOPES, discord.Permissions.none()),
            )
        ),
        {
            "guild_install_scopes": [*invite.SERVER_SCOPES],
            "guild_install_permissions": invite.permissions(),
            "user_install_scopes": [*invite.USER_SCOPES],
        },
    )


def _link_text(kind: str, installation: discord.IntegrationTypeConfig | None) -> str:
    params = installation.oauth2_install_params if installation else None
    return _link(kind, params.scopes, params.permissions) if params else f"{kind}: none"


def _link(kind: str, scopes: Collection[str], permissions: discord.Permissions) -> str:
    """Return a link in words: its scopes, and the number of its permissions with Discord's sum."""
    count = sum(allowed for _, allowed in permissions)
    also = f" with {count} permissions ({permissions.value})" if count else ""
    return f"{kind}: {' '.join(sorted(scopes))}{also}"


def notes(info: discord.AppInfo) -> Iterator[str]:
    """Yield a sentence for each entry that only the portal's pages can change and that is missing.

    Sources: docs/hosts/terms.md, docs/hosts/privacy-policy.md.
    """
    for name, address in (
        ("terms of service", info.terms_of_service_url),
        ("privacy policy", info.privacy_policy_url),
    ):
        if not address:
            yield f"No address of a {name}: the portal's page “General Information” takes it."
    if not info.bot_public:
        yield "Only you can invite the bot: “Public Bot” on the portal's page “Bot” is off."


async def set_up_portal(
    token: str,
    fields: Collection[str],
    confirm: Callable[[int], bool],
    tell: Callable[[str], object],
    *,
    replaces_pictures: bool = False,
) -> bool:
    """Show the difference between the portal and Starpost, and set it after a confirmation.

    Args:
        fields: fields to look at, of `FIELDS`.
        confirm: gets the number of changes before the first one; if False, nothing is changed.
        tell: gets each line for the host.
        replaces_pictures: see `entries`.

    Returns:
        Whether Discord has refused no change.

    Raises:
        SettingsError: Discord does not accept the token, or cannot be reached.
    """
    async with logged_in(token) as client:
        info = await client.application_info()
        selected = [
            entry
            for entry in entries(info, replaces_pictures=replaces_pictures)
            if entry.field in fields
        ]
        for line in chain(*(entry.lines() for entry in selected), notes(info)):
            tell(line)
        changes = [entry for entry in selected if entry.differs]
        if not changes or not confirm(len(changes)):
            return True
        return all([await _set(info, entry, tell) for entry in changes])


async def _set(info: discord.AppInfo, entry: Entry, tell: Callable[[str], object]) -> bool:
    """Set a field by a request of its own, so that a refused one prevents no other.

    Returns:
        Whether Discord accepts it.
    """
    try:
        await info.edit(**entry.change)
    except discord.HTTPException as error:
        reason = " ".join(error.text.split())
        tell(f"{entry.field}: Discord refuses it ({error.status}, {error.code}: {reason})")
        return False
    tell(f"{entry.field}: set")
    return True
