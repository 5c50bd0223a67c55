"""Power cuts: possible disk contents at any moment, made from recorded writes and syncs.

The bot's own services run on a database file, and every statement of its writing connection is
noted with its values, `PRAGMA`s included. The same statements are then run through APSW, whose VFS
notes each write, truncation and sync. An image of a power cut is all that was synced, and a random
part of later writes, perhaps torn at sector boundaries. It is opened with the
SQLite of Python, and has to be sound and to show a commit that was acknowledged, or the one after.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import apsw
from sqlalchemy import AdaptedConnection, event

from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.outbox import OutboxMessage, PostedKind, SentCopy, SentMessage
from bot.domain.terms import Terms
from bot.outbox.worker import OutboxWorker
from bot.services.factory import services_on
from bot.services.queries import Queries
from bot.services.timers import Timers
from bot.storage.migrate import upgrade
from bot.storage.sqlite import SQLite

SECTOR = 512


class Op(NamedTuple):
    """Something done to a file: `write`, `truncate`, `sync` or `delete`."""

    kind: str
    file: str
    offset: int = 0
    data: bytes = b""


@dataclass
class Recording:
    """Operations on the files, and the order of acknowledgements of commits.

    Attributes:
        ops: in order.
        commits: for each commit the number of operations before its acknowledgement, and a digest
            of the whole database after it.
    """

    ops: list[Op] = field(default_factory=list)
    commits: list[tuple[int, str]] = field(default_factory=list)


class _FakeSender:
    """A sender for which every worker succeeds."""

    async def deliver(self, queued: OutboxMessage) -> SentMessage:
        count = queued.payload.get("action_count", 0)
        return SentMessage(PostedKind.BOARD, count, [SentCopy(None, ChannelId(5), queued.id)])


async def statements(folder: Path, moves: int, random: Random) -> list[str]:
    """Return the statements of the bot's writing connection while people play, with all values."""
    noted: list[str] = []
    database = SQLite(f"sqlite+aiosqlite:///{folder / 'noted.db'}")

    def note(connection: AdaptedConnection, _: object) -> None:
        connection.run_async(lambda driver: driver.set_trace_callback(noted.append))

    event.listen(database._writer.sync_engine, "connect", note, insert=True)
    await upgrade(database)
    now = count(1_000_000)
    services = services_on(database, lambda: next(now))
    worker = OutboxWorker(database, _FakeSender(), lambda: next(now))
    timers = Timers(
        database,
        services.challenges,
        services.deadlines,
        services.nudges,
        services.silence,
        clock=lambda: next(now),
    )
    ids = count(1)
    people = [Player(UserId(11), "Ada"), Player(UserId(22), "Bo")]

    async def begin() -> MatchId:
        challenge = await services.challenges.challenge(
            next(ids), Terms(game="wormholes", guild_id=None, channel_id=ChannelId(5)), people
        )
        await services.challenges.accept(next(ids), challenge.match_id, UserId(22))
        return challenge.match_id

    match_id = await begin()
    for number in range(moves):
        match = await Queries(database).match(match_id)
        if not match.decisions:
            match_id = await begin()
            continue
        seat = next(iter(match.decisions))
        user = match.players[seat].user_id
        view = (await Queries(database).view(match_id, user)).view
        action = random.choice(view.legal)
        line = " ".join((action.verb, *action.args))
        await services.matches.act(next(ids), match_id, user, line, match.decisions[seat])
        if number % 3 == 0:
            await worker.flush()
        if number % 10 == 0:
            await timers.fire()
    await database.close()
    return [text for text in noted if not text.startswith("--")]


def record(folder: Path, texts: list[str]) -> Recording:
    """Run statements on a new database `cut.db`, noting what reaches its files."""
    recording = Recording()
    vfs = _Vfs(recording.ops)
    connection = apsw.Connection(str(folder / "cut.db"), vfs=vfs.name)
    for text in texts:
        connection.execute(text).fetchall()
        if text.strip().upper().startswith("COMMIT"):
            recording.commits.append((len(recording.ops), _digest(connection.execute)))
    connection.close()
    return recording


class Statement(NamedTuple):
    """A statement of SQL, and its values; a list of them if it is executed several times."""

    text: str
    values: Any = ()


def operations(path: Path, statements: Iterable[Statement]) -> list[Op]:
    """Run statements on a database until the power is cut; return what reached its files."""
    ops = list[Op]()
    vfs = _Vfs(ops)
    with closing(apsw.Connection(str(path), vfs=vfs.name)) as connection:
        for text, values in statements:
            run = connection.executemany if isinstance(values, list) else connection.execute
            with suppress(apsw.ConstraintError):  # as it was refused before
                run(text, values).fetchall()
        return ops[:]


@dataclass
class Verdict:
    """Counts of the images' states."""

    images: int = 0
    commits: int = 0
    writes: int = 0
    syncs: int = 0
    checkpointed: int = 0
    lost: int = 0
    corrupt: int = 0


def cut(recording: Recording, folder: Path, images: int, random: Random) -> Verdict:
    """Cut the power at `images` random moments, and check the files that remain."""
    kinds = [op.kind for op in recording.ops]
    verdict = Verdict(images, len(recording.commits), kinds.count("write"), kinds.count("sync"))
    verdict.checkpointed = sum(op.kind == "sync" and op.file == "cut.db" for op in recording.ops)
    moments = sorted(random.choices(range(len(recording.ops) + 1), k=images))
    disk = Disk()
    done = 0
    for moment in moments:
        for op in recording.ops[done:moment]:
            disk.do(op)
        done = moment
        for old in folder.glob("cut.db*"):
            old.unlink()
        for file, content in disk.image(random).items():
            (folder / file).write_bytes(content)
        acknowledged = sum(ops <= moment for ops, _ in recording.commits)
        digests = ["", *(digest for _, digest in recording.commits)]
        try:
            state_left = _look(folder / "cut.db")
        except sqlite3.DatabaseError:
            verdict.corrupt += 1
        else:
            verdict.lost += state_left not in digests[acknowledged : acknowledged + 2]
    return verdict


class Disk:
    """Files as they are for certain, and the operations on them since they were synced.

    A deletion is certain with the next sync of any file: SQLite syncs the folder with a new file,
    and file systems with a journal keep the order of such changes.

    Args:
        certain: name → content of the files that are there.
    """

    def __init__(self, certain: Mapping[str, bytes] = MappingProxyType({})) -> None:
        self._certain = {file: bytearray(content) for file, content in certain.items()}
        self._since: dict[str, list[Op]] = {}

    def do(self, op: Op) -> None:
        """Take note of the next operation."""
        done = self._since.setdefault(op.file, [])
        if op.kind == "sync":
            for file in [name for name, ops in self._since.items() if _deleted(ops)]:
                del self._since[file]
                self._certain.pop(file, None)
            _apply(self._certain.setdefault(op.file, bytearray()), done)
            done.clear()
        else:
            done.append(op)

    def image(self, random: Random) -> dict[str, bytes]:
        """Return files that may remain: any unsynced write may be there, or not, or torn."""
        files = {}
        for file in sorted(self._certain.keys() | self._since.keys()):
            left = [_torn(op, random) for op in self._since.get(file, []) if random.random() < 0.5]
            if not _deleted(left):
                content = self._certain.get(file, bytearray())[:]
                _apply(content, left)
                files[file] = bytes(content)
        return files


def _deleted(ops: list[Op]) -> bool:
    return bool(ops) and ops[-1].kind == "delete"


def _torn(op: Op, random: Random) -> Op:
    """A write, or only some of its first or last sectors."""
    sectors = len(op.data) // SECTOR
    if sectors < 2 or random.random() < 0.5:
        return op
    middle = SECTOR * random.randrange(1, sectors)
    if random.random() < 0.5:
        return op._replace(data=op.data[:middle])
    return op._replace(offset=op.offset + middle, data=op.data[middle:])


def _apply(content: bytearray, ops: Iterable[Op]) -> None:
    for op in ops:
        if op.kind == "write":
            content.extend(bytes(max(0, op.offset + len(op.data) - len(content))))
            content[op.offset : op.offset + len(op.data)] = op.data
        else:
            del content[op.offset :]


def _look(path: Path) -> str:
    """The digest of a database file, after recovery.

    Raises:
        sqlite3.DatabaseError: it is damaged.
    """
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")  # it is read once, and quickly
        if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise sqlite3.DatabaseError("integrity_check")
        return _digest(connection.execute)


def _digest(execute: Callable[[str], Iterable[Any]]) -> str:
    """All rows of all tables in one number; empty if there is no table."""
    query = "SELECT name FROM sqlite_master WHERE type='table' ORDER BY name"
    tables = [name for (name,) in execute(query)]
    rows = [(name, sorted(map(repr, execute(f"SELECT * FROM {name}")))) for name in tables]  # noqa: S608 - our own tables
    return hashlib.sha256(repr(rows).encode()).hexdigest() if tables else ""


class _Vfs(apsw.VFS):
    """SQLite's own way to the disk, with a notebook."""

    def __init__(self, ops: list[Op]) -> None:
        self.name = f"recording-{id(ops)}"
        self.ops = ops
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: Any) -> Any:  # noqa: N802
        return _File(self.ops, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.ops.append(Op("delete", Path(filename).name))
        super().xDelete(filename, syncdir)


class _File(apsw.VFSFile):
    def __init__(self, ops: list[Op], name: Any, flags: Any) -> None:
        self.ops = ops
        full = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.file = Path(full).name if full else ""
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.ops.append(Op("write", self.file, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self.ops.append(Op("truncate", self.file, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self.ops.append(Op("sync", self.file))
