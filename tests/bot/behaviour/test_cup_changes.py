"""Each change of a cup is shown in its post: at once, and once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from bot.domain.clocks import DAY
from bot.domain.models import Player
from bot.domain.outcomes import Outcome
from bot.features.cups.formats import CupFormat
from bot.features.cups.matches import TOPIC
from bot.features.cups.rows import CupStatus
from bot.features.cups.service import Actor
from bot.shards import SNOWFLAKE_MILLISECOND, Shards
from engine import games
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.matches import EVE, MatchFixture

GUEST = Player(EVE, "Eve")

Change = Callable[[CupFixture, int], Awaitable[Outcome]]


def offer(cup: CupFixture, cup_id: int) -> Awaitable[Outcome]:
    return cup.cups.offer_place(next(cup.env.ids), cup_id, Actor(ORGANISER), user(1), GUEST)


async def take_over(cup: CupFixture, cup_id: int) -> Outcome:
    await offer(cup, cup_id)
    return await cup.cups.join(next(cup.env.ids), cup_id, GUEST)


CHANGES: dict[str, tuple[bool, Change]] = {
    "join": (False, lambda cup, number: cup.join(number, EVE)),
    "leave": (False, lambda cup, number: cup.withdraw(number, user(1))),
    "start": (False, lambda cup, number: cup.start(number)),
    "offer": (True, offer),
    "take over": (True, take_over),
    "withdraw": (True, lambda cup, number: cup.withdraw(number, user(1))),
    "cancel": (
        True,
        lambda cup, number: cup.cups.cancel(next(cup.env.ids), number, Actor(ORGANISER)),
    ),
}
"""Name → whether the cup is running, and the change."""


@pytest.mark.parametrize("name", CHANGES)
async def test_change_is_to_be_shown(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    is_running, change = CHANGES[name]
    cup = CupFixture(env)
    cup_id = await (cup.begun(4) if is_running else cup.create(4))
    before, topics = (await cup.get(cup_id)).row.version, list[str]()
    notify = env.database.notify

    def note(topic: str) -> None:
        topics.append(topic)
        notify(topic)

    monkeypatch.setattr(env.database, "notify", note)
    assert (await change(cup, cup_id)).kind == "done"
    assert (await cup.get(cup_id)).row.version > before
    assert TOPIC in topics


@pytest.mark.parametrize("name", CHANGES)
async def test_repeated_interaction_changes_nothing(env: MatchFixture, name: str) -> None:
    """Discord may deliver it twice; the answer is that of the first time."""
    is_running, change = CHANGES[name]
    cup = CupFixture(env)
    cup_id = await (cup.begun(4) if is_running else cup.create(4))
    if name == "take over":
        await offer(cup, cup_id)
    first = next(env.ids)
    ids, env.ids = env.ids, iter([first] * 9)  # type: ignore[assignment]
    change = CHANGES["join"][1] if name == "take over" else change
    outcome = await change(cup, cup_id)
    before = await cup.get(cup_id)
    assert await change(cup, cup_id) == outcome
    assert await cup.get(cup_id) == before
    env.ids = ids


@pytest.mark.parametrize("name", ["warp6", "wormholes"])
async def test_cup_is_played_by_the_newest_rules(env: MatchFixture, name: str) -> None:
    cup = CupFixture(env)
    row = (await cup.get(await cup.create(0, game=name))).row
    assert row.rules == games.get(name).rules[0]


async def test_groups_are_played_by_three(env: MatchFixture) -> None:
    cup = CupFixture(env)
    row = (await cup.get(await cup.create(0, format=CupFormat.GROUPS))).row
    assert row.options["seats"] == "3"


async def test_player_who_is_deleted_offers_no_place_any_more(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.begun(4)
    await offer(cup, cup_id)
    async with env.database.write() as connection:
        await cup.cup_matches.withdraw_all(connection, user(1))
    places = {entrant.user_id: entrant for entrant in (await cup.get(cup_id)).entrants}
    assert places[user(1)].substitute_id is None
    assert [number for number, place in places.items() if not place.is_active] == [user(1)]


async def test_winner_goes_on_to_one_place(env: MatchFixture) -> None:
    """Two of six have a bye: they wait in different pairings of the next round."""
    cup = CupFixture(env)
    cup_id = await cup.begun(6, format=CupFormat.KNOCK_OUT)
    assert [(await cup.pairing(cup_id, 2, place)).numbers for place in (0, 1)] == [
        (1, None),
        (2, None),
    ]
    assert (await cup.pairing(cup_id, 3)).numbers == (None, None)
    pairing = await cup.pairing(cup_id, 1, 1)
    await cup.win(cup_id, pairing, 4)
    assert [(await cup.pairing(cup_id, 2, place)).numbers for place in (0, 1)] == [
        (1, 4),
        (2, None),
    ]
    assert (await cup.pairing(cup_id, 3)).numbers == (None, None)


@pytest.mark.parametrize("shard", [0, 1])
async def test_only_the_process_of_its_server_starts_and_ends_a_cup(
    env: MatchFixture, shard: int
) -> None:
    """Others may not have moved its dates yet after an outage."""
    cup, guild_id = CupFixture(env), SNOWFLAKE_MILLISECOND
    starting = await cup.create(3, guild_id=guild_id, starts_at=env.now + DAY)
    ending = await cup.begun(3, guild_id=guild_id, ends_at=env.now + DAY)
    process = MatchFixture(env.database, clock=env.clock, shards=Shards(2, (shard,)))
    env.now += 2 * DAY
    await process.cup_dates.run()
    assert [(await cup.get(number)).row.status for number in (starting, ending)] == (
        [CupStatus.RUNNING, CupStatus.FINISHED] if shard else [CupStatus.SIGN_UP, CupStatus.RUNNING]
    )
