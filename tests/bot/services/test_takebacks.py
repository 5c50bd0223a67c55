"""Which choices are taken back, and why others cannot be."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from bot.domain.clocks import DAY, HOUR
from bot.domain.computer_players import computer_player
from bot.domain.ids import OPEN_USER_ID, ChannelId, MatchId, UserId, Version
from bot.domain.models import Player, Rated
from bot.domain.terms import Terms
from bot.domain.waiting import GONE_SECONDS
from bot.services.automatic_moves import Automatic, StopReason
from bot.services.match_repository import match_with_board, seats_of
from bot.services.rows import LoggedAction
from bot.services.takebacks import last_choice, no_takeback, revealed_line
from bot.storage.schema import actions, matches
from engine.computer.audit import audit
from engine.game import CHANCE, PUBLIC, Action
from tests.support.bids import Bids, State
from tests.support.computer_turns import claim, play_all
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    PLAYERS,
    MatchFixture,
    act,
    begun,
    choose,
    lines_of,
    opponent_of,
    plan,
    scheduled,
    take_back,
    takeback_asked,
    times,
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


async def begin_warp6(
    env: MatchFixture, *players: Player, rated: bool, clock: str = "", **options: str
) -> MatchId:
    """Begin a match of Warp 6, which Ada asks for."""
    terms = Terms(
        game="warp6",
        options=options,
        rated=rated,
        clock=clock,
        guild_id=None,
        channel_id=ChannelId(5),
    )
    challenge = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    if players[1].is_person:
        await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    return challenge.match_id


async def is_possible(env: MatchFixture, match_id: MatchId, user: UserId) -> bool:
    """Return whether nothing keeps a player from a takeback, or from asking for one."""
    return await env.takebacks.obstacle(match_id, user) == ""


@pytest.mark.parametrize("sets_first", [False, True])
async def test_secret_dice_that_are_shown_stay(env: MatchFixture, *, sets_first: bool) -> None:
    """The dice of both are shown once the second player has set."""
    players = PLAYERS[0], computer_player()
    match_id = await begin_warp6(env, *players, rated=False, setup="secret")
    for play in (choose(env, match_id, ADA), play_all(env))[:: 1 if sets_first else -1]:
        await play
    before = (await env.queries.record(match_id)).actions
    assert not any("?" in str(line) for line in before)
    assert not await is_possible(env, match_id, ADA)
    refused = await take_back(env, match_id, ADA)
    assert refused.kind == "refused"
    assert await env.takebacks.obstacle(match_id, ADA) == refused.sentence
    assert await env.takebacks.obstacle(match_id, EVE) is None
    assert (
        refused.sentence
        == "Secret dice have been revealed since, so your move can't be taken back."
    )
    assert (await env.queries.record(match_id)).actions == before


async def test_secret_dice_go_back_until_the_computer_has_set(env: MatchFixture) -> None:
    players = PLAYERS[0], computer_player()
    match_id = await begin_warp6(env, *players, rated=False, setup="secret")
    await choose(env, match_id, ADA)
    assert await is_possible(env, match_id, ADA)
    assert (await take_back(env, match_id, ADA)).kind == "done"
    assert not (await env.queries.record(match_id, ADA)).actions


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


@pytest.mark.parametrize("other", [ADA, BO])
async def test_two_requests_at_a_version_ask_once(env: MatchFixture, other: UserId) -> None:
    """Both sides at the same time, or one side twice: only the latest choice can be asked for."""
    match_id = await warp6(env, "1d", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)
    outcomes = await asyncio.gather(*(take_back(env, match_id, user) for user in (other, BO)))
    assert sorted(outcome.kind for outcome in outcomes) == ["ask", "refused"]
    kinds = [row.kind for row in await env.queued(match_id=match_id)]
    assert kinds.count("takeback_request") == 1
    match = await env.queries.match(match_id)
    for answer, asking in (("done", BO), ("stale", other)):
        outcome = await env.takebacks.take_back(
            *(next(env.ids), match_id, opponent_of(asking)),
            requested_version=match.version,
            asking=match.seat_of(asking),
        )
        assert outcome.kind == answer
    assert len(await lines_of(env, match_id)) == 1


async def test_draw_offer_after_a_request_ends_it(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    assert (await env.matches.act(next(env.ids), match_id, BO, "draw offer")).kind == "done"
    too_late = await env.takebacks.take_back(
        next(env.ids), match_id, ADA, requested_version=Version(version)
    )
    assert too_late.kind == "refused"
    sentence = "Something else has happened since, so it's too late to take that move back."
    assert too_late.sentence == sentence


async def test_player_out_of_time_can_no_longer_agree(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    assert await env.on_turn(match_id) == ADA
    env.now += DAY
    too_late = await env.takebacks.take_back(
        next(env.ids), match_id, ADA, requested_version=Version(version)
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
    offer, decline = Action("A", "draw", ("offer",)), Action("B", "draw", ("decline",))
    assert revealed_line(game, [before, after], [bid, offer]) == bid
    assert revealed_line(game, [before], [bid]) is None
    declined, _ = game.apply(after, decline)
    shown_for_a_while = [before, after, declined]
    assert revealed_line(game, shown_for_a_while, [bid, offer, decline]) == bid
    assert revealed_line(game, [start, before], [bid]) is None, "it was hidden from the beginning"
    assert revealed_line(game, [start, before, after], [bid, offer]) == bid


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
    too_late = await env.matches.act(next(env.ids), match_id, user, words, Version(before))
    assert too_late.kind == "stale"
    after = await env.decision(match_id, user)
    assert (
        await env.matches.act(next(env.ids), match_id, user, words, Version(after))
    ).kind == "done"


async def test_board_tells_whose_choice_was_taken_back_not_who_agreed(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    seat = (await env.queries.match(match_id)).seat_of(BO)
    await env.clear_outbox()
    agreed = await env.takebacks.take_back(
        next(env.ids), match_id, ADA, requested_version=Version(version)
    )
    assert agreed.kind == "done"
    assert await taken_back_fields(env, match_id) == {f"taken_back:{seat}": 1}


async def taken_back_fields(env: MatchFixture, match_id: MatchId) -> dict[str, int]:
    """The fields about a takeback of the messages that wait."""
    rows = await env.queued(match_id=match_id)
    fields = {name: value for row in rows for name, value in row.payload.items()}
    return {name: value for name, value in fields.items() if name.startswith("taken_back:")}


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


@pytest.mark.parametrize(
    ("log", "seat", "computers", "undone"),
    [
        ("Ac Cc", "A", "C", "Ac Cc"),
        ("Ac Cc", "A", "", "Cc"),
        ("Ac Cc Cc", "A", "C", "Ac Cc Cc"),
        ("Ac Cc Dc Af", "A", "CD", "Ac Cc Dc Af"),
        ("Ac Cc Bc Cc", "A", "C", "Cc"),
        ("Ac *n Cc", "A", "C", "Cc"),
        ("Ac Cc *n", "A", "C", "*n"),
        ("Ac Cc Ap Cc", "A", "C", "Ap Cc"),
        ("Ac Bp Cc", "A", "C", "Ac Bp Cc"),
        ("Cc", "A", "C", "Cc"),
    ],
)
def test_choice_goes_back_with_answers_of_computers(
    log: str, seat: str, computers: str, undone: str
) -> None:
    automatic = {"c": None, "n": None, "f": Automatic.FORCED, "p": Automatic.PLAN}
    lines = [
        LoggedAction(MatchId(1), number, f"{actor} x", 0.0, None, None, automatic[how])
        for number, (actor, how) in enumerate(map(tuple, log.split()))
    ]
    assert last_choice(lines, seat, computers) == lines[len(lines) - len(undone.split()) :]


async def answered_by_computer(env: MatchFixture, *, rated: bool = False) -> MatchId:
    """A match in which the computer has just answered Ada's choice; she has to decide."""
    match_id = await begin_warp6(env, PLAYERS[0], computer_player(), rated=False)
    if rated:
        async with env.database.write() as connection:
            await connection.execute(update(matches).values(rated=Rated.RATED))
    await play_all(env)
    await choose(env, match_id, ADA)
    await play_all(env)
    return match_id


@pytest.mark.parametrize("rated", [False, True])
async def test_answer_of_the_computer_goes_back_in_casual_matches(
    env: MatchFixture, *, rated: bool
) -> None:
    match_id = await answered_by_computer(env, rated=rated)
    seat = (await env.queries.match(match_id)).seat_of(ADA)
    lines = (await env.queries.record(match_id)).actions
    last = max(place for place, line in enumerate(lines) if line.actor == seat)
    assert last < len(lines) - 1, "the computer has answered"
    assert await is_possible(env, match_id, ADA) is not rated
    outcome = await take_back(env, match_id, ADA)
    after = (await env.queries.record(match_id)).actions
    if rated:
        sentence = "The computer has already answered, and this match is rated, so it stays."
        assert (outcome.kind, outcome.sentence, after) == ("refused", sentence, lines)
        return
    assert (outcome.kind, after) == ("done", lines[:last])
    assert await env.on_turn(match_id) == ADA
    assert not await claim(env), "the computer has nothing to decide"


@pytest.mark.parametrize("wait", [0.0, HOUR])
async def test_clock_is_as_if_the_computer_had_not_answered(env: MatchFixture, wait: float) -> None:
    match_id = await begin_warp6(env, PLAYERS[0], computer_player(), rated=False, clock="2d+12h")
    await play_all(env)
    env.now += HOUR
    before, due = await times(env, match_id), await scheduled(env, match_id)
    await choose(env, match_id, ADA)
    env.now += 2
    await play_all(env)
    assert await times(env, match_id) != before
    env.now += wait
    assert (await take_back(env, match_id, ADA)).kind == "done"
    assert await times(env, match_id) == before
    after = await scheduled(env, match_id)
    assert (after["flag"], after["warn"], len(after["remind"])) == (due["flag"], due["warn"], 1)


async def test_choice_that_would_be_late_stays_though_answered(env: MatchFixture) -> None:
    match_id = await begin_warp6(env, PLAYERS[0], computer_player(), rated=False, clock="1d")
    await play_all(env)
    env.now += DAY - 1
    await choose(env, match_id, ADA)
    await play_all(env)
    env.now += 0.5
    assert await is_possible(env, match_id, ADA)
    env.now += 0.5
    assert not await is_possible(env, match_id, ADA)
    refused = await take_back(env, match_id, ADA)
    sentence = "You'd be out of time for that move by now, so it can't be taken back."
    assert refused.sentence == sentence


async def test_computer_answers_again_after_a_takeback(env: MatchFixture) -> None:
    match_id = await answered_by_computer(env)
    before = (await env.queries.record(match_id)).actions
    assert (await take_back(env, match_id, ADA)).kind == "done"
    await choose(env, match_id, ADA)
    await play_all(env)
    assert (await env.queries.record(match_id)).actions == before, "the same as before"
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    record = await env.queries.record(match_id)
    assert record.verify() == 1
    assert audit(record).checked


async def test_stand_in_lets_nothing_go_back(env: MatchFixture) -> None:
    match_id = await answered_by_computer(env)
    match = await env.queries.match(match_id)
    (seat,) = (seat for seat, player in match.players.items() if player.is_computer)
    await env.change_seat(match_id, seat, user_id=BO)
    refused = await take_back(env, match_id, ADA)
    assert refused.sentence == "The computer has already answered, so it's too late to take back."


@pytest.mark.parametrize(
    ("game", "line", "reason"),
    [
        ("wormholes", "* roll S3 M-", "Dice have been rolled since"),
        ("wormholes", "* rolloff S3 M0 C5 A2", "Dice have been rolled since"),
        ("warp6", "* roll b8a5", "Dice have been rolled since"),
        ("warp6", "* reroll b8a 3", "A die has been rerolled since"),
        ("warp6", "* lot Y", "Something hidden has been revealed since"),
        ("tomtube", "* draw AB/CD", "A rhomb has been drawn since"),
    ],
)
async def test_refusal_names_what_has_come_since(
    env: MatchFixture, game: str, line: str, reason: str
) -> None:
    match_id = await answered_by_computer(env)
    async with env.database.read() as connection:
        row = (await match_with_board(connection, match_id)).match
        people = await seats_of(connection, match_id)
    player = next(seat for seat in people if seat.user_id == ADA)
    (computer,) = (seat.seat for seat in people if seat.user_id != ADA)
    lines = [*map(Action.parse, (f"{player.seat} x", line, f"{computer} x"))]
    row = replace(row, game=game)
    refused = no_takeback(row, lines, player, people, requested_version=None, now=env.now)
    assert refused
    assert refused.sentence == f"{reason}, so your move can't be taken back."


@pytest.mark.parametrize("user", [ADA, BO, EVE])
async def test_takeback_is_offered_to_the_player_of_the_last_choice(
    env: MatchFixture, user: UserId
) -> None:
    match_id = await warp6(env, "")
    assert not await is_possible(env, match_id, user)
    first = await env.on_turn(match_id)
    await choose(env, match_id, first)
    assert await is_possible(env, match_id, user) is (user == first)
    await env.matches.act(next(env.ids), match_id, first, "resign")
    assert not await is_possible(env, match_id, user)


async def test_takeback_asked_for_is_not_offered_again(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)
    assert [await is_possible(env, match_id, user) for user in (ADA, BO)] == [False, True]
    assert (await take_back(env, match_id, BO)).kind == "ask"
    assert not await is_possible(env, match_id, BO)
