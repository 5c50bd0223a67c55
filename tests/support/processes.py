"""The processes of pytest: how many `pytest -n auto` starts, and how they look for garbage.

This is a plugin of pytest, named in pyproject.toml.
"""

from __future__ import annotations

import gc
import os

import pytest

GARBAGE_THRESHOLD = 10_000
"""Number of new objects after which Python looks for garbage, as in the bot."""


@pytest.hookimpl(optionalhook=True, tryfirst=True)  # before that of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Return three processes for two cores: a test often waits for a thread or another process."""
    return 3 * (os.cpu_count() or 1) // 2


def pytest_configure() -> None:
    """Do not look for garbage while tests are collected: all that is made then stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage as seldom as the bot, and only in what the tests have made."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(GARBAGE_THRESHOLD)
