"""Matches that begin from a position of a record."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from bot.domain import origin as continuations
from bot.domain.ids import MatchId
from bot.storage.schema import actions
from engine.computer.players import VERSION
from engine.record import Record
from tests.support.computers import chosen_by
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, ids, words
from tests.support.interactions import fire, payload, sentence, unchanged
from tests.support.match_card import on_card, open_record
from tests.support.strategies import racing

pytestmark = pytest.mark.computers

HEAD = "Game: warp6\nSeat B: Bo\nSeat Y: Ada\n"
ROLL = (
    "* roll b8a8 b8b7 b6a5 b6b2 b6c5 b4a1 b4b3 b4c3 b4d1"
    " y8a6 y8b7 y6a6 y6b5 y6c5 y4a3 y4b4 y4c2 y4d2"
)
SHORT = f"{HEAD}\n{ROLL}\nB place b8a\nB draw offer\nY place y8a\nB place b8b\nY resign\n"
LABEL = "Play on from here"


async def opened(stage: Stage, text: str, place: int = 0, who: Any = None) -> Any:
    """Upload a record, and go to a turn."""
    who = who or stage.ada
    page = await open_record(stage, who, "a.match", text.encode())
    for _ in range(place):
        await who.click(page.response, label="Next")
    return page


async def asked(stage: Stage, text: str, place: int, **values: Any) -> Any:
    """Fill in the window to play on."""
    page = await opened(stage, text, place)
    window = await stage.ada.click(page.response, label=LABEL)
    return await stage.ada.submit_modal(window, values)


async def lines(stage: Stage, match_id: MatchId) -> list[str]:
    """The lines of a match, as stored."""
    query = select(actions.c.line).where(actions.c.match_id == match_id)
    async with stage.database.read() as connection:
        return list((await connection.execute(query.order_by(actions.c.number))).scalars())


async def finished(stage: Stage) -> tuple[MatchId, str]:
    """A finished match and its record as a text."""
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=30)
    left = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, left.response, "resign:")
    record = await stage.client.context.queries.record(match_id)
    return match_id, str(record)


@pytest.mark.slow
async def test_a_match_goes_on_from_a_turn_of_a_record(stage: Stage) -> None:
    await stage.without_threads()
    first, text = await finished(stage)
    sent = await asked(stage, text, 26, side=["D"], people=[stage.bo])
    assert sent.ephemeral
    assert "challenge sent to Bo" in words(sent.response)
    card = stage.last()
    assert "continues from the attached record" in words(card)
    (file,) = [
        attachment for attachment in card.attachments if attachment.filename.endswith(".match")
    ]
    offered = Record.parse((await file.read()).decode())
    assert set(offered.headers) == {"Game", "Rules"}
    await stage.click(stage.bo, card, "accept:")
    match_id = first + 1
    match = await stage.client.context.queries.match(MatchId(match_id))
    assert match.seat_of(stage.ada.id) == "D"
    taken = [str(action) for action in offered.actions]
    assert taken == text.split("\n\n")[1].split("\n")[: len(taken)]
    assert (await lines(stage, MatchId(match_id)))[: len(taken)] == taken
    assert match.lines_taken_over == len(taken)
    assert await stage.state(MatchId(match_id)) == await stage.replayed(MatchId(match_id))
    await play_on(stage, MatchId(match_id), Random(2), ways=(silently,), limit=10)
    left = await stage.ada.slash(stage.channel, "resign", match=match_id)
    await stage.click(stage.ada, left.response, "resign:")
    verified = await on_card(stage, stage.ada, stage.channel, "verify:", match_id)
    assert "follow from the seed" in words(verified.response)
    assert "taken over" in words(verified.response)
    record = await stage.client.context.queries.record(MatchId(match_id))
    assert record.headers["Taken over"] == str(len(taken))
    page = await opened(stage, str(record))
    assert ": step 1 of " in words(page.response)


@pytest.mark.slow
async def test_lines_taken_over_are_not_taken_back(stage: Stage) -> None:
    await asked(stage, SHORT, 4, side=["B"], people=[stage.bo])
    await stage.click(stage.bo, stage.last(), "accept:")
    taken = [ROLL, "B place b8a", "B draw offer", "Y place y8a"]
    assert await lines(stage, MatchId(1)) == taken
    for actor in (stage.ada, stage.bo):
        answer = await actor.slash(stage.channel, "takeback", match=1)
        assert "haven't made a move yet" in words(answer.response)
    await play_on(stage, MatchId(1), Random(1), strategy=racing, ways=(silently,), limit=1)
    assert len(await lines(stage, MatchId(1))) == len(taken) + 1
    answer = await stage.ada.slash(stage.channel, "takeback", match=1)
    assert "Taken back" in words(answer.response)
    assert await stage.state(MatchId(1)) == await stage.replayed(MatchId(1))


@pytest.mark.slow
async def test_an_open_draw_offer_is_left_out(stage: Stage) -> None:
    offered = f"{HEAD}\n{ROLL}\nB place b8a\nB draw offer\nY draw decline\nB draw offer\n"
    await asked(stage, offered, 4, side=["Y"], people=[stage.bo])
    await stage.click(stage.bo, stage.last(), "accept:")
    assert not (await stage.state(MatchId(1))).offer
    kept = [ROLL, "B place b8a", "B draw offer", "Y draw decline"]
    assert await lines(stage, MatchId(1)) == kept


@pytest.mark.slow
async def test_a_declined_challenge_leaves_no_line(stage: Stage) -> None:
    await asked(stage, SHORT, 4, side=["B"], people=[stage.bo])
    assert await lines(stage, MatchId(1))
    await stage.click(stage.bo, stage.last(), "decline:")
    assert not await lines(stage, MatchId(1))
    assert not [
        attachment
        for attachment in stage.last().attachments
        if attachment.filename.endswith(".match")
    ]


@pytest.mark.slow
async def test_without_an_opponent_anyone_can_join(stage: Stage) -> None:
    sent = await asked(stage, SHORT, 2, side=["B"])
    assert "open to anyone" in words(sent.response)
    await stage.click(stage.eve, stage.last(), "accept:")
    assert (await stage.client.context.queries.match(MatchId(1))).seat_of(stage.eve.id) == "Y"


@pytest.mark.slow
async def test_the_challenge_goes_on_after_a_restart(stage: Stage) -> None:
    await asked(stage, SHORT, 4, side=["B"], people=[stage.bo])
    await stage.restart()
    await stage.click(stage.bo, stage.last(), "accept:")
    assert await stage.state(MatchId(1)) == await stage.replayed(MatchId(1))


@pytest.mark.slow
async def test_no_match_begins_at_the_end_or_from_hidden_lines(stage: Stage) -> None:
    page = await opened(stage, SHORT, 6)
    assert not any(custom_id.startswith("playon:") for custom_id in ids(page.response))
    secret = (
        "Game: warp6\nOptions: setup=secret\n\nB set b8a8 b8b7 b6a6 b6b5 b6c4 b4a4 b4b3 b4c2 b4d1\n"
    )
    hidden = str(Record.parse(secret).redact())
    page = await opened(stage, hidden)
    assert not any(custom_id.startswith("playon:") for custom_id in ids(page.response))


@pytest.mark.slow
@pytest.mark.parametrize("start", ["playon", "playing"])
async def test_a_forged_position_is_refused(stage: Stage, start: str) -> None:
    page = await opened(stage, SHORT)
    async with unchanged(stage):
        answer = await stage.ada.click(page.response, label=LABEL)
        assert answer
    await stage.begin()
    async with unchanged(stage):
        click = payload(stage, stage.ada, stage.last(), "", f"{start}:3")
        assert "no longer have this record" in sentence(await fire(stage, click))


async def test_a_long_record_is_looked_at_only(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await opened(stage, SHORT, 4)
    monkeypatch.setattr(continuations, "MAX_LINES_TAKEN_OVER", 2)
    answer = await stage.ada.click(page.response, label=LABEL)
    assert "at most 2 lines" in words(answer.response)


@pytest.mark.slow
async def test_the_computer_goes_on_as_well(stage: Stage) -> None:
    sent = await asked(stage, SHORT, 4, side=["B"], level=["cadet"])
    assert "has started" in words(sent.response)
    await stage.computers()
    for _ in range(2):
        await play_on(stage, MatchId(1), Random(1), strategy=racing, ways=(silently,), limit=1)
        await stage.computers()
    marks = await chosen_by(stage)
    assert [mark for _, mark in marks.values()][:3] == [None] * 3
    assert {mark for actor, mark in marks.values() if actor == "Y" and mark} == {f"cadet/{VERSION}"}
    left = await stage.ada.slash(stage.channel, "resign", match=1)
    await stage.click(stage.ada, left.response, "resign:")
    verified = await on_card(stage, stage.ada, stage.channel, "verify:", 1)
    assert "of the computer follow" in words(verified.response)


@pytest.mark.slow
async def test_a_third_player_is_one_too_many(stage: Stage) -> None:
    page = await opened(stage, SHORT, 4)
    window = await stage.ada.click(page.response, label=LABEL)
    assert window
    three = "Game: warp6\nOptions: seats=3\nSeat W: Eve\n\n"
    sent = await asked(stage, three, 0, side=["W"], people=[stage.bo, stage.eve])
    assert "Bo and Eve" in words(sent.response)
    for actor in (stage.bo, stage.eve):
        await stage.click(actor, stage.last(), "accept:")
    match = await stage.client.context.queries.match(MatchId(1))
    assert match.seat_of(stage.ada.id) == "W"
    await play_on(stage, MatchId(1), Random(1), strategy=racing, limit=3)
    assert await stage.state(MatchId(1)) == await stage.replayed(MatchId(1))


async def opened_without_servers(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Open a record and its window; then the bot knows no server, as before the gateway does."""
    page = await opened(stage, SHORT, 4)
    window = await stage.ada.click(page.response, label=LABEL)
    monkeypatch.setattr(stage.client, "get_guild", lambda _: None)
    return page, window


async def test_no_match_begins_where_the_bot_is_not(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, window = await opened_without_servers(stage, monkeypatch)
    stage.env.inject_error("GET", f"/guilds/{stage.guild.id}", status=404, code=10004, times=None)
    answer = await stage.ada.click(page.response, label=LABEL)
    assert "not on this server" in words(answer.response)
    answer = await stage.ada.submit_modal(window, {"side": ["B"]})
    assert "not on this server" in words(answer.response)


async def test_a_match_begins_here_before_the_server_is_known(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _shown, window = await opened_without_servers(stage, monkeypatch)
    sent = await stage.ada.submit_modal(window, {"side": ["B"], "people": [stage.bo]})
    assert "challenge sent to Bo" in words(sent.response)
    match = await stage.client.context.queries.match(MatchId(1))
    assert (match.guild_id, match.channel_id) == (stage.guild.id, stage.channel.id)
