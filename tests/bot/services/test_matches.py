"""The match service on a real database file."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, select

from bot.app.run import open_database
from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import Player
from bot.domain.outbox import OutboxKind, Target
from bot.domain.outcomes import Confirmation
from bot.services.match_changes import redraw
from bot.services.match_repository import NoMatchError
from bot.services.pings import WATCHING_SECONDS, Redraw
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.schema import outbox
from engine import games
from engine.game import CHANCE, Action
from engine.record import Record
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    PLAYERS,
    MatchFixture,
    lines_of,
    opponent_of,
    take_back,
    terms,
    warp6,
)
from tests.support.whole import any_action


@pytest.mark.slow
async def test_a_match_from_challenge_to_victory_verifies(env: MatchFixture) -> None:
    match_id = await env.begin()
    while True:
        user = await env.on_turn(match_id)
        perspective = await env.queries.view(match_id, user)
        action = perspective.view.legal[len(perspective.view.legal) // 2]
        line = " ".join((action.verb, *action.args))
        outcome = await env.matches.act(
            next(env.ids), match_id, user, line, await env.decision(match_id, user)
        )
        assert outcome.kind == "done"
        if (await env.queries.view(match_id)).view.result or next(env.ids) > 1500:
            break
    if not (await env.queries.view(match_id)).view.result:
        await env.matches.act(next(env.ids), match_id, ADA, "resign")
    record = Record.parse(str(await env.queries.record(match_id)))
    assert record.headers["Seat O"] == "Ada"
    assert record.verify() > 0


async def test_an_interaction_delivered_twice_counts_once(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    first = await env.matches.act(500, match_id, user, "first place")
    stored = await env.lines()
    assert await env.matches.act(500, match_id, user, "first place") == first
    assert await env.lines() == stored


async def test_an_older_button_is_stale_and_changes_nothing(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    decision = await env.decision(match_id, user)
    assert (
        await env.matches.act(600, match_id, user, "first place", Version(decision))
    ).kind == "done"
    stored = await env.lines()
    assert (
        await env.matches.act(601, match_id, user, "first place", Version(decision))
    ).kind == "stale"
    assert await env.lines() == stored


@pytest.mark.parametrize("line", ["place S4 a18", "place C4 a18", "move S N", "nonsense"])
async def test_what_the_rules_refuse_is_said_with_their_number(
    env: MatchFixture, line: str
) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    await env.matches.act(next(env.ids), match_id, user, "first place")
    stored = await env.lines()
    outcome = await env.matches.act(next(env.ids), match_id, user, line)
    assert outcome.kind == "refused"
    assert outcome.sentence
    assert outcome.rule
    assert await env.lines() == stored


async def test_others_do_not_play(env: MatchFixture) -> None:
    match_id = await env.begin()
    assert (await env.matches.act(700, match_id, EVE, "resign")).kind == "unknown"
    assert (await env.matches.act(701, MatchId(999), ADA, "resign")).kind == "unknown"


async def test_only_the_challenged_player_accepts_and_only_in_time(env: MatchFixture) -> None:
    match_id = await env.ask()
    assert (await env.challenges.accept(800, match_id, ADA)).kind == "refused"
    assert (await env.challenges.accept(801, match_id, EVE)).kind == "unknown"
    await env.strike("expire", match_id)
    assert (await env.challenges.accept(802, match_id, BO)).kind == "stale"


async def test_a_declined_challenge_cannot_be_accepted(env: MatchFixture) -> None:
    match_id = await env.ask()
    assert (await env.challenges.decline(900, match_id, BO)).kind == "done"
    assert (await env.challenges.accept(901, match_id, BO)).kind == "stale"


@pytest.mark.parametrize(
    ("players", "side", "words"),
    [
        ([Player(ADA, "Ada"), Player(ADA, "Ada")], "", "choose another player"),
        ([Player(ADA, "Ada")], "", "for 2 players"),
        (PLAYERS, "X", "no side"),
    ],
)
async def test_player_who_cannot_play_gets_the_reason(
    env: MatchFixture, players: list[Player], side: str, words: str
) -> None:
    outcome = await env.challenges.challenge(1, terms(), players, side=side)
    assert outcome.kind == "refused"
    assert words in outcome.sentence


async def test_an_expired_challenge_is_closed_once(env: MatchFixture) -> None:
    match_id = await env.ask()
    await env.strike("expire", match_id)
    await env.strike("expire", match_id)
    assert (await env.queries.match(match_id)).status == "closed"
    begun = await env.begin()
    await env.strike("expire", begun)
    assert (await env.queries.match(begun)).status == "running"


async def test_a_draw_offer_leaves_the_buttons_of_both_alive(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    decision = await env.decision(match_id, user)
    other = opponent_of(user)
    assert (await env.matches.act(next(env.ids), match_id, other, "draw offer")).kind == "done"
    assert await env.decision(match_id, user) == decision
    outcome = await env.matches.act(next(env.ids), match_id, user, "first place", Version(decision))
    assert outcome.kind == "done"


async def test_only_those_who_have_to_decide_get_a_dm(env: MatchFixture) -> None:
    for user in (ADA, BO):
        await Preferences(env.database).set(user, PreferenceKey.TURNS, "on")
    match_id, queued = await env.begin("standard", "warp6"), outbox.c.kind == OutboxKind.TURN_DM
    await env.race(match_id)

    async def called(line: str) -> list[str]:
        """Whom a choice of the player on turn calls, if the other one is not watching."""
        env.now += WATCHING_SECONDS
        async with env.database.write() as connection:
            await connection.execute(delete(outbox).where(queued))
        user = await env.on_turn(match_id)
        assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"
        async with env.database.read() as connection:
            return [*(await connection.execute(select(outbox.c.target).where(queued))).scalars()]

    first = await env.on_turn(match_id)
    assert await called("draw offer") == [str(Target(opponent_of(first)))]
    for _ in range(3):
        before = await env.on_turn(match_id)
        legal = (await env.queries.view(match_id, before)).view.legal
        targets = await called(legal[0].notation)
        assert targets == [str(Target(opponent_of(before)))]


async def test_both_can_agree_on_a_draw(env: MatchFixture) -> None:
    match_id = await env.begin()
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    await env.matches.act(next(env.ids), match_id, BO, "draw accept")
    assert (await env.queries.view(match_id)).view.result == "- agreed"


async def test_players_who_agree_to_a_draw_wait_for_the_others(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")

    async def answer(user: UserId, line: str) -> tuple[str, str]:
        outcome = await env.matches.act(next(env.ids), match_id, user, line)
        return outcome.kind, outcome.sentence

    assert await answer(BO, "draw offer") == ("done", "")
    own_offer = await answer(BO, "draw accept")
    assert own_offer == ("refused", "It's your own offer; Ada and Eve can answer it.")
    assert await answer(EVE, "draw accept") == ("done", "")
    for line in ("draw accept", "draw decline"):
        repeated = await answer(EVE, line)
        assert repeated == ("refused", "You've agreed to the draw already; Ada can still answer.")
    assert (await answer(BO, "draw accept"))[1] == "It's your own offer; Ada can answer it."
    assert not (await env.queries.view(match_id)).view.result
    assert await answer(ADA, "draw accept") == ("done", "")
    assert (await env.queries.view(match_id)).view.result == "- agreed"


@pytest.mark.parametrize("line", ["flag", "abandon"])
async def test_no_player_claims_an_end(env: MatchFixture, line: str) -> None:
    match_id = await env.begin()
    assert (await env.matches.act(next(env.ids), match_id, ADA, line)).kind == "refused"
    assert (await env.queries.match(match_id)).status == "running"


async def test_second_draw_offer_is_refused(env: MatchFixture) -> None:
    match_id = await env.begin()
    assert (await env.matches.act(next(env.ids), match_id, ADA, "draw offer")).kind == "done"
    repeated = await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    assert (repeated.kind, repeated.sentence) == ("refused", "There's already a draw offer.")


async def test_draw_is_offered_again_only_after_a_move(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    other = opponent_of(user)

    async def act(user_id: UserId, line: str) -> str:
        return (await env.matches.act(next(env.ids), match_id, user_id, line)).sentence

    assert [await act(user, "draw offer"), await act(other, "draw decline")] == ["", ""]
    assert (await act(user, "draw offer")).startswith("You've offered a draw since your last move")
    assert [await act(other, "draw offer"), await act(user, "first place")] == ["", ""]
    assert await act(user, "draw offer") == ""


def test_board_is_redrawn_within_a_turn_but_for_a_draw_offer() -> None:
    game, random = games.get("warp6"), Random(1)

    def choose(state: Any) -> Any:
        state = game.apply(state, any_action(game, state, random))[0]
        return state if game.pending(state) != CHANCE else choose(state)

    placing = choose(game.start("standard", {}))
    first = game.pending(placing)

    offered = game.apply(placing, Action(first, "draw", ("offer",)))[0]
    assert redraw(game, placing, choose(placing)) == Redraw.ALWAYS
    assert redraw(game, placing, offered) == Redraw.NEVER
    assert redraw(game, offered, choose(offered)) == Redraw.ALWAYS
    racing = placing
    while not game.view(racing).turn:
        racing = choose(racing)
    assert redraw(game, racing, choose(racing)) == Redraw.IF_WATCHED


async def test_a_button_of_the_other_player_says_whose_it_is(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    decision = await env.decision(match_id, user)
    outcome = await env.matches.act(
        next(env.ids), match_id, opponent_of(user), "first place", Version(decision)
    )
    assert outcome.kind == "refused"
    assert "Only " in outcome.sentence


async def test_a_choice_is_confirmed_at_the_version_asked_about(env: MatchFixture) -> None:
    match_id = await env.begin()
    asked = (await env.queries.match(match_id)).version
    await env.matches.act(next(env.ids), match_id, await env.on_turn(match_id), "first place")
    too_late = await env.matches.act(
        next(env.ids), match_id, ADA, "resign", confirmation=Confirmation(version=asked)
    )
    assert (too_late.kind, too_late.match_id) == ("stale", match_id)
    assert too_late.sentence == "The match has moved on since I asked you."
    now = (await env.queries.match(match_id)).version
    done = await env.matches.act(
        next(env.ids), match_id, ADA, "resign", confirmation=Confirmation(version=now)
    )
    assert done.kind == "done"


async def test_a_line_with_several_meanings_is_refused(env: MatchFixture) -> None:
    match_id = await env.begin("standard", "warp6")
    await env.race(match_id)
    user, stored = await env.on_turn(match_id), await env.lines()
    legal = (await env.queries.view(match_id, user)).view.legal
    meanings = [action for action in legal if action.args == legal[0].args]
    assert len(meanings) > 1
    outcome = await env.matches.act(next(env.ids), match_id, user, " ".join(legal[0].args))
    assert (outcome.kind, outcome.rule) == ("refused", "notation")
    assert "That could mean" in outcome.sentence
    assert all(meaning.notation in outcome.sentence for meaning in meanings)
    assert await env.lines() == stored


async def test_how_a_match_stood_can_be_seen_later(env: MatchFixture) -> None:
    match_id = await env.begin()
    before = (await env.queries.view(match_id)).view
    lines = await env.lines()
    await env.matches.act(next(env.ids), match_id, await env.on_turn(match_id), "first place")
    assert (await env.queries.view(match_id, action_count=lines)).view == before


async def test_what_does_not_exist_cannot_be_seen(env: MatchFixture) -> None:
    with pytest.raises(NoMatchError):
        await env.queries.match(MatchId(99))
    with pytest.raises(NoMatchError):
        await env.queries.view(await env.ask())


async def test_w9_1_what_is_queued_holds_no_secret(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    await env.matches.act(next(env.ids), match_id, user, "first place")
    async with env.database.read() as connection:
        rows = (await connection.execute(select(outbox.c.payload))).scalars().all()
    assert rows
    assert all(set(row) <= {"action_count", "version"} for row in rows)


async def test_the_seed_stays_secret_while_the_match_goes_on(env: MatchFixture) -> None:
    match_id = await env.begin()
    assert bytes(32).hex() not in str(await env.queries.record(match_id, ADA))
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    assert bytes(32).hex() in str(await env.queries.record(match_id, ADA))


async def test_interaction_that_two_processes_get_counts_once(url: str) -> None:
    async with open_database(url) as database:
        clubs = [MatchFixture(database) for _ in range(4)]
        challenges = await asyncio.gather(
            *(club.challenges.challenge(1, terms(), PLAYERS) for club in clubs)
        )
        assert len(set(challenges)) == 1
        accepted = await asyncio.gather(
            *(club.challenges.accept(2, challenges[0].match_id, BO) for club in clubs)
        )
        assert [outcome.kind for outcome in accepted] == ["done"] * len(clubs)
        assert len(await clubs[0].queries.list_for(ADA, "challenge", "running")) == 1


async def test_of_many_choices_at_once_one_counts(url: str) -> None:
    async with open_database(url) as database:
        env = MatchFixture(database)
        match_id = await env.begin()
        user = await env.on_turn(match_id)
        decision = await env.decision(match_id, user)
        outcomes = await asyncio.gather(
            *(
                env.matches.act(600 + n, match_id, user, "first place", Version(decision))
                for n in range(8)
            )
        )
    assert sorted(outcome.kind for outcome in outcomes) == ["done"] + ["stale"] * 7


async def test_a_line_with_several_choices_makes_each(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    seat = (await env.queries.match(match_id)).seat_of(user)
    coin = "S4" if seat == "O" else "C4"
    line = f"first place; place {coin} e9"
    outcome = await env.matches.act(next(env.ids), match_id, user, line)
    assert (outcome.kind, outcome.again) == ("done", False)
    lines = await lines_of(env, match_id)
    assert lines[1:] == [f"{seat} first place", f"{seat} place {coin[0]}? e9"]
    assert (await take_back(env, match_id, user)).kind == "done"
    assert await lines_of(env, match_id) == lines[:-1]


@pytest.mark.parametrize("rest", ["place S4 a18", "nonsense", "place", "resign", "first place", ""])
async def test_choices_that_do_not_fit_are_left_to_the_player(env: MatchFixture, rest: str) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    outcome = await env.matches.act(next(env.ids), match_id, user, f"first place; {rest}; S4 e9")
    assert (outcome.kind, outcome.again) == ("done", True)
    assert len(await lines_of(env, match_id)) == 2


async def test_a_first_choice_that_does_not_fit_refuses_the_line(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    stored = await env.lines()
    outcome = await env.matches.act(next(env.ids), match_id, user, "place S4 a18; first place")
    assert outcome.kind == "refused"
    assert await env.lines() == stored


async def test_no_choice_of_a_line_follows_a_roll(env: MatchFixture) -> None:
    """Otherwise a refused line would reveal the roll."""
    match_id = await env.begin("standard", "tomtube")
    user = await env.on_turn(match_id)
    outcome = await env.matches.act(next(env.ids), match_id, user, "build; rhomb -1,3>1,2")
    assert (outcome.kind, outcome.again) == ("done", True)
    assert (await lines_of(env, match_id))[-1].startswith("* draw ")
