"""Follow the README's and docs/hosts/hosting.md's instructions for hosts, word for word.

    python -m tools.walkthrough

The commands are taken out of the files and run in clean clones, in an empty home, with nothing
installed but Python, git and uv. A sandbox has to print an address that answers. The last command
starts the bot with `…` in place of a token: it has to refuse that in one line, with exit code 78.
Then the same installation starts against the tests' Discord, says so in its first line, and ends
when it is told to.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp

from tests.support.command import ROOT, TOKEN
from tests.support.fake_discord import FakeDiscord, until

REFUSED = 78
LIMIT = 600.0
"""Seconds that a step may take; installing is the longest."""

KEPT = re.compile("PATH|LANG|PIP_.*|UV_.*|SSL_CERT_FILE")
"""Variables of the environment that stay: the sources of programs and packages."""

OF_UV = re.compile(r"Installed \d+ packages|Downloading | *Downloaded ")
"""What uvx says on standard error before it starts a program."""

PLACES = (
    ("docs/hosts/hosting.md", "### One line"),
    ("README.md", "## Host it"),
    ("docs/hosts/hosting.md", "### By hand"),
)
"""Files, and the headings of the steps; two of them at a time."""


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
        _furnish(home)
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        for command in commands:
            begin = time.monotonic()
            if command.endswith("starpost sandbox"):
                asyncio.run(_open(f"{command} --port 0", clone, home))
                yield f"{file}: {command}   ({time.monotonic() - begin:.0f} s)"
                continue
            process = _run(["bash", "-euc", command], clone, home)
            if process.returncode != (REFUSED if command is commands[-1] else 0):
                raise SystemExit(f"{file}: {command}\nexit {process.returncode}\n{process.stderr}")
            yield f"{file}: {command}   ({time.monotonic() - begin:.0f} s)"
        lines = [line for line in process.stderr.splitlines() if not OF_UV.match(line)]
        if len(lines) != 1 or "DISCORD_TOKEN" not in lines[0]:
            raise SystemExit(f"{file}: the token is not refused in one line:\n{process.stderr}")
        yield f"{file}: {lines[0]}"
        yield f"{file}: {asyncio.run(_start(commands[-1], clone, home))}"


def _furnish(home: Path) -> None:
    """Put into an empty home uv, and the tests' Discord, apart from the program of the clone."""
    (home / "bin").mkdir(parents=True)
    for name in ("uv", "uvx"):
        (home / "bin" / name).symlink_to(Path(sys.executable).parent / name)
    shutil.copytree(ROOT / "tests" / "support", home / "python" / "tests" / "support")


def _environment(home: Path) -> dict[str, str]:
    """Return a minimal environment: the kept variables, this Python first, and an empty home."""
    variables = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    variables["PATH"] = (
        f"{home / 'bin'}:{Path(sys.executable).resolve().parent}:{variables['PATH']}"
    )
    return variables | {"HOME": str(home)}


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


async def _open(command: str, clone: Path, home: Path) -> None:
    """Start a sandbox until its page answers.

    Raises:
        SystemExit: it does not.
    """
    process = await asyncio.create_subprocess_exec(
        *("bash", "-euc", f"exec {command}"),
        cwd=clone,
        env=_environment(home),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    async with asyncio.timeout(LIMIT):
        line = (await process.stdout.readline()).decode()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if not address:
            raise SystemExit(f"{command}: there is no page: {line}")
        async with aiohttp.ClientSession() as session, session.get(address[0]) as page:
            if "html" not in await page.text():
                raise SystemExit(f"{command}: the page does not answer")
        process.terminate()
        await process.wait()


async def _start(command: str, clone: Path, home: Path) -> str:
    """Start the installed bot against the tests' Discord and return its first line.

    Args:
        command: command that runs the bot; its installation is used, not the packages in the clone.
        clone: clone of the repository, its working directory.
        home: see `_furnish`.
    """
    fake = FakeDiscord(time.time)
    async with fake.open():
        program = f"python -m tests.support.against_fake {fake.port} run"
        command = command.removeprefix("DISCORD_TOKEN=… ").replace("starpost run", program)
        process = await asyncio.create_subprocess_exec(
            *("bash", "-euc", f"exec {command}"),
            cwd=clone,
            env=_environment(home)
            | {"DISCORD_TOKEN": TOKEN, "PYTHONSAFEPATH": "1", "PYTHONPATH": str(home / "python")},
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
    with ThreadPoolExecutor(2) as pool:
        for lines in pool.map(lambda place: list(walk(*place)), PLACES):
            print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
