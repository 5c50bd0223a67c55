"""Guided matches: each step can be solved, and says something to everything that is legal."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.rulebook.book import game_of, read
from bot.rulebook.lessons import attempt, hint, lesson, place, right_choices, steps
from bot.views.choices import panel
from engine import games
from engine.game import IllegalActionError
from engine.tomtube.drifting import drifts
from engine.tomtube.lattice import GATES, KNOT_NAMES
from engine.tomtube.tiles import OWN
from render.tomtube.own_tubes import own_gates

EVERY = [(game, number) for game in games.names() for number in range(len(steps(game)))]

PUZZLES = [step for step in EVERY if place(*step).step.values]


@pytest.mark.parametrize("game", games.names())
def test_every_game_is_taught(game: str) -> None:
    course = lesson(game)
    assert 3 <= course.puzzles <= 5
    assert 5 <= len(course.steps) - course.puzzles <= 9
    assert course.aim.startswith("Win by ")
    assert 0 < len(course.tip.split()) <= 35, "it is the last text of a long lesson"
    assert read(game, "en").find("strategy"), "the end leads there"
    assert not any(step.values for step in course.steps[: -course.puzzles])


def test_a_game_without_a_lesson_has_no_steps() -> None:
    assert not steps("chess")
    with pytest.raises(LookupError):
        place("wormholes", len(steps("wormholes")))


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_a_step_is_a_decision_of_its_player_about_a_rule(game: str, number: int) -> None:
    decision = place(game, number)
    rules = games.get(game)
    assert rules.dump(rules.load(decision.step.position)) == decision.step.position
    assert decision.view.pending == decision.step.seat == decision.view.seat
    assert game_of(decision.step.rule) == game
    assert decision.step.title
    assert decision.step.text


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_every_legal_choice_gets_an_answer_and_some_lead_on(game: str, number: int) -> None:
    decision = place(game, number)
    results = [attempt(decision, action.notation) for action in decision.view.legal]
    assert all(result and (result.text or decision.step.values) for result in results)
    assert any(result and result.right for result in results)


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_every_answer_is_given_to_some_choice(game: str, number: int) -> None:
    decision = place(game, number)
    results = [attempt(decision, action.notation) for action in decision.view.legal]
    texts = {result.text for result in results if result}
    assert texts >= {answer.text for answer in decision.step.answers}


def test_t3_3_t4_4_built_tube_leads_as_far_as_its_answer_says() -> None:
    decision = place("tomtube", 3)
    rules, seat = games.get("tomtube"), 0
    state, texts = rules.load(decision.step.position), set()
    before = drifts(state, seat, OWN[seat])
    for action in decision.view.legal:
        result = attempt(decision, action.notation)
        if result and result.right:
            after, _ = rules.apply(state, action)
            gates = [*own_gates(decision.step.seat)]
            end = next(knot for knot in action.args[0].split(">") if knot not in gates)
            assert ("next turn" in result.text) == bool(
                drifts(after, seat, OWN[seat]).keys() - before.keys()
            )
            assert ("behind it is a gate" in result.text) == (KNOT_NAMES.index(end) in GATES)
            texts.add(result.text)
    assert len(texts) == 3


CONTINUING = [step for step in EVERY if place(*step).step.continues]


@pytest.mark.parametrize(("game", "number"), CONTINUING)
def test_step_continues_where_its_player_was_left(game: str, number: int) -> None:
    before = place(game, number - 1)
    view: Any = place(game, number).view
    results: list[Any] = [attempt(before, action.notation) for action in right_choices(before)]
    ships = slice(0, 2)  # of the OrthogonAliens
    assert view.ships[ships] in [result.view.ships[ships] for result in results]


def test_only_steps_of_wormholes_continue_and_no_puzzle() -> None:
    assert {game for game, _number in CONTINUING} == {"wormholes"}
    assert not set(CONTINUING) & set(PUZZLES)


def test_lessons_name_dice_as_the_buttons_do() -> None:
    texts = [text for step in steps("warp6") for text in step.texts]
    assert not [text for text in texts if re.search(r"\b[468][a-d]\b", text)]
    assert sum("◆" in text or "■" in text or "▲" in text for text in texts) > 10


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_lessons_name_triangles_as_the_buttons_do(game: str, number: int) -> None:
    decision = place(game, number)
    labels = {choice.label[:1] for row in panel(decision.view).rows for choice in row.choices}
    for letter in re.findall(r"\*([a-z])\*", decision.step.text):
        assert letter in labels


def test_what_is_not_legal_is_refused_with_its_rule() -> None:
    with pytest.raises(IllegalActionError) as caught:
        attempt(place("wormholes", 0), "place S3 a17")
    assert caught.value.rule == "W3.3"


def test_the_beginning_of_a_choice_is_no_choice() -> None:
    assert attempt(place("wormholes", 0), "place S3") is None


def test_the_last_step_before_the_puzzles_wins() -> None:
    last = place("wormholes", len(steps("wormholes")) - lesson("wormholes").puzzles - 1)
    result = attempt(last, "move S NW")
    assert result
    assert result.right
    assert result.view.result == "O base"
    assert last.ends_part


def test_after_the_last_puzzle_comes_the_first_step() -> None:
    last = place("wormholes", len(steps("wormholes")) - 1)
    assert last.ends_part
    assert last.after == 0


@pytest.mark.parametrize(("game", "number"), PUZZLES)
def test_only_the_best_choice_of_a_puzzle_is_right(game: str, number: int) -> None:
    decision = place(game, number)
    values = dict(decision.step.values)
    assert [*values.values()] == sorted(values.values(), reverse=True)
    results = [attempt(decision, action.notation) for action in decision.view.legal]
    right = [result for result in results if result and result.right]
    assert [result.action.notation for result in right] == [next(iter(values))]
    assert right[0].reasons
    assert {
        result.action.notation: result.value for result in results if result and result.value
    } == values


def test_hint_for_a_catapult_names_the_base_it_throws_onto() -> None:
    _action, reasons = hint(place("wormholes", 1))
    assert [str(reason) for reason in reasons] == [
        "it throws your ships onto a17, an opposing base"
    ]


@pytest.mark.first(test=6)
@pytest.mark.parametrize(("game", "number"), EVERY)
def test_hint_is_a_right_choice_with_a_reason(game: str, number: int) -> None:
    decision = place(game, number)
    action, reasons = hint(decision)
    result = attempt(decision, action.notation)
    assert result
    assert result.right
    assert reasons


def test_a_wrong_way_past_the_black_hole_says_how_steps_count() -> None:
    """No wrong choice comes two steps closer, diagonal steps counted as one."""

    def steps_to_goal(space: str) -> int:
        column, row = ord(space[0]), int(space[1:])
        return min(max(abs(column - ord("a")), abs(row - goal)) for goal in (17, 18))

    step = next(
        place("wormholes", n) for n in range(9) if place("wormholes", n).step.rule == "W6.1"
    )
    start = steps_to_goal("g12")
    for action in step.view.legal:
        tried = attempt(step, action.notation)
        assert tried
        moved = next(event for event in tried.view.story if event.kind == "moved")
        assert (start - steps_to_goal(moved.facts[-1]) >= 2) is tried.right
        if tried.text == step.step.other:
            assert "diagonal step counts as one" in tried.text
