"""Notes as they are stored: whose they are, how long, and when they go."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import func, select

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player
from bot.features.notes.service import (
    NOTES_LIMIT,
    NoPlayerError,
    Notes,
    PlayerNotes,
    TooLongError,
    has_lines,
)
from bot.services.challenges import OPEN_SEAT
from bot.storage.schema import match_notes, opponent_notes
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, terms
from tests.support.privacy import ADA as ADA_WIDE
from tests.support.privacy import PLAYERS as WIDE_PLAYERS
from tests.support.privacy import export_of, privacy_of, traces

NO_NOTES = PlayerNotes("", {})


@pytest.fixture
def notes(env: MatchFixture) -> Notes:
    return Notes(env.database)


async def read(env: MatchFixture, match_id: MatchId, user_id: UserId) -> PlayerNotes:
    return await Notes(env.database).read(await env.queries.match(match_id), user_id)


async def rows(env: MatchFixture) -> tuple[int, int]:
    """Return the number of notes on matches, and on opponents."""
    async with env.database.read() as connection:
        counts = [
            (await connection.execute(select(func.count()).select_from(table))).scalar_one()
            for table in (match_notes, opponent_notes)
        ]
    return counts[0], counts[1]


async def three_players(env: MatchFixture) -> MatchId:
    """Begin a match of Warp 6 between Ada, Bo and Eve."""
    three = terms("", "warp6", options={"seats": "3"})
    players = [*PLAYERS, OPEN_SEAT]
    match_id = (await env.challenges.challenge(next(env.ids), three, players)).match_id
    await env.challenges.accept(next(env.ids), match_id, BO)
    await env.challenges.accept(next(env.ids), match_id, EVE, "Eve")
    return match_id


async def test_each_player_reads_only_own_notes(env: MatchFixture, notes: Notes) -> None:
    match_id = await env.begin()
    await notes.write(match_id, ADA, "S4 on c5", {BO: "waits too long"})
    await notes.write(match_id, BO, "mine", {})
    assert await read(env, match_id, ADA) == ("S4 on c5", {BO: "waits too long"})
    assert await read(env, match_id, BO) == ("mine", {})
    assert await read(env, match_id, EVE) == NO_NOTES


async def test_notes_on_a_match_stay_with_it(env: MatchFixture, notes: Notes) -> None:
    one, two = await env.begin(), await env.begin()
    await notes.write(one, ADA, "S4 on c5", {})
    assert await read(env, two, ADA) == NO_NOTES
    await env.matches.act(next(env.ids), one, BO, "resign")
    assert (await read(env, one, ADA)).on_match == "S4 on c5"
    await notes.write(one, ADA, "won", {})
    assert (await read(env, one, ADA)).on_match == "won"


async def test_notes_on_an_opponent_are_in_all_matches_with_them(
    env: MatchFixture, notes: Notes
) -> None:
    await notes.write(await env.begin(), ADA, "", {BO: "waits too long"})
    other = await three_players(env)
    assert await read(env, other, ADA) == ("", {BO: "waits too long"})
    await notes.write(other, ADA, "", {BO: "hurries", EVE: "new"})
    assert await read(env, await env.begin(), ADA) == ("", {BO: "hurries"})


async def test_notes_on_others_than_opponents_are_left_out(env: MatchFixture, notes: Notes) -> None:
    match_id = await env.begin()
    for left_out in ({ADA: "I"}, {EVE: "no player", BO: "b"}, {UserId(-2): "x"}):
        assert not await notes.write(match_id, ADA, "", left_out)
    assert await read(env, match_id, ADA) == ("", {BO: "b"})
    assert await notes.write(match_id, ADA, "a", {EVE: "", BO: ""})
    assert await rows(env) == (1, 0)


async def test_empty_notes_are_deleted_and_only_these(env: MatchFixture, notes: Notes) -> None:
    match_id = await three_players(env)
    await notes.write(match_id, ADA, "a", {BO: "b", EVE: "e"})
    await notes.write(match_id, BO, "mine", {ADA: "a", EVE: "e"})
    await notes.write(match_id, ADA, " \n ", {BO: ""})
    assert await read(env, match_id, ADA) == ("", {EVE: "e"})
    assert await read(env, match_id, BO) == ("mine", {ADA: "a", EVE: "e"})
    assert await rows(env) == (1, 3)


async def test_who_does_not_play_writes_none(env: MatchFixture, notes: Notes) -> None:
    match_id = await env.begin()
    with pytest.raises(NoPlayerError):
        await notes.write(match_id, EVE, "x", {BO: "x"})
    with pytest.raises(NoPlayerError):
        await notes.copy(match_id, EVE, ["x"])
    with pytest.raises(NoPlayerError):
        await notes.write(MatchId(match_id + 1), ADA, "x", {})
    assert await rows(env) == (0, 0)


async def test_notes_have_a_longest_length(env: MatchFixture, notes: Notes) -> None:
    assert NOTES_LIMIT == 1000
    match_id = await env.begin()
    longest = "x" * NOTES_LIMIT
    await notes.write(match_id, ADA, longest, {BO: f" {longest}\n"})
    assert await read(env, match_id, ADA) == (longest, {BO: longest})
    for on_match, on_opponent in (("new", f"{longest}x"), (f"{longest}x", "new")):
        with pytest.raises(TooLongError):
            await notes.write(match_id, ADA, on_match, {BO: on_opponent})
    assert await read(env, match_id, ADA) == (longest, {BO: longest}), "nothing has changed"


async def test_notes_keep_lines_and_lose_what_is_not_seen(env: MatchFixture, notes: Notes) -> None:
    match_id = await env.begin()
    await notes.write(match_id, ADA, "\n one\u202e  two\r\n\n\n\nthree\x00\n*@everyone*\n\n", {})
    assert (await read(env, match_id, ADA)).on_match == "one two\n\nthree\n*@everyone*"
    decomposed = "\u0958" * 500  # two characters each in the normal form
    await notes.write(match_id, ADA, decomposed, {})
    assert len((await read(env, match_id, ADA)).on_match) == NOTES_LIMIT


async def copied(env: MatchFixture, match_id: MatchId, *lines: str) -> list[str]:
    """Copy lines into Ada's notes on a match, and return these."""
    before = (await read(env, match_id, ADA)).on_match
    await Notes(env.database).copy(match_id, ADA, lines)
    text = (await read(env, match_id, ADA)).on_match
    assert has_lines(before, lines) == (text == before)
    assert has_lines(text, lines)
    return text.split("\n")


async def test_lines_are_copied_once(env: MatchFixture) -> None:
    match_id = await env.begin()
    assert await copied(env, match_id, "S4 on c5", "M2 on f7") == ["S4 on c5", "M2 on f7"]
    assert await copied(env, match_id, "M2 on f7", "S4 on c5") == ["S4 on c5", "M2 on f7"]
    three = ["S4 on c5", "M2 on f7", "S1 on d4"]
    assert await copied(env, match_id, "S4 on c5", "S1 on d4") == three


async def test_copied_lines_replace_those_about_the_same_coin_only(
    env: MatchFixture, notes: Notes
) -> None:
    match_id = await env.begin()
    lines = ["S4 on c5", "my S4 on c5", "S4 on c5!", "bold", "", "S4", "M2 on f7"]
    await notes.write(match_id, ADA, "\n".join(lines), {BO: "S4 on c5"})
    rest = ["my S4 on c5", "bold", "", "S4", "M2 on f7"]
    assert await copied(env, match_id, "S4 on d5") == [*rest, "S4 on d5"]
    assert await copied(env, match_id, "bolder") == [*rest, "S4 on d5", "bolder"]
    assert (await read(env, match_id, ADA)).on_opponents == {BO: "S4 on c5"}


async def test_lines_that_do_not_fit_are_not_copied(env: MatchFixture, notes: Notes) -> None:
    match_id = await env.begin()
    full = "x" * (NOTES_LIMIT - 2)
    await notes.write(match_id, ADA, full, {BO: "b"})
    with pytest.raises(TooLongError):
        await notes.copy(match_id, ADA, ["yz"])
    assert await read(env, match_id, ADA) == (full, {BO: "b"})
    await notes.copy(match_id, ADA, ["y"])
    assert await read(env, match_id, ADA) == (f"{full}\ny", {BO: "b"})
    assert await read(env, match_id, BO) == NO_NOTES


async def wide_match(env: MatchFixture) -> MatchId:
    """Begin a match between Ada, whose ID leaves traces, and Bo."""
    match_id = (await env.challenges.challenge(next(env.ids), terms(), WIDE_PLAYERS)).match_id
    await env.challenges.accept(next(env.ids), match_id, BO)
    return match_id


async def test_an_export_holds_own_notes_only(env: MatchFixture, notes: Notes) -> None:
    match_id = await wide_match(env)
    await notes.write(match_id, ADA_WIDE, "S4 on c5", {BO: "waits too long"})
    data = await export_of(env.database, ADA_WIDE)
    row = {"user_id": ADA_WIDE, "text": "S4 on c5"}
    assert data["notes on matches"] == [{"match_id": match_id, **row}]
    assert data["notes on opponents"] == [{"user_id": ADA_WIDE, "text": "waits too long"}]
    others = await export_of(env.database, BO)
    assert (others["notes on matches"], others["notes on opponents"]) == ([], [])
    assert "waits" not in json.dumps(others)


async def test_a_deletion_leaves_no_notes_of_or_on_the_user(
    env: MatchFixture, notes: Notes
) -> None:
    match_id, other = await wide_match(env), await three_players(env)
    await notes.write(match_id, ADA_WIDE, "S4 on c5", {BO: "waits too long"})
    await notes.write(match_id, BO, "mine", {ADA_WIDE: "hides"})
    await notes.write(other, BO, "", {EVE: "new"})
    privacy = privacy_of(env)
    assert await privacy.erase(ADA_WIDE)
    await privacy.scrub()
    assert not await traces(env.database, ADA_WIDE)
    assert await rows(env) == (1, 1)
    assert await read(env, match_id, BO) == ("mine", {})
    assert await read(env, other, BO) == ("", {EVE: "new"})
    with pytest.raises(NoPlayerError):
        await notes.write(match_id, ADA_WIDE, "back", {})


async def test_notes_of_others_on_a_user_are_data_on_the_user(
    env: MatchFixture, notes: Notes
) -> None:
    """Even if nothing else is stored about them any more."""
    match_id = await env.begin()
    await notes.write(match_id, ADA, "", {BO: "waits"})
    await env.change_seat(match_id, "D", user_id=EVE)
    assert await privacy_of(env).erase(BO)
    assert await rows(env) == (0, 0)


async def test_computers_are_no_opponents_to_note(env: MatchFixture, notes: Notes) -> None:
    match_id = await env.begin()
    match = await env.queries.match(match_id)
    (seat,) = [seat for seat, player in match.players.items() if player == Player(BO, "Bo")]
    await env.change_seat(match_id, seat, user_id=-2, name="Admiral", level="admiral")
    await notes.write(match_id, ADA, "a", {UserId(-2): "x"})
    assert await read(env, match_id, ADA) == ("a", {})
    assert await rows(env) == (1, 0)
