"""Check that the dice of a match follow from its seed, as docs/players/dice.md describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.support.described import check
from tests.verification.kills.audit_log import AuditLog

MATCH = "SELECT game, options, seed, salt, commitment, lines_taken_over FROM matches WHERE id=?"

LINES = "SELECT line FROM actions WHERE match_id=? AND undone_at IS NULL ORDER BY number"


def wrong_dice(log: AuditLog, match: int) -> str:
    """Return the first line of a match that does not follow from its seed; empty if there is none.

    The computation shares no code with the bot and the engine.
    """
    ((game, options, seed, salt, commitment, taken_over),) = log.rows(MATCH, match)
    headers = {
        "Game": game,
        "Options": " ".join(f"{name}={value}" for name, value in _mapping(options).items()),
        "Seed": bytes(seed).hex(),
        "Salt": salt,
        "Dice": commitment,
        "Taken over": taken_over,
    }
    head = "\n".join(f"{name}: {value}" for name, value in headers.items())
    lines = "\n".join(line for (line,) in log.rows(LINES, match))
    try:
        check(f"{head}\n\n{lines}", commitment)
    except AssertionError as error:
        return str(error) or "its commitment"
    return ""


def _mapping(options: Any) -> Mapping[str, str]:
    """Return options as SQLite and PostgreSQL give them."""
    mapping: Mapping[str, str] = json.loads(options) if isinstance(options, str) else options or {}
    return mapping
