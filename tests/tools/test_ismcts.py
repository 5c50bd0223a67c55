"""The program that lets OpenSpiel's search play in the arena."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine import games
from engine.computer.situation import situation_of
from engine.game import Action
from engine.openspiel.position import Terms
from engine.record import Record
from tests.support.spiel import TERMS, at_random
from tools.ismcts import GameType, Node, Searcher, program, root


def decision(terms: Terms, count: int) -> tuple[Record, str]:
    """Return a record after about so many random numbers, as the seat knows it that decides."""
    position = at_random(terms, count)
    options = " ".join(f"{name}={value}" for name, value in terms.options)
    headers = {"Game": terms.name, "Rules": terms.rules, "Options": options}
    seat = position.pending
    actions = position.game.redact_for_infostate(position.state, seat, position.actions)
    return Record(headers, actions), seat


def node(terms: Terms, count: int) -> tuple[Node, str]:
    record, seat = decision(terms, count)
    return root(GameType(), situation_of(record, seat), record), seat


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("count", [11, 60])
def test_the_root_fits_the_record(terms: Terms, count: int) -> None:
    record, seat = decision(terms, count)
    node = root(GameType(), situation_of(record, seat), record)
    assert node.position.pending == seat
    assert node.information_state_string() == "\n".join(map(str, record.actions))
    assert set(node.position.legal.values()) >= set(situation_of(record, seat).legal) or any(
        action.is_form for action in situation_of(record, seat).legal
    )


def test_a_seat_knows_its_own_coins_only() -> None:
    root, seat = node(TERMS[0], 11)
    other = "O" if seat == "D" else "D"
    for line in root.information_state_string().splitlines():
        if line.startswith(f"{other} place"):
            assert line.split()[2].endswith("?")
        if line.startswith(f"{seat} place"):
            assert not line.split()[2].endswith("?")


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_a_random_match_has_a_result(terms: Terms) -> None:
    root, _ = node(terms, 40)
    before = root.position
    assert sum(root.play_out(Random(1))) == pytest.approx(0)
    assert root.position == before


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_the_search_chooses_again_what_it_chose(terms: Terms) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make openspiel")
    for count in (8, 40):
        record, seat = decision(terms, count)
        game = record.game()
        choices = [Searcher(12, b"seed").choose(record, seat) for _ in range(2)]
        assert choices[0] == choices[1]
        game.apply(situation_of(record, seat).sampled_state, choices[0])


def test_the_program_speaks_the_protocol() -> None:
    class First(Searcher):
        def __init__(self) -> None:
            self.simulations = 3

        def choose(self, record: Record, seat: str) -> Action:
            return situation_of(record, seat).legal[0]

    record, seat = decision(TERMS[0], 6)
    asked = {"do": "choose", "seat": seat, "record": str(record)}
    lines = [
        json.dumps(request) for request in ({"do": "hello"}, asked, {"do": "quit"}, {"do": "?"})
    ]
    hello, answer = map(json.loads, program(First()).serve(lines))
    assert hello["games"] == list(games.names())
    assert answer == {"line": situation_of(record, seat).legal[0].notation, "nodes": 3}
