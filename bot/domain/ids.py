"""The types of ids: a number of one kind is not taken for another.

A number that enters from Discord, a custom_id, an option or the database gets its type there, once.
"""

from __future__ import annotations

from typing import NewType

MatchId = NewType("MatchId", int)
"""The number of a match."""

Version = NewType("Version", int)
"""The version of a match, which grows with each change; a decision has that of its beginning.

The version of a plan is of this type as well."""

NO_VERSION = Version(0)
"""Stands for the version of something that does not exist."""

NO_MATCH = MatchId(0)
"""Stands for the number of a match where there is none."""

GuildId = NewType("GuildId", int)
"""The id of a server on Discord, which its API calls a guild."""

ChannelId = NewType("ChannelId", int)
"""The id of a channel or thread on Discord; the direct messages with a user have one too."""

NO_CHANNEL = ChannelId(0)
"""Stands for the id of a channel where there is none."""

UserId = NewType("UserId", int)
"""The id of a Discord user."""

OPEN_USER_ID = UserId(0)
"""Stands for the user id of an open seat; like the following ones, it is stored."""

DELETED_USER_ID = UserId(-1)
"""Stands for the user ids of all players whose data was deleted."""

COMPUTER_USER_ID = UserId(-2)
"""The user id of each seat that the computer plays."""

RECORD_USER_ID = UserId(-3)
"""The user id of each player who is only named in a record from outside."""


def is_person(user_id: UserId) -> bool:
    """Return whether an id is a user's, who may see the view of a seat.

    Results of rated matches have an id of their own, below `RECORD_USER_ID`, for each deleted
    player.
    """
    return user_id > 0
