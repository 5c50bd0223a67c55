"""A process sends for servers that its gateway has not described: another's, or not yet its own."""

from __future__ import annotations

import pytest

from bot.guilds import Absent, Guilds
from bot.services.servers import Servers
from tests.support.deliveries import CHANNEL, DeliveryFixture, accept, ask
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, EVE


async def test_language_of_an_unserved_server_is_fetched(delivery: DeliveryFixture) -> None:
    delivery.fake.locales[GUILD] = "de"
    await ask(delivery)
    assert "fordert dich" in delivery.fake.texts(CHANNEL)[-1]


async def test_language_that_a_server_has_chosen_wins(delivery: DeliveryFixture) -> None:
    delivery.fake.locales[GUILD] = "de"
    await Servers(delivery.env.database).choose(GUILD, language="en")
    await ask(delivery)
    assert "challenges you" in delivery.fake.texts(CHANNEL)[-1]


async def test_locale_of_an_unserved_server_is_kept_for_a_minute(delivery: DeliveryFixture) -> None:
    await ask(delivery)
    delivery.fake.locales[GUILD] = "de"
    delivery.env.now += 59
    await ask(delivery)
    assert "challenges you" in delivery.fake.texts(CHANNEL)[-1]
    delivery.env.now += 2
    await ask(delivery)
    assert "fordert dich" in delivery.fake.texts(CHANNEL)[-1]


async def test_match_on_an_unserved_server_gets_its_thread(delivery: DeliveryFixture) -> None:
    match_id = await ask(delivery)
    await accept(delivery, match_id)
    (thread,) = delivery.fake.threads
    assert f"#{match_id}" in delivery.fake.threads[thread]["name"]
    assert (await delivery.env.queries.match(match_id)).channel_id == thread
    assert delivery.moments(match_id, thread) == ["1"]


@pytest.mark.parametrize("has_left", [True, False])
async def test_player_who_left_an_unserved_server_is_named(
    delivery: DeliveryFixture, *, has_left: bool
) -> None:
    match_id = await ask(delivery)
    await accept(delivery, match_id)
    match = await delivery.env.queries.match(match_id)
    (seat,) = match.decisions
    if has_left:
        delivery.fake.left.add(match.players[seat].user_id)
    await delivery.env.strike("remind", match_id, seat, match.decisions[seat])
    await delivery.worker.flush()
    assert ("has left this server" in delivery.fake.texts(match.channel_id)[-1]) is has_left


async def test_members_of_an_unserved_server_are_fetched(delivery: DeliveryFixture) -> None:
    delivery.fake.hidden[CHANNEL] = {BO}
    delivery.fake.left.add(EVE)
    absent = await Guilds(delivery.client).absent(GUILD, CHANNEL, [ADA, BO, EVE])
    assert absent == Absent(outside=(EVE,), blind=(BO,))
