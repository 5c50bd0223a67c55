"""Draws docs/players/first-match/*.png and by-post/*.png: matches, in a browser.

It plays on the sandbox's own page, as one or both players, at a phone's width. It needs Chromium
and Playwright for Python, which no other part of the project needs; so Playwright is not among the
pinned requirements, and where one of the two is missing this says so and draws nothing. Have
Playwright on the PYTHONPATH, and name the browser in CHROMIUM if it has another name.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).parent.parent
PLAYERS = ROOT / "docs" / "players"
FOLDER = PLAYERS / "first-match"
BY_POST = PLAYERS / "by-post"
PHONE = {"width": 400, "height": 850}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PAUSE = 1500
"""Milliseconds until the page has settled."""
ANSWER_PAUSE = 5000
"""Milliseconds in which the computer answers a choice."""
MOST_MATCHES = 20
"""Maximum number of matches until Ada wins the opening roll of one."""
NOTES = "A black hole belongs next to a base.\nThe bot looks at the middle first."
HINT_TIMEOUT = 60_000
"""Milliseconds in which the computer has to find a hint."""


@contextmanager
def sandbox() -> Iterator[str]:
    """Run a sandbox inside the block and yield its address."""
    command = [sys.executable, "-m", "bot", "sandbox", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout
            yield re.findall(r"http\S+", running.stdout.readline())[0]
        finally:
            running.terminate()


class Tab:
    """The page as one player has it open."""

    def __init__(self, browser: Any, address: str, name: str) -> None:
        self.page = browser.new_context(viewport=PHONE).new_page()
        self.page.set_default_timeout(10_000)
        self.page.goto(address)
        self.page.locator("#viewer-picker").select_option(label=name)
        self.settle()

    def settle(self) -> None:
        """Let the page come to rest."""
        self.page.wait_for_timeout(PAUSE)

    def click(self, label: str) -> None:
        """Press the newest button with this label."""
        button = self.page.locator("button.component-button").get_by_text(label, exact=True)
        button.last.click()
        self.settle()

    def wait_for_answer(self) -> None:
        """Let the computer answer."""
        self.page.wait_for_timeout(ANSWER_PAUSE)

    def shoot(self, name: str, folder: Path = FOLDER, at: str = "") -> None:
        """Save a picture of the page, from the channel's name down.

        Args:
            name: name of the file, without its ending.
            folder: folder of the file.
            at: words at the lower edge; empty for the end of the page.
        """
        self.page.evaluate("document.querySelector('#channel-timeline').scrollTop = 1e9")
        if at:
            words = self.page.get_by_text(at).last
            words.evaluate("element => element.scrollIntoView({block: 'end'})")
        self.settle()
        self.page.mouse.move(0, 0)
        png = self.page.locator("#channel-layout").screenshot()
        picture = Image.open(io.BytesIO(png)).convert("RGB")
        folder.mkdir(exist_ok=True)
        picture.save(folder / f"{name}.png", optimize=True)

    def asks(self, name: str) -> bool:
        """Return whether the newest board asks this player."""
        heads = re.findall(r"@(\w+): place", self.page.inner_text("#channel-message-list"))
        return bool(heads) and heads[-1] == name


def draw(browser: Any, address: str) -> None:
    """Play up to the first coin and keep a picture of each step."""
    tabs = {name: Tab(browser, address, name) for name in ("Ada", "Bo")}
    ada, bo = tabs.values()
    ada.page.locator("#channel-composer-input").press_sequentially("/play", delay=30)
    ada.settle()
    for keys in ("Enter", "Enter", "Bo", "Enter"):  # the command, its first option, its value
        (ada.page.keyboard.type if keys == "Bo" else ada.page.keyboard.press)(keys)
        ada.settle()
    ada.shoot("1-play")
    ada.page.click("#send-message")
    ada.settle()
    ada.shoot("2-card")
    ada.click("Challenge")
    bo.settle()
    bo.shoot("3-challenge")
    bo.click("Accept")
    while not ada.asks("Ada") and not bo.asks("Bo"):
        ada.settle()
    first, other = (ada, bo) if ada.asks("Ada") else (bo, ada)
    first.shoot("4-roll")
    first.click("Place first")
    first.shoot("5-coin")
    first.click("3")
    first.shoot("6-space")
    first.click("10–11")
    first.shoot("7-area")
    first.click("e11")
    other.settle()
    other.shoot("8-placed")


def draw_alone(browser: Any, address: str) -> None:
    """Begin a match against the computer, and keep a picture of a hint."""
    ada = Tab(browser, address, "Ada")
    ada.click("Play Wormholes now")
    hint = ada.page.locator("button.component-button").get_by_text("Hint", exact=True)
    hint.last.wait_for()
    ada.click("Hint")
    answer = re.compile("My choice:|as good as any")
    ada.page.get_by_text(answer).last.wait_for(timeout=HINT_TIMEOUT)
    ada.shoot("9-hint")


def draw_by_post(browser: Any, address: str) -> None:
    """Take a move back with the answer to it, write notes, and look at the end of the match."""
    ada = Tab(browser, address, "Ada")
    first = ada.page.locator("button.component-button").get_by_text("Place first", exact=True)
    for _ in range(MOST_MATCHES):
        ada.click("Play Wormholes now")
        ada.wait_for_answer()
        if first.count():
            break
    for label in ("Place first", "3", "10–11", "e11"):
        ada.click(label)
    ada.wait_for_answer()
    for label in ("Match…", "Take back my move"):
        ada.click(label)
    ada.wait_for_answer()
    ada.shoot("1-takeback", BY_POST, at="took back their last move")
    for label in ("Match…", "Notes…"):
        ada.click(label)
    ada.page.locator("textarea[name=text]").fill(NOTES)
    ada.shoot("2-notes", BY_POST)
    ada.page.get_by_text("Submit", exact=True).last.click()
    ada.settle()
    for label in ("3", "10–11", "e11"):
        ada.click(label)
    ada.wait_for_answer()
    for label in ("Match…", "Resign…", "Resign"):
        ada.click(label)
    ada.wait_for_answer()
    for label in ("Replay", "Last", "Back"):
        ada.click(label)
    ada.shoot("3-replay", BY_POST)


def main() -> str:
    """Draw all pictures and return a message that says so, or which program is missing."""
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        return "No screenshots: there is no Chromium here."
    try:
        playwright = import_module("playwright.sync_api")
    except ImportError:
        return "No screenshots: Playwright for Python is not on the PYTHONPATH."
    with sandbox() as address, playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        draw(launched, address)
        draw_alone(launched, address)
        draw_by_post(launched, address)
    return f"Drawn: {FOLDER.relative_to(ROOT)}, {BY_POST.relative_to(ROOT)}"


if __name__ == "__main__":
    print(main())
