"""Each rule of the style check finds a planted fault, and finds nothing in what it allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.style import MAX_LINES, MAX_PARAMETERS, check, main

TEXTS = "bot/rulebook/texts/en/wormholes.md"

ADVICE = "“found”: name the value (seat, row, query, match …)"

LONG = "def f():\n" + MAX_LINES * "    x()\n"

MANY = "def f({}):\n    pass\n"


def codes(path: str, text: str) -> list[str]:
    """Return the codes of the faults of a file."""
    return [fault.code for fault in check(path, text)]


def parameters(count: int) -> str:
    """Return as many parameters."""
    return ", ".join(f"p{number}" for number in range(count))


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("bot/match.py", "found = 1", "N1"),
        ("engine/game.py", "for each in seats: pass", "N1"),
        ("tests/test_game.py", "seats = [own for own in seats]", "N1"),
        ("tools/bench.py", "def run(chosen): pass", "N1"),
        ("tools/bench.py", "run = lambda same: same", "N1"),
        ("render/board.py", "if (told := 1): pass", "N1"),
        ("tests/test_game.py", f"def test_{'a' * 56}(): pass", "N2"),
        ("tests/test_game.py", "def test_nobody_waits(): pass", "N2"),
        ("bot/match.py", '"""Whoever asks."""', "W1"),
        ("bot/match.py", "x = 1  # for nobody", "W1"),
        ("docs/hosts/hosting.md", "Nobody has to wait.", "W1"),
        ("bot/match.py", '"""Return why a match ends."""', "W2"),
        ("bot/match.py", '"""Store what is due."""', "W3"),
        ("bot/match.py", "x = 1  # what has been sent", "W3"),
        ("bot/match.py", '"""The channel from which it came."""', "W4"),
        ("bot/match.py", "_('Nobody has joined')", "W5"),
        ("bot/match.py", "_('It is {name} who decides')", "W5"),
        ("bot/match.py", "ngettext('your clock stands still', 'your clocks stand still', 2)", "W5"),
        ("bot/match.py", "IllegalActionError('W5.3', 'It is Suns that moves')", "W5"),
        (TEXTS, "Nobody wins.", "W5"),
        ("bot/rulebook/prepared/lessons/warp6.toml", 'text = "Anybody wins."', "W5"),
        ("render/board.py", LONG, "S1"),
        ("engine/game.py", MANY.format(parameters(MAX_PARAMETERS + 1)), "S2"),
        ("engine/game.py", MANY.format("*, " + parameters(MAX_PARAMETERS + 1)), "S2"),
    ],
)
def test_a_planted_fault_is_found(path: str, text: str, code: str) -> None:
    assert set(codes(path, text)) == {code}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("bot/match.py", "seat = row.found\nmatch.own = run(same=seat)"),
        ("tests/test_game.py", f"def test_{'a' * 55}(): pass"),
        ("bot/match.py", "text = 'somebody'"),
        ("docs/hosts/hosting.md", "Set `nobody` as the user."),
        ("bot/match.py", '"""Return the reason why a match ends."""'),
        ("bot/match.py", '"""What is a plan? A list. A channel which is full."""'),
        ("bot/match.py", "log.info('Nobody has joined')"),
        ("bot/match.py", "_('The computer meanwhile moves')"),
        ("bot/storage/migrations/versions/0001.py", LONG),
        ("tools/bench.py", LONG),
        ("render/board.py", LONG.replace("    x()\n", "", 1)),
        ("engine/game.py", MANY.format(parameters(MAX_PARAMETERS))),
        ("bot/cups.py", "@command(name='x')\n" + MANY.format(parameters(MAX_PARAMETERS + 1))),
        ("engine/game.py", MANY.format("self, " + parameters(MAX_PARAMETERS))),
    ],
)
def test_what_is_allowed_passes(path: str, text: str) -> None:
    assert codes(path, text) == []


def test_a_fault_names_its_line_and_the_advice() -> None:
    (fault,) = check("bot/match.py", '"""Matches.\n\nFor somebody.\n"""\n')
    assert str(fault).startswith("bot/match.py:3: W1 “somebody”: ")


def test_the_command_prints_faults_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("seat = 1\n")
    bad.write_text("found = 1\n")
    assert main([str(good)]) == 0
    assert capsys.readouterr().out == ""
    assert main([str(good), str(bad)]) == 1
    assert capsys.readouterr().out == f"{bad}:1: N1 {ADVICE}\n"
