"""Build the services on one database."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.services.abandoning import Abandoning
from bot.services.boards import Boards
from bot.services.challenges import Challenges
from bot.services.chance import random_seed
from bot.services.computer_seats import ComputerSeats
from bot.services.deadlines import Deadlines
from bot.services.match_store import MatchStore
from bot.services.matches import Matches
from bot.services.nudges import Nudges
from bot.services.plans import Plans
from bot.services.rematches import Rematches
from bot.services.silence import Silence
from bot.services.stand_ins import StandIns
from bot.services.takebacks import Takebacks
from bot.services.vacation import Vacations
from bot.shards import Shards
from bot.storage.database import Database


@dataclass(frozen=True)
class Services:
    """All services that change matches.

    Attributes:
        match_store: the transactions of all of them.
        challenges: before a match.
        computer_seats: seats that the computer keeps for players who join.
        rematches: after a match.
        takebacks: taking choices back.
        plans: choices that players make in advance.
        boards: places and times of posted boards.
        deadlines: lost time and reminders.
        stand_ins: players for whom the computer plays.
        abandoning: matches that end without a result.
        silence: notices to players who do not decide.
    """

    match_store: MatchStore
    challenges: Challenges
    computer_seats: ComputerSeats
    rematches: Rematches
    matches: Matches
    takebacks: Takebacks
    plans: Plans
    boards: Boards
    deadlines: Deadlines
    vacations: Vacations
    stand_ins: StandIns
    nudges: Nudges
    abandoning: Abandoning
    silence: Silence


def services_on(
    database: Database,
    clock: Callable[[], float] = time.time,
    make_seed: Callable[[], bytes] = random_seed,
    is_busy: Callable[[], bool] = lambda: False,
    *,
    shards: Shards = Shards(),  # noqa: B008 - it never changes
    computers: bool = True,
) -> Services:
    """Return the services on a database.

    Args:
        make_seed: returns 32 secret bytes for the dice of a new match.
        is_busy: returns whether boards wait to be drawn.
        computers: whether the computer can play.
    """
    match_store = MatchStore(database, clock, make_seed, is_busy, shards=shards)
    challenges, boards = Challenges(match_store), Boards(match_store)
    rematches = Rematches(match_store, challenges)
    matches = Matches(match_store, challenges, rematches)
    return Services(
        match_store,
        challenges,
        ComputerSeats(match_store, challenges),
        rematches,
        matches,
        Takebacks(match_store),
        Plans(match_store, matches),
        boards,
        Deadlines(match_store, matches, boards),
        Vacations(match_store),
        StandIns(match_store),
        Nudges(match_store),
        Abandoning(match_store, matches, computers=computers),
        Silence(match_store, matches, boards),
    )
