"""The tables. The log of actions is authoritative; a stored position is a cache of it.

Times are UTC seconds since 1970. `outbox` holds no secrets: a row names the content and the
receiver, and the view is created when it is sent.
"""

from __future__ import annotations

from bot.storage.schema.cups import cup_entrants, cup_pairings, cups, leagues
from bot.storage.schema.daily import daily_answers, daily_positions
from bot.storage.schema.deliveries import interactions, outbox, posted_messages
from bot.storage.schema.installation import erasures, facts, leases
from bot.storage.schema.matches import (
    actions,
    analyses,
    computer_jobs,
    earlier_clocks,
    matches,
    plans,
    seats,
    timers,
    written_plans,
)
from bot.storage.schema.metadata import ID, METADATA
from bot.storage.schema.notes import match_notes, opponent_notes
from bot.storage.schema.people import absences, guilds, halls, players, vacations
from bot.storage.schema.profiles import leaderboard_entries, rank_grants, rank_roles, seat_figures
from bot.storage.schema.ratings import rated_results

__all__ = [
    "ID",
    "METADATA",
    "absences",
    "actions",
    "analyses",
    "computer_jobs",
    "cup_entrants",
    "cup_pairings",
    "cups",
    "daily_answers",
    "daily_positions",
    "earlier_clocks",
    "erasures",
    "facts",
    "guilds",
    "halls",
    "interactions",
    "leaderboard_entries",
    "leagues",
    "leases",
    "match_notes",
    "matches",
    "opponent_notes",
    "outbox",
    "plans",
    "players",
    "posted_messages",
    "rank_grants",
    "rank_roles",
    "rated_results",
    "seat_figures",
    "seats",
    "timers",
    "vacations",
    "written_plans",
]
