"""*Share the result*: a private picture of a finished match, which can be posted where it ended."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import insert, update

from bot.domain.ids import MatchId
from bot.domain.models import Perspective
from bot.features.scorecards.ids import PostScorecardId, ScorecardId
from bot.features.scorecards.service import Scorecards
from bot.features.scorecards.views import alt_text, card, end_button, page
from bot.storage.schema import actions
from engine.endings import ABANDONED
from engine.game import PUBLIC
from render.renderer import MAX_ALT_CHARACTERS
from tests.support.harness import Stage, ids, words
from tests.support.interactions import fire, payload
from tests.support.limits import check_limits, components
from tests.support.matches import MatchFixture
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import GAME, after, position

STATE = after(position({"S": "e12"}, {"e13": "C1"}, "S1 M-", seen=1 << 12), "D resign")
MATCH, VIEW = match_of(STATE), GAME.view(STATE)
ENDED = Perspective(MATCH, PUBLIC, VIEW)


async def resigned(stage: Stage) -> MatchId:
    match_id = await stage.begin(game="warp6")
    confirmation = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, confirmation.response, "resign:")
    return match_id


def test_match_with_a_result_has_one_button_to_share_it() -> None:
    button = end_button(ENDED, False)
    assert button
    assert (button.label, button.custom_id) == ("Share the result", str(ScorecardId(MATCH.id)))
    abandoned = replace(VIEW, result=ABANDONED)
    assert end_button(Perspective(MATCH, PUBLIC, abandoned), True) is None


def test_texts_name_match_turns_time_and_end() -> None:
    content = card(MATCH, replace(VIEW, turn=28), 3 * 86_400 + 4 * 3600.0)
    assert content.facts == f"Wormholes #{MATCH.id} · 28 turns · 3 d 4 h"
    assert content.headline == "Ada wins by resignation."
    assert card(MATCH, replace(VIEW, turn=1), 60).facts == f"Wormholes #{MATCH.id} · 1 turn · 1 min"


def test_moment_is_the_margin_or_the_last_turn() -> None:
    won = replace(VIEW, result="O base")
    assert card(MATCH, won, 0).moment.endswith("from winning.")
    assert card(MATCH, replace(VIEW, story=()), 0).moment == ""
    state = after(position({"S": "f8"}, dice="S1 M-"), "O move S N", "* roll C1 A1", "D resign")
    moved = card(match_of(state), GAME.view(state), 0).moment
    assert moved.startswith("The last turn: Suns f8 → ")


def test_alt_text_has_the_texts_players_and_board() -> None:
    content = card(MATCH, VIEW, 60)
    alt = alt_text(MATCH, VIEW, content)
    assert alt.splitlines()[0] == content.headline
    for part in (content.facts, "Ada, Bo", "Ships: "):
        assert part in alt
    assert len(alt) <= MAX_ALT_CHARACTERS
    long = alt_text(MATCH, VIEW, content._replace(moment="m" * 2000))
    assert len(long) <= MAX_ALT_CHARACTERS


@pytest.mark.parametrize("can_post", [False, True])
def test_page_offers_to_post_where_that_is_possible(can_post: bool) -> None:
    message = page(ENDED, card(MATCH, VIEW, 60), b"png", can_post=can_post)
    check_limits(message)
    assert (str(PostScorecardId(MATCH.id)) in str(components(message))) == can_post
    assert [file.filename for file in message.files] == [f"wormholes-{MATCH.id}-result.png"]


async def test_time_is_that_of_the_actions_that_stand(env: MatchFixture) -> None:
    match_id, results = await env.begin(), Scorecards(env.database)
    assert await results.seconds(match_id) == 0
    async with env.database.write() as connection:
        for number, (made_at, undone_at) in enumerate(
            [(60.0, 70.0), (100.0, None), (5100.0, None)]
        ):
            row = {"match_id": match_id, "number": 100 + number, "line": "O first move"}
            await connection.execute(
                insert(actions).values(row | {"made_at": made_at, "undone_at": undone_at})
            )
        earlier = (actions.c.match_id == match_id) & (actions.c.number < 100)
        await connection.execute(update(actions).where(earlier).values(made_at=150.0))
    assert await results.seconds(match_id) == 5000


@pytest.mark.slow
async def test_result_is_private_first_and_posted_on_wish(stage: Stage) -> None:
    match_id = await resigned(stage)
    count = len(stage.public())
    opened = await stage.click(stage.eve, stage.last(), f"scorecard:{match_id}")
    assert opened.ephemeral
    assert len(stage.public()) == count
    (picture,) = opened.response.attachments
    assert picture.description.startswith("Bo wins by resignation. Penalty points: Bo 0, Ada ")
    posted = await stage.click(stage.eve, opened.response, f"postscorecard:{match_id}")
    assert not posted.ephemeral
    assert len(stage.public()) == count + 1
    assert words(stage.last()).startswith("-# Posted by Eve")
    assert not ids(stage.last())
    (public,) = stage.last().attachments
    assert public.description == picture.description


@pytest.mark.slow
async def test_running_match_and_other_channels_are_refused(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    for custom_id in (f"scorecard:{match_id}", f"postscorecard:{match_id}"):
        refused = await fire(stage, payload(stage, stage.ada, stage.last(), "", custom_id))
        assert refused.ephemeral
        assert "isn't over yet" in words(refused.response)
