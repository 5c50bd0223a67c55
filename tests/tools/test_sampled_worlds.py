"""The program that plays Wormholes by hand-made estimates on sampled worlds."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine.computer.situation import Situation
from engine.game import Action
from engine.record import Record
from engine.wormholes.board import INDEX, STARTS
from engine.wormholes.pieces import VALUES
from engine.wormholes.state import State
from tests.support.wormholes.games import random_match
from tests.support.wormholes.positions import GAME, after, placed, position
from tools.lone_ships import Races, beliefs
from tools.sampled_worlds import PROGRAM, SENDS, choose, first_to_move, worlds

ALL_SEEN = (1 << 24) - 1


def situation(state: State, seat: str = "") -> Situation:
    """Return a situation of a seat, at first of the one that decides."""
    return Situation(GAME, seat or GAME.pending(state), GAME.legal(state), state)


def chosen(state: State) -> Action:
    """Return the choice of the seat that decides."""
    return choose(situation(state), Random(1))


@pytest.mark.parametrize(
    ("ships", "coins", "dice", "line"),
    [
        ({"S": "c17"}, {}, "S2 M3", "move S W"),
        ({"S": "d17"}, {"c18": "M2"}, "S1 M3", "move S NW"),
    ],
)
def test_w8_1_it_wins_at_once(
    ships: dict[str, str], coins: dict[str, str], dice: str, line: str
) -> None:
    assert chosen(position(ships, coins, dice, seen=ALL_SEEN)).notation == line


def test_w7_1_it_sends_a_ship_where_its_way_is_longest() -> None:
    state = position({"S": "g1", "C": "h1"}, dice="S1 M-")
    assert chosen(state).notation == "move S E"
    send = chosen(after(state, "O move S E"))
    lengths = Races(1, beliefs([state], "")).lengths[:, 0]
    longest = sorted(lengths[: len(lengths) - 2])[-SENDS - len(state.ships)]
    assert send.args[0] == "C"
    assert lengths[INDEX[send.args[1]]] >= longest


@pytest.mark.parametrize(
    "ships",
    [
        {"S": "e9", "M": "e12", "C": "f10", "A": "g12"},  # Crowns can reach Suns
        {"S": "c16", "M": "g5", "C": "c14", "A": "b7"},  # the same, near home
        {"S": "e5", "M": "e6", "C": "h1", "A": "f8"},  # Crowns can land on a base
    ],
)
def test_a_reply_is_the_best_use_of_each_roll(ships: dict[str, str]) -> None:
    coins = {"e10": "S2", "c13": "A1", "g11": "C0"}
    draft = position(ships, coins, "C0 A-", "D", seen=ALL_SEEN).draft()
    draft.phase = "roll"
    state = draft.freeze()
    world = worlds(situation(state, "O"), Random(1))[0]
    means = [world.search(after(state, f"* roll C{value} A-")) for value in VALUES]
    assert world.value(state) == pytest.approx(sum(means) / len(means), abs=1e-3)


def test_w6_1_a_black_hole_lies_where_the_opponent_passes() -> None:
    draft = position(hand=1).draft()
    draft.phase = "place"
    state = draft.freeze()
    action = chosen(state)
    mine, theirs = (
        Races(seat, beliefs([state], "")).visits(STARTS[2 * seat : 2 * seat + 2]) for seat in (0, 1)
    )
    space = INDEX[action.args[1]]
    assert action.args[0] == "S0"
    assert mine[space] < theirs[space]


def test_placings_are_drawn() -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", "O first place")
    choices = {choose(situation(state), Random(number)) for number in (1, 2)}
    assert len(choices) > 1


def test_w3_2_who_places_second_moves_first() -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", "O first place")
    first = placed().turn
    while state.phase == "place":
        assert first_to_move(state) == first
        state, _ = GAME.apply(state, GAME.legal(state)[0])


@pytest.mark.parametrize("phase", ["first", "place", "act", "jump", "send"])
def test_it_answers_with_a_legal_action(phase: str) -> None:
    _, actions = random_match("0.6", 3)
    headers = {"Game": "wormholes", "Rules": "0.6", "Version": str(GAME.version)}
    positions = enumerate(Record(headers, actions).positions())
    number, (_, state) = next(item for item in positions if item[1].state.phase == phase)
    seat = GAME.pending(state)
    record = Record(headers, actions[:number])
    request = {"do": "choose", "seat": seat, "record": str(record.redact_for_infostate(seat))}
    first, again = map(json.loads, PROGRAM.serve([json.dumps(request)] * 2))
    assert first == again
    assert first["line"] in {action.notation for action in GAME.legal(state)}
