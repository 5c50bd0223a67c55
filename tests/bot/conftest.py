"""The stage for tests of the whole bot."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.client import Starpost
from bot.run import opened
from bot.storage.database import Database
from tests.bot.stage import Stage, actor_bot


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A migrated database file."""
    async with opened(f"sqlite+aiosqlite:///{tmp_path / 'stage.db'}") as made:
        yield made


@pytest.fixture
def simcord_bot(database: Database) -> Starpost:
    """The bot that simcord's own fixture starts."""
    return actor_bot(database)


@pytest.fixture
def stage(simcord_env: Any, database: Database) -> Stage:
    """A whole bot on a simulated Discord, with three people and a channel."""
    return Stage(simcord_env, database)
