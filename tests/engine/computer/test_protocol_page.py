"""docs/developers/protocol.md describes what `engine seat` and the arena say."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import games
from engine.__main__ import main
from engine.computer.arena import MAX_ACTIONS
from engine.computer.external import DEFAULT_SECONDS, MAX_ANSWER_CHARACTERS, Program
from engine.computer.players import VERSION, ComputerPlayer
from engine.computer.protocol import PROTOCOL, seed_of, serve
from engine.computer.situation import PlayerError
from engine.game import Action
from engine.record import MAX_RECORD_CHARACTERS, MAX_RECORD_LINES, Record

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "developers" / "protocol.md").read_text("utf-8")
PLAYER = ROOT / "tools" / "players" / "random.pl"
MAX_PLAYER_LINES = 40

RECORD = "Game: wormholes\n\n* rolloff S5 M5 C0 A0\n"
FINISHED = "Game: wormholes\n\n* rolloff S5 M5 C0 A0\nO resign\n"
REQUESTS: dict[str, dict[str, Any]] = {
    "hello": {"do": "hello", "protocol": PROTOCOL},
    "choose": {"do": "choose", "seat": "O", "record": RECORD},
    "audit": {"do": "audit", "record": FINISHED},
    "analyse": {"do": "analyse", "record": FINISHED},
}

TERMS = {
    "wormholes": ["", "notes=on", "placing=three", "placing=secret", "placing=random"],
    "warp6": ["", "setup=secret", "seats=3"],
    "tomtube": ["", "launch_T=2"],
}


def ask(request: dict[str, Any]) -> dict[str, Any]:
    (answer,) = serve([json.dumps(request)], ComputerPlayer("cadet", seed_of(1)))
    answer = json.loads(answer)
    assert isinstance(answer, dict)
    return answer


def documented(request: str, kind: str) -> set[str]:
    """Return the fields in the table of a request."""
    section = PAGE.partition(f"\n### `{request}`\n")[2].partition("\n### ")[0]
    return set(re.findall(rf"^\| `(\w+)` \| {kind}\b", section, re.MULTILINE))


@pytest.mark.slow
def test_the_session_on_the_page_is_what_the_program_says() -> None:
    session = re.findall(r"^    ([<>]) (.+)$", PAGE, re.MULTILINE)
    questions = [line for mark, line in session if mark == ">"]
    expected = [line for mark, line in session if mark == "<"]
    (arguments,) = re.findall(r"^`starpost engine (seat [^`]+)`, requests", PAGE, re.MULTILINE)
    run = subprocess.run(
        [sys.executable, "-m", "engine", *arguments.split()],
        input="\n".join(questions),
        capture_output=True,
        check=True,
        cwd=ROOT,
        text=True,
    )
    assert run.stdout.splitlines() == [
        re.sub(r'("version": "|/)1"', rf'\g<1>{VERSION}"', line) for line in expected
    ]
    assert len(expected) == len(questions) - 1  # quit has no answer


@pytest.mark.parametrize("name", REQUESTS)
def test_each_field_of_an_answer_is_on_the_page(name: str) -> None:
    assert documented(name, "answer") == set(ask(REQUESTS[name]))


def test_each_field_that_the_arena_sends_is_on_the_page() -> None:
    echo = "import sys, json\nfor line in sys.stdin: print(json.dumps({'line': line}), flush=True)"
    record, legal = Record.parse(RECORD), [Action("O", "first", ("place",))]
    with Program(shlex.join([sys.executable, "-c", echo]), nodes=7) as program:
        request = json.loads(program.line(record, "O", legal))
    assert request == {**REQUESTS["choose"], "nodes": 7, "legal": ["first place"]}
    assert set(request) | {"advise", "level", "seed"} == documented("choose", "request")


def test_the_page_states_the_limits() -> None:
    for limit in (
        f"`--seconds`, {DEFAULT_SECONDS:.0f} by default",
        f"{MAX_ANSWER_CHARACTERS // 1024} kB |",
        f"{MAX_ACTIONS:,}; then it is a draw",
        f"{MAX_RECORD_CHARACTERS // 1024} kB and {MAX_RECORD_LINES:,} lines",
    ):
        assert limit in PAGE


def test_the_example_has_at_most_40_lines_as_the_page_says() -> None:
    count = len(PLAYER.read_text("utf-8").splitlines())
    assert count <= MAX_PLAYER_LINES
    assert f"in {count} lines of Perl" in PAGE


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("perl"), reason="Perl is not installed")
@pytest.mark.parametrize(
    ("name", "option"),
    [(name, option) for name in TERMS for option in TERMS[name]],
)
def test_the_example_plays_a_whole_match(
    name: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = games.get(name).seats(dict([option.split("=")]) if option else {})
    arguments = ["--option", option] if option else []
    for number in range(len(seats)):
        arguments += ["--player", f"{number}=cmd:perl {PLAYER} {number}"]
    assert main(["arena", name, *arguments, "--matches", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["fouls"] == [0] * len(seats)
    assert report["matches"] == 1
    assert report["wins"] + report["draws"] + report["losses"] == 1
    assert report["actions"] > 50


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (["{}"], "no answer"),  # the program ends
        (["{}", "nonsense"], "no answer"),
        (["{}", "[1]"], "no JSON object"),
        (["{}", '{"line": "' + "x" * MAX_ANSWER_CHARACTERS + '"}'], "no answer"),
        (["{}", "[" * 10_000], "no answer"),
    ],
)
def test_a_bad_answer_is_refused(answers: list[str], message: str, tmp_path: Path) -> None:
    script = tmp_path / "player.py"
    script.write_text(
        f"import sys\nfor answer in {answers!r}:\n"
        "    sys.stdin.readline(); print(answer, flush=True)\n"
    )
    with (
        Program(f"{sys.executable} {script}") as program,
        pytest.raises(PlayerError, match=message),
    ):
        program.line(Record.parse(RECORD), "O", ())


def test_a_program_of_another_version_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    greeting = "input(); print('{\"protocol\": 2}')"
    program = "cmd:" + shlex.join([sys.executable, "-c", greeting])
    assert main(["arena", "warp6", "--player", "A=random", "--player", f"B={program}"]) == 1
    assert "version 1" in capsys.readouterr().err


def test_a_program_that_is_late_is_stopped() -> None:
    late = "input(); print('{}', flush=True); input(); input()"
    with Program(shlex.join([sys.executable, "-c", late])) as program:
        program._seconds = 0.1
        with pytest.raises(PlayerError, match="no answer"):
            program.line(Record.parse(RECORD), "O", ())
        assert program._process.wait() != 0
