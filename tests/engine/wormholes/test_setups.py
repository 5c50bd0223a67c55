"""W3.6–W3.8: other set-ups, and what each seat knows in them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE, PUBLIC, Action, IllegalActionError
from engine.plans import forced_action
from engine.record import Record
from engine.wormholes.board import FREE_FOR_COINS, SPACES
from engine.wormholes.pieces import COIN_AT, COINS, EMPTY
from engine.wormholes.state import State
from tests.support.chi_square import chi_square
from tests.support.tiers import examples
from tests.support.wormholes.games import PLACINGS, random_match
from tests.support.wormholes.positions import GAME, after, refusal

SAMPLES_PER_WORLD = 40

SECRET_FIRST = "* rolloff S3 M0 C5 A2"
"""D has the higher sum."""


def start(placing: str, notes: str = "off") -> State:
    """Return a match after its set-up roll."""
    return after(GAME.start("0.6", {"placing": placing, "notes": notes}), SECRET_FIRST)


def lay(state: State, seat: str, spaces: list[str]) -> State:
    """Let a seat place its coins in hand in secret, one on each of these spaces."""
    for space, coin in zip(spaces, GAME.view(state, seat).hand, strict=True):
        state = after(state, f"{seat} place {coin} {space}")
    return state


def both_laid(shared: int) -> State:
    """Return a position in which both have placed all coins, on so many spaces both."""
    free = [SPACES[space] for space in FREE_FOR_COINS]
    return lay(lay(start("secret"), "O", free[:12]), "D", free[12 - shared : 24 - shared])


def test_w3_6_three_coins_are_placed_in_turn() -> None:
    state, actors = after(start("three"), "D first place"), ""
    while GAME.pending(state) != CHANCE:
        actors += GAME.pending(state)
        state, _ = GAME.apply(state, GAME.legal(state)[0])
    assert actors == "DDDOOO" * 4
    assert GAME.view(state).turn_seat == "O"


def test_w3_7_both_place_at_once_and_higher_sum_moves_first() -> None:
    state = start("secret")
    assert GAME.pending(state) == "OD"
    assert {action.actor for action in GAME.legal(state)} == {"O", "D"}
    assert {action.actor for action in GAME.view(state, "O").legal} == {"O"}
    free = [SPACES[space] for space in FREE_FOR_COINS]
    state = lay(state, "O", free[:12])
    assert GAME.pending(state) == "D"
    assert refusal(state, "O place S0 e9") == "W4.1"
    state = after(lay(state, "D", free[12:24]), "* lot O")
    assert GAME.view(state).turn_seat == "D"
    assert GAME.view(state).turn == 1
    assert len(GAME.view(state).coins) == 24


def test_w3_7_own_spaces_are_taken_and_those_of_others_seem_free() -> None:
    state = after(start("secret"), "O place S4 e9")
    assert refusal(state, "O place S3 e9") == "W3.3"
    state = after(state, "D place C4 e9")
    assert [coin.space for coin in GAME.view(state, "O").coins] == ["e9"]
    assert GAME.view(state, "O").coins[0].value == "4"
    assert GAME.view(state, PUBLIC).coins == ()
    assert GAME.view(state, PUBLIC).left == (6, 6, 6, 6)
    assert GAME.view(state, PUBLIC).laid == (1, 1)


@pytest.mark.parametrize("first", ["O", "D"])
def test_w3_7_spaces_of_both_are_kept_in_turn(first: str) -> None:
    state = both_laid(shared=3)
    shared = [SPACES[space] for space in FREE_FOR_COINS][9:12]
    state = after(state, f"* lot {first}")
    suits = {coin.space: coin.suit for coin in GAME.view(state).coins}
    kept = ["O" if suits[space] in "SM" else "D" for space in shared]
    second = "D" if first == "O" else "O"
    assert kept == [first, second, first]
    back = {seat: len(GAME.view(state, seat).hand) for seat in "OD"}
    assert back == {first: 1, second: 2}
    assert refusal(state, f"O place {GAME.view(state, 'O').hand[0]} {shared[0]}") == "W3.3"
    state = lay(state, "O", ["e9"] * 1 if first == "O" else ["e9", "e10"])
    state = lay(state, "D", ["e9"] * 1 if first == "D" else ["e9", "f10"])
    state = after(state, "* lot D")
    assert len(GAME.view(state, "O").hand) == 1
    assert GAME.pending(state) == "O"
    state = after(lay(state, "O", ["f9"]), "* lot O")
    assert GAME.view(state).turn == 1


def test_w3_7_draw_is_between_the_two_seats() -> None:
    for line in ("* lot", "* lot X", "* lot O D", "* lot ?"):
        with pytest.raises(IllegalActionError):
            after(both_laid(1), line)


def test_w3_7_coins_in_secret_are_shown_at_the_end() -> None:
    state = after(start("secret"), "O place S4 e9", "D place C4 e9", "O resign")
    assert len(GAME.view(state).hand) == 24
    assert GAME.view(state).coins == ()
    assert state.laid == ()


def test_w3_7_record_hides_others_coins_until_they_are_revealed() -> None:
    lines = (SECRET_FIRST, "O place S4 e9", "D place C4 e9")
    actions = tuple(map(Action.parse, lines))
    state = after(GAME.start("0.6", {"placing": "secret"}), *lines)
    assert [str(action) for action in GAME.redact(state, "O", actions)[1:]] == [
        "O place S4 e9",
        "D place ? ?",
    ]
    assert [str(action) for action in GAME.redact(state, "", actions)[1:]] == [
        "O place ? ?",
        "D place ? ?",
    ]
    state = after(both_laid(1), "* lot O")
    assert {len(coin.value) for coin in GAME.view(state, "D").coins} == {1}
    assert {coin.value for coin in GAME.view(state, "D").coins} == {"?"}


def test_w3_8_all_coins_are_dealt_and_looked_at() -> None:
    state = start("random")
    deal = GAME.chance(state, Random(1).randrange)
    state, _ = GAME.apply(state, deal)
    assert GAME.pending(state) == "OD"
    visible = [coin for coin in GAME.view(state, "O").coins if coin.value != "?"]
    assert sorted(coin.suit + coin.value for coin in visible) == sorted(COINS[:12])
    assert forced_action(GAME, state, "O") is None
    assert {coin.value for coin in GAME.view(state).coins} == {"?"}
    state = after(state, "D ready", "O ready")
    assert GAME.view(state).turn_seat == "D"
    assert {coin.value for coin in GAME.view(state, "O").coins} == {"?"}


def test_w3_8_with_notes_play_begins_at_once() -> None:
    state = start("random", "on")
    state, _ = GAME.apply(state, GAME.chance(state, Random(1).randrange))
    assert GAME.pending(state) == CHANCE
    assert GAME.legal(state)[0].verb == "roll"


def test_w3_8_deal_of_other_coins_or_spaces_is_refused() -> None:
    state = start("random")
    deal = str(GAME.chance(state, Random(1).randrange))
    first, second = deal.split()[2:4]
    taken = first[:2] + second[2:]
    for wrong in (first[:2] + "j1", first[:2] + "a1", "S1" + first[2:], second, taken):
        assert refusal(state, deal.replace(first, wrong, 1)) == "W3.8"


def test_w3_8_redacted_deal_hides_values_and_their_order() -> None:
    state = start("random")
    deal = GAME.chance(state, Random(1).randrange)
    state = after(GAME.apply(state, deal)[0], "D ready", "O ready")
    actions = (Action.parse(SECRET_FIRST), deal)
    lines = {str(GAME.redact(state, seat, actions)[1]) for seat in ("", "O", "D")}
    assert len(lines) == 1
    twin = GAME.resample_view(state, "", Random(2).randrange)
    dealt = {COINS[COIN_AT[at]]: SPACES[n] for n, at in enumerate(twin.board) if at != EMPTY}
    other = deal._replace(args=tuple(name + dealt[name] for name in COINS))
    assert other != deal
    assert str(GAME.redact(twin, "", (actions[0], other))[1]) in lines
    recalled = GAME.redact_for_infostate(state, "O", actions)[1].args
    assert {arg for arg in recalled if "?" not in arg} == set(deal.args[:12])


@pytest.mark.slow
def test_w9_1_coins_in_secret_are_equally_likely_everywhere() -> None:
    state = after(start("secret"), "D place C4 e9", "O place S4 e9")
    counts: Counter[object] = Counter()
    random = Random(5)
    every = len(COINS) // 2 * len(FREE_FOR_COINS)
    for _ in range(SAMPLES_PER_WORLD * every):
        counts[GAME.resample_view(state, "O", random.randrange).laid[1]] += 1
    assert len(counts) == every
    assert chi_square(counts, every) < 4


@examples(40, 80, 5000)
@given(
    placing=st.sampled_from(PLACINGS),
    notes=st.sampled_from(("off", "on")),
    seed=st.integers(0, 10**6),
    limit=st.integers(0, 40),
    seat=st.sampled_from(("", "O", "D")),
)
def test_record_of_a_seat_is_completed_to_what_it_knows(
    placing: str, notes: str, seed: int, limit: int, seat: str
) -> None:
    state, actions = random_match("0.6", seed, notes, limit, placing)
    options = {"placing": placing, "notes": notes}
    headers = {"Game": "wormholes", "Options": f"placing={placing} notes={notes}"}
    for narrow in (GAME.redact, GAME.redact_for_infostate):
        narrowed = narrow(state, seat, actions)
        whole = GAME.fill_redacted(options, narrowed)
        world = Record(headers, whole).replay().state
        assert narrow(world, seat, whole) == narrowed
    assert GAME.view(world, seat) == GAME.view(state, seat)
    dealt = GAME.resample_infostate(state, seat, Random(seed).randrange)
    assert GAME.view(dealt, seat) == GAME.view(state, seat)
    assert GAME.resample_infostate(world, seat, Random(seed).randrange) == dealt
