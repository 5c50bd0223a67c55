"""The Wormholes board as picture and words, made from views only."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import render
from bot.i18n import catalogue
from engine.game import Action, Event, IllegalActionError
from engine.wormholes.board import FREE_FOR_COINS, SPACES
from engine.wormholes.state import State
from engine.wormholes.view import WormholesView
from render.i18n import using
from render.renderer import MAX_ALT_CHARACTERS, ORIENTATIONS, Style
from render.wormholes.buttons import FIGURE_DASH, SPACE_NAME_WIDTH
from render.wormholes.layout import layout
from tests.support.tiers import examples
from tests.support.wormholes.games import random_match, wild_match
from tests.support.wormholes.positions import GAME, after, placed, position

BOARD = render.for_game("wormholes")
NAMES = {"O": "Ada", "D": "Bo"}
LETTER_REACH = 112
"""Pixels from the middle of the rose to where a letter of a direction would be."""


def test_the_picture_is_a_png_of_one_size() -> None:
    sizes = set()
    for state in (GAME.start("0.6", {}), placed(), random_match("0.6", 1)[0]):
        with Image.open(io.BytesIO(BOARD.picture(GAME.view(state, "O"), NAMES))) as image:
            assert image.format == "PNG"
            sizes.add(image.size)
    assert len(sizes) == 1


def test_the_same_view_gives_the_same_bytes() -> None:
    view = GAME.view(random_match("0.6", 4, limit=70)[0], "O")
    assert BOARD.picture(view, NAMES) == BOARD.picture(view, NAMES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (position({"S": "f8"}), position({"S": "f9"})),
        (position(coins={"f9": "S1"}), position(coins={"f9": "M1"})),
        (position(coins={"f9": "S1"}), position(coins={"f9": "S1*"})),
        (position(coins={"f9": "S1*"}), position(coins={"f9": "S0*"})),
        (position(dice="S1 M1"), position(dice="S1 M2")),
        (position(dice="S1 M1"), position(dice="S1 M1", spent=1)),
        (position(), position(owes=1)),
        (position(), position(number=2)),
    ],
)
def test_what_differs_in_the_open_differs_in_the_picture(one: State, other: State) -> None:
    first, second = (BOARD.picture(GAME.view(state), NAMES) for state in (one, other))
    assert first != second


def test_arrows_tell_the_last_turn() -> None:
    before = position({"S": "f8", "M": "e8"}, dice="S1 M1")
    moved = position({"S": "f9", "M": "e8"}, dice="S1 M1", spent=1)
    after_move = GAME.view(after(before, "O move S N"))
    assert BOARD.picture(after_move, NAMES) != BOARD.picture(GAME.view(moved), NAMES)


@examples(15, 30, 600)
@given(seed=st.integers(0, 10**6), length=st.integers(1, 120), seat=st.sampled_from(("", "O", "D")))
def test_w9_1_hidden_things_change_no_byte_and_no_word(seed: int, length: int, seat: str) -> None:
    state, _ = (wild_match if seed % 2 else random_match)("0.6", seed, limit=length)
    other = GAME.resample_view(state, seat, Random(seed).randrange)
    assert everything(GAME.view(state, seat)) == everything(GAME.view(other, seat))


def everything(view: WormholesView) -> tuple[object, ...]:
    """All that is made from a view."""
    return (
        BOARD.picture(view, NAMES),
        BOARD.alt_text(view, NAMES),
        BOARD.text_board(view, NAMES),
        BOARD.hand(view),
        [BOARD.label(view, action) for action in view.legal],
    )


@pytest.mark.first(test=2)
@pytest.mark.parametrize("seed", range(10))
def test_words_for_every_position_of_a_match(seed: int) -> None:
    _, actions = wild_match("0.6-long", seed, limit=120)
    state = GAME.start("0.6-long", {})
    for action in actions:
        state, _ = GAME.apply(state, action)
        view = GAME.view(state, GAME.pending(state).strip("*"))
        assert len(BOARD.alt_text(view, NAMES)) <= MAX_ALT_CHARACTERS
        labels = [BOARD.label(view, action) for action in view.legal]
        assert all(0 < len(label) <= 80 for label in labels)
        assert len(set(labels)) == len(labels), "each choice has a label of its own"
        board = BOARD.text_board(view, NAMES)
        assert all(f"on {ship.space}" in board for ship in view.ships)
        assert all(re.search(rf"\b{coin.space}\b", board) for coin in view.coins)


def test_the_alt_text_begins_with_what_changed() -> None:
    state = after(position({"S": "f8", "M": "e8"}, dice="S1 M1"), "O move S N")
    assert BOARD.alt_text(GAME.view(state), NAMES).startswith("Suns f8 → f9.")


def test_a_move_is_labelled_with_the_space_it_leads_to() -> None:
    view = GAME.view(position({"S": "f8"}, dice="S1 M-"), "O")
    assert "Suns → f9" in [BOARD.label(view, action) for action in view.legal]


def test_the_end_is_told() -> None:
    state, _ = random_match("0.6", 1)
    winner = NAMES[state.result[0]]
    assert BOARD.prompt(GAME.view(state), NAMES) == f"{winner} wins by landing on an opposing base."


def test_w3_4_hand_shows_own_coins_and_with_notes_those_seen() -> None:
    start = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", "O first place")
    assert "Suns: black hole, ace, 2, 3, 4, 5" in BOARD.hand(GAME.view(start, "O"))
    assert "Suns" not in BOARD.hand(GAME.view(start, "D"))
    noted = position(coins={"e9": "S4", "d9": "A1"}, dice="S1 M-", notes=1)
    assert "e9 Suns 4" in BOARD.hand(GAME.view(noted, "O"))
    assert "d9" not in BOARD.hand(GAME.view(noted, "O"))


@pytest.mark.parametrize("own_side", [False, True])
@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize(("seat", "suit"), [("O", "S"), ("D", "C")])
def test_buttons_lie_as_the_picture_does(
    seat: str, suit: str, orientation: str, own_side: bool
) -> None:
    style = Style(orientation=orientation, own_side=own_side)
    where = layout(style, seat)
    state = position(ships={suit: "e9"}, dice=f"{suit}1 {'M' if seat == 'O' else 'A'}-", seat=seat)
    view = GAME.view(state, seat)
    rows = BOARD.rows(view, [action for action in view.legal if action.args[0] == suit], style)
    middle = where.space("e9")
    for y, row in enumerate(rows, -1):
        for x, button in enumerate(row.buttons, -1):
            if button.action:
                end = where.space(button.label.split()[-1])
                assert (_sign(end[0] - middle[0]), _sign(end[1] - middle[1])) == (x, y)
    assert sum(button.action is not None for row in rows for button in row.buttons) == 8


def test_buttons_of_a_square_are_equally_wide_and_labelled() -> None:
    """A way that leads nowhere has dashes, the middle of the square says where the ship is."""
    view = GAME.view(position({"S": "f5"}, dice="S2 M-"), "O")
    rows = BOARD.rows(view, [action for action in view.legal if action.args[0] == "S"])
    labels = [button.label for row in rows for button in row.buttons]
    assert {len(label) for label in labels} == {6}
    assert any(label.startswith("●") and label.endswith("f5") for label in labels)
    assert any(label.endswith(FIGURE_DASH * SPACE_NAME_WIDTH) for label in labels)


def test_many_spaces_are_chosen_by_areas_that_split_no_number() -> None:
    view = GAME.view(placed(), "O")
    spaces = [Action("O", "place", ("S0", SPACES[space])) for space in FREE_FOR_COINS]
    groups = BOARD.groups(view, spaces)
    assert [group.label for group in groups] == "1–4 5–7 8–9 10–11 12–14 15–18".split()
    assert sorted(len(group.actions) for group in groups) == [12, 12, 14, 14, 18, 18]
    numbers = [{a.args[1][1:] for a in group.actions} for group in groups]
    assert sum(map(len, numbers)) == len(set().union(*numbers)) == 18
    assert [group.distance for group in groups] == sorted(group.distance for group in groups)
    assert all(BOARD.groups(view, group.actions) == () for group in groups)


@pytest.mark.parametrize(("ship", "first"), [("S", "1-4"), ("A", "15-18")])
def test_the_area_nearest_to_the_base_of_the_sent_ship_is_known(ship: str, first: str) -> None:
    view = GAME.view(placed(), "O")
    spaces = [Action("O", "send", (ship, SPACES[space])) for space in FREE_FOR_COINS]
    assert min(BOARD.groups(view, spaces), key=lambda group: group.distance).name == first


def test_a_coin_is_a_beginning_with_a_name() -> None:
    view = GAME.view(placed(), "O")
    coins = [Action("O", "place", (coin,)) for coin in ("S0", "S1", "S4", "S5", "M2")]
    suns, more, moons = BOARD.rows(view, coins)
    assert [row.heading for row in (suns, more, moons)] == ["Suns", "", "Moons"]
    assert [button.label for button in suns.buttons] == ["black hole", "1 (ace)", "4"]
    assert [BOARD.label(view, coin) for coin in coins][:2] == ["Suns black hole", "Suns ace"]


@pytest.mark.parametrize("verb", ["move", "jump", "send"])
def test_a_ship_is_named_by_its_suit(verb: str) -> None:
    view = GAME.view(placed())
    names = [BOARD.label(view, Action("O", verb, (suit,))) for suit in "SMCA"]
    assert names == "Suns Moons Crowns Arms".split()


def test_coins_stand_together_by_what_they_show() -> None:
    coins = {"e9": "S4", "d9": "S1*", "g6": "M0", "f6": "A1*", "h4": "S2"}
    board = BOARD.text_board(GAME.view(position(coins=coins, dice="S1 M-"), "D"), NAMES)
    assert "Coins with the suit up: Suns h4, e9; Moons g6." in board
    assert "Coins with the value up: ace f6, d9." in board
    noted = position(coins={"e9": "S4", "d9": "A1*"}, dice="S1 M-", notes=1)
    board = BOARD.text_board(GAME.view(noted, "O"), NAMES)
    assert "Coins with the suit up: Suns e9 (4)." in board


def test_a_roll_is_told_by_the_names_of_the_suits() -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M0 C0 A5")
    assert BOARD.story(GAME.view(state), NAMES) == (
        "Opening roll of the ships' dice: Ada 5 (Suns 5, Moons 0); Bo 5 (Crowns 0, Arms 5). "
        "A tie: rerolled."
    )


def test_a_roll_begins_a_line() -> None:
    story = (Event("placed", ("S", "e9")), Event("rolled", ("S4", "M1")))
    text = BOARD.story(replace(GAME.view(position(dice="S4 M1")), story=story), NAMES)
    assert text.splitlines()[1:] == ["Ada rolled: Suns 4, Moons 1."]


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


@pytest.mark.parametrize(("number", "sentence"), [("0", "the null."), ("3", "the 3.")])
def test_a_lapsed_die_is_named_as_elsewhere(number: str, sentence: str) -> None:
    story = (Event("lapsed", ("M", number)),)
    text = BOARD.story(replace(GAME.view(position(dice="S4 M1")), story=story), NAMES)
    assert text == f"Moons had no move with {sentence}"


def test_die_without_legal_move_is_announced() -> None:
    state = position({"S": "a17", "M": "f8"}, dice="S4 M1", seat="O")
    view = GAME.view(state)
    assert [die.stuck for die in view.dice] == [True, False]
    assert BOARD.prompt(view, NAMES) == "Ada: use your dice (Suns 4: no legal move now)"
    assert "Suns 4 (no legal move)" in BOARD.text_board(view, NAMES)


@pytest.mark.parametrize("seed", range(5))
def test_stuck_dice_are_those_without_actions(seed: int) -> None:
    _, actions = wild_match("0.6", seed, limit=200)
    state = GAME.start("0.6", {})
    for action in actions:
        state, _ = GAME.apply(state, action)
        view = GAME.view(state, GAME.pending(state).strip("*"))
        if view.phase == "act":
            able = {action.args[0] for action in view.legal}
            open_dice = [die for die in view.dice if not die.spent and die.value != "-"]
            assert {die.suit for die in open_dice if not die.stuck} == able
        else:
            assert not any(die.stuck for die in view.dice)


def test_result_is_told_once_in_the_alt_text() -> None:
    view = GAME.view(random_match("0.6", 1)[0])
    assert BOARD.alt_text(view, NAMES).count("opposing base.") == 1


def test_suits_are_plural_in_prompts_and_refusals() -> None:
    state = position({"S": "a17", "M": "f8"}, dice="S4 M-")
    with pytest.raises(IllegalActionError, match="Moons get no die"):
        GAME.apply(state, Action.parse("O move M N"))
    with pytest.raises(
        IllegalActionError, match="“move S N” would leave the board: the die shows 4"
    ):
        GAME.apply(state, Action.parse("O move S N"))
    for phase, english, german in (
        ("declare", "do Suns take a die?", "Nehmen Sonnen einen Würfel?"),
        ("jump", "which way do Suns jump?", "Wohin springen Sonnen?"),
        (
            "send",
            "Suns landed on Arms: send them away or leave them?",
            "Sonnen sind auf Wappen gelandet: fortschicken oder dalassen?",
        ),
    ):
        view = replace(GAME.view(state), phase=phase, focus="S", target="A")
        assert english in BOARD.prompt(view, NAMES)
        with using(catalogue("de")):
            assert german in BOARD.prompt(view, NAMES)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_the_rose_of_axes_has_no_letter(orientation: str) -> None:
    """Sentences and buttons have arrows; N, E, S and W are in records and rules."""
    style = Style(orientation=orientation)
    where = layout(style, "")
    middle = where.at(16, 8) if where.landscape else where.at(2, 16)
    view = GAME.view(position({"S": "f8"}))
    with Image.open(io.BytesIO(BOARD.picture(view, NAMES, style))) as png:
        for way in "NESW":
            dx, dy = where.way(way)
            x, y = round(middle[0] + LETTER_REACH * dx), round(middle[1] + LETTER_REACH * dy)
            box = png.convert("L").crop((x - 20, y - 20, x + 20, y + 20))
            assert max(box.tobytes()) <= 128, way


def test_declined_draw_is_told() -> None:
    state = after(position({"S": "f8"}, dice="S1 M1"), "O draw offer", "D draw decline")
    assert "Bo declined the draw." in BOARD.story(GAME.view(state), NAMES)


def test_a_black_hole_is_told_in_one_sentence() -> None:
    for up in ("value", "suit"):
        turned = Event("turned", ("A", "0", "e14", "C", up))
        story = (Event("moved", ("C", "h9", "e14")), turned, Event("hole", ("C",)))
        text = BOARD.story(replace(GAME.view(position(dice="S4 M1")), story=story), NAMES)
        hole = "Crowns landed on e14: a black hole! They miss their next turn."
        assert text == f"Crowns h9 → e14. {hole}"


def test_other_coins_are_told_with_suit_and_value() -> None:
    story = (Event("turned", ("A", "1", "e14", "C", "suit")),)
    text = BOARD.story(replace(GAME.view(position(dice="S4 M1")), story=story), NAMES)
    assert text == "Crowns turned the coin on e14: Arms ace, now suit up."


def test_coins_have_to_be_remembered_unless_they_are_shown() -> None:
    placing = replace(GAME.view(position(notes=0)), phase="place", hand=("S4",))
    assert "until the next one" in BOARD.memory_limit(placing)
    assert not BOARD.memory_limit(replace(placing, hand=()))
    assert not BOARD.memory_limit(replace(placing, options=(("notes", "on"),)))
    assert "from memory" in BOARD.memory_note(GAME.view(position(notes=0)))
    assert BOARD.memory_note(GAME.view(position(notes=1))) == ""
    placed, first = Action("O", "place", ("S4", "e9")), Action("O", "first", ("place",))
    assert BOARD.memory_line(GAME.view(position(notes=0)), placed) == "Suns 4 on e9"
    assert BOARD.memory_line(GAME.view(position(notes=0)), first) == ""
    assert BOARD.memory_line(GAME.view(position(notes=1)), placed) == ""


def test_a_placed_coin_is_told_with_its_player() -> None:
    view = GAME.view(position())
    for suit, player in zip("SMCA", ("Ada", "Ada", "Bo", "Bo"), strict=True):
        text = BOARD.story(replace(view, story=(Event("placed", (suit, "e6")),)), NAMES)
        assert text.startswith(f"{player} placed a coin of the ")
        assert text.endswith(" on e6.")


def test_a_set_up_is_told_in_one_sentence() -> None:
    view = replace(GAME.view(position()), turn=0)
    stories = (
        (Event("rolloff", ("S5", "M0", "C0", "A4", "O")),),
        *((Event("placed", (suit, "e6")),) for suit in "SCMA"),
        (Event("placed", ("S", "e6")), Event("rolled", ("S3", "M0"))),
    )
    views = [replace(view, story=story) for story in stories]
    assert BOARD.setup_story(views, NAMES) == (
        "Opening roll of the ships' dice: Ada 5 (Suns 5, Moons 0); Bo 4 (Crowns 0, Arms 4). "
        "Ada wins the opening roll and chooses. Coins placed: Ada 3, Bo 2. "
        "Ada rolled: Suns 3, Moons 0 (a null)."
    )
    assert BOARD.setup_story(views[1:2], NAMES) == "Coins placed: Ada 1."
    assert BOARD.setup_story(views[:1], NAMES).endswith(" wins the opening roll and chooses.")


def test_w3_2_winner_of_the_opening_roll_may_have_to_move_first() -> None:
    view = replace(GAME.view(position()), story=(Event("opening", ("S1", "M0", "C0", "A4", "D")),))
    assert BOARD.story(view, NAMES).endswith(
        "Bo 4 (Crowns 0, Arms 4). Bo wins the opening roll and moves first."
    )


@pytest.mark.parametrize(
    ("coin", "space", "reason"),
    [
        ("S5", "a17", "Suns could not jump 5: both ways lead off the board."),
        ("A3", "f13", "Suns could not jump 3: the void lies before c10."),
        ("C2", "e3", "Suns could not jump 2: the void lies before g1 and c5."),
        ("S3", "g1", "Suns could not jump 3: only g4 is in reach, with Moons on it."),
    ],
)
def test_w5_3_a_ship_that_cannot_jump_has_a_reason(coin: str, space: str, reason: str) -> None:
    turned = Event("turned", (*coin, space, "S", "value"))
    view = replace(GAME.view(position()), story=(turned, Event("stuck", ("S",))))
    assert BOARD.story(view, NAMES).endswith(f" {reason}")


def test_end_of_a_set_up_is_told_before_the_first_roll() -> None:
    last = replace(
        GAME.view(position()),
        turn=1,
        story=(Event("placed", ("S", "e6")), Event("rolled", ("S3", "M0"))),
    )
    sentences = "All coins are on the board. Ada rolled: Suns 3, Moons 0 (a null)."
    assert BOARD.setup_story([last], NAMES) == sentences


def jump(start: str, end: str, ship: str = "S") -> Event:
    """An event of a jump."""
    return Event("jumped", (ship, start, end))


MOVED = Event("moved", ("S", "g4", "g6"))
THROWN = jump("g6", "c6")


@pytest.mark.parametrize(
    ("before", "after_it", "words"),
    [
        ((), (MOVED,), "Suns → g6"),
        ((), (MOVED, THROWN), "Suns → g6 → c6"),
        ((), (MOVED, THROWN, jump("c6", "c9")), "Suns → g6 → c6 → c9"),
        ((), (MOVED, jump("g6", "c6", "M")), "Suns → g6"),
        ((), (MOVED, jump("c6", "c9")), "Suns → g6"),
        ((), (MOVED, Event("sent", ("C", "S", "g6"))), "Suns → g6"),
        ((THROWN,), (THROWN, MOVED), "Suns → g6"),  # a jump before
        ((THROWN,), (MOVED, THROWN), "Suns → g6 → c6"),  # of the turn before
    ],
)
def test_choice_done_says_where_the_ship_ended(
    before: tuple[Event, ...], after_it: tuple[Event, ...], words: str
) -> None:
    view = GAME.view(position({"S": "g4", "M": "e8"}, dice="S2 M1", story=before), "O")
    move = Action("O", "move", ("S", "N"))
    assert BOARD.done(view, move, replace(view, story=after_it)) == words
    assert BOARD.done(view, move) == "Suns → g6"


@pytest.mark.parametrize(
    ("line", "start", "words"),
    [
        ("null S", "g4", "Suns: use the null → c4"),
        ("send C c14", "c14", "Crowns → c14 → c4"),
    ],
)
def test_nulls_and_ships_sent_are_followed_too(line: str, start: str, words: str) -> None:
    view = GAME.view(position({"S": "g4", "C": "e8"}, dice="S0 M1"), "O")
    action = Action.parse(f"O {line}")
    later = replace(view, story=(jump(start, "c4", action.args[0]),))
    assert BOARD.done(view, action, later) == words


def test_a_coin_that_is_placed_is_done_as_its_label_says() -> None:
    view = GAME.view(placed(), "O")
    action = Action("O", "place", ("S3", "f8"))
    assert BOARD.done(view, action, view) == BOARD.label(view, action)
