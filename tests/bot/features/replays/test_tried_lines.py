"""A line is tried in private: nothing is posted or stored, and the record holds it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.origin import Origin, lines_until
from bot.features.replays.imports import match_of
from bot.features.replays.line_views import board
from bot.features.replays.tried_lines import TriedLine, begun, cut
from bot.views.attachments import RECORD_FILE
from bot.views.choices import enter_nearest_area, narrow_view
from bot.views.images import Drawn
from engine import games
from engine.computer.choosers import HEADER
from engine.dice import Dice
from engine.game import IllegalActionError
from engine.record import TAKEN_OVER_HEADER, Record
from render.renderer import DEFAULT_STYLE
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, ids, walk, words
from tests.support.interactions import fire, payload
from tests.support.limits import components

PLAYER = "Seat B: Bo\nSeat Y: Ada\n"
ROLL = (
    "* roll b8a8 b8b7 b6a5 b6b2 b6c5 b4a1 b4b3 b4c3 b4d1"
    " y8a6 y8b7 y6a6 y6b5 y6c5 y4a3 y4b4 y4c2 y4d2"
)
START = f"Game: warp6\n{PLAYER}\n{ROLL}\nB place b8a\n"


def line_from(text: str = START, side: str = "Y") -> TriedLine:
    """A line that begins after a record."""
    record = Record.parse(text)
    origin = Origin(match_of(record), lines_until(record, len(record.actions)))
    return begun(origin, record.replay().state, side)


def test_line_begins_with_the_position_and_nothing_of_its_match() -> None:
    line = line_from()
    assert line.record.headers["Seat Y"] == "Ada"
    assert line.record.headers[TAKEN_OVER_HEADER] == "2"
    assert not {"Dice", "Seed", "Salt", HEADER} & line.record.headers.keys()
    assert (line.seat, line.waits_for, line.before) == ("Y", "", None)


def test_choices_of_a_line_are_made_and_taken_back() -> None:
    start = line_from()
    after = start.after_typed("place y8a")
    assert after
    assert [str(action) for action in after.record.actions[2:]] == ["Y place y8a"]
    assert (after.waits_for, after.before) == ("B", 2)
    again = after.after(games.get("warp6").legal(after.state)[0])
    assert (again.waits_for, again.before) == ("", 2)
    assert cut(again.record, 2) == start.record
    assert Record.parse(str(again.record)).replay().state == again.state


def test_one_user_decides_for_all_sides() -> None:
    after = line_from(side="").after_typed("place y8a")
    assert after
    assert (after.seat, after.waits_for, after.before) == ("B", "", 2)
    assert {action.actor for action in after.view.legal} == {"B"}
    beyond = after.after_typed("place b8b")
    assert beyond
    assert (beyond.seat, beyond.before) == ("Y", 3)


def test_illegal_choice_and_other_places_are_refused() -> None:
    line = line_from()
    for text in ("place b8b", "nonsense"):
        with pytest.raises(IllegalActionError):
            line.after_typed(text)
    for place in (1, 3, -1):
        with pytest.raises(IllegalActionError):
            cut(line.record, place)


@pytest.mark.parametrize("side", ["O", "D"])
def test_board_of_a_line_shows_what_its_side_may_see(side: str) -> None:
    """The opponent's coins in a line are as secret as in a match."""
    game, random = games.get("wormholes"), Random(3)
    state, actions, dice = game.start(game.rules[0], {}), list[Any](), Dice(bytes(32), "")
    for _ in range(24):
        while game.pending(state) == "*":
            actions.append(game.chance(state, dice.draw(len(actions))))
            state, _events = game.apply(state, actions[-1])
        actions.append(random.choice([a for a in game.legal(state) if not a.is_form]))
        state, _events = game.apply(state, actions[-1])
    record = Record({"Game": "wormholes"}, tuple(actions))
    line = begun(Origin(match_of(record), record.actions), state, side)
    assert line.view == game.view(state, side)
    assert line.view != game.view(state, "D" if side == "O" else "O")
    message = board(line, Drawn(b"PNG", DEFAULT_STYLE), computers=True)
    (file,) = [part for part in walk(components(message)) if part.get("spoiler")]
    assert file["file"]["url"] == f"attachment://{RECORD_FILE}", "it has the opponent's coins"
    texts = [part.get("content", "") for part in walk(components(message))]
    assert any("hidden because it has the secrets of all sides" in text for text in texts)


@pytest.mark.first(test=1)
@pytest.mark.parametrize("game", games.names())
def test_board_of_a_line_fits_into_a_message(game: str) -> None:
    """The better choice and all areas of a crowded board have room."""
    rules, random, actions = games.get(game), Random(8), list[Any]()
    state, dice = rules.start(rules.rules[0], {}), Dice(bytes(32), "")
    for number in range(60):
        while rules.pending(state) == "*":
            actions.append(rules.chance(state, dice.draw(len(actions))))
            state, _events = rules.apply(state, actions[-1])
        legal = [action for action in rules.legal(state) if not action.is_form]
        builds = [action for action in legal if action.verb == "build"] or legal
        if rules.pending(state) and number % 2 == 0:
            record = Record({"Game": game}, tuple(actions))
            line = begun(Origin(match_of(record), record.actions), state, "")
            for tried in (line, line.after(random.choice(builds))):
                if tried.view.legal and not tried.view.legal[-1].is_form:
                    path, better = enter_nearest_area(tried.view), tried.view.legal[-1]
                    message = board(
                        tried, Drawn(b"PNG", DEFAULT_STYLE), path, better, computers=True
                    )
                    assert f":better:{better.notation}" in str(components(message))
        actions.append(random.choice(builds))
        state, _events = rules.apply(state, actions[-1])
        if rules.result(state):
            break


@pytest.mark.computers
class TestOnDiscord:
    @pytest.mark.slow
    @pytest.mark.parametrize("game", games.names())
    async def test_line_is_played_against_the_computer_and_for_both_sides(
        self, stage: Stage, game: str
    ) -> None:
        match_id = await stage.begin(game=game)
        rules = games.get(game)
        await play_on(
            stage,
            match_id,
            Random(1),
            ways=(silently,),
            limit=20,
            strategy=lambda state, random: random.choice(rules.legal(state)),
        )
        context = stage.client.context
        await context.matches.act(10**6, match_id, UserId(stage.ada.id), "resign")
        await stage.client.runtime.outbox.flush()
        _perspective, record = await context.queries.log(match_id)
        seats = (await context.queries.match(match_id)).players
        places = [n for n, action in enumerate(record.actions[:-1]) if action.actor in seats]
        public = len(stage.public())
        custom_id = f"playon:{places[-3]}:{match_id}:try"
        page = await fire(stage, payload(stage, stage.ada, stage.last(), "", custom_id))
        assert page.ephemeral
        assert "Trying a line" in words(page.response)
        start = await lines_of(page)
        assert len(start) == places[-3]
        side = record.actions[places[-3]].actor
        await choose_one(stage, page)
        tried = await lines_of(page)
        assert tried[: len(start)] == start
        assert tried[len(start)].startswith(side)
        assert "thinking" not in words(page.response), "the computer has answered"
        await stage.restart()
        await stage.ada.click(page.response, label="Play both sides")
        for _ in range(2):
            await choose_one(stage, page)
        assert len(await lines_of(page)) > len(tried)
        window = await stage.click(stage.ada, page.response, "playon:")
        assert window.modal
        while any(label == "Take back" for label in labels(page)):
            await stage.ada.click(page.response, label="Take back")
        assert await lines_of(page) == start
        assert len(stage.public()) == public


@pytest.mark.slow
async def test_line_opens_in_the_area_of_the_choice_in_the_match(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ship moves in the area that is enlarged, not in the nearest one."""
    match_id, rules = await stage.begin(), games.get("wormholes")
    paths, original = list[str](), board

    def spy(line: TriedLine, drawn: Drawn, path: str = "", *more: Any, **named: Any) -> Any:
        paths.append(path)
        return original(line, drawn, path, *more, **named)

    def far(state: Any, _random: Random) -> Any:
        view = rules.view(state, rules.pending(state)[0])
        near = narrow_view(view, enter_nearest_area(view)).legal
        return next((action for action in view.legal if action not in near), view.legal[0])

    await play_on(stage, match_id, Random(1), ways=(silently,), limit=4, strategy=far)
    ada = UserId(stage.ada.id)
    await stage.client.context.matches.act(10**6, match_id, ada, "resign")
    await stage.client.runtime.outbox.flush()
    _perspective, record = await stage.client.context.queries.log(match_id)
    place = max(n for n, action in enumerate(record.actions) if action.verb == "place")
    monkeypatch.setattr("bot.features.replays.line_views.board", spy)
    custom_id = f"playon:{place}:{match_id}:try"
    await fire(stage, payload(stage, stage.ada, stage.last(), "", custom_id))
    before, played = Record(record.headers, record.actions[:place]), record.actions[place]
    view = rules.view(before.replay().state, played.actor)
    assert played in narrow_view(view, paths[0]).legal
    assert played not in narrow_view(view, enter_nearest_area(view)).legal


async def lines_of(page: Any) -> list[str]:
    """The actions of the record attached to a board."""
    (file,) = [file for file in page.response.attachments if file.filename == RECORD_FILE]
    return [str(action) for action in Record.parse((await file.read()).decode()).actions]


def labels(page: Any) -> list[str]:
    return [part["label"] for part in walk(page.response.components) if part.get("label")]


async def choose_one(stage: Stage, page: Any) -> None:
    """Click until a choice is made."""
    before = await lines_of(page)
    while await lines_of(page) == before:
        parts = walk(page.response.components)
        lists = {part["custom_id"]: part["options"] for part in parts if part.get("options")}
        choices = [i for i in ids(page.response) if i.startswith(("trylineact:", "trylinepart:"))]
        acts = [i for i in choices if i.startswith("trylineact:")]
        custom_id = (*acts, *choices)[0]
        if custom_id in lists:
            value = lists[custom_id][0]["value"]
            await stage.ada.select(page.response, [value], custom_id=custom_id)
        else:
            await stage.ada.click(page.response, custom_id=custom_id)
