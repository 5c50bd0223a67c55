"""The window with a group of settings."""

from __future__ import annotations

from typing import Any

from bot.services.preferences import DEFAULTS, GROUPS, PREFERENCES
from bot.views.preferences import window
from tests.support.harness import Stage, words
from tests.support.interactions import fire, payload

MAX_CONTROLS, MAX_OPTIONS = 5, 10
"""Maximum number of controls in a window, and of options of each, by Discord."""


def test_each_setting_is_in_one_window() -> None:
    grouped = [key for _, keys in GROUPS.values() for key in keys]
    assert sorted(grouped) == sorted(PREFERENCES)
    for group in GROUPS:
        labels: list[Any] = window(DEFAULTS, group).to_dict()["components"]
        assert len(labels) <= MAX_CONTROLS
        assert all(2 <= len(label["component"]["options"]) <= MAX_OPTIONS for label in labels)
        for label in labels:
            defaults = [option for option in label["component"]["options"] if option.get("default")]
            assert [o["value"] for o in defaults] == [DEFAULTS[label["component"]["custom_id"]]]


async def test_several_settings_are_chosen_at_once(stage: Stage) -> None:
    answer = await stage.prefer(stage.ada, theme="light", animation="on", turned="on")
    text = words(answer.response)
    assert "Theme of my boards: **Light**" in text
    assert "when I open my board: **Also an animation**" in text
    preferences = await stage.client.context.preferences.preferences(stage.ada.id)
    assert (preferences["theme"], preferences["turned"], preferences["orientation"]) == (
        "light",
        "on",
        "public",
    )


async def test_a_language_is_used_at_once(stage: Stage) -> None:
    answer = await stage.prefer(stage.ada, language="de")
    assert "Deine Einstellungen" in words(answer.response)


async def test_a_value_that_is_not_offered_changes_nothing(stage: Stage) -> None:
    challenge = await stage.challenge()
    before = await stage.client.context.preferences.preferences(stage.ada.id)
    good = {"type": 21, "custom_id": "theme", "value": "light"}
    for name, value in (("theme", "pink"), ("blocked", "1"), ("zone", "Mars")):
        bad = {"type": 21, "custom_id": name, "value": value}
        parts = [{"type": 18, "component": component} for component in (good, bad)]
        record, data = payload(stage, stage.ada, challenge, "accept:")
        data |= {"type": 5, "data": {"custom_id": "preferred", "components": parts}}
        assert (await fire(stage, (record, data))).ephemeral
    assert await stage.client.context.preferences.preferences(stage.ada.id) == before
