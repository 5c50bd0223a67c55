"""Do what the README and docs/hosts/hosting.md tell a host to do by hand, word for word.

    python -m tools.walkthrough

The commands are taken out of the files and run in clean clones, in an empty home, with nothing
installed but Python and git. The last one starts the bot with `…` in place of a token: it has to
refuse that in one line, with exit code 78. Then the same installation starts against the tests'
Discord, says so in its first line, and ends when it is told to.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.command import ROOT, TOKEN
from tests.support.fake_discord import FakeDiscord, until

REFUSED = 78
LIMIT = 600.0
"""Seconds that a step may take; installing is the longest."""

KEPT = re.compile("PATH|LANG|PIP_.*|SSL_CERT_FILE")
"""Variables of the environment that stay: the sources of programs and packages."""

PLACES = {
    "README.md": "## Host it",
    "docs/hosts/hosting.md": "### By hand",
}
"""File → the heading under which the steps stand."""


def steps(text: str, heading: str) -> list[str]:
    r"""Return the commands under a heading, up to the next: lines that are indented as code.

    Example:
        >>> steps("# A\n\nSay:\n\n    make play\n\n# B\n\n    rm x\n", "# A")
        ['make play']
    """
    section = re.split(r"^#+ ", text.partition(f"{heading}\n")[2], flags=re.MULTILINE)[0]
    blocks = re.findall(r"(?:^ {4,}\S.*\n)+", section, re.MULTILINE)
    return [line for block in blocks for line in textwrap.dedent(block).splitlines()]


def walk(file: str, heading: str) -> Iterator[str]:
    """Do the steps of one file; yields a line for each.

    Raises:
        SystemExit: one does not do what it should.
    """
    commands = steps((ROOT / file).read_text("utf-8"), heading)
    if not commands or "starpost run" not in commands[-1]:
        raise SystemExit(f"{file}: there are no steps that end with the bot under “{heading}”")
    with TemporaryDirectory() as temporary:
        home, clone = Path(temporary) / "home", Path(temporary) / "starpost"
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        for command in commands:
            begin = time.monotonic()
            done = _run(["bash", "-euc", command], clone, home)
            if done.returncode != (REFUSED if command is commands[-1] else 0):
                raise SystemExit(f"{file}: {command}\nexit {done.returncode}\n{done.stderr}")
            yield f"{file}: {command}   ({time.monotonic() - begin:.0f} s)"
        if done.stderr.count("\n") != 1 or "DISCORD_TOKEN" not in done.stderr:
            raise SystemExit(f"{file}: the token is not refused in one line:\n{done.stderr}")
        yield f"{file}: {done.stderr.strip()}"
        yield f"{file}: {asyncio.run(_start(clone, home))}"


def _environment(home: Path) -> dict[str, str]:
    """Return a minimal environment: the kept variables, this Python first, and an empty home."""
    kept = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    kept["PATH"] = f"{Path(sys.executable).resolve().parent}:{kept['PATH']}"
    return kept | {"HOME": str(home)}


def _run(command: list[str], clone: Path, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=clone,
        env=_environment(home),
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


async def _start(clone: Path, home: Path) -> str:
    """Start the installed bot against the tests' Discord and return its first line."""
    fake = FakeDiscord(time.time)
    async with fake.open():
        process = await asyncio.create_subprocess_exec(
            *(".venv/bin/python", "-m", "tests.support.against_fake", str(fake.port), "run"),
            cwd=clone,
            env=_environment(home) | {"DISCORD_TOKEN": TOKEN},
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stderr
        async with asyncio.timeout(LIMIT):
            await until(lambda: fake.connected or process.returncode is not None)
            if process.returncode is None:
                process.terminate()
            log = (await process.stderr.read()).decode()
            if await process.wait():
                raise SystemExit(f"the bot does not run:\n{log}")
    first = next(line for line in log.splitlines() if "bot.app.run" in line)
    return first.partition("bot.app.run: ")[2]


def main() -> None:
    """Walk through all of it."""
    for file, heading in PLACES.items():
        for line in walk(file, heading):
            print(line, flush=True)


if __name__ == "__main__":
    main()
