"""Pools: which matches can be rated, and whose ratings are compared.

The variants of a game share a pool; matches of two and of three have one each, and so have those
against the computer, whose levels never change.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.services.models import Player
from bot.services.terms import Terms
from engine import games
from engine.game import AnyGame
from render.i18n import _


def pool_of(game: AnyGame, options: Mapping[str, str]) -> str:
    """Return the pool of the matches of a game between people.

    Example:
        >>> pool_of(games.get("warp6"), {"seats": "3"})
        'warp6/3'
    """
    return f"{game.name}/{len(game.seats(options))}"


def pool_title(pool: str) -> str:
    """Return the name of a pool, in the current language."""
    name, count = pool.split("/")
    game = games.get(name)
    if len({len(game.seats({option: value})) for option, value in _choices(game)}) < 2:
        return game.title
    return _("{game} for {count}").format(game=game.title, count=count)


def rating_refusal(game: AnyGame, options: Mapping[str, str], *, computers: bool) -> str:
    """Return why a match cannot be rated; empty if it can.

    Args:
        game: the game.
        options: name → value.
        computers: whether the computer has a seat.
    """
    if not _is_even(game, options):
        return _("A match with a handicap can't be rated.")
    if computers:
        return _("A match against the computer can't be rated.")
    return ""


def terms_refusal(terms: Terms, players: Collection[Player]) -> str:
    """Return why a match cannot begin on these terms as a rated one; empty if it can."""
    if not terms.rated:
        return ""
    if terms.lines:
        return _("A match that goes on from a position can't be rated.")
    computers = any(each.is_computer for each in players)
    return rating_refusal(games.get(terms.game), terms.options, computers=computers)


def _is_even(game: AnyGame, options: Mapping[str, str]) -> bool:
    """Return whether the options that belong to a seat are the same for all seats."""
    values: dict[str, set[str]] = {}
    for name, each in game.options.items():
        stem, __, seat = name.rpartition("_")
        if stem and seat in game.sides:
            values.setdefault(stem, set()).add(options.get(name, each[0]))
    return all(len(each) == 1 for each in values.values())


def _choices(game: AnyGame) -> list[tuple[str, str]]:
    """Return each value of each option."""
    return [(name, value) for name, values in game.options.items() for value in values]


def all_pools() -> tuple[str, ...]:
    """Return all pools, in the order of the games."""
    return tuple(
        dict.fromkeys(
            pool_of(games.get(name), {option: value})
            for name in games.names()
            for option, values in games.get(name).options.items()
            for value in values
        )
    )
