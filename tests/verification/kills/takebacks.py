"""Users of a simulation take choices back."""

from __future__ import annotations

from functools import partial

from engine import games
from engine.plans import MAX_ALTERNATIVES
from tests.support.fake_discord import until
from tests.verification.kills.choices import choose, write_plan
from tests.verification.kills.outcomes import note_takeback
from tests.verification.kills.payloads import TAKEN_BACK, accepted, tells
from tests.verification.kills.table import Table

NEEDS_CONSENT = (
    "Something hidden has been revealed since, so I've asked the other players.",
    "{name} has answered that move at once, so I've asked whether both go back.",
)

AGREED = 0.6
"""Probability that the other player agrees in time."""


async def take_back(table: Table, match: int) -> None:
    """Take the last choice back, or ask the other player."""
    query = (
        "SELECT seats.user_id FROM actions JOIN seats ON seats.match_id = actions.match_id"
        " AND seats.seat = substr(line, 1, 1) WHERE actions.match_id=? AND undone_at IS NULL"
        " ORDER BY number DESC LIMIT 1"
    )
    last = [user for (user,) in table.rows(query, match)]
    user = table.random.choice([*last * 4, *table.users])
    answer = await table.command(user, "takeback", match=match)
    if tells(answer, *NEEDS_CONSENT):
        await _plead(table, match, user)
    else:
        note_takeback(table, match, answer, counted=bool(tells(answer, *TAKEN_BACK)))


async def take_back_an_answer(table: Table, match: int) -> None:
    """Have a plan answer the next choice at once, then take both back with consent."""
    now = table.now(match)
    game = games.get(now.game)
    state = game.load(now.position)
    seats = game.pending(state)
    others = game.view(state).playing.replace(seats, "")
    orders = [a.notation for a in game.plannable(state, others) if not a.is_form] if others else []
    if len(seats) != 1 or not orders:
        await choose(table, match)
        return
    user = table.user(match, seats)
    some = table.random.sample(orders, min(len(orders), MAX_ALTERNATIVES))
    await write_plan(table, match, others, [" or ".join(some)])
    await choose(table, match, by=user)
    answer = await table.command(user, "takeback", match=match)
    if tells(answer, *NEEDS_CONSENT):
        await _plead(table, match, user)
    else:
        note_takeback(table, match, answer, counted=bool(tells(answer, *TAKEN_BACK)))


def _is_over(table: Table, match: int, ways: list[str], version: int) -> bool:
    """Return whether a request is posted, or a stand-in has played meanwhile."""
    return table.now(match).version != version or any(table.is_posted(match, w) for w in ways)


async def _plead(table: Table, match: int, user: int) -> None:
    """The other player agrees, or the match goes on and *Agree* comes too late."""
    table.count("takebacks asked for")
    other, version = table.other(user), table.now(match).version
    ((seat,),) = table.rows("SELECT seat FROM seats WHERE match_id=? AND user_id=?", match, user)
    # The button names the seat that asks, unless it was the last to move
    ways = [f"agree:{match}:{version}", f"agree:{match}:{version}:{seat}"]
    if table.random.random() < AGREED:
        await until(partial(_is_over, table, match, ways, version))
        agree = next((way for way in ways if table.is_posted(match, way)), ways[0])
        answer = await table.click(other, agree)
        note_takeback(table, match, answer, counted=accepted(answer))
        return
    await choose(table, match)
    stale = table.now(match).version != version
    answer = await table.click(other, table.random.choice(ways))
    done = note_takeback(table, match, answer, counted=accepted(answer))
    table.count("stale agreements")
    if stale and done:
        table.simulation.report.blame("applied_twice", f"match {match}: a stale agreement counted")
