"""Earlier versions of Starpost, out of git, with the requirements that they locked."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from tests.support.command import ROOT

FOLDER = ROOT / "build" / "upgrades"
UV = Path(sys.executable).parent / "uv"

AGAINST_FAKE = """
import runpy, sys
import discord, yarl
port = sys.argv.pop(1)
discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{port}/gateway")
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""
"""Runs the command `starpost` of any version against the fake Discord on a port."""


class Earlier(NamedTuple):
    """A version that was released, or used from the repository.

    Attributes:
        commit: last commit of the version.
        clock: words of `/play` for 3 days and 12 hours more each turn.
    """

    version: str
    commit: str
    clock: str


EARLIER = (
    Earlier("0.1.0", "37da1a179967", "3 days, and 12 hours a turn"),
    Earlier("0.2.0", "a433132546ab", "3 days + 12 h per turn"),
)


class Installation(NamedTuple):
    """A version that can be run."""

    python: Path
    tree: Path

    def command(self, *arguments: str) -> tuple[str, ...]:
        """Return the command `starpost` with arguments."""
        return (str(self.python), "-m", "bot", *arguments)

    def against_fake(self, port: int) -> tuple[str, ...]:
        """Return the command that runs the bot on a fake Discord."""
        return (str(self.python), "-c", AGAINST_FAKE, str(port), "run")

    def environment(self, token: str) -> Mapping[str, str]:
        """Return the environment of a command: a token, and the packages of this version."""
        return {"PATH": "/usr/bin:/bin", "DISCORD_TOKEN": token, "PYTHONPATH": str(self.tree)}


PRESENT = Installation(Path(sys.executable), ROOT)


def install(earlier: Earlier) -> Installation:
    """Return an earlier version with its requirements; they are downloaded once.

    Raises:
        SystemExit: this repository does not have its commit.
    """
    tree = FOLDER / earlier.version
    installation = Installation(tree / ".venv" / "bin" / "python", tree)
    complete = tree / ".complete"
    if complete.exists() and complete.read_text("utf-8") == earlier.commit:
        return installation
    archive = subprocess.run(
        ["git", "archive", earlier.commit], cwd=ROOT, capture_output=True, check=False
    )
    if archive.returncode:
        raise SystemExit(f"{earlier.version}: {archive.stderr.decode().strip()}")
    tree.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(tree, filter="data")
    _run(UV, "venv", "--quiet", "--clear", "--python", sys.executable, tree / ".venv")
    install = (UV, "pip", "install", "--quiet", "--python", installation.python)
    _run(*install, "--require-hashes", "--requirement", tree / "requirements" / "run.txt")
    _run(*install, "--no-deps", tree)
    complete.write_text(earlier.commit, "utf-8")
    return installation


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)
