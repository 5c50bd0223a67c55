"""The match service: plain values in, plain values out, one transaction a move.

Nothing here knows Discord. A move is: seen before? → load → the decision that the button was made
for? → the rules → the dice that follow → write all of it and what is to be sent → commit. Only then
may anybody answer (reliability.md).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.schema import actions, interactions, matches, outbox, seats
from engine import games
from engine.dice import Dice, commitment
from engine.exits import VERBS as EXITS
from engine.game import CHANCE, PUBLIC, Action, AnyGame, Refused, View
from engine.record import Record
from engine.typed import Complete, Illegal, Missing, read

DAY = 86_400.0

CHALLENGE = "challenge"
RUNNING = "running"
FINISHED = "finished"
DECLINED = "declined"

_TOO_LATE = {
    CHALLENGE: "This match has not begun.",
    RUNNING: "This match has begun already.",
    FINISHED: "This match is over.",
    DECLINED: "This challenge is settled already.",
}

Work = Callable[[AsyncConnection, Row[Any]], Awaitable["Outcome"]]


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table, by Discord's id and the name to show."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an interaction led to.

    Attributes:
        kind: `done`, `refused`, `stale` (that decision is made already) or `unknown`.
        match_id: which match, 0 if none.
        rule: number of the rule that refuses.
        sentence: why, in one friendly sentence; empty when done.
    """

    kind: str
    match_id: int = 0
    rule: str = ""
    sentence: str = ""


class Table(NamedTuple):
    """What somebody sees of a match: the view, the names, the version of the own decision."""

    view: View
    names: Mapping[str, str]
    decision: int


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
    """

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time.time,
        make_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        self._database = database
        self._clock = clock
        self._make_seed = make_seed

    async def challenge(
        self,
        interaction: int,
        *,
        game: str,
        rules: str,
        options: Mapping[str, str],
        challenger: int,
        players: Mapping[str, Player],
        channel: tuple[int | None, int],
        expires_in: float = DAY,
    ) -> Outcome:
        """Open a match that waits for its opponent; the commitment to its dice is made here.

        Args:
            interaction: id of the command; delivered again, it gets the same outcome.
            game: its name.
            rules: the rule set.
            options: name → value.
            challenger: user id of the player who asks; the others have to accept.
            players: seat letter → player.
            channel: server's id (None in a DM) and channel's id.
            expires_in: seconds until the challenge lapses.
        """
        try:
            played = games.get(game)
            played.start(rules, options)
        except Refused as refused:
            return Outcome("refused", rule=refused.rule, sentence=str(refused))
        if len({player.user_id for player in players.values()}) < len(players):
            return Outcome("refused", sentence="You need somebody else to play with.")
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
                    challenger_id=challenger,
                    guild_id=channel[0],
                    channel_id=channel[1],
                    created=now,
                    changed=now,
                    expires=now + expires_in,
                )
            )
            (match_id,) = inserted.inserted_primary_key or (0,)
            for seat, player in players.items():
                await connection.execute(
                    insert(seats).values(
                        match_id=match_id, seat=seat, user_id=player.user_id, name=player.name
                    )
                )
            await self._queue(connection, match_id, "challenge")
            outcome = Outcome("done", match_id)
            await connection.execute(
                insert(interactions).values(id=interaction, result=asdict(outcome), at=now)
            )
            return outcome

    async def accept(self, interaction: int, match_id: int, user_id: int) -> Outcome:
        """The challenged player joins: the match begins, the first dice roll."""

        async def join(connection: AsyncConnection, row: Row[Any]) -> Outcome:
            if user_id == row.challenger_id:
                return Outcome("refused", match_id, sentence="It is the other player who accepts.")
            salt = f"{row.salt},{interaction}"
            game = games.get(row.game)
            start = game.start(row.rules, row.options)
            rolled = _roll_on(game, start, Dice(row.seed, salt), 0)
            await self._store(connection, row, game, rolled, status=RUNNING, salt=salt)
            return Outcome("done", match_id)

        return await self._transact(interaction, match_id, user_id, CHALLENGE, join)

    async def decline(self, interaction: int, match_id: int, user_id: int) -> Outcome:
        """The challenged player does not want to play, or the challenger takes it back."""

        async def close(connection: AsyncConnection, row: Row[Any]) -> Outcome:
            await _set(connection, row, status=DECLINED, changed=self._clock())
            await self._queue(connection, match_id, "declined")
            return Outcome("done", match_id)

        return await self._transact(interaction, match_id, user_id, CHALLENGE, close)

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
                return Outcome("stale", match_id, sentence="That is already played.")
            game = games.get(row.game)
            try:
                action = _understand(game, game.load(row.position), seat, line)
                state, _ = game.apply(game.load(row.position), action)
            except Refused as refused:
                return Outcome("refused", match_id, refused.rule, str(refused))
            rolled = _roll_on(game, state, Dice(row.seed, row.salt), row.rolled, (action,))
            status = FINISHED if game.result(rolled.state) else RUNNING
            await self._store(connection, row, game, rolled, status=status)
            return Outcome("done", match_id)

        return await self._transact(interaction, match_id, user_id, RUNNING, choose)

    async def _transact(
        self, interaction: int, match_id: int, user_id: int, status: str, work: Work
    ) -> Outcome:
        """One interaction of a player with a match of this status, in one transaction."""
        async with self._database.write() as connection:
            if (seen := await _seen(connection, interaction)) is not None:
                return seen
            chosen = select(matches).where(matches.c.id == match_id).with_for_update()
            row = (await connection.execute(chosen)).one_or_none()
            if row is None or not await _seat(connection, match_id, user_id):
                return Outcome("unknown", match_id, sentence="You do not play in this match.")
            if row.status != status:
                return Outcome("stale", match_id, sentence=_TOO_LATE[row.status])
            if row.expires and row.expires < self._clock():
                return Outcome("stale", match_id, sentence="This challenge has expired.")
            outcome = await work(connection, row)
            if outcome.kind == "done":
                await connection.execute(
                    insert(interactions).values(
                        id=interaction, result=asdict(outcome), at=self._clock()
                    )
                )
            return outcome

    async def _store(
        self,
        connection: AsyncConnection,
        row: Row[Any],
        game: AnyGame,
        rolled: Rolled,
        **fields: Any,
    ) -> None:
        """Write a new position, its lines, and what is to be sent."""
        now, version = self._clock(), row.version + 1
        await _set(
            connection,
            row,
            position=game.dump(rolled.state),
            decisions=dict.fromkeys(game.pending(rolled.state), version),
            rolled=rolled.chances,
            changed=now,
            expires=None,
            **fields,
        )
        last = select(func.coalesce(func.max(actions.c.number), 0))
        number = (await connection.execute(last.where(actions.c.match_id == row.id))).scalar_one()
        await connection.execute(
            insert(actions),
            [
                {"match_id": row.id, "number": number + i, "line": str(action), "at": now}
                for i, action in enumerate(rolled.lines, 1)
            ],
        )
        await self._queue(connection, row.id, "end" if game.result(rolled.state) else "turn")

    async def _queue(self, connection: AsyncConnection, match_id: int, kind: str) -> None:
        """Have something sent about a match; what it shows is read when it is sent."""
        await connection.execute(
            insert(outbox).values(
                match_id=match_id,
                target="channel",
                kind=kind,
                what={},
                state="waiting",
                attempts=0,
                due=self._clock(),
            )
        )

    async def look(self, match_id: int, user_id: int = 0) -> Table:
        """A match as a user may see it; who does not play in it sees what is public.

        Raises:
            NoResultFound: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            chosen = select(matches).where(
                matches.c.id == match_id, matches.c.position.is_not(None)
            )
            row = (await connection.execute(chosen)).one()
            seat = await _seat(connection, match_id, user_id)
            game = games.get(row.game)
            view = game.view(game.load(row.position), seat)
            return Table(view, await _names(connection, match_id), row.decisions.get(seat, 0))

    async def record(self, match_id: int, user_id: int = 0) -> Record:
        """The record as a user may see it now; whole, with the seed, once the match is over.

        Raises:
            NoResultFound: there is no such match.
        """
        async with self._database.read() as connection:
            chosen = select(matches).where(matches.c.id == match_id)
            row = (await connection.execute(chosen)).one()
            logged = select(actions.c.line).where(actions.c.match_id == match_id)
            lines = (await connection.execute(logged.order_by(actions.c.number))).scalars()
            names = await _names(connection, match_id)
            seat = await _seat(connection, match_id, user_id)
            headers = _headers(row, names)
            return Record(headers, tuple(Action.parse(line) for line in lines)).redact(seat)


def _headers(row: Row[Any], names: Mapping[str, str]) -> dict[str, str]:
    game = games.get(row.game)
    start = datetime.fromtimestamp(row.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    headers = {"Game": row.game, "Rules": row.rules}
    if row.options:
        headers["Options"] = " ".join(f"{name}={value}" for name, value in row.options.items())
    headers |= {f"Seat {seat}": name for seat, name in names.items()}
    headers |= {"Version": str(row.engine_version), "Dice": commitment(row.seed)}
    headers |= {"Salt": row.salt, "Date": start}
    if row.status == FINISHED:
        headers["Seed"] = row.seed.hex()
        headers["Result"] = game.result(game.load(row.position))
    return headers


def _understand(game: AnyGame, state: Any, seat: str, line: str) -> Action:
    """The action that these words mean.

    Raises:
        Refused: none, or not exactly one.
    """
    if line.split(" ", maxsplit=1)[0] in EXITS:
        return Action.parse(f"{seat} {line}")
    reading = read(game, state, seat, line)
    if isinstance(reading, Complete):
        return reading.action
    if isinstance(reading, Illegal):
        raise reading.refused
    if isinstance(reading, Missing):
        raise Refused("notation", "Say more: {words} …", words=" or ".join(reading.words))
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


async def _set(connection: AsyncConnection, row: Row[Any], **fields: Any) -> None:
    """Change a match if nobody else has done so since it was read."""
    changed = await connection.execute(
        update(matches)
        .where(matches.c.id == row.id, matches.c.version == row.version)
        .values(version=row.version + 1, **fields)
    )
    if changed.rowcount != 1:
        raise RuntimeError("a match was changed by two at once")


async def _seen(connection: AsyncConnection, interaction: int) -> Outcome | None:
    found = select(interactions.c.result).where(interactions.c.id == interaction)
    result = (await connection.execute(found)).scalar_one_or_none()
    return None if result is None else Outcome(**result)


async def _seat(connection: AsyncConnection, match_id: int, user_id: int) -> str:
    """The seat of a user, or the public's."""
    found = select(seats.c.seat).where(seats.c.match_id == match_id, seats.c.user_id == user_id)
    return (await connection.execute(found)).scalar_one_or_none() or PUBLIC


async def _names(connection: AsyncConnection, match_id: int) -> dict[str, str]:
    found = select(seats.c.seat, seats.c.name).where(seats.c.match_id == match_id)
    return {row.seat: row.name for row in await connection.execute(found)}
