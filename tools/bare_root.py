"""Run Starpost from its wheel in a Debian that has nothing but Python, pip and pipx.

    sudo .venv/bin/python -m tools.bare_root

debootstrap makes the root in build/bare_root, once, and pipx installs uv there. Then the lines of
docs/hosts/hosting.md are run in it with chroot, as they are: `starpost sandbox` with uvx and pipx,
and `starpost run` with uvx, each with empty caches, with the downloads of before, and once more.
Printed are the seconds until a page plays, by a click in Chromium outside of the root, and until
the bot has answered an interaction of the tests' Discord.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.chromium import opened_tab
from tests.support.command import ROOT, TOKEN
from tests.support.fake_discord import FakeDiscord, until
from tests.support.fake_objects import GUILD
from tests.verification.kills import payloads
from tests.verification.kills.payloads import Person, Place, said

BARE = ROOT / "build" / "bare_root"
SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
PACKAGES = "python3,python3-venv,python3-pip,pipx,ca-certificates"
HOME = Path("root")
WORK = HOME / "starpost"

LIMIT = 600.0
"""Seconds that a line may take, with its downloads."""

OF_THE_MACHINE = (
    "etc/resolv.conf",
    "etc/hosts",
    "etc/ssl/certs/ca-certificates.crt",
    "etc/pip.conf",
)
"""Files that let programs in the root reach package indexes as they do outside."""

OF_THE_USER = (".config/pip/pip.conf", ".config/uv/uv.toml")
KEPT = re.compile("PIP_(?!FIND_LINKS).*|UV_.*|SSL_CERT_FILE")
ENVIRONMENTS = (".cache/uv/environments-v2", ".local/pipx/.cache")
DOWNLOADS = (".cache/uv", ".cache/pip")
STATES = {
    "empty caches": (*DOWNLOADS, *ENVIRONMENTS),
    "without downloads": ENVIRONMENTS,
    "again": (),
}
"""Name of a trial → the folders that are deleted before it."""

SITE = """
try:
    import discord, os, yarl
    port = os.environ["FAKE_DISCORD"]
    discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    gateway = yarl.URL(f"ws://127.0.0.1:{port}/gateway")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
except ImportError:  # a Python without the bot
    pass
"""
"""sitecustomize.py: any Python of the root that has discord.py speaks to the fake Discord."""

PLAY = """
(() => {
  const labels = [...document.querySelectorAll('button')];
  const found = labels.find((each) => /Play Wormholes now/.test(each.innerText));
  if (found) found.click();
  return Boolean(found);
})()
"""
BOARD = """
(() => {
  const messages = [...document.querySelectorAll('article.channel-message')];
  const board = messages.find((each) => /Wormholes #/.test(each.innerText)
    && [...each.querySelectorAll('img.gallery-image, .gallery-image img')].length);
  return Boolean(board);
})()
"""
"""Whether a match has its board."""


def prepare() -> None:
    """Make the root, with uv, if it is not there.

    Raises:
        SystemExit: a program or the right to do it is missing.
    """
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        raise SystemExit("This needs to be root, and debootstrap (apt-get install debootstrap).")
    if not (BARE / "usr" / "bin" / "pipx").exists():
        shutil.rmtree(BARE, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE]
        subprocess.run([*command, BARE, MIRROR], check=True, stdout=subprocess.DEVNULL)
    pairs = [(Path("/") / name, BARE / name) for name in OF_THE_MACHINE]
    pairs += [(Path.home() / name, BARE / HOME / name) for name in OF_THE_USER]
    for source, target in pairs:
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    (BARE / WORK).mkdir(parents=True, exist_ok=True)
    if not (BARE / HOME / ".local" / "bin" / "uvx").exists():
        subprocess.run(_chroot("pipx install uv >/dev/null 2>&1"), env=_environment(), check=True)


def _chroot(line: str) -> tuple[str, ...]:
    """Return the command that runs a line in the root, which has a /proc as in a container."""
    unshare, chroot = (shutil.which(name) or name for name in ("unshare", "chroot"))
    mounted = f'mount -t proc proc {BARE}/proc; exec {chroot} {BARE} /bin/bash -euc "$0"'
    return (unshare, "--mount", "/bin/bash", "-euc", mounted, f"cd /{WORK}; {line}")


def _environment() -> dict[str, str]:
    variables = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    path = f"/{HOME}/.local/bin:/usr/local/bin:/usr/bin:/bin"
    return variables | {"PATH": path, "HOME": f"/{HOME}", "PYTHONUNBUFFERED": "1"}


def deliver_wheel() -> str:
    """Build the wheel, put it into the root, and return its path from the folder of the lines."""
    subprocess.run(["make", "--silent", "wheel"], cwd=ROOT, check=True)
    (wheel,) = (ROOT / "dist").glob("*.whl")
    shutil.rmtree(BARE / WORK)
    (BARE / WORK / "dist").mkdir(parents=True)
    shutil.copyfile(wheel, BARE / WORK / "dist" / wheel.name)
    return f"dist/{wheel.name}"


def forget(names: tuple[str, ...]) -> None:
    """Delete folders of the home in the root."""
    for name in names:
        shutil.rmtree(BARE / HOME / name, ignore_errors=True)


@asynccontextmanager
async def running(line: str, **variables: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a line in the root, and end it."""
    process = await asyncio.create_subprocess_exec(
        *_chroot(f"exec {line}"),
        env=_environment() | variables,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(LIMIT):
            yield process
    finally:
        if process.returncode is None:
            process.terminate()
        assert process.stdout
        output = await process.stdout.read()
        if await process.wait() not in (0, -15, 143):
            raise SystemExit(f"{line}: exit {process.returncode}\n{output.decode()}")


async def play(line: str) -> str:
    """Run a sandbox, and begin a match on its page; returns the seconds that each step took."""
    begin = time.monotonic()
    async with running(f"{line} --port 0") as process:
        assert process.stdout
        address = None
        while not address:
            output = (await process.stdout.readline()).decode()
            if not output:
                raise SystemExit(f"{line}: there is no page")
            address = re.search(r"http://\S+", output)
        opened = time.monotonic() - begin
        with TemporaryDirectory() as profile:
            async with opened_tab(address[0], Path(profile)) as tab:
                await tab.until("window.simcordPreview?.ready")
                ready = time.monotonic() - begin
                await tab.until(PLAY)
                await tab.until(BOARD)
        played = time.monotonic() - begin
    return f"address {opened:.1f} s, page {ready:.1f} s, a match with its board {played:.1f} s"


async def host(line: str) -> str:
    """Run the bot against the tests' Discord; returns the seconds that each step took."""
    site = HOME / "site"
    (BARE / site).mkdir(exist_ok=True)
    (BARE / site / "sitecustomize.py").write_text(SITE, "utf-8")
    fake = FakeDiscord(time.time)
    fake.servers = [payloads.server(GUILD, "en-US")]
    async with fake.open():
        begin = time.monotonic()
        environment = {
            "DISCORD_TOKEN": TOKEN,
            "FAKE_DISCORD": str(fake.port),
            "PYTHONPATH": f"/{site}",
        }
        arrival = fake.arrival
        async with running(line, **environment) as process:
            await until(lambda: arrival.done() or process.returncode is not None)
            connected = time.monotonic() - begin
            if not arrival.done():
                raise SystemExit(f"{line}: it does not connect")
            command = payloads.command(10_000, Person(11, "Ada"), Place(GUILD, 5000), "help")
            await fake.interact(command)
            answer = said(await fake.answer(10_000))
            if "/play" not in answer:
                raise SystemExit(f"{line}: /help answers {answer!r}")
            answered = time.monotonic() - begin
    return f"connected {connected:.1f} s, /help answered {answered:.1f} s"


async def main() -> None:
    """Measure all lines."""
    prepare()
    wheel = deliver_wheel()
    sandbox = f"'{wheel}[sandbox]' starpost sandbox"
    lines = {
        f"uvx --from {sandbox}": play,
        f"pipx run --spec {sandbox}": play,
        f"uvx --from {wheel} starpost run": host,
    }
    for line, run in lines.items():
        for state, names in STATES.items():
            forget(names)
            print(f"{line}   ({state}): {await run(line)}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
