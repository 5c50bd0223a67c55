"""A world whose story can be told twice, with other hidden values of Ada's.

`Watcher` notes all that others than Ada can read, and what is stored and logged on the way.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, NamedTuple

from PIL import Image
from sqlalchemy import text

from bot.logs import Lines, _mark
from tests.bot.stage import Stage

EPHEMERAL = 64
RANDOM = re.compile(
    r"\b\d{18,19}\b|(?<='nonce': ')[0-9a-f]{24}|(?<='id': )\d{10}\b|(?<=\"id\": )\d{10}\b"
)
"""What differs between two worlds: ids of Discord's, and the nonces and marks of deliveries."""

TIMES = re.compile(r"^[\dT:.-]+Z |(after|in) [\d.]+ m?s|the clock was set by -?\d+ s")
"""What differs between two logs."""

MESSAGE, AUTOCOMPLETE = 4, 8
"""Types of answers that say by themselves whether they are private."""

NOTED = """
CREATE TRIGGER queued_{name} AFTER {event} ON outbox BEGIN
    INSERT INTO queued (match_id, target, kind, what, error)
    VALUES (NEW.match_id, NEW.target, NEW.kind, NEW.what, NEW.error);
END
"""
QUEUED = (
    "CREATE TABLE queued (number INTEGER PRIMARY KEY, match_id, target, kind, what, error)",
    NOTED.format(name="new", event="INSERT"),
    NOTED.format(name="changed", event="UPDATE OF what, error"),
)
"""Keeps what was ever in the outbox."""


class Told(NamedTuple):
    """All that a story has told to others than Ada.

    Attributes:
        texts: requests to Discord with texts, alt texts, names of files and custom_ids.
        pictures: size and hash of each board.
        films: size and hash of each frame of each animation, but for the last one: a finished
            match is open.
        files: name and content of each other file.
        seen: what the others see before the end of the match.
        outbox: every row there ever was.
        logs: every line at DEBUG; between tasks no order is promised.
    """

    texts: list[str]
    pictures: list[str]
    films: list[str]
    files: list[str]
    seen: list[str]
    outbox: list[str]
    logs: list[str]


class Watcher:
    """Writes down what others than Ada can read, in order."""

    def __init__(self, stage: Stage, others: tuple[Any, ...], logs: Logs) -> None:
        self.stage = stage
        self.others = others
        self._logs = logs
        self._read = len(stage.env.http_requests)
        self._files: set[str] = set()
        self._answers: list[str] = []
        self._sent: list[str] = []
        self._seen: list[str] = []
        self._attached: dict[str, list[str]] = {"png": [], "gif": [], "": []}

    async def keep_outbox(self) -> None:
        """Have the database keep what was ever in the outbox."""
        async with self.stage.database.write() as connection:
            for statement in QUEUED:
                await connection.execute(text(statement))

    def note(self) -> None:
        """Write down all requests and files since the last time."""
        requests = self.stage.env.http_requests[self._read :]
        self._read += len(requests)
        for request in requests:
            if not self._is_adas(request):
                answer = request.path.startswith(("/interactions", "/webhooks"))
                line = f"{request.method} {request.path} {request.json}"
                (self._answers if answer else self._sent).append(line)
        self._note_files()

    def _is_adas(self, request: Any) -> bool:
        """Return whether only Ada can read what a request brings."""
        own = self.stage.ada.user.dm_channel
        if own and request.path.startswith(f"/channels/{own.id}/"):
            return True
        record = self._interaction(request.path)
        if record is None or record.user_id != self.stage.ada.id:
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
        known = self.stage.env.backend.interactions
        if found := re.match(r"/interactions/(\d+)/", path):
            return known[int(found[1])]
        if found := re.match(r"/webhooks/\d+/([^/]+)", path):
            return next(each for each in known.values() if each.token == found[1])
        return None

    def _message(self, channel_id: int, message_id: int) -> Any:
        return self.stage.env.backend.messages.get(channel_id, {}).get(message_id)

    def _visible(self) -> Iterator[Any]:
        """All messages that others than Ada can see."""
        own = self.stage.ada.user.dm_channel
        for channel_id, kept in sorted(self.stage.env.backend.messages.items()):
            if own and channel_id == own.id:
                continue
            for message in list(kept.values()):
                if any(message.visible_to(each.id) for each in self.others):
                    yield message

    def _note_files(self) -> None:
        for message in self._visible():
            for file in message.attachments:
                if file["id"] not in self._files:
                    self._files.add(file["id"])
                    content = self.stage.env.backend.cdn.get(file["url"])
                    self._attach(file["filename"], file["description"], content)

    def _attach(self, name: str, description: str | None, content: bytes) -> None:
        kind = name.rpartition(".")[2]
        if kind in ("png", "gif"):
            told = " ".join(_frames(content))
        else:
            kind, told = "", content.decode()
        self._attached[kind].append(f"{name} {description} {told}")

    def skip(self) -> None:
        """Leave out what was sent since the last time: the end of a match, which is open."""
        texts, files = (len(self._sent), len(self._answers)), {*self._attached}
        lengths = {kind: len(self._attached[kind]) for kind in files}
        self.note()
        del self._sent[texts[0] :], self._answers[texts[1] :]
        for kind, length in lengths.items():
            del self._attached[kind][length:]

    def look(self) -> None:
        """Note what the others see now."""
        rename = Renaming()
        self._seen += sorted(rename(words_of(message)) for message in self._visible())

    async def told(self) -> Told:
        """Return all of it; numbers of Discord's count from their first mention."""
        self.note()
        async with self.stage.database.read() as connection:
            rows = (await connection.execute(text("SELECT * FROM queued ORDER BY number"))).all()
        rename = Renaming()
        return Told(
            texts=[rename(line) for line in (*self._sent, *self._answers)],
            pictures=self._attached["png"],
            films=self._attached["gif"],
            files=[rename(line) for line in self._attached[""]],
            seen=self._seen,
            outbox=[rename(str(tuple(row))) for row in rows],
            logs=sorted(RANDOM.sub("#", line) for line in self._logs.lines),
        )


def _frames(content: bytes) -> Iterator[str]:
    """Size and hash of a picture, or of all frames of an animation but for the last one."""
    with Image.open(BytesIO(content)) as image:
        yield str(image.size)
        count = getattr(image, "n_frames", 1)
        for number in range(max(1, count - 1)):
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
    files = [(each["filename"], each["description"]) for each in message.attachments]
    return f"{message.content} {json.dumps(message.components)} {files}"


class Logs(logging.Handler):
    """Keeps the lines that a host would read at DEBUG."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.addFilter(_mark)
        self.setFormatter(Lines())

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line of the bot's own, without what time it was."""
        if record.name.startswith("bot."):
            self.lines.append(TIMES.sub("", self.format(record)))


@contextmanager
def chatty_logs() -> Iterator[Logs]:
    """Keep what is logged inside the block, at the chattiest level a host can choose."""
    root, own, kept = logging.getLogger(), logging.getLogger("bot"), Logs()
    level, before = root.level, own.level
    root.addHandler(kept)
    root.setLevel(logging.INFO)
    own.setLevel(logging.DEBUG)
    try:
        yield kept
    finally:
        root.removeHandler(kept)
        root.setLevel(level)
        own.setLevel(before)
