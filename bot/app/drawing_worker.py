"""A process that draws pictures for the bot: JSON objects, one a line; see `bot.app.drawing`."""

from __future__ import annotations

import json
import pickle
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from time import perf_counter

from bot.i18n import catalogue
from render.i18n import using


def serve(lines: Iterable[str]) -> Iterator[str]:
    """Answer requests, one line each.

    A picture that cannot be drawn is answered without one: the bot then draws it itself and gets
    the error where it can be handled, while other pictures are still drawn here.
    """
    for line in lines:
        request = json.loads(line)
        if request["do"] == "hello":
            yield "{}"
            continue
        begin = perf_counter()
        work = pickle.loads(b64decode(request["work"]))  # noqa: S301 - from the bot itself
        try:
            with using(catalogue(request["language"])):
                picture = b64encode(work()).decode()
        except Exception:  # noqa: BLE001 - raised again in the bot
            yield "{}"
            continue
        yield json.dumps({"picture": picture, "seconds": perf_counter() - begin})


if __name__ == "__main__":
    for answer in serve(sys.stdin):
        print(answer, flush=True)  # noqa: T201 - this is the protocol
