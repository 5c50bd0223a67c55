"""Simulations check matches that continue from a record."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from types import SimpleNamespace
from typing import Any

from tests.verification.kills.table import Table

STORED = """
CREATE TABLE matches (id, lines_taken_over);
CREATE TABLE seats (match_id, seat, user_id);
CREATE TABLE actions (match_id, number, line);
INSERT INTO matches VALUES (1, 3), (2, 0);
INSERT INTO seats VALUES (1, 'B', 11), (1, 'Y', -2);
INSERT INTO actions VALUES (1, 2, 'Y place y8a'), (1, 1, 'B place b8a'), (1, 3, 'B place b6a'),
    (1, 4, 'B place b4a'), (2, 1, 'B place b6b');
"""
"""A match that begins after three lines of a record, and an answer that the bot has made since."""


def test_people_have_made_the_lines_of_the_record_only() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(STORED)
        table: Any = SimpleNamespace(
            rows=lambda query, *values: [*connection.execute(query, values)]
        )
        assert Table.taken_over(table, 1) == ["place b8a", "place b6a"]
        assert Table.taken_over(table, 2) == []
