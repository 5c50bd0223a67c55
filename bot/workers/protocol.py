"""The answers of workers: a line with a JSON object, after which bytes may follow."""

from __future__ import annotations

DATA = "data"
"""In an answer, the number of bytes that follow its line; `Worker.exchange` returns them for it.

As text in JSON, a picture would take the event loop half a millisecond.
"""
