"""Positions of the rulebook, as shown in lessons, puzzles and positions of the day."""

from __future__ import annotations

from bot.i18n import sides
from bot.rulebook.lessons import Step, TryResult
from engine.game import Action, View
from render import for_game
from render.i18n import _

POSITION_FILE = "position.png"


def known(view: View) -> list[str]:
    """Return the knowledge of a puzzle's player that the picture does not show."""
    return [f"-# {line}" for line in for_game(view.game).hand(view).splitlines()]


def chosen(view: View, path: str) -> list[str]:
    """Return the beginning of a choice that a path leads to."""
    verb, *args = path.partition("/")[0].split() or [""]
    if not args:
        return []
    label = for_game(view.game).label(view, Action(view.seat, verb, tuple(args)))
    return [_("Chosen: {step}").format(step=label)]


def cost_of(step: Step, tried: TryResult) -> str:
    """Return the cost of a choice in a puzzle."""
    words = _(
        "By my estimate you'd then win about {value} of 100 matches from here, "
        "and {best} of 100 after the best choice."
    )
    if tried.value is None:
        words = _(
            "I'd hardly consider it; the best choice wins about {best} of 100 matches from here."
        )
    return words.format(value=tried.value, best=step.values[0][1])


def compared(step: Step) -> str:
    """Return the gain of a puzzle's best choice over the next best."""
    (_name, best), (_other, second) = step.values[:2]
    words = _(
        "-# By my estimate it wins about {best} of 100 matches from here; the next best {second}."
    )
    return words.format(best=best, second=second)


def alt_of(view: View) -> str:
    """Return the alternative text of the picture of a position without a match."""
    return for_game(view.game).alt_text(view, sides(view.game))
