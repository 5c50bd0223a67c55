"""Settled challenges, draw offers and rematches say so and lose their controls."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.domain.ids import MatchId
from bot.storage.schema import matches
from tests.support.harness import Stage, ids, play, words
from tests.support.interactions import fire, payload


async def resigned(stage: Stage) -> tuple[MatchId, Any]:
    """Return a match that Ada has resigned: its number, and the message about its end."""
    match_id = await stage.begin()
    confirmation = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, confirmation.response, "resign:")
    return match_id, stage.last()


def found(stage: Stage, message: Any) -> Any:
    """Return a public message as it is now."""
    return next(post for post in stage.public() if post.id == message.id)


@pytest.mark.slow
async def test_withdrawn_challenge_says_so(stage: Stage) -> None:
    challenge = await stage.challenge()
    await stage.click(stage.ada, challenge, "withdraw:")
    assert "Ada withdrew the challenge" in words(stage.last())
    assert not ids(stage.last())


async def test_declined_challenge_names_who_declined(stage: Stage) -> None:
    challenge = await stage.challenge()
    await stage.click(stage.bo, challenge, "decline:")
    assert "Bo declined the challenge" in words(stage.last())
    assert not ids(stage.last())


async def test_challenger_who_presses_decline_withdraws(stage: Stage) -> None:
    challenge = await stage.challenge()
    await stage.click(stage.ada, challenge, "decline:")
    assert "Ada withdrew the challenge" in words(stage.last())


async def test_open_challenge_offers_join_and_withdraw(stage: Stage) -> None:
    await play(stage.ada, stage.channel)
    kinds = [custom_id.partition(":")[0] for custom_id in ids(stage.last())]
    assert kinds == ["accept", "more"]
    await stage.click(stage.ada, stage.last(), "withdraw:")
    assert "Ada withdrew the challenge" in words(stage.last())


async def test_challenge_of_a_deleted_user_was_withdrawn(stage: Stage) -> None:
    await stage.challenge()
    answer = await stage.ada.slash(stage.channel, "privacy")
    confirmation = await stage.click(stage.ada, answer.response, "erase:ask")
    await stage.click(stage.ada, confirmation.response, "erase:yes")
    assert "the challenge was withdrawn" in words(stage.last())


@pytest.mark.slow
async def test_draw_offer_names_who_offers(stage: Stage) -> None:
    await stage.begin()
    await stage.ada.slash(stage.channel, "draw")
    assert "Ada offers a draw." in words(stage.last())


@pytest.mark.slow
async def test_own_draw_offer_is_answered_by_the_others(stage: Stage) -> None:
    challenge = await stage.challenge(game="warp6", opponent2=stage.eve, seats="3")
    for actor in (stage.bo, stage.eve):
        await stage.click(actor, challenge, "accept:")
    done = await stage.ada.slash(stage.channel, "draw")
    assert re.fullmatch(
        "You've offered a draw to (Bo and Eve|Eve and Bo).", words(done.response).splitlines()[0]
    )
    bo, eve = (f"<@{actor.id}>" for actor in (stage.bo, stage.eve))
    called = f"Ada offers a draw\\. ({bo} and {eve}|{eve} and {bo}) can accept"
    assert re.search(called, words(stage.last()))
    for answer in ("accept", "decline"):
        reply = await stage.click(stage.ada, stage.last(), f"act:1:-:draw {answer}")
        pattern = r"It's your own offer; (Bo and Eve|Eve and Bo) can answer it\."
        assert re.fullmatch(pattern, words(reply.response))
    second_offer = await stage.bo.slash(stage.channel, "draw")
    assert words(second_offer.response).startswith("Ada offers a draw in Warp 6 #1.")
    assert {"act:1:-:draw accept", "act:1:-:draw decline"} <= set(ids(second_offer.response))
    confirmation = await stage.click(stage.bo, stage.last(), "act:1:-:draw accept")
    await stage.click(stage.bo, confirmation.response, "draw:")
    second_reply = await stage.bo.slash(stage.channel, "do", action="draw decline")
    assert (
        words(second_reply.response) == "You've agreed to the draw already; Eve can still answer."
    )
    refusal = await stage.eve.slash(stage.channel, "do", action="draw")
    assert refusal.response.ephemeral
    done = await stage.eve.slash(stage.channel, "do", action="draw decline")
    assert words(done.response).splitlines()[1] == "You've declined the draw."


@pytest.mark.slow
async def test_declined_draw_leaves_a_trace_and_no_buttons(stage: Stage) -> None:
    match_id = await stage.begin()
    await stage.ada.slash(stage.channel, "draw")
    offer = stage.last()
    await stage.click(stage.bo, offer, f"act:{match_id}:-:draw decline")
    settled = found(stage, offer)
    assert "Bo declined the draw." in words(settled)
    assert "offers a draw" not in words(settled)
    assert not any(":draw " in custom_id for custom_id in ids(settled))


@pytest.mark.slow
async def test_accepted_draw_offer_keeps_no_question(stage: Stage) -> None:
    match_id = await stage.begin()
    await stage.ada.slash(stage.channel, "draw")
    offer = stage.last()
    confirmation = await stage.click(stage.bo, offer, f"act:{match_id}:-:draw accept")
    await stage.click(stage.bo, confirmation.response, "draw:")
    settled = found(stage, offer)
    assert "can accept" not in words(settled)
    assert not any(":draw " in custom_id for custom_id in ids(settled))


@pytest.mark.slow
async def test_rematch_button_goes_when_the_rematch_begins(stage: Stage) -> None:
    match_id, end = await resigned(stage)
    await stage.click(stage.bo, end, "rematch:")
    assert f"rematch:{match_id}" in ids(found(stage, end)), "nobody has accepted yet"
    before = len(stage.public())
    await stage.click(stage.ada, stage.last(), "accept:")
    settled = found(stage, end)
    assert not any(custom_id.startswith("rematch:") for custom_id in ids(settled))
    assert any(custom_id.startswith("replay:") for custom_id in ids(settled))
    assert [file.filename for file in settled.attachments] == [
        "board.png",
        f"wormholes-{match_id}.match",
    ]
    assert len(stage.public()) == before + 1, "only the new board was posted"


@pytest.mark.slow
async def test_rematch_button_stays_when_the_rematch_is_declined(stage: Stage) -> None:
    match_id, end = await resigned(stage)
    await stage.click(stage.bo, end, "rematch:")
    await stage.click(stage.ada, stage.last(), "decline:")
    await stage.click(stage.ada, found(stage, end), f"rematch:{match_id}")
    assert "challenges you" in words(stage.last())


@pytest.mark.slow
async def test_rematch_beside_a_running_rematch_opens_none(stage: Stage) -> None:
    match_id, end = await resigned(stage)
    await stage.click(stage.bo, end, "rematch:")
    await stage.click(stage.ada, stage.last(), "accept:")
    for actor in (stage.ada, stage.bo):
        old = payload(stage, actor, stage.last(), "hand:", f"rematch:{match_id}")
        late = await fire(stage, old)
        assert late.ephemeral
        assert "already started" in words(late.response)
    async with stage.database.read() as connection:
        count = (await connection.execute(select(func.count()).select_from(matches))).scalar_one()
    assert count == 2


@pytest.mark.slow
async def test_deleted_end_is_not_posted_again_by_a_rematch(stage: Stage) -> None:
    _, end = await resigned(stage)
    await stage.click(stage.bo, end, "rematch:")
    challenge = stage.last()
    stage.env.backend.delete_message(stage.channel.id, end.id)
    await stage.click(stage.ada, challenge, "accept:")
    assert not any(i.startswith("replay:") for message in stage.public() for i in ids(message))


@pytest.mark.slow
@pytest.mark.usefixtures("old_cards")
async def test_names_are_escaped_in_the_text_board(stage: Stage) -> None:
    odd = stage.guild.add_member(stage.env.create_user("odd", global_name="*Ada* <@1> ~~x~~"))
    await play(odd, stage.channel, opponent=stage.bo)
    await stage.click(stage.bo, stage.last(), "accept:")
    clicked = await stage.click(stage.bo, stage.last(), "text:")
    typed = await stage.bo.slash(stage.channel, "board", text=True)
    for answer in (clicked, typed):
        assert r"\*Ada\* \<\@1\> \~\~x\~\~" in words(answer.response)
        assert "*Ada* " not in words(answer.response).replace(r"\*Ada\* ", "")
