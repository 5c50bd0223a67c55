"""Situations come from redacted records; what they make up fits."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer.situation import situation_of
from engine.game import CHANCE
from engine.games import get
from engine.record import Record, RecordError
from engine.wormholes.pieces import SUIT_UP
from tests.support.chi_square import chi_square
from tests.support.warp6 import games as warp6
from tests.support.wormholes import games as wormholes

SEEDS = st.integers(0, 10**6)


def redacted(game: str, options: dict[str, str], seed: int) -> tuple[Record, str]:
    """Return the record of the seat that decides in a random match."""
    random = Random(seed)
    limit = random.randrange(1, 80)
    state: Any
    if game == "warp6":
        state, actions = warp6.random_match(options["seats"], options["setup"], seed, limit)
    else:
        placing = options.get("placing", "one")
        state, actions = wormholes.random_match("0.6", seed, options["notes"], limit, placing)
    words = " ".join(f"{name}={value}" for name, value in options.items())
    record = Record({"Game": game, "Options": words}, actions)
    pending = get(game).pending(state)
    return record, random.choice(pending) if pending not in ("", CHANCE) else ""


@pytest.mark.slow
@given(
    seed=SEEDS,
    notes=st.sampled_from(("off", "on")),
    placing=st.sampled_from(wormholes.PLACINGS),
)
def test_legal_actions_are_the_true_ones(seed: int, notes: str, placing: str) -> None:
    record, seat = redacted("wormholes", {"notes": notes, "placing": placing}, seed)
    state = record.replay().state
    if not seat:
        return
    situation = situation_of(record.redact_for_infostate(seat), seat)
    legal = get("wormholes").legal(state)
    assert situation.legal == tuple(action for action in legal if action.actor == seat)
    assert situation.sampled_state.ships == state.ships


@pytest.mark.slow
@given(seed=SEEDS, seats=st.sampled_from("23"))
def test_worlds_fit_a_record_with_secret_set_up(seed: int, seats: str) -> None:
    record, seat = redacted("warp6", {"seats": seats, "setup": "secret"}, seed)
    if seat:
        mine = record.redact_for_infostate(seat)
        situation = situation_of(mine, seat)
        game, world = situation.game, situation.determinize(Random(seed).randrange)
        state = record.replay().state
        assert game.view(world, seat) == game.view(state, seat)


@pytest.mark.slow
@given(seed=SEEDS)
def test_redealing_leaves_alone_the_own_and_the_activated_coins(seed: int) -> None:
    state, _ = wormholes.random_match("0.6", seed, "on", 20 + seed % 150)
    game = get("wormholes")
    other = game.resample_infostate(state, "O", Random(seed).randrange)
    assert game.view(other, "O") == game.view(state, "O")
    assert other.seen == state.seen
    assert game.resample_infostate(other, "O", Random(seed).randrange) == other


def test_redealing_makes_each_order_of_unknown_coins() -> None:
    state, _ = wormholes.random_match("0.6", 3, "on", 30)
    random, game = Random(1), get("wormholes")
    worlds = {game.resample_infostate(state, "O", random.randrange).board for _ in range(300)}
    crowns = SUIT_UP[12:18]
    first = next(space for space, at in enumerate(state.board) if at in crowns)
    assert {board[first] for board in worlds} == set(crowns)


def test_worlds_of_a_record_are_equally_likely() -> None:
    """The opponent's coins are dealt in all ways, whatever lies there in truth."""
    record = Record({"Game": "wormholes"}, wormholes.random_match("0.6", 3, limit=10)[1])
    seat = get("wormholes").pending(record.replay().state)
    situation = situation_of(record.redact_for_infostate(seat), seat)
    first = {"O": 12, "D": 0}[seat]
    coins = SUIT_UP[first : first + 6]
    spaces = [space for space, at in enumerate(situation.sampled_state.board) if at in coins]
    assert 1 < len(spaces) < 4
    every, random = set(permutations(coins, len(spaces))), Random(5)
    counts: Counter[object] = Counter()
    for _ in range(40 * len(every)):
        board = situation.determinize(random.randrange).board
        counts[tuple(board[space] for space in spaces)] += 1
    assert set(counts) == every
    assert chi_square(counts, len(every)) < 4


def test_a_record_that_hides_the_own_actions_is_refused() -> None:
    """The coins in hand do not follow from it: another player may have placed the others."""
    actions = wormholes.random_match("0.6", 1, "off", 20)[1]
    record = Record({"Game": "wormholes"}, actions)
    for seat in "OD":
        with pytest.raises(RecordError, match=f"hides actions of seat {seat}"):
            situation_of(record.redact(seat), seat)


def test_a_seat_that_need_not_decide_is_refused() -> None:
    record = Record.parse("Game: wormholes\n\n* rolloff S5 M5 C0 A0\n")
    with pytest.raises(RecordError, match="Seat D"):
        situation_of(record, "D")


@given(seed=SEEDS)
def test_the_positions_that_led_to_a_situation_are_known(seed: int) -> None:
    record, seat = redacted("warp6", {"seats": "2", "setup": "rolled"}, seed)
    if seat:
        situation = situation_of(record, seat)
        states = [replay.state for replay in record.positions()]
        assert [*situation.earlier, situation.sampled_state] == states
