"""docs/hosts/hosting.md tells of every setting and command, and of no others."""

from __future__ import annotations

import re

from bot.app.cli import main
from bot.app.settings import Settings
from tests.support.command import ROOT

TEXT = (ROOT / "docs" / "hosts" / "hosting.md").read_text("utf-8")

NOT_FOR_HOSTS = {"engine", "sandbox"}


def test_every_setting_is_told_with_its_default() -> None:
    told = dict(re.findall(r"^\| `([A-Z_]+)` \|([^|]*)\|", TEXT, re.MULTILINE))
    settings = {
        name.upper(): "" if name == "discord_token" else str(field.default or "")
        for name, field in Settings.model_fields.items()
    }
    assert {name: default.strip(" `") for name, default in told.items()} == settings


def test_every_command_is_told() -> None:
    told = set(re.findall(r"^\| `starpost (\w+)", TEXT, re.MULTILINE))
    assert told == set(main.commands) - NOT_FOR_HOSTS
