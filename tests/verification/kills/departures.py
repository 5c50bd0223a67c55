"""Users of a simulation vanish, and the others continue without them.

They leave the server and come back, close their DMs, or have the computer play for them.
"""

from __future__ import annotations

from tests.verification.kills.around_matches import look, nudge, start_vacation
from tests.verification.kills.choices import choose
from tests.verification.kills.endings import notify
from tests.verification.kills.table import Table
from tests.verification.kills.worker import GONE_DAYS

MOST_DEEDS = 4
"""Number of things that the other player does meanwhile, which none reaches."""

AGREED = 0.8
"""Probability that a player has the computer play for an opponent on vacation."""

DEEDS = {"choose": 2, "nudge": 1, "look": 1, "notify": 1, "replace": 3}
"""Deed of the opponent of a player who has left → its weight."""


async def leave_server(table: Table, match: int) -> None:
    """Leave the server, and come back later; the other player goes on, and may do without."""
    simulation, user = table.simulation, table.random.choice(table.users)
    other = table.other(user)
    if other == user:
        return
    simulation.leave_server(user)
    table.count("players who left")
    for _ in range(table.random.randrange(1, MOST_DEEDS)):
        await simulation.wait(table.random.uniform(0, 2 * GONE_DAYS) * simulation.day)
        if table.now(match).status != "running":
            break
        await _go_on_alone(table, match, other)
    simulation.come_back(user)
    await _return(table, match, user)


async def _go_on_alone(table: Table, match: int, other: int) -> None:
    """Have the other player of one who has left do something."""
    (deed,) = table.random.choices(list(DEEDS), list(DEEDS.values()))
    absent = table.seat(match, table.other(other))
    if deed == "choose":
        await choose(table, match, by=other)
    elif deed == "nudge":
        await nudge(table, match, by=other)
    elif deed == "look":
        await look(table, match, by=other)
    elif deed == "notify" and absent in table.now(match).decisions:
        await notify(table, match, absent)
    elif deed == "replace":
        await replace(table, match, absent)


async def replace(table: Table, match: int, seat: str) -> None:
    """Have the computer play for the player of a seat, as far as the other player can."""
    await table.click(table.other(table.user(match, seat)), f"standin:{match}:{seat}")
    if seat in table.stood_in(match):
        table.expected(match).stood_in.add(seat)
        table.simulation.clocks.forget(match)  # turns of the computer are not known to them
        table.count("stand-ins")
    else:
        table.count("stand-ins refused")


async def _return(table: Table, match: int, user: int) -> None:
    """Play again instead of the computer."""
    if table.seat(match, user) not in table.stood_in(match):
        return
    await table.click(user, f"back:{match}")
    if table.seat(match, user) in table.stood_in(match) and table.now(match).status == "running":
        table.simulation.report.blame("stalls", f"the computer plays on for {user} in {match}")
    table.count("returns to a match")


async def have_stand_in(table: Table, match: int) -> None:
    """Go on vacation with the computer as a stand-in; the other player may agree to it."""
    user = table.random.choice(table.users)
    other = table.other(user)
    if other == user or table.rows("SELECT 1 FROM absences WHERE user_id=?", user):
        return
    await start_vacation(table, user, computer="cadet")
    if table.random.random() < AGREED:
        await replace(table, match, table.seat(match, user))
        await choose(table, match, by=other)


async def close_dms(table: Table, _match: int) -> None:
    """Block the bot, so that it reaches the user by no DM; or unblock it."""
    user = table.random.choice(table.users)
    if user in table.simulation.blocking:
        table.simulation.open_dms(user)
        table.count("DMs opened")
    else:
        table.simulation.close_dms(user)
        table.count("DMs closed")
