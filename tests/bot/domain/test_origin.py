"""Playing on: from any position, the same dice and choices give the same match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.domain import origin as continuations
from bot.domain.ids import COMPUTER_USER_ID, MatchId
from bot.domain.models import DELETED_PLAYER, Player
from bot.domain.origin import Origin, lines_until, record_taken_over, same_players
from engine import games
from engine.game import CHANCE, PUBLIC, Action, AnyGame, IllegalActionError
from engine.plans import forced_action
from engine.record import Record
from tests.support.matches import ADA, BO, EVE, TABLE, MatchFixture, terms, warp6
from tests.support.tiers import by_tier, sampled
from tests.support.whole import whole_match

POSITIONS_PER_MATCH = 10


def positions(record: Record, random: Random, count: int) -> Iterator[tuple[int, Any]]:
    """Yield random positions after which a match can begin: numbers of actions, and states."""
    game, states = record.game(), states_of(record)
    possible = [
        place
        for place, state in enumerate(states)
        if not (game.result(state) or game.view(state).departed)
    ]
    for place in random.sample(possible, min(count, len(possible))):
        yield place, states[place]


def states_of(record: Record) -> list[Any]:
    """Return the first position of a match, and that after each action."""
    return [position.state for position in record.positions()]


@sampled(1, 4, 100)
@pytest.mark.parametrize("name", games.names())
def test_any_position_continues_as_the_original_match(name: str, samples: int) -> None:
    game, random, count = games.get(name), Random(name), 0
    for seed in range(samples):
        record = whole_match(name, seed)
        for place, state in positions(record, random, POSITIONS_PER_MATCH):
            lines = lines_until(record, place)
            start = Record(record.headers, lines).replay().state
            if state.offer:
                assert game.dump(start) == game.dump(without_offer(state))
                continue
            assert game.dump(start) == game.dump(state)
            record_again = Record(record.headers, (*lines, *record.actions[place:]))
            assert str(record_again) == str(record)
            assert record_again.replay().state == record.replay().state
            count += 1
    assert count > samples * POSITIONS_PER_MATCH * 0.7


def without_offer(state: Any) -> Any:
    """Return a position without the draw offer that is open in it."""
    draft = state.draft()
    draft.offer = ""
    return draft.freeze()


@pytest.mark.parametrize("name", games.names())
def test_no_match_begins_where_one_ends_or_a_player_left(name: str) -> None:
    record = whole_match(name, 3)
    game = record.game()
    for place, (_, state) in enumerate(record.positions()):
        if game.result(state) or game.view(state).departed:
            with pytest.raises(IllegalActionError):
                lines_until(record, place)
    with pytest.raises(IllegalActionError, match="The match is over there") as caught:
        lines_until(record, len(record.actions) + 9)
    assert caught.value.rule == ""


def test_no_match_begins_after_too_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuations, "MAX_LINES_TAKEN_OVER", 5)
    record = whole_match("warp6", 3)
    assert lines_until(record, 5) == record.actions[:5]
    with pytest.raises(IllegalActionError, match="after at most 5 lines") as caught:
        lines_until(record, 6)
    assert caught.value.rule == ""


def test_only_the_open_draw_offer_is_left_out() -> None:
    game = games.get("warp6")
    roll = game.chance(game.start(game.rules[0], {}), Random(1).randrange)
    offer = Action("B", "draw", ("offer",))
    lines = (roll, offer, Action("Y", "draw", ("decline",)), offer)
    record = Record({"Game": "warp6"}, lines)
    assert lines_until(record, 4) == lines[:3]
    assert lines_until(record, 3) == lines[:3]
    placed = Action("Y", "place", ("y8a",)), offer, Action("B", "place", ("b8a",))
    lines_after = lines_until(Record({"Game": "warp6"}, (roll, *placed)), 4)
    assert lines_after == (roll, placed[0], placed[2]), "a choice after the offer is kept"


def test_answers_to_the_open_draw_offer_are_left_out() -> None:
    game = games.get("warp6")
    roll = game.chance(game.start(game.rules[0], {"seats": "3"}), Random(1).randrange)
    answered = Action("B", "draw", ("offer",)), Action("Y", "draw", ("accept",))
    record = Record({"Game": "warp6", "Options": "seats=3"}, (roll, *answered))
    assert lines_until(record, 3) == (roll,)


def test_no_match_begins_from_hidden_information() -> None:
    record = whole_match("wormholes", 3)
    lines = record.actions[:100]
    assert lines_until(record, len(lines))
    redacted = Record(record.headers, lines).redact(PUBLIC)
    with pytest.raises(IllegalActionError, match="leaves hidden information out") as caught:
        lines_until(redacted, len(lines))
    assert caught.value.rule == ""


def test_no_match_begins_without_a_player_who_has_left() -> None:
    game = games.get("warp6")
    state, roll = game.start(game.rules[0], {"seats": "3"}), Random(1).randrange
    lines = [game.chance(state, roll), Action("W", "leave")]
    record = Record({"Game": "warp6", "Options": "seats=3"}, tuple(lines))
    assert len(lines_until(record, 1)) == 1
    with pytest.raises(IllegalActionError, match="By then a player had left") as caught:
        lines_until(record, 2)
    assert caught.value.rule == ""


class SameDice:
    """Chance, for a match that is to have the dice of another."""

    def __init__(self, patch: pytest.MonkeyPatch, game: AnyGame) -> None:
        self._left: list[Action] = []
        self._drawn = game.chance
        patch.setattr(type(game), "chance", lambda _, state, draw: self._next(state, draw))

    def repeat(self, actions: tuple[Action, ...]) -> None:
        """Have these dice fall next, in order."""
        self._left = [action for action in actions if action.actor == CHANCE]

    def _next(self, state: Any, draw: Any) -> Action:
        return self._left.pop(0) if self._left else self._drawn(state, draw)


async def finished(env: MatchFixture, record: Record) -> MatchId:
    """Store a match that is over: as one that went on from its last position but the end."""
    seats = record.game().seats(record.options())
    match_terms = terms(
        rules=record.headers["Rules"],
        game=record.game().name,
        options=record.options(),
        lines=record.actions[:-1],
    )
    return await begun(env, match_terms, TABLE[: len(seats)], seats, record.actions[-1])


async def begun(
    env: MatchFixture, match_terms: Any, players: list[Player], seats: str, *choices: Action
) -> MatchId:
    """Begin a match, and make choices in it."""
    outcome = await env.challenges.challenge(next(env.ids), match_terms, players, side=seats)
    assert outcome.kind == "done", outcome
    for player in players[1:]:
        await env.challenges.accept(next(env.ids), outcome.match_id, player.user_id)
    for choice in choices:
        user = players[seats.index(choice.actor)].user_id
        done = await env.matches.act(next(env.ids), outcome.match_id, user, choice.notation)
        assert done.kind == "done", (choice, done)
    return outcome.match_id


@sampled(1, 1, 40)
@pytest.mark.parametrize("name", games.names())
async def test_a_begun_match_continues_as_the_original(
    name: str, samples: int, env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice, random = SameDice(monkeypatch, games.get(name)), Random(name)
    for seed in range(samples):
        record = ended_by_choice(name, seed)
        first = await finished(env, record)
        before = [str(action) for action in record.actions]
        match = await env.queries.match(first)
        seats = "".join(match.players)
        for place, state in positions(record, random, by_tier(1, 2, 3)):
            if state.offer:
                continue
            origin = await env.queries.origin(first, place)
            dice.repeat(record.actions[place:])
            match_terms = terms(
                rules=match.rules,
                game=name,
                options=match.options,
                lines=origin.lines,
                parent_id=origin.parent_id,
            )
            new = await begun(env, match_terms, list(match.players.values()), seats)
            await repeated(env, new, record.actions[: place + by_tier(8, 30, 400)][:-1])
            dice.repeat(())
            after = (await env.queries.log(new))[1].actions[: len(before) - 1]
            assert [str(action) for action in after] == before[: len(after)]
            assert (await env.queries.match(new)).lines_taken_over == place
            head = (await env.queries.record(new)).headers
            assert head.get("Taken over from", "") == (f"match {first}" if place else "")
            await env.matches.act(next(env.ids), new, ADA, "resign")


def ended_by_choice(name: str, seed: int) -> Record:
    """Return a match that ends by a choice, without offers: the bot makes forced ones at once."""
    for number in range(seed * 100, seed * 100 + 100):
        record = whole_match(name, number, offer_share=0)
        verbs = [action.verb for action in record.actions]
        if record.actions[-1].actor != CHANCE and not {"flag", "leave"} & {*verbs}:
            return record
    raise AssertionError("no match ends by a choice")


async def repeated(env: MatchFixture, match_id: MatchId, actions: tuple[Action, ...]) -> None:
    """Make the choices of another match, as far as the bot does not make them itself."""
    while True:
        played = (await env.queries.log(match_id))[1].actions
        if len(played) >= len(actions):
            return
        choice = actions[len(played)]
        user = (await env.queries.match(match_id)).players[choice.actor].user_id
        done = await env.matches.act(next(env.ids), match_id, user, choice.notation)
        assert done.kind == "done", (choice, done)


async def test_a_match_begins_before_a_forced_choice(env: MatchFixture) -> None:
    record = whole_match("tomtube", 4, offer_share=0)
    last = record.actions[-1]
    assert forced_action(record.game(), states_of(record)[-2], last.actor) == last
    match_terms = terms(
        rules=record.headers["Rules"],
        game="tomtube",
        options=record.options(),
        lines=record.actions[:-1],
    )
    match_id = await begun(env, match_terms, TABLE[:2], "TD")
    match = await env.queries.match(match_id)
    assert (match.status, list(match.decisions)) == ("running", [last.actor])


async def test_a_running_match_is_no_origin(env: MatchFixture) -> None:
    match_id = await env.begin()
    for count in (0, 1, 99):
        with pytest.raises(IllegalActionError, match="isn't over yet"):
            await env.queries.origin(match_id, count)
    challenge_id = await env.ask()
    with pytest.raises(LookupError):
        await env.queries.origin(challenge_id, 0)


async def test_only_a_stored_match_is_a_parent(env: MatchFixture) -> None:
    match = await env.queries.match(await env.begin())
    lines = (await env.queries.record(match.id)).actions
    assert Origin(match, lines).parent_id == match.id
    assert Origin(match, ()).parent_id is None
    assert Origin(replace(match, id=MatchId(0)), lines).parent_id is None, (
        "only its record is known"
    )


async def test_record_taken_over_has_the_game_and_the_actions(env: MatchFixture) -> None:
    plain, three = [await warp6(env, "", **options) for options in ({}, {"seats": "3"})]
    for match_id, options in ((plain, {}), (three, {"Options": "seats=3"})):
        match = await env.queries.match(match_id)
        lines = (await env.queries.record(match_id)).actions
        headers = {"Game": "warp6", "Rules": match.rules, **options}
        assert record_taken_over(match, lines) == Record(headers, lines)


async def test_the_level_met_last_is_that_of_the_latest_match(env: MatchFixture) -> None:
    assert await env.queries.level_met(ADA) == ""
    for level in ("cadet", "admiral"):
        players = [TABLE[0], Player(COMPUTER_USER_ID, level, level)]
        await env.challenges.challenge(next(env.ids), terms(), players)
    assert await env.queries.level_met(ADA) == "admiral"
    assert await env.queries.level_met(BO) == ""


async def test_same_players_need_other_people(env: MatchFixture) -> None:
    match = await env.queries.match(await env.begin())
    ada, bo = match.players.values()
    assert [*same_players(match, BO).items()] == [("D", bo), ("O", ada)], "the user comes first"
    assert not same_players(match, EVE)
    stood_in = replace(match, players={"O": ada, "D": bo._replace(level="cadet")})
    assert same_players(stood_in, ADA) == {"O": ada, "D": bo}
    computer = Player(COMPUTER_USER_ID, "", "cadet")
    assert not same_players(replace(match, players={"O": ada, "D": computer}), ADA)
    with_computer = replace(match, players={"O": ada, "D": bo, "C": computer})
    assert same_players(with_computer, BO) == {"D": bo, "O": ada, "C": computer}
    one_deleted = replace(match, players={"O": ada, "D": bo, "C": DELETED_PLAYER})
    assert not same_players(one_deleted, ADA)
    assert not same_players(replace(match, players={"O": ada, "D": DELETED_PLAYER}), ADA)
