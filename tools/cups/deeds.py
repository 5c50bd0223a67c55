"""What the bot is asked to do in simulated cups; each can be repeated with its number."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import update

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import Player
from bot.features.cups.drafts import CupDraft
from bot.features.cups.formats import CupFormat
from bot.features.cups.service import Actor
from bot.services.vacation import TooLongError
from bot.storage.schema import matches
from tools.cups.world import World

ORGANISER = 2

DONE, REFUSED = "done", "refused"

Work = Callable[..., Awaitable[str]]
"""Does something in a world; takes the number of the interaction and further arguments."""


async def create(world: World, number: int, fields: dict[str, Any]) -> str:
    draft = CupDraft(**{**fields, "format": CupFormat(fields["format"])})
    return (await world.cups.create(number, draft, UserId(ORGANISER))).kind


async def join(world: World, number: int, cup_id: int, user_id: int) -> str:
    player = Player(UserId(user_id), f"P{user_id}")
    return (await world.cups.join(number, cup_id, player)).kind


async def start(world: World, number: int, cup_id: int) -> str:
    return (await world.cups.start(number, cup_id, Actor(UserId(ORGANISER)))).kind


async def leave(world: World, number: int, cup_id: int, by: int, user_id: int) -> str:
    return (await world.cups.leave(number, cup_id, Actor(UserId(by)), UserId(user_id))).kind


async def offer(world: World, number: int, cup_id: int, user_id: int, new: int) -> str:
    player = Player(UserId(new), f"P{new}")
    cups = world.cups
    return (
        await cups.offer_place(number, cup_id, Actor(UserId(ORGANISER)), UserId(user_id), player)
    ).kind


async def act(world: World, number: int, match_id: int, user_id: int, line: str) -> str:
    return (await world.services.matches.act(number, MatchId(match_id), UserId(user_id), line)).kind


async def agree(world: World, number: int, match_id: int, user_id: int, version: int) -> str:
    """Agree to end a match without a result."""
    return (
        await world.services.abandoning.agree(
            number, MatchId(match_id), UserId(user_id), Version(version)
        )
    ).kind


async def rest(world: World, _number: int, user_id: int, until: float) -> str:
    """Go on vacation."""
    try:
        await world.services.vacations.begin(UserId(user_id), until)
    except TooLongError:
        return REFUSED
    return DONE


async def erase(world: World, _number: int, user_id: int) -> str:
    """Delete a player's data."""
    await world.privacy.erase(UserId(user_id))
    return DONE


async def outdate(world: World, _number: int, match_id: int) -> str:
    """Change the rules of a match, as by an upgrade."""
    old = update(matches).where(matches.c.id == match_id).values(engine_version=-1)
    async with world.database.write() as connection:
        await connection.execute(old)
    return DONE


async def dates(world: World, _number: int) -> str:
    """Process the due dates of cups."""
    await world.cup_dates.run()
    return DONE


async def wait(world: World, number: int, until: float) -> str:
    """Let time pass, fire the timers that are due, and process the due dates of cups."""
    await world.wait(until)
    return await dates(world, number)


INTERACTIONS = (create, join, start, leave, offer, act, agree)
"""What users ask for; the outcome is stored with the change."""

BY_NAME: dict[str, Work] = {
    work.__name__: work for work in (*INTERACTIONS, rest, erase, outdate, dates, wait)
}
