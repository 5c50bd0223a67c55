"""Records from outside: read within limits, checked and replayed, but not stored."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import select

from bot.domain.ids import NO_CHANNEL, NO_MATCH, NO_VERSION, RECORD_USER_ID
from bot.domain.models import Match, MatchStatus, Player
from bot.domain.origin import Origin, lines_until
from bot.i18n import refusal_text
from bot.sanitize import clean_name
from bot.services.positions import Positions, TooSlowError, Turn
from bot.storage.database import Database
from bot.storage.schema import matches
from engine.game import IllegalActionError
from engine.record import MAX_RECORD_LINES, Record, RecordError, quoted
from render.i18n import N_, _, ngettext
from render.records import names_of

MAX_RECORD_BYTES = 256 * 1024
"""Maximum size of an uploaded record."""

REPLAY_SECONDS = 2.0
"""Maximum seconds to replay an uploaded record."""

_GAME_HEADER = re.compile(r"^\s*Game\s*:", re.MULTILINE)

_PIECEPACK_HEADER = re.compile(r"^GameType\s*:", re.MULTILINE)

_LINE_END = re.compile(r"\r\n|[\r\n\u2028]")

_QUOTES_AROUND = re.compile(r"""\A(\s*)["“„«]|["”“»](\s*)\Z""")
"""Quotation marks around the whole text."""

NO_LINE = N_("No line can be tried from this record.")

MAX_REASON_CHARACTERS = 300
"""Maximum length of the reason why a record cannot be read."""


class UnreadableRecordError(Exception):
    """Raised when a record cannot be shown; the text gives the user the reason."""


class ImportedRecord(NamedTuple):
    """A record from outside.

    Attributes:
        record: the uploaded record, without its comments.
        match: the match, as if it were finished; without a number.
        turns: the turns, as the public sees them.
    """

    record: Record
    match: Match
    turns: Sequence[Turn]

    @property
    def is_redacted(self) -> bool:
        """Return whether the record leaves hidden information out."""
        return any(action.is_form for action in self.record.actions)


class Imports:
    """Reads records from outside, one after the other in its own thread.

    Args:
        database: contains the matches whose records must not be opened.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._positions = Positions(REPLAY_SECONDS)

    async def open(self, data: bytes) -> ImportedRecord:
        """Read an uploaded file.

        Raises:
            UnreadableRecordError: it is not a record, or must not be shown.
        """
        try:
            return await self._open(data)
        except RecordError as error:
            raise UnreadableRecordError(_sentence(error)) from error
        except TooSlowError:
            sentence = _("It takes me too long to replay this record.")
            raise UnreadableRecordError(sentence) from None

    async def _open(self, data: bytes) -> ImportedRecord:
        if len(data) > MAX_RECORD_BYTES:
            raise UnreadableRecordError(too_large())
        key, record, filled = await self._positions.run_in_thread(partial(_read, data))
        if await self._is_running(record.headers.get("Dice", "")):
            raise UnreadableRecordError(
                _(
                    "This record's match is still running here; you can open the record after"
                    " the match."
                )
            )
        turns = await self._positions.public_turns(key, filled)
        match = await self._positions.run_in_thread(partial(match_of, record))
        return ImportedRecord(record, match, turns)

    async def state(self, record: Record) -> Any:
        """Return the position after a record with nothing hidden.

        Raises:
            IllegalActionError: it leaves hidden information out, or a line is not legal.
        """
        if any(action.is_form for action in record.actions):
            raise IllegalActionError("", NO_LINE)
        try:
            return await self._positions.read(_key(record), record, lambda r: r.states[-1])
        except RecordError as error:
            raise IllegalActionError("", NO_LINE) from error

    async def origin(self, opened: ImportedRecord, action_count: int) -> Origin:
        """Return a position of a record as the origin of a new match.

        Raises:
            IllegalActionError: no match can begin there.
        """
        work = partial(lines_until, opened.record, action_count)
        return Origin(opened.match, await self._positions.run_in_thread(work))

    async def _is_running(self, commitment: str) -> bool:
        """Return whether a match with this commitment is open or running here."""
        is_active = matches.c.status.in_((MatchStatus.CHALLENGE, MatchStatus.RUNNING))
        query = select(matches.c.id).where(is_active, matches.c.commitment == commitment.lower())
        async with self._database.read() as connection:
            return (await connection.execute(query)).first() is not None


def too_large() -> str:
    """Return the sentence about a file that is too large."""
    return _("A record has at most {size} kB.").format(size=MAX_RECORD_BYTES // 1024)


def _read(data: bytes) -> tuple[str, Record, Record]:
    """Read a record; this runs in the thread.

    Returns:
        A key for its content, the record, and the record with values filled in for hidden ones.

    Raises:
        RecordError: it cannot be read.
        UnreadableRecordError: it is not text, names no game, or has too many lines.
    """
    text = _tidy(_decode(data))
    if text.count("\n") > MAX_RECORD_LINES:
        sentence = ngettext(
            "A record has at most {count} line.",
            "A record has at most {count} lines.",
            MAX_RECORD_LINES,
        )
        raise UnreadableRecordError(sentence.format(count=MAX_RECORD_LINES))
    if _PIECEPACK_HEADER.search(text):
        sentence = _("This file is for piecepack programs: choose the one that ends in .match.")
        raise UnreadableRecordError(sentence)
    if not _GAME_HEADER.search(text):
        raise UnreadableRecordError(
            _("This isn't the record of a match: choose a file from “Download”.")
        )
    record = Record.parse(text)
    next(record.positions())  # refuses rules and options that do not exist
    actions = record.game().fill_redacted(record.options(), record.actions)
    filled = Record(record.headers, actions, record.lines)
    return _key(record), record, filled


def _key(record: Record) -> str:
    """Return a key for the content of a record."""
    return sha256(str(record).encode()).hexdigest()


def _decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 as Windows marks it.

    Raises:
        UnreadableRecordError: it is not text.
    """
    marked = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) and len(data) > len(BOM_UTF16_LE)
    encoding = "utf-16" if marked else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise UnreadableRecordError(_("This isn't a record: it isn't text in UTF-8.")) from None


def _tidy(text: str) -> str:
    """Return a record without the artefacts of copying it from a message.

    These are unusual line ends and spaces, quotation marks, and Markdown for quotes and code.
    Each line keeps its number; one with nothing else becomes a comment.
    """
    lines = [" ".join(line.split()) for line in _LINE_END.split(_QUOTES_AROUND.sub(r"\1\2", text))]
    if all(line.startswith(">") for line in lines if line):
        lines = [line[1:].lstrip() for line in lines]
    return "\n".join("#" if line.startswith("```") else line.strip("`") for line in lines)


def match_of(record: Record) -> Match:
    """Return the match of a record."""
    game = record.game()
    names = {seat: clean_name(name) for seat, name in names_of(record).items()}
    return Match(
        id=NO_MATCH,
        game=game.name,
        rules=record.headers.get("Rules", game.rules[0]),
        options=record.options(),
        status=MatchStatus.FINISHED,
        version=NO_VERSION,
        decisions={},
        guild_id=None,
        channel_id=NO_CHANNEL,
        challenger_id=RECORD_USER_ID,
        players={seat: Player(RECORD_USER_ID, name) for seat, name in names.items()},
        unaccepted="",
        commitment="",
        expires_at=None,
    )


def _sentence(error: RecordError) -> str:
    """Return a sentence about an unreadable record, for the user who uploaded it."""
    cause = error.__cause__
    if isinstance(cause, IllegalActionError) and error.line:
        reason = quoted(refusal_text(cause))[:MAX_REASON_CHARACTERS]
        return _("Line {line} of this record isn't possible: {reason}").format(
            line=error.line, reason=reason
        )
    reason = refusal_text(cause) if isinstance(cause, IllegalActionError) else str(error)
    sentence = _("I can't read this record: {reason}")
    return sentence.format(reason=quoted(reason)[:MAX_REASON_CHARACTERS])
