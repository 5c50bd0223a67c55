"""Choosing in Warp 6: a move is one click, so are two changes, all others two."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import render
from bot.views.choices import narrow_view, panel
from engine.game import CHANCE, Action
from engine.warp6.pieces import KITS
from engine.warp6.state import State
from render.renderer import BUTTONS_PER_ROW, Row
from render.warp6.words import CHANGES, WARPS
from tests.support.warp6.games import SETUPS, random_match
from tests.support.warp6.positions import GAME, HIGH, LOW, position, rolled

BOARD = render.for_game("warp6")

NINE = "b8a6@50 b8b6@98 b6a3@49 b6b3@90 b6c3@80 b4a2@48 b4b2@70 b4c2@60 b4d2@30"
"""Nine dice; each can go up and down."""

HEADING = "Change a number – in brackets, where the die can go next turn:"
BEST = "The changes that gain most – in brackets, where the die can go next turn:"

COMPONENTS = 25
"""Rows and buttons that leave room for everything else in one of Discord's messages (40)."""


MAX_COLOURED, MAX_GREY = 10, 3
"""Buttons of a turn that are not grey, and those that are."""


def clicks(state: State) -> dict[Action, int]:
    """Return the number of clicks for each action; the bot asks for missing parts."""
    seat = GAME.pending(state)
    view = GAME.view(state, seat)
    counts: dict[Action, int] = {}
    for row in BOARD.rows(view, view.legal):
        for button in row.buttons:
            assert button.action
            if button.action in view.legal:
                counts[button.action] = 1
            else:
                narrowed = narrow_view(view, button.action.notation).legal
                for more in BOARD.rows(view, narrowed):
                    for b in more.buttons:
                        assert b.action
                        counts.setdefault(b.action, 2)
    return counts


WARPING = " y8a1@43 y8b1@93"
"""Two more dice: with a change, a die could warp from either of their spaces."""


def test_moves_and_gainful_changes_are_one_click() -> None:
    for others, in_sight in (("", 0), (WARPING, 2)):
        state = position(NINE + others)
        counts = clicks(state)
        assert set(counts) == set(GAME.legal(state))
        assert {counts[action] for action in counts if action.verb == "move"} == {1}
        of_changes = sorted(counts[action] for action in counts if action.verb in CHANGES)
        assert of_changes == [1] * in_sight + [2] * (18 - in_sight)


def test_other_changes_are_behind_one_grey_button() -> None:
    view = GAME.view(position(NINE + WARPING), "B")
    *moves, last = BOARD.rows(view, view.legal)
    assert [row.is_minor for row in moves] == [False] * 3
    assert sum(len(row.buttons) for row in moves) == 9
    assert last.is_minor
    assert last.heading == f"-# ⇊ = warps inward\n{BEST}"
    *_, more = last.buttons
    assert len(last.buttons) == 3
    assert (more.action, more.label) == (Action("B", "up|down"), "Change a number …")
    changes = [action for action in view.legal if action.verb in CHANGES]
    assert len(changes) == 18
    narrowed = BOARD.rows(view, changes)
    assert [b.action for row in narrowed for b in row.buttons] == changes
    assert all(row.is_minor for row in narrowed)
    legend = f"-# ⇊ = warps inward\n{HEADING}"
    assert [row.heading for row in narrowed] == [legend] + [""] * (len(narrowed) - 1)


@pytest.mark.parametrize(
    ("others", "in_sight"),
    [
        ("", []),
        (WARPING, ["◆B −1 (⇊62)", "◆A +1 (⇊23)"]),
        (" y8a1@43", ["◆A +1 (⇊23)"]),
        (" y8a1@44", []),  # the die on 50 warps already
    ],
)
def test_changes_in_sight_gain_and_say_where_they_lead(others: str, in_sight: list[str]) -> None:
    view = GAME.view(position(NINE + others), "B")
    *changes, more = BOARD.rows(view, view.legal)[-1].buttons
    assert [button.label for button in changes] == in_sight
    assert more.label == "Change a number …"
    assert bool(BOARD.rows(view, view.legal)[-1].heading) == bool(in_sight)


@pytest.mark.parametrize(
    ("die", "in_sight"),
    [
        ("b4a1@6", ["▲A +1 (→4)"]),  # four moves with the change instead of six
        ("b4a2@5", []),  # three moves either way
        ("b8a6@5", []),  # leaves the board at once
        ("b4a1@120", []),  # far from the end
    ],
)
def test_a_change_in_sight_saves_a_move_near_the_end(die: str, in_sight: list[str]) -> None:
    words = [w for w in NINE.split() if not w.startswith(die[:3])]
    view = GAME.view(position(" ".join([*words, die])), "B")
    *changes, _ = BOARD.rows(view, view.legal)[-1].buttons
    assert [button.label for button in changes] == in_sight


def test_change_after_which_a_die_can_leave_is_in_sight() -> None:
    words = [word for word in NINE.split() if not word.startswith("b4a")]
    view = GAME.view(position(" ".join([*words, WARPING, "b4a3@5 y8b1@3"])), "B")
    first, second, _ = BOARD.rows(view, view.legal)[-1].buttons
    assert [first.label, second.label] == ["▲A −1 (⇊off)", "◆A +1 (⇊23)"]


@pytest.mark.parametrize(
    ("dice", "changes"), [("b8a8", 1), ("b8a8 b4a4", 2), ("b8a8 b4a3", 3), ("b8a7 b4a3", 4)]
)
def test_a_few_changes_need_no_further_step(dice: str, changes: int) -> None:
    gone = "8a1 8b1 6a1 6b1 6c1 4a1 4b1 4c1 4d1".split()
    words = [f"{die}@{50 + 3 * place}" for place, die in enumerate(dice.split())]
    words += [f"b{die}@0" for die in gone if f"b{die[:2]}" not in dice]
    view = GAME.view(position(" ".join(words)), "B")
    assert sum(action.verb in CHANGES for action in view.legal) == changes
    last = BOARD.rows(view, view.legal)[-1]
    buttons = [b for row in BOARD.rows(view, view.legal) if row.is_minor for b in row.buttons]
    assert len(buttons) == (changes if changes <= 3 else 1)
    assert all(b.action in view.legal for b in buttons) == (changes <= 3)
    assert last.is_minor


def test_warps_are_first_and_marked() -> None:
    view = GAME.view(position("b8a5@50 b8b3@90 b6a3@49 b4a4@48 y8a1@45 y8b1@29"), "B")
    first, *others = BOARD.rows(view, view.legal)
    labels = [b.label for row in (first, *others) if not row.is_minor for b in row.buttons]
    assert [WARPS in label for label in labels] == sorted(
        (WARPS in label for label in labels), reverse=True
    )
    assert labels[0] == "◆A⇊25"
    assert first.heading == "⇊ = warps inward"
    assert not any(row.heading for row in others if not row.is_minor)
    assert not any(WARPS in row.heading for row in others), "once a card"


def test_placing_a_die_is_one_click() -> None:
    state = rolled(HIGH, LOW)
    assert clicks(state) == dict.fromkeys(GAME.legal(state), 1)


def test_a_verb_that_no_die_allows_has_no_button() -> None:
    state = position("b8a8@50 " + " ".join(f"b{d}@0" for d in "8b1 6a1 6b1 6c1 4a1".split()))
    view = GAME.view(state, "B")
    raised = BOARD.rows(view, [action for action in view.legal if action.verb == "up"])
    assert [b.label for row in raised for b in row.buttons] == [
        "▲B +1 (⇊83)",
        "▲C +1 (⇊82)",
        "▲D +1 (⇊81)",
    ]
    assert raised[0].heading == f"-# ⇊ = warps inward\n{HEADING}"
    forced = GAME.view(position(changes=60), "B")
    buttons = [b for row in BOARD.rows(forced, forced.legal) for b in row.buttons]
    assert [b.action for b in buttons] == list(forced.legal)


@pytest.mark.parametrize(("seats", "setup"), SETUPS)
def test_at_most_ten_buttons_of_a_turn_are_coloured(seats: str, setup: str) -> None:
    state, most = GAME.start("standard", {"seats": seats, "setup": setup}), 0
    for number, action in enumerate(random_match(seats, setup, 5)[1]):
        state, _ = GAME.apply(state, action)
        pending = GAME.pending(state)
        if pending != CHANCE and state.phase == "play" and number % 5 == 0:
            view = GAME.view(state, pending)
            choices = panel(view)
            assert not choices.menus
            most = max(most, sum(len(row.choices) for row in choices.rows if not row.is_minor))
            assert sum(len(row.choices) for row in choices.rows if row.is_minor) <= MAX_GREY
    assert most == KITS[int(seats)].dice_per_seat < MAX_COLOURED


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "setup"), SETUPS)
def test_buttons_fit_into_a_message_in_every_position(seats: str, setup: str) -> None:
    state = GAME.start("standard", {"seats": seats, "setup": setup})
    for action in random_match(seats, setup, 8)[1]:
        state, _ = GAME.apply(state, action)
        pending = GAME.pending(state)
        if len(pending) == 1 and pending != CHANCE and state.phase != "set":
            assert set(clicks(state)) == set(GAME.legal(state))
            view = GAME.view(state, pending)
            rows = BOARD.rows(view, view.legal)
            assert all(0 < len(row.buttons) <= BUTTONS_PER_ROW for row in rows)
            assert len(rows) + sum(len(row.buttons) for row in rows) <= COMPONENTS
            assert coloured(rows) <= MAX_COLOURED
            changes = [action for action in view.legal if action.verb in CHANGES]
            assert coloured(BOARD.rows(view, changes)) == 0


def coloured(rows: Sequence[Row]) -> int:
    """The number of buttons that are not grey."""
    return sum(len(row.buttons) for row in rows if not row.is_minor)


def test_three_buttons_fit_into_a_row_on_a_phone() -> None:
    view = GAME.view(position("b8a5@50 b6a3@49 b4a4@48 y8a1@45 y8b1@29"), "B")
    rows = BOARD.rows(view, view.legal)
    labels = [b.label for row in rows if not row.is_minor for b in row.buttons]
    assert all(len(label) <= 8 for label in labels)
    assert {"◆A⇊25", "◆B→124"} <= set(labels)
    for verb, label in (("up", "◆A +1 (→44)"), ("down", "◆A −1 (→46)")):
        changes = BOARD.rows(view, [action for action in view.legal if action.verb == verb])
        assert changes[0].buttons[0].label == label
    placed = GAME.view(rolled(HIGH, LOW), "B")
    assert BOARD.rows(placed, placed.legal)[0].buttons[0].label == "◆A 8"


def test_own_dice_can_be_typed_as_they_are_called() -> None:
    assert BOARD.notation("Y", "move 6c") == "move y6c"
    assert BOARD.notation("Y", "6C") == "y6C"
    assert BOARD.notation("B", "set 8a5 8b6") == "set b8a5 b8b6"
    assert BOARD.notation("B", "move b6c") == "move b6c"
