"""Pools: which matches can be rated, and whose ratings are compared.

The variants of a game share a pool; matches of two and of three have one each, and so have those
against the computer, whose levels never change.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.domain import anchors
from bot.domain.anchors import PLAYERS_VERSION, anchor_of
from bot.domain.models import Player
from bot.domain.terms import Terms
from engine import games
from engine.game import AnyGame
from render.i18n import _

COMPUTERS = "computers"
"""Last part of the names of pools against the computer."""


def pool_of(game: AnyGame, options: Mapping[str, str], *, computers: bool = False) -> str:
    """Return the pool of the matches of a game: between people, or of one against the computer.

    Example:
        >>> pool_of(games.get("warp6"), {"seats": "3"})
        'warp6/3'
        >>> pool_of(games.get("tomtube"), {}, computers=True)
        'tomtube/2/computers'
    """
    pool = f"{game.name}/{len(game.seats(options))}"
    return f"{pool}/{COMPUTERS}" if computers else pool


def pool_title(pool: str) -> str:
    """Return the name of a pool, in the current language."""
    name, count, *computers = pool.split("/")
    game = games.get(name)
    title = game.title
    if any(_changes_seats(game, option) for option in game.options):
        title = _("{game} for {number}").format(game=title, number=count)
    return _("{game} against the computer").format(game=title) if computers else title


def all_pools() -> tuple[str, ...]:
    """Return all pools in the order of the games, pools with computers after pools of people."""
    pools = [
        pool_of(games.get(name), {option: value}, computers=computers)
        for computers in (False, True)
        for name in games.names()
        for option, values in games.get(name).options.items()
        for value in values
    ]
    return tuple(dict.fromkeys(pools))


def is_solo(players: Collection[Player]) -> bool:
    """Return whether a match is one of a single person against the computer."""
    computers = [player for player in players if player.is_computer]
    return len(computers) == len(players) - 1 > 0


def terms_refusal(terms: Terms, players: Collection[Player]) -> str:
    """Return the reason for refusing to rate a match on these terms, or an empty string."""
    if not terms.rated:
        return ""
    if terms.lines:
        return _("A match that continues from a position can't be rated.")
    game = games.get(terms.game)
    if not _is_even(game, terms.options):
        return _("A match with a handicap can't be rated.")
    if is_solo(players):
        return _solo_refusal(terms, players)
    if any(player.is_computer for player in players):
        return _("A match of several people with the computer can't be rated.")
    return ""


def _solo_refusal(terms: Terms, players: Collection[Player]) -> str:
    """Return the reason for refusing to rate a match of one person against the computer."""
    if not terms.clock:
        return _("A match against the computer needs a clock to be rated, so that it ends.")
    game = games.get(terms.game)
    pool = pool_of(game, terms.options, computers=True)
    names = {f"{player.level}/{PLAYERS_VERSION}" for player in players if player.is_computer}
    if pool not in anchors.ANCHORS:
        return _(
            "The computer's strength in this game isn't measured, so this match can't be rated."
        )
    if not _is_usual(game, terms) or any(anchor_of(pool, name) is None for name in names):
        return _(
            "Against the computer, only matches with the standard rules and options can be rated."
        )
    return ""


def _is_even(game: AnyGame, options: Mapping[str, str]) -> bool:
    """Return whether the options that belong to a seat are the same for all seats."""
    values: dict[str, set[str]] = {}
    for name, option_values in game.options.items():
        stem, __, seat = name.rpartition("_")
        if stem and seat in game.sides:
            values.setdefault(stem, set()).add(options.get(name, option_values[0]))
    return all(len(value) == 1 for value in values.values())


def _is_usual(game: AnyGame, terms: Terms) -> bool:
    """Return whether rules and options are the default ones, apart from the number of seats."""
    usual = all(
        terms.options.get(name, values[0]) == values[0]
        for name, values in game.options.items()
        if not _changes_seats(game, name)
    )
    return usual and terms.rules in ("", game.rules[0])


def _changes_seats(game: AnyGame, option: str) -> bool:
    """Return whether the number of seats depends on an option."""
    return len({len(game.seats({option: value})) for value in game.options[option]}) > 1
