"""A stored match with a hidden choice, and what its readers get from the services."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import update

from bot.domain.ids import MatchId, UserId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, Target
from bot.services.computer_turns import ChoiceRequest, ComputerChoice, ComputerTurns
from bot.services.deliveries import Deliveries
from bot.services.match_store import load
from bot.services.preferences import PreferenceKey, Preferences
from bot.services.queries import Queries
from bot.services.suggestions import Suggestions
from bot.storage.schema import actions, matches
from bot.views import public_boards
from bot.views.images import Drawn
from bot.views.public_boards import BoardState
from engine.computer.players import VERSION, ComputerPlayer
from engine.game import OPEN_VALUE, PUBLIC, Action
from engine.record import Record
from engine.testing.matches import Played, begun
from engine.testing.secrecy import other_choice
from render.renderer import DEFAULT_STYLE
from tests.support.boards import content
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.privacy import export_of
from tests.support.profiles import begin

SPECTATOR = UserId(44)

MOST_CHOICES = 20
"""Maximum number of choices before a hidden one."""


class SecretMatch(NamedTuple):
    """A match in which a choice is hidden from the public.

    Attributes:
        other: another choice, which looks the same to the others.
    """

    match_id: MatchId
    owner: UserId
    number: int
    line: Action
    other: Action


async def stored(env: MatchFixture, match_id: MatchId) -> Played:
    """Return a stored match."""
    async with env.database.write() as connection:
        row = await load(connection, match_id)
    assert row
    record = await true_record(env, match_id)
    game = record.game()
    return Played(game, dict(record.headers), row.state(), record.actions)


async def true_record(env: MatchFixture, match_id: MatchId) -> Record:
    """Return the record of a match with all that is hidden."""
    _, record = await Queries(env.database).log(match_id)
    return record


async def secret_match(env: MatchFixture, name: str, random: Random) -> SecretMatch:
    """Begin matches until there is a hidden choice; then a draw is offered and declined."""
    while True:
        match = begun_with_secrets(name, random)
        users = (ADA, BO, EVE)[: len(match.seats)]
        for user in users:
            await Preferences(env.database).set(user, PreferenceKey.FORCED, "off")
        match_id = await begin(env, name, match.options, users)
        for _ in range(MOST_CHOICES):
            if secret := await _choose(env, match_id, random):
                await _offer_and_decline(env, match_id, users)
                return secret


def begun_with_secrets(name: str, random: Random) -> Played:
    """Return a match before its first action, with options under which choices are hidden."""
    while True:
        start = match = begun(name, random)
        for _ in range(MOST_CHOICES):
            match = match.after(match.any_action(random))
            if match.game.redact(match.state, PUBLIC, match.actions) != match.actions:
                return start


async def _choose(env: MatchFixture, match_id: MatchId, random: Random) -> SecretMatch | None:
    """Make a choice; return it if it is hidden from the public."""
    before = await stored(env, match_id)
    action = before.any_action(random)
    after = before.after(action)
    redacted = before.game.redact(after.state, PUBLIC, after.actions)[-1]
    owner = (await env.queries.match(match_id)).players[action.actor].user_id
    outcome = await env.matches.act(next(env.ids), match_id, owner, action.notation)
    assert outcome.kind == "done", outcome
    if not any(OPEN_VALUE in arg for arg in redacted.args):
        return None
    other = other_choice(before, action, redacted, random)
    number = len(before.actions)
    return SecretMatch(match_id, owner, number, action, other) if other else None


async def _offer_and_decline(env: MatchFixture, match_id: MatchId, users: Iterable[UserId]) -> None:
    """Add actions after the hidden one, so that it is in the past."""
    offering, declining, *_ = users
    for user, line in ((offering, "draw offer"), (declining, "draw decline")):
        assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"


async def change_secret(env: MatchFixture, secret: SecretMatch) -> None:
    """Store the other choice in place of the one that was made."""
    match = await stored(env, secret.match_id)
    state = match.game.start(match.headers["Rules"], match.options)
    for number, action in enumerate(match.actions):
        state, _ = match.game.apply(state, secret.other if number == secret.number else action)
    row = actions.c.match_id == secret.match_id
    async with env.database.write() as connection:
        line = actions.c.line == str(secret.line)
        changed = update(actions).where(row, line).values(line=str(secret.other))
        assert (await connection.execute(changed)).rowcount == 1
        position = update(matches).where(matches.c.id == secret.match_id)
        await connection.execute(position.values(position=match.game.dump(state)))


async def knowledge(env: MatchFixture, match_id: MatchId, user: UserId) -> dict[str, Any]:
    """Return everything that the services show a user about a match, by place."""
    queries = Queries(env.database)
    count = len((await true_record(env, match_id)).actions)
    perspective, turns = await queries.since_last_turn(match_id, user)
    facts: dict[str, Any] = {
        "view": await queries.view(match_id, user),
        "earlier view": await queries.view(match_id, user, count - 1),
        "record": await queries.record(match_id, user),
        "turns since": (perspective, list(turns)),
        "last turn": list(await queries.last_turn(match_id, user)),
        "own choices": await queries.choices_at(match_id, user, range(count)),
        "stories": list(await queries.stories(match_id, 0, count)),
        "export": await export_of(env.database, user),
        **await _messages(env, match_id, user, count),
    }
    match = await queries.match(match_id)
    if seat := match.seat_of(user):
        facts["plan"] = await env.plans.read(match_id, user)
        facts |= await _requests(env, match_id, seat)
    return facts


async def _messages(
    env: MatchFixture, match_id: MatchId, user: UserId, count: int
) -> dict[str, Any]:
    """Return the data of messages to a user and to the public, after a number of actions."""
    match = await env.queries.match(match_id)
    deliveries = Deliveries(env.database, Queries(env.database), env.clock)
    payload = {"action_count": count, "version": match.version}
    snapshots = {}
    for kind, target in (
        (OutboxKind.POST_BOARD, EVERYONE),
        (OutboxKind.TURN_DM, Target(user)),
        (OutboxKind.PRIVATE_HAND, Target(user)),
    ):
        queued = OutboxMessage(1, match_id, target, kind, payload, 1, env.now, "key")
        snapshots[kind] = await deliveries.read(queued)
    public = snapshots[OutboxKind.POST_BOARD]
    drawn = Drawn(b"PNG", DEFAULT_STYLE)
    board = public_boards.board(
        public.perspective(), drawn, public.legal, count, BoardState(live=True)
    )
    views: dict[str, Any] = {str(kind): snapshot.view for kind, snapshot in snapshots.items()}
    return views | {"public board": content(board)}


async def _requests(env: MatchFixture, match_id: MatchId, seat: str) -> dict[str, Any]:
    """Return the requests to computer players for a seat, and their answers."""
    asked: list[ChoiceRequest] = []

    async def choose(request: ChoiceRequest) -> ComputerChoice:
        asked.append(request)
        choice = ComputerPlayer("random", request.seed).choose(request.record, request.seat)
        return ComputerChoice(choice.action.notation, f"{request.level}/{VERSION}")

    turns = ComputerTurns(env.match_store, env.matches, choose, 0.0)
    decides = seat in (await env.queries.match(match_id)).decisions
    hint = await turns.hint(match_id, seat) if decides else None
    plan = await Suggestions(env.match_store, turns).set_up(match_id, seat)
    requests = [(*request[:3], str(request.record)) for request in asked]
    return {"hint": hint, "suggestion": plan, "requests": requests}
