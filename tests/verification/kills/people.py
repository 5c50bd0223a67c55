"""Two users who play match after match, and do all that people do meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from tests.verification.kills.around_matches import (
    ask_computer,
    ask_for_figures,
    be_away,
    be_late,
    be_listed,
    change_name,
    change_settings,
    export,
    look,
    move,
    nudge,
    show_hours,
    snooze,
    watch_again,
)
from tests.verification.kills.beginnings import begin
from tests.verification.kills.choices import choose, plan
from tests.verification.kills.departures import close_dms, have_stand_in, leave_server
from tests.verification.kills.endings import (
    abandon,
    claim,
    forget,
    give_notice,
    offer_draw,
    resign,
)
from tests.verification.kills.notes import write_notes
from tests.verification.kills.table import Table
from tests.verification.kills.takebacks import take_back, take_back_an_answer

STEPS = (5, 40)
"""Least and most that is done in a match."""

Habit = Callable[[Table, int], Awaitable[None]]
"""Something that the users at a table do in a match."""


class Routine(NamedTuple):
    """How the users at a table play.

    Attributes:
        resign: ends a match that still goes on.
    """

    begin: Callable[[Table], Awaitable[int]]
    habits: Mapping[Habit, float]
    resign: Habit


PAIR = Routine(
    begin,
    {
        choose: 60,
        take_back: 12,
        look: 10,
        plan: 6,
        offer_draw: 5,
        claim: 10,
        be_away: 4,
        be_late: 4,
        move: 4,
        snooze: 2,
        nudge: 3,
        abandon: 2,
        give_notice: 2,
        leave_server: 3,
        have_stand_in: 3,
        close_dms: 2,
        change_settings: 3,
        change_name: 2,
        show_hours: 1,
        write_notes: 3,
        ask_for_figures: 3,
        be_listed: 2,
        ask_computer: 1,
        export: 0.5,
        forget: 0.5,
    },
    resign,
)
"""Two users who play with each other."""


TAKING_BACK = Routine(begin, {choose: 1, take_back_an_answer: 3}, resign)
"""Two users whose plans answer each other, and who take that back."""


async def play(table: Table, routine: Routine) -> None:
    """Play until the simulation is over."""
    simulation, random = table.simulation, table.random
    habits, weights = list(routine.habits), list(routine.habits.values())
    while not simulation.over.is_set():
        match = await routine.begin(table)
        for _ in range(random.randrange(*STEPS)):
            if table.now(match).status != "running" or simulation.over.is_set():
                break
            (habit,) = random.choices(habits, weights)
            simulation.clocks.touched(match)
            await habit(table, match)
        if table.now(match).status == "running":
            await routine.resign(table, match)
        await watch_again(table, match)
        if table.now(match).status == "finished":
            table.finished = match
