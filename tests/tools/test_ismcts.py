"""Wormholes in the form that OpenSpiel's search asks for."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine import games
from engine.computer.situation import situation_of
from engine.dice import Dice
from engine.game import CHANCE, Action
from engine.record import Record, play
from tools.ismcts import GameType, Position, Searcher, outcomes, root, serve

GAME = games.get("wormholes")
HEADERS = {"Game": "wormholes", "Rules": "0.6"}
COUNTS = (4, 11, 40, 70)


def decision(count: int) -> tuple[Record, str]:
    """Return a record after about so many random actions, as the seat knows it that decides."""
    random = Random(count)
    dice = Dice(b"ismcts", "")
    choose = random.choice
    state, actions = play(GAME, GAME.start("0.6", {}), choose, dice.draw, count)
    while (seat := GAME.pending(state)) == CHANCE:
        actions = (*actions, GAME.chance(state, dice.draw(f"more {len(actions)}")))
        state = GAME.apply(state, actions[-1])[0]
    return Record(HEADERS, actions).recall(seat), seat


def position(count: int) -> tuple[Position, str]:
    record, seat = decision(count)
    return root(GameType(), situation_of(record, seat), record), seat


@pytest.mark.parametrize("count", COUNTS)
def test_other_worlds_look_the_same_to_the_seat(count: int) -> None:
    here, seat = position(count)
    random = Random(1)
    worlds = [here.resampled(seat, random.randrange) for _ in range(20)]
    keys = {world.information_state_string() for world in worlds}
    assert keys == {here.information_state_string()}
    lists = {tuple(map(world.legal, world.legal_actions())) for world in worlds}
    assert len(lists) == 1
    assert len({world.state for world in worlds}) > 1


def test_a_seat_knows_its_own_coins_only() -> None:
    here, seat = position(11)
    other = "O" if seat == "D" else "D"
    for line in here.information_state_string().splitlines():
        if line.startswith(f"{other} place"):
            assert line.split()[2].endswith("?")
        if line.startswith(f"{seat} place"):
            assert not line.split()[2].endswith("?")


def test_a_world_is_a_match_that_could_have_been() -> None:
    here, seat = position(70)
    world = here.resampled(seat, Random(1).randrange)
    assert Record(HEADERS, world.actions).replay().state == world.state


def test_actions_and_chance_lead_to_the_end() -> None:
    here, _ = position(2)
    random = Random(1)
    while not here.is_terminal():
        choices = here.chance_outcomes() if here.is_chance_node() else []
        assert sum(part for _, part in choices) == pytest.approx(1 if choices else 0)
        here.apply_action(random.choice([n for n, _ in choices] or here.legal_actions()))
    assert sorted(here.returns()) == [-1, 1]
    assert here.returns()["OD".index(here.state.result[0])] == 1


def test_a_roll_has_an_outcome_for_each_pair_of_faces() -> None:
    assert len(set(outcomes(Action.parse("* roll S? M?")))) == 36
    assert len(outcomes(Action.parse("* roll S- M?"))) == 6


def test_a_random_match_has_a_winner() -> None:
    here, _ = position(40)
    assert sorted(here.play_out(Random(1))) == [-1, 1]
    assert not here.is_terminal()


def test_the_search_chooses_again_what_it_chose() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    record, seat = decision(40)
    choices = [Searcher(30, b"seed").choose(record, seat) for _ in range(2)]
    assert choices[0] == choices[1] in GAME.legal(situation_of(record, seat).world)


def test_the_program_speaks_the_protocol() -> None:
    class First(Searcher):
        def __init__(self) -> None:
            self.simulations = 3

        def choose(self, record: Record, seat: str) -> Action:
            return situation_of(record, seat).legal[0]

    record, seat = decision(2)
    asked = {"do": "choose", "seat": seat, "record": str(record)}
    lines = [json.dumps(each) for each in ({"do": "hello"}, asked, {"do": "quit"}, {"do": "?"})]
    hello, chosen = map(json.loads, serve(lines, First()))
    assert hello["games"] == ["wormholes"]
    assert chosen == {"line": situation_of(record, seat).legal[0].notation, "nodes": 3}
