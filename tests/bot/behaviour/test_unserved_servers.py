"""A process sends for servers that its gateway has not described: another's, or not yet its own."""

from __future__ import annotations

import pytest

from bot.guilds import Absent, Guilds
from bot.services.servers import Servers
from tests.support.deliveries import CHANNEL, Office, accept, ask
from tests.support.fake_discord import GUILD
from tests.support.matches import ADA, BO, EVE


async def test_language_of_an_unserved_server_is_fetched(office: Office) -> None:
    office.fake.locales[GUILD] = "de"
    await ask(office)
    assert "fordert dich" in office.fake.texts(CHANNEL)[-1]


async def test_language_that_a_server_has_chosen_wins(office: Office) -> None:
    office.fake.locales[GUILD] = "de"
    await Servers(office.club.database).choose(GUILD, language="en")
    await ask(office)
    assert "challenges you" in office.fake.texts(CHANNEL)[-1]


async def test_locale_of_an_unserved_server_is_kept_for_an_hour(office: Office) -> None:
    await ask(office)
    office.fake.locales[GUILD] = "de"
    office.club.now += 3599
    await ask(office)
    assert "challenges you" in office.fake.texts(CHANNEL)[-1]
    office.club.now += 2
    await ask(office)
    assert "fordert dich" in office.fake.texts(CHANNEL)[-1]


async def test_match_on_an_unserved_server_gets_its_thread(office: Office) -> None:
    match_id = await ask(office)
    await accept(office, match_id)
    (thread,) = office.fake.threads
    assert f"#{match_id}" in office.fake.threads[thread]["name"]
    assert (await office.club.queries.match(match_id)).channel_id == thread
    assert office.moments(match_id, thread) == ["1"]


@pytest.mark.parametrize("left", [True, False])
async def test_player_who_left_an_unserved_server_is_named(office: Office, *, left: bool) -> None:
    match_id = await ask(office)
    await accept(office, match_id)
    match = await office.club.queries.match(match_id)
    (seat,) = match.decisions
    if left:
        office.fake.left.add(match.players[seat].user_id)
    await office.club.strike("remind", match_id, seat, match.decisions[seat])
    await office.delivery.flush()
    assert ("has left this server" in office.fake.texts(match.channel_id)[-1]) is left


async def test_members_of_an_unserved_server_are_fetched(office: Office) -> None:
    office.fake.hidden[CHANNEL] = {BO}
    office.fake.left.add(EVE)
    absent = await Guilds(office.client).absent(GUILD, CHANNEL, [ADA, BO, EVE])
    assert absent == Absent(outside=(EVE,), blind=(BO,))
