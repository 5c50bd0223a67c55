"""docs/hosts/hosting.md lists every setting and command, and no others."""

from __future__ import annotations

import re
from typing import Literal, get_args, get_origin

import yaml

from bot.app.cli import main
from bot.app.settings import Settings
from tests.support.command import ROOT
from tools.settings import written

TEXT = (ROOT / "docs" / "hosts" / "hosting.md").read_text("utf-8")

NOT_FOR_HOSTS = {"engine", "sandbox"}


def test_table_of_settings_is_made_from_their_definitions() -> None:
    assert all(field.description for field in Settings.model_fields.values())
    assert written(TEXT) == TEXT, "run make settings"


def test_settings_with_fixed_values_name_exactly_these() -> None:
    told = dict(re.findall(r"^\| `([A-Z_]+)` \|[^|]*\|([^|]*)\|", TEXT, re.MULTILINE))
    fixed = {
        name.upper(): [*get_args(field.annotation)]
        for name, field in Settings.model_fields.items()
        if get_origin(field.annotation) is Literal
    }
    assert fixed
    assert {name: re.findall(r"`(\w+)`", told[name]) for name in fixed} == fixed


def test_container_section_names_the_settings_it_takes() -> None:
    section = TEXT.partition("\n### A container\n")[2].partition("\n### ")[0]
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    given = compose["services"]["starpost"]["environment"].items()
    taken = {name for name, value in given if value == f"${{{name}:-}}"}
    assert set(re.findall(r"`([A-Z_]+)`", section)) == taken


def test_every_command_is_documented() -> None:
    told = set(re.findall(r"^\| `starpost (\w+)", TEXT, re.MULTILINE))
    assert told == set(main.commands) - NOT_FOR_HOSTS
