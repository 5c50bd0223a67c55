"""Users of a simulation continue from a position of an external record."""

from __future__ import annotations

from functools import partial

from tests.support.fake_discord import until
from tests.verification.kills.choices import choose
from tests.verification.kills.endings import give_up
from tests.verification.kills.expected import Expected
from tests.verification.kills.payloads import tells
from tests.verification.kills.table import Answer, Table

WINDOW = 9
"""Kind of answer: a window opens."""

LEVEL = "cadet"

MOST_CHOICES = 4
"""Number of choices in such a match, which none reaches."""

FREE = "SELECT seat FROM seats WHERE match_id=? ORDER BY seat"
COUNT = "SELECT count(*) FROM actions WHERE match_id=? AND undone_at IS NULL"


async def play_on(table: Table, user: int, finished: int, opened: Answer) -> None:
    """Play on against the computer from a position of a record that was uploaded, and resign."""
    ((lines,),) = table.rows(COUNT, finished)
    number, files = table.random.randrange(lines + 1), opened["files"]
    question = await table.click(user, f"playon:{number}:0", files=files)
    if question["type"] != WINDOW:
        table.count("records not played on")
        return
    seat = table.random.choice([seat for (seat,) in table.rows(FREE, finished)])
    fields = {"side": [seat], "people": list[str](), "level": [LEVEL]}
    answer = await table.fill_in(user, f"playing:{number}:0", fields, files)
    started = tells(answer, "{game} #{match} has started.")
    if not started:
        table.count("records not played on")
        return
    match = int(started["match"])
    table.simulation.expected[match] = Expected(
        lines=table.taken_over(match), users={user}, channels={table.clicked_in.channel_id}
    )
    table.count("records played on")
    for _ in range(table.random.randrange(MOST_CHOICES)):
        await until(partial(_may_act, table, match, user))
        await choose(table, match, by=user)
    while table.now(match).status == "running":
        await give_up(table, match, user)


def _may_act(table: Table, match: int, user: int) -> bool:
    """Return whether a user has to decide, or the match is over."""
    now = table.now(match)
    return now.status != "running" or any(table.user(match, s) == user for s in now.decisions)
