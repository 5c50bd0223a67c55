"""Warp 6 through what all games share: the command line, records, typed input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.notation import Ambiguous, Complete, Illegal, Incomplete, parse
from tests.support.warp6.games import SETUPS
from tests.support.warp6.positions import (
    FORMS,
    GAME,
    HIGH,
    LOW,
    after,
    numbered,
    position,
    rolled,
    start,
)

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *argv: str) -> tuple[int, str, str]:
    """Exit code, output and errors of one command."""
    code = main(list(argv))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def record(capsys: Capture, tmp_path: Path) -> Path:
    """A finished random record of three players."""
    path = tmp_path / "random.match"
    play = ("play", "warp6", "--option", "seats=3", "--seed", "5")
    path.write_text(run(capsys, *play)[1], encoding="utf-8")
    return path


@pytest.mark.parametrize(("seats", "setup"), SETUPS)
def test_a_random_record_replays_and_its_dice_verify(
    capsys: Capture, tmp_path: Path, seats: str, setup: str
) -> None:
    play = ("play", "warp6", "--option", f"seats={seats}", "--option", f"setup={setup}")
    _, text, _ = run(capsys, *play)
    assert text == run(capsys, *play)[1]
    path = tmp_path / "random.match"
    path.write_text(text, encoding="utf-8")
    code, out, _ = run(capsys, "replay", str(path))
    assert code == 0
    assert f"Result: {out}" in text
    assert run(capsys, "verify", str(path))[0] == 0
    assert run(capsys, "redact", str(path))[1] == text


def test_a_finished_record_has_a_seat_header_each_and_points(record: Path) -> None:
    headers = dict(
        line.split(": ") for line in record.read_text().partition("\n\n")[0].splitlines()
    )
    assert [headers[f"Seat {seat}"] for seat in "BYW"] == ["Black", "Yellow", "White"]
    points = {word[0]: int(word[1:]) for word in headers["Points"].split()}
    assert list(points) == ["B", "Y", "W"]
    assert points[headers["Result"][0]] == 0
    assert sum(score == 0 for score in points.values()) == 1


def test_points_that_the_lines_do_not_bear_out_are_refused(capsys: Capture, record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("Points: B", "Points: B1"), encoding="utf-8")
    code, _, err = run(capsys, "replay", str(record))
    assert code == 1
    assert err.startswith("Points: ")


def test_a_running_match_has_no_points(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "running.match"
    path.write_text("Game: warp6\nPoints: B36 Y36\n\n")
    assert run(capsys, "replay", str(path))[0] == 1
    path.write_text("Game: warp6\n\n")
    assert run(capsys, "replay", str(path)) == (0, "unfinished\n", "")


@pytest.mark.parametrize(
    ("end", "result", "points"),
    [
        (("B leave", "Y leave"), "W left", "B24 Y24 W0"),
        (("Y flag", "B draw offer", "W draw accept"), "- agreed", "B24 Y24 W24"),
    ],
)
def test_a_record_that_is_left_early_has_result_and_points(
    capsys: Capture, tmp_path: Path, end: tuple[str, ...], result: str, points: str
) -> None:
    path = tmp_path / "left.match"
    headers = f"Game: warp6\nOptions: seats=3 setup=secret\nResult: {result}\nPoints: {points}\n"
    lines = [numbered(FORMS[3][2], "821111"), *end]
    path.write_text("\n".join([headers, *lines, ""]))
    assert run(capsys, "replay", str(path)) == (0, f"{result}\n", "")


@pytest.mark.parametrize("command", ["replay", "legal", "view", "redact", "verify"])
@pytest.mark.parametrize("option", ["seats=4", "seats=two", "seats=", "setup=open", "clock=1"])
def test_unknown_options_are_one_line_and_exit_1(
    capsys: Capture, tmp_path: Path, command: str, option: str
) -> None:
    path = tmp_path / "bad.match"
    path.write_text(f"Game: warp6\nOptions: {option}\n\n")
    code, out, err = run(capsys, command, str(path))
    assert (code, out) == (1, "")
    assert len(err.strip().splitlines()) == 1


def test_legal_lists_one_form_for_each_seat_that_has_not_set(
    capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "secret.match"
    path.write_text("Game: warp6\nOptions: seats=3 setup=secret\n\n")
    assert run(capsys, "legal", str(path))[1].splitlines() == sorted(FORMS[3])


def test_legal_each_lists_before_every_line_and_at_the_end(capsys: Capture, record: Path) -> None:
    _, out, _ = run(capsys, "legal", "--each", str(record))
    lists = [json.loads(line) for line in out.splitlines()]
    actions = record.read_text(encoding="utf-8").partition("\n\n")[2].splitlines()
    assert len(lists) == len(actions) + 1
    assert lists[-1] == []
    for legal, action in zip(lists, actions, strict=False):
        assert legal == sorted(legal)
        assert action in legal or action.startswith("*")


def test_view_is_json_for_a_seat(capsys: Capture, record: Path) -> None:
    view = json.loads(run(capsys, "view", str(record), "--seat", "W")[1])
    assert view["seat"] == "W"
    assert len(view["dice"]) == 18
    assert {score["seat"] for score in view["points"]} == set("BYW")


@pytest.mark.parametrize("text", ["move b8a", "MOVE B8A", "up b8a"])
def test_typed_moves_are_read_in_any_case(text: str) -> None:
    reading = parse(GAME, position("b8a4@50"), "B", text)
    assert isinstance(reading, Complete)
    assert reading.action.args == ("b8a",)


def test_a_die_alone_can_mean_three_things() -> None:
    reading = parse(GAME, position("b8a4@50"), "B", "b8a")
    assert isinstance(reading, Ambiguous)
    assert [action.verb for action in reading.actions] == ["move", "up", "down"]
    assert isinstance(parse(GAME, rolled(HIGH, LOW), "B", "b8a"), Complete)


def test_what_is_missing_comes_with_the_legal_completions() -> None:
    assert parse(GAME, position("b8a4@50"), "B", "") == Incomplete(("move", "up", "down"))
    assert parse(GAME, position("b6a6@50 b8a8@49"), "B", "down") == Incomplete(("b8a", "b6a"))


@pytest.mark.parametrize(
    ("text", "rule"), [("up B8A", "X3.2"), ("move y8a", "X3.1"), ("set b8a1", "X2.4")]
)
def test_the_rules_say_why_not(text: str, rule: str) -> None:
    reading = parse(GAME, position("b8a8@50"), "B", text)
    assert isinstance(reading, Illegal)
    assert reading.error.rule == rule


def test_a_secret_setting_is_typed_with_all_its_numbers() -> None:
    state = start(2, "secret")
    words = numbered(FORMS[2][1], LOW).removeprefix("Y ")
    for text in (words, words.upper(), words.removeprefix("set ")):
        reading = parse(GAME, state, "Y", text)
        assert isinstance(reading, Complete)
        assert str(reading.action) == numbered(FORMS[2][1], LOW)
    assert parse(GAME, state, "Y", "set y8a8") == Incomplete(("y8b?",))
    wrong = parse(GAME, state, "Y", words.replace("y8a6", "y8a9"))
    assert isinstance(wrong, Illegal)
    assert wrong.error.rule == "X2.4"
    assert "1 to 8" in str(wrong.error)
    form = parse(GAME, state, "Y", FORMS[2][1].removeprefix("Y "))
    assert isinstance(form, Illegal)


def test_no_player_reads_the_choices_of_others() -> None:
    state = after(start(2, "secret"), numbered(FORMS[2][1], LOW))
    assert isinstance(parse(GAME, state, "Y", "set"), Illegal)
    assert isinstance(parse(GAME, state, "", ""), Illegal)
