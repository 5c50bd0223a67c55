"""The dice commitment: stored when it is published, compared with the seed from then on."""

from __future__ import annotations

import hashlib
import logging
import re
from typing import Any

import pytest
from sqlalchemy import update

from bot.domain.ids import MatchId
from bot.storage.database import Database
from bot.storage.schema import matches
from engine.record import RecordError
from tests.support.harness import SEED, Stage, ids, words
from tests.support.interactions import click_released
from tests.support.match_card import on_card
from tests.support.matches import ADA, BO, MatchFixture

OTHER = bytes(range(32, 64))
"""A seed to which no commitment was published."""


def commitment_to(seed: bytes) -> str:
    """Return the published commitment to a seed."""
    return "sha256:" + hashlib.sha256(seed).hexdigest()


async def exchange(database: Database, match_id: MatchId, **fields: Any) -> None:
    """Change what a host could change in its database."""
    async with database.write() as connection:
        condition = matches.c.id == match_id
        await connection.execute(
            update(matches).where(condition).values(**(fields or {"seed": OTHER}))
        )


async def test_a_record_holds_the_commitment_that_was_published(env: MatchFixture) -> None:
    match_id = await env.ask()
    published = (await env.queries.match(match_id)).commitment
    assert published == commitment_to(bytes(32))
    await env.challenges.accept(next(env.ids), match_id, BO)
    await env.matches.act(next(env.ids), match_id, BO, "resign")
    record = await env.queries.record(match_id)
    assert record.headers["Dice"] == published
    assert record.headers["Seed"] == bytes(32).hex()
    assert record.verify(published) > 0


async def test_an_exchanged_seed_does_not_verify(env: MatchFixture) -> None:
    match_id = await env.begin()
    published = (await env.queries.match(match_id)).commitment
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    await exchange(env.database, match_id)
    match = await env.queries.match(match_id)
    assert match.commitment == published
    assert not match.commitment_holds
    record = await env.queries.record(match_id)
    assert record.headers["Dice"] == published
    with pytest.raises(RecordError, match="committed to"):
        record.verify()


async def test_a_lost_commitment_does_not_hold(env: MatchFixture) -> None:
    match_id = await env.begin()
    await exchange(env.database, match_id, commitment=None)
    assert not (await env.queries.match(match_id)).commitment_holds


@pytest.mark.errors_wanted
async def test_an_exchanged_seed_rolls_no_dice(
    env: MatchFixture, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await env.ask()
    await exchange(env.database, match_id)
    with pytest.raises(Exception, match="commitment"):
        await env.challenges.accept(next(env.ids), match_id, BO)
    assert (await env.queries.match(match_id)).status == "challenge"
    (error,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "seed" in error.getMessage()


@pytest.mark.errors_wanted
async def test_a_choice_before_dice_is_refused_after_an_exchange(env: MatchFixture) -> None:
    match_id = await env.begin()
    await exchange(env.database, match_id)
    while True:
        user = await env.on_turn(match_id)
        action = (await env.queries.view(match_id, user)).view.legal[0]
        line = " ".join((action.verb, *action.args))
        outcome = await env.matches.act(next(env.ids), match_id, user, line)
        if outcome.kind != "done":
            break
    assert outcome.kind == "refused"
    assert "commitment" in outcome.sentence
    given_up = await env.matches.act(next(env.ids), match_id, user, "resign")
    assert given_up.kind == "done"


SEAL = re.compile(r"[0-9a-f]{32}")
"""A seed, a commitment, or another text that only programs read."""


def dice_of(message: Any) -> str:
    """Return the commitment that the custom_id of *More…* or *Dice* publishes."""
    return next(
        custom_id.split(":", 2)[2]
        for custom_id in ids(message)
        if custom_id.startswith(("more:", "dice:"))
    )


@pytest.mark.slow
async def test_the_commitment_is_published_from_challenge_to_end(stage: Stage) -> None:
    challenge = await stage.challenge()
    published = (await stage.client.context.queries.match(MatchId(1))).commitment
    assert dice_of(challenge) == published
    before = words((await stage.click(stage.eve, challenge, "dice:")).response)
    assert published in before
    assert "Keep a copy" in before
    await stage.click(stage.bo, challenge, "accept:")
    assert "has started" in words(stage.public()[0])
    assert dice_of(stage.public()[0]) == published
    resigning = await stage.bo.slash(stage.channel, "resign")
    await stage.click(stage.bo, resigning.response, "resign:")
    assert dice_of(stage.last()) == published
    assert dice_of(stage.public()[0]) == published
    after = words((await stage.click(stage.eve, stage.last(), "dice:")).response)
    assert published in after
    assert SEED.hex() in after
    assert not [message for message in stage.public() if SEAL.search(words(message))]


async def test_dice_of_a_match_in_progress_show_no_seed(stage: Stage) -> None:
    await stage.begin()
    answer = await stage.click(stage.ada, stage.public()[0], "dice:")
    assert answer.ephemeral
    assert commitment_to(SEED) in words(answer.response)
    assert SEED.hex() not in words(answer.response)


async def test_an_exchanged_commitment_differs_from_the_published_one(stage: Stage) -> None:
    challenge = await stage.challenge()
    published, exchanged = commitment_to(SEED), commitment_to(OTHER)
    text = words((await stage.click(stage.bo, challenge, "dice:")).response)
    assert "⚠️" not in text
    await exchange(stage.database, MatchId(1), seed=OTHER, commitment=exchanged)
    text = words((await stage.click(stage.bo, challenge, "dice:")).response)
    assert "another commitment" in text
    assert published in text
    assert exchanged in text


async def test_a_button_without_a_commitment_shows_the_stored_one(stage: Stage) -> None:
    challenge = await stage.challenge()
    answer = await click_released(stage, stage.bo, challenge, "dice:1")
    assert commitment_to(SEED) in words(answer.response)
    assert "another commitment" not in words(answer.response)


async def test_an_exchanged_seed_is_told_in_the_challenge(stage: Stage) -> None:
    await stage.begin()
    await exchange(stage.database, MatchId(1))
    answer = await stage.click(stage.bo, stage.public()[0], "dice:")
    assert "doesn't match its commitment" in words(answer.response)


async def over(stage: Stage) -> MatchId:
    """A match that Bo has given up."""
    match_id = await stage.begin()
    await stage.client.context.matches.act(1, match_id, stage.bo.id, "resign")
    return match_id


@pytest.mark.slow
async def test_verify_shows_the_published_commitment(stage: Stage) -> None:
    match_id = await over(stage)
    published = (await stage.client.context.queries.match(match_id)).commitment
    text = words((await on_card(stage, stage.ada, stage.channel, "verify:")).response)
    assert published in text
    assert "from the seed" in text
    assert "upgrade" not in text


@pytest.mark.slow
@pytest.mark.errors_wanted
async def test_verify_fails_loudly_after_an_exchange(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await over(stage)
    published = (await stage.client.context.queries.match(match_id)).commitment
    await exchange(stage.database, match_id)
    text = words((await on_card(stage, stage.ada, stage.channel, "verify:")).response)
    assert "**The dice of Wormholes #1 can't be verified.**" in text
    assert published in text
    assert OTHER.hex() in text
    assert "follow" not in text
    assert any("do not verify" in record.getMessage() for record in caplog.records)


@pytest.mark.slow
async def test_verify_says_that_a_commitment_was_stored_at_an_upgrade(stage: Stage) -> None:
    match_id = await over(stage)
    await exchange(stage.database, match_id, committed_at=None)
    text = words((await on_card(stage, stage.ada, stage.channel, "verify:")).response)
    assert "upgrade" in text
    record = await stage.client.context.queries.record(match_id)
    assert record.headers["Dice stored"] == "at an upgrade"
    assert record.verify() > 0
