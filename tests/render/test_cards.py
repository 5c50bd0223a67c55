"""Cards of players hold names only as long as they may."""

from __future__ import annotations

from render.cards import Side, card, clear_cache
from render.text import measure, text_sprite
from render.themes import DARK
from render.typeface import runs


def test_no_name_stays_in_memory_after_clearing() -> None:
    caches = (card, text_sprite, measure, runs)
    card(DARK, "Ada Lovelace", Side("Tom", ((0, 1), (1, 0), (0, -1))), "", 600)
    assert all(cached.cache_info().currsize for cached in caches)
    clear_cache()
    assert not any(cached.cache_info().currsize for cached in caches)
