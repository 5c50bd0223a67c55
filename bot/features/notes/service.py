"""Private notes of players, on matches and on opponents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Executable, Select, Table, delete, literal, select, union_all

from bot.domain.ids import MatchId, UserId, is_person
from bot.domain.models import Match
from bot.personal import Personal
from bot.sanitize import clean
from bot.storage.connection import Connection
from bot.storage.database import Database, upsert
from bot.storage.schema import match_notes, opponent_notes, seats

NOTES_LIMIT = 1000
"""Maximum length of the notes on a match or an opponent, in characters."""

NORMAL_FORM_GROWTH = 3
"""How many times longer a text can become in its normal form."""

_MATCH = 0
"""Stands for the user ID of an opponent in the notes on a match."""


class TooLongError(ValueError):
    """The notes are longer than `NOTES_LIMIT`."""


class NoPlayerError(LookupError):
    """The user does not play in the match."""


class PlayerNotes(NamedTuple):
    """The notes of a player.

    Attributes:
        on_match: on a match; empty if there are none.
        on_opponents: user ID of an opponent in it → notes, without empty ones.
    """

    on_match: str
    on_opponents: Mapping[UserId, str]


class Notes:
    """Stores notes; each user reads only their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, match: Match, user_id: UserId) -> PlayerNotes:
        """Return a player's notes on a match and on the opponents in it."""
        query = union_all(
            select(literal(_MATCH).label("opponent_id"), match_notes.c.text).where(
                match_notes.c.match_id == match.id, match_notes.c.user_id == user_id
            ),
            select(opponent_notes.c.opponent_id, opponent_notes.c.text).where(
                opponent_notes.c.user_id == user_id,
                opponent_notes.c.opponent_id.in_(opponents_of(match, user_id)),
            ),
        )
        async with self._database.read() as connection:
            texts = {row.opponent_id: row.text for row in await connection.execute(query)}
        return PlayerNotes(texts.pop(_MATCH, ""), texts)

    async def write(
        self, match_id: MatchId, user_id: UserId, on_match: str, on_opponents: Mapping[UserId, str]
    ) -> bool:
        """Replace a player's notes; empty ones are deleted.

        Args:
            on_opponents: user ID → notes; those on users who do not play in the match are left out,
                such as an opponent who has deleted their data since the window was opened.

        Returns:
            Whether all of them are stored.

        Raises:
            NoPlayerError: the user does not play in the match.
            TooLongError: one of the texts is too long; none is stored.
        """
        on_match = _cleaned(on_match)
        on_opponents = {other_id: _cleaned(text) for other_id, text in on_opponents.items()}
        async with self._database.write() as connection:
            players = await _players(connection, match_id, user_id)
            await _store(connection, match_notes, on_match, match_id=match_id, user_id=user_id)
            for other_id in sorted(on_opponents.keys() & players - {user_id}):
                key = {"user_id": user_id, "opponent_id": other_id}
                await _store(connection, opponent_notes, on_opponents[other_id], **key)
        opponents = players - {user_id}
        return all(other_id in opponents for other_id, text in on_opponents.items() if text)

    async def copy(self, match_id: MatchId, user_id: UserId, lines: Sequence[str]) -> None:
        """Add lines to a player's notes on a match, without those that are there already.

        They replace earlier ones that differ in the last word: where the same coin was to be.

        Raises:
            NoPlayerError: the user does not play in the match.
            TooLongError: the notes would be too long; they stay as they are.
        """
        of_match = (match_notes.c.match_id == match_id) & (match_notes.c.user_id == user_id)
        async with self._database.write() as connection:
            await _players(connection, match_id, user_id)
            query = select(match_notes.c.text).where(of_match)
            earlier = (await connection.execute(query)).scalar_one_or_none() or ""
            text = _cleaned("\n".join(_with_lines(earlier, lines)))
            await _store(connection, match_notes, text, match_id=match_id, user_id=user_id)


def opponents_of(match: Match, user_id: UserId) -> list[UserId]:
    """Return the user IDs of the other people in a match, in seat order."""
    players = match.people.values()
    return [player.user_id for player in players if player.user_id != user_id]


def has_lines(text: str, lines: Sequence[str]) -> bool:
    """Return whether copying these lines would leave notes as they are."""
    return _with_lines(text, lines) == text.split("\n")


def _with_lines(text: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of notes with further ones, see `Notes.copy`."""
    starts = {_without_last_word(line) for line in lines} - {""}
    earlier = [
        line for line in text.split("\n") if line in lines or _without_last_word(line) not in starts
    ]
    return [*earlier, *(line for line in lines if line not in earlier)]


def _without_last_word(line: str) -> str:
    return line.rpartition(" ")[0]


def _cleaned(text: str) -> str:
    """Return notes as they are stored: without invisible characters and needless blank lines.

    Raises:
        TooLongError: they are longer than `NOTES_LIMIT`.
    """
    lines = [clean(line, NORMAL_FORM_GROWTH * len(line)) for line in text.split("\n")]
    kept = [
        line for place, line in enumerate(lines) if line or (place and lines[place - 1])
    ]  # at most one blank line between two others
    text = "\n".join(kept).strip()
    if len(text) > NOTES_LIMIT:
        raise TooLongError(len(text))
    return text


async def _players(connection: Connection, match_id: MatchId, user_id: UserId) -> set[UserId]:
    """Return the user IDs of the people in a match.

    Raises:
        NoPlayerError: the user is not one of them.
    """
    query = select(seats.c.user_id).where(seats.c.match_id == match_id)
    user_ids = set((await connection.execute(query)).scalars())
    if user_id not in user_ids:
        raise NoPlayerError(match_id, user_id)
    return set(filter(is_person, user_ids))


async def _store(connection: Connection, table: Table, text: str, **key: int) -> None:
    """Replace the notes with a key, or delete them if the text is empty."""
    if text:
        await upsert(connection, table, **key, text=text)
    else:
        earlier = [table.c[name] == value for name, value in key.items()]
        await connection.execute(delete(table).where(*earlier))


def _erase(user_id: UserId) -> Iterator[Executable]:
    """Yield the statements that delete a user's notes, and the notes of others on the user."""
    yield delete(match_notes).where(match_notes.c.user_id == user_id)
    for column in (opponent_notes.c.user_id, opponent_notes.c.opponent_id):
        yield delete(opponent_notes).where(column == user_id)


def _export(user_id: UserId) -> Mapping[str, Select[Any]]:
    """Return the queries for a user's own notes; an export names no other user."""
    on_opponents = select(opponent_notes.c.user_id, opponent_notes.c.text)
    return {
        "notes on matches": select(match_notes).where(match_notes.c.user_id == user_id),
        "notes on opponents": on_opponents.where(opponent_notes.c.user_id == user_id),
    }


PERSONAL = Personal(
    (match_notes.c.user_id, opponent_notes.c.user_id, opponent_notes.c.opponent_id),
    _erase,
    _export,
)
