"""The command `starpost` of this very tree, in a process of its own."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path
from tempfile import NamedTemporaryFile

from bot.app.cli import entry

ROOT = Path(__file__).parent.parent.parent
STARPOST = (sys.executable, "-m", "bot")

APPLICATION = 123456789012345678
TOKEN = f"{base64.b64encode(str(APPLICATION).encode()).decode()}.Gabcde.{'x' * 38}"
"""Has the form of a bot's token and is none."""


FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["tests.verification.kills.worker"])  # where most of bot/ is imported


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder of its own, with nothing but these settings.

    The process is forked from one that has imported the bot: that saves a second of each start.
    """
    with NamedTemporaryFile("r") as out, NamedTemporaryFile("r") as errors:
        process = FORKS.Process(
            target=_run_in, args=(folder, arguments, environment, out.name, errors.name)
        )
        process.start()
        process.join()
        return subprocess.CompletedProcess(
            arguments, process.exitcode or 0, out.read(), errors.read()
        )


def _run_in(
    folder: Path, arguments: tuple[str, ...], environment: dict[str, str], out: str, errors: str
) -> None:
    os.chdir(folder)
    path = os.environ["PATH"]
    os.environ.clear()
    os.environ.update({"PATH": path, **environment})
    for number, name in ((1, out), (2, errors)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_TRUNC), number)
    sys.stdout, sys.stderr = (open(number, "w", buffering=1) for number in (1, 2))  # noqa: PTH123, SIM115
    sys.argv = ["starpost", *arguments]
    entry()
