"""A process that draws pictures for the bot, see `bot.app.drawing` and `bot.workers.protocol`."""

from __future__ import annotations

import json
import pickle
import sys
from base64 import b64decode
from collections.abc import Iterable, Iterator
from time import perf_counter

from bot.i18n import catalogue
from bot.workers.protocol import DATA
from render.i18n import using


def serve(lines: Iterable[str]) -> Iterator[bytes]:
    """Answer requests, one line each; an answer is a line, and the picture.

    A picture that cannot be drawn is answered without one: the bot then draws it itself and gets
    the error where it can be handled, while other pictures are still drawn here.
    """
    for line in lines:
        request = json.loads(line)
        if request["do"] == "hello":
            yield b"{}\n"
            continue
        begin = perf_counter()
        work = pickle.loads(b64decode(request["work"]))  # noqa: S301 - from the bot itself
        try:
            with using(catalogue(request["language"])):
                picture = work()
        except Exception:  # noqa: BLE001 - raised again in the bot
            yield b"{}\n"
            continue
        answer = {DATA: len(picture), "seconds": perf_counter() - begin}
        yield json.dumps(answer).encode() + b"\n" + picture


if __name__ == "__main__":
    for answer in serve(sys.stdin):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
