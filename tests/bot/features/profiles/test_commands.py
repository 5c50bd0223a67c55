"""Profiles as players see them on Discord."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from bot.domain.ids import MatchId
from render.profile_card import WIDTH
from tests.support.harness import Stage, ids, words
from tests.support.tally import Tally


async def resigned(stage: Stage, **options: Any) -> MatchId:
    """A match that Bo has lost."""
    match_id = await stage.begin(**options)
    question = await stage.bo.slash(stage.channel, "resign")
    await stage.click(stage.bo, question.response, "resign:")
    return match_id


async def profile(stage: Stage, actor: Any, person: Any = None, where: Any = None) -> str:
    options = {} if person is None else {"player": person}
    answer = await actor.slash(where or stage.channel, "profile", **options)
    assert answer.response.ephemeral
    return words(answer.response)


@pytest.mark.slow
async def test_own_profile_has_score_and_setting(stage: Stage) -> None:
    await stage.without_threads()
    await resigned(stage)
    await resigned(stage, game="warp6")
    answer = await stage.ada.slash(stage.channel, "profile")
    text = words(answer.response)
    assert "Profile of Ada" in text
    assert "2 finished matches, 1 opponent" in text
    assert "- Wormholes: 1 won, 0 drawn, 0 lost (100%)" in text
    assert "- Warp 6 for 2: 1 won" in text
    assert "- Bo: 2 won, 0 drawn, 0 lost (100%)" in text
    assert "Who can see my profile: No one but me" in text
    assert "Luck and decisions come from analysed matches (`/analyse`)." in text
    window = await stage.click(stage.ada, answer.response, "preferences:others")
    assert window.modal


@pytest.mark.slow
async def test_profile_has_a_picture_with_the_same_content(stage: Stage) -> None:
    await stage.without_threads()
    await resigned(stage)
    answer = await stage.ada.slash(stage.channel, "profile")
    (picture,) = answer.response.attachments
    assert Image.open(io.BytesIO(await picture.read())).width == WIDTH
    for line in ("Profile of Ada", "1 finished match", "- Wormholes: 1 won", "- Bo: 1 won"):
        assert line in picture.description
    assert not (await stage.eve.slash(stage.channel, "profile")).response.attachments


@pytest.mark.slow
async def test_rated_match_shows_the_rating(stage: Stage) -> None:
    await stage.without_threads()
    await resigned(stage, game="warp6", rated=True)
    assert "Ratings" not in await profile(stage, stage.ada), "it ended too early to count"


async def test_user_without_matches_is_told_so(stage: Stage) -> None:
    assert "No finished matches yet." in await profile(stage, stage.eve)


@pytest.mark.slow
async def test_profile_of_another_player_needs_their_consent(stage: Stage) -> None:
    await stage.without_threads()
    await resigned(stage)
    assert "Ada's profile is private" in await profile(stage, stage.bo, stage.ada)
    await stage.prefer(stage.ada, profile="met")
    for actor in (stage.bo, stage.eve):
        text = await profile(stage, actor, stage.ada)
        assert "1 finished match, 1 opponent" in text
        assert "Who can see my profile" not in text
    assert "- Bo: " not in await profile(stage, stage.eve, stage.ada)
    assert "- Bo: 1 won" in await profile(stage, stage.bo, stage.ada)


async def test_menu_of_a_person_shows_their_profile(stage: Stage) -> None:
    await stage.prefer(stage.ada, profile="everyone")
    answer = await stage.eve.context_menu(stage.channel, "Profile", stage.ada)
    assert answer.ephemeral
    assert "Profile of Ada" in words(answer.response)
    assert not [
        custom_id for custom_id in ids(answer.response) if custom_id.startswith("preferences")
    ]


async def test_users_of_other_servers_have_no_profile_here(stage: Stage) -> None:
    mia = stage.env.create_user("mia")
    there = stage.env.create_guild("Elsewhere")
    await stage.client.context.preferences.set(mia.id, "profile", "everyone")
    there.add_member(mia)
    text = await profile(stage, stage.eve, mia)
    assert "mia is not a member of this server." in text


async def test_bots_have_no_profile(stage: Stage) -> None:
    text = await profile(stage, stage.ada, stage.env.create_user("helper", bot=True))
    assert "Bots have no profile." in text


@pytest.mark.slow
async def test_more_matches_cost_no_more_statements(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.without_threads()

    async def cost() -> tuple[Tally, Tally]:
        """What it costs to ask with new matches, and again without."""
        tallies = Tally(), Tally()
        for tally in tallies:
            with monkeypatch.context() as patch:
                tally.watch(stage.database, patch)
                await profile(stage, stage.ada)
        return tallies

    await resigned(stage, game="warp6")
    few = await cost()
    for _ in range(3):
        await resigned(stage, game="warp6")
    more = await cost()
    for before, after in zip(few, more, strict=True):
        assert (after.reads, after.writes) == (before.reads, before.writes)
        assert len(after.statements) == len(before.statements), after
    first, again = few
    assert 0 < again.reads <= 8, again
    assert again.writes < first.writes
