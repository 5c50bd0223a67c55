"""A player with one tab: begins a match against the computer and follows its hints, by clicks."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

from tests.support.chromium import Tab

CLICK_SECONDS = 0.1
"""Polling interval for something to click."""

FIND = """
((game) => {
  const articles = [...document.querySelectorAll('article.channel-message')].reverse();
  const label = (each) => each.innerText.trim();
  const buttons = (article) => [...article.querySelectorAll('button.component-button')];
  const named = (article, name) => buttons(article).find((each) => label(each) === name);
  const board = articles.find((each) => each.querySelector('.gallery-image')
    && (named(each, 'Hint') || named(each, 'Rematch')));
  const newer = board ? articles.slice(0, articles.indexOf(board)) : [];
  const hint = newer.find((each) => /My choice:|Nothing stands out/.test(each.innerText)
    && buttons(each).length);
  const begun = articles.some((each) => each.innerText.includes(`${game} #`));
  if (!begun) return named(articles.at(-1), `Play ${game} now`);
  if (hint) return buttons(hint)[0];
  return board && (named(board, 'Rematch') || named(board, 'Hint'));
})"""

CLICK = """
((found) => {
  if (!found || found.disabled || found.getAttribute('aria-disabled') === 'true') return '';
  const label = found.innerText.trim();
  if (label !== 'Rematch') found.click();
  return label;
})"""

STATUS = "[...document.querySelectorAll('[role=status]')].map((each) => each.innerText).join(' ')"


class Played(NamedTuple):
    """A match played to its end.

    Attributes:
        clicks: how often the player clicked.
        refused: how many of these clicks the page did not accept.
        seconds: time from the first click to the end.
    """

    clicks: int
    refused: int
    seconds: float


async def play_alone(tab: Tab, game: str) -> Played:
    """Play a match to its end: ask for each hint, and follow it."""
    clicks = refused = 0
    begun = time.perf_counter()
    await tab.until("window.simcordPreview?.ready")
    while (label := await tab.evaluate(f"{CLICK}({FIND}('{game}'))")) != "Rematch":
        clicks += bool(label)
        await asyncio.sleep(CLICK_SECONDS)
        status = await tab.until(f"/Completing|Updating/.test({STATUS}) ? '' : {STATUS}")
        refused += bool(label) and "not completed" in status
    return Played(clicks, refused, time.perf_counter() - begun)
