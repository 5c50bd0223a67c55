"""Discord's objects as the fake Discord describes them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from bot.domain.ids import ChannelId, GuildId

BOT = 1
GUILD = GuildId(2)

BOT_ROLE, RANK = 90, 78
"""The bot's own role, and one for a rank, below it."""

BOT_USER: dict[str, Any] = {
    "id": str(BOT),
    "username": "starpost",
    "discriminator": "0",
    "avatar": None,
}
BOT_USER |= {"global_name": None, "bot": True}

PERSON = BOT_USER | {"id": "3", "username": "person", "bot": False}


def application() -> dict[str, Any]:
    """The bot's application."""
    about: dict[str, Any] = {
        "id": str(BOT),
        "name": "Starpost",
        "description": "",
        "icon": None,
        "flags": 0,
    }
    about |= {"verify_key": "", "bot_public": True, "bot_require_code_grant": False}
    return about | {"team": None, "owner": BOT_USER, "summary": ""}


def gateway(port: int) -> dict[str, Any]:
    """Return the URL of the gateway, and the limits of identifying."""
    limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
    url = f"ws://127.0.0.1:{port}/gateway"
    return {"url": url, "shards": 1, "session_start_limit": limit}


def text_channel(channel: int, hidden_from: set[int], guild: int) -> dict[str, Any]:
    """A channel of the server that some of its members cannot see."""
    denied = [{"id": str(user), "type": 1, "allow": "0", "deny": "1024"} for user in hidden_from]
    about: dict[str, Any] = {"id": str(channel), "type": 0, "guild_id": str(guild)}
    return about | {"name": "games", "position": 0, "permission_overwrites": denied}


def thread(number: int, parent: str, guild: int, name: str = "thread") -> dict[str, Any]:
    """A thread that the bot has started."""
    metadata = {"archived": False, "auto_archive_duration": 10080, "locked": False}
    about: dict[str, Any] = {"id": str(number), "type": 11, "guild_id": str(guild)}
    about |= {"parent_id": parent, "name": name, "owner_id": str(BOT)}
    about |= {"thread_metadata": metadata | {"archive_timestamp": iso_now()}}
    return about | {"message_count": 0, "member_count": 1}


def guild(number: int, locale: str) -> dict[str, Any]:
    """A server as `GET /guilds` has it."""
    about: dict[str, Any] = {"id": str(number), "name": "Club", "owner_id": "9", "features": []}
    everyone: dict[str, Any] = {"id": str(number), "name": "@everyone", "permissions": "1024"}
    everyone |= {"position": 0, "color": 0, "hoist": False, "managed": False, "flags": 0}
    about |= {"roles": [everyone | {"mentionable": False}], "emojis": [], "stickers": []}
    return about | {"preferred_locale": locale}


def message(number: int, channel: int) -> dict[str, Any]:
    """A message of the bot without anything in it."""
    data: dict[str, Any] = {"id": str(number), "channel_id": str(channel), "author": BOT_USER}
    data |= {"content": "", "timestamp": iso_now(), "edited_timestamp": None, "tts": False}
    data |= {"mention_everyone": False, "mentions": [], "mention_roles": [], "pinned": False}
    return data | {"type": 0, "flags": 0, "attachments": [], "components": [], "embeds": []}


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All components, nested ones too."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        yield from walk([component["accessory"]] if component.get("accessory") else [])


def texts(components: list[dict[str, Any]]) -> list[str]:
    """All texts, in order."""
    return [component["content"] for component in walk(components) if component.get("content")]


def marks(components: list[dict[str, Any]]) -> set[str]:
    """All custom_ids and texts."""
    ids = {component["custom_id"] for component in walk(components) if component.get("custom_id")}
    return ids | set(texts(components))


def iso_now() -> str:
    """The time as Discord writes it."""
    return datetime.now(UTC).isoformat()


def dm(user: int) -> ChannelId:
    """The DM channel of a user."""
    return ChannelId(10**9 + user)


def is_dm(channel: int) -> bool:
    """Whether this is the DM channel of a user."""
    return dm(0) <= channel < dm(dm(0))
