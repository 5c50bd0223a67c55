"""`/about`: the bot, the authors of the games, and where to report a problem."""

from __future__ import annotations

from importlib.metadata import metadata

from bot.i18n import current_language
from bot.rulebook.book import read, titles
from bot.views.message import Message, note
from render.i18n import _


def about(contact: str) -> Message:
    """Return a description of the bot and its games, and where to report a problem.

    Args:
        contact: the host's contact; empty if there is none.
    """
    known = metadata("starpost")
    links = [each.partition(", ")[2] for each in known.get_all("Project-URL") or ()]
    source = _("Open source, under the {licence} licence.")
    lines = [
        _("**Starpost {version}**: slow-burn, play-by-post space board games for Discord.").format(
            version=known["Version"]
        ),
        " ".join([source.format(licence=known["License-Expression"]), *links]),
        "\n".join(f"- {_credit(game)}" for game in titles()),
        _("**A problem?** Contact my host: {contact}").format(contact=contact)
        if contact
        else _("**A problem?** Tell the person who invited me."),
    ]
    return note("\n\n".join(lines))


def _credit(game: str) -> str:
    """Return the authors of a game: the first paragraph of its book's credits."""
    section = read(game, current_language()).find("credits")
    return section.text.partition("\n\n")[0] if section else titles()[game]
