"""*Share the result*: a private picture of a finished match, which can be posted where it ended."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from simcord import InteractionResult
from sqlalchemy import insert, update

from bot.domain.ids import MatchId
from bot.domain.models import Perspective
from bot.features.scorecards.ids import PostScorecardId, ScorecardId
from bot.features.scorecards.service import AlreadyPostedError, Scorecards
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
    assert content.facts == f"Wormholes #{MATCH.id} · 28 turns · 3 days 4 hrs"
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
    for part in (content.facts, "Ada and Bo", "Ships: "):
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
    assert picture.description.startswith(
        "Bo wins by resignation. Penalty points (rings from the wormhole for each die still "
        "needed; the fewest are best): Bo 0, Ada "
    )
    posted = await stage.click(stage.eve, opened.response, f"postscorecard:{match_id}")
    assert not posted.ephemeral
    assert len(stage.public()) == count + 1
    assert words(stage.last()).startswith("-# Posted by Eve")
    assert not ids(stage.last())
    (public,) = stage.last().attachments
    assert public.description == picture.description


def test_result_is_posted_once_unless_that_fails(env: MatchFixture) -> None:
    results = Scorecards(env.database)
    first, second = MatchId(1), MatchId(2)
    with suppress(KeyError), results.posting(first):
        raise KeyError
    with results.posting(first), pytest.raises(AlreadyPostedError), results.posting(first):
        pass
    with pytest.raises(AlreadyPostedError), results.posting(first):
        pass
    with results.posting(second):
        pass


def test_only_the_latest_posts_are_remembered(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.scorecards.service.MAX_POSTED", 2)
    results = Scorecards(env.database)
    for number in (1, 2, 3, 1):
        with results.posting(MatchId(number)):
            pass
    with pytest.raises(AlreadyPostedError), results.posting(MatchId(3)):
        pass


@pytest.mark.slow
async def test_second_click_posts_nothing(stage: Stage) -> None:
    """Two clicks before the first answer, one after it, and one of another player."""
    match_id = await resigned(stage)
    count = len(stage.public())
    opened = await stage.click(stage.eve, stage.last(), f"scorecard:{match_id}")
    of_bo = await stage.click(stage.bo, stage.board(match_id), f"scorecard:{match_id}")
    post = f"postscorecard:{match_id}"
    records = []
    for _ in range(2):
        record, event = payload(stage, stage.eve, opened.response, post)
        records.append(record)
        stage.env.backend.emit("INTERACTION_CREATE", event)
    await stage.env.settle()
    answers = [InteractionResult(stage.env, record) for record in records]
    answers += [await stage.click(user, page.response, post) for user, page in (
        (stage.eve, opened), (stage.bo, of_bo)
    )]  # fmt: skip
    assert len(stage.public()) == count + 1
    refused = [answer for answer in answers if answer.ephemeral]
    assert len(refused) == 3
    for answer in refused:
        assert words(answer.response) == "The result of this match is already posted here."


@pytest.mark.slow
async def test_picture_is_in_two_languages(stage: Stage, locales: dict[int, str]) -> None:
    """Each player's private one in their own, and the public one in the server's."""
    locales[stage.bo.id] = "de"
    match_id = await resigned(stage)
    board = stage.last()
    english, german = [
        await stage.click(user, board, f"scorecard:{match_id}") for user in (stage.ada, stage.bo)
    ]
    for opened, text, button in (
        (english, "Bo wins by resignation.", "Post it here"),
        (german, "Bo gewinnt durch Aufgabe.", "Hier posten"),
    ):
        (picture,) = opened.response.attachments
        assert picture.description.startswith(text)
        assert button in words(opened.response)
    await stage.click(stage.bo, german.response, f"postscorecard:{match_id}")
    assert "Posted by Bo" in words(stage.last())
    (picture,) = stage.last().attachments
    assert picture.description.startswith("Bo wins by resignation.")


@pytest.mark.slow
async def test_running_match_and_other_channels_are_refused(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    for custom_id in (f"scorecard:{match_id}", f"postscorecard:{match_id}"):
        refused = await fire(stage, payload(stage, stage.ada, stage.last(), "", custom_id))
        assert refused.ephemeral
        assert "isn't over yet" in words(refused.response)
