"""Notes on a story that is told twice, with other hidden values of Ada's.

`Watcher` notes all that others than Ada can read, and all rows and log lines on the way.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import Any

from PIL import Image
from sqlalchemy import Select, literal_column, select, text
from sqlalchemy import table as table_named

from bot.logs import Lines, _mark
from tests.support.harness import Stage
from tests.verification.leaks.diff import Told

EPHEMERAL = 64
RANDOM = re.compile(
    r"\b\d{18,19}\b|(?<=simcord_interaction_)\d{18,19}"
    r"|(?<='nonce': ')[0-9a-f]{24}|(?<='id': )\d{10}\b|(?<=\"id\": )\d{10}\b"
)
"""Legitimate differences of two worlds: Discord's IDs, and the nonces and marks of deliveries."""

TIMES = re.compile(r"^[\dT:.-]+Z |(after|in) [\d.]+ m?s|the clock was set by -?\d+ s")
"""Legitimate differences of two logs."""

EDIT = re.compile(r"^/(?:channels/\d+|webhooks/\d+/[^/]+)(?=/messages/\d+$)")
"""Start of the path of an edit. A message is edited through the latest click on it if this is
acknowledged in time (`bot.clicked_messages`), which depends on the speed of tasks."""

MESSAGE, AUTOCOMPLETE = 4, 8
"""Types of answers that say by themselves whether they are private."""

NOTED = """
CREATE TRIGGER {table}_{name} AFTER {event} ON {table} BEGIN
    INSERT INTO noted_{table} SELECT NULL, {columns};
END
"""
TRIGGERS = tuple(
    statement
    for table, columns, changed in (
        (
            "outbox",
            ("match_id", "target", "kind", "payload", "error", "next_attempt_at"),
            "payload, error, next_attempt_at",
        ),
        ("timers", ("match_id", "seat", "kind", "version", "due_at"), "due_at"),
    )
    for new in [", ".join(f"NEW.{column}" for column in columns)]
    for statement in (
        f"CREATE TABLE noted_{table} (number INTEGER PRIMARY KEY, {', '.join(columns)})",
        NOTED.format(table=table, name="new", event="INSERT", columns=new),
        NOTED.format(table=table, name="changed", event=f"UPDATE OF {changed}", columns=new),
    )
)
"""Keep all rows ever in the outbox and among the timers, with their due times."""


class Watcher:
    """Writes down what others than the owner of the hidden values can read, in order.

    Args:
        stage: the whole bot, on a simulated Discord.
        others: all people but the owner.
        owner: the player whose values differ; None for the computer.

    Attributes:
        asked: the requests to worker processes for other seats than the owner's.
    """

    def __init__(self, stage: Stage, others: tuple[Any, ...], logs: Logs, owner: Any) -> None:
        self.stage = stage
        self.others = others
        self.asked: list[str] = []
        self._owner = owner
        self._logs = logs
        self._collect_files()
        self._read = len(stage.env.http_requests)
        self._files: set[str] = set()
        self._collected: list[tuple[str, str | None, bytes]] = []
        self._answers: list[str] = []
        self._renewed: list[str] = []
        self._edits: list[str] = []
        self._sent: list[str] = []
        self._requests = (self._sent, self._answers, self._renewed, self._edits)
        self._seen: list[str] = []
        self._attached: dict[str, list[str]] = {"png": [], "gif": [], "": []}
        self.act = "begin"

    async def keep_rows(self) -> None:
        """Make the database keep all rows ever in the outbox and among the timers."""
        async with self.stage.database.write() as connection:
            for statement in TRIGGERS:
                await connection.execute(text(statement))

    @property
    def animations(self) -> int:
        """Return the number of animations received by others than Ada."""
        return len(self._attached["gif"])

    @property
    def exports(self) -> int:
        """Return the number of other files that they have received."""
        return len(self._attached[""])

    def note(self) -> None:
        """Write down all requests and files since the last time."""
        requests = self.stage.env.http_requests[self._read :]
        self._read += len(requests)
        for request in requests:
            if not self._is_private(request):
                path = EDIT.sub("", request.path) if request.method == "PATCH" else request.path
                lines = {"interactions": self._answers, "webhooks": self._renewed}
                lines["messages"] = self._edits
                line = f"{self.act} | {request.method} {path} {request.json}"
                lines.get(path.split("/")[1], self._sent).append(line)
        # Private cards are renewed at any time, so the order in which they arrive says nothing.
        for file in sorted(self._collected, key=str):
            self._attach(*file)
        self._collected.clear()

    def _collect_files(self) -> None:
        """Collect files as they are sent: an edit may replace them before anyone looks."""
        backend = self.stage.env.backend
        for name in ("commit_message", "edit_message"):
            setattr(backend, name, partial(self._sending, getattr(backend, name)))

    def _sending(self, send: Any, *args: Any, **kwargs: Any) -> Any:
        message = send(*args, **kwargs)
        for file in message.attachments if self._is_visible(message) else ():
            if file["id"] not in self._files:
                self._files.add(file["id"])
                content = self.stage.env.backend.cdn.get(file["url"])
                self._collected.append((file["filename"], file["description"], content))
        return message

    def _is_private(self, request: Any) -> bool:
        """Return whether only the owner can read what a request brings."""
        if self._owner is None:
            return False
        dm = self._owner.user.dm_channel
        if dm and request.path.startswith(f"/channels/{dm.id}/"):
            return True
        record = self._interaction(request.path)
        if record is None or record.user_id != self._owner.id:
            return False
        given = request.json or {}
        if request.path.endswith("/callback") and given["type"] == MESSAGE:
            return bool(given["data"]["flags"] & EPHEMERAL)
        if request.path.endswith("/callback") and given["type"] == AUTOCOMPLETE:
            return True
        if request.method == "POST" and request.path.startswith("/webhooks"):
            return bool(given.get("flags", 0) & EPHEMERAL)
        message = record.message_id and self._message(record.channel_id, record.message_id)
        return message is None or message.is_ephemeral

    def _interaction(self, path: str) -> Any:
        interactions = self.stage.env.backend.interactions
        if path_match := re.match(r"/interactions/(\d+)/", path):
            return interactions[int(path_match[1])]
        if path_match := re.match(r"/webhooks/\d+/([^/]+)", path):
            return next(
                interaction
                for interaction in interactions.values()
                if interaction.token == path_match[1]
            )
        return None

    def _message(self, channel_id: int, message_id: int) -> Any:
        return self.stage.env.backend.messages.get(channel_id, {}).get(message_id)

    def _visible(self) -> Iterator[Any]:
        """All messages that others than the owner can see."""
        for _, kept in sorted(self.stage.env.backend.messages.items()):
            yield from filter(self._is_visible, list(kept.values()))

    def _is_visible(self, message: Any) -> bool:
        dm = self._owner and self._owner.user.dm_channel
        hidden = dm and message.channel_id == dm.id
        return not hidden and any(message.visible_to(user.id) for user in self.others)

    def _attach(self, name: str, description: str | None, content: bytes) -> None:
        kind = name.rpartition(".")[2]
        if kind == "png":
            summary = f"{len(content)} bytes {hashlib.sha256(content).hexdigest()[:16]}"
        elif kind == "gif":
            summary = " ".join(_frames(content))
        else:
            kind, written = "", content.decode()
            summary = f"{len(RANDOM.sub('#', written))} characters {written}"
        self._attached[kind].append(f"{self.act} | {name} {description} {summary}")

    def skip(self) -> None:
        """Leave out the messages sent since the last call: the end of a match, which is open."""
        texts = [(lines, len(lines)) for lines in self._requests]
        files = {*self._attached}
        lengths = {kind: len(self._attached[kind]) for kind in files}
        self.note()
        for lines, length in texts:
            del lines[length:]
        for kind, length in lengths.items():
            del self._attached[kind][length:]

    def look(self) -> None:
        """Note what the others see now."""
        rename = Renaming()
        self._seen += sorted(rename(words_of(message)) for message in self._visible())

    async def told(self) -> Told:
        """Return all of it; numbers of Discord's count from their first mention."""
        self.note()
        outbox, timers = [await self._noted(name) for name in ("outbox", "timers")]
        rename = Renaming()
        return Told(
            requests=[rename(line) for lines in self._requests for line in lines],
            pictures=self._attached["png"],
            animations=self._attached["gif"],
            files=[rename(line) for line in self._attached[""]],
            seen=self._seen,
            outbox=[rename(line) for line in outbox],
            timers=timers,
            workers=self.asked,
            logs=sorted(RANDOM.sub("#", line) for line in self._logs.lines),
        )

    async def _noted(self, table: str) -> list[str]:
        """Return all rows that a table ever had, without their numbers."""
        rows: Select[Any] = select(literal_column("*")).select_from(table_named(f"noted_{table}"))
        query = rows.order_by(literal_column("number"))
        async with self.stage.database.read() as connection:
            return [str(tuple(row)[1:]) for row in await connection.execute(query)]


def _frames(content: bytes) -> Iterator[str]:
    """Yield the size and hash of all frames of an animation but for the last one."""
    with Image.open(BytesIO(content)) as image:
        yield str(image.size)
        for number in range(max(1, getattr(image, "n_frames", 1) - 1)):
            image.seek(number)
            yield hashlib.sha256(image.convert("RGB").tobytes()).hexdigest()[:16]


class Renaming:
    """Counts the numbers of Discord's from their first mention."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, line: str) -> str:
        """Return a line that is the same in both worlds if nothing leaks."""
        return RANDOM.sub(self._counted, line)

    def _counted(self, number: re.Match[str]) -> str:
        return self._known.setdefault(number[0], f"#{len(self._known)}")


def words_of(message: Any) -> str:
    """Return all that a stored message shows, custom_ids and names of files included."""
    files = [
        (attachment["filename"], attachment["description"]) for attachment in message.attachments
    ]
    return f"{message.content} {json.dumps(message.components)} {files}"


class Logs(logging.Handler):
    """Keep the lines that a host would read at DEBUG, and errors."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.addFilter(_mark)
        self.setFormatter(Lines())

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line of the bot's own, without the time."""
        if record.levelno >= logging.ERROR:
            self.errors.append(self.format(record))
        if record.name.startswith("bot."):
            self.lines.append(TIMES.sub("", self.format(record)))


@contextmanager
def chatty_logs() -> Iterator[Logs]:
    """Keep the log of the block, at the most verbose level that a host can choose."""
    root, bot_logger, kept = logging.getLogger(), logging.getLogger("bot"), Logs()
    level, before = root.level, bot_logger.level
    root.addHandler(kept)
    root.setLevel(logging.INFO)
    bot_logger.setLevel(logging.DEBUG)
    try:
        yield kept
    finally:
        root.removeHandler(kept)
        root.setLevel(level)
        bot_logger.setLevel(before)
