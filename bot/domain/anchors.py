"""Anchors: the ratings of the computer's levels, which never change.

A level is an anchor under one version of the players: the same name and version choose the same on
every server, so ratings against them can be compared between servers. A new version gets anchors of
its own, measured by `python -m tools.anchors`; the rows of earlier ones stay as long as results
refer to them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from bot.domain.ratings import Rating

PLAYERS_VERSION = 7
"""The version of the computer players; here, because their module loads all their networks."""

ANCHORS: Mapping[str, Mapping[str, int]] = tomllib.loads(
    (files("bot.domain") / "anchors.toml").read_text(encoding="utf-8")
)
"""Pool → name and version of a player → its strength, as `mu`."""


def anchor_of(pool: str, name: str | None) -> Rating | None:
    """Return the rating of a computer player in a pool; None if it has not been measured.

    Args:
        pool: see `bot.domain.pools.pool_of`.
        name: such as `admiral/1`; None for a person.
    """
    strength = ANCHORS.get(pool, {}).get(name or "")
    return None if strength is None else Rating(float(strength), 0.0)
