"""Bad input gets one friendly sentence with the reason, in private, and changes nothing."""

from __future__ import annotations

import copy
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
import simcord
from discord.app_commands import AppCommandError
from simcord.backend import serializers

from bot.domain.ids import MatchId
from tests.support.driver import by_click, play_on
from tests.support.harness import Stage, ids, play, words
from tests.support.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    click_released,
    fire,
    payload,
    sentence,
    typed,
    unchanged,
)


async def placing(stage: Stage) -> tuple[MatchId, Any, Any]:
    """Play until a coin must be placed; return the match, who places, and the other player."""
    match_id = await stage.begin()
    while (await stage.perspective(match_id)).view.phase != "place":  # type: ignore[attr-defined]
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    actor = await stage.deciding(match_id)
    return match_id, actor, stage.bo if actor is stage.ada else stage.ada


@pytest.mark.slow
async def test_bad_placings(stage: Stage) -> None:
    match_id, actor, other = await placing(stage)
    foreign, taken_space = (await stage.perspective(match_id, actor)).view.legal[0].args
    await actor.slash(stage.channel, "wormholes place", coin=foreign, space=taken_space)
    actor, other = other, actor
    actor_coin = (await stage.perspective(match_id, actor)).view.legal[0].args[0]
    for coin, space, part in (
        ("Z9", "a1", "Z9"),
        (foreign, "a1", "coin"),
        (actor_coin, "a17", "base"),
        (actor_coin, taken_space, "coin"),
        (actor_coin, "q77", "q77"),
        ("", "`**`", ""),
        ("💥", "\u202e@everyone", ""),
    ):
        async with unchanged(stage):
            result = await actor.slash(stage.channel, "wormholes place", coin=coin, space=space)
            text = sentence(result)
        assert part in text
        assert "@everyone" not in text


@pytest.mark.slow
async def test_another_ones_turn(stage: Stage) -> None:
    _, _, other = await placing(stage)
    async with unchanged(stage):
        text = sentence(await other.slash(stage.channel, "wormholes place", coin="S0", space="a1"))
    assert "turn" in text or "decide" in text


@pytest.mark.slow
async def test_garbage_text(stage: Stage) -> None:
    _, actor, _ = await placing(stage)
    for line in ("", "hello", "move", "place", "move S NE extra", "x" * 900, "🦑"):
        async with unchanged(stage):
            result = await actor.slash(stage.channel, "do", action=line)
            assert result.acknowledged, line
            assert result.ephemeral, line


@pytest.mark.slow
async def test_moves_are_typed_and_refused_in_words(stage: Stage) -> None:
    match_id, actor, _ = await placing(stage)
    legal = (await stage.perspective(match_id, actor)).view.legal
    coin, space = legal[0].args
    for line in ("move S to d9", "jump arms up left", f"{coin} on q77", "", "hello"):
        async with unchanged(stage):
            text = words((await actor.slash(stage.channel, "do", action=line)).response)
        assert ("Try “" in text) == bool(line), text
    async with unchanged(stage):
        text = words((await actor.slash(stage.channel, "do", action=f"on {space}")).response)
    assert "That could mean" in text
    async with unchanged(stage):
        question = (
            await actor.slash(stage.channel, "do", action=f"{coin} wibble {space}")
        ).response
    assert "I don't know “wibble” here. Did you mean" in words(question)
    assert f"act:{match_id}:" in " ".join(ids(question))
    line = f"I put my {coin} on {space}, please"
    await actor.slash(stage.channel, "do", action=line)
    legal_actions = (await stage.perspective(match_id, actor)).view.legal
    assert not any(action.args[:1] == (coin,) for action in legal_actions)


@pytest.mark.slow
async def test_a_foreign_button(stage: Stage) -> None:
    match_id = await stage.begin()
    message = stage.last()
    actor = await stage.deciding(match_id)
    other = stage.bo if actor is stage.ada else stage.ada
    async with unchanged(stage):
        for player in (other, stage.eve):
            text = sentence(await stage.click(player, message, "act:"))
            assert "turn" in text or "playing in this match" in text or "decide" in text
        assert "playing in this match" in sentence(await stage.click(stage.eve, message, "hand:"))


async def test_challenges_are_answered_by_the_challenged_only(stage: Stage) -> None:
    challenge = await stage.challenge()
    async with unchanged(stage):
        assert "you can withdraw it" in sentence(await stage.click(stage.ada, challenge, "accept:"))
        assert "Only the challenger" in sentence(
            await click_released(stage, stage.bo, challenge, "withdraw:1")
        )
        assert "playing in this match" in sentence(
            await stage.click(stage.eve, challenge, "accept:")
        )
        assert "playing in this match" in sentence(
            await stage.click(stage.eve, challenge, "decline:")
        )


async def test_a_challenge_can_be_declined_and_then_not_accepted(stage: Stage) -> None:
    challenge = await stage.challenge()
    old = copy.deepcopy(payload(stage, stage.bo, challenge, "accept:")[1])
    await stage.click(stage.bo, challenge, "decline:")
    assert "Bo declined the challenge" in words(stage.last())
    async with unchanged(stage):
        stage.env.backend.emit("INTERACTION_CREATE", old)
        await stage.env.settle()


@pytest.mark.parametrize("who", ["ada", "bot"])
async def test_challenge_to_oneself_or_a_bot_is_refused(stage: Stage, who: str) -> None:
    robot = stage.guild.add_member(stage.env.create_user("robot", bot=True))
    rival = stage.ada if who == "ada" else robot
    async with unchanged(stage):
        result = await play(stage.ada, stage.channel, opponent=rival)
        assert sentence(result)


@pytest.mark.slow
async def test_forged_buttons(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    async with unchanged(stage):
        for custom_id in (
            "act", "act:", "act:x:1:first move", "act:1:-1:resign", "act:99:1:resign", "menu:99",
            f"act:{match_id}:999:first move", "hand:99999999999999999999", "text:0:0", "nonsense",
            "prefer:evil:on", "prefer", "pick:1:1:0", "accept:", "resign:x", "gap:1:1:1:1",
            "luck:", "luck:99", "lucky:1", "lucky:1:0", "lucky:1:0:x", "lucky:1:0:1" + 20 * "0",
        ):  # fmt: skip
            result = await fire(stage, payload(stage, actor, stage.last(), "hand:", custom_id))
            assert result.acknowledged, custom_id
            assert result.ephemeral, custom_id


@pytest.mark.slow
async def test_forged_overlay_of_a_board_without_any_is_refused(stage: Stage) -> None:
    match_id = await stage.begin()
    record, data = payload(stage, stage.eve, stage.last(), "hand:", f"overlay:{match_id}")
    data["data"] |= {"component_type": 3, "values": ["b7"]}
    async with unchanged(stage):
        assert sentence(await fire(stage, (record, data))) == "There's no “b7” on this board."


@pytest.mark.slow
async def test_forged_buttons_that_a_game_never_has_are_refused(stage: Stage) -> None:
    """Wormholes has no overlays, and no window for the choices of a turn in the set-up."""
    match_id = await stage.begin()
    match = await stage.client.context.queries.match(match_id)
    (seat,) = match.decisions
    decider = stage.people[match.players[seat].user_id]
    for custom_id in (f"overlay:{match_id}", f"turn:{match_id}:{match.decisions[seat]}"):
        async with unchanged(stage):
            answer = await fire(stage, payload(stage, decider, stage.last(), "hand:", custom_id))
        assert sentence(answer) == "This button no longer works.", custom_id


@pytest.mark.slow
@pytest.mark.parametrize("space", ["00000001999", "999", "b7"])
async def test_forged_overlay_is_refused_before_it_is_drawn(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, space: str
) -> None:
    match_id = await stage.begin(game="warp6")
    draw = AsyncMock()
    monkeypatch.setattr(stage.client.context.images, "overlaid", draw)
    record, data = payload(stage, stage.eve, stage.last(), "hand:", f"overlay:{match_id}")
    data["data"] |= {"component_type": 3, "values": [space]}
    async with unchanged(stage):
        answer = await fire(stage, (record, data))
    assert sentence(answer) == f"There's no “{space}” on this board."
    draw.assert_not_called()


FORGED_FORMS = ("set", "set b8a1", "place b8a1", "", "set 1 2 3 4 5 6 7 8 9", "set" + " b8a9" * 9)


@pytest.mark.slow
async def test_forged_form_gets_a_sentence(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6", setup="secret")
    match = await stage.client.context.queries.match(match_id)
    decision = match.decisions[match.seat_of(stage.bo.id)]
    for fields in FORGED_FORMS:
        custom_id = f"form:{match_id}:{decision}:{fields}"
        record, data = payload(stage, stage.bo, stage.last(), "", custom_id)
        async with unchanged(stage):
            text = sentence(await fire(stage, (record, data)))
        assert "no longer works" in text, fields


async def type_in(stage: Stage, kind: int, name: str, options: list[dict[str, Any]]) -> Any:
    """Have Bo send a command, or autocomplete it, exactly as given."""
    result = await fire(stage, typed(stage, stage.bo, name, options, kind))
    assert all(isinstance(error, AppCommandError) for error in stage.env.errors)  # simcord's own
    return result


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("gone", []),
        ("wormholes", [{"name": "place", "type": 1, "options": []}]),
    ],
)
async def test_command_in_another_form_gets_a_sentence(
    stage: Stage, name: str, options: list[dict[str, Any]]
) -> None:
    await stage.begin()
    async with unchanged(stage):
        text = sentence(await type_in(stage, COMMAND, name, options))
    assert "This command has changed" in text


ODD: list[tuple[str, list[dict[str, Any]]]] = [
    ("play", [{"name": "opponent", "type": 6, "value": "9" * 18}]),  # Discord tells nothing of it
    ("play", [{"name": "opponent", "type": 8, "value": "9" * 18}]),
    ("play", [{"name": "opponent", "type": 6, "value": "x"}]),
    ("play", [{"name": "opponent", "type": 6}]),
    ("play", [{"name": "game", "type": 3, "value": "chess"}]),
    ("play", [{"name": "game", "type": 99, "value": "warp6"}]),
    ("play", [{"name": "series", "type": 4, "value": 99}]),
    ("play", [{"name": "luck", "type": 3, "value": "x" * 400}]),
    ("play", [{"name": "gone", "type": 3, "value": "x"}]),
    ("howto", [{"name": "game", "type": 3, "value": "chess"}]),
    ("vacation", [{"name": "days", "type": 4, "value": -5}]),
    ("vacation", [{"name": "days", "type": 4, "value": "5"}]),
    ("board", [{"name": "match", "type": 4, "value": 2**64}]),
    ("board", [{"name": "match", "type": 5, "value": True}]),
    ("do", [{"name": "action", "type": 4, "value": 1}]),
    ("admin", []),
    (
        "admin",
        [
            {
                "name": "doctor",
                "type": 1,
                "options": [{"name": "channel", "type": 7, "value": "1"}],
            }
        ],
    ),
]
"""Commands with options that are not as they are registered."""


@pytest.mark.slow
async def test_options_that_do_not_fit_get_a_sentence(stage: Stage) -> None:
    await stage.begin()
    for name, options in ODD:
        async with unchanged(stage):
            text = sentence(await type_in(stage, COMMAND, name, options))
        assert "This command has changed" in text, options


@pytest.mark.slow
async def test_command_of_another_game_is_refused(stage: Stage) -> None:
    match_id = await stage.begin()
    die: dict[str, Any] = {"name": "die", "type": 3, "value": ""}
    match = {"name": "match", "type": 4, "value": match_id}
    for kind in (AUTOCOMPLETE, COMMAND):
        options = [{"name": "move", "type": 1, "options": [match, die | {"focused": True}]}]
        async with unchanged(stage):
            result = await type_in(stage, kind, "warp6", options)
        assert result.acknowledged
    assert f"Wormholes #{match_id} is played with other commands: `/wormholes " in sentence(result)


async def test_opponent_of_another_server_is_refused(stage: Stage) -> None:
    yan = stage.env.create_user("yan", global_name="Yan *")
    user = dict(serializers.user_payload(stage.env.backend.get_user(yan.id)))
    named = [{"name": "opponent", "type": 6, "value": str(yan.id)}]
    record, data = typed(stage, stage.bo, "play", named, resolved={"users": {str(yan.id): user}})
    async with unchanged(stage):
        text = sentence(await fire(stage, (record, data)))
    assert "Yan" in text
    assert "would be missing" in text


@pytest.mark.slow
async def test_autocomplete_beside_an_unfinished_number_is_answered(stage: Stage) -> None:
    await stage.begin()
    for match in ("", "x", "1", 2**64, None, True):
        options = [{"name": "match", "type": 4, "value": match}]
        options += [{"name": "action", "type": 3, "value": "", "focused": True}]
        result = await type_in(stage, AUTOCOMPLETE, "do", options)
        assert result.autocomplete_choices is not None, match


@pytest.mark.slow
@pytest.mark.parametrize("focused", ["gone", "action", ""])
async def test_autocomplete_of_another_form_proposes_nothing(stage: Stage, focused: str) -> None:
    await stage.begin()
    options = [{"name": "match", "type": 4, "value": 1}]
    options += [{"name": focused, "type": 3, "value": "m", "focused": True}] if focused else []
    name = "games" if focused == "action" else "do"
    assert (await type_in(stage, AUTOCOMPLETE, name, options)).acknowledged


@pytest.mark.slow
@pytest.mark.parametrize("status", [404, 500])
async def test_autocomplete_that_cannot_be_answered_is_no_error(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    await stage.begin()
    response = SimpleNamespace(status=status, reason="", headers={})
    error = discord.NotFound if status == 404 else discord.DiscordServerError
    not_found = error(response, {"code": 10062, "message": "Unknown interaction"})
    monkeypatch.setattr(
        discord.InteractionResponse, "autocomplete", AsyncMock(side_effect=not_found)
    )
    await type_in(
        stage, AUTOCOMPLETE, "do", [{"name": "action", "type": 3, "value": "m", "focused": True}]
    )


@pytest.mark.parametrize("code", [10008, 10062, 40060])
async def test_reply_that_is_gone_is_no_error(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    await stage.begin()
    response = SimpleNamespace(status=404, reason="", headers={})
    not_found = discord.NotFound(response, {"code": code, "message": ""})
    monkeypatch.setattr("bot.interactions.boards.edit_reply", AsyncMock(side_effect=not_found))
    monkeypatch.setattr("bot.interactions.boards.reply", AsyncMock(side_effect=not_found))
    await stage.ada.slash(stage.channel, "board")


@pytest.mark.slow
async def test_two_clicks_at_once_count_once(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    both = [payload(stage, actor, stage.last(), "act:") for _ in range(2)]
    before = (await stage.perspective(match_id)).match.version
    for _, data in both:
        stage.env.backend.emit("INTERACTION_CREATE", copy.deepcopy(data))
    await stage.env.settle()
    results = [simcord.InteractionResult(stage.env, record) for record, _ in both]
    assert all(result.acknowledged for result in results)
    assert sorted(result.ephemeral for result in results) == [False, True]
    match = (await stage.perspective(match_id)).match
    assert match.version == before + 1


@pytest.mark.slow
async def test_the_same_click_delivered_twice_counts_once(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    _, data = payload(stage, actor, stage.last(), "act:")
    for _ in range(2):
        stage.env.backend.emit("INTERACTION_CREATE", copy.deepcopy(data))
        await stage.env.settle()
    assert (await stage.perspective(match_id)).match.version == 2
    assert len([m for m in stage.public() if any(i.startswith("hand:") for i in ids(m))]) == 1


@pytest.mark.slow
async def test_reply_that_is_rate_limited_says_nothing_wrong(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """discord.py gives up after five attempts; the move is stored by then."""
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    before = (await stage.perspective(match_id)).match.version
    response = SimpleNamespace(status=429, reason="Too Many Requests", headers={})
    limited = discord.HTTPException(response, {"code": 0, "message": "You are being rate limited."})
    send_message = AsyncMock()
    monkeypatch.setattr(discord.InteractionResponse, "defer", AsyncMock(side_effect=limited))
    monkeypatch.setattr(discord.InteractionResponse, "send_message", send_message)
    record, data = payload(stage, actor, stage.last(), "act:")
    assert record
    stage.env.backend.emit("INTERACTION_CREATE", data)
    await stage.env.settle()
    assert (await stage.perspective(match_id)).match.version == before + 1
    send_message.assert_not_awaited()
