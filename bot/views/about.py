"""`/help`: where to begin; behind it the bot, the authors of the games, whom to contact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import metadata

from bot.i18n import ENGLISH, current_language
from bot.rulebook.book import read, titles
from bot.version import version
from bot.views import ui
from bot.views.computers import play_now
from bot.views.controls import button
from bot.views.custom_ids import AboutId
from bot.views.message import Message, note
from bot.views.policies import Policies
from render.i18n import N_, _

HELP = (
    N_(
        "**Play:** `/play` starts a match, against people or the computer. `/games` lists your "
        "matches and open seats."
    ),
    N_("**Learn:** `/howto` teaches a game in a few steps. `/rules` has all rules."),
    N_(
        "**Move:** with the buttons below the board. `/board` shows it again, and `/plan` decides "
        "your next moves in advance."
    ),
    N_("**Change your mind:** `/takeback`, `/draw`, `/resign`."),
    N_(
        "**Stuck?** *Hint* shows a good move in casual matches against the computer; between "
        "people there are no hints, to keep them fair. *Suggest* fills in a setup for any player, "
        "in all casual matches."
    ),
    N_(
        "**More:** *Match…* below the board nudges, ends a match without a result, or moves it "
        "here from another channel, and keeps your private notes."
    ),
    N_(
        "**Afterwards:** `/replay` shows a match again. *Match…* there verifies the dice, and "
        "opens records."
    ),
)
"""Things to do, in the order that newcomers need."""

HELP_AT_THE_END = (
    N_("**Yours:** `/settings` for language and reminders, `/vacation`, `/privacy`."),
    N_("**For moderators:** `/server`, with *Check this server* if something doesn't work."),
)
"""Things to do besides playing."""


def first_steps(feature_lines: Sequence[str] = (), *, computers: bool) -> Message:
    """Return the first steps for newcomers, with a button for a match in each game.

    Args:
        feature_lines: the lines of features, untranslated.
        computers: whether the computer can play.
    """
    rows = play_now() if computers else []
    more = ui.ActionRow(button(_("About Starpost"), AboutId()))
    lines = [*map(_, (*HELP, *feature_lines, *HELP_AT_THE_END)), *_first_match_line()]
    return note("\n".join(lines), *rows, more)


def _first_match_line() -> list[str]:
    """Return the line with the page about a first match, in the reader's language if there is one.

    Only a release knows where its pages are; see `hatch_build.py`.
    """
    pages = (f"First match ({language})" for language in (current_language(), ENGLISH))
    address = next((_addresses()[page] for page in pages if page in _addresses()), "")
    words = _("**A first match, with pictures:** {address}")
    return [words.format(address=address)] if address else []


@cache
def _addresses() -> Mapping[str, str]:
    """Return name → address of the pages of the project, as far as they are known."""
    entries = metadata("starpost").get_all("Project-URL") or ()
    return dict(entry.split(", ", 1) for entry in entries)


def about(contact: str, policies: Policies) -> Message:
    """Return a description of the bot and its games, and where to report a problem.

    Args:
        contact: the host's contact; empty if there is none.
    """
    source = _("Open source (MIT; fonts under the OFL).")
    lines = [
        _("**Starpost {version}**: slow-burn, play-by-post space board games for Discord.").format(
            version=version()
        ),
        " ".join(filter(None, [source, _addresses().get("Source")])),
        "\n".join(f"- {_credit(game)}" for game in titles()),
        _("**A problem?** Contact my host: {contact}").format(contact=contact)
        if contact
        else _("**A problem?** Tell the person who invited me."),
        *policies.lines(),
    ]
    return note("\n\n".join(lines))


def _credit(game: str) -> str:
    """Return the authors of a game: the first paragraph of its book's credits."""
    section = read(game, current_language()).find("credits")
    return section.text.partition("\n\n")[0] if section else titles()[game]
