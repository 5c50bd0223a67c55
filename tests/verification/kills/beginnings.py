"""Users of a simulation begin a match with each other."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from bot.domain.clocks import OFFERED_CLOCKS, with_days_off
from bot.domain.days_off import DaysOffRule
from bot.domain.drafts import ChallengeDraft
from bot.domain.ids import UserId
from bot.features.replays.continuation_views import AGAINST, SAME
from bot.views.challenge_card import Part, card_id
from engine import games
from tests.support.fake_discord import until
from tests.verification.kills.around_matches import move
from tests.verification.kills.blocks import block
from tests.verification.kills.expected import Expected
from tests.verification.kills.halls import wait_for_hall
from tests.verification.kills.payloads import NOT_SHOWN, tells
from tests.verification.kills.table import Answer, Table

GAMES = {"wormholes": 8, "warp6": 3, "tomtube": 1}
"""Game → its weight; Warp 6 has a secret set-up, where takebacks need consent."""

CLOCKS = ("no clock", "1 day per turn", "3 days + 12 h per turn")

PLAYED_ON = 0.2
"""Probability that a match continues from a position of the last finished one."""

AGAINST_SEVERAL = 0.3
"""Probability that a guest is challenged from the same position."""

GUEST = 310
"""The user ID of the guest."""

SENT_FROM = """
SELECT id FROM matches JOIN seats ON match_id = id
WHERE parent_id=? AND status='challenge' AND challenger_id=? AND user_id=? ORDER BY id DESC
"""
"""The open challenge of a user to another one from a position of a match."""

RATED = 0.5
"""Probability that a match is rated, where that is possible."""

MOVED_AT_ONCE = 0.25
"""Probability that a match is moved as soon as it has begun, while its thread is made."""

THREAD_SECONDS = 3.0
"""Seconds that a person waits for the thread of a match before moving the match."""

OPEN_SEATS = 0.3
"""Probability that a challenge is open to anyone."""

BLOCKED = 0.1
"""Probability that a challenged player blocks the sender instead."""

PLAYED_AGAIN = 0.3
"""Probability that the next match of a series follows, or a rematch."""

SERIES = 0.3
"""Probability that a match is the first one of a series, where the game is played in series."""

NEXT = (
    "SELECT id, channel_id, parent_channel_id FROM matches"
    " WHERE parent_id=? AND status='challenge' ORDER BY id"
)
"""The open challenge that follows a match, perhaps in its thread."""

EXPIRED = "SELECT 1 FROM matches WHERE id=? AND status='closed' AND expires_at <= changed_at"
"""Whether a challenge was not accepted in time."""

CHALLENGED_IN = "SELECT channel_id FROM matches WHERE id=? AND status='challenge'"
"""The channel of a challenge that is still open."""


async def begin(table: Table) -> int:
    """Challenge and accept, or go on with a series or a rematch."""
    if table.finished and table.random.random() < PLAYED_AGAIN and (match := await _again(table)):
        return match
    await withdraw_challenges(table)
    (game,) = table.random.choices(list(GAMES), list(GAMES.values()))
    options = {"setup": "secret"} if game == "warp6" else {}
    invited = [] if table.random.random() < OPEN_SEATS else [table.users[1]]
    sent, is_open = (
        "{game} #{match}: challenge sent to {players}.",
        "{game} #{match} is open to anyone.",
    )
    begun: Mapping[str, str] | re.Match[str] | None = None
    if table.finished and table.random.random() < PLAYED_ON:
        begun = await _play_on(table, sent)
        invited = [table.users[1]] if begun else invited
        table.count("matches played on" if begun else "refusals to play on")
    if not begun:
        answer = await challenge(table, game, invited, options)
        begun = tells(answer, sent if invited else is_open)
    if not begun:  # its number is not known, so it is withdrawn, and another one is sent
        assert tells(answer, NOT_SHOWN), answer
        table.count("challenges without a number")
        return await begin(table)
    match = int(begun["match"])
    table.simulation.expected[match] = Expected(
        lines=table.taken_over(match),
        users=set(table.users),
        channels={table.clicked_in.channel_id},
    )
    await until(partial(table.is_posted, match, f"accept:{match}"))
    table.simulation.clocks.begun(match)
    if invited and table.random.random() < BLOCKED:
        await block(table, match, partial(_challenge_anyone, table))
        if table.now(match).status == "closed":
            _forget(table, match)
            return await begin(table)
    if not invited:
        await wait_for_hall(table.simulation, match)
    threads = table.simulation.fake.threads_asked
    await table.click(table.users[1], f"accept:{match}")
    if cannot_begin(table, match):
        return await begin(table)
    assert table.now(match).status == "running", match
    table.simulation.clocks.chosen(match, "")
    if table.random.random() < MOVED_AT_ONCE:
        await _wait_for_thread(table, threads)
        await move(table, match, at_once=True)
    return match


async def _again(table: Table) -> int:
    """Begin the next match of a series, or a rematch of the last match; return 0 if there is none.

    One of both players has agreed to it, and the other one does now.
    """
    if not table.rows(NEXT, table.finished):
        await table.click(table.users[1], f"rematch:{table.finished}")
    for match, *places in table.rows(NEXT, table.finished):
        channels = set(filter(None, places))
        table.simulation.expected[match] = Expected(users=set(table.users), channels=channels)
        await until(partial(table.is_posted, match, f"accept:{match}"))
        table.simulation.clocks.begun(match)
        for user in table.users:
            await table.click(user, f"accept:{match}")
        if table.now(match).status == "running":
            table.simulation.clocks.chosen(match, "")
            table.count("matches played again")
            return int(match)
        _forget(table, match)
    return 0


async def _challenge_anyone(table: Table, opponent: int | None) -> Answer:
    """Challenge a user or, for None, anyone."""
    return await challenge(table, "wormholes", () if opponent is None else (opponent,), {})


def _forget(table: Table, match: int) -> None:
    """Expect nothing more of a match that did not begin."""
    table.simulation.clocks.forget(match)
    del table.simulation.expected[match]


async def _wait_for_thread(table: Table, before: int) -> None:
    """Wait a moment until the bot requests one more thread, or the post of a match."""
    with suppress(TimeoutError):
        async with asyncio.timeout(THREAD_SECONDS):
            await until(lambda: table.simulation.fake.threads_asked > before)


def cannot_begin(table: Table, match: int) -> bool:
    """Return whether a challenge can no longer be accepted; if so, expect nothing more of it.

    It was not accepted in time, or its channel was deleted: then its challenger withdraws it
    before the next one.
    """
    deleted = table.simulation.fake.deleted
    if table.rows(EXPIRED, match):
        table.count("challenges expired")
    elif any(channel in deleted for (channel,) in table.rows(CHALLENGED_IN, match)):
        table.count("challenges in deleted channels")
    else:
        return False
    _forget(table, match)
    return True


async def withdraw_challenges(table: Table) -> None:
    """Withdraw challenges that were never acknowledged, or that cannot be accepted."""
    query = "SELECT id FROM matches WHERE status='challenge' AND challenger_id=?"
    for (match,) in table.rows(query, table.users[0]):
        await table.click(table.users[0], f"withdraw:{match}")


async def challenge(
    table: Table,
    game: str,
    opponents: Sequence[int],
    options: Mapping[str, str],
    level: str = "",
    *,
    rated: float = RATED,
) -> Answer:
    """Type `/play`, and send the challenge from the card.

    Args:
        options: name → value.
        level: of the computer in free seats; empty to leave them open.
        rated: how often the match is rated.
    """
    clock = table.random.choice(CLOCKS)
    rule = table.random.choice((DaysOffRule.NONE, DaysOffRule.OWN))
    rival: dict[str, Any] = {}
    if opponents:
        rival["opponent"] = table.simulation.person(opponents[0])
    await table.command(table.users[0], "play", game=game, clock=clock, **rival)
    draft = ChallengeDraft(
        game=game,
        opponents=tuple(map(UserId, opponents)),
        level=level,
        clock=with_days_off(OFFERED_CLOCKS[clock], rule),
        rules=games.get(game).rules[0],
        options=options,
        rounds=2 if games.get(game).in_series and table.random.random() < SERIES else 1,
        rated=table.random.random() < rated,
    )
    table.count("clocks with days off" if rule and draft.clock else "clocks without days off")
    table.count("rated cards" if draft.rated else "casual cards")
    return await table.click(table.users[0], str(card_id(Part.SEND, draft)))


async def _play_on(table: Table, sent: str) -> Mapping[str, str] | re.Match[str] | None:
    """Challenge the other player to play on from a position of the last finished match.

    Perhaps a guest is challenged as well, who never answers; that challenge is withdrawn before
    the next one. Return the number of the match with the other player, or None if there is none.
    """
    if table.random.random() > AGAINST_SEVERAL:
        custom_id = f"playon:{_any_position(table)}:{AGAINST}"
        return tells(await table.click(table.users[0], custom_id, SAME), sent)
    fields = {"side": list[str](), "people": [str(table.users[1]), str(GUEST)], "level": []}
    await table.fill_in(table.users[0], f"playing:{_any_position(table)}", fields)
    rows = table.rows(SENT_FROM, table.finished, table.users[0], table.users[1])
    if not rows:
        return None
    table.count("positions played on against several")
    return {"match": rows[0][0]}


def _any_position(table: Table) -> str:
    """Return the end of a custom_id for any position of the last finished match."""
    query = "SELECT count(*) FROM actions WHERE match_id=? AND undone_at IS NULL"
    ((lines,),) = table.rows(query, table.finished)
    return f"{table.random.randrange(1, lines + 1)}:{table.finished}"
