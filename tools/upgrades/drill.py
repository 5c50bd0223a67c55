"""One upgrade: matches made by an earlier version continue with this one, and back."""

from __future__ import annotations

import asyncio
import re
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from bot.app.run import open_database
from bot.domain.ids import MatchId
from bot.services.queries import Queries
from tests.support.command import TOKEN
from tests.support.fake_discord import FakeDiscord, until
from tools.upgrades.installations import PRESENT, Earlier, Installation
from tools.upgrades.players import CHANNEL, Players
from tools.upgrades.rows import Row, dump, lost, read, schema, tables

LIMIT = 120.0
"""Seconds that a step may take."""

UNAVAILABLE = (503, 0)
"""What Discord says to messages of matches while they have to stay in the outbox."""

REFUSED = 78
LOGGED = re.compile(r"\d{4}-\d\d-\d\dT\S+ INFO ")
"""What a bot logs before it refuses a database."""


class Live(NamedTuple):
    """The matches of an earlier version.

    Attributes:
        asked: match of Wormholes with a takeback that the other player has to agree to.
        away: match of Warp 6 with a secret setup and a player on vacation.
        offered: match of Tom Tube with a draw offer.
        quiet: match of Warp 6 with a board that this version has delivered.
    """

    asked: int
    away: int
    offered: int
    quiet: int
    invited: int
    waiting: int
    finished: int

    @property
    def running(self) -> tuple[int, ...]:
        """Return the matches in progress."""
        return self.asked, self.away, self.offered, self.quiet


class Drill:
    """An upgrade from one version, in an empty folder."""

    def __init__(self, earlier: Earlier, installed: Installation, folder: Path) -> None:
        self.earlier = earlier
        self.installed = installed
        self.folder = folder
        self.path = folder / "starpost.db"
        self.fake = FakeDiscord(time.time)
        self.players = Players(self.fake, self.path, Random(1))

    async def run(self) -> AsyncIterator[str]:
        """Do all of it; yields a line for each result.

        Raises:
            SystemExit: something is lost or does not continue.
        """
        async with self.fake.open():
            async with self._running(self.installed, kill=True):
                live = await self._live()
            yield self._inventory(live)
            before, content = tables(self.path), dump(self.path)
            yield await self._upgrade(before)
            lines = {match: self.players.lines(match) for match in live.running}
            async with self._running(PRESENT):
                yield await self._deliver()
                yield await self._go_on(live, lines)
            yield await self._verify(live)
            for line in self._refuse():
                yield line
            yield self._restore(content)
            async with self._running(self.installed):
                counts = [await self.players.play(match, 3) for match in live.running]
            yield f"{self.earlier.version} goes on after the way back: {sum(counts)} choices"

    # The bot

    @asynccontextmanager
    async def _running(self, installation: Installation, kill: bool = False) -> AsyncIterator[None]:
        """Run a version of the bot, and stop or kill it at the end."""
        log = (self.folder / "bot.log").open("ab")
        arrival = self.fake.arrival
        process = await asyncio.create_subprocess_exec(
            *installation.against_fake(self.fake.port),
            cwd=self.folder,
            env=dict(installation.environment(TOKEN)),
            stderr=log,
        )
        log.close()
        try:
            async with asyncio.timeout(LIMIT):
                await until(lambda: arrival.done() or process.returncode is not None)
            if process.returncode is not None:
                raise SystemExit((self.folder / "bot.log").read_text("utf-8"))
            yield
        finally:
            if process.returncode is None:
                (process.kill if kill else process.terminate)()
            await process.wait()

    def _told(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the earlier version."""
        return subprocess.run(
            self.installed.command(*arguments),
            cwd=self.folder,
            env=dict(self.installed.environment(TOKEN)),
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )

    # Before

    async def _live(self) -> Live:
        """Play with the earlier version; in the end, messages wait in the outbox."""
        players, clock = self.players, self.earlier.clock
        asked = await players.begin((11, 12), "wormholes", clock=clock)
        away = await players.begin((13, 14), "warp6", clock=clock, setup="secret")
        offered = await players.begin((15, 16), "tomtube", clock=clock)
        quiet = await players.begin((17, 18), "warp6", clock=clock)
        finished = await players.begin((19, 20), "wormholes", clock=clock)
        # `asked` is played on until a takeback is asked for, and a random match can end at 36
        for match, choices in ((asked, 10), (away, 20), (offered, 8), (quiet, 25), (finished, 30)):
            await players.play(match, choices)
        await players.resign(19, finished)
        invited = await players.challenge((19, 20), "tomtube", clock=clock)
        await players.button(f"accept:{invited}")
        await self._sent()
        for channel in (CHANNEL, *self.fake.threads):
            self.fake.refusals[channel] = UNAVAILABLE
        await players.play(away, 1)
        await self._ask_for_takeback(asked)
        await self._offer_draw(offered)
        await players.command(13, "vacation", days=3)
        waiting = await players.challenge((11, 13), "warp6", clock=clock)
        return Live(asked, away, offered, quiet, invited, waiting, finished)

    async def _ask_for_takeback(self, match: int) -> None:
        """Play until a takeback needs the other player, who is asked."""
        for _ in range(100):
            await self.players.play(match, 2)  # most takebacks need no consent
            position = self.players.position(match)
            if not position.seats:
                raise SystemExit(f"Match {match} ended before a takeback had to be asked for.")
            user = await self.players.choose(match, position)
            lines = self.players.lines(match)
            answer = await self.players.command(user, "takeback", match=match)
            if self.players.lines(match) == lines and "asked" in answer:
                return
        raise SystemExit("No takeback had to be asked for.")

    async def _offer_draw(self, match: int) -> None:
        players, before = self.players, self.players.lines(match)
        await players.command(
            players.user(match, players.position(match).seats[0]), "draw", match=match
        )
        if players.lines(match) == before:
            raise SystemExit("No draw was offered.")

    def _inventory(self, live: Live) -> str:
        count = {
            name: read(self.path, f"SELECT count(*) FROM {name}")[0][0]  # noqa: S608
            for name in ("matches", "actions", "timers", "outbox", "absences")
        }
        kinds = [kind for (kind,) in read(self.path, "SELECT DISTINCT kind FROM outbox")]
        if not kinds:
            raise SystemExit("There is nothing to lose.")
        summary = ", ".join(f"{number} {name}" for name, number in count.items())
        return f"made, schema {schema(self.path)}: {summary} ({', '.join(kinds)})"

    # This version

    async def _upgrade(self, before: dict[str, list[Row]]) -> str:
        """Migrate, and compare each row."""
        begin = time.monotonic()
        async with open_database(f"sqlite+aiosqlite:///{self.path}"):
            seconds = time.monotonic() - begin
        missing = list(lost(before, tables(self.path)))
        if missing:
            raise SystemExit("Lost by the upgrade:\n" + "\n".join(missing))
        rows = sum(map(len, before.values()))
        return f"upgraded to schema {schema(self.path)} in {seconds:.1f} s: {rows} rows, 0 lost"

    async def _sent(self) -> None:
        """Wait until no message is due."""
        later = "next_attempt_at" if "next_attempt_at" in self._outbox() else "due"
        status = "status" if "status" in self._outbox() else "state"
        query = f"SELECT count(*) FROM outbox WHERE {status}='waiting' AND {later} <= ?"  # noqa: S608
        async with asyncio.timeout(LIMIT):
            while read(self.path, query, time.time())[0][0]:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.1)

    def _outbox(self) -> Iterator[str]:
        return (row[1] for row in read(self.path, "PRAGMA table_info(outbox)"))

    async def _deliver(self) -> str:
        """Deliver what the earlier version had left in the outbox."""
        posts = len(self.fake.posted)
        self.fake.refusals.clear()
        await self._sent()
        new = self.fake.posted[posts:]
        if not new or len({post.nonce for post in new}) < len(new):
            raise SystemExit(f"{len(new)} messages were posted, or one of them twice.")
        failed = read(self.path, "SELECT kind, error FROM outbox WHERE status='failed'")
        if failed:
            raise SystemExit(f"Not delivered: {failed}")
        return f"delivered what was waiting: {len(new)} messages posted, each once"

    async def _go_on(self, live: Live, lines: dict[int, list[str]]) -> str:
        """Use buttons of the earlier version, answer the open request, and play on."""
        players = self.players
        await self._use_buttons(live)
        asker = players.last_user(live.asked)
        agree = await players.button(f"agree:{live.asked}:")
        await players.click(players.other(live.asked, asker), agree)
        count = len(players.lines(live.asked))
        if players.lines(live.asked) != lines[live.asked][:count] or count == len(
            lines[live.asked]
        ):
            raise SystemExit("The takeback was not made, or took other lines.")
        other = players.other(live.offered, players.last_user(live.offered))
        await players.command(other, "do", action="draw decline", match=live.offered)
        await players.click(13, await players.button(f"accept:{live.waiting}"))
        await players.command(13, "vacation", days=0)
        lines_before = {match: players.lines(match) for match in live.running}
        if lines_before[live.offered] == lines[live.offered]:
            raise SystemExit("The draw offer was not declined.")
        on = (*live.running, live.invited, live.waiting)
        counts = [await players.play(match, 20) for match in on]
        for match, earlier in lines_before.items():
            if players.lines(match)[: len(earlier)] != earlier:
                raise SystemExit(f"Match {match} has lost lines.")
        await self._sent()
        return (
            "by buttons of the earlier version a move was made and a challenge accepted; takeback"
            f" agreed, draw declined, {sum(counts)} choices made in {len(counts)} matches"
        )

    async def _use_buttons(self, live: Live) -> None:
        """Click on messages that the earlier version has posted."""
        players = self.players
        await players.click(20, f"accept:{live.invited}")
        if players.status(live.invited) != "running":
            raise SystemExit("A challenge of the earlier version cannot be accepted.")
        before = players.lines(live.quiet)
        position = players.position(live.quiet)
        user = players.user(live.quiet, position.seats[0])
        legal = {action.notation for action in position.game.legal(position.state)}
        buttons = await players.buttons(f"act:{live.quiet}:")
        await players.click(user, next(e for e in buttons if e.split(":", 3)[3] in legal))
        if len(players.lines(live.quiet)) == len(before):
            raise SystemExit(f"A button of the earlier version does nothing: {players.answer}")

    async def _verify(self, live: Live) -> str:
        """Compare stored positions with their lines, and verify the dice of a finished match."""
        for match in live.running:
            query = "SELECT position FROM matches WHERE id=?"
            game, state = self.players.position(match)
            if read(self.path, query, match) != [(game.dump(state),)]:
                raise SystemExit(f"Match {match} has another position than its lines.")
        async with open_database(f"sqlite+aiosqlite:///{self.path}") as database:
            queries = Queries(database)
            record = await queries.record(MatchId(live.finished))
            rolls = record.verify((await queries.match(MatchId(live.finished))).commitment)
        return (
            f"stored positions are those of their lines; {rolls} rolls of an earlier match verified"
        )

    # The way back

    def _refuse(self) -> Iterator[str]:
        """Start the earlier version on the new schema: it has to refuse, and change nothing."""
        before = dump(self.path)
        for command in ("run", "check"):
            process = self._told(command)
            output = (process.stderr + process.stdout).strip()
            if not process.returncode:
                raise SystemExit(f"{self.earlier.version} accepts the new schema: {output}")
            if command == "run":
                output = "\n".join(line for line in output.splitlines() if not LOGGED.match(line))
                if process.returncode != REFUSED or "\n" in output:
                    raise SystemExit(
                        f"{self.earlier.version} exits {process.returncode}:\n{output}"
                    )
            yield f"{self.earlier.version} {command}: exit {process.returncode}: {output}"
        if dump(self.path) != before:
            raise SystemExit(f"{self.earlier.version} has changed the database.")

    def _restore(self, before: list[str]) -> str:
        """Restore the backup with the earlier version: it is what there was before."""
        (backup,) = (self.folder / "backups").glob("*.db")
        process = self._told("restore", f"backups/{backup.name}")
        if process.returncode:
            raise SystemExit(f"{self.earlier.version} restore: {process.stderr}")
        restored = dump(self.path)
        if restored != before:
            different = set(restored) ^ set(before)
            raise SystemExit(f"The backup differs: {sorted(different)[:5]}")
        return f"restored by {self.earlier.version}: {len(before)} statements, equal to before"
