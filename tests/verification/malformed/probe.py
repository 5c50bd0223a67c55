"""A probe that sends malformed interactions to a bot.

`Probe.send` checks each answer: exactly one, within the limit, private, and nothing has changed.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

from simcord import interactions
from simcord.backend import serializers
from simcord.enums import InteractionType
from sqlalchemy import select, update

from bot.domain.ids import MatchId
from bot.storage.schema import METADATA, matches
from engine import games
from tests.support.harness import SETTLE_TIMEOUT_SECONDS, Stage, words
from tests.verification.leaks.world import RANDOM

CLICK, COMMAND, AUTOCOMPLETE, WINDOW = 3, 2, 4, 5
"""Types of interactions."""

SOURCES = {CLICK: ("public", "private"), WINDOW: ("public", "private", "none")}
"""On what a sender clicks; a window can come from a command."""

SAID, EDITED, PROPOSED, ASKED = 4, 7, 8, 9
"""Types of answers: a message, an edit of the clicked one, proposals, a window."""

EPHEMERAL, V2 = 1 << 6, 1 << 15
"""Flags of messages: private, and made of components."""

SHOWN_TO_ALL = "postscorecard:"
"""Beginning of the ID of the button whose answer is for all: the result of a finished match."""

BATCH = 10
"""Interactions that arrive together."""

ANSWER_LIMIT = 3.0
"""Maximum seconds of CPU time until an answer; Discord waits so long."""

PROPOSALS, PROPOSAL_LENGTH = 25, 100
"""Maximum number of proposals, and of characters of each."""

ABROAD = ("Yan", "Zoe")
"""Players whose matches none of the senders may see."""

LOCKED_THREAD = 50083
"""Discord's code for a thread that is locked and archived."""

SILENT = 10**6
"""Number of an interaction that Discord never sees, with that of a match added."""

NOT_COMPARED = {"facts", "leases", "analyses", "leaderboard_entries"}
"""Tables that the heartbeat writes to, and tables that well-formed interactions among the forms
change: requesting an analysis, and joining a leaderboard."""


class Numbers(NamedTuple):
    """Matches of the world by what the senders may do with them; see `_play`.

    Attributes:
        running: Ada and Bo place coins in Wormholes.
        abroad: on another server: the same as `hidden`.
        finished: Ada and Bo, with a rematch that runs.
        erased: Ada and a player whose data was deleted.
        hidden: in a channel that no sender sees: running, open, finished, open to anyone, and
            one in which the computer plays until another player joins.
        secret: Warp 6 in a deleted thread, where Ada has placed her dice and Bo has not.
        timed: Tom Tube, moved from another channel, with a takeback request and a draw offer that
            wait, after reminders, a warning and a lost time.
    """

    running: int
    abroad: tuple[int, ...]
    finished: int
    closed: int
    erased: int
    hidden: tuple[int, ...]
    secret: int
    timed: int

    @property
    def refused(self) -> tuple[int, ...]:
        """Matches in which nothing may change, whichever sender asks."""
        over = (self.finished, self.closed, self.erased)
        return (*over, *self.abroad, *self.hidden)


class Sent(NamedTuple):
    """The way in which an interaction is sent.

    Attributes:
        where: see `Probe.send`.
        language: of the sender's Discord.
        source: the message that was clicked: "public", "private" or "none".
        at: when it was sent, in seconds of this process's CPU time: the machine may be busy.
    """

    who: Any
    where: str
    language: str
    source: str
    at: float = 0.0

    @property
    def is_private(self) -> bool:
        """Return whether only the sender reads the message that was clicked."""
        return self.source != "none" and (self.source == "private" or self.where == "dm")


class Requests(list[Any]):
    """Requests to Discord; notes when each interaction was answered, and with what."""

    def __init__(self, records: Sequence[Any]) -> None:
        super().__init__(records)
        self.answered: dict[int, list[tuple[float, dict[str, Any]]]] = {}

        self._answer_arrived = asyncio.Event()

    def append(self, request: Any) -> None:
        super().append(request)
        if request.path.startswith("/interactions/"):
            number = int(request.path.split("/")[2])
            self.answered.setdefault(number, []).append((time.process_time(), request.json))
            self._answer_arrived.set()

    async def answers_to(self, numbers: Collection[int]) -> None:
        """Wait until all these interactions are answered, up to a limit."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_TIMEOUT_SECONDS):
                while not self.answered.keys() >= set(numbers):
                    self._answer_arrived.clear()
                    await self._answer_arrived.wait()

    def forget(self) -> None:
        """Drop the requests that were checked: 100,000 of them slow each test down."""
        self.clear()
        self.answered.clear()


class Probe:
    """Sends malformed interactions to a running bot and checks their effects.

    Attributes:
        sent: number of interactions sent of each type.
        slowest: seconds of CPU time until the slowest answer, with those that arrived together.
    """

    def __init__(self, stage: Stage, numbers: Numbers, places: dict[str, Any]) -> None:
        self.stage = stage
        self.numbers = numbers
        self.sent: Counter[str] = Counter()
        self.slowest = 0.0
        self._places = places
        self._requests = stage.env.backend.http_requests = Requests(stage.env.http_requests)

    async def store_language(self, language: str) -> None:
        """Note the language of the senders, so that the first interaction need not."""
        for who in self.senders:
            await self.stage.client.context.preferences.language(who.id, language)

    @property
    def senders(self) -> tuple[Any, ...]:
        """A player, the other one, and a member who plays in no match."""
        return self.stage.ada, self.stage.bo, self.stage.eve

    async def written(self) -> dict[str, Any]:
        """Return the stored rows that must not change."""
        async with self.stage.database.read() as connection:
            return {
                table.name: (await connection.execute(select(table))).all()
                for table in METADATA.sorted_tables
                if table.name not in NOT_COMPARED
            }

    async def send(
        self,
        kind: int,
        given: Sequence[dict[str, Any]],
        language: str = "en-US",
        where: str = "home",
        senders: Sequence[Any] = (),
    ) -> list[str]:
        """Send malformed data, and return the answers.

        Args:
            given: their data; each is sent by one sender, the next by the next.
            where: "home", "dm", or "elsewhere", a server where nothing is played.
            senders: who sends; by default all three in turn.
        """
        before, replies = await self.written(), []
        people = senders or (self.senders[::2] if where == "elsewhere" else self.senders)
        for start in range(0, len(given), BATCH):
            batch = given[start : start + BATCH]
            emitted = []
            for number, data in enumerate(batch, start):
                who, source = people[number % len(people)], "none"
                if kind in (CLICK, WINDOW):
                    source = SOURCES[kind][number // 3 % len(SOURCES[kind])]
                emitted.append(self._emit(kind, data, Sent(who, where, language, source)))
            await self._requests.answers_to([record.id for record, _ in emitted])
            await self.stage.env.settle()
            replies += [self._checked(*pair) for pair in zip(emitted, batch, strict=True)]
            after = await self.written()
            changed = [name for name in before if before[name] != after[name]]
            assert not changed, (changed, where, batch)
            self._forget(emitted)
        self.sent[InteractionType(kind).name] += len(given)
        return replies

    @asynccontextmanager
    async def other_secrets(self, match_id: MatchId, watcher: Any) -> AsyncIterator[None]:
        """Give a match other hidden values meanwhile, those that `watcher` cannot see."""
        tables, was = self.stage.client.context.queries, await self.stage.state(match_id)
        match = await tables.match(match_id)
        game = games.get(match.game)
        other = game.resample_view(was, match.seat_of(watcher.id), Random(3).randrange)
        assert game.dump(other) != game.dump(was)
        try:
            await self._set(match_id, game.dump(other))
            yield
        finally:
            await self._set(match_id, game.dump(was))

    async def _set(self, match_id: MatchId, position: str) -> None:
        """Store another position of a match, and drop the cached one."""
        async with self.stage.database.write() as connection:
            this = update(matches).where(matches.c.id == match_id)
            await connection.execute(this.values(position=position))
        self.stage.client.context.queries.clear_cache()
        self.stage.client.context.images.clear_cache()

    def report(self) -> str:
        """Return the number of interactions sent, by type, and the slowest answer."""
        kinds = ", ".join(f"{count:,} {name}" for name, count in sorted(self.sent.items()))
        total = sum(self.sent.values())
        slowest = f"slowest answer after {self.slowest:.2f} s of CPU time"
        return f"{total:,} malformed interactions ({kinds}), {slowest}"

    def _emit(self, kind: int, data: dict[str, Any], how: Sent) -> tuple[Any, Sent]:
        """Send one interaction; return its record, and how and when it was sent."""
        backend, dm = self.stage.env.backend, how.where == "dm"
        channel = how.who.user.dm_channel if dm else self._places[how.where]
        record, sent = interactions.base_payload(
            backend,
            type=kind,
            channel_id=channel.id,
            guild_id=None if dm else channel.guild.id,
            user_id=how.who.id,
            data=copy.deepcopy(data),
        )
        if how.source != "none":
            flags = V2 | (EPHEMERAL if how.source == "private" and not dm else 0)
            text = [{"type": 10, "content": "?"}]
            author = backend.bot_user.id
            clicked = backend.create_message(
                channel.id, author, components=text, flags=flags, broadcast=False
            )
            sent["message"] = dict(serializers.message_payload(backend, clicked))
            record.source_message_id = clicked.id
        sent["locale"] = how.language
        backend.emit("INTERACTION_CREATE", sent)
        return record, how._replace(at=time.process_time())

    def _forget(self, emitted: Sequence[tuple[Any, Sent]]) -> None:
        """Have the simulated Discord keep nothing of interactions that are checked."""
        backend = self.stage.env.backend
        self._requests.forget()
        backend.transcript.clear()
        for record, _ in emitted:
            kept = backend.messages.get(record.channel_id, {})
            for number in (record.source_message_id, record.message_id):
                kept.pop(number, None)

    def _checked(self, interaction: tuple[Any, Sent], data: dict[str, Any]) -> str:
        """Check the answer to an interaction, and return its words."""
        record, how = interaction
        answers = self._requests.answered.get(record.id, [])
        assert len(answers) == 1, (len(answers), "answers", how, data)
        ((at, answer),) = answers
        self.slowest = max(self.slowest, at - how.at)
        assert at - how.at < ANSWER_LIMIT, (how, data)
        kind, body = answer["type"], answer.get("data") or {}
        if record.type == AUTOCOMPLETE:
            assert kind == PROPOSED, (how, data)
            text = _proposals(body["choices"])
        elif kind == ASKED:
            text = str(body)
        else:
            private = kind == SAID and body["flags"] & EPHEMERAL
            may_be_public = str(data.get("custom_id")).startswith(SHOWN_TO_ALL)
            assert (
                private or (kind == EDITED and how.is_private) or (kind == SAID and may_be_public)
            ), (kind, how, data)
            text = words(SimpleNamespace(components=body["components"]))
            assert 0 < len(text) <= 4000, (how, data)
        assert not any(name in text for name in ABROAD), (how, data)
        return RANDOM.sub("#", text)


def _proposals(choices: list[dict[str, Any]] | None) -> str:
    """Check the proposals of an autocomplete, and return them."""
    assert choices is not None
    assert len(choices) <= PROPOSALS
    for choice in choices:
        assert 0 < len(choice["name"]) <= PROPOSAL_LENGTH
        assert not isinstance(choice["value"], str) or 0 < len(choice["value"]) <= PROPOSAL_LENGTH
    return str(choices)
