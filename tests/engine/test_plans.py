"""Plans: players' lines, and the actions that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE, PUBLIC, Action, AnyGame
from engine.games import get
from engine.plans import (
    MAX_ALTERNATIVES,
    MAX_CHARACTERS,
    MAX_ORDERS,
    Misfit,
    Order,
    Plan,
    PlanError,
    Step,
    forced_action,
    load_plan,
    next_step,
    parse_plan,
    turn_of,
)
from tests.support.any_game import NAMES
from tests.support.steps import calls_of
from tests.support.tiers import examples
from tests.support.whole import any_action

SEEDS = st.integers(0, 10**6)

pytestmark = pytest.mark.usefixtures("bids")


def start(name: str, random: Random) -> tuple[AnyGame, Any]:
    """Return the beginning of a match with random options."""
    game = get(name)
    options = {option: random.choice(values) for option, values in game.options.items()}
    return game, game.start(random.choice(game.rules), options)


def played(name: str, random: Random, most: int = 120) -> tuple[AnyGame, Any, list[Action]]:
    """Return a match after some random actions, with its record."""
    game, state = start(name, random)
    actions: list[Action] = []
    for _ in range(random.randrange(most)):
        if not game.pending(state):
            break
        actions.append(any_action(game, state, random))
        state, _ = game.apply(state, actions[-1])
    return game, state, actions


def any_plan(game: AnyGame, state: Any, seat: str, seen: Sequence[Action], random: Random) -> str:
    """Return the text of a plan: some orders fit, some do not."""
    possible = [action for action in game.plannable(state, seat) if not action.is_form]
    legal = [action for action in game.legal(state) if action.actor == seat and not action.is_form]
    words = [word for action in seen[-6:] for word in (action.verb, *action.args) if word[0] != "?"]
    lines = []
    for _ in range(random.randrange(1, 8)):
        actions = [random.choice(random.choice((legal, possible)) or possible) for _ in range(2)]
        condition = random.choice(["", "", f"if {random.choice([*words, 'S9'])}: "])
        lines.append(condition + " or ".join(action.notation for action in actions))
    return "\n".join(lines)


@pytest.mark.parametrize("name", NAMES)
@examples(20, 40, 10_000)
@given(seed=SEEDS)
def test_plan_makes_only_legal_actions_and_shrinks(name: str, seed: int) -> None:
    random = Random(seed)
    game, state, actions = played(name, random)
    if game.result(state) or game.pending(state) == CHANCE:
        return
    seat = random.choice(game.pending(state))
    try:
        plan = parse_plan(game, state, seat, any_plan(game, state, seat, actions, random))
    except PlanError:
        return  # a piece used twice
    for _ in range(40):
        if seat in game.pending(state):
            step = next_step(game, state, seat, plan, actions)
            if not isinstance(step, Step):
                break
            assert step.action in game.legal(state)
            assert step.after == game.apply(state, step.action)[0]
            assert len(step.rest.orders) < len(plan.orders)
            assert step.rest.orders == plan.orders[len(plan.orders) - len(step.rest.orders) :]
            action, plan = step.action, step.rest
        elif game.pending(state):
            action = any_action(game, state, random)
        else:
            break
        state, actions = game.apply(state, action)[0], [*actions, action]


@pytest.mark.parametrize("name", NAMES)
@examples(30, 40, 10_000)
@given(seed=SEEDS)
def test_what_can_be_planned_shows_no_secret(name: str, seed: int) -> None:
    random = Random(seed)
    game, state, _ = played(name, random)
    for seat in game.view(state).seats:
        possible = game.plannable(state, seat)
        assert len(set(possible)) == len(possible)
        if not game.result(state):
            seat_actions = {action for action in game.legal(state) if action.actor == seat}
            # No plan says for a player that dealt coins have been seen.
            assert {action for action in seat_actions if action.verb != "ready"} <= set(possible)
            twin = game.resample_view(state, seat, random.randrange)
            assert game.plannable(twin, seat) == possible


@pytest.mark.parametrize("name", NAMES)
@examples(30, 40, 10_000)
@given(seed=SEEDS)
def test_forced_choice_shows_no_secret(name: str, seed: int) -> None:
    random = Random(seed)
    game, state, _ = played(name, random)
    if game.result(state):
        return
    for seat in game.view(state).seats:
        for reader in (PUBLIC, *game.view(state).seats):
            twin = game.resample_view(state, reader, random.randrange)
            assert forced_action(game, twin, seat) == forced_action(game, state, seat)


@pytest.mark.parametrize("name", NAMES)
@examples(10, 40, 10_000)
@given(seed=SEEDS)
def test_plan_is_printed_as_it_is_read(name: str, seed: int) -> None:
    random = Random(seed)
    game, state, actions = played(name, random)
    seat = game.view(state).seats[0]
    try:
        plan = parse_plan(game, state, seat, any_plan(game, state, seat, actions, random))
    except (PlanError, IndexError):
        return
    assert load_plan(seat, str(plan)) == plan
    again = parse_plan(game, state, seat, str(plan).lower())
    assert [order.actions for order in again.orders] == [order.actions for order in plan.orders]


WORMHOLES = get("wormholes")


def wormholes_lines(*lines: str) -> tuple[Any, list[Action]]:
    """Return a position of Wormholes and its record; the first lines place the coins."""
    random = Random(5)
    state, actions = WORMHOLES.start("0.6", {}), []
    for line in ("* rolloff S3 M0 C5 A2", "D first move"):
        actions.append(Action.parse(line))
        state, _ = WORMHOLES.apply(state, actions[-1])
    while WORMHOLES.pending(state) != CHANCE:
        actions.append(random.choice(WORMHOLES.legal(state)))
        state, _ = WORMHOLES.apply(state, actions[-1])
    for line in lines:
        actions.append(Action.parse(line))
        state, _ = WORMHOLES.apply(state, actions[-1])
    return state, actions


def plan_of(state: Any, seat: str, *lines: str) -> Plan:
    return parse_plan(WORMHOLES, state, seat, "\n".join(lines))


def test_condition_holds_in_the_whole_turn_of_its_roll() -> None:
    state, actions = wormholes_lines()
    seat = "D" if "C?" in WORMHOLES.legal(state)[0].args else "O"
    first, second = ("C", "A") if seat == "D" else ("S", "M")
    state, actions = wormholes_lines(f"* roll {first}1 {second}1")
    legal = [action for action in WORMHOLES.legal(state) if action.verb == "move"]
    one = next(action for action in legal if action.args[0] == first)
    plan = plan_of(state, seat, f"if {second}5: {one.notation}", f"if {first}1: {one.notation}")
    plan = Plan((*plan.orders, Order((one,), (f"{second}1",)), Order((one,), ("roll",))))
    step = next_step(WORMHOLES, state, seat, plan, actions)
    assert isinstance(step, Step)
    assert step.action == one
    assert len(step.rest.orders) == 2
    state, actions = step.after, [*actions, one]
    assert next_step(WORMHOLES, state, seat, step.rest, actions) == Misfit.ILLEGAL  # holds still
    later = turn_of([*actions, Action("x", "y", ()), Action(CHANCE, "roll", ("S1", "M1"))], seat)
    assert later > turn_of(actions, seat)
    assert step.rest.at(later).orders == ()
    assert step.rest.at(turn_of(actions, seat)) == step.rest


@pytest.mark.parametrize(
    ("lines", "turn"),
    [
        ("a go, b go", 2),
        ("a go, b go, a draw offer, b draw decline", 2),
        ("a go, b go, b draw offer, a draw decline", 2),
        ("a go, a draw offer, b draw decline, b go", 2),
        ("a go, b go, a first, a draw offer, b draw decline", 2),
        ("a go, b go, a first, a draw offer", 2),
        ("a go, b draw offer, b go, a go, b go", 5),
        ("a draw offer, b draw decline", 1),
        ("", 1),
    ],
)
def test_draw_that_is_offered_is_no_turn(lines: str, turn: int) -> None:
    """So a condition still holds for what led to the turn in which it was offered."""
    actions = [Action.parse(line) for line in filter(None, lines.split(", "))]
    assert turn_of(actions, "a") == turn


def test_order_without_condition_ends_the_candidates() -> None:
    state, actions = wormholes_lines()
    game, seat = get("warp6"), "B"
    roll = "* roll b8a5 b8b3 b6a6 b6b1 b6c2 b4a4 b4b4 b4c1 b4d2 y8a5 y8b3 y6a6 y6b1 y6c2 y4a4 y4b4"
    actions = [Action.parse(f"{roll} y4c1 y4d1")]
    state, _ = game.apply(game.start("standard", {}), actions[0])
    assert game.pending(state) == seat
    plan = parse_plan(game, state, seat, "if y8a: place b8a\nb8b or b6a\nif roll: place b4a")
    step = next_step(game, state, seat, plan, actions)
    assert isinstance(step, Step)
    assert str(step.action) == "B place b8b"
    assert str(step.rest) == "if roll: place b4a"
    assert step.rest.turn == 0


def test_conditions_read_no_hidden_value() -> None:
    state, _ = WORMHOLES.apply(
        WORMHOLES.start("0.6", {"notes": "off"}), Action.parse("* rolloff S3 M0 C5 A2")
    )
    actions = [Action.parse("* rolloff S3 M0 C5 A2")]
    for line in ("D first place", "D place C4 e9"):
        actions.append(Action.parse(line))
        state, _ = WORMHOLES.apply(state, actions[-1])
    for words, holds in {"C4": False, "e9": True, "place e9": True, "e9 S3": True}.items():
        plan = plan_of(state, "O", f"if {words}: place S1 f7")
        step = next_step(WORMHOLES, state, "O", plan, actions)
        assert isinstance(step, Step) == holds, words
        assert holds or step is Misfit.CONDITION


REFUSALS = {
    "place S4 e9\nM3 e9": (2, "can't follow"),
    "place S4 e9\nS4 e8": (2, "can't follow"),
    "\n\nS4": (3, "incomplete"),
    "C4 e9": (1, "can't read"),
    "move C N": (1, "can't read"),
    "place S4 z9": (1, "can't read"),
    "resign": (1, "can't resign"),
    "draw accept": (1, "can't resign"),
    "if : move S E": (1, "between"),
    "if S5 move S E": (1, "can't read"),
    "if S§: move S E": (1, "can't happen"),
    "if S5 foo: move S E": (1, "“foo” can't happen"),
    "if y8a: move S E": (1, "“y8a” can't happen"),
    "move S E or ": (1, "can't read"),
    "\n".join(["move S E"] * (MAX_ORDERS + 1)): (MAX_ORDERS + 1, "at most"),
    " or ".join(["move S E"] * (MAX_ALTERNATIVES + 1)): (1, "at most"),
    "\n".join([f"if {'rolloff ' * 7} roll: S E"] * 50): (MAX_CHARACTERS // 74 + 1, "at most"),
}


@pytest.mark.parametrize("text", REFUSALS)
def test_refusal_names_the_line(text: str) -> None:
    state, _ = WORMHOLES.apply(WORMHOLES.start("0.6", {}), Action.parse("* rolloff S3 M0 C5 A2"))
    with pytest.raises(PlanError) as refused:
        parse_plan(WORMHOLES, state, "O", text)
    line, reason = REFUSALS[text]
    assert refused.value.line == line
    assert reason in str(refused.value.error)


@pytest.mark.first(test=1)
@pytest.mark.parametrize("name", NAMES)
def test_conditions_can_have_all_words_of_records(name: str) -> None:
    matches = [played(name, Random(seed), 240) for seed in range(40)]
    lines = [action for *_, actions in matches for action in actions]
    words = {word for action in lines for word in (action.verb, *action.args)}
    game, state, _ = next(
        match for match in matches if match[0].pending(match[1]) not in ("", CHANCE)
    )
    seat = game.pending(state)[0]
    order = game.plannable(state, seat)[0].notation
    for word in sorted({*words, "resign", "draw", "offer"}):
        assert parse_plan(game, state, seat, f"if {word.upper()}: {order}").orders


def test_two_places_for_a_coin_can_be_alternatives() -> None:
    state, _ = WORMHOLES.apply(WORMHOLES.start("0.6", {}), Action.parse("* rolloff S3 M0 C5 A2"))
    text = "place S4 e9 or e10\nM3 e9 or e10\nS5 e10 or e8\nif roll: S4 e7 or S2 f7"
    plan = parse_plan(WORMHOLES, state, "O", text)
    assert [len(order.actions) for order in plan.orders] == [2, 2, 2, 2]


def test_alternatives_of_the_stored_plan_may_be_past() -> None:
    state, _ = WORMHOLES.apply(WORMHOLES.start("0.6", {}), Action.parse("* rolloff S3 M0 C5 A2"))
    stored = plan_of(state, "O", "place S4 e6 or d6 or e6", "place M3 e6")
    for line in ("D first move", "O place S5 b17", "D place C4 e6"):
        state, _ = WORMHOLES.apply(state, Action.parse(line))
    text = str(Plan(stored.orders[:1]))
    assert str(parse_plan(WORMHOLES, state, "O", text, stored)) == "place S4 d6"
    typed = f"{text}\nplace S2 d7 or place S2 e66"
    for lines, before, number in ((text, None, 1), (typed, stored, 2), (str(stored), stored, 2)):
        with pytest.raises(PlanError) as refused:
            parse_plan(WORMHOLES, state, "O", lines, before)
        assert refused.value.line == number
        assert "can't happen in this match any more" in str(refused.value)


def test_line_of_the_stored_plan_is_left_out_once_its_coin_lies() -> None:
    """As its player has placed the coin by hand, perhaps elsewhere."""
    state, _ = WORMHOLES.apply(WORMHOLES.start("0.6", {}), Action.parse("* rolloff S3 M0 C5 A2"))
    stored = plan_of(state, "O", "place S4 e6", "if C5: place M3 d6", "place S2 d7")
    for line in ("D first move", "O place S4 b17", "D place C4 e6", "O place M3 d5"):
        state, _ = WORMHOLES.apply(state, Action.parse(line))
    assert str(parse_plan(WORMHOLES, state, "O", str(stored), stored)) == "place S2 d7"
    assert not parse_plan(WORMHOLES, state, "O", "place S4 e6", stored).orders


def test_secret_set_up_of_warp6_is_planned_with_its_numbers() -> None:
    game = get("warp6")
    state = game.start("standard", {"setup": "secret"})
    numbers = "b8a8 b8b7 b6a6 b6b5 b6c4 b4a4 b4b3 b4c2 b4d1"
    with pytest.raises(PlanError):
        parse_plan(game, state, "B", "set " + numbers.replace("b8a8", "b8a9"))
    plan = parse_plan(game, state, "B", f"SET {numbers.upper()}\nplace b8a")
    step = next_step(game, state, "B", plan, [])
    assert isinstance(step, Step)
    assert str(step.action) == f"B set {numbers}"


def test_first_words_can_be_left_out() -> None:
    state, _ = wormholes_lines()
    seat = "O"
    plan = plan_of(state, seat, "s n or m e or sw", "jump s n or s", "null m or s")
    assert str(plan).splitlines() == [
        "move S N or move M E or move M SW",
        "jump S N or jump S S",
        "null M or null S",
    ]


def test_set_up_that_is_finished_leaves_nothing() -> None:
    assert next_step(WORMHOLES, wormholes_lines()[0], "O", Plan(()), []) is None


def longest_texts(game: AnyGame, state: Any, seat: str) -> list[str]:
    """Return texts of as many characters as a plan may have, which take long to read."""
    random = Random(1)
    listed = [action.notation for action in game.plannable(state, seat) if not action.is_form] or [
        "a"
    ]
    rests = [text.partition(" ")[2] or "x" for text in listed]
    orders = (
        *(listed, rests, ["a"], ["move 1"], [f"{text} x" for text in listed]),
        [text.upper() for text in rests],
    )
    plans = [
        "\n".join(" or ".join(random.choice(words) for _ in range(12)) for _ in range(50))
        for words in orders
    ]
    conditions = "\n".join(f"if {random.choice(rests)}: {random.choice(rests)}" for _ in range(50))
    every = [*plans, conditions, "a " * 1500, "if " + "x " * 1400 + ": a", "a\n" * 1500]
    return [text[:MAX_CHARACTERS].rpartition("\n")[0] or text[:MAX_CHARACTERS] for text in every]


MOST_CALLS = 60_000
"""Calls of functions that reading a plan takes at most: some ten milliseconds."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [2, 60])
def test_work_of_reading_a_plan_is_bounded(name: str, count: int) -> None:
    game, random = get(name), Random(count)
    state = game.start(game.rules[0], {})
    for _ in range(count):
        if game.pending(state):
            state, _ = game.apply(state, any_action(game, state, random))
    seat = next(iter(game.seats({})))
    for text in longest_texts(game, state, seat):

        def read(text: str = text) -> None:
            with suppress(PlanError):
                parse_plan(game, state, seat, text)

        assert calls_of(read) < MOST_CALLS, text[:80]
