"""Services say the same about a running match, whatever other players have chosen in secret."""

from __future__ import annotations

import logging
from random import Random

import pytest

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.services.computer_turns import ChoiceRequest, ComputerChoice
from engine.game import PUBLIC
from tests.support.any_game import WITH_SECRETS
from tests.support.computer_turns import claim, properly, turns
from tests.support.matches import ADA, BO, EVE, MatchFixture, act, opponent_of, plan
from tests.support.matches import choose as set_dice
from tests.support.profiles import begin
from tests.support.secret_matches import SPECTATOR, change_secret, knowledge, secret_match
from tests.support.tiers import sampled

pytestmark = pytest.mark.usefixtures("bids")

SEED = bytes(32)
"""That of the dice of all matches here."""

PLANNED = "S9j99"
"""A condition that no other text contains: a coin on a space that does not exist."""


@pytest.mark.first(test=1, check=2)
@pytest.mark.parametrize("name", WITH_SECRETS)
@sampled(1, 8, 200)
async def test_others_are_told_nothing_of_a_secret_choice(
    env: MatchFixture, name: str, samples: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    for seed in range(samples):
        secret = await secret_match(env, name, Random(f"{name} {seed}"))
        owner, readers = secret.owner, {ADA, BO, EVE, SPECTATOR} - {secret.owner}
        before = {user: await knowledge(env, secret.match_id, user) for user in readers}
        own_view = await env.queries.view(secret.match_id, owner)
        queued = await env.queued(match_id=secret.match_id)
        assert secret.line.notation not in f"{queued} {caplog.text}"
        assert SEED.hex() not in f"{queued} {caplog.text} {before}"
        await change_secret(env, secret)
        assert await env.queries.view(secret.match_id, owner) != own_view
        for user in readers:
            after = await knowledge(env, secret.match_id, user)
            assert {where for where in after if after[where] != before[user][where]} == set(), user


async def test_stories_of_turns_are_those_of_the_public(env: MatchFixture) -> None:
    match_id = await begin(env, "bids", {}, (ADA, BO))
    for user in (ADA, BO):
        view = (await env.queries.view(match_id, user)).view
        await env.matches.act(next(env.ids), match_id, user, view.legal[0].notation)
    stories = await env.queries.stories(match_id, 0, 99)
    assert {view.seat for view in stories} == {PUBLIC}


async def test_plan_is_told_to_its_owner_alone(
    env: MatchFixture, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    match_id = await env.begin()
    other = await env.on_turn(match_id)
    owner = opponent_of(other)
    coin = {"O": "S4", "D": "C4"}[(await env.queries.match(match_id)).seat_of(owner)]
    assert (await plan(env, match_id, owner, f"if {PLANNED}: {coin} e9")).kind == "done"
    await act(env, match_id)
    assert PLANNED in str((await knowledge(env, match_id, owner))["plan"])
    for user in (other, SPECTATOR):
        assert PLANNED not in str(await knowledge(env, match_id, user))
    assert PLANNED not in f"{await env.queued(match_id=match_id)} {caplog.text}"


async def test_computer_is_asked_with_what_its_seat_knows(env: MatchFixture) -> None:
    """Ada sets her dice in secret before the computer sets its own."""
    players = [Player(ADA, "Ada"), computer_player("admiral")]
    secret = Terms(
        game="warp6", options={"setup": "secret"}, guild_id=None, channel_id=ChannelId(5)
    )
    match_id = (await env.challenges.challenge(next(env.ids), secret, players)).match_id
    await set_dice(env, match_id, ADA)
    requests: list[ChoiceRequest] = []

    async def note(request: ChoiceRequest) -> ComputerChoice:
        requests.append(request)
        return await properly(request)

    (job,) = await claim(env)
    await turns(env, note).play(job)
    (setting,) = requests[0].record.actions
    assert str(setting) == f"{setting.actor} set ?"
    assert setting.actor != requests[0].seat
    assert "Seed" not in requests[0].record.headers
