"""The arena: equal dice, swapped seats, and answers that break a rule."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import pytest

from engine.__main__ import main
from engine.computer.arena import Contest, EnginePlayer
from engine.computer.players import ComputerPlayer
from engine.game import Action
from engine.games import get
from engine.record import Record

WARP6 = Contest(get("warp6"), "standard", {"seats": "2"}, 5)


class Scripted:
    """Answer always the same."""

    cpu_seconds: float | None = None
    decisions: int = 0
    nodes: int = 0

    def __init__(self, line: str) -> None:
        self.records: list[Record] = []
        self._line = line

    def line(self, record: Record, seat: str, legal: Sequence[Action]) -> str:
        self.records.append(record)
        return self._line


def level(name: str, seed: bytes = b"") -> EnginePlayer:
    return EnginePlayer(ComputerPlayer(name, seed), lambda: 0.0)


@pytest.mark.slow
def test_greedy_beats_random() -> None:
    report = WARP6.run([level("greedy"), level("random")], 4).report()
    assert (report["wins"], report["losses"], report["fouls"]) == (4, 0, [0, 0])
    assert report["points"][0] == 0 < report["points"][1]


@pytest.mark.slow
def test_matches_are_repeated_exactly() -> None:
    one, two = (WARP6.run([level("greedy"), level("random")], 2).report() for _ in range(2))
    assert one == two


@pytest.mark.slow
def test_players_swap_seats_within_a_round() -> None:
    first, second = level("greedy", b"1"), level("greedy", b"2")
    straight = WARP6.run([first, second], 2).outcomes
    swapped = WARP6.run([second, first], 2).outcomes
    assert [outcome.scores for outcome in straight] == [
        outcome.scores[::-1] for outcome in reversed(swapped)
    ]


@pytest.mark.parametrize("line", ["", "move b9z", "resign", "draw offer", "* roll", "move\nup"])
def test_an_answer_that_is_no_legal_action_loses(line: str) -> None:
    outcomes = WARP6.run([Scripted(line), level("random")], 2).outcomes
    assert [outcome.scores for outcome in outcomes] == [(0, 1), (0, 1)]
    assert [outcome.foul for outcome in outcomes] == [0, 0]


def test_contestants_get_the_record_of_their_seat_only() -> None:
    event, spy = Contest(get("wormholes"), "0.6", {}, 0), Scripted("first place")
    event.run([spy, level("random")], 8)
    assert spy.records
    for record in spy.records:
        assert "Seed" not in record.headers
        places = [action for action in record.actions if action.verb == "place"]
        assert all(action.args[0].endswith("?") for action in places)


@pytest.mark.slow
def test_a_program_plays_by_the_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    program = f"cmd:{sys.executable} -m engine seat --level greedy"
    arguments = ["arena", "warp6", "--player", "A=random", "--player", f"B={program}"]
    assert main([*arguments, "--matches", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["fouls"] == [0, 0]
    assert report["losses"] == 2
    assert report["players"]["B"]["cpu_seconds"] is None


def test_a_program_that_says_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "warp6", "--player", "A=random", "--player", "B=cmd:true"]
    assert main(arguments) == 1
    assert "no answer" in capsys.readouterr().err


@pytest.mark.slow
def test_the_table_names_all_figures(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "warp6", "--player", "A=greedy", "--player", "B=random"]
    assert main([*arguments, "--matches", "2"]) == 0
    out = capsys.readouterr().out
    assert "2 matches: the first player won 2, drew 0, lost 0" in out
    assert "A: " in out


def test_a_match_needs_a_player_for_each_seat(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "warp6", "--player", "A=random"]) == 1
    assert "2 seats" in capsys.readouterr().err
