"""What a player has to remember, because it cannot be shown again, and the buttons beside it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from bot.domain.ids import UserId
from bot.domain.models import Match
from bot.interactions.context import Context
from bot.views import ui
from bot.views.plans import to_remember
from engine.game import View
from engine.plans import Plan
from render import for_game

MemoryButtonReader = Callable[[Context, Match, UserId, Sequence[str], str], Awaitable[ui.Button]]
"""Returns the button of a feature for lines that a player has to remember in a match.

The last argument is the path to the choices on the board with the button; empty for all.
"""


class MemoryButtonReaders(NamedTuple):
    """The buttons of features beside what a player has to remember.

    Attributes:
        readers: the readers in the order of the buttons.
    """

    readers: Sequence[MemoryButtonReader]


EARLY_TURNS = 3
"""Number of a player's turns in which choices of plans are listed: the player may not have seen
them, and has made others since."""


def is_early(view: View) -> bool:
    """Return whether a match is in the first turns, with choices of plans to remember."""
    return view.turn <= EARLY_TURNS * len(view.seats)


async def lines_to_remember(
    context: Context, match: Match, user_id: UserId, *, with_plan: bool = True
) -> tuple[str, ...]:
    """Return lines about a player's own latest choice, about those of plans, and about the plan.

    After the first turns, choices of plans are left out if the player has chosen since.

    Args:
        with_plan: whether to include the orders of the plan, which are still to be carried out.

    Raises:
        NoMatchError: there is no such match, or it has not begun.
    """
    own_plan = await context.plans.read(match.id, user_id)
    if not with_plan:
        own_plan = own_plan._replace(plan=Plan(()))
    view = own_plan.perspective.view
    if not for_game(match.game).memory_note(view):
        return ()
    planned_at = own_plan.planned_at if is_early(view) else own_plan.made_at
    places = sorted({*planned_at, *([] if own_plan.chosen_at is None else [own_plan.chosen_at])})
    played = await context.queries.choices_at(match.id, user_id, places) if places else []
    return to_remember(own_plan, played)


async def memory_buttons(
    context: Context, match: Match, user_id: UserId, lines: Sequence[str], path: str = ""
) -> list[ui.Button]:
    """Return the buttons beside lines that a player has to remember, or that the notes have.

    Args:
        path: the path to the choices on the board with the buttons; empty for all.
    """
    readers = context.of(MemoryButtonReaders).readers
    return [await read(context, match, user_id, lines, path) for read in readers]
