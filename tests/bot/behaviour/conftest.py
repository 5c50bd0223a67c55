"""Fixtures of the long tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[object], None]:
    """Print a line even if the test passes."""

    def tell(line: object) -> None:
        with capsys.disabled():
            print(f"\n{line}")  # noqa: T201 - the numbers are what these tests are for

    return tell
