"""Plays a match of each game against the computer on the page of `make play`, by clicks alone.

It follows every hint, in a browser without a window, and prints how many clicks and seconds a
match takes. It needs Chromium; name it in CHROMIUM if it has another name.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from engine import games
from tests.support.alone import play_alone
from tests.support.chromium import browser_path, opened_tab
from tools.screenshots import sandbox


async def play(title: str) -> str:
    """Play a match, and return its figures in one line."""
    with sandbox() as address, tempfile.TemporaryDirectory() as profile:
        async with opened_tab(address, Path(profile)) as tab:
            result = await play_alone(tab, title)
    figures = f"{result.clicks} clicks ({result.refused} refused), {result.seconds:.0f} s"
    return f"{title}: played to its end: {figures}"


def main() -> None:
    """Play all games, one after the other."""
    if browser_path() is None:
        print("No matches: there is no Chromium here.")
        return
    for name in games.names():
        print(asyncio.run(play(games.get(name).title)), flush=True)


if __name__ == "__main__":
    main()
