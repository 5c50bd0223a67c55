"""Active hours: opponents see them in their own time, if their player allows it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.clocks import DAY, HOUR
from bot.features.privacy.exports import Exports
from bot.features.privacy.service import Privacy
from tests.support.harness import NOW, Stage, words
from tests.support.match_card import card_of
from tests.support.privacy import exported

pytestmark = pytest.mark.slow

MIDNIGHT = NOW - 8 * HOUR
"""The tests begin at 8:00 UTC."""

ALL_DAY = (MIDNIGHT + 4 * HOUR, MIDNIGHT + 18 * HOUR)
"""From 8:00 to 22:00 in Dubai, four hours ahead of UTC."""


def sentence(name: str, hours: tuple[float, float] = ALL_DAY) -> str:
    start, end = (f"<t:{int(moment)}:t>" for moment in hours)
    return f"{name} usually answers between {start} and {end}, your time."


async def show_hours(stage: Stage, actor: Any, quiet: str = "22-8", allowed: str = "on") -> None:
    """Choose quiet hours and a time zone, and whether opponents see the hours between them."""
    await actor.slash(stage.channel, "settings", zone="Asia/Dubai")
    await stage.prefer(actor, quiet=quiet)
    await stage.prefer(actor, active_hours=allowed)


async def card(stage: Stage, actor: Any, match_id: int) -> str:
    return words((await card_of(stage, actor, stage.channel, match_id)).response)


async def test_opponents_alone_see_hours_in_their_own_time(stage: Stage) -> None:
    await show_hours(stage, stage.bo)
    match_id = await stage.begin()
    assert f"-# {sentence('Bo')}" in await card(stage, stage.ada, match_id)
    for actor in (stage.bo, stage.eve):
        assert "usually answers" not in await card(stage, actor, match_id)
    await stage.restart()
    assert sentence("Bo") in await card(stage, stage.ada, match_id)


@pytest.mark.slow
@pytest.mark.parametrize(("quiet", "allowed"), [("22-8", "off"), ("off", "on"), ("off", "off")])
async def test_hours_are_shown_only_if_they_exist_and_are_allowed(
    stage: Stage, quiet: str, allowed: str
) -> None:
    await show_hours(stage, stage.bo, quiet, allowed)
    assert "usually answers" not in await card(stage, stage.ada, await stage.begin())


async def test_hours_are_not_shown_unless_chosen(stage: Stage) -> None:
    await stage.bo.slash(stage.channel, "settings", zone="Asia/Dubai")
    answer = await stage.prefer(stage.bo, quiet="22-8")
    assert "When I usually answer: **No one sees it**" in words(answer.response)
    text = await card(stage, stage.ada, await stage.begin())
    assert "usually answers" not in text
    assert "Dubai" not in text


@pytest.mark.slow
async def test_zone_is_never_named_to_others(stage: Stage) -> None:
    await show_hours(stage, stage.bo)
    match_id = await stage.begin()
    for actor in (stage.ada, stage.eve):
        assert "Dubai" not in await card(stage, actor, match_id)


@pytest.mark.slow
async def test_hours_of_the_next_day_follow_in_quiet_hours(stage: Stage) -> None:
    await show_hours(stage, stage.bo)
    match_id = await stage.begin()
    await stage.spend(10 * HOUR - 1)  # one second before 22:00 in Dubai
    assert sentence("Bo") in await card(stage, stage.ada, match_id)
    await stage.spend(1)
    next_day = ALL_DAY[0] + DAY, ALL_DAY[1] + DAY
    assert sentence("Bo", next_day) in await card(stage, stage.ada, match_id)


@pytest.mark.slow
async def test_card_of_a_challenge_or_an_ended_match_shows_no_hours(stage: Stage) -> None:
    await show_hours(stage, stage.bo)
    challenge = await stage.challenge()
    opened = await stage.click(stage.ada, challenge, "more:")
    assert "usually answers" not in words(opened.response)
    await stage.click(stage.bo, challenge, "accept:")
    question = await stage.bo.slash(stage.channel, "resign")
    await stage.click(stage.bo, question.response, "resign:")
    ended = await card_of(stage, stage.ada, stage.channel, 1, "replay")
    assert "usually answers" not in words(ended.response)


async def profile_of_bo(stage: Stage, reader: Any) -> str:
    return words((await reader.slash(stage.channel, "profile", player=stage.bo)).response)


async def test_profile_shows_hours_to_those_met(stage: Stage) -> None:
    await show_hours(stage, stage.bo)
    await stage.prefer(stage.bo, profile="everyone")
    assert "usually answers" not in await profile_of_bo(stage, stage.ada)
    await stage.begin()
    question = await stage.bo.slash(stage.channel, "resign")
    await stage.click(stage.bo, question.response, "resign:")
    assert sentence("Bo") in await profile_of_bo(stage, stage.ada)
    for reader in (stage.eve, stage.bo):
        assert "usually answers" not in await profile_of_bo(stage, reader)
    await stage.prefer(stage.bo, active_hours="off")
    assert "usually answers" not in await profile_of_bo(stage, stage.ada)


async def test_hours_are_exported_to_their_player_and_deleted(stage: Stage) -> None:
    await show_hours(stage, stage.bo)
    await stage.begin()
    exports = stage.client.context.of(Exports)
    (settings,) = (await exported(exports, stage.bo.id))["settings"]
    stored = settings["preferences"]
    assert (stored["active_hours"], stored["zone"]) == ("on", "Asia/Dubai")
    assert "Dubai" not in str(await exported(exports, stage.ada.id))
    await stage.client.context.of(Privacy).erase(stage.bo.id)
    assert await stage.client.context.preferences.active_hours(stage.bo.id, NOW) is None
    assert not (await exported(exports, stage.bo.id))["settings"]


@pytest.mark.slow
async def test_hours_speak_german(stage: Stage, locales: dict[int, str]) -> None:
    locales[stage.ada.id] = "de"
    await show_hours(stage, stage.bo)
    assert "Bo antwortet meist zwischen <t:" in await card(stage, stage.ada, await stage.begin())
