"""Which choices are taken back, and why others cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select

from bot.domain.computer_players import computer_player
from bot.domain.ids import OPEN_USER_ID, ChannelId, MatchId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.domain.time_controls import DAY
from bot.domain.waiting import GONE_SECONDS
from bot.services.automatic_moves import Automatic, StopReason
from bot.services.match_repository import match_with_board, seats_of
from bot.services.rows import LoggedAction
from bot.services.takebacks import last_choice, no_takeback, reveals_information
from bot.storage.schema import actions, matches
from engine.game import CHANCE, PUBLIC, Action
from tests.support.bids import Bids, State
from tests.support.computer_turns import play_all
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    PLAYERS,
    MatchFixture,
    act,
    begun,
    choose,
    opponent_of,
    plan,
    take_back,
    takeback_asked,
    warp6,
)
from tests.support.stand_ins import agree


async def test_after_a_draw_offer_it_is_too_late_to_take_back(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    await act(env, match_id)
    other = opponent_of(user)
    assert (await env.matches.act(next(env.ids), match_id, other, "draw offer")).kind == "done"
    refused = await take_back(env, match_id, user)
    assert refused.kind == "refused"
    assert refused.sentence.startswith("Something else has happened since your move")
    unmoved = await take_back(env, match_id, other)
    assert unmoved.sentence == "You haven't made a move yet that you could take back."


@pytest.mark.parametrize(
    ("log", "undone"), [("cf", "cf"), ("ccf", "cf"), ("ccff", "cff"), ("ff", "ff"), ("cfc", "c")]
)
def test_forced_choices_are_taken_back_with_the_one_before(log: str, undone: str) -> None:
    automatic = {"c": None, "f": Automatic.FORCED}
    lines = [
        LoggedAction(MatchId(1), n, "A x", 0.0, None, None, automatic[c]) for n, c in enumerate(log)
    ]
    assert last_choice(lines) == lines[len(lines) - len(undone) :]


@pytest.mark.parametrize(
    ("log", "seat", "undone"),
    [
        ("Ac Af Bp", "A", "Ac Af Bp"),
        ("Ac Bp Af Bp", "A", "Ac Bp Af Bp"),
        ("Ac Bp", "B", "Bp"),
        ("Ac Bp", "", "Bp"),
        ("Ac Bc", "A", "Bc"),
        ("Ac *n Bp", "A", "Bp"),
        ("Ap Bp", "A", "Ap Bp"),
    ],
)
def test_choice_is_taken_back_with_the_answers_of_the_bot(log: str, seat: str, undone: str) -> None:
    automatic = {"c": None, "n": None, "f": Automatic.FORCED, "p": Automatic.PLAN}
    lines = [
        LoggedAction(MatchId(1), number, f"{actor} x", 0.0, None, None, automatic[how])
        for number, (actor, how) in enumerate(map(tuple, log.split()))
    ]
    assert last_choice(lines, seat) == lines[len(lines) - len(undone.split()) :]


async def test_before_the_first_line_there_is_nothing_to_take_back(env: MatchFixture) -> None:
    """Dice that are set in secret are not rolled, so their match begins with a choice."""
    match_id = await warp6(env, "", setup="secret")
    assert not await env.lines()
    for user in (ADA, BO):
        refused = await take_back(env, match_id, user)
        sentence = "You haven't made a move yet that you could take back."
        assert (refused.kind, refused.sentence) == ("refused", sentence)


async def begin_warp6(env: MatchFixture, *players: Player, rated: bool, **options: str) -> MatchId:
    """Begin a match of Warp 6, which Ada asks for."""
    terms = Terms(
        game="warp6", options=options, rated=rated, guild_id=None, channel_id=ChannelId(5)
    )
    challenge = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    if players[1].is_person:
        await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    return challenge.match_id


async def test_computer_needs_no_asking_to_take_back(env: MatchFixture) -> None:
    players = PLAYERS[0], computer_player()
    match_id = await begin_warp6(env, *players, rated=False, setup="secret")
    await play_all(env)
    before = (await env.queries.record(match_id, ADA)).actions
    await choose(env, match_id, ADA)
    after = (await env.queries.record(match_id, ADA)).actions
    assert after[: len(before)] != before, "the computer's choice is revealed"
    assert (await take_back(env, match_id, ADA)).kind == "done"
    assert (await env.queries.record(match_id, ADA)).actions == before


async def test_rated_choice_is_taken_back_by_its_player_alone(env: MatchFixture) -> None:
    match_id = await begin_warp6(env, *PLAYERS, rated=True)
    first = await env.on_turn(match_id)
    await choose(env, match_id, first)
    version = (await env.queries.match(match_id)).version
    agreed = await env.takebacks.take_back(
        next(env.ids), match_id, opponent_of(first), requested_version=version
    )
    assert agreed.kind == "refused"
    assert agreed.sentence.startswith("This match is rated")
    assert (await take_back(env, match_id, first)).kind == "done"


async def test_player_who_still_decides_may_take_back_out_of_time(env: MatchFixture) -> None:
    match_id = await begun(env, "1d")
    user, last = OPEN_USER_ID, ""
    match = await env.queries.match(match_id)
    while await env.on_turn(match_id) != user or last != match.seat_of(user):
        user = await env.on_turn(match_id)
        await act(env, match_id)
        last = (await env.queries.record(match_id)).actions[-1].actor
    env.now += DAY
    assert (await take_back(env, match_id, user)).kind == "ask", "a coin was turned"
    version = (await env.queries.match(match_id)).version
    agreed = await env.takebacks.take_back(
        next(env.ids), match_id, opponent_of(user), requested_version=version
    )
    assert agreed.kind == "done"
    assert await env.decision(match_id, user) == version + 1, "it is another decision"


async def test_draw_offer_after_a_request_ends_it(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    assert (await env.matches.act(next(env.ids), match_id, BO, "draw offer")).kind == "done"
    too_late = await env.takebacks.take_back(
        next(env.ids), match_id, ADA, requested_version=version
    )
    assert too_late.kind == "refused"
    sentence = "Something else has happened since, so it's too late to take that move back."
    assert too_late.sentence == sentence


async def test_player_out_of_time_can_no_longer_agree(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    assert await env.on_turn(match_id) == ADA
    env.now += DAY
    too_late = await env.takebacks.take_back(
        next(env.ids), match_id, ADA, requested_version=version
    )
    assert too_late.kind == "refused"
    assert too_late.sentence == "You're out of time yourself, so you can no longer agree."


async def test_each_choice_keeps_the_time_when_it_was_undone(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    for user in (first, opponent_of(first)):
        await choose(env, match_id, user)
    begin = env.now
    for user in (opponent_of(first), first):
        env.now += 60
        assert (await take_back(env, match_id, user)).kind == "done"
    query = select(actions.c.undone_at).where(actions.c.undone_at.is_not(None))
    async with env.database.read() as connection:
        undone = (await connection.execute(query.order_by(actions.c.number))).scalars().all()
    assert undone == [begin + 120, begin + 60]


async def test_refusal_names_the_computer_only_if_it_has_moved(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    order = []
    for _ in range(2):
        order.append(await env.on_turn(match_id))
        await choose(env, match_id, order[-1])
    (third,) = {ADA, BO, EVE} - {*order}
    env.now += GONE_SECONDS
    for user in order:
        assert (await agree(env, match_id, user, third, is_gone=True)).kind == "done"
    other_moved = await take_back(env, match_id, order[0])
    assert other_moved.sentence.startswith("Another player has moved since")
    await play_all(env)
    computer_moved = await take_back(env, match_id, order[1])
    assert computer_moved.sentence.startswith("The computer has already answered")


class ShownToOne(Bids):
    """Secret bids that one reader sees while a draw is offered."""

    def __init__(self, reader: str) -> None:
        self._reader = reader

    def knows(self, state: State, seat: str, owner: str) -> bool:
        return (seat == self._reader and bool(state.offer)) or super().knows(state, seat, owner)


@pytest.mark.parametrize("reader", [PUBLIC, "B"])
def test_information_that_one_reader_has_learned_counts(reader: str) -> None:
    game, bid = ShownToOne(reader), Action("A", "bid", ("3",))
    start, _ = game.apply(game.start("plain", {}), Action(CHANCE, "prize", ("1",)))
    before, _ = game.apply(start, bid)
    after, _ = game.apply(before, Action("A", "draw", ("offer",)))
    assert reveals_information(game, before, after, [bid])
    assert not reveals_information(game, before, before, [bid])
    declined, _ = game.apply(after, Action("B", "draw", ("decline",)))
    assert not reveals_information(game, before, declined, [bid])


async def rolls(env: MatchFixture, match_id: MatchId) -> int:
    """Return the number of chance events drawn in a match."""
    query = select(matches.c.chance_count).where(matches.c.id == match_id)
    async with env.database.read() as connection:
        return int((await connection.execute(query)).scalar_one())


@pytest.mark.parametrize("is_planned", [False, True])
async def test_takeback_keeps_the_number_of_rolls(env: MatchFixture, *, is_planned: bool) -> None:
    match_id = await warp6(env, "")
    before = await rolls(env, match_id)
    user = await env.on_turn(match_id)
    if is_planned:
        line = (await env.queries.view(match_id, user)).view.legal[0].notation
        assert (await plan(env, match_id, user, line.partition(" ")[2])).kind == "done"
    else:
        await choose(env, match_id, user)
    assert await env.on_turn(match_id) != user
    assert (await take_back(env, match_id, user)).kind == "done"
    assert await rolls(env, match_id) == before > 0


async def test_decision_after_a_takeback_is_another_one(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    user = await env.on_turn(match_id)
    before = await env.decision(match_id, user)
    action = (await env.queries.view(match_id, user)).view.legal[0]
    words = " ".join((action.verb, *action.args))
    await choose(env, match_id, user)
    assert (await take_back(env, match_id, user)).kind == "done"
    too_late = await env.matches.act(next(env.ids), match_id, user, words, before)
    assert too_late.kind == "stale"
    after = await env.decision(match_id, user)
    assert (await env.matches.act(next(env.ids), match_id, user, words, after)).kind == "done"


async def test_board_tells_whose_choice_was_taken_back_not_who_agreed(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    seat = (await env.queries.match(match_id)).seat_of(BO)
    await env.clear_outbox()
    agreed = await env.takebacks.take_back(next(env.ids), match_id, ADA, requested_version=version)
    assert agreed.kind == "done"
    fields = {name for row in await env.queued(match_id=match_id) for name in row.payload}
    assert {name for name in fields if name.startswith("taken_back:")} == {f"taken_back:{seat}"}


@pytest.mark.parametrize(("wait", "stops"), [(-1.0, False), (0.0, True), (1.0, True)])
async def test_plan_for_a_position_that_is_taken_back_stops(
    env: MatchFixture, wait: float, *, stops: bool
) -> None:
    """A plan that was written before the choice goes on."""
    match_id = await warp6(env, "")
    user = await env.on_turn(match_id)
    match = await env.queries.match(match_id)
    mine, theirs = (match.seat_of(player).lower() for player in (user, opponent_of(user)))
    moves = [("choose", 0.0), ("plan", wait)]
    begin, order = env.now, f"if {theirs}4d: place {mine}4d"
    for move, at in sorted(moves, key=lambda move_and_time: move_and_time[1]):
        env.now = begin + 10 + at
        if move == "choose":
            await choose(env, match_id, user)
        else:
            assert (await plan(env, match_id, user, order)).kind == "done"
    env.now = begin + 20
    assert (await take_back(env, match_id, user)).kind == "done"
    stored = await env.plans.read(match_id, user)
    assert (stored.stopped == StopReason.TAKEBACK) is stops
    assert (stored.stopped_at is not None) is stops


@pytest.mark.parametrize("is_taken_over", [False, True])
async def test_lines_taken_over_stay(env: MatchFixture, *, is_taken_over: bool) -> None:
    match_id = await warp6(env, "")
    user = await env.on_turn(match_id)
    await choose(env, match_id, user)
    lines = [*(await env.queries.record(match_id)).actions]
    async with env.database.read() as connection:
        row = (await match_with_board(connection, match_id)).match
        people = await seats_of(connection, match_id)
    row = replace(row, lines_taken_over=len(lines) - (not is_taken_over))
    player = next(seat for seat in people if seat.user_id == user)
    refused = no_takeback(row, lines, player, people, requested_version=None, now=env.now)
    assert (refused is not None) is is_taken_over
