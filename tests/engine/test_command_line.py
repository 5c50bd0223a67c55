"""`python -m engine`: people script it, so it stays as it is."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.record import MAX_RECORD_CHARACTERS, MAX_RECORD_LINES, Record, RecordError

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *argv: str) -> tuple[int, str, str]:
    """Exit code, output and errors of one command."""
    code = main(list(argv))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def record(capsys: Capture, tmp_path: Path) -> Path:
    """A finished random record."""
    path = tmp_path / "random.match"
    path.write_text(run(capsys, "play", "wormholes", "--seed", "5")[1], encoding="utf-8")
    return path


def test_play_prints_the_same_record_for_the_same_seed(capsys: Capture) -> None:
    first = run(capsys, "play", "wormholes", "--seed", "5")
    assert first == run(capsys, "play", "wormholes", "--seed", "5")
    assert first != run(capsys, "play", "wormholes", "--seed", "6")
    assert "Date:" not in first[1]
    assert run(capsys, "play", "wormholes") == run(capsys, "play", "wormholes", "--seed", "0")


def test_play_stops_after_2000_lines_without_a_result(capsys: Capture) -> None:
    _, out, _ = run(capsys, "play", "wormholes", "--rules", "0.5.2", "--option", "notes=on")
    headers, _, actions = out.partition("\n\n")
    assert len(actions.splitlines()) == 2000
    assert "Result" not in headers
    assert "Seed:" not in headers
    assert "Options: notes=on" in headers


def test_replay_prints_the_result(capsys: Capture, record: Path) -> None:
    code, out, _ = run(capsys, "replay", str(record))
    assert code == 0
    assert out.strip() in ("O base", "D base")


def test_replay_reads_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# by hand\nGame: wormholes\n\n* rolloff S5 M5 C0 A0 # high\n\nO first place\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert run(capsys, "replay", "-") == (0, "unfinished\n", "")


def test_a_missing_line_of_chance_is_named(capsys: Capture, record: Path) -> None:
    text = record.read_text("utf-8")
    first = next(line for line in text.splitlines() if line.startswith("* "))
    record.write_text(text.replace(f"{first}\n", "", 1), "utf-8")
    code, _, err = run(capsys, "replay", str(record))
    assert code == 1
    assert "A line before this one is missing: that of a random event." in err


def test_replay_names_the_line_and_the_rule(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "bad.match"
    path.write_text("Game: wormholes\n\n* rolloff S5 M5 C0 A0\nD first place\n")
    code, out, err = run(capsys, "replay", str(path))
    assert (code, out) == (1, "")
    assert "line 4: D first place" in err
    assert "[W4.1]" in err


@pytest.mark.parametrize("result", ["D resign", "O base"])
def test_replay_refuses_a_result_that_is_not_borne_out(
    capsys: Capture, tmp_path: Path, result: str
) -> None:
    path = tmp_path / "claim.match"
    path.write_text(f"Game: wormholes\nResult: {result}\n\n* rolloff S5 M5 C0 A0\n")
    code, _, err = run(capsys, "replay", str(path))
    assert code == 1
    assert "Result" in err


def test_replay_refuses_points_that_are_not_borne_out(capsys: Capture, record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("\nResult:", "\nPoints: O0 D9\nResult:"), encoding="utf-8")
    code, _, err = run(capsys, "replay", str(record))
    assert code == 1
    assert "Points: O0 D9" in err


@pytest.mark.parametrize(
    "text", ["", "Game: chess\n\n", "Game: wormholes\nVersion: 9\n\n", "Game\n\n",
             "Game: wormholes\nRules: 9\n\n", "Game: wormholes\n\nresign\n"]
)  # fmt: skip
def test_what_is_no_record_is_one_line_and_exit_1(
    capsys: Capture, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "none.match"
    path.write_text(text)
    code, out, err = run(capsys, "replay", str(path))
    assert (code, out) == (1, "")
    assert len(err.strip().splitlines()) == 1


def test_a_missing_file_is_one_line_and_exit_1(capsys: Capture, tmp_path: Path) -> None:
    code, _, err = run(capsys, "legal", str(tmp_path / "no.match"))
    assert code == 1
    assert len(err.strip().splitlines()) == 1


def test_legal_is_sorted_one_a_line(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "start.match"
    path.write_text("Game: wormholes\n\n* rolloff S5 M5 C0 A0\n")
    assert run(capsys, "legal", str(path))[1] == "O first move\nO first place\n"


def test_legal_each_lists_before_every_line_and_at_the_end(capsys: Capture, record: Path) -> None:
    lines = [
        json.loads(line) for line in run(capsys, "legal", "--each", str(record))[1].split("\n")[:-1]
    ]
    actions = record.read_text(encoding="utf-8").partition("\n\n")[2].splitlines()
    assert len(lines) == len(actions) + 1
    assert lines[0] == ["* rolloff S? M? C? A?"]
    assert lines[-1] == []
    for legal, action in zip(lines, actions, strict=False):
        assert legal == sorted(legal)
        assert action in legal or action.startswith("*")


def test_view_is_json_for_a_seat(capsys: Capture, record: Path) -> None:
    view = json.loads(run(capsys, "view", str(record), "--seat", "O")[1])
    assert view["seat"] == "O"
    assert len(view["coins"]) == 24
    code, _, err = run(capsys, "view", str(record), "--seat", "X")
    assert code == 1
    assert "O, D" in err


def test_redact_hides_in_a_running_match_only(
    capsys: Capture, record: Path, tmp_path: Path
) -> None:
    text = record.read_text(encoding="utf-8")
    assert run(capsys, "redact", str(record))[1] == text
    head = "\n".join(line for line in text.splitlines()[:30] if not line.startswith("Result"))
    running = tmp_path / "running.match"
    running.write_text(head + "\n", encoding="utf-8")
    redacted = run(capsys, "redact", str(running), "--seat", "O")[1]
    assert "Seed:" not in redacted
    placings = [line for line in redacted.splitlines() if " place " in line]
    assert placings[1:]
    assert all("? " in line for line in placings if "first" not in line)


def test_redact_recall_shows_what_the_seat_placed_only(
    capsys: Capture, record: Path, tmp_path: Path
) -> None:
    text = record.read_text(encoding="utf-8")
    head = "\n".join(line for line in text.splitlines()[:30] if not line.startswith("Result"))
    running = tmp_path / "running.match"
    running.write_text(head + "\n", encoding="utf-8")
    recalled = run(capsys, "redact", str(running), "--seat", "O", "--recall")[1].splitlines()
    placings = [line for line in recalled if " place " in line]
    assert {line[0] for line in placings} == {"O", "D"}
    assert all(("?" in line) is (line[0] == "D") for line in placings)
    assert {line for line in placings if line[0] == "O"} <= set(text.splitlines())


def test_redact_recall_needs_a_seat(capsys: Capture, record: Path) -> None:
    code, out, err = run(capsys, "redact", str(record), "--recall")
    assert (code, out) == (1, "")
    assert "--seat" in err


def test_verify_draws_the_dice_again(capsys: Capture, record: Path) -> None:
    code, out, _ = run(capsys, "verify", str(record))
    assert code == 0
    assert "follow from the seed" in out


@pytest.mark.parametrize("header", ["Seed", "Salt", "Dice"])
def test_verify_sees_a_changed_header(capsys: Capture, record: Path, header: str) -> None:
    text = record.read_text(encoding="utf-8")
    lines = [f"{header}: 00" if line.startswith(header) else line for line in text.split("\n")]
    record.write_text("\n".join(lines), encoding="utf-8")
    code, _, err = run(capsys, "verify", str(record))
    assert code == 1
    assert len(err.strip().splitlines()) == 1


def test_verify_needs_the_seed(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "hand.match"
    path.write_text("Game: wormholes\n\n* rolloff S5 M5 C0 A0\n")
    assert run(capsys, "verify", str(path))[0] == 1


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("wormholes", "* roll S4 M2"),
        ("warp6", "* reroll b4c 3"),
        ("tomtube", "* draw BD/BD+"),
    ],
)
def test_chance_line_out_of_turn_says_so(
    capsys: Capture, tmp_path: Path, game: str, line: str
) -> None:
    _, text, _ = run(capsys, "play", game, "--seed", "1")
    headers, _, actions = text.partition("\n\n")
    kept = [line for line in headers.split("\n") if not line.startswith(("Result", "Points"))]
    path = tmp_path / "early.match"
    first = actions.split("\n")[:1]
    path.write_text("\n".join([*kept, "", *first, line, ""]), encoding="utf-8")
    code, _, error = run(capsys, "replay", str(path))
    assert code == 1
    assert "a player has to decide" in error


@pytest.mark.parametrize(
    "text",
    ["x" * (MAX_RECORD_CHARACTERS + 1), "\n" * (MAX_RECORD_LINES + 1)],
    ids=["long", "many lines"],
)
def test_record_that_is_too_long_is_refused_unread(text: str) -> None:
    with pytest.raises(RecordError, match="at most"):
        Record.parse(text)


def test_huge_file_is_read_only_as_far_as_needed(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "huge.match"
    with path.open("wb") as file:
        file.truncate(10 * 2**30)  # a hole: 10 GB that take no room
    code, _, error = run(capsys, "replay", str(path))
    assert (code, error) == (1, "A record has at most 256 kB.\n")


def test_huge_input_is_read_only_as_far_as_needed(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with io.TextIOWrapper(Endless()) as endless:
        monkeypatch.setattr("sys.stdin", endless)
        code, _, error = run(capsys, "replay", "-")
    assert (code, error) == (1, "A record has at most 256 kB.\n")


class Endless(io.BytesIO):
    """Input that never ends, for those who ask for a part of it."""

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None
        assert size > 0, "all of it does not fit into memory"
        return b"x" * size


def test_errors_show_no_control_characters_and_no_long_lines(
    capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "wild.match"
    for line in ("O place \x1b[2J\x07", "O " + "x" * 5000):
        path.write_text(f"Game: wormholes\n\n{line}\n", encoding="utf-8")
        code, _, error = run(capsys, "replay", str(path))
        assert code == 1
        assert error.rstrip("\n").isprintable()
        assert len(error) < 400


@pytest.mark.slow
def test_closed_standard_input_is_said_in_one_line() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m engine replay - <&-"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "Standard input is closed: there is no record to read.\n"


@pytest.mark.slow
def test_redact_prints_utf_8_whatever_the_locale(record: Path) -> None:
    text = record.read_text("utf-8").replace("OrthogonAliens", "Jörg 王小明", 1)
    record.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "engine", "redact", str(record)],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"}, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Jörg 王小明" in done.stdout.decode("utf-8")
