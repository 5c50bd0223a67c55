"""Messages that Discord refuses or a moderator deletes: what they ask stays reachable.

Two tables name all kinds: where a refused message goes, and which buttons `/games` then has.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select

from bot.domain.ids import GuildId, MatchId, UserId, Version
from bot.domain.models import TimerKind
from bot.domain.outbox import EVERYONE, OutboxKind, Target
from bot.domain.terms import Terms
from bot.domain.waiting import SILENCE_SECONDS
from bot.outbox.refusals import REFUSAL_MAX_AGE_SECONDS, Refusal, Refusals
from bot.services.nudges import NUDGE_PAUSE_SECONDS
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.schema import timers
from bot.views import inbox
from bot.views.inbox import InboxRow
from tests.support import halls
from tests.support.deliveries import CHANNEL, DeliveryFixture, ask, race
from tests.support.fake_objects import GUILD, dm
from tests.support.halls import HALL, open_hall, settle
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture, choose, takeback_asked
from tests.support.silence import give_notice, live, waiting

REFUSALS = {
    "closed": (403, 50013),
    "deleted": (404, 10003),
    "blocked by AutoMod": (400, 200000),
    "too large": (413, 40005),
}

QUICK = ("closed", "blocked by AutoMod")
"""The refusals of `make test`."""

Prepare = Callable[[DeliveryFixture], Awaitable[int]]
"""Queues a message of a kind, with all before it sent; returns its match."""


async def challenged(delivery: DeliveryFixture) -> MatchId:
    return await delivery.env.ask()


async def declined(delivery: DeliveryFixture) -> MatchId:
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    await delivery.env.challenges.decline(next(delivery.env.ids), match_id, BO)
    return match_id


async def next_of_series(delivery: DeliveryFixture) -> int:
    """Start the second match of a series, and remind Bo of it; return its number."""
    env = delivery.env
    terms = Terms(game="warp6", guild_id=None, channel_id=CHANNEL, round=2, rounds=3)
    match_id = (await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")).match_id
    await delivery.worker.flush()
    await delivery.queue(OutboxKind.SERIES_REMINDER, match_id, EVERYONE)
    return match_id


async def moved(delivery: DeliveryFixture) -> MatchId:
    match_id = await race(delivery)
    await delivery.play(match_id)
    return match_id


async def within_a_turn(delivery: DeliveryFixture) -> MatchId:
    """The board is edited."""
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    await delivery.play(match_id)
    return match_id


async def looked_at(delivery: DeliveryFixture) -> MatchId:
    """The board was deleted, and a player looks."""
    match_id = await race(delivery)
    delivery.fake.channels[CHANNEL].clear()
    await delivery.env.boards.ensure(match_id)
    return match_id


async def resigned(delivery: DeliveryFixture) -> MatchId:
    match_id = await race(delivery)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    return match_id


async def pinged(delivery: DeliveryFixture) -> MatchId:
    """A player stops in the middle of a turn, in which the board was only edited."""
    match_id = await within_a_turn(delivery)
    await delivery.worker.flush()
    match = await delivery.env.queries.match(match_id)
    ((seat, version),) = match.decisions.items()
    await delivery.env.strike(TimerKind.PING, match_id, seat, version)
    return match_id


async def nudged(delivery: DeliveryFixture) -> MatchId:
    env, match_id = delivery.env, await race(delivery)
    env.now += NUDGE_PAUSE_SECONDS
    user = BO if await env.on_turn(match_id) == ADA else ADA
    assert (await env.nudges.nudge(next(env.ids), match_id, user)).kind == "done"
    return match_id


async def noticed(delivery: DeliveryFixture) -> MatchId:
    """A silent player is given notice."""
    match_id, patient, late = await waiting(delivery.env)
    await live(delivery.env, SILENCE_SECONDS)
    await delivery.worker.flush()
    assert (await give_notice(delivery.env, match_id, patient, late)).kind == "done"
    return match_id


async def takeback(delivery: DeliveryFixture) -> MatchId:
    match_id, _ = await takeback_asked(delivery.env)
    return match_id


async def ending(delivery: DeliveryFixture) -> MatchId:
    match_id = await race(delivery)
    env, version = delivery.env, (await delivery.env.queries.match(match_id)).version
    assert (await env.abandoning.agree(next(env.ids), match_id, ADA, version)).kind == "ask"
    return match_id


BOTH = (ADA, BO)

BY_DM: dict[OutboxKind, tuple[Prepare, tuple[int, ...]]] = {
    OutboxKind.POST_CHALLENGE: (challenged, (ADA,)),  # Bo was only challenged
    OutboxKind.UPDATE_CHALLENGE: (declined, (ADA,)),
    OutboxKind.SERIES_REMINDER: (next_of_series, BOTH),
    OutboxKind.POST_BOARD: (moved, BOTH),
    OutboxKind.EDIT_BOARD: (within_a_turn, BOTH),
    OutboxKind.ENSURE_BOARD: (looked_at, BOTH),
    OutboxKind.POST_RESULT: (resigned, BOTH),
    OutboxKind.TURN_PING: (pinged, BOTH),
    OutboxKind.NUDGE: (nudged, BOTH),
    OutboxKind.NOTICE: (noticed, BOTH),
    OutboxKind.TAKEBACK_REQUEST: (takeback, BOTH),
    OutboxKind.ABANDON_REQUEST: (ending, BOTH),
}
"""Kinds of messages to a channel → how one is queued, and who gets it by DM if it is refused."""

WITHOUT_DM = {
    OutboxKind.PRIVATE_HAND,  # is a DM, and a copy of what *My coins* and the like show
    OutboxKind.TURN_DM,  # the same of the board
    OutboxKind.RETIRE_BOARD,  # its buttons are refused as stale
    OutboxKind.CLOSE_QUESTION,  # the same
    OutboxKind.START_THREAD,  # the match stays in its channel
    OutboxKind.START_POST,  # the same
    OutboxKind.UPDATE_POST,  # the board tells more
}
"""Kinds of messages whose content is somewhere else as well."""


def test_each_kind_of_message_is_in_one_of_the_tables() -> None:
    assert BY_DM.keys() | WITHOUT_DM == set(OutboxKind)
    assert not BY_DM.keys() & WITHOUT_DM


@pytest.mark.first(test=6)
@pytest.mark.parametrize("kind", BY_DM)
@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(name, marks=() if name in QUICK else pytest.mark.slow, id=name)
        for name in REFUSALS
    ],
)
async def test_refused_message_goes_to_its_players(
    delivery: DeliveryFixture, kind: OutboxKind, refusal: str
) -> None:
    prepare, users = BY_DM[kind]
    await prepare(delivery)
    before = {user: len(delivery.fake.texts(dm(user))) for user in BOTH}
    assert kind in [queued for queued, _ in await delivery.left()]
    delivery.refuse(*REFUSALS[refusal])
    delivery.fake.edit_refusals |= dict.fromkeys(
        delivery.fake.channels.get(CHANNEL, ()), REFUSALS[refusal]
    )
    await delivery.worker.flush()
    assert await delivery.left() == []
    notified = [user for user in BOTH if len(delivery.fake.texts(dm(user))) > before[user]]
    assert notified == list(users)


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_challenger_is_told_that_it_was_not_posted(
    delivery: DeliveryFixture, refusal: str
) -> None:
    delivery.refuse(*REFUSALS[refusal])
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    (text,) = delivery.fake.texts(dm(ADA))
    assert f"I couldn't post this challenge in <#{CHANNEL}>" in text
    message = max(delivery.fake.channels[dm(ADA)])
    marks = " ".join(delivery.fake.marks(dm(ADA), message))
    assert f"more:{match_id}:" in marks, "which offers to withdraw it"


async def test_message_that_is_refused_in_a_thread_goes_above_it(delivery: DeliveryFixture) -> None:
    env, thread = delivery.env, CHANNEL + 1
    match_id = await race(delivery)
    await env.boards.move(next(env.ids), match_id, ADA, (None, thread), CHANNEL)
    await delivery.worker.flush()
    delivery.fake.refusals[thread] = (400, 200000)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert delivery.moments(match_id)[-1:] == ["20"]
    assert not delivery.moments(match_id, dm(ADA))
    assert await delivery.left() == []


@pytest.mark.parametrize("kind", [OutboxKind.PRIVATE_HAND, OutboxKind.TURN_DM])
@pytest.mark.parametrize("refusal", [(403, 50007), (400, 200000), (413, 40005)])
async def test_refused_dm_is_remembered_and_dropped(
    delivery: DeliveryFixture, kind: OutboxKind, refusal: tuple[int, int]
) -> None:
    env, match_id = delivery.env, await delivery.env.begin()
    await delivery.worker.flush()
    version = (await env.queries.match(match_id)).version
    async with env.database.write() as connection:
        payload = {"version": version}
        await env.match_store.queue(connection, match_id, kind, payload, Target(ADA))
    delivery.fake.refusals[dm(ADA)] = refusal
    await delivery.worker.flush()
    assert await delivery.left() == []
    preferences = await Preferences(env.database).preferences(ADA)
    assert preferences[PreferenceKey.DM_FAILED] == "yes"


@pytest.mark.slow
@pytest.mark.parametrize("forum", [False, True])
@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
async def test_refused_hall_drops_no_message_of_the_match(
    delivery: DeliveryFixture, refusal: tuple[int, int], *, forum: bool
) -> None:
    """Its list, its calls, and the posts of its matches."""
    await open_hall(delivery, forum=forum)
    delivery.fake.refusals[HALL] = refusal
    delivery.fake.post_refusals += [refusal] * 10
    open_seat = await halls.challenge(delivery)
    await settle(delivery)
    match_id = await halls.begin(delivery)
    await settle(delivery)
    assert await delivery.left() == []
    place = (await delivery.env.queries.match(match_id)).channel_id
    assert delivery.moments(match_id, place) == ["1"]
    assert [seat.match.id for seat in await delivery.env.queries.open_seats(GUILD, 3)] == [
        open_seat
    ]


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
async def test_match_whose_thread_is_refused_stays_in_the_channel(
    delivery: DeliveryFixture, refusal: tuple[int, int]
) -> None:
    match_id = await ask(delivery)
    delivery.fake.thread_refusal = refusal
    await delivery.env.challenges.accept(next(delivery.env.ids), match_id, BO)
    await delivery.worker.flush()
    assert (await delivery.env.queries.match(match_id)).channel_id == CHANNEL
    assert len(delivery.moments(match_id)) == 1


async def answers(env: MatchFixture, user_id: UserId) -> set[str]:
    """The custom_ids of the buttons that `/games` shows to a user, without their versions."""
    rows = []
    for listed in (await env.queries.page_of(user_id, 0, 9)).rows:
        is_running = listed.match.status == "running"
        view = await env.queries.view(listed.match.id, user_id) if is_running else None
        rows.append(InboxRow(listed, view))
    page = inbox.inbox(rows, [], user_id, (0, 1), now=env.now, computers=True)
    ids = (part.get("custom_id", "") for part in walk(components(page)))
    return {custom_id.partition(":")[0] for custom_id in ids if custom_id}


BY_GAMES: dict[OutboxKind, tuple[set[str], set[str]]] = {
    OutboxKind.POST_CHALLENGE: ({"withdraw", "show"}, {"accept", "decline", "show"}),
    OutboxKind.SERIES_REMINDER: ({"withdraw", "show"}, {"accept", "decline", "show"}),
    OutboxKind.TAKEBACK_REQUEST: ({"agree", "show"}, {"show"}),
    OutboxKind.ABANDON_REQUEST: ({"show"}, {"abandon", "show"}),
    OutboxKind.POST_BOARD: ({"show"}, {"show"}),
    OutboxKind.EDIT_BOARD: ({"show"}, {"show"}),
    OutboxKind.ENSURE_BOARD: ({"show"}, {"show"}),
    OutboxKind.TURN_PING: ({"show"}, {"show"}),
    OutboxKind.NUDGE: ({"show"}, {"show"}),
}
"""Kinds of messages → the buttons of Ada and of Bo in `/games`, whatever became of the message."""


def test_each_kind_that_asks_for_an_answer_is_in_games() -> None:
    asks_nothing = {OutboxKind.UPDATE_CHALLENGE, OutboxKind.POST_RESULT, OutboxKind.NOTICE}
    assert BY_GAMES.keys() == BY_DM.keys() - asks_nothing


@pytest.mark.first(test=4)
@pytest.mark.parametrize("kind", BY_GAMES)
@pytest.mark.parametrize("fate", ["refused", "deleted"])
async def test_games_answers_what_has_no_message(
    delivery: DeliveryFixture, kind: OutboxKind, fate: str
) -> None:
    prepare, _ = BY_DM[kind]
    await prepare(delivery)
    if fate == "refused":
        delivery.refuse(400, 200000, users=BOTH)
    await delivery.worker.flush()
    delivery.fake.channels.clear()
    offers = await answers(delivery.env, ADA), await answers(delivery.env, BO)
    assert tuple(offer - {"nudge"} for offer in offers) == BY_GAMES[kind]


async def test_request_in_games_ends_with_the_next_choice(env: MatchFixture) -> None:
    match_id, _ = await takeback_asked(env)
    assert (await env.queries.requests(match_id)).takeback == "Y"
    await choose(env, match_id, await env.on_turn(match_id))
    assert (await env.queries.requests(match_id)).takeback == ""


async def test_request_in_games_is_answered(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    await env.takebacks.take_back(next(env.ids), match_id, ADA, requested_version=Version(version))
    assert "agree" not in await answers(env, ADA)


async def test_request_for_a_takeback_holds_for_a_week(env: MatchFixture) -> None:
    match_id, _ = await takeback_asked(env)
    async with env.database.read() as connection:
        due = select(timers.c.due_at).where(timers.c.kind == TimerKind.TAKEBACK)
        assert (await connection.execute(due)).scalar_one() == env.now + 7 * 86_400
    version = (await env.queries.match(match_id)).version
    await env.strike(TimerKind.TAKEBACK, match_id, "Y", version)
    assert (await env.queries.match(match_id)).version == version, "it only expires"


async def test_refusal_by_an_open_channel_is_stored(delivery: DeliveryFixture) -> None:
    refusals, env = Refusals(delivery.env.database), delivery.env
    match_id = await ask(delivery)
    for number, code in enumerate((50013, 200000, 50035)):
        delivery.refuse(403 if code == 50013 else 400, code)
        env.now += 1
        await delivery.queue(OutboxKind.SERIES_REMINDER, match_id, EVERYONE)
        await delivery.worker.flush()
        latest = await refusals.latest(GUILD, env.now)
        assert latest == (Refusal(CHANNEL, code, env.now) if number else None)
    age = REFUSAL_MAX_AGE_SECONDS
    for sign in (1, -1):  # the clock may have been set back since
        assert await refusals.latest(GUILD, env.now + sign * age) is not None
        assert await refusals.latest(GUILD, env.now + sign * (age + 1)) is None
    assert await refusals.latest(GuildId(GUILD + 1), env.now) is None
