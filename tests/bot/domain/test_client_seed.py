"""The players' part in the dice: joining, words of their own, and the sides drawn from it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.domain.client_seed import MAX_CLIENT_SEED_CHARACTERS, ClientSeed, client_seed_part
from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.services.challenges import OPEN_SEAT
from engine.record import Record
from tests.support.described import check
from tests.support.harness import Stage, words
from tests.support.interactions import click_released, fire, payload
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, terms
from tests.support.privacy import export_of

THREE = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))


async def begun(env: MatchFixture, challenged_by: int, joined: int, **fields: Any) -> MatchId:
    """Start a match by these two interactions, and return its id."""
    outcome = await env.challenges.challenge(challenged_by, terms(), PLAYERS, **fields)
    assert (await env.challenges.accept(joined, outcome.match_id, BO)).kind == "done"
    return outcome.match_id


async def finished(env: MatchFixture, match_id: MatchId) -> Record:
    """The record after Bo has given up; its dice follow the description, not only the engine."""
    published = (await env.queries.match(match_id)).commitment
    await env.matches.act(next(env.ids), match_id, BO, "resign")
    record = await env.queries.record(match_id)
    assert check(str(record), published) == record.verify(published) > 0
    return record


async def test_the_salt_holds_each_join_in_order(env: MatchFixture) -> None:
    record = await finished(env, await begun(env, 7001, 7009))
    assert record.headers["Salt"] == "7001,7009"


async def test_a_join_that_is_delivered_twice_salts_once(env: MatchFixture) -> None:
    match_id = await begun(env, 7001, 7009)
    await env.challenges.accept(7009, match_id, BO)
    await env.challenges.accept(7010, match_id, BO)
    assert (await finished(env, match_id)).headers["Salt"] == "7001,7009"


async def test_three_joins_stand_in_the_salt_in_order(env: MatchFixture) -> None:
    players = [PLAYERS[1], PLAYERS[0], OPEN_SEAT]
    outcome = await env.challenges.challenge(7001, THREE, players, side="Y")
    await env.challenges.accept(7003, outcome.match_id, EVE, "Eve")
    assert (await env.queries.match(outcome.match_id)).salt == "7001,7003"
    await env.challenges.accept(7002, outcome.match_id, ADA)
    record = await env.queries.record(outcome.match_id)
    assert record.headers["Salt"] == "7001,7003,7002"
    order = [record.headers[f"Seat {side[0]}"] for side in record.headers["Sides"].split()]
    assert order == ["Bo", "Eve", "Ada"]
    assert record.headers["Sides"].startswith("Y! ")


@pytest.mark.slow
async def test_the_dice_depend_on_the_join(env: MatchFixture) -> None:
    """Seed and challenge are the same; only the player who joins and the interaction differ."""
    rolls = set()
    for joined in range(7100, 7110):
        match_id = await begun(env, joined - 100, joined, side="O")
        rolls.add(str((await finished(env, match_id)).actions[0]))
    assert len(rolls) > 5


@pytest.mark.slow
async def test_w3_1_sides_are_drawn_when_the_last_one_joins(env: MatchFixture) -> None:
    sides = set()
    for number in range(20):
        outcome = await env.challenges.challenge(5000 + number, terms(), PLAYERS)
        match = await env.queries.match(outcome.match_id)
        assert match.seats_to_draw == "OD"
        assert match.seat_of(ADA) == "O"
        await env.challenges.accept(6000 + number, outcome.match_id, BO)
        match = await env.queries.match(outcome.match_id)
        assert not match.seats_to_draw
        assert {player.user_id for player in match.players.values()} == {ADA, BO}
        record = await finished(env, match.id)
        assert record.headers["Sides"] == f"{match.seat_of(ADA)} {match.seat_of(BO)}"
        sides.add(match.seat_of(ADA))
    assert sides == {"O", "D"}


@pytest.mark.slow
async def test_three_sides_are_drawn(env: MatchFixture) -> None:
    orders = set()
    for number in range(40):
        players = [*PLAYERS, Player(EVE, "Eve")]
        outcome = await env.challenges.challenge(5000 + number, THREE, players)
        await env.challenges.accept(6000 + number, outcome.match_id, EVE)
        await env.challenges.accept(7000 + number, outcome.match_id, BO)
        match = await env.queries.match(outcome.match_id)
        orders.add("".join(map(match.seat_of, (ADA, EVE, BO))))
        record = await env.queries.record(match.id)
        assert record.headers["Sides"].replace(" ", "") == "".join(
            map(match.seat_of, (ADA, EVE, BO))
        )
    assert len(orders) == 6


@pytest.mark.slow
async def test_a_chosen_side_is_not_drawn(env: MatchFixture) -> None:
    for number in range(10):
        match_id = await begun(env, 5000 + number, 6000 + number, side="D")
        record = await finished(env, match_id)
        assert record.headers["Sides"] == "D! O!"
        assert record.headers["Seat D"] == "Ada"


@pytest.mark.slow
async def test_one_of_three_sides_is_chosen_and_two_are_drawn(env: MatchFixture) -> None:
    sides = set()
    for number in range(20):
        players = [*PLAYERS, Player(EVE, "Eve")]
        outcome = await env.challenges.challenge(5000 + number, THREE, players, side="Y")
        assert (await env.queries.match(outcome.match_id)).seats_to_draw == "BW"
        await env.challenges.accept(6000 + number, outcome.match_id, BO)
        await env.challenges.accept(7000 + number, outcome.match_id, EVE)
        sides.add((await env.queries.record(outcome.match_id)).headers["Sides"])
    assert sides == {"Y! B W", "Y! W B"}


async def test_the_sides_of_a_rematch_are_not_drawn(env: MatchFixture) -> None:
    match_id = await begun(env, 7001, 7009)
    before = await env.queries.match(match_id)
    await finished(env, match_id)
    outcome = await env.rematches.rematch(7010, match_id, BO)
    await env.rematches.rematch(7011, match_id, ADA)
    match = await env.queries.match(outcome.match_id)
    assert match.seat_of(ADA) == before.seat_of(BO)
    record = await finished(env, match.id)
    assert record.headers["Sides"] == f"{match.seat_of(BO)}! {match.seat_of(ADA)}!"
    assert record.headers["Salt"] == "7010,7011"


async def test_words_become_part_of_the_salt(env: MatchFixture) -> None:
    outcome = await env.challenges.challenge(7001, terms(), PLAYERS, words="three, two")
    match = await env.queries.match(outcome.match_id)
    assert match.salt == "7001:three two"
    client_seed = ClientSeed("Glück: auf!", 7008, match.version)
    assert (await env.challenges.accept(7009, match.id, BO, client_seed=client_seed)).kind == "done"
    record = await finished(env, match.id)
    assert record.headers["Salt"] == "7001:three two,7008:Glück: auf!"
    assert check(str(Record.parse(str(record))), match.commitment) > 0


async def test_words_are_part_of_the_own_export_only(env: MatchFixture) -> None:
    outcome = await env.challenges.challenge(7001, terms(), PLAYERS, words="heads")
    await env.challenges.accept(
        7009, outcome.match_id, BO, client_seed=ClientSeed("tails", 7008, 0)
    )
    for user, luck, other in ((ADA, "7001:heads", "tails"), (BO, "7008:tails", "heads")):
        data = await export_of(env.database, user)
        assert data["matches"][0]["own part of the salt"] == luck
        assert other not in json.dumps(data)


async def test_words_for_another_salt_are_refused(env: MatchFixture) -> None:
    players = [PLAYERS[0], OPEN_SEAT, OPEN_SEAT]
    outcome = await env.challenges.challenge(7001, THREE, players)
    client_seed = ClientSeed("mine", 7002, (await env.queries.match(outcome.match_id)).version)
    await env.challenges.accept(7003, outcome.match_id, EVE, "Eve")
    late = await env.challenges.accept(7004, outcome.match_id, BO, "Bo", client_seed)
    assert late.kind == "refused"
    assert "since you saw it" in late.sentence
    assert (await env.queries.match(outcome.match_id)).salt == "7001,7003"


async def test_a_series_goes_on_after_words(env: MatchFixture) -> None:
    series = Terms(game="warp6", rounds=2, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(7001, series, PLAYERS)
    client_seed = ClientSeed("3,4", 7002, 0)
    await env.challenges.accept(7003, outcome.match_id, BO, client_seed=client_seed)
    first = await finished(env, outcome.match_id)
    (second,) = await env.queries.list_for(ADA, "challenge")
    assert second.salt == "7002"
    await env.challenges.accept(7004, second.id, BO)
    record = await finished(env, second.id)
    assert record.headers["Sides"] == " ".join(f"{s[0]}!" for s in first.headers["Sides"].split())


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("", "7"),
        ("  ,\n, ", "7"),
        ("a\r\nb\u2028c", "7:a b c"),
        ("\u202eabc\ud800\x00", "7:abc"),
        (" # x", "7:# x"),
        ("x" * 99, "7:" + "x" * MAX_CLIENT_SEED_CHARACTERS),
        ("7:8", "7:7:8"),
    ],
)
def test_words_fit_into_a_header(typed: str, part: str) -> None:
    assert client_seed_part(7, typed) == part
    record = Record.parse(f"Game: wormholes\nSalt: {client_seed_part(7, typed)}\n\n")
    assert record.headers["Salt"] == part


@pytest.mark.slow
async def test_a_challenge_says_that_sides_will_be_drawn(stage: Stage) -> None:
    challenge = await stage.challenge()
    assert "Sides: drawn at random for Ada and Bo" in words(challenge)
    await stage.click(stage.bo, challenge, "accept:")
    match = await stage.client.context.queries.match(MatchId(1))
    assert "drawn at random" not in words(stage.public()[0])
    assert {player.name for player in match.players.values()} == {"Ada", "Bo"}


@pytest.mark.slow
async def test_a_challenge_names_a_chosen_side(stage: Stage) -> None:
    challenge = await stage.challenge(side="DiagonAliens")
    assert "Sides: Bo (OrthogonAliens) and Ada (DiagonAliens)" in words(challenge)
    assert "drawn at random" not in words(challenge)


@pytest.mark.slow
async def test_the_window_shows_the_salt_that_the_words_complete(stage: Stage) -> None:
    challenge = await stage.challenge(luck="heads")
    before = await stage.client.context.queries.match(MatchId(1))
    assert before.salt.endswith(":heads")
    opened = await stage.click(stage.bo, challenge, "luck:")
    window = str(opened.modal)
    number = opened.modal["custom_id"].split(":")[-1]
    assert f"{before.salt},{number}:" in window
    assert before.commitment in window
    assert (await stage.client.context.queries.match(MatchId(1))).status == "challenge"
    done = await stage.bo.submit_modal(opened, {"words": "tails"})
    assert done.acknowledged
    match = await stage.client.context.queries.match(MatchId(1))
    assert match.status == "running"
    assert match.salt == f"{before.salt},{number}:tails"


@pytest.mark.slow
async def test_words_for_a_settled_challenge_are_too_late(stage: Stage) -> None:
    challenge = await stage.challenge()
    opened = await stage.click(stage.bo, challenge, "luck:")
    await stage.click(stage.bo, challenge, "accept:")
    late = await stage.bo.submit_modal(opened, {"words": "tails"})
    assert "no longer open" in words(late.response) or "started" in words(late.response)
    answer = await fire(stage, payload(stage, stage.bo, stage.last(), "hand:", "luck:1"))
    assert "no longer open" in words(answer.response)


async def test_a_stranger_does_not_join_by_words(stage: Stage) -> None:
    challenge = await stage.challenge()
    opened = await click_released(stage, stage.eve, challenge, "luck:1")
    late = await stage.eve.submit_modal(opened, {"words": "mine"})
    assert "not playing" in words(late.response)
    window = await click_released(stage, stage.ada, challenge, "luck:1")
    refusal = await stage.ada.submit_modal(window, {"words": "mine"})
    assert "own challenge" in words(refusal.response)
    assert "mine" not in (await stage.client.context.queries.match(MatchId(1))).salt
