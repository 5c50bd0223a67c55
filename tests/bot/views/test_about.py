"""Who the bot is."""

from __future__ import annotations

from bot.i18n import catalogue, languages
from bot.views import about
from render.i18n import using
from tests.support.harness import Stage, words
from tests.support.limits import check_limits, components


async def test_about_names_the_version_the_licence_and_the_authors(stage: Stage) -> None:
    answer = await stage.ada.slash(stage.channel, "about")
    assert answer.ephemeral
    told = words(answer.response)
    for word in (
        "Starpost 0.",
        "MIT",
        "Hale-Evans",
        "Greg Lam",
        "Goslar",
        "the person who invited me",
    ):
        assert word in told


async def test_about_gives_the_contact_of_the_host(stage: Stage) -> None:
    vars(stage.client.context)["contact"] = "ada@example.org"
    answer = await stage.ada.slash(stage.channel, "about")
    assert "Contact my host: ada@example.org" in words(answer.response)


def test_about_keeps_to_the_limits_in_every_language() -> None:
    told = []
    for language in languages():
        with using(catalogue(language)):
            check_limits(about.about("x" * 200))
            told.append(str(components(about.about(""))))
    assert len(set(told)) == len(told)
