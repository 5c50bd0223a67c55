"""Uploaded bytes: any of them are a record or refused in a sentence."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.run import open_database
from bot.domain.ids import RECORD_USER_ID, ChannelId, MatchId, Version
from bot.domain.models import Match, MatchStatus, Player
from bot.domain.origin import Origin
from bot.features.replays.imports import (
    REPLAY_SECONDS,
    ImportedRecord,
    Imports,
    UnreadableRecordError,
)
from bot.services import positions
from engine import games
from engine.game import PUBLIC
from engine.record import MAX_RECORD_LINES, Record, play
from tests.support.matches import BO, MatchFixture
from tests.support.tiers import examples

OPTIONS = {
    "wormholes": ("", "notes=on"),
    "warp6": ("", "seats=3", "setup=secret"),
    "tomtube": ("", "launch_T=2"),
}

FILE_BYTES = 256 * 1024
"""As much as the bot says that a record may have."""

WORDS = ("?", "S?", "-", "*", "O", "99999999999999999999", "\u0661", "1,2", "a1", "9" * 5000, "")


@cache
def record_of(name: str, options: str, seed: int) -> Record:
    """A match of random choices that may not have ended."""
    game, random = games.get(name), Random(seed)
    headers = {"Game": name, **({"Options": options} if options else {})}
    start = game.start(game.rules[0], Record(headers, ()).options())
    _, actions = play(
        game,
        start,
        lambda legal: game.fill(random.choice(legal), random.randrange),
        lambda _: random.randrange,
        60,
    )
    return Record(headers, actions)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Draw a record with some lines or words changed."""
    name = draw(st.sampled_from(sorted(OPTIONS)))
    record = record_of(name, draw(st.sampled_from(OPTIONS[name])), draw(st.integers(0, 3)))
    if draw(st.booleans()):
        record = record.redact(draw(st.sampled_from((PUBLIC, *record.game().sides))))
    lines = str(record).split("\n")
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        words = lines[place].split(" ")
        words[draw(st.integers(0, len(words) - 1))] = draw(
            st.one_of(st.sampled_from(WORDS), st.text(max_size=6))
        )
        change = draw(st.sampled_from(("word", "drop", "twice", "swap")))
        if change == "word":
            lines[place] = " ".join(words)
        elif change == "drop":
            lines[place] = ""
        elif change == "twice":
            lines.insert(place, lines[place])
        else:
            lines[place], lines[-2] = lines[-2], lines[place]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


class Reader:
    """Opens files on a database without matches."""

    def __init__(self, runner: asyncio.Runner, imports: Imports) -> None:
        self._runner, self._imports = runner, imports

    def run(self, work: Awaitable[ImportedRecord]) -> ImportedRecord:
        async def wait() -> ImportedRecord:
            return await work

        return self._runner.run(wait())

    def open(self, data: bytes) -> ImportedRecord | None:
        """Return the record, or None if it was refused in a sentence."""
        try:
            return self.run(self._imports.open(data))
        except UnreadableRecordError as error:
            self.refused(str(error))
            return None

    def refusal(self, data: bytes) -> str:
        """Return the sentence in which a file is refused."""
        with pytest.raises(UnreadableRecordError) as refused:
            self.run(self._imports.open(data))
        return str(refused.value)

    def refused(self, sentence: str) -> None:
        """Check the sentence of a refusal."""
        assert 10 < len(sentence) < 500
        assert sentence.isprintable()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    path: Path = tmp_path_factory.mktemp("imports") / "starpost.db"
    with asyncio.Runner() as runner:
        opening = open_database(f"sqlite+aiosqlite:///{path}")
        database = runner.run(opening.__aenter__())
        yield Reader(runner, Imports(database))
        runner.run(opening.__aexit__(None, None, None))


@examples(30, 80, 4000)
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_any_bytes_are_a_record_or_refused(reader: Reader, data: bytes) -> None:
    reader.open(data)


@examples(20, 80, 4000)
@given(data=damaged())
def test_a_damaged_record_is_shown_or_refused(reader: Reader, data: bytes) -> None:
    if opened := reader.open(data):
        assert opened.turns[0].action_count == 0
        assert opened.turns[-1].action_count <= len(opened.record.actions)
        assert all(turn.view.seat == PUBLIC for turn in opened.turns)


def test_the_size_of_a_file_counts_in_bytes(reader: Reader) -> None:
    text = f"{record_of('warp6', '', 1)}\n#{'é' * (FILE_BYTES // 4)}"
    data = text.encode().ljust(FILE_BYTES)
    assert reader.open(data)
    assert reader.refusal(data + b" ") == "A record has at most 256 kB."


def test_lines_of_a_file_are_counted(reader: Reader) -> None:
    text = str(record_of("warp6", "", 1))
    data = (text + "\n" * (MAX_RECORD_LINES - text.count("\n"))).encode()
    assert reader.open(data)
    assert reader.refusal(data + b"\n") == f"A record has at most {MAX_RECORD_LINES} lines."


PASTED: dict[str, Callable[[str], str]] = {
    "byte order mark": lambda text: "\ufeff" + text,
    "code": lambda text: f"```\n{text}```",
    "code with a language": lambda text: f"```text\n{text}\n```\n",
    "code in a line": lambda text: f"`{text.strip()}`",
    "quote": lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
    "indented": lambda text: "".join(f"    {line}\n" for line in text.splitlines()),
    "spaces at the ends": lambda text: text.replace("\n", "  \n"),
    "spaces that do not break": lambda text: text.replace(" ", "\u00a0"),
    "tabs": lambda text: text.replace(" ", "\t"),
    "quotation marks": lambda text: f"“{text}”",
    "German quotation marks": lambda text: f"\n„{text.strip()}“\n",
    "no empty line": lambda text: text.replace("\n\n", "\n"),
    "empty lines": lambda text: "\n\n" + text.replace("\n", "\n\n").replace("\n\n", "\n", 1),
    "Windows": lambda text: text.replace("\n", "\r\n"),
    "separators": lambda text: text.replace("\n", "\u2028"),
}


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("way", PASTED)
def test_record_is_read_as_people_paste_it(reader: Reader, name: str, way: str) -> None:
    record = record_of(name, OPTIONS[name][0], 1)
    opened = reader.open(PASTED[way](str(record)).encode())
    assert opened
    assert opened.record == record


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_record_is_read_in_the_encodings_of_windows(reader: Reader, encoding: str) -> None:
    record = record_of("warp6", "", 1)
    opened = reader.open(str(record).encode(encoding))
    assert opened
    assert opened.record == record
    assert reader.refusal(b"\xff\xfeG") == "This isn't a record: it isn't text in UTF-8."


def test_lines_of_a_pasted_record_keep_their_numbers(reader: Reader) -> None:
    pasted = "```\n\nGame: warp6\n\n* lot Q\n```"
    assert (reader.refusal(pasted.encode()) or "").startswith("Line 5 of this record")


def test_quotation_marks_in_names_stay(reader: Reader) -> None:
    record = record_of("warp6", "", 1)
    named = Record(
        {**record.headers, "Seat B": "Ada “the” Great", "Seat Y": '"Bo"'}, record.actions
    )
    opened = reader.open(str(named).encode())
    assert opened
    assert opened.record == named


def test_piecepack_file_names_the_other_one(reader: Reader) -> None:
    record = record_of("wormholes", "", 1)
    game = record.game()
    text = game.piecepack(record.headers, game.start("0.6", {}), record.actions)
    assert reader.refusal(text.encode()) == (
        "This file is for piecepack programs: choose the one that ends in .match."
    )


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_may_end_as_in_other_systems(reader: Reader, end: str) -> None:
    record = record_of("warp6", "", 1)
    opened = reader.open(str(record).replace("\n", end).encode())
    assert opened
    assert opened.record == record


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "hello\n",
            "This isn't the record of a match: choose a file from “Download”.",
        ),
        ("Game: chess\n", "I can't read this record: There is no game “chess” here."),
        (
            "Game: warp6\nOptions: seats=9\n",
            "I can't read this record: There is no option “seats=9”.",
        ),
        (
            "Game: warp6\n\nB place b8a\n",
            (
                "Line 3 of this record isn't possible: "
                "A line before this one is missing: that of a random event."
            ),
        ),
    ],
)
def test_refusal_names_the_line_if_there_is_one(reader: Reader, text: str, sentence: str) -> None:
    assert reader.refusal(text.encode()) == sentence


def test_imported_match_is_a_finished_one_without_a_number(reader: Reader) -> None:
    record = record_of("wormholes", "notes=on", 1)
    headers = {**record.headers, "Rules": "0.6-long", "Seat O": "Ada", "Dice": "none"}
    opened = reader.open(str(Record(headers, ())).encode())
    assert opened
    assert opened.match == Match(
        id=MatchId(0),
        game="wormholes",
        rules="0.6-long",
        options={"notes": "on"},
        status=MatchStatus.FINISHED,
        version=Version(0),
        decisions={},
        guild_id=None,
        channel_id=ChannelId(0),
        challenger_id=RECORD_USER_ID,
        players={
            "O": Player(RECORD_USER_ID, "Ada"),
            "D": Player(RECORD_USER_ID, "DiagonAliens"),
        },
        unaccepted="",
        commitment="",
        expires_at=None,
    )


async def test_record_of_a_match_is_opened_after_its_end(env: MatchFixture) -> None:
    imports = Imports(env.database)
    match_id = await env.ask()
    dice = (await env.queries.match(match_id)).commitment

    async def refusal(**headers: str) -> str:
        try:
            await imports.open(str(Record({"Game": "warp6", **headers}, ())).encode())
        except UnreadableRecordError as error:
            return str(error)
        return ""

    async def check_refused() -> None:
        for value in (dice, dice.upper()):
            assert "still running here" in await refusal(Dice=value)
        assert not await refusal(Dice="none")
        assert not await refusal()

    await check_refused()
    await env.challenges.accept(next(env.ids), match_id, BO)
    await check_refused()
    assert (await env.matches.act(next(env.ids), match_id, BO, "resign")).kind == "done"
    assert not await refusal(Dice=dice)


async def test_records_of_many_users_wait_for_each_other(env: MatchFixture) -> None:
    imports, data = Imports(env.database), str(record_of("warp6", "", 1)).encode()
    opened = await asyncio.gather(*(imports.open(data) for _ in range(9)))
    assert all(isinstance(result, ImportedRecord) for result in opened)


@pytest.mark.parametrize("calls", [1, 8, 12])
def test_replay_and_views_have_to_end_in_time(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    """The clock is read once at the start, once a position, then once a turn."""
    record = record_of("warp6", "", calls)
    data = str(Record(record.headers, record.actions[:5])).encode()
    ticks = count()
    late = [0.0 if tick < calls else REPLAY_SECONDS + 1 for tick in range(100)]
    monkeypatch.setattr(positions, "monotonic", lambda: late[next(ticks)])
    assert reader.open(data) is None


async def test_match_begins_after_the_turn_that_is_shown(env: MatchFixture) -> None:
    imports, record = Imports(env.database), record_of("warp6", "", 1)
    opened = await imports.open(str(record).encode())
    for lines in (1, 7):
        origin = await imports.origin(opened, lines)
        assert origin == Origin(opened.match, record.actions[:lines])


def test_secret_dice_that_a_record_leaves_out_are_filled_in(reader: Reader) -> None:
    match_record = record_of("warp6", "setup=secret", 1)
    begin = Record(match_record.headers, match_record.actions[:1])
    hidden = begin.redact(PUBLIC)
    assert hidden.actions != begin.actions
    opened, complete = (reader.open(str(record).encode()) for record in (hidden, begin))
    assert opened
    assert complete
    assert (opened.is_redacted, complete.is_redacted) == (True, False)
    assert opened.record.actions == hidden.actions
    assert opened.turns[-1].view == complete.turns[-1].view


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_a_redacted_record_shows_what_the_whole_one_does(reader: Reader, name: str) -> None:
    for options in OPTIONS[name]:
        for seed in range(2):
            match_record = record_of(name, options, seed)
            for seat in (PUBLIC, *match_record.game().seats(match_record.options())):
                opened = reader.open(str(match_record.redact(seat)).encode())
                complete = reader.open(str(match_record).encode())
                assert opened
                assert complete
                assert opened.turns[-1].view == complete.turns[-1].view


def test_records_with_the_same_headers_are_not_confused(reader: Reader) -> None:
    one, other = [record_of("warp6", "", seed) for seed in (1, 2)]
    assert one.headers == other.headers
    records = [reader.open(str(record).encode()) for record in (one, other)]
    first, second = [opened.turns[-1].view for opened in records if opened]
    assert first != second
