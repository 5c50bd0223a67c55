"""A user who plays match after match against the computer; sometimes a friend joins."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.support.fake_discord import until
from tests.verification.kills.around_matches import ask_computer, be_away, look
from tests.verification.kills.beginnings import RATED, cannot_begin, challenge, withdraw_challenges
from tests.verification.kills.choices import choose, plan
from tests.verification.kills.endings import forget, give_up
from tests.verification.kills.expected import Expected
from tests.verification.kills.outcomes import note_choice, note_takeback
from tests.verification.kills.payloads import NOT_SHOWN, OFFERED, OFFERED_TO, TAKEN_BACK, tells
from tests.verification.kills.people import Routine
from tests.verification.kills.table import Table

GAMES: dict[str, dict[str, Any]] = {
    "wormholes": {},
    "warp6": {"setup": "secret"},
    "tomtube": {},
    "warp6 for three": {"seats": "3", "setup": "secret"},
}
"""The games and their options; in a secret set-up for three, two computers choose at once."""

MEANWHILE = 0.4
"""Probability that a match of two is open to a friend while the computer plays."""


async def _begin(table: Table) -> int:
    """Begin a match against the computer."""
    table.users = (table.members[0], table.members[0])  # until the friend joins
    await withdraw_challenges(table)
    await _leave_unknown(table)
    name = table.random.choice(list(GAMES))
    is_open = name.split()[1:] == [] and table.random.random() < MEANWHILE
    level = "" if is_open else "cadet"
    answer = await challenge(
        table, name.split()[0], (), GAMES[name], level, rated=0.0 if is_open else RATED
    )
    words = "{game} #{match} is open to anyone." if is_open else "{game} #{match} has started."
    started = tells(answer, words)
    if not started:  # its number is not known, so it is left, and another one is begun
        assert tells(answer, NOT_SHOWN), answer
        table.count("challenges without a number")
        return await _begin(table)
    match = int(started["match"])
    table.simulation.expected[match] = Expected(
        users=set(table.members), channels={table.clicked_in.channel_id}
    )
    if is_open:
        await table.click(table.users[0], f"computer:{match}")
        if cannot_begin(table, match):
            return await _begin(table)
    assert table.now(match).status == "running", match
    table.count("matches against the computer")
    return match


async def _leave_unknown(table: Table) -> None:
    """Resign matches of whose beginning the player was never told."""
    query = (
        "SELECT id FROM matches JOIN seats ON match_id = id WHERE status='running' AND user_id=?"
    )
    for (match,) in table.rows(query, table.users[0]):
        await give_up(table, match, table.users[0])


async def _wait(table: Table, match: int) -> None:
    """Wait for the computer to play, whatever happens to the bot meanwhile."""
    await until(partial(_may_act, table, match))
    table.count("turns of the computer awaited")


def _may_act(table: Table, match: int) -> bool:
    """Return whether a player has to decide, or the match is over."""
    now = table.now(match)
    return now.status != "running" or any(
        table.user(match, decision) > 0 for decision in now.decisions
    )


async def _join(table: Table, match: int) -> None:
    """Have the friend take over the computer's seat, if it is free."""
    query = "SELECT seat FROM seats WHERE match_id=? AND joinable"
    if table.rows(query, match):
        await table.click(table.members[1], f"accept:{match}")
        if not table.rows(query, match):
            table.users = table.members
            table.count("seats taken over")


async def _offer_draw(table: Table, match: int) -> None:
    """Offer a draw, which the computer answers."""
    answer = await table.command(table.users[0], "draw", match=match)
    done = bool(tells(answer, OFFERED, OFFERED_TO))
    if note_choice(table, match, "draw offer", answer, counted=done):
        table.count("draws offered")


async def _take_back(table: Table, match: int) -> None:
    """Take the last choice back; the computer agrees, a friend is not asked in time."""
    answer = await table.command(table.users[0], "takeback", match=match)
    undone = "SELECT 1 FROM actions WHERE match_id=? AND undone_at > 0 AND chosen_by IS NOT NULL"
    if note_takeback(table, match, answer, counted=bool(tells(answer, *TAKEN_BACK))):
        has_answer = table.rows(undone, match)
        table.count("answers of the computer taken back" if has_answer else "unanswered takebacks")


async def _forget(table: Table, match: int) -> None:
    """Have the own data deleted, while the computer does not end the match."""
    await _wait(table, match)
    seats = table.rows("SELECT seat FROM seats WHERE match_id=?", match)
    alone = table.users[0] == table.users[1] and len(seats) == 2
    if alone and table.now(match).status == "running":
        await forget(table, match)


async def _resign(table: Table, match: int) -> None:
    """Resign or leave; again, if the computer's turn came between."""
    while table.now(match).status == "running":
        await give_up(table, match, table.users[0])


SOLO = Routine(
    _begin,
    {
        choose: 60,
        _wait: 30,
        plan: 6,
        _take_back: 10,
        look: 5,
        _offer_draw: 4,
        _join: 8,
        be_away: 2,
        ask_computer: 2,
        _forget: 0.5,
    },
    _resign,
)
"""A user who plays against the computer, and a friend who may join."""
