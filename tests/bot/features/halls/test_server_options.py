"""The settings of halls: which role may be called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.halls.server_options import _require_callable
from bot.interactions.replies import UserError
from tests.support.visitors import Server


def test_everyone_is_not_called_for_open_seats() -> None:
    asked: Any = Server().interaction(7)
    everyone = asked.guild.default_role
    everyone.mentionable = True
    guild = SimpleNamespace(me=asked.user, get_role=asked.guild.get_role)
    asked.guild = guild
    with pytest.raises(UserError, match="can't ping this role for open seats"):
        _require_callable(asked, everyone.id)
    _require_callable(asked, 0)  # no role at all


def test_deleted_role_is_not_called_for_open_seats() -> None:
    with pytest.raises(UserError, match="can't ping this role for open seats"):
        _require_callable(Server().interaction(7), 99)
