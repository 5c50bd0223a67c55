"""The bot's presentation of itself."""

from __future__ import annotations

import re
from email.message import Message
from typing import Any

import pytest

from bot.app.registry import FEATURES, help_lines
from bot.i18n import catalogue, languages
from bot.views import about
from bot.views.policies import Policies
from engine import games
from render.i18n import using
from tests.support.harness import Stage, words
from tests.support.limits import check_limits, components

POLICIES = Policies("https://a.test/terms", "https://a.test/privacy")


async def ask(stage: Stage) -> Any:
    """Click *About Starpost* in `/help`."""
    first = await stage.ada.slash(stage.channel, "help")
    answer = await stage.click(stage.ada, first.response, "about")
    assert answer.response.id == first.response.id
    return answer


async def test_about_names_the_version_the_licence_and_the_authors(stage: Stage) -> None:
    answer = await ask(stage)
    assert answer.response.ephemeral
    text = words(answer.response)
    for word in (
        "Starpost 0.",
        "MIT",
        "Hale-Evans",
        "Greg Lam",
        "Goslar",
        "the person who invited me",
    ):
        assert word in text


async def test_about_gives_the_contact_of_the_host(stage: Stage) -> None:
    vars(stage.client.context)["contact"] = "ada@example.org"
    answer = await ask(stage)
    assert "Contact my host: ada@example.org" in words(answer.response)


async def test_about_and_privacy_link_the_policies_of_the_portal(stage: Stage) -> None:
    application = stage.client.application
    assert application
    answers = [await ask(stage), await stage.ada.slash(stage.channel, "privacy")]
    assert not [answer for answer in answers if "of my host:" in words(answer.response)]
    application.terms_of_service_url, application.privacy_policy_url = POLICIES
    for answer in (await ask(stage), await stage.ada.slash(stage.channel, "privacy")):
        text = words(answer.response)
        assert f"Terms of service of my host:** {POLICIES.terms}" in text
        assert f"Privacy policy of my host:** {POLICIES.privacy}" in text


async def test_help_leads_to_a_match(stage: Stage) -> None:
    answer = await stage.ada.slash(stage.channel, "help")
    assert answer.ephemeral
    text = words(answer.response)
    commands = set(re.findall(r"`/([a-z]+)", text))
    assert commands <= {command.name for command in stage.client.tree.get_commands()}
    assert len(commands) > 10


async def test_help_names_only_features_that_the_bot_has(stage: Stage) -> None:
    named = {feature.name: feature.help_line for feature in FEATURES if feature.help_line}
    assert named.keys() == {"analyses", "cups", "daily", "leaderboards", "profiles"}
    text = words((await stage.ada.slash(stage.channel, "help")).response)
    assert all(line in text.splitlines() for line in named.values())
    left_out = [feature for feature in FEATURES if feature.name != "cups"]
    lines = help_lines(left_out).lines
    assert named["cups"] not in lines
    assert set(lines) == set(named.values()) - {named["cups"]}


def test_help_says_where_hints_are() -> None:
    assert "between people there are no hints" in str(components(about.first_steps(computers=True)))


def test_help_ends_with_settings_after_the_lines_of_features() -> None:
    (text, *_rows) = components(about.first_steps(["**Feature:** new"], computers=True))
    lines = text["content"].splitlines()
    assert lines.index("**Feature:** new") == len(lines) - 3
    assert lines[-1].startswith("**For moderators:**")


@pytest.mark.parametrize(
    ("language", "page"),
    [("en", "first-match.md"), ("de", "de/first-match.md"), ("pl", "first-match.md")],
)
def test_help_links_the_page_in_the_readers_language(
    language: str, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Message()
    for tag, path in (("en", ""), ("de", "de/")):
        url = f"First match ({tag}), https://a.test/docs/players/{path}first-match.md"
        package["Project-URL"] = url
    monkeypatch.setattr(about, "metadata", lambda _name: package)
    about._addresses.cache_clear()
    try:
        with using(catalogue(language)):
            (text, *_rows) = components(about.first_steps(computers=True))
    finally:
        about._addresses.cache_clear()
    assert text["content"].endswith(f" https://a.test/docs/players/{page}")


def test_help_has_a_match_in_each_game_if_the_computer_plays() -> None:
    with_computer = about.first_steps(computers=True)
    check_limits(with_computer)
    assert all(f"now:{name}" in str(components(with_computer)) for name in games.names())
    assert "now:" not in str(components(about.first_steps(computers=False)))


def test_about_keeps_to_the_limits_in_every_language() -> None:
    texts = []
    for language in languages():
        with using(catalogue(language)):
            check_limits(about.about("x" * 200, POLICIES))
            texts.append(str(components(about.about("", Policies()))))
    assert len(set(texts)) == len(texts)
