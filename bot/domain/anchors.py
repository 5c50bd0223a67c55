"""Anchors: the ratings of the computer's levels, which never change.

A level is an anchor under one version of the players: the same name and version choose the same on
every server, so ratings against them can be compared between servers. A new version gets anchors of
its own, measured by `python -m tools.anchors`; the rows of earlier ones stay as long as results
refer to them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from bot.domain.ratings import Rating
from engine import packages
from engine.packages import GamePackage, PackageError

PLAYERS_VERSION = 9
"""The version of the computer players; here, because their module loads all their networks."""


def _pools(game: str, _package: GamePackage) -> dict[str, dict[str, int]]:
    """Return the anchors of a game by pool; those of other games are left out.

    Raises:
        PackageError: a rating is no whole number.
        OSError, ValueError: the package has no such file, or it cannot be read.
    """
    file = packages.file_of(game, "anchors")
    pools = tomllib.loads(file.read_text(encoding="utf-8")) if file else {}
    pools = {pool: levels for pool, levels in pools.items() if pool.partition("/")[0] == game}
    if not all(type(number) is int for levels in pools.values() for number in levels.values()):
        raise PackageError("anchors are whole numbers")
    return pools


ANCHORS: Mapping[str, Mapping[str, int]] = {
    pool: levels for pools in packages.collect(_pools).values() for pool, levels in pools.items()
}
"""Pool → name and version of a player → its strength, as `mu`."""


def anchor_of(pool: str, name: str | None) -> Rating | None:
    """Return the rating of a computer player in a pool; None if it has not been measured.

    Args:
        pool: see `bot.domain.pools.pool_of`.
        name: such as `admiral/1`; None for a person.
    """
    strength = ANCHORS.get(pool, {}).get(name or "")
    return None if strength is None else Rating(float(strength), 0.0)
