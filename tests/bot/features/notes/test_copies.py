"""Coins of a plan that its player has to remember, copied into the player's notes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.features.notes.service import NOTES_LIMIT
from bot.views.plans import to_remember
from engine.game import Action
from tests.support.harness import Stage, ids, walk, words
from tests.support.interactions import fire, payload, sentence
from tests.support.matches import ADA, BO, MatchFixture, plan
from tests.support.notes import write_notes

pytestmark = pytest.mark.slow

PLAN = "place {0}4 e9\nplace {0}2 f7"

LAID = ((1, "d5"), (2, "h9"), (3, "h10"))
"""Values and spaces of the opponent's coins before and after those."""


LIMIT = "Each coin that you place is listed only until the next one"


def coins(side: str, *lines: str) -> str:
    """Return lines about the coins of a side, as the notes have them."""
    name = {"O": "Suns", "D": "Crowns"}[side]
    return "\n".join(f"{name} {line}" for line in lines)


async def planned(stage: Stage, match_id: MatchId, actor: Any) -> tuple[str, Any]:
    """Plan two coins while waiting; return the side, and the card of the plan."""
    side = (await stage.perspective(match_id, actor)).seat
    card = await actor.slash(stage.channel, "plan", match=match_id)
    window = await stage.click(actor, card.response, f"plan:{match_id}:edit")
    orders = PLAN.format({"O": "S", "D": "C"}[side])
    return side, (await actor.submit_modal(window, {"orders": orders})).response


async def waiting(stage: Stage, **options: str) -> tuple[MatchId, Any]:
    """Begin a match; return it, and the player who waits."""
    match_id = await stage.begin(**options)
    deciding = await stage.deciding(match_id)
    return match_id, stage.bo if deciding is stage.ada else stage.ada


def copy_buttons(message: Any) -> list[tuple[str, str]]:
    """Return labels and prefixes of the buttons that copy, or open the notes."""
    return [
        (part["label"], prefix)
        for part in walk(message.components)
        if (prefix := part.get("custom_id", "").partition(":")[0]) in ("notecopy", "notes")
    ]


async def notes_of(stage: Stage, match_id: int, actor: Any) -> str:
    """Return the notes beside the player's board, the last thing above its buttons."""
    board = words((await actor.slash(stage.channel, "board", match=match_id)).response)
    return board.partition("**Your notes**\n")[2]


async def test_planned_coins_are_copied_by_one_button(stage: Stage) -> None:
    match_id, actor = await waiting(stage)
    side, card = await planned(stage, match_id, actor)
    assert "Remember these coins" in words(card)
    assert copy_buttons(card) == [("Copy to my notes", "notecopy")]
    copied = await actor.click(card, custom_id=f"notecopy:{match_id}")
    assert copied.response.ephemeral
    assert copy_buttons(copied.response) == [("In your notes…", "notes")]
    assert coins(side, "4 on e9", "2 on f7") in await notes_of(stage, match_id, actor)
    other = stage.bo if actor is stage.ada else stage.ada
    assert not await notes_of(stage, match_id, other)


async def test_own_coins_come_with_the_notes(stage: Stage) -> None:
    match_id, actor = await waiting(stage)
    board, hand = stage.last(), f"hand:{match_id}"
    before = await actor.click(board, custom_id=hand)
    assert copy_buttons(before.response) == [("Notes…", "notes")]
    side, _card = await planned(stage, match_id, actor)
    reply = (await actor.slash(stage.channel, "board", match=match_id)).response
    assert "Remember these coins" not in words(reply), "none of them lies yet"
    card = (await actor.slash(stage.channel, "plan", match=match_id)).response
    await actor.click(card, custom_id=f"notecopy:{match_id}")
    reply = (await actor.click(board, custom_id=hand)).response
    assert reply.ephemeral
    assert copy_buttons(reply) == [("Notes…", "notes")]
    assert f"**Your notes**\n{coins(side, '4 on e9', '2 on f7')}" in words(reply)


async def test_coin_placed_by_hand_is_copied_from_the_next_board(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    seat = (await stage.perspective(match_id, actor)).seat
    for choice in ("first place", "place {0}4 e9"):
        card = (await actor.slash(stage.channel, "board", match=match_id)).response
        assert not copy_buttons(card)
        line = choice.format({"O": "S", "D": "C"}[seat])
        await actor.slash(stage.channel, "do", action=line, match=match_id)
    coin = coins(seat, "4 on e9")
    for by_command in (False, True):
        click = partial(actor.click, stage.last(), custom_id=f"hand:{match_id}")
        command = partial(actor.slash, stage.channel, "board", match=match_id)
        reply = (await (command if by_command else click)()).response
        assert f"this match is played from memory. {coin}" in words(reply)
        assert copy_buttons(reply) == [("Copy to my notes", "notecopy")]
    board = (await actor.click(reply, custom_id=f"notecopy:{match_id}")).response
    assert f"**Your notes**\n{coin}" in words(board)
    assert not copy_buttons(board)
    hand = await actor.click(stage.last(), custom_id=f"hand:{match_id}")
    assert copy_buttons(hand.response) == [("Notes…", "notes")]
    assert coin in words(hand.response)


async def test_board_says_how_long_a_coin_is_listed(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    board = partial(actor.slash, stage.channel, "board", match=match_id)
    do = partial(actor.slash, stage.channel, "do", match=match_id)
    assert LIMIT not in words((await board()).response), "no coin is placed yet"
    await do(action="first place")
    assert LIMIT in words((await board()).response), "the first coin is still to be placed"
    suit = {"O": "S", "D": "C"}[(await stage.perspective(match_id, actor)).seat]
    await do(action=f"place {suit}4 e9")
    reply = (await board()).response
    assert LIMIT in words(reply)
    await actor.click(reply, custom_id=f"notecopy:{match_id}")
    assert LIMIT not in words((await board()).response)


async def test_copied_coin_leaves_the_card_at_its_area(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    side = (await stage.perspective(match_id, actor)).seat
    suit, other_suit = ("S", "C") if side == "O" else ("C", "S")
    for action in ("first place", f"place {suit}4 e9"):
        await actor.slash(stage.channel, "do", action=action, match=match_id)
    other = await stage.deciding(match_id)
    await other.slash(stage.channel, "do", action=f"place {other_suit}1 d5", match=match_id)
    board = (await actor.slash(stage.channel, "board", match=match_id)).response
    for path in (":place/8-9", f":place {suit}5/8-9"):
        (part,) = [custom_id for custom_id in ids(board) if custom_id.endswith(path)]
        board = (await actor.click(board, custom_id=part)).response
    before = {custom_id for custom_id in ids(board) if custom_id.startswith(("act:", "part:"))}
    (copy,) = [custom_id for custom_id in ids(board) if custom_id.startswith("notecopy:")]
    copied = (await actor.click(board, custom_id=copy)).response
    assert f"**Your notes**\n{coins(side, '4 on e9')}" in words(copied)
    assert before <= {*ids(copied)}
    outdated = await fire(stage, payload(stage, actor, copied, "", f"notecopy:{match_id}:place Z"))
    assert any(custom_id.endswith(":place/5-7") for custom_id in ids(outdated.response))


async def test_coins_of_a_plan_are_listed_after_a_choice_by_hand(stage: Stage) -> None:
    """Its player may not have seen where they lie."""
    match_id, actor = await waiting(stage)
    side, _card = await planned(stage, match_id, actor)
    theirs, other = ("C", "S") if side == "O" else ("S", "C"), await stage.deciding(match_id)
    for action in ("first place", *(f"place {theirs[0]}{value} {space}" for value, space in LAID)):
        await other.slash(stage.channel, "do", action=action, match=match_id)
    await actor.slash(stage.channel, "do", action=f"place {theirs[1]}5 e10", match=match_id)
    reply = (await actor.click(stage.last(), custom_id=f"hand:{match_id}")).response
    name = coins(side, "").strip()
    assert f"{name} 4 on e9, {name} 2 on f7, {name} 5 on e10" in words(reply)
    assert copy_buttons(reply) == [("Copy to my notes", "notecopy")]


async def test_placed_coin_is_copied_beside_a_plan_with_alternatives(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    side = (await stage.perspective(match_id, actor)).seat
    suit = {"O": "S", "D": "C"}[side]
    for action in ("first place", f"place {suit}4 e9"):
        await actor.slash(stage.channel, "do", action=action, match=match_id)
    card = await actor.slash(stage.channel, "plan", match=match_id)
    window = await stage.click(actor, card.response, f"plan:{match_id}:edit")
    await actor.submit_modal(window, {"orders": f"place {suit}2 f7 or {suit}2 f6"})
    board = (await actor.slash(stage.channel, "board", match=match_id)).response
    await actor.click(board, custom_id=f"notecopy:{match_id}")
    assert (await notes_of(stage, match_id, actor)).startswith(coins(side, "4 on e9"))


async def test_coins_that_the_match_shows_are_not_copied(stage: Stage) -> None:
    match_id, actor = await waiting(stage, notes="on")
    _side, card = await planned(stage, match_id, actor)
    assert "Remember" not in words(card)
    assert not copy_buttons(card)
    answer = await fire(stage, payload(stage, actor, card, "", f"notecopy:{match_id}"))
    assert "no more coins" in sentence(answer)
    assert not await notes_of(stage, match_id, actor)
    reply = await actor.click(stage.last(), custom_id=f"hand:{match_id}")
    assert not copy_buttons(reply.response)


async def test_who_watches_copies_nothing(stage: Stage) -> None:
    match_id, _actor = await waiting(stage)
    answer = await fire(stage, payload(stage, stage.eve, stage.last(), "", f"notecopy:{match_id}"))
    assert "not playing in this match" in sentence(answer)


async def test_full_notes_take_no_coins(stage: Stage) -> None:
    match_id, actor = await waiting(stage)
    full = "x" * NOTES_LIMIT
    await write_notes(stage, actor, match_id, full)
    _side, card = await planned(stage, match_id, actor)
    refused = await actor.click(card, custom_id=f"notecopy:{match_id}")
    assert "are full: at most 1000 characters" in words(refused.response)
    assert (await notes_of(stage, match_id, actor)).startswith(full)


async def test_edited_notes_offer_the_copy_again_after_a_restart(stage: Stage) -> None:
    match_id, actor = await waiting(stage)
    side, card = await planned(stage, match_id, actor)
    await stage.restart()
    await actor.click(card, custom_id=f"notecopy:{match_id}")
    await write_notes(stage, actor, match_id, coins(side, "4 on e9"))
    card = (await actor.slash(stage.channel, "plan", match=match_id)).response
    assert copy_buttons(card) == [("Copy to my notes", "notecopy")]
    await actor.click(card, custom_id=f"notecopy:{match_id}")
    assert coins(side, "4 on e9", "2 on f7") in await notes_of(stage, match_id, actor)
    assert f"plan:{match_id}:edit" in ids(card)


async def test_copies_speak_german(stage: Stage, locales: dict[int, str]) -> None:
    locales[stage.ada.id] = locales[stage.bo.id] = "de"
    match_id, actor = await waiting(stage)
    _side, card = await planned(stage, match_id, actor)
    assert copy_buttons(card) == [("In meine Notizen kopieren", "notecopy")]
    copied = await actor.click(card, custom_id=f"notecopy:{match_id}")
    assert copy_buttons(copied.response) == [("In deinen Notizen …", "notes")]


# lines to remember


async def in_setup(env: MatchFixture) -> MatchId:
    """Begin a match in which Ada, whose ships are Suns and Moons, places the first coin."""
    match_id = await env.begin()
    if await env.on_turn(match_id) == BO:
        await env.matches.act(next(env.ids), match_id, BO, "first move")
    else:
        await env.matches.act(next(env.ids), match_id, ADA, "first place")
    return match_id


@pytest.mark.parametrize(("taken", "line"), [("h9", "Suns 4 on e9"), ("e9", "Suns 4 on e10")])
async def test_made_choice_follows_the_planned_one(
    env: MatchFixture, taken: str, line: str
) -> None:
    match_id = await in_setup(env)
    outcome = await env.matches.act(next(env.ids), match_id, ADA, "place S1 d5")
    assert outcome.kind == "done", outcome
    await plan(env, match_id, ADA, "place S4 e9 or S4 e10", "place S2 f7")
    assert await remembered(env, match_id) == (), "the first may be elsewhere"
    await env.matches.act(next(env.ids), match_id, BO, f"place C1 {taken}")
    assert await remembered(env, match_id) == (line, "Suns 2 on f7")


async def remembered(env: MatchFixture, match_id: MatchId) -> tuple[str, ...]:
    """Return the lines about Ada's plan that she has to remember."""
    own_plan = await env.plans.read(match_id, ADA)
    return to_remember(own_plan, await env.queries.choices_at(match_id, ADA, own_plan.made_at))


async def test_nothing_is_to_be_remembered_after_the_end(env: MatchFixture) -> None:
    match_id = await in_setup(env)
    await plan(env, match_id, BO, "place C4 e9", "move C N")
    own_plan = await env.plans.read(match_id, BO)
    perspective = own_plan.perspective
    placed = (perspective.view, Action("D", "place", ("C4", "e9")))
    assert to_remember(own_plan, [placed]) == ("Crowns 4 on e9",), "once, planned and made"
    over = replace(perspective.match, status=MatchStatus.FINISHED)
    ended = own_plan._replace(perspective=perspective._replace(match=over))
    assert to_remember(ended, [placed]) == ()
