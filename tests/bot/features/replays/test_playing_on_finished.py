"""Matches that begin from a position of a finished one: *Play on from here* on a replay."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import discord
import pytest
from simcord import MemberActor, UserHandle, interactions
from simcord.backend import serializers
from sqlalchemy import select, update

from bot.domain.ids import MatchId
from bot.domain.models import Match
from bot.features.privacy.service import Privacy
from bot.features.replays.continuation_views import AGAINST, OTHERS, SAME
from bot.services.match_repository import NoMatchError
from bot.storage.schema import actions, matches
from tests.support.computers import chosen_by
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, ids, walk, words
from tests.support.interactions import fire, payload, sentence, unchanged
from tests.support.strategies import racing

pytestmark = [pytest.mark.computers, pytest.mark.slow]


async def finished(stage: Stage, **options: Any) -> MatchId:
    """Play a match of Ada and Bo, and have Ada resign."""
    await stage.without_threads()
    terms = {"placing": "random"} | options
    match_id = await stage.begin(side="OrthogonAliens", **terms)
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=16)
    left = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, left.response, "resign:")
    return match_id


async def replay(stage: Stage, who: Any, steps: int = 0) -> Any:
    """Open the replay from the end of the match, and go back some turns from the last."""
    page = await stage.click(who, stage.last(), "replay:")
    await who.click(page.response, label="Last")
    for _ in range(steps):
        await who.click(page.response, label="Back")
    return page


async def choose(who: Any, page: Any, value: str) -> Any:
    """Choose an opponent from the list below a replay."""
    custom_id = next(
        custom_id for custom_id in ids(page.response) if custom_id.endswith(f":{AGAINST}")
    )
    return await who.select(page.response, [value], custom_id=custom_id)


async def match(stage: Stage, match_id: MatchId) -> Match:
    """The public facts of a match."""
    return await stage.client.context.queries.match(match_id)


async def lines(stage: Stage, match_id: MatchId) -> list[str]:
    """The lines of a match, as stored."""
    query = select(actions.c.line).where(actions.c.match_id == match_id)
    async with stage.database.read() as connection:
        return list((await connection.execute(query.order_by(actions.c.number))).scalars())


async def test_the_computer_plays_on_at_one_click(stage: Stage) -> None:
    first = await finished(stage)
    page = await replay(stage, stage.ada, steps=2)
    reply = await stage.click(stage.ada, page.response, "playon:")
    assert "has started" in words(reply.response)
    new = await match(stage, MatchId(first + 1))
    assert (new.seat_of(stage.ada.id), new.players["D"].level) == ("O", "captain")
    taken = (await lines(stage, new.id))[: new.lines_taken_over]
    assert taken
    assert taken == (await lines(stage, first))[: len(taken)]
    assert f"Played on from Wormholes #{first}" in words(stage.board(new.id))
    listed = await stage.ada.slash(stage.channel, "games")
    assert f"Played on from Wormholes #{first}" in words(listed.response)
    for _ in range(3):
        await stage.computers()
        await play_on(stage, new.id, Random(2), ways=(silently,), limit=1)
    await stage.computers()
    marks = await chosen_by(stage)
    assert all(mark is None for _, mark in list(marks.values())[: len(taken)])
    assert await stage.state(new.id) == await stage.replayed(new.id)
    record = await stage.client.context.queries.record(new.id, stage.ada.id)
    assert record.headers["Taken over"] == str(len(taken))
    assert record.headers["Taken over from"] == f"match {first}"


async def test_the_level_is_that_met_last_or_chosen(stage: Stage) -> None:
    first = await finished(stage)
    page = await replay(stage, stage.ada, steps=2)
    await choose(stage.ada, page, "cadet")
    assert (await match(stage, MatchId(first + 1))).players["D"].level == "cadet"
    await stage.click(stage.ada, page.response, "playon:")
    assert (await match(stage, MatchId(first + 2))).players["D"].level == "cadet"


async def test_the_same_opponent_is_challenged(stage: Stage) -> None:
    first = await finished(stage, clock="3 days per turn")
    page = await replay(stage, stage.bo, steps=1)
    sent = await choose(stage.bo, page, SAME)
    assert "challenge sent to Ada" in words(sent.response)
    card = words(stage.last())
    assert "continues from the attached record" in card
    assert f"Played on from Wormholes #{first}" in card
    await stage.click(stage.ada, stage.last(), "accept:")
    new, old = [await match(stage, MatchId(number)) for number in (first + 1, first)]
    assert {s: p.user_id for s, p in new.players.items()} == {
        s: p.user_id for s, p in old.players.items()
    }
    assert new.clock == old.clock
    assert await stage.state(new.id) == await stage.replayed(new.id)


async def test_clock_stops_for_vacations_after_a_cup_without(stage: Stage) -> None:
    """Only the cup has no vacations; days off stay."""
    first = await finished(stage, clock="3 days per turn")
    async with stage.database.write() as connection:
        await connection.execute(update(matches).values(clock="3dw!"))
    page = await replay(stage, stage.bo, steps=1)
    await choose(stage.bo, page, SAME)
    assert (await match(stage, MatchId(first + 1))).clock == "3dw"


async def test_a_player_keeps_the_side_with_others(stage: Stage) -> None:
    first = await finished(stage)
    page = await replay(stage, stage.bo, steps=1)
    window = await choose(stage.bo, page, OTHERS)
    await stage.bo.submit_modal(window, {"people": [stage.eve]})
    await stage.click(stage.eve, stage.last(), "accept:")
    new = await match(stage, MatchId(first + 1))
    assert (new.seat_of(stage.bo.id), new.seat_of(stage.eve.id)) == ("D", "O")


async def test_several_opponents_play_on_from_one_position(stage: Stage) -> None:
    """Each accepts with one click, and plays on from the same lines."""
    first = await finished(stage)
    page = await replay(stage, stage.bo, steps=1)
    window = await choose(stage.bo, page, OTHERS)
    sent = await stage.bo.submit_modal(window, {"people": [stage.ada, stage.eve]})
    assert "A challenge each is sent to Ada and Eve." in words(sent.response)
    await stage.env.settle()
    taken = list[list[str]]()
    for match_id, actor in ((MatchId(first + 1), stage.ada), (MatchId(first + 2), stage.eve)):
        await stage.client.runtime.outbox.flush()
        card = next(
            message
            for message in reversed(stage.public())
            if any(custom_id == f"accept:{match_id}" for custom_id in ids(message))
        )
        await stage.click(actor, card, "accept:")
        new = await match(stage, match_id)
        assert (new.seat_of(stage.bo.id), new.seat_of(actor.id)) == ("D", "O")
        assert new.origin_id == first
        taken.append((await lines(stage, match_id))[: new.lines_taken_over])
    assert taken[0] == taken[1]
    assert taken[0]


async def test_computer_is_not_one_of_several_opponents(stage: Stage) -> None:
    first = await finished(stage)
    page = await replay(stage, stage.bo, steps=1)
    window = await choose(stage.bo, page, OTHERS)
    bot = MemberActor(stage.env, stage.guild, UserHandle(stage.env, stage.env.backend.bot_user))
    refused = await stage.bo.submit_modal(window, {"people": [bot, stage.eve]})
    assert "Choose up to 3 players, and the computer only alone." in words(refused.response)
    with pytest.raises(NoMatchError):
        await match(stage, MatchId(first + 1))


async def test_a_stranger_chooses_a_side(stage: Stage) -> None:
    first = await finished(stage)
    page = await replay(stage, stage.eve, steps=1)
    assert not any(custom_id.endswith(f":{AGAINST}") for custom_id in ids(page.response))
    window = await stage.click(stage.eve, page.response, "playon:")
    await stage.eve.submit_modal(window, {"side": ["D"], "level": ["cadet"]})
    new = await match(stage, MatchId(first + 1))
    assert (new.seat_of(stage.eve.id), new.players["O"].level) == ("D", "cadet")


async def test_the_rematch_stays_after_playing_on(stage: Stage) -> None:
    first = await finished(stage)
    page = await replay(stage, stage.ada, steps=1)
    over = stage.board(first)
    await stage.click(stage.ada, page.response, "playon:")
    assert not await stage.client.context.queries.has_rematch(first)
    await stage.click(stage.bo, over, "rematch:")
    assert "challenges you" in words(stage.last())


async def test_the_end_offers_no_playing_on(stage: Stage) -> None:
    await finished(stage)
    page = await replay(stage, stage.ada)
    assert not any(custom_id.startswith("playon:") for custom_id in ids(page.response))


async def test_nothing_of_a_running_match_can_be_had(stage: Stage) -> None:
    await stage.without_threads()
    running = await stage.begin(side="OrthogonAliens")
    await play_on(stage, running, Random(1), ways=(silently,), limit=20)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    board = stage.board(running)
    async with unchanged(stage):
        for count, who in product((0, 1, 20, 999), (stage.ada, stage.bo, stage.eve)):
            for form in ("playon:{}:{}", "playon:{}:{}:against", "playing:{}:{}"):
                click = payload(stage, who, board, "", form.format(count, running))
                answer = await fire(stage, click)
                assert words(answer.response).startswith("This match isn't over yet"), form


async def test_what_a_user_cannot_see_is_no_origin(stage: Stage) -> None:
    first = await finished(stage)
    secret = stage.guild.create_text_channel(
        "apart", overwrites={stage.eve: discord.PermissionOverwrite(view_channel=False)}
    )
    message = stage.last()
    hidden = await stage.begin(secret)
    await stage.client.context.matches.act(10**6, hidden, stage.ada.id, "resign")
    async with unchanged(stage):
        click = payload(stage, stage.eve, message, "", f"playon:1:{hidden}")
        assert "no such match" in sentence(await fire(stage, click))
    assert first != hidden


async def in_dm(stage: Stage, who: Any, custom_id: str, *values: str) -> Any:
    """Click on a button or a list in a DM with the bot."""
    backend, message = stage.env.backend, (await who.user.send_dm("Hello!"))
    data = {"custom_id": custom_id, "component_type": 3 if values else 2}
    record, payload = interactions.base_payload(
        backend,
        type=3,
        channel_id=who.user.dm_channel.id,
        guild_id=None,
        user_id=who.id,
        data=data | ({"values": list(values)} if values else {}),
    )
    stored = backend.get_message(who.user.dm_channel.id, message.id)
    payload["message"] = dict(serializers.message_payload(backend, stored))
    record.source_message_id = stored.id
    return await fire(stage, (record, payload))


async def test_in_a_dm_it_begins_where_the_match_was_played(stage: Stage) -> None:
    first = await finished(stage)
    reply = await in_dm(stage, stage.ada, f"playon:26:{first}")
    assert "has started" in words(reply.response)
    new = await match(stage, MatchId(first + 1))
    assert (new.guild_id, new.channel_id) == (stage.guild.id, stage.channel.id)
    assert stage.board(new.id)
    sent = await in_dm(stage, stage.ada, f"playon:26:{first}:against", SAME)
    assert "challenge sent to Bo" in words(sent.response)
    place = f"https://discord.com/channels/{stage.guild.id}/{stage.channel.id}"
    for answer in (reply, sent):
        assert [
            component["url"]
            for component in walk(answer.response.components)
            if component.get("url")
        ] == [place]


async def test_in_a_dm_who_has_left_the_server_is_refused(stage: Stage) -> None:
    first = await finished(stage)
    stage.guild.remove_member(stage.ada)
    async with unchanged(stage):
        refused = await in_dm(stage, stage.ada, f"playon:26:{first}")
        assert "a server you share" in words(refused.response)


async def test_settings_of_the_server_hold(stage: Stage) -> None:
    first = await finished(stage)
    role = stage.guild.create_role("Pilots")
    other = stage.guild.create_text_channel("other")
    context = stage.client.context
    page = await replay(stage, stage.ada, steps=1)
    for settings, words_of_refusal in (
        ({"channels": [other.id]}, "matches start in"),
        ({"channels": [], "role": role.id}, "only members with the role"),
    ):
        await context.servers.choose(stage.guild.id, **settings)
        async with unchanged(stage):
            refused = await stage.click(stage.ada, page.response, "playon:")
            assert words_of_refusal in words(refused.response)
            refused = await in_dm(stage, stage.ada, f"playon:26:{first}")
            assert words_of_refusal in words(refused.response)


async def test_a_blocked_player_is_not_challenged(stage: Stage) -> None:
    await finished(stage)
    await stage.client.context.preferences.block(stage.bo.id, stage.ada.id)
    page = await replay(stage, stage.ada, steps=1)
    async with unchanged(stage):
        refused = await choose(stage.ada, page, SAME)
        assert "isn't accepting challenges" in words(refused.response)


async def test_a_deleted_player_is_no_opponent(stage: Stage) -> None:
    first = await finished(stage)
    page = await replay(stage, stage.ada, steps=1)
    await stage.client.context.of(Privacy).erase(stage.bo.id)
    async with unchanged(stage):
        refused = await choose(stage.ada, page, SAME)
        assert "choose others" in words(refused.response)
    again = await stage.ada.slash(stage.channel, "replay", match=first)
    assert "Bo" not in words(again.response)
    reply = await stage.click(stage.ada, again.response, "playon:")
    assert "has started" in words(reply.response)


async def test_matches_against_the_computer_are_limited(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.abuse_limits.MAX_COMPUTER_MATCHES", 1)
    await finished(stage)
    page = await replay(stage, stage.ada, steps=1)
    await stage.click(stage.ada, page.response, "playon:")
    async with unchanged(stage):
        refused = await stage.click(stage.ada, page.response, "playon:")
        assert "already playing 1 match" in words(refused.response)


async def test_three_players_keep_their_seats(stage: Stage) -> None:
    await stage.without_threads()
    challenge = await stage.challenge(game="warp6", opponent2=stage.eve, side="Black")
    for who in (stage.bo, stage.eve):
        await stage.click(who, challenge, "accept:")
    first = 1
    await play_on(stage, MatchId(first), Random(1), strategy=racing, ways=(silently,), limit=22)
    for who in (stage.eve, stage.bo):
        await stage.client.context.matches.act(10**6 + who.id, MatchId(first), who.id, "leave")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    page = await stage.bo.slash(stage.channel, "replay", match=first)
    await stage.bo.click(page.response, label="Next")
    await choose(stage.bo, page, SAME)
    challenge = stage.last()
    for who in (stage.ada, stage.eve):
        await stage.click(who, challenge, "accept:")
    new, old = [await match(stage, MatchId(number)) for number in (first + 1, first)]
    assert new.players == old.players
