"""How many seats a match needs: the people who are named decide, where the game allows it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import AnyGame, IllegalActionError


def seated(game: AnyGame, chosen: Mapping[str, str], people: int) -> dict[str, str]:
    """Return a match's options, completed so that there is a seat for each of these people.

    Args:
        game: which game.
        chosen: the options that the challenger has chosen; they stay as they are.
        people: how many play, the challenger included.

    Raises:
        IllegalActionError: there are not so many seats.
    """
    options = dict(chosen)
    if _seats(game, options) >= people:
        return options
    for name in game.options:
        if name not in chosen and (found := _fitting(game, options, name, people)):
            return options | {name: found}
    for name, value in chosen.items():
        if name in game.options and _fitting(game, options, name, people):
            raise IllegalActionError(
                "",
                "With “{option}: {value}” this match has {count} seats, but there are {people} "
                "of you: leave out “{option}”, or invite fewer players.",
                option=name,
                value=value,
                count=_seats(game, options),
                people=people,
            )
    count = _seats(game, options)
    raise IllegalActionError(
        "", "{game} is for {count} players: invite fewer players.", game=game.title, count=count
    )


def _fitting(game: AnyGame, options: Mapping[str, str], name: str, people: int) -> str:
    """Return the first value of an option that makes enough seats; empty if none does."""
    values = (v for v in game.options[name] if _seats(game, {**options, name: v}) >= people)
    return next(values, "")


def _seats(game: AnyGame, options: Mapping[str, str]) -> int:
    return len(game.seats(options))
