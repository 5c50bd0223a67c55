"""The answers of workers: a line with a JSON object, after which bytes may follow.

Reports on the progress of a request come before its answer, a line each.
"""

from __future__ import annotations

DATA = "data"
"""In an answer, the number of bytes that follow its line; `Worker.exchange` returns them for it.

As text in JSON, a picture would take the event loop half a millisecond.
"""

REPORT = "step"
"""Key of a report on progress; an answer does not have it."""
