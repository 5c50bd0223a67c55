"""The match service: plain values in, plain values out, one transaction a move.

Nothing here knows Discord. A move is: seen before? → load → the decision that the button was made
for? → the rules → the dice that follow → write all of it and what is to be sent → commit. Only then
may anybody answer (reliability.md).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import SystemRandom
from typing import Any, NamedTuple

from sqlalchemy import Row, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.players import wants
from bot.storage.database import Database
from bot.storage.schema import actions, interactions, matches, outbox, seats, timers
from bot.tables import CHALLENGE, CLOSED, FINISHED, RUNNING, Player
from engine import games
from engine.dice import Dice
from engine.exits import VERBS as EXITS
from engine.game import CHANCE, PUBLIC, Action, AnyGame, Refused, View
from engine.typed import Complete, Illegal, Missing, read

DAY = 86_400.0

_TOO_LATE = {
    CHALLENGE: "This match has not begun.",
    RUNNING: "This match has begun already.",
    FINISHED: "This match is over.",
    CLOSED: "This challenge is settled already.",
}

BY_THE_CLOCK = frozenset({"flag"})
"""Exits that are not the players' to take."""

_RANDOM = SystemRandom()

Work = Callable[[AsyncConnection, Row[Any]], Awaitable["Outcome"]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an interaction led to.

    Attributes:
        kind: `done`, `refused`, `stale` (that decision is made already), `missing` (the words are
            the beginning of several actions) or `unknown`.
        match_id: which match, 0 if none.
        rule: number of the rule that refuses.
        sentence: why, in one friendly sentence; empty when done.
    """

    kind: str
    match_id: int = 0
    rule: str = ""
    sentence: str = ""


def random_seed() -> bytes:
    """32 bytes that nobody can guess."""
    return secrets.token_bytes(32)


class Rolled(NamedTuple):
    """A position without pending dice, the lines that led to it, and all chance events so far."""

    state: Any
    lines: tuple[Action, ...]
    chances: int


class Matches:
    """All matches of one database.

    Args:
        database: where they are.
        clock: the time in UTC seconds.
        make_seed: 32 secret bytes for the dice of a new match.
        shuffle: puts the sides of a new match in a random order.
    """

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time.time,
        make_seed: Callable[[], bytes] = random_seed,
        shuffle: Callable[[list[str]], None] = _RANDOM.shuffle,
    ) -> None:
        self._database = database
        self._clock = clock
        self._make_seed = make_seed
        self._shuffle = shuffle

    async def challenge(
        self,
        interaction: int,
        *,
        game: str,
        rules: str,
        options: Mapping[str, str],
        players: Sequence[Player],
        side: str = "",
        channel: tuple[int | None, int],
        expires_in: float = DAY,
    ) -> Outcome:
        """Open a match that waits for its opponents; the commitment to its dice is made here.

        Args:
            interaction: id of the command; delivered again, it gets the same outcome.
            game: its name.
            rules: the rule set; empty for the default.
            options: name → value.
            players: the challenger first; the others have to accept.
            side: the challenger's seat; empty for a random one.
            channel: server's id (None in a DM) and channel's id.
            expires_in: seconds until the challenge lapses.
        """
        try:
            played = games.get(game)
            rules = rules or played.rules[0]
            played.start(rules, options)
            sides = self._sides(played, options, players, side)
        except Refused as refused:
            return Outcome("refused", rule=refused.rule, sentence=str(refused))
        async with self._database.write() as connection:
            if (seen := await _seen(connection, interaction)) is not None:
                return seen
            now = self._clock()
            inserted = await connection.execute(
                insert(matches).values(
                    game=game,
                    engine_version=played.version,
                    rules=rules,
                    options=dict(options),
                    status=CHALLENGE,
                    version=0,
                    decisions={},
                    rolled=0,
                    seed=self._make_seed(),
                    salt=str(interaction),
                    challenger_id=players[0].user_id,
                    guild_id=channel[0],
                    channel_id=channel[1],
                    created=now,
                    changed=now,
                    expires=now + expires_in,
                )
            )
            (match_id,) = inserted.inserted_primary_key or (0,)
            await connection.execute(
                insert(seats),
                [
                    {
                        "match_id": match_id,
                        "seat": seat,
                        "user_id": player.user_id,
                        "name": player.name,
                        "joined": None if place else now,
                    }
                    for place, (seat, player) in enumerate(zip(sides, players, strict=True))
                ],
            )
            await connection.execute(
                insert(timers).values(
                    match_id=match_id, kind="expire", version=0, due=now + expires_in
                )
            )
            await self._queue(connection, match_id, "challenge")
            outcome = Outcome("done", match_id)
            await self._remember(connection, interaction, outcome)
            return outcome

    def _sides(
        self, game: AnyGame, options: Mapping[str, str], players: Sequence[Player], side: str
    ) -> list[str]:
        """A seat for each player.

        Raises:
            Refused: too many or too few players, or not different ones, or no such seat.
        """
        free = list(game.seats(options))
        if len({player.user_id for player in players}) < len(players):
            raise Refused("", "You need somebody else to play with.")
        if len(players) != len(free):
            raise Refused("", "This match is for {count} players.", count=len(free))
        if side and side not in free:
            raise Refused("", "There is no side “{side}” in this match.", side=side)
        self._shuffle(free)
        return sorted(free, key=lambda seat: seat != side) if side else free

    async def accept(self, interaction: int, match_id: int, user_id: int) -> Outcome:
        """A challenged player joins; with the last one the match begins and the first dice roll."""

        async def join(connection: AsyncConnection, row: Row[Any]) -> Outcome:
            waiting = await _waiting(connection, match_id)
            if user_id not in waiting:
                sentence = "It is the other player who accepts."
                return Outcome("refused", match_id, sentence=sentence)
            await connection.execute(
                update(seats)
                .where(seats.c.match_id == match_id, seats.c.user_id == user_id)
                .values(joined=self._clock())
            )
            salt = f"{row.salt},{interaction}"
            await self._queue(connection, match_id, "answered")
            if len(waiting) > 1:
                await _set(connection, row, salt=salt, changed=self._clock())
                return Outcome("done", match_id)
            game = games.get(row.game)
            start = game.start(row.rules, row.options)
            rolled = _roll_on(game, start, Dice(row.seed, salt), 0)
            changes = {"status": RUNNING, "salt": salt, "expires": None}
            asked = game.pending(rolled.state)
            await self._store(connection, row, game, rolled, kept={}, asked=asked, **changes)
            await self._hand_out(connection, match_id)
            return Outcome("done", match_id)

        return await self._transact(interaction, match_id, user_id, CHALLENGE, join)

    async def decline(self, interaction: int, match_id: int, user_id: int) -> Outcome:
        """A challenged player does not want to play, or the challenger takes it back."""

        async def close(connection: AsyncConnection, row: Row[Any]) -> Outcome:
            await _set(connection, row, status=CLOSED, changed=self._clock())
            await self._queue(connection, match_id, "answered")
            return Outcome("done", match_id)

        return await self._transact(interaction, match_id, user_id, CHALLENGE, close)

    async def expire(self, match_id: int, version: int) -> None:
        """Close a challenge that nobody has answered, if it is still at this version."""
        async with self._database.write() as connection:
            row = await _load(connection, match_id)
            if row is not None and row.status == CHALLENGE and row.version >= version:
                await _set(connection, row, status=CLOSED, changed=self._clock())
                await self._queue(connection, match_id, "answered")

    async def act(
        self, interaction: int, match_id: int, user_id: int, line: str, decision: int | None = None
    ) -> Outcome:
        """A player chooses.

        Args:
            interaction: id of the click or command.
            match_id: in which match.
            user_id: who.
            line: the choice as words of the notation, without the actor.
            decision: the version that the button carries; None for typed input.
        """

        async def choose(connection: AsyncConnection, row: Row[Any]) -> Outcome:
            seat = await _seat(connection, match_id, user_id)
            if decision is not None and row.decisions.get(seat) != decision:
                return await _too_late(connection, row, decision)
            game = games.get(row.game)
            before = game.load(row.position)
            try:
                action = _understand(game, before, seat, line)
                if action is None:
                    return Outcome("missing", match_id)
                state, _ = game.apply(before, action)
            except Refused as refused:
                return Outcome("refused", match_id, refused.rule, str(refused))
            rolled = _roll_on(game, state, Dice(row.seed, row.salt), row.rolled, (action,))
            status = FINISHED if game.result(rolled.state) else RUNNING
            kept = _kept(row.decisions, action)
            asked = _asked(game, before, rolled.state)
            await self._store(connection, row, game, rolled, kept=kept, asked=asked, status=status)
            return Outcome("done", match_id)

        return await self._transact(interaction, match_id, user_id, RUNNING, choose)

    async def _transact(
        self, interaction: int, match_id: int, user_id: int, status: str, work: Work
    ) -> Outcome:
        """One interaction of a player with a match of this status, in one transaction."""
        async with self._database.write() as connection:
            if (seen := await _seen(connection, interaction)) is not None:
                return seen
            row = await _load(connection, match_id)
            if row is None or not await _seat(connection, match_id, user_id):
                return Outcome("unknown", match_id, sentence="You do not play in this match.")
            if row.status != status:
                return Outcome("stale", match_id, sentence=_TOO_LATE[row.status])
            if row.expires and row.expires < self._clock():
                return Outcome("stale", match_id, sentence="This challenge has expired.")
            outcome = await work(connection, row)
            if outcome.kind == "done":
                await self._remember(connection, interaction, outcome)
            return outcome

    async def _remember(
        self, connection: AsyncConnection, interaction: int, outcome: Outcome
    ) -> None:
        await connection.execute(
            insert(interactions).values(id=interaction, result=asdict(outcome), at=self._clock())
        )

    async def _store(
        self,
        connection: AsyncConnection,
        row: Row[Any],
        game: AnyGame,
        rolled: Rolled,
        *,
        kept: Mapping[str, int],
        asked: str | None,
        **fields: Any,
    ) -> None:
        """Write a new position, its lines, and what is to be sent.

        Args:
            connection: of the transaction.
            row: the match as it was.
            game: its rules.
            rolled: the new position, and how it came about.
            kept: the decisions that this change leaves as they were.
            asked: the seats that must be called; None if nobody has to be.
            fields: further columns of the match.
        """
        now, version = self._clock(), row.version + 1
        pending = game.pending(rolled.state)
        decisions = {seat: kept.get(seat, version) for seat in pending}
        position = game.dump(rolled.state)
        fields |= {"position": position, "decisions": decisions, "rolled": rolled.chances}
        await _set(connection, row, changed=now, **fields)
        last = select(func.coalesce(func.max(actions.c.number), 0))
        number = (await connection.execute(last.where(actions.c.match_id == row.id))).scalar_one()
        if rolled.lines:
            await connection.execute(
                insert(actions),
                [
                    {"match_id": row.id, "number": number + i, "line": str(action), "at": now}
                    for i, action in enumerate(rolled.lines, 1)
                ],
            )
        kind = "end" if not pending else "refresh" if asked is None else "turn"
        what = {"lines": number + len(rolled.lines), "version": version}
        await self._queue(connection, row.id, kind, what)
        for user_id in await _to_nudge(connection, row.id, asked or ""):
            await self._queue(connection, row.id, "nudge", what, f"user:{user_id}")

    async def _hand_out(self, connection: AsyncConnection, match_id: int) -> None:
        """Have each player sent what only they may know, if they want it."""
        for user_id in await _users(connection, match_id):
            if await wants(connection, user_id, "hand"):
                await self._queue(connection, match_id, "hand", target=f"user:{user_id}")

    async def _queue(
        self,
        connection: AsyncConnection,
        match_id: int,
        kind: str,
        what: Mapping[str, int] | None = None,
        target: str = "channel",
    ) -> None:
        """Have something sent about a match; what it shows is read when it is sent."""
        await connection.execute(
            insert(outbox).values(
                match_id=match_id,
                target=target,
                kind=kind,
                what=dict(what or {}),
                state="waiting",
                attempts=0,
                due=self._clock(),
            )
        )


def _kept(decisions: Mapping[str, int], action: Action) -> dict[str, int]:
    """The decisions that an action leaves as they were: those of others; all, if it is an exit."""
    return {
        seat: version
        for seat, version in decisions.items()
        if seat != action.actor or action.verb in EXITS
    }


def _asked(game: AnyGame, before: Any, after: Any) -> str | None:
    """The seats that a new notice must call; None where the old one only needs to be redrawn."""
    was: View = game.view(before)
    now: View = game.view(after)
    if now.offer and not was.offer:
        return now.seats.replace(now.offer, "")
    if was.turn != now.turn or set(now.pending) - set(was.pending):
        return now.pending
    return None


def _understand(game: AnyGame, state: Any, seat: str, line: str) -> Action | None:
    """The action that these words mean; None if more words are needed.

    Raises:
        Refused: none, or not exactly one.
    """
    verb = line.split(" ", maxsplit=1)[0].lower()
    if verb in EXITS - BY_THE_CLOCK:
        return Action.parse(f"{seat} {line.lower()}")
    reading = read(game, state, seat, line)
    if isinstance(reading, Complete):
        return reading.action
    if isinstance(reading, Illegal):
        raise reading.refused
    if isinstance(reading, Missing):
        return None
    raise Refused(
        "notation", "That can mean {lines}.", lines=" or ".join(map(str, reading.actions))
    )


def _roll_on(
    game: AnyGame, state: Any, dice: Dice, count: int, lines: tuple[Action, ...] = ()
) -> Rolled:
    """Roll until a player has to decide or the match is over."""
    while game.pending(state) == CHANCE:
        action = game.chance(state, dice.draw(count))
        state, _ = game.apply(state, action)
        count += 1
        lines += (action,)
    return Rolled(state, lines, count)


async def _load(connection: AsyncConnection, match_id: int) -> Row[Any] | None:
    chosen = select(matches).where(matches.c.id == match_id).with_for_update()
    return (await connection.execute(chosen)).one_or_none()


async def _set(connection: AsyncConnection, row: Row[Any], **fields: Any) -> None:
    """Change a match if nobody else has done so since it was read."""
    changed = await connection.execute(
        update(matches)
        .where(matches.c.id == row.id, matches.c.version == row.version)
        .values(version=row.version + 1, **fields)
    )
    if changed.rowcount != 1:
        raise RuntimeError("a match was changed by two at once")


async def _too_late(connection: AsyncConnection, row: Row[Any], decision: int) -> Outcome:
    """Why a button does not count: it is somebody else's, or that decision is made."""
    theirs = [seat for seat, version in row.decisions.items() if version == decision]
    if not theirs:
        return Outcome("stale", row.id, sentence="That is already played.")
    chosen = select(seats.c.name).where(seats.c.match_id == row.id, seats.c.seat == theirs[0])
    name = (await connection.execute(chosen)).scalar_one()
    return Outcome("refused", row.id, sentence=f"It is for {name} to decide this.")


async def _seen(connection: AsyncConnection, interaction: int) -> Outcome | None:
    found = select(interactions.c.result).where(interactions.c.id == interaction)
    result = (await connection.execute(found)).scalar_one_or_none()
    return None if result is None else Outcome(**result)


async def _seat(connection: AsyncConnection, match_id: int, user_id: int) -> str:
    """The seat of a user, or the public's."""
    found = select(seats.c.seat).where(seats.c.match_id == match_id, seats.c.user_id == user_id)
    return (await connection.execute(found)).scalar_one_or_none() or PUBLIC


async def _waiting(connection: AsyncConnection, match_id: int) -> set[int]:
    """The users who have not accepted yet."""
    found = select(seats.c.user_id).where(seats.c.match_id == match_id, seats.c.joined.is_(None))
    return set((await connection.execute(found)).scalars())


async def _users(connection: AsyncConnection, match_id: int) -> Sequence[int]:
    found = select(seats.c.user_id).where(seats.c.match_id == match_id).order_by(seats.c.seat)
    return (await connection.execute(found)).scalars().all()


async def _to_nudge(connection: AsyncConnection, match_id: int, asked: str) -> list[int]:
    """Those of the asked players who want a DM at each own turn."""
    found = select(seats.c.user_id).where(
        seats.c.match_id == match_id, seats.c.seat.in_(list(asked))
    )
    users = (await connection.execute(found)).scalars().all() if asked else []
    return [user_id for user_id in users if await wants(connection, user_id, "turns")]
