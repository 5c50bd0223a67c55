"""The protocol of computer players."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_of, serve

RECORD = "Game: wormholes\n\n* rolloff S5 M5 C0 A0\n"
PLAYER = ComputerPlayer("random", seed_of(1))


def ask(*lines: object) -> list[dict[str, Any]]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return [json.loads(answer) for answer in serve(texts, PLAYER)]


def test_hello_names_the_player_and_its_games() -> None:
    (answer,) = ask({"do": "hello", "protocol": 1})
    assert answer["protocol"] == 1
    assert answer["name"] == "Starpost random"
    assert answer["games"] == ["wormholes", "warp6", "tomtube"]


def test_choose_answers_with_a_line_value_and_reason() -> None:
    (answer,) = ask({"do": "choose", "seat": "O", "record": RECORD, "nodes": 400})
    assert answer["line"] in ("first place", "first move")
    assert 0 <= answer["value"] <= 1
    assert isinstance(answer["reason"], str)


def test_choose_repeats_its_answer() -> None:
    request = {"do": "choose", "seat": "O", "record": RECORD}
    assert len({str(ask(request)) for _ in range(5)}) == 1


def test_quit_ends_and_nothing_else_does() -> None:
    bad = ["", "nonsense", "[]", "1", "{}", '{"do": 1}', '{"do": ["hello"]}', "[" * 100_000]
    answers = ask(*bad, {"do": "hello"}, {"do": "quit"}, {"do": "hello"})
    assert [list(answer) for answer in answers[:-1]] == [["error"]] * len(bad)
    assert answers[-1]["protocol"] == 1


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"seat": "O"},
        {"seat": 1, "record": RECORD},
        {"seat": "D", "record": RECORD},
        {"seat": "OD", "record": RECORD},
        {"seat": "O", "record": ""},
        {"seat": "O", "record": "Game: wormholes\n\nO place S? e9\n"},
        {"seat": "O", "record": "Game: wormholes\n\n* rolloff S5 M5 C0 A0\nO place ? ?\n"},
        {"seat": "O", "record": "Game: warp6\nOptions: seats=9\n\n"},
        {"seat": "O", "record": RECORD, "nodes": -1},
        {"seat": "O", "record": RECORD, "nodes": True},
        {"seat": "O", "record": RECORD, "nodes": "many"},
    ],
)
def test_a_bad_question_is_answered_with_an_error(fields: dict[str, object]) -> None:
    (answer,) = ask({"do": "choose", **fields})
    assert list(answer) == ["error"]
