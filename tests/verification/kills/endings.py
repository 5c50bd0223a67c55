"""Users of a simulation end a match, or offer to."""

from __future__ import annotations

from tests.verification.kills.outcomes import note_choice
from tests.verification.kills.payloads import OFFERED, OFFERED_TO, accepted, tells
from tests.verification.kills.table import Table
from tests.verification.kills.worker import NOTICE_DAYS, SILENT_DAYS

EXITS = {"resign": "You've resigned {game} #{match}.", "leave": "You've left {game} #{match}."}
"""Verb that ends a player's part in a match → the bot's answer."""

PASSED = 0.6
"""Probability that a player lets a notice pass."""


async def offer_draw(table: Table, match: int) -> None:
    """Offer a draw; the other player accepts, declines, or says nothing."""
    user = table.random.choice(table.users)
    answer = await table.command(user, "draw", match=match)
    done = bool(tells(answer, OFFERED, OFFERED_TO))
    if not note_choice(table, match, "draw offer", answer, counted=done):
        return
    table.count("draws offered")
    other, dice = table.other(user), table.random.random()
    if dice < 0.2:
        await table.click(other, f"act:{match}:-:draw accept")
        answer = await table.click(other, f"draw:{match}:{table.now(match).version}")
        done = bool(tells(answer, "You've accepted the draw in {game} #{match}."))
        note_choice(table, match, "draw accept", answer, counted=done)
    elif dice < 0.6:
        answer = await table.click(other, f"act:{match}:-:draw decline")
        note_choice(table, match, "draw decline", answer, counted=accepted(answer))


async def claim(table: Table, match: int) -> None:
    """Claim the match, if a player is out of time."""
    query = "SELECT seat, user_id FROM seats WHERE match_id=? AND seconds_left=0"
    for seat, user in table.rows(query, match):
        if table.now(match).status == "running":
            await table.click(table.other(user), f"claim:{match}:{seat}")
            confirm = f"claim:{match}:{seat}:{table.now(match).version}"
            answer = await table.click(table.other(user), confirm)
            done = bool(tells(answer, "You've claimed {game} #{match} on time."))
            if note_choice(table, match, "flag", answer, counted=done):
                table.count("claims")


async def abandon(table: Table, match: int) -> None:
    """Propose to end the match without a result; the other player may agree."""
    user, version = table.random.choice(table.users), table.now(match).version
    agreeing = [user, table.other(user)][: 1 + (table.random.random() < 0.3)]
    for agreeing_user in agreeing:
        answer = await table.click(agreeing_user, f"abandon:{match}:{version}")
        done = bool(tells(answer, "{game} #{match} has ended without a result."))
        if note_choice(table, match, "abandon", answer, counted=done):
            table.count("matches abandoned")
    table.count("proposals to abandon")


async def give_notice(table: Table, match: int) -> None:
    """Do nothing for days, then give notice to a silent player, who may come back or not."""
    simulation = table.simulation
    await simulation.wait(SILENT_DAYS * simulation.day)
    now = table.now(match)
    silent = [seat for seat in now.decisions if table.user(match, seat) > 0]
    if now.status != "running" or not silent or simulation.over.is_set():
        return
    given = await notify(table, match, table.random.choice(silent))
    if given and table.random.random() < PASSED:
        await simulation.wait(2 * NOTICE_DAYS * simulation.day)
        ended = table.now(match).status != "running"
        table.count("matches ended by notice" if ended else "notices outlived")


async def notify(table: Table, match: int, seat: str) -> bool:
    """Give notice to the player of a seat; return whether that was possible."""
    other, version = table.other(table.user(match, seat)), table.now(match).version
    answer = await table.click(other, f"notice:{match}:{seat}:{version}")
    given = bool(tells(answer, "Notice given in {game} #{match}. Its board says until when."))
    table.expected(match).has_notice |= given or answer["doubtful"]
    table.count("notices" if given else "notices refused")
    return given


async def forget(table: Table, match: int) -> None:
    """Have the own data deleted, which gives up the match, unless the computer may end it first."""
    if table.stood_in(match):
        return
    user = table.random.choice(table.users)
    table.simulation.absences.forget(user)  # deleted before the answer
    answer = await table.click(user, "erase:yes")
    gone = tells(answer, "Your data is deleted. Goodbye, and come back any time!")
    assert gone, answer
    note_choice(table, match, "resign", answer, counted=True)
    table.simulation.forget(user)
    table.count("deletions")


async def give_up(table: Table, match: int, user: int) -> None:
    """Resign or leave a match against the computer, unless its turn comes between."""
    version = table.now(match).version
    answer = await table.click(user, f"resign:{match}:{version}")
    for line, words in EXITS.items():
        if match in table.simulation.expected:
            note_choice(table, match, line, answer, counted=bool(tells(answer, words)))


async def resign(table: Table, match: int) -> None:
    """Resign, or have the own data deleted; again, if a stand-in's turn came between."""
    if table.random.random() < 0.1:
        await forget(table, match)
    while (now := table.now(match)).status == "running":
        user = table.random.choice(table.users)
        answer = await table.click(user, f"resign:{match}:{now.version}")
        done = bool(tells(answer, "You've resigned {game} #{match}."))
        note_choice(table, match, "resign", answer, counted=done)
