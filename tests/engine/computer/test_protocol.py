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


TWO_WAYS_TO_WIN = (
    "* rolloff S3 M4 C3 A3; O first move; D place C4 f5; O place S5 e6; D place A? h11; O "
    "place M3 d17; D place A? g12; O place S3 f7; D place A? f16; O place S1 g10; D place A? "
    "g14; O place S2 h12; D place C? j12; O place M2 h3; D place C? c6; O place S0 f3; D "
    "place C2 e10; O place M1 b17; D place C? f4; O place M0 i12; D place C? g4; O place M4 "
    "c8; D place A? d15; O place M5 f14; D place A? h1; O place S4 f9; * roll S4 M4; O move S "
    "NW; * roll C1 A1; D move C E; D jump C E; D move A E; * roll S4 M3; O move S NW; O move "
    "M W; * roll C5 A4; D move A SE; D move C SE; D jump C S; * roll S1 M0; O move S W; * "
    "roll C3 A2; D move A S; D move C W; * roll S1 M0; O move S E; * roll C4 A5; D move C S; "
    "D move A S; D jump A S; * roll S5 M0; O move S NW; O send C a17; * roll C4 A3; D move A "
    "N; D jump A S; * roll S3 M5; O move M NW; O move S N; * roll C5 A4; D move A N; * roll "
    "S5 M1; O move M NE; O move S S; * roll C4 A0; * roll S4 M0; O null M; O move S N; * roll "
    "C0 A0; * roll S1 M1; O move S N; O move M NE; * roll C4 A0; * roll S3 M2"
)
"""Suns win through the coin on b17; the other die can be used before or after that."""


def test_advice_is_the_winning_choice_that_has_a_reason() -> None:
    record = "\n".join(("Game: wormholes", "Options: notes=on", "", *TWO_WAYS_TO_WIN.split("; ")))
    request = {"do": "choose", "level": "admiral", "seed": b"x".hex() * 32, "seat": "O"}
    choice, advice = ask(request | {"record": record}, request | {"record": record, "advise": True})
    assert (choice["line"], choice["reason"]) == ("move M SW", "other moves are as good")
    assert (advice["line"], advice["value"]) == ("move S NW", choice["value"])
    assert "the coin on b17 jumps to the goal" in advice["reason"]
