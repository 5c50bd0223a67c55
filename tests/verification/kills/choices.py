"""Choices of a simulation's users in a match, at once or by a plan."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from engine import games
from engine.plans import MAX_ALTERNATIVES
from tests.verification.kills.outcomes import note_choice
from tests.verification.kills.payloads import accepted, tells
from tests.verification.kills.table import Table

TWO_WAYS = 0.1
"""Probability that a decision is clicked in two ways at once."""

MAX_PLAN = 5
"""Number of orders of a plan that none reaches."""


async def choose(table: Table, match: int, *, by: int = 0) -> None:
    """Make one random choice, of any player or of this user, perhaps in two ways at once."""
    now = table.now(match)
    game = games.get(now.game)
    state = game.load(now.position)
    users = {seat: table.user(match, seat) for seat in game.pending(state)}
    pending = [seat for seat, user in users.items() if user > 0 and by in (0, user)]
    if not pending:
        return
    seat = table.random.choice(pending)
    user, legal = table.user(match, seat), game.view(state, seat).legal
    both = table.random.random() < TWO_WAYS and legal[1:]
    lines = [
        (game.fill(way, table.random.randrange) if way.is_form else way).notation
        for way in table.random.sample(legal, 2 if both else 1)
    ]
    ids = [f"act:{match}:{now.decisions[seat]}:{line}" for line in lines]
    answers = await asyncio.gather(*(table.click(user, custom_id) for custom_id in ids))
    for line, answer in zip(lines, answers, strict=True):
        note_choice(table, match, line, answer, counted=accepted(answer))


async def plan(table: Table, match: int) -> None:
    """Write a plan of some orders, which fires at once or with the next moves, or stops."""
    now = table.now(match)
    game = games.get(now.game)
    state = game.load(now.position)
    seat = table.random.choice(game.view(state).playing)
    user = table.user(match, seat)
    possible = [
        action.notation
        for action in game.plannable(state, seat)
        if not action.is_form and action.verb != "send"
    ]
    if user not in table.users or not possible:
        return
    count = table.random.randrange(1, MAX_PLAN)
    lines = [table.random.choices(possible, k=MAX_ALTERNATIVES) for _ in range(count)]
    await write_plan(table, match, seat, [" or ".join(line) for line in lines])


async def write_plan(table: Table, match: int, seat: str, lines: Sequence[str]) -> None:
    """Write a plan of these orders in place of the one before."""
    table.expected(match).orders[seat] += len(lines)
    user = table.user(match, seat)
    stored = table.rows("SELECT version FROM plans WHERE match_id=? AND seat=?", match, seat)
    custom_id = f"plan:{match}:write:{stored[0][0] if stored else 0}"
    answer = await table.submit(user, custom_id, "\n".join(lines))
    table.simulation.clocks.chosen(match, "")
    written = bool(tells(answer, "**{game} #{match}: your plan**"))
    table.count("plans" if written else "plans refused")
