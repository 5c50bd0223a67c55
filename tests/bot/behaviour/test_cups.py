"""Cups on Discord: from `/cup create` to the winner."""

from __future__ import annotations

import re

import discord
import pytest

from bot.features.cups.service import Cups
from tests.support.harness import Stage, ids, words
from tests.support.interactions import fire, payload, sentence
from tests.support.staged_cups import begun, create, finish, play, post

pytestmark = pytest.mark.usefixtures("long_pauses")


@pytest.mark.slow
async def test_a_cup_from_sign_up_to_winner(stage: Stage) -> None:
    answer = await create(stage)
    assert "sign-up for **Spring** is open" in words(answer.response)
    assert "Players (0 of 16)" in words(post(stage))
    await stage.click(stage.bo, post(stage), "cupjoin:")
    await finish(stage)
    assert "**Players (1 of 16):** Bo" in words(post(stage))
    await stage.click(stage.ada, answer.response, "cupjoin:")
    status = await stage.eve.slash(stage.channel, "cup status")
    await stage.click(stage.eve, status.response, "cupjoin:")
    await finish(stage)
    assert "Players (3 of 16)" in words(post(stage))
    await stage.click(stage.ada, post(stage), "cupstart:")
    await finish(stage)
    texts = [words(message) for message in stage.public()]
    assert any("has begun" in text for text in texts)
    assert "0 of 3 matches are decided" in words(post(stage))
    mine = await stage.click(stage.bo, post(stage), "cupmine:")
    assert "Your matches in **Spring**" in words(mine.response)
    await play(stage)
    assert "wins!**" in words(post(stage))
    (end,) = [text for text in map(words, stage.public()) if "Congratulations" in text]
    assert "wins the cup **Spring**" in end


@pytest.mark.slow
async def test_only_one_post_is_kept_up_to_date(stage: Stage) -> None:
    await begun(stage)
    await play(stage)
    posts = [
        message for message in stage.public() if any(i.startswith("cup") for i in ids(message))
    ]
    assert len(posts) == 1
    announced = [text for text in map(words, stage.public()) if "the cup **Spring**" in text]
    begins = [text for text in map(words, stage.public()) if "The cup **Spring** has begun" in text]
    assert (len(announced), len(begins)) == (1, 1)


@pytest.mark.slow
async def test_a_withdrawal_is_confirmed_first(stage: Stage) -> None:
    await begun(stage)
    confirmation = await stage.click(stage.eve, post(stage), "cupleave:")
    assert "Withdraw from **Spring**? This forfeits 2 unfinished matches" in words(
        confirmation.response
    )
    answer = await stage.click(stage.eve, confirmation.response, "cancel")
    assert "Nothing has changed" in words(answer.response)
    confirmation = await stage.click(stage.eve, post(stage), "cupleave:")
    done = await stage.click(stage.eve, confirmation.response, "cupwithdraw:")
    assert "given up" in words(done.response)
    assert "Eve withdrew early: their matches don't count." in words(post(stage))
    assert "Eve withdrew." not in words(post(stage))
    await finish(stage)
    assert "withdrawn" in words(post(stage))


@pytest.mark.slow
async def test_a_substitute_takes_over_with_one_click(stage: Stage) -> None:
    await begun(stage, matches=1)
    kim = stage.guild.add_member(stage.env.create_user("kim", global_name="Kim"))
    answer = await stage.ada.slash(stage.channel, "cup replace", substitute=kim)
    assert "offered" in words(answer.response)
    await finish(stage)
    assert f"Ada is looking for a substitute: <@{kim.id}>" in words(post(stage))
    await stage.click(kim, post(stage), "cupjoin:")
    await finish(stage)
    cup = await stage.client.context.of(Cups).get(1)
    assert cup
    assert {entrant.name for entrant in cup.entrants} == {"Kim", "Bo", "Eve"}
    assert not any(custom_id.startswith("cupjoin") for custom_id in ids(post(stage)))


async def test_others_cannot_start_or_cancel(stage: Stage) -> None:
    await create(stage)
    refusal = await stage.click(stage.bo, post(stage), "cupstart:")
    assert "Only the organiser" in words(refusal.response)
    status = await stage.bo.slash(stage.channel, "cup status")
    assert not {"cupcancel:1", "cupremove:1"} & {*ids(status.response)}
    for custom_id in ("cupcancel:1", "cupcancel:1:1"):
        forged = payload(stage, stage.bo, post(stage), "", custom_id)
        assert "Only the organiser" in sentence(await fire(stage, forged))
    status = await stage.ada.slash(stage.channel, "cup status")
    question = await stage.click(stage.ada, status.response, "cupcancel:1")
    assert "Cancel **Spring**?" in words(question.response)
    assert "Players (0 of 16)" in words(post(stage))
    cancelled = await stage.click(stage.ada, question.response, "cupcancel:1:1")
    assert "is cancelled" in words(cancelled.response)
    await finish(stage)
    assert any("doesn't take place" in words(message) for message in stage.public())


async def test_managers_of_the_server_can_start(stage: Stage) -> None:
    await create(stage)
    role = stage.guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
    user = stage.env.create_user("host", global_name="Host")
    host = stage.guild.add_member(user, roles=[role])
    refusal = await stage.click(host, post(stage), "cupstart:")
    assert "at least 3 players; there " in words(refusal.response)
    assert "`/play` begins a match against" in words(refusal.response)


@pytest.mark.slow
async def test_status_shows_what_decides(stage: Stage) -> None:
    await begun(stage)
    status = await stage.bo.slash(stage.channel, "cup status")
    assert status.response.ephemeral
    assert "What counts" in words(status.response)
    assert "Sonneborn-Berger" in words(status.response)
    assert status.response.attachments


@pytest.mark.slow
async def test_results_stay_in_the_post_and_its_details(stage: Stage) -> None:
    await begun(stage)
    await play(stage)
    sentences = re.findall(r"\w+ won against \w+", words(post(stage)))
    assert len(sentences) == 3
    details = await stage.click(stage.bo, post(stage), "cupstatus:")
    assert all(sentence in words(details.response) for sentence in sentences)


@pytest.mark.slow
async def test_status_says_once_what_decides_equal_points(stage: Stage) -> None:
    await create(stage)
    before = await stage.bo.slash(stage.channel, "cup status")
    assert words(before.response).count("Sonneborn-Berger") == 1
    assert "Sonneborn-Berger" not in words(post(stage)), "the post has plain words"
    assert "the winner of their match is ahead" in words(post(stage))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"starts": "soon"}, "I can't read this date, or it could mean several. Write it as"),
        ({"ends": "2999-12-31"}, "more than two years from now"),
        ({"starts": "2001-01-01"}, "in the past"),
        ({"game": "tomtube", "format": "groups"}, "can't be played in this format"),
        ({"name": "\u200b\u3164"}, "Give the cup a name that people can read."),
    ],
)
async def test_impossible_terms_are_explained(
    stage: Stage, options: dict[str, str], text: str
) -> None:
    answer = await stage.ada.slash(
        stage.channel, "cup create", **{"name": "X", "game": "warp6", **options}
    )
    assert text in words(answer.response)


@pytest.mark.slow
async def test_a_cup_in_a_hidden_channel_is_not_found(stage: Stage) -> None:
    zed = stage.guild.add_member(stage.env.create_user("zed"))
    lobby = stage.guild.create_text_channel("lobby")
    hidden = {zed: discord.PermissionOverwrite(view_channel=False)}
    stage.channel = stage.guild.create_text_channel("club", overwrites=hidden)
    await begun(stage)
    for options in ({}, {"cup": 1}):
        answer = await zed.slash(lobby, "cup status", **options)
        assert "There is no such cup" in words(answer.response)
    assert not await zed.autocomplete(lobby, "cup status", "cup", "")
    for actor in (stage.ada, stage.eve):
        assert "Spring" in words((await actor.slash(lobby, "cup status")).response)
        assert await actor.autocomplete(lobby, "cup status", "cup", "")


async def test_a_cup_of_another_server_is_not_found(stage: Stage) -> None:
    await create(stage)
    other = stage.env.create_guild("Other")
    room = other.create_text_channel("room")
    guest = other.add_member(stage.env.create_user("guest", global_name="Guest"))
    for options in ({"cup": 1}, {}):
        answer = await guest.slash(room, "cup status", **options)
        assert "no such cup" in words(answer.response)
