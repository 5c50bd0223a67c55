"""The suits as emojis of the application: sent once, used where they help, never in the way."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.app.emojis import all_emoji_images, full_name
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, walk, words

ROUTE = "/emojis"


def sent(stage: Stage) -> list[Any]:
    return [r for r in stage.env.http_requests if r.path.endswith(ROUTE) and r.method == "POST"]


def used(message: Any) -> list[Any]:
    """The emojis on a message's buttons."""
    return [part["emoji"] for part in walk(message.components) if part.get("emoji")]


async def moving(stage: Stage) -> Any:
    """The board of a match in which a player moves a ship by its die."""
    match_id = await stage.begin()
    while (await stage.perspective(match_id)).view.phase != "act":  # type: ignore[attr-defined]
        await play_on(stage, match_id, Random(1), ways=(silently,), limit=1)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    return stage.last()


def test_emojis_are_small_pictures_with_names_discord_accepts() -> None:
    images = dict(all_emoji_images())
    assert {"wormholes_suns", "wormholes_moons", "wormholes_crowns", "wormholes_arms"} <= {*images}
    for name, png in images.items():
        picture = Image.open(io.BytesIO(png))
        assert picture.size == (96, 96)
        assert picture.mode == "RGBA"
        assert picture.getpixel((0, 0))[3] == 0  # type: ignore[index]
        assert len(png) < 20_000
        assert len(full_name(name, png)) <= 32
        assert full_name(name, png).replace("_", "").isalnum()


async def test_they_are_sent_once_and_known_again_after_a_restart(stage: Stage) -> None:
    await stage.client.runtime.emojis_sync.upload_missing()
    assert len(sent(stage)) == len(dict(all_emoji_images()))
    await stage.client.runtime.emojis_sync.upload_missing()
    await stage.restart()
    await stage.client.runtime.emojis_sync.upload_missing()
    assert len(sent(stage)) == len(dict(all_emoji_images()))
    assert set(stage.client.context.images.emojis) == set(dict(all_emoji_images()))


@pytest.mark.slow
async def test_a_ship_is_shown_beside_its_ways(stage: Stage) -> None:
    await stage.client.runtime.emojis_sync.upload_missing()
    board = await moving(stage)
    assert "<:wormholes_" in words(board)


@pytest.mark.slow
async def test_without_them_everything_is_as_before(stage: Stage) -> None:
    stage.client.context.images.emojis = {}
    stage.env.inject_error("GET", f"/applications/{stage.client.application_id}/emojis", status=404)
    await stage.client.runtime.emojis_sync.upload_missing()
    board = await moving(stage)
    assert "<:" not in words(board)
    assert not used(board)


@pytest.mark.slow
async def test_message_refused_for_an_emoji_is_sent_without_it(delivery: DeliveryFixture) -> None:
    delivery.images.emojis = {"wormholes_suns": "<:suns:1>"}
    invalid = "Invalid Form Body: components.0.emoji.id: Invalid emoji"
    delivery.fake.refusals[CHANNEL] = (400, 50035, invalid)
    await delivery.env.ask()
    await delivery.worker.flush()
    assert await delivery.left() == [("post_challenge", "waiting")]
    assert not delivery.images.emojis
    del delivery.fake.refusals[CHANNEL]
    delivery.env.now += 5
    await delivery.worker.flush()
    assert "challenges you" in delivery.fake.texts(CHANNEL)[-1]
