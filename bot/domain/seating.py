"""The number of seats of a match, adapted to the named players where the game allows it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import AnyGame, IllegalActionError
from engine.i18n import NP_


def options_for(game: AnyGame, requested: Mapping[str, str], people: int) -> dict[str, str]:
    """Return a match's options, completed so that each player has a seat.

    Args:
        requested: the options that the challenger has chosen; kept unchanged.
        people: number of players, including the challenger.

    Raises:
        IllegalActionError: the match has too few seats.
    """
    options = dict(requested)
    if _seats(game, options) >= people:
        return options
    for name in game.options:
        if name not in requested and (fitting := _fitting(game, options, name, people)):
            return options | {name: fitting}
    for name, value in requested.items():
        if name in game.options and _fitting(game, options, name, people):
            raise IllegalActionError(
                "",
                NP_(
                    "With “{option}: {value}” this match has {count} seat, too few for all of you: "
                    "leave out “{option}”, or invite fewer players.",
                    "With “{option}: {value}” this match has {count} seats, too few for all of "
                    "you: leave out “{option}”, or invite fewer players.",
                ),
                option=name,
                value=value,
                count=_seats(game, options),
            )
    count = _seats(game, options)
    raise IllegalActionError(
        "",
        NP_(
            "{game} is for {count} player: invite fewer players.",
            "{game} is for {count} players: invite fewer players.",
        ),
        game=game.title,
        count=count,
    )


def options_with_seats(game: AnyGame, requested: Mapping[str, str], count: int) -> dict[str, str]:
    """Return a match's options, changed so that it has this number of seats.

    Raises:
        ValueError: the game has no such match.

    Example:
        >>> from engine import games
        >>> options_with_seats(games.get("warp6"), {"setup": "secret"}, 3)
        {'setup': 'secret', 'seats': '3'}
    """
    options = dict(requested)
    if _seats(game, options) == count:
        return options
    for name, values in game.options.items():
        for value in values:
            if _seats(game, {**options, name: value}) == count:
                return options | {name: value}
    raise ValueError(f"{game.name} is not for {count} players")


def _fitting(game: AnyGame, options: Mapping[str, str], name: str, people: int) -> str:
    """Return the first value of an option with enough seats; empty if there is none."""
    values = (v for v in game.options[name] if _seats(game, {**options, name: v}) >= people)
    return next(values, "")


def _seats(game: AnyGame, options: Mapping[str, str]) -> int:
    return len(game.seats(options))
