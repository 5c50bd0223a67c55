"""Warp 6 through the bot: two and three players, secret set-up, series, restarts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.domain.ids import MatchId
from engine import games
from engine.record import Record
from tests.support.driver import by_click, by_command, foresee, lists, play_on, silently
from tests.support.harness import Stage, ids, play, words
from tests.support.strategies import racing, swift

GAME = games.get("warp6")


async def begin(stage: Stage, players: int, **options: Any) -> MatchId:
    """A match of Warp 6 that has begun."""
    seats = {"opponent2": stage.eve, "seats": "3"} if players == 3 else {}
    await play(stage.ada, stage.channel, game="warp6", opponent=stage.bo, **seats, **options)
    challenge = stage.last()
    for actor in (stage.bo, stage.eve)[: players - 1]:
        await stage.click(actor, challenge, "accept:")
    custom_id = next(i for i in ids(challenge) if i.startswith("accept:"))
    return MatchId(int(custom_id.split(":")[1]))


async def ended(stage: Stage, match_id: MatchId) -> Record:
    """The record that the bot has posted."""
    files = {file.filename: await file.read() for file in stage.last().attachments}
    record = Record.parse(files[f"warp6-{match_id}.match"].decode())
    assert record.verify() > 0
    assert record.replay().state == await stage.state(match_id)
    return record


@pytest.mark.slow
@pytest.mark.parametrize("players", [pytest.param(2, marks=pytest.mark.soak), 3])
async def test_a_match_by_clicks_to_a_win_with_a_restart(stage: Stage, players: int) -> None:
    match_id = await begin(stage, players)
    random = await foresee(stage, match_id, swift)
    await play_on(stage, match_id, random, ways=(by_click, by_command), strategy=swift, limit=30)
    before = stage.last().id
    await stage.restart()
    assert stage.last().id == before
    await play_on(stage, match_id, random, ways=(by_click,), strategy=swift)
    record = await ended(stage, match_id)
    assert record.headers["Result"].endswith("dice")
    assert "Points" in record.headers


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.soak)])
async def test_a_match_with_a_secret_set_up_and_restarts(stage: Stage, players: int) -> None:
    match_id = await begin(stage, players, setup="secret")
    random = Random(3)
    for limit in (1, 14, 10):
        await play_on(stage, match_id, random, ways=(by_click,), strategy=swift, limit=limit)
        before = stage.last().id
        await stage.restart()
        assert stage.last().id == before
    await play_on(stage, match_id, random, ways=(silently,), strategy=swift)
    record = await ended(stage, match_id)
    assert record.headers["Result"].endswith("dice")
    assert "Points" in record.headers


@pytest.mark.slow
async def test_x2_4_what_is_set_in_secret_is_chosen_in_private(stage: Stage) -> None:
    match_id = await begin(stage, 2, setup="secret")
    public = stage.last()
    assert not any(i.startswith(("act:", "form:")) for i in ids(public))
    panel = await stage.click(stage.ada, public, "menu:")
    assert panel.ephemeral
    line = next(i for i in ids(panel.response) if i.startswith("act:")).split(":", 3)[3]
    assert f"Suggestion: ◆A {line.split()[1][-1]}, ◆B " in words(panel.response)
    done = await stage.click(stage.ada, panel.response, "act:")
    assert f"Done: Set: ◆A {line.split()[1][-1]}, ◆B " in words(done.response)
    assert (await stage.client.context.queries.match(match_id)).decisions.keys() == {
        (await stage.client.context.queries.match(match_id)).seat_of(stage.bo.id)
    }
    numbers = line.split()[1:]
    texts = [words(m) for m in stage.public()]
    assert not any(number in text for text in texts for number in numbers)


@pytest.mark.slow
async def test_x2_4_all_dice_are_set_in_one_window(stage: Stage) -> None:
    match_id = await begin(stage, 2, setup="secret")
    panel = (await stage.click(stage.ada, stage.last(), "menu:")).response
    window = await stage.click(stage.ada, panel, "form:")
    fields = {"0": "8 1", "1": "6,5 , 4", "2": "4 3\n2 1"}
    done = await stage.ada.submit_modal(window, fields)
    assert "Done: Set: ◆A 8, ◆B 1, ■A 6, ■B 5, ■C 4, ▲A 4, ▲B 3, ▲C 2, ▲D 1" in words(done.response)
    match = await stage.client.context.queries.match(match_id)
    assert match.decisions.keys() == {match.seat_of(stage.bo.id)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "sentence", "expected"),
    [
        ("8 8/6 6 6/4 3 2", "▲A, ▲B, ▲C and ▲D: 4 values from 1 to 4", "8 8/6 6 6/4 3 2"),
        ("8 8/6 1 6/4 4 4 5", "not “4 4 4 5”", "8 8/6 1 6/4 4 4 5"),
        ("7, 8/1,x,2/4 4 4 3", "■A, ■B and ■C: 3 values from 1 to 6", "7 8/1 x 2/4 4 4 3"),
        ("1 2 3/6 5 4/4 3 2 1", "◆A and ◆B: 2 values from 1 to 8", "1 2 3/6 5 4/4 3 2 1"),
    ],
)
async def test_other_values_set_nothing_and_can_be_changed(
    stage: Stage, fields: str, sentence: str, expected: str
) -> None:
    match_id = await begin(stage, 2, setup="secret")
    panel = (await stage.click(stage.ada, stage.last(), "menu:")).response
    window = await stage.click(stage.ada, panel, "form:")
    typed = {str(number): text for number, text in enumerate(fields.split("/"))}
    answer = await stage.ada.submit_modal(window, typed)
    assert answer.response.ephemeral
    assert sentence in words(answer.response).replace("*", "")
    match = await stage.client.context.queries.match(match_id)
    assert match.seat_of(stage.ada.id) in match.decisions
    second_window = await stage.click(stage.ada, answer.response, "form:")
    values = [label["component"]["value"] for label in second_window.modal["components"]]
    assert "/".join(values) == expected


@pytest.mark.slow
async def test_what_is_typed_is_quoted_as_it_was(stage: Stage) -> None:
    await begin(stage, 2)
    actor = await stage.deciding(MatchId(1))
    for typed in ("6a left wibble", "8a: 1→9 wibble", "place 6a wibble wobble"):
        text = words((await actor.slash(stage.channel, "do", action=typed)).response)
        assert text.startswith(f"I can't read “{typed}”."), text


@pytest.mark.soak
async def test_a_series_of_three_is_played_to_three_wins(stage: Stage) -> None:
    match_id = await begin(stage, 2, series=3)
    won: list[dict[str, int]] = []
    for number in (1, 2, 3):
        random = await foresee(stage, match_id, swift)
        way = by_click if number == 1 else silently
        await play_on(stage, match_id, random, ways=(way,), strategy=swift)
        match = await stage.client.context.queries.match(match_id)
        assert match.status == "finished"
        end = next(m for m in reversed(stage.public()) if f"rematch:{match_id}" in ids(m))
        standing = (
            "The series is over" if number == match.rounds else "Penalty points in this series of 3"
        )
        assert standing in words(end)
        assert "penalty points" in words(end).lower()
        state = await stage.state(match_id)
        assert state.result.endswith("dice")
        won.append(dict(GAME.points(state) or {}))
        if number < match.rounds:
            match_id = MatchId(match_id + 1)
            match = await stage.client.context.queries.match(match_id)
            challenge = next(m for m in reversed(stage.public()) if f"accept:{match_id}" in ids(m))
            for seat in match.unaccepted:
                await stage.click(stage.people[match.players[seat].user_id], challenge, "accept:")
    assert (await ended(stage, match_id)).headers["Series"] == "3/3"
    assert match.standing == {seat: sum(points[seat] for points in won) for seat in match.players}
    assert all(min(points.values()) == 0 < max(points.values()) for points in won)


@pytest.mark.slow
async def test_a_chain_of_warps_is_shown_with_three_clicks(stage: Stage) -> None:
    match_id = await begin(stage, 2)
    assert "Show warp chains" not in words(stage.last()), "nothing lies on the board yet"
    await play_on(stage, match_id, Random(1), ways=(silently,), strategy=racing, limit=30)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    public, before = stage.last(), await stage.state(match_id)
    assert f"overlay:{match_id}" in ids(public)
    for actor in (stage.ada, stage.eve):
        answer = await stage.click(actor, public, "overlay:")
        assert answer.response.ephemeral
        plain = await answer.response.attachments[0].read()
        ((custom_id, spaces),) = lists(answer.response).items()
        assert 0 < len(spaces) <= 18
        warps = await actor.select(answer.response, [spaces[0]], custom_id=custom_id)
        assert f"warps: {spaces[0]} → " in words(warps.response)
        picture = warps.response.attachments[0]
        assert await picture.read() != plain
        assert picture.description.startswith(f"{spaces[0]} is ")
    assert (stage.last().id, await stage.state(match_id)) == (public.id, before)


@pytest.mark.slow
async def test_a_chain_from_any_space_can_be_typed(stage: Stage) -> None:
    match_id = await begin(stage, 2)
    await play_on(stage, match_id, Random(1), ways=(silently,), strategy=racing, limit=30)
    actor = await stage.deciding(match_id)
    choices = await actor.autocomplete(stage.channel, "warp6 warps", "space", "1")
    assert choices
    assert all(choice["value"].startswith("1") for choice in choices)
    warps = await actor.slash(stage.channel, "warp6 warps", space="1")
    assert warps.ephemeral
    assert "1 → off the board" in words(warps.response)
    back = await stage.click(actor, warps.response, f"part:{match_id}:")
    assert any(custom_id.startswith("act:") for custom_id in ids(back.response))
    refusal = await actor.slash(stage.channel, "warp6 warps", space="127")
    assert "There's no “127” on this board." in words(refusal.response)


@pytest.mark.slow
async def test_in_a_match_of_three_one_can_leave_and_two_play_on(stage: Stage) -> None:
    match_id = await begin(stage, 3)
    await play_on(stage, match_id, Random(1), ways=(by_click,), strategy=racing, limit=8)
    confirmation = await stage.eve.slash(stage.channel, "resign")
    await stage.click(stage.eve, confirmation.response, "resign:")
    match = await stage.client.context.queries.match(match_id)
    assert match.status == "running"
    await play_on(stage, match_id, Random(2), ways=(silently,), strategy=racing)
    record = await ended(stage, match_id)
    assert any(action.verb == "leave" for action in record.actions)
    assert games.get("warp6").result(record.replay().state)
