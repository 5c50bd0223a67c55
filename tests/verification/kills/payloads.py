"""Interactions as Discord's gateway sends them, and servers with their channels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from bot.i18n import catalogue, languages
from tests.support.fake_objects import BOT_ROLE, BOT_USER, RANK, texts

EVERYTHING = str((1 << 53) - 1)
"""All permissions."""

COMMAND, CLICK, WINDOW = 2, 3, 5
"""Kinds of interactions."""

DEFERRED = 6
"""Kind of answer: the click counts, and nothing is shown."""

TEXT, NUMBER, SWITCH, USER, FILE = 3, 4, 5, 6, 11
"""Kinds of a command's options."""


class Person(NamedTuple):
    """A user, with the name and the language of their Discord."""

    user_id: int
    name: str
    locale: str = "en-US"

    @property
    def payload(self) -> dict[str, Any]:
        """Return the user as Discord describes them."""
        about: dict[str, Any] = {"id": str(self.user_id), "username": f"user{self.user_id}"}
        return about | {"discriminator": "0", "avatar": None, "global_name": self.name}


def name_of(user: int, deletions: int = 0, renames: int = 0) -> str:
    """Return the name of a user after some deletions of their data, and then some renames."""
    return f"User {user}{'x' * deletions}{'y' * renames}z"


class Upload(NamedTuple):
    """A file that a user uploads, as Discord describes it."""

    about: dict[str, Any]


Value = str | int | bool | Person | Upload
"""The value of a command's option."""


class Place(NamedTuple):
    """A text channel of a server."""

    guild_id: int
    channel_id: int


def click(
    number: int, person: Person, place: Place, custom_id: str, message: int = 1
) -> dict[str, Any]:
    """Return a click on a button of a public message."""
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2}
    message_data: dict[str, Any] = {
        "id": str(message),
        "channel_id": str(place.channel_id),
        "content": "",
    }
    message_data |= {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "type": 0}
    message_data |= {"attachments": [], "embeds": [], "components": [], "flags": 0, "pinned": False}
    message_data |= {"tts": False, "mention_everyone": False, "mentions": [], "mention_roles": []}
    message_data |= {"author": person.payload}
    return _interaction(number, CLICK, person, place) | {"data": data, "message": message_data}


def window(number: int, person: Person, place: Place, custom_id: str, text: str) -> dict[str, Any]:
    """Return the interaction of a submitted form with a typed text."""
    field = {"type": 4, "id": 2, "custom_id": "text", "value": text}
    data = {"custom_id": custom_id, "components": [{"type": 18, "id": 1, "component": field}]}
    return _interaction(number, WINDOW, person, place) | {"data": data}


def form(
    number: int, person: Person, place: Place, custom_id: str, fields: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return the interaction of a submitted form with selected options."""
    lists = [{"type": 3, "custom_id": name, "values": list(fields[name])} for name in fields]
    labels = [{"type": 18, "id": 1, "component": component} for component in lists]
    filled = click(number, person, place, custom_id) | {"type": WINDOW}
    return filled | {"data": {"custom_id": custom_id, "components": labels}}


def command(
    number: int, person: Person, place: Place, name: str, /, **values: Value
) -> dict[str, Any]:
    """Return a slash command with its options."""
    people = [value for value in values.values() if isinstance(value, Person)]
    data: dict[str, Any] = {"id": "9", "name": name, "type": 1}
    data |= {"options": [_option(key.replace("_", "-"), value) for key, value in values.items()]}
    users = {str(person.user_id): person.payload for person in people}
    members: dict[str, Any] = {
        number: {"roles": [], "joined_at": None, "flags": 0} for number in users
    }
    files = {
        upload.about["id"]: upload.about for upload in values.values() if isinstance(upload, Upload)
    }
    data |= {"resolved": {"users": users, "members": members, "attachments": files}}
    return _interaction(number, COMMAND, person, place) | {"data": data}


def _option(name: str, value: Value) -> dict[str, Any]:
    if isinstance(value, Person):
        return {"name": name, "type": USER, "value": str(value.user_id)}
    if isinstance(value, Upload):
        return {"name": name, "type": FILE, "value": value.about["id"]}
    if isinstance(value, bool):
        return {"name": name, "type": SWITCH, "value": value}
    return {"name": name, "type": TEXT if isinstance(value, str) else NUMBER, "value": value}


def _interaction(number: int, kind: int, person: Person, place: Place) -> dict[str, Any]:
    guild = str(place.guild_id)
    member: dict[str, Any] = {"user": person.payload, "roles": [], "joined_at": None}
    member |= {"deaf": False, "mute": False, "flags": 0, "permissions": EVERYTHING}
    where: dict[str, Any] = {"id": str(place.channel_id), "type": 0, "name": "games"}
    where |= {"guild_id": guild, "position": 0, "permission_overwrites": []}
    where |= {"permissions": EVERYTHING}
    about: dict[str, Any] = {"id": str(number), "application_id": "1", "type": kind}
    about |= {"token": f"t{number}", "version": 1, "attachment_size_limit": 1, "guild_id": guild}
    about |= {"guild": {"id": guild, "features": [], "locale": "en-US"}, "locale": person.locale}
    return about | {"channel": where, "member": member, "app_permissions": EVERYTHING}


def locale_of(user: int) -> str:
    """Return the Discord language of a user."""
    return "de" if user % 3 == 0 else "en-US"


def server(guild_id: int, locale: str) -> dict[str, Any]:
    """Return a server as the gateway describes it; its channels have to be asked for."""
    everyone: dict[str, Any] = {"id": str(guild_id), "name": "@everyone", "position": 0}
    everyone |= {"permissions": EVERYTHING, "color": 0, "colors": {"primary_color": 0}}
    everyone |= {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
    bot_role = everyone | {"id": str(BOT_ROLE), "name": "Starpost", "position": 2}
    rank = everyone | {"id": str(RANK), "name": "Rank", "position": 1, "permissions": "0"}
    me: dict[str, Any] = {"user": BOT_USER, "roles": [str(BOT_ROLE)], "deaf": False}
    me |= {"mute": False, "flags": 0}
    me |= {"joined_at": "2026-01-01T00:00:00+00:00"}
    guild: dict[str, Any] = {"id": str(guild_id), "name": f"server {guild_id}", "owner_id": "5"}
    guild |= {
        "roles": [everyone, bot_role, rank],
        "channels": [],
        "members": [me],
        "member_count": 100,
    }
    guild |= {"emojis": [], "stickers": [], "features": [], "threads": [], "presences": []}
    guild |= {"voice_states": [], "stage_instances": [], "guild_scheduled_events": []}
    guild |= {"verification_level": 0, "default_message_notifications": 0, "mfa_level": 0}
    guild |= {"explicit_content_filter": 0, "afk_timeout": 0, "premium_tier": 0, "nsfw_level": 0}
    guild |= {"preferred_locale": locale, "system_channel_flags": 0, "large": False}
    return guild | {"unavailable": False, "soundboard_sounds": []}


def said(answer: dict[str, Any]) -> str:
    """Return all text of an answer; none if it only takes note of a click."""
    data = answer.get("data") or {}
    return " ".join(texts(data.get("components", [])))


def tells(answer: dict[str, Any], *templates: str) -> re.Match[str] | None:
    """Return the match of one of these texts in an answer, in any language."""
    return next(
        filter(None, (pattern.search(said(answer)) for pattern in _patterns(templates))), None
    )


@cache
def _patterns(templates: tuple[str, ...]) -> list[re.Pattern[str]]:
    return list(map(re.compile, _translated(templates)))


def _translated(templates: tuple[str, ...]) -> Iterator[str]:
    for template in templates:
        for language in languages():
            words = re.escape(catalogue(language).gettext(template))
            yield re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", words)


def accepted(answer: dict[str, Any]) -> bool:
    """Return whether a click has counted: no words, or the next thing to choose."""
    return answer["type"] == DEFERRED or bool(tells(answer, *GOES_ON))


OFFERED, OFFERED_TO = "You've offered a draw.", "You've offered a draw to {players}."
"""Answer to a player who has offered a draw."""

TAKEN_BACK = "Taken back.", "Taken back: {choice}."
"""Answers to a player who has taken a choice back."""

NOT_SHOWN = "My reply couldn't be shown; `/board` shows the current position."
"""The answer if the database fails after the commit."""

GOES_ON = ("Continue here.", NOT_SHOWN)
BACK_SOON = "I'm restarting and will be back in a moment. Please try again then."
NOT_SURE = (
    "I couldn't check whether all players can see this channel; please try again in a moment."
)
TRY_AGAIN = (
    BACK_SOON,
    "I'm busy right now; nothing has changed. Please try again in a minute.",
    "The database is unavailable right now; nothing has changed. Please try again.",
    "That was too fast, so I did nothing. Wait a few seconds and try again.",
    NOT_SURE,
)
"""Answers to a person who would do the same again."""
