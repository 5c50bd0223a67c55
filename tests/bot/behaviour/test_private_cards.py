"""Each player has at most one private card in a match, and it follows the match."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from simcord.results import to_discord_message

from bot.domain.ids import MatchId
from bot.views.custom_id_codec import CustomId, CustomIdError, parse
from bot.views.custom_ids import PlanId
from engine import games
from tests.support.harness import Stage, ids, play, walk, words

pytestmark = pytest.mark.slow

RISKY = ("resign", "draw", "abandon", "move")
"""Beginnings of custom_ids that would end the match."""

VIEWS = ("hand:", "since:", "text:", "plan:", "more:", "howto:")
"""Beginnings of the custom_ids of buttons that open a private card."""


SENT = 1
"""Number of replies to Ada that her challenge was sent."""


def usable(message: Any) -> list[CustomId]:
    """The custom_ids of a message that can be used, if they are well-formed."""
    custom_ids = []
    for component in walk(message.components):
        if component.get("custom_id") and not component.get("disabled"):
            try:
                custom_ids.append(parse(component["custom_id"]))
            except CustomIdError:
                continue
    return custom_ids


def private_messages(stage: Stage, actor: Any, where: Any = None) -> list[Any]:
    """The messages that only this actor can see, in order, but for the one about a challenge."""
    kept = stage.env.backend.messages.get((where or stage.channel).id, {})
    return [
        to_discord_message(stage.env, kept[number])
        for number in sorted(kept)
        if kept[number].visible_to(actor.id) and not kept[number].visible_to(None)
    ][SENT * (actor is stage.ada) :]


def live_cards(stage: Stage, actor: Any, match_id: MatchId) -> list[Any]:
    """The private messages of an actor with a button of a match."""
    return [
        message
        for message in private_messages(stage, actor)
        if any(getattr(one, "match_id", None) == match_id for one in usable(message))
    ]


async def check_cards(stage: Stage, match_id: MatchId) -> None:
    """Each player has at most one live card, and no button of it is of a past decision."""
    match = await stage.client.context.queries.match(match_id)
    for actor in (stage.ada, stage.bo):
        cards = live_cards(stage, actor, match_id)
        assert len(cards) <= 1, [words(card) for card in cards]
        decision = match.decisions.get(match.seat_of(actor.id), 0)
        plan = await stage.client.context.plans.read(match_id, actor.id)
        for custom_id in (custom_id for card in cards for custom_id in usable(card)):
            if (made_at := getattr(custom_id, "decision", None)) is not None:
                assert made_at == decision, (custom_id, decision)
            if isinstance(custom_id, PlanId) and custom_id.decision is not None:
                assert custom_id.version == plan.version


@pytest.mark.parametrize("view", VIEWS)
async def test_card_replaces_the_former_one(stage: Stage, view: str) -> None:
    match_id = await stage.begin(game="wormholes")
    actor = await stage.deciding(match_id)
    for start in ("plan:", view, view):
        reply = await stage.click(actor, stage.board(match_id), start)
        (card,) = private_messages(stage, actor)
        assert card.id == reply.response.id


@pytest.mark.parametrize("answer", ["more:", "howto:", "rules:", "dice:", "hand:", "overlay:"])
async def test_answer_on_the_board_leads_back_in_its_place(stage: Stage, answer: str) -> None:
    game = "warp6" if answer == "overlay:" else "wormholes"
    match_id = await stage.begin(game=game)
    actor = await stage.deciding(match_id)
    card = (await actor.slash(stage.channel, "board")).response
    await actor.click(card, custom_id=f"more:{match_id}")
    if answer != "more:":
        await stage.click(actor, card, answer)
    back = next(i for i in ids(card) if i.startswith(("show:", "part:")))
    await actor.click(card, custom_id=back)
    (board,) = private_messages(stage, actor)
    assert board.id == card.id
    assert f"-# {games.get(game).title} #{match_id}" in words(board)
    assert f"plan:{match_id}" in ids(board)


async def test_lesson_leads_back_to_its_match_after_a_restart(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    actor = await stage.deciding(match_id)
    lesson = (await stage.click(actor, stage.board(match_id), "howto:")).response
    await stage.restart()
    await actor.click(lesson, custom_id="howto:warp6:1")
    assert "An example, not your match" in words(lesson)
    assert f"show:{match_id}" in ids(lesson)


async def test_rule_of_a_lesson_stays_beside_it_until_the_next_card(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    actor = await stage.deciding(match_id)
    lesson = (await stage.click(actor, stage.board(match_id), "howto:")).response
    for _ in range(2):
        rule = (await stage.click(actor, lesson, "rules:")).response
        message_ids = [message.id for message in private_messages(stage, actor)]
        assert message_ids == [lesson.id, rule.id]
    await stage.click(actor, lesson, f"show:{match_id}")
    assert [message.id for message in private_messages(stage, actor)] == [lesson.id]


async def test_lesson_of_a_challenge_leads_to_no_board(stage: Stage) -> None:
    await play(stage.ada, stage.channel, game="warp6", opponent=stage.bo)
    lesson = (await stage.click(stage.bo, stage.last(), "howto:")).response
    assert not [i for i in ids(lesson) if i.startswith("show:")]


async def test_command_replaces_the_card_of_a_button(stage: Stage) -> None:
    match_id = await stage.begin(game="wormholes")
    actor = await stage.deciding(match_id)
    await stage.click(actor, stage.board(match_id), f"plan:{match_id}")
    reply = await actor.slash(stage.channel, "board")
    assert [card.id for card in private_messages(stage, actor)] == [reply.response.id]


async def test_refusal_leaves_the_card_and_goes_with_the_next_one(stage: Stage) -> None:
    match_id = await stage.begin(game="wormholes")
    actor = await stage.deciding(match_id)
    opened = await stage.click(actor, stage.board(match_id), f"plan:{match_id}")
    for _ in range(2):
        refusal = await actor.slash(stage.channel, "do", action="fly to the moon", match=match_id)
        message_ids = [message.id for message in private_messages(stage, actor)]
        assert message_ids == [opened.response.id, refusal.response.id]
    reply = await stage.click(actor, stage.board(match_id), f"text:{match_id}")
    assert [message.id for message in private_messages(stage, actor)] == [reply.response.id]


async def test_cards_of_other_players_and_matches_stay(stage: Stage) -> None:
    match_ids = [await stage.begin(game="wormholes") for _ in range(2)]
    for match_id in match_ids:
        for actor in (stage.ada, stage.bo):
            await stage.click(actor, stage.board(match_id), f"plan:{match_id}")
    for match_id in match_ids:
        for actor in (stage.ada, stage.bo):
            assert len(live_cards(stage, actor, match_id)) == 1


async def test_window_of_a_replaced_card_is_answered_by_a_new_one(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    actor = await stage.deciding(match_id)
    panel = await actor.slash(stage.channel, "plan")
    opened = await stage.click(actor, panel.response, f"plan:{match_id}:edit")
    path = "/webhooks/*/*/messages/@original"  # simcord submits no window of a deleted message
    stage.env.inject_error("DELETE", path, status=500, times=None)
    await actor.slash(stage.channel, "board")
    done = await actor.submit_modal(opened, {"orders": ""})
    assert done.response.ephemeral
    assert done.response.id > panel.response.id
    assert private_messages(stage, actor)[-1].id == done.response.id


@pytest.mark.usefixtures("old_cards")
async def test_card_whose_token_has_expired_stays(stage: Stage) -> None:
    match_id = await stage.begin(game="wormholes")
    actor = await stage.deciding(match_id)
    for _ in range(2):
        await stage.click(actor, stage.board(match_id), f"plan:{match_id}")
    assert len(live_cards(stage, actor, match_id)) == 2


async def test_card_stays_if_discord_refuses_to_delete_it(stage: Stage) -> None:
    match_id = await stage.begin(game="wormholes")
    actor = await stage.deciding(match_id)
    await stage.click(actor, stage.board(match_id), f"plan:{match_id}")
    path = "/webhooks/*/*/messages/@original"
    stage.env.inject_error("DELETE", path, status=404, code=50027, times=1)
    reply = await stage.click(actor, stage.board(match_id), f"text:{match_id}")
    assert reply.response.ephemeral


async def test_plan_card_goes_with_the_match(stage: Stage) -> None:
    await stage.without_forced_moves()
    match_id = await stage.begin(game="warp6")
    first = await stage.deciding(match_id)
    other = stage.bo if first is stage.ada else stage.ada
    await other.slash(stage.channel, "plan")
    assert live_cards(stage, other, match_id)
    await stage.client.context.matches.act(5, match_id, first.id, "resign")
    await stage.computers()
    assert not live_cards(stage, other, match_id)


async def test_choices_go_when_they_were_made_elsewhere(stage: Stage) -> None:
    await stage.without_forced_moves()
    match_id = await stage.begin(game="warp6")
    actor = await stage.deciding(match_id)
    await actor.slash(stage.channel, "board")
    (before,) = live_cards(stage, actor, match_id)
    assert any(custom_id.startswith("act:") for custom_id in ids(before))
    legal = (await stage.perspective(match_id, actor)).view.legal
    await stage.client.context.matches.act(5, match_id, actor.id, legal[0].notation)
    await stage.computers()
    await check_cards(stage, match_id)
    assert not live_cards(stage, actor, match_id)


async def test_plan_card_follows_the_plan_to_its_end(stage: Stage) -> None:
    await stage.without_forced_moves()
    match_id = await stage.begin(game="warp6")
    first = await stage.deciding(match_id)
    other = stage.bo if first is stage.ada else stage.ada
    match = await stage.client.context.queries.match(match_id)
    mine, theirs = (match.seat_of(actor.id).lower() for actor in (first, other))
    panel = await other.slash(stage.channel, "plan")
    opened = await stage.click(other, panel.response, f"plan:{match_id}:edit")
    await other.submit_modal(opened, {"orders": f"place {theirs}8a\nplace {theirs}8b"})
    for number, text in enumerate(("1. Place ◆B", "I've made all its moves.")):
        line = f"place {mine}8{'ab'[number]}"
        await stage.client.context.matches.act(5 + number, match_id, first.id, line)
        await stage.computers()
        (card,) = live_cards(stage, other, match_id)
        assert text in words(card)
        await check_cards(stage, match_id)
    assert "plan:1:clear" not in " ".join(ids(card))


@pytest.mark.parametrize("game", ["wormholes", "warp6", "tomtube"])
@pytest.mark.parametrize("seed", range(2))
async def test_whatever_is_clicked_there_is_one_live_card(
    stage: Stage, game: str, seed: int
) -> None:
    """Click buttons of the board and the card in random order, while the other player moves."""
    await stage.without_forced_moves()
    match_id, random = await stage.begin(game=game), Random(seed)
    opened = 0
    for number in range(25):
        actor = random.choice((stage.ada, stage.bo))
        cards = live_cards(stage, actor, match_id)
        message = random.choice([stage.board(match_id), *cards, *cards])
        buttons = [
            component["custom_id"]
            for component in walk(message.components)
            if component["type"] == 2
            and "custom_id" in component
            and not component.get("disabled")
            and not component["custom_id"].startswith(RISKY)
        ]
        if buttons and random.random() < 0.8:
            await actor.click(message, custom_id=random.choice(buttons))
        else:
            decides = await stage.deciding(match_id)
            view = (await stage.perspective(match_id, decides)).view
            action = games.get(game).fill(random.choice(view.legal), random.randrange)
            act = stage.client.context.matches.act
            await act(900 + number, match_id, decides.id, action.notation)
        await stage.computers()
        await check_cards(stage, match_id)
        opened += bool(live_cards(stage, actor, match_id))
    assert opened
