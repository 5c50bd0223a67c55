"""The types of ids: a number of one kind is not taken for another.

A number that enters from Discord, a custom_id, an option or the database gets its type there, once.
"""

from __future__ import annotations

from typing import NewType

MatchId = NewType("MatchId", int)
"""The number of a match."""

NO_MATCH = MatchId(0)
"""Stands for the number of a match where there is none."""

UserId = NewType("UserId", int)
"""The id of a Discord user."""

NO_USER = UserId(0)
"""Stands for the id of a user where there is none."""
