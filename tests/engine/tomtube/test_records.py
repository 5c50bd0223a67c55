"""Records of Tom Tube, typed input, and refusals as players read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.game import Action
from engine.notation import Ambiguous, Complete, Illegal, Incomplete, parse
from engine.record import Record, RecordError
from engine.tomtube.state import State
from tests.support.tomtube.games import random_match
from tests.support.tomtube.positions import GAME, after, filled, hands, laying, position

ROW = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0")

HOME_FIRST = """Game: tomtube
Rules: basic
Options: launch_T=1
Seat T: Ada
Seat D: Bo
Version: 1

* first T
T drift 1,2  # out by the upper gate
D build
* draw AB/CD+
D rhomb 1,0>0,2
T jump 2,1
D drift -1,-2
"""


def test_a_record_by_hand_replays() -> None:
    game, state = Record.parse(HOME_FIRST).replay()
    view = game.view(state)
    assert (view.turn, view.pending) == (5, "T")
    assert view.astronauts[0][1:3] == ("2,1", 1)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("T drift 2,1", "T3.4"),
        ("T jump 1,1", "T4.0"),
        ("T control 1,2", "T4.2"),
        ("D build", "T3"),
        ("T hop 1,2", "notation"),
        ("T drift", "notation"),
        ("* draw AB/AB", "T2.5"),
        ("X build", "notation"),
    ],
)
def test_an_illegal_line_is_an_error_with_its_rule(line: str, rule: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse(HOME_FIRST + line + "\n").replay()
    assert str(caught.value).startswith(f"line 15: {line}: ")
    assert str(caught.value).endswith(f"[{rule}]")


def test_result_and_points_have_to_be_borne_out() -> None:
    last, actions = random_match(1)
    points = " ".join(f"{seat}{score}" for seat, score in (GAME.points(last) or {}).items())
    headers = {"Game": "tomtube", "Result": last.result, "Points": points}
    assert Record(headers, actions).replay().state == last
    for wrong in ({"Result": "T base"}, {"Points": "T99 D99"}):
        with pytest.raises(RecordError):
            Record(headers | wrong, actions).replay()


@pytest.mark.parametrize("text", ["drift 1,2", "1,2", "DRIFT 1,2", " drift   1,2 "])
def test_a_move_is_typed_with_or_without_its_verb(text: str) -> None:
    assert str(complete(position(), text)) == "T drift 1,2"


def complete(state: State, text: str, seat: str = "T") -> Action:
    """The one action that is meant."""
    reading = parse(GAME, state, seat, text)
    assert isinstance(reading, Complete)
    return reading.action


def illegal(state: State, text: str, seat: str = "T") -> tuple[str, str]:
    """Rule and sentence of a refusal."""
    reading = parse(GAME, state, seat, text)
    assert isinstance(reading, Illegal)
    return reading.error.rule, str(reading.error)


def test_a_minus_from_a_phone_is_a_hyphen() -> None:
    state = position(tom="-3,1")
    assert str(complete(state, "drift −3,2")) == "T drift -3,2"
    assert str(complete(state, "MODULE1")) == "T drift module1"


def test_the_knots_of_a_triangle_are_typed_in_any_order() -> None:
    state = after(laying("", "AB/AB", fills=filled(*ROW), tom="1,2"), "T rhomb 1,0>-1,1")
    assert str(complete(state, "tube 0,0/-1,1/-1,0")) == "T tube -1,0/0,0/-1,1"
    reading = parse(GAME, state, "T", "0,0/-1,1/-1,0")
    assert isinstance(reading, Ambiguous)
    assert {action.verb for action in reading.actions} == {"tube", "blank"}


def test_what_is_missing_comes_with_the_legal_completions() -> None:
    state = position(tom="1,2")
    assert parse(GAME, state, "T", "") == Incomplete(("build", "drift", "jump"))
    assert parse(GAME, state, "T", "drift") == Incomplete(("2,1", "base"))


def test_a_place_that_is_reached_in_two_ways_is_ambiguous() -> None:
    reading = parse(GAME, position(tom="1,2"), "T", "2,1")
    assert isinstance(reading, Ambiguous)
    assert list(map(str, reading.actions)) == ["T drift 2,1", "T jump 2,1"]


def test_places_for_the_drawn_rhomb_are_completed() -> None:
    state = laying("", "AB/CD")
    reading = parse(GAME, state, "T", "rhomb")
    assert isinstance(reading, Incomplete)
    assert len(reading.words) == 204
    assert str(complete(state, "0,0>1,1")) == "T rhomb 0,0>1,1"


@pytest.mark.parametrize(
    ("text", "rule", "sentence"),
    [
        ("drift 0,0", "T4.0", "The knot 0,0 is not complete."),
        ("drift base", "T3.4", "You are already there: a move must end elsewhere."),
        ("drift -2,-2", "T4.0", "You can't enter the other player's base and modules."),
        ("drift 2,2", "T4.0", "Your own stations are called base, module1 and module2."),
        ("drift 0,0>1,1", "T4.0", "There is no energy sphere called 0,0>1,1."),
        ("drift -1,-2", "T4.1", "No path through tubes leads you to -1,-2."),
        ("drift moon", "T4.0", "“moon” is not a place for an astronaut."),
        ("control 1,2", "T4.2", "You have no control counter."),
        ("jump 1,2", "T4.3", "A jump begins at a complete knot, not at base."),
        ("exchange", "T3.6", "You have no alien counter to exchange."),
        ("rhomb 0,0>1,1", "T3.1", "“rhomb” is not possible now."),
        ("fly", "notation", "I can't read “fly”."),
    ],
)
def test_a_refusal_is_one_friendly_sentence_with_its_rule(
    text: str, rule: str, sentence: str
) -> None:
    assert illegal(position(), text) == (rule, sentence)


def test_more_refusals() -> None:
    no_energy = position(tom="1,2", hands=hands((0, 1)))
    assert illegal(no_energy, "jump 2,1") == ("T4.3", "You have no energy counter.")
    with_control = position(hands=hands(control=(1, 0)))
    assert illegal(with_control, "control 1,2") == ("T4.2", "You can drift to 1,2 for free.")
    occupied = position(tom="base", dave="1,2")
    assert illegal(occupied, "1,2")[0] == "notation"
    assert illegal(occupied, "drift 1,2") == ("T4.0", "The other astronaut is at 1,2.")
    assert illegal(position(), "build", "D")[0] == "T3"


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    """Exit code and output of one command."""
    code = main(list(argv))
    return code, capsys.readouterr().out


@pytest.mark.parametrize("rules", GAME.rules)
def test_a_random_record_replays_and_its_draws_verify(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, rules: str
) -> None:
    play = ("play", "tomtube", "--rules", rules, "--option", "launch_D=2", "--seed", "3")
    text = run(capsys, *play)[1]
    assert text == run(capsys, *play)[1]
    assert "\nOptions: launch_D=2\nSeat T: Tom\nSeat D: Dave\n" in text
    path = tmp_path / "random.match"
    path.write_text(text, encoding="utf-8")
    code, result = run(capsys, "replay", str(path))
    assert code == 0
    assert f"Result: {result}" in text
    assert "\nPoints: T" in text
    assert run(capsys, "verify", str(path))[0] == 0
    assert run(capsys, "redact", str(path))[1] == text
    lists = run(capsys, "legal", "--each", str(path))[1].splitlines()
    assert (lists[0], lists[-1]) == ('["* first ?"]', "[]")
    assert "* draw ?" in "".join(lists)


def test_the_public_view_is_plain_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "open.match"
    path.write_text(HOME_FIRST, encoding="utf-8")
    view = json.loads(run(capsys, "view", str(path))[1])
    assert view["astronauts"][0]["place"] == "2,1"
    assert view["legal"] == []
    assert json.loads(run(capsys, "view", "--seat", "T", str(path))[1])["legal"]
