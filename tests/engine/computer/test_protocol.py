"""The protocol of computer players."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.computer.players import VERSION, ComputerPlayer
from engine.computer.protocol import seed_of, serve
from engine.record import Record

RECORD = "Game: wormholes\n\n* rolloff S5 M5 C0 A0\n"
PLAYER = ComputerPlayer("random", seed_of(1))


def ask(*lines: object) -> list[dict[str, Any]]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return [json.loads(answer) for answer in serve(texts, PLAYER)]


def test_hello_names_the_player_and_its_games() -> None:
    (answer,) = ask({"do": "hello", "protocol": 1})
    assert answer["protocol"] == 1
    assert answer["version"] == str(VERSION)
    assert answer["name"] == "Starpost Random"
    assert answer["games"] == ["wormholes", "warp6", "tomtube"]


def test_choose_answers_with_a_line_value_and_reason() -> None:
    (answer,) = ask({"do": "choose", "seat": "O", "record": RECORD, "nodes": 400})
    assert answer["line"] in ("first place", "first move")
    assert 0 <= answer["value"] <= 1
    assert isinstance(answer["reason"], str)


def test_reasons_come_as_a_sentence_and_as_templates_with_fields() -> None:
    request = json.dumps({"do": "choose", "seat": "O", "record": RECORD, "nodes": 10})
    (line,) = serve([request], ComputerPlayer("admiral", seed_of(1)))
    answer = json.loads(line)
    sentence = "the player who moves first places the last coin"
    assert (answer["reason"], answer["reasons"]) == (sentence, [[sentence, {}]])


def test_choose_repeats_its_answer() -> None:
    request = {"do": "choose", "seat": "O", "record": RECORD}
    assert len({str(ask(request)) for _ in range(5)}) == 1


def test_choose_takes_level_and_seed_of_the_request() -> None:
    seeds = [bytes([number]) * 32 for number in range(20)]
    request = {"do": "choose", "seat": "O", "record": RECORD, "level": "greedy"}
    record = Record.parse(RECORD)
    lines = [ask({**request, "seed": seed.hex()})[0]["line"] for seed in seeds]
    actions = [ComputerPlayer("greedy", seed).choose(record, "O").action for seed in seeds]
    assert lines == [action.notation for action in actions]
    assert len(set(lines)) == 2
    assert ask({**request, "level": "admiral"})[0]["value"] == 0.59


def test_choose_answers_a_draw_offer() -> None:
    record = RECORD + "D draw offer\n"
    (answer,) = ask({"do": "choose", "seat": "O", "record": record})
    assert answer["line"] == "draw decline"


def test_choose_takes_a_record_that_hides_own_actions() -> None:
    record = RECORD + "O first place\nO place S? e9\nD place C? f9\n"
    (answer,) = ask({"do": "choose", "seat": "O", "record": record})
    assert answer["line"].startswith("place ")


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
        {"seat": "O", "record": RECORD, "level": "commodore"},
        {"seat": "O", "record": RECORD, "level": ["admiral"]},
        {"seat": "O", "record": RECORD, "seed": 1},
        {"seat": "O", "record": RECORD, "seed": "12"},
        {"seat": "O", "record": RECORD, "seed": "g" * 64},
        {"seat": "O", "record": RECORD + "O first place\nO place S? e1\n"},
    ],
)
def test_a_bad_question_is_answered_with_an_error(fields: dict[str, object]) -> None:
    (answer,) = ask({"do": "choose", **fields})
    assert list(answer) == ["error"]
