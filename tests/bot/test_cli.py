"""The command `starpost`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

STARPOST = Path(sys.executable).with_name("starpost")


def starpost(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [STARPOST, *arguments], input=text, capture_output=True, text=True, check=False
    )


def test_the_engine_is_reached_through_the_command() -> None:
    record = starpost("engine", "play", "wormholes", "--seed", "3").stdout
    replay = starpost("engine", "replay", "-", text=record)
    assert replay.stdout in ("O base\n", "D base\n")
    assert "follow from the seed" in starpost("engine", "verify", "-", text=record).stdout


def test_the_exit_code_of_the_engine_is_passed_on() -> None:
    assert starpost("engine", "replay", "-", text="Game: chess\n\n").returncode == 1


def test_help_and_version_are_there() -> None:
    assert "engine" in starpost("--help").stdout
    assert "0.1.0" in starpost("--version").stdout
