"""Databases are opened by their addresses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import ROOT, TOKEN

WITHOUT_DRIVER = "import sys; sys.modules['asyncpg'] = None; from bot.app.cli import entry; entry()"


@pytest.mark.slow
@pytest.mark.parametrize(("command", "code"), [("run", 78), ("check", 1), ("health", 78)])
def test_a_missing_driver_names_the_extra(command: str, code: int, tmp_path: Path) -> None:
    refused = subprocess.run(
        [sys.executable, "-c", WITHOUT_DRIVER, command],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": "postgresql://starpost@127.0.0.1/starpost",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (refused.stdout + refused.stderr).splitlines()
    assert refused.returncode == code
    (line,) = [line for line in lines if "asyncpg" in line]
    assert line.endswith("install starpost[postgres] instead of starpost.")
    assert not [line for line in lines if "Traceback" in line]
