"""Maximum sizes of plans, and the lines that their conditions read."""

from __future__ import annotations

from random import Random

import pytest

from engine.game import Action
from engine.games import get
from engine.plans import (
    MAX_ALTERNATIVES,
    MAX_CHARACTERS,
    MAX_ORDERS,
    SUGGESTED_ALTERNATIVES,
    Misfit,
    Plan,
    PlanError,
    Step,
    forced_action,
    load_plan,
    next_step,
    order_like,
    parse_plan,
)

WARP6 = get("warp6")
ROLL = WARP6.chance(WARP6.start("standard", {}), Random(1).randrange)
BEGIN = WARP6.apply(WARP6.start("standard", {}), ROLL)[0]
FIRST = WARP6.pending(BEGIN).lower()
SECOND = "by".replace(FIRST, "")
WAITS = f"if {FIRST}8a: place {SECOND}8a"


def read(text: str) -> Plan:
    return parse_plan(WARP6, BEGIN, SECOND.upper(), text)


def refusal(text: str) -> tuple[int, str]:
    """The line that is refused, and why."""
    with pytest.raises(PlanError) as raised:
        read(text)
    return raised.value.line, str(raised.value.error)


def test_limits_of_plans() -> None:
    assert (MAX_ORDERS, MAX_ALTERNATIVES, MAX_CHARACTERS) == (50, 12, 3000)
    assert SUGGESTED_ALTERNATIVES == 6


def test_plan_has_so_many_orders_and_no_more() -> None:
    lines = [WAITS] * MAX_ORDERS
    assert len(read("\n\n".join(lines)).orders) == MAX_ORDERS
    line, reason = refusal("\n".join([*lines, "", WAITS]))
    assert (line, f"at most {MAX_ORDERS} lines" in reason) == (MAX_ORDERS + 2, True)


def test_order_has_so_many_alternatives_and_no_more() -> None:
    moves = [f"place {SECOND}8a"] * MAX_ALTERNATIVES
    assert len(read(" or ".join(moves)).orders[0].actions) == 1, "each one counts once"
    line, reason = refusal(" or ".join([*moves, moves[0]]))
    assert (line, f"at most {MAX_ALTERNATIVES} alternatives" in reason) == (1, True)


@pytest.mark.parametrize("more", [0, 1])
def test_plan_has_so_many_characters_and_no_more(more: int) -> None:
    line = f"if {' '.join([f'{FIRST}8a'] * 16)}: place {SECOND}8a"
    lines = [line] * (MAX_CHARACTERS // (len(line) + 1) - 1)
    left = MAX_CHARACTERS + more - len("\n".join(lines)) - 1 - len(f"if : place {SECOND}8a")
    fives = next(count for count in range(9) if (left + 1 - 5 * count) % 4 == 0)
    fours = (left + 1 - 5 * fives) // 4
    words = [*["draw"] * fives, *[f"{FIRST}8a"] * fours]
    text = "\n".join([*lines, f"if {' '.join(words)}: place {SECOND}8a"])
    assert len(text) == MAX_CHARACTERS + more
    if more:
        assert f"at most {MAX_CHARACTERS} characters" in refusal(text)[1]
    else:
        assert str(read(text)) == text


def test_only_an_order_without_a_condition_takes_its_piece() -> None:
    order = f"place {SECOND}8a"
    assert len(read(f"{WAITS}\n{WAITS}\n{order}").orders) == 3
    assert refusal(f"{WAITS}\n{order}\n{WAITS}")[0] == 3


def test_form_to_fill_in_is_no_forced_choice() -> None:
    state = WARP6.start("standard", {"setup": "secret"})
    assert [action.is_form for action in WARP6.legal(state) if action.actor == "B"] == [True]
    assert forced_action(WARP6, state, "B") is None


def step(plan: str, *lines: str) -> Step | Misfit | None:
    """What the plan of the first seat does after these lines; it has to decide in any case."""
    actions = [ROLL, *map(Action.parse, lines)]
    return next_step(WARP6, BEGIN, FIRST.upper(), load_plan(FIRST.upper(), plan), actions)


@pytest.mark.parametrize(
    ("word", "holds"),
    [
        ("{second}8b", True),
        ("{second}8b PLACE", True),
        ("{second}8b {second}8a", False),
        ("{second}8a", False),
        ("{first}8b", False),
    ],
)
def test_condition_reads_what_others_did_since_the_last_turn(word: str, holds: bool) -> None:
    word = word.format(first=FIRST, second=SECOND)
    one, other = FIRST.upper(), SECOND.upper()
    lines = (f"{one} place {FIRST}8a", f"{other} place {SECOND}8a")
    more = (f"{one} place {FIRST}4a", f"{other} place {SECOND}8b", f"{one} place {FIRST}8b")
    done = step(f"if {word}: place {FIRST}6a", *lines, *more)
    assert isinstance(done, Step) is holds
    assert holds or done is Misfit.CONDITION


def test_suggested_order_lists_the_nearest_choices() -> None:
    game = get("wormholes")
    state = game.apply(game.start("0.6", {}), Action.parse("* rolloff S3 M0 C5 A2"))[0]
    state = game.apply(state, Action.parse("D first place"))[0]
    seat = game.pending(state)
    legal = [action for action in game.legal(state) if action.actor == seat]
    first = next(action for action in legal if action.verb == "place")
    like = [action for action in legal if action[1] == "place" and action.args[0] == first.args[0]]
    middle = like[len(like) // 2]
    order = order_like(game, state, middle, ())
    place = len(like) // 2
    assert order.actions == tuple(like[place + by] for by in (0, -1, 1, -2, 2, -3))
    later = order_like(game, state, middle, [order])
    assert later.actions == (middle,), "its space is taken"
    beside = order_like(game, state, like[place + 1], [order])
    assert beside.actions == tuple(like[place + by] for by in (1, -1, 2, -2, 3, -3))
