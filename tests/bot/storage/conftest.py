"""Fixtures of the storage tests."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def backend(request: pytest.FixtureRequest) -> str:
    """Name the database: storage is tested on both in every tier."""
    name: str = request.param
    return name
