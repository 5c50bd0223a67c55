"""Players of cups who leave the server, on Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.features.cups import members as cup_members
from bot.features.cups import standings_view as cup_standings
from bot.features.cups import views
from bot.features.cups.members import MEMBER_CHECK_SECONDS, OVER_CHECK_SECONDS, CupMembers
from bot.features.cups.rows import Cup, CupStatus, StoredEntrant
from bot.features.cups.seasons import SIGN_UP_SECONDS
from bot.features.cups.service import Cups
from tests.support.harness import Stage, ids, words
from tests.support.staged_cups import begun, create, finish, play, post

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("long_pauses")]


async def check(stage: Stage, seconds: float = MEMBER_CHECK_SECONDS) -> None:
    """Let the bot ask Discord again, and update the post."""
    await stage.spend(seconds + 1)
    await finish(stage)
    await finish(stage)


async def details(stage: Stage, actor: Any) -> str:
    return words((await actor.slash(stage.channel, "cup status")).response)


async def test_a_player_who_has_left_is_in_no_standings(stage: Stage) -> None:
    await begun(stage)
    assert "Bo" in words(post(stage, "cupmine:"))
    stage.guild.remove_member(stage.bo)
    await check(stage)
    message = post(stage, "cupmine:")
    (picture,) = message.attachments
    for text in (words(message), picture.description, await details(stage, stage.eve)):
        assert "Former member" in text
        assert "Bo" not in text
    assert "Ada" in words(message)


async def test_the_organiser_is_told_who_has_left(stage: Stage) -> None:
    await begun(stage)
    stage.guild.remove_member(stage.bo)
    await check(stage)
    sentence = f"<@{stage.bo.id}> has left this server"
    assert sentence in await details(stage, stage.ada)
    assert sentence not in await details(stage, stage.eve)


async def test_a_player_who_comes_back_has_their_name_again(stage: Stage) -> None:
    await begun(stage)
    stage.guild.remove_member(stage.bo)
    await check(stage)
    stage.guild.add_member(stage.bo.user)
    await check(stage)
    assert "Bo" in words(post(stage, "cupmine:"))
    assert "Former member" not in words(post(stage, "cupmine:"))


async def test_a_player_who_leaves_before_the_start_is_not_drawn(stage: Stage) -> None:
    await create(stage)
    for actor in (stage.ada, stage.bo, stage.eve):
        await stage.click(actor, post(stage), "cupjoin:")
    stage.guild.remove_member(stage.bo)
    await check(stage)
    assert "Players (2 of 16)" in words(post(stage))


async def test_a_player_who_has_just_left_is_not_drawn(stage: Stage) -> None:
    await create(stage)
    for actor in (stage.ada, stage.bo, stage.eve):
        await stage.click(actor, post(stage), "cupjoin:")
    await stage.spend(MEMBER_CHECK_SECONDS / 2)
    stage.guild.remove_member(stage.bo)
    answer = await stage.click(stage.ada, post(stage), "cupstart:")
    assert "there are 2 now" in words(answer.response)
    await finish(stage)
    assert "Players (2 of 16)" in words(post(stage))


async def test_matches_of_a_player_who_has_left_go_on(stage: Stage) -> None:
    await begun(stage)
    stage.guild.remove_member(stage.bo)
    await check(stage)
    await play(stage)
    cup = await stage.client.context.of(Cups).get(1)
    assert cup
    assert cup.row.status == CupStatus.FINISHED


async def test_players_are_asked_about_once_in_a_while(stage: Stage) -> None:
    await begun(stage)
    stage.guild.remove_member(stage.bo)
    await finish(stage)
    assert "Bo" in words(post(stage, "cupmine:"))


async def test_no_answer_changes_nothing(stage: Stage) -> None:
    await begun(stage)
    path = f"/guilds/{stage.guild.id}/members/{stage.bo.id}"
    stage.env.inject_error("GET", path, status=403, code=50001, times=None)
    await check(stage)
    assert "Bo" in words(post(stage, "cupmine:"))


# Seasons


async def next_season(stage: Stage) -> Cup:
    """Open the next season after the first; return its cup."""
    first = await stored(stage, 1)
    await stage.spend((first.row.ends_at or 0.0) - SIGN_UP_SECONDS - stage.clock.now)
    await finish(stage)
    await finish(stage)
    return await stored(stage, 2)


async def begin_next_season(stage: Stage) -> Cup:
    """Let the sign-up of the second season end; return its cup."""
    await stage.spend(SIGN_UP_SECONDS)
    await finish(stage)
    return await stored(stage, 2)


async def stored(stage: Stage, cup_id: int) -> Cup:
    """Return a cup."""
    cup = await stage.client.context.of(Cups).get(cup_id)
    assert cup
    return cup


@pytest.mark.parametrize("is_known", [True, False])
async def test_season_opens_without_a_banned_player(stage: Stage, *, is_known: bool) -> None:
    """A ban that the bot has not noticed yet is noticed in the sign-up, before the start."""
    fay = stage.guild.add_member(stage.env.create_user("fay", global_name="Fay"))
    await create(stage, season="1")
    for actor in (stage.ada, stage.bo, stage.eve, fay):
        await stage.click(actor, post(stage), "cupjoin:")
    await stage.click(stage.ada, post(stage), "cupstart:")
    await finish(stage)
    if is_known:
        stage.env.backend.apply_ban(stage.guild.id, stage.bo.id, None)
        await check(stage)
    cup = await next_season(stage)
    assert (stage.bo.id in [entrant.user_id for entrant in cup.entrants]) != is_known
    if not is_known:
        stage.env.backend.apply_ban(stage.guild.id, stage.bo.id, None)
        await check(stage)
    sign_up = words(post(stage, "cupjoin:2"))
    assert f"<@{stage.bo.id}>" not in sign_up
    assert f"<@{stage.eve.id}>" in sign_up
    for actor in (stage.ada, stage.eve, fay):
        await stage.click(actor, post(stage, "cupjoin:2"), "cupjoin:")
    cup = await begin_next_season(stage)
    assert cup.row.status == CupStatus.RUNNING
    assert {entrant.user_id for entrant in cup.entrants} == {stage.ada.id, stage.eve.id, fay.id}


async def test_players_who_block_each_other_meet_in_a_season(stage: Stage) -> None:
    """By confirming, each has agreed to all matches."""
    await begun(stage, season="1")
    await stage.client.context.preferences.block(stage.bo.id, stage.ada.id)
    await next_season(stage)
    for actor in (stage.ada, stage.bo, stage.eve):
        await stage.click(actor, post(stage, "cupjoin:2"), "cupjoin:")
    cup = await begin_next_season(stage)
    assert {entrant.user_id for entrant in cup.confirmed} == {*stage.people}
    assert len(cup.pairings) == 3
    assert cup.running


# After the end


async def over(stage: Stage) -> None:
    """A cup that Ada has won, and that Bo leaves after its end."""
    await begun(stage)
    await play(stage)
    stage.guild.remove_member(stage.bo)


def standings(stage: Stage) -> str:
    """The post of a cup, with the text of its picture."""
    message = post(stage)
    (picture,) = message.attachments
    return f"{words(message)} {picture.description}"


async def asked(stage: Stage) -> str:
    """The answers to all requests about a cup, with the texts of their pictures."""
    answers = [
        (await stage.ada.slash(stage.channel, "cup status")).response,
        (await stage.click(stage.ada, post(stage), "cupstatus:")).response,
    ]
    pictures = [picture.description for answer in answers for picture in answer.attachments]
    return " ".join([*map(words, answers), *pictures])


async def leaks(stage: Stage) -> set[str]:
    """Where players are named who leave after the end: Bo before a check, Eve after it."""
    await over(stage)
    await check(stage, OVER_CHECK_SECONDS)
    places = {"post"} if "Bo" in standings(stage) else set()
    await stage.spend(MEMBER_CHECK_SECONDS / 2)
    stage.guild.remove_member(stage.eve)
    return places | ({"answers"} if "Eve" in await asked(stage) else set())


async def test_cups_that_are_over_name_no_former_member(stage: Stage) -> None:
    assert not await leaks(stage)
    await finish(stage)
    assert standings(stage).count("Former member") >= 2
    stage.guild.add_member(stage.bo.user)
    await check(stage, OVER_CHECK_SECONDS)
    assert "Bo" in standings(stage)
    assert "Eve" not in standings(stage)


@pytest.mark.parametrize("end", [play, None])
async def test_answers_name_no_player_who_has_just_left(stage: Stage, end: Any) -> None:
    await begun(stage)
    if end:
        await end(stage)
    await stage.spend(MEMBER_CHECK_SECONDS / 2)
    stage.guild.remove_member(stage.bo)
    answers = await asked(stage)
    assert "Bo" not in answers
    assert "Former member" in answers
    await finish(stage)
    assert "Bo" not in standings(stage), "the post follows"


async def test_own_matches_name_no_player_who_has_just_left(stage: Stage) -> None:
    await begun(stage)
    await stage.spend(MEMBER_CHECK_SECONDS / 2)
    stage.guild.remove_member(stage.bo)
    answer = (await stage.click(stage.ada, post(stage, "cupmine:"), "cupmine:")).response
    assert "Former member" in words(answer)
    assert "Bo" not in words(answer)


async def test_a_deleted_post_of_a_cup_that_is_over_stays_deleted(stage: Stage) -> None:
    await begun(stage)
    await play(stage)
    await post(stage).delete()
    stage.guild.remove_member(stage.bo)
    before = len(stage.public())
    for _ in range(2):
        await check(stage, OVER_CHECK_SECONDS)
        stage.guild.add_member(stage.bo.user)
    assert len(stage.public()) == before
    assert not any(
        custom_id.startswith("cup") for message in stage.public() for custom_id in ids(message)
    )


def careless(entrant: StoredEntrant) -> str:
    return entrant.name


def plant_names(patch: pytest.MonkeyPatch) -> None:
    """Those who have left are still named."""
    for module in (cup_standings, views):
        patch.setattr(module, "plain_name", careless)


def plant_ignorance(patch: pytest.MonkeyPatch) -> None:
    """Make answers rely on the stored members."""

    def unknown(_: CupMembers, __: Cup) -> list[UserId]:
        return []

    patch.setattr(CupMembers, "unknown", unknown)


def plant_neglect(patch: pytest.MonkeyPatch) -> None:
    """Discord is not asked about the players of cups that are over."""
    patch.setattr(cup_members, "_QUEUES", cup_members._QUEUES[:1])


@pytest.mark.parametrize(
    ("plant", "where"),
    [(plant_names, {"post", "answers"}), (plant_ignorance, {"answers"}), (plant_neglect, {"post"})],
)
async def test_planted_names_of_former_members_are_found(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, plant: Any, where: set[str]
) -> None:
    plant(monkeypatch)
    assert await leaks(stage) == where
