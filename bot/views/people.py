"""What the bot says about itself, about somebody's data, and about the settings of a server."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from importlib.metadata import metadata
from typing import Any, NamedTuple

import discord
from discord import ui

from bot.i18n import current
from bot.rulebook.book import read, titles
from bot.services.clocks import OFFERED
from bot.services.servers import LANGUAGES, THREADS, ServerSettings
from bot.services.vacation import ALLOWANCE_DAYS, PERIOD_DAYS, Leave
from bot.text import escape
from bot.views.confirmations import cancel_button
from bot.views.message import Message, note
from render.i18n import _, later, plural

NAME = "starpost.json"

KEPT = later("""**What I keep of you, and why**
- Your Discord number and your name at each seat you have taken: so I know whose turn it is.
- Your choices in matches, when you made them, and words that you gave for the dice: they are the \
match, and its record.
- What you have chosen in `/settings`, the language of your Discord, until when you are away, how \
long you were away in the last year, how far you are in `/howto`, and whether my DMs reach you: so \
I write to you as you like it.
- The servers, channels and messages where your matches are: so I can go on there.

I read no messages. All of it lies in one database of whoever runs me, goes to nobody else, and \
stays until you delete it; backups of that database are replaced in time. After a deletion I \
keep a scrambled form of your number, only so that a restored backup does not bring you back. \
What I have posted on Discord stays there.""")


def about(contact: str) -> Message:
    """Who the bot is, whose the games are, and where to report a problem.

    Args:
        contact: of whoever runs the bot; empty if they give none.
    """
    known = metadata("starpost")
    links = [each.partition(", ")[2] for each in known.get_all("Project-URL") or ()]
    source = _("Its source is open, under the {licence} licence.")
    lines = [
        _("**Starpost {version}**: Slow-burn space board games, played by post in Discord.").format(
            version=known["Version"]
        ),
        " ".join([source.format(licence=known["License-Expression"]), *links]),
        "\n".join(f"- {_credit(game)}" for game in titles()),
        _("**A problem?** Tell whoever runs me: {contact}").format(contact=contact)
        if contact
        else _("**A problem?** Tell whoever brought me here."),
    ]
    return note("\n\n".join(lines))


def _credit(game: str) -> str:
    """Who made a game: how its book's credits begin."""
    section = read(game, current()).find("credits")
    return section.text.partition("\n\n")[0] if section else titles()[game]


def privacy() -> Message:
    """What is stored, and what one can do about it."""
    row = ui.ActionRow[Any](
        ui.Button(label=_("Export my data"), custom_id="export"),
        ui.Button(
            label=_("Delete my data"), custom_id="erase:ask", style=discord.ButtonStyle.danger
        ),
    )
    return note(_(KEPT), row)


def export(data: Mapping[str, Any]) -> Message:
    """Everything about somebody, as a file for that person's eyes only."""
    written = json.dumps(data, indent=1, ensure_ascii=False).encode()
    file = discord.File(io.BytesIO(written), NAME, description=_("All that I store about you"))
    told = note(_("This is all that I store about you."), ui.File[Any](f"attachment://{NAME}"))
    return told._replace(files=(file,))


def confirm_erase(running: int) -> Message:
    """Ask once more.

    Args:
        running: how many matches would be given up.
    """
    lost = plural(
        "You give up {count} running match.", "You give up {count} running matches.", running
    )
    row = ui.ActionRow[Any](
        ui.Button(
            label=_("Delete it for good"),
            custom_id="erase:yes",
            style=discord.ButtonStyle.danger,
        ),
        cancel_button(),
    )
    sentences = [
        _("Shall I forget you?"),
        *([lost.format(count=running)] if running else []),
        _(
            "Your challenges are withdrawn, your seats become those of a deleted player, and your "
            "settings go. This cannot be taken back."
        ),
    ]
    return note(" ".join(sentences), row)


def server(chosen: ServerSettings) -> Message:
    """What a server has chosen, each with its list."""
    channels = ui.ChannelSelect[Any](
        custom_id="server:channels",
        channel_types=[discord.ChannelType.text, discord.ChannelType.news],
        placeholder=_("In every channel"),
        min_values=0,
        max_values=25,
        default_values=[discord.Object(each) for each in chosen.channels],
    )
    role = ui.RoleSelect[Any](
        custom_id="server:role",
        placeholder=_("Everybody"),
        min_values=0,
        default_values=[discord.Object(chosen.role)] if chosen.role else [],
    )
    clocks = _one_of("clock", {words: words for words in OFFERED}, _clock_words(chosen.clock))
    threads = _one_of("threads", THREADS, "on" if chosen.threads else "off")
    language = _one_of("language", LANGUAGES, chosen.language)
    return note(
        _("**Matches on this server.** What runs already goes on as it is.\nWhere they may begin:"),
        ui.ActionRow(channels),
        ui.TextDisplay(_("Who may play:")),
        ui.ActionRow(role),
        ui.TextDisplay(_("Time to think, if whoever begins says nothing:")),
        ui.ActionRow(clocks),
        ui.TextDisplay(_("Where they go on:")),
        ui.ActionRow(threads),
        ui.TextDisplay(_("The language of what everybody sees:")),
        ui.ActionRow(language),
    )


def diagnosis(found: Diagnosis, left_out: int) -> Message:
    """What keeps the bot from playing on a server.

    Args:
        found: what is told.
        left_out: how many channels were not looked at.
    """
    lines = [_("**How I am set up here**"), *map(escape, found.lines)]
    if left_out:
        more = plural(
            "{count} more channel is left out; name it to have it looked at.",
            "{count} more channels are left out; name one to have it looked at.",
            left_out,
        )
        lines.append(more.format(count=left_out))
    return note("\n".join(lines))


def vacation(leave: Leave) -> Message:
    """Return until when a player is away, and how long they can be away after that."""
    if leave.until is None:
        first = _("You are not away; `/vacation days:5` makes your clocks stand still for 5 days.")
    else:
        first = _(
            "You are away until {date}, and your clocks stand still; play all the same whenever "
            "you like. `/vacation days:0` ends it."
        ).format(date=f"<t:{int(leave.until)}:D>")
    left = _("-# You have {days} of {allowance} days left, counted over {period} days.")
    fields = {"days": leave.days, "allowance": ALLOWANCE_DAYS, "period": PERIOD_DAYS}
    return note(f"{first}\n{left.format(**fields)}")


def too_long(days: int) -> str:
    """Return why a player cannot be away that long."""
    sentence = _(
        "You can be away for {allowance} days in {period}, and now for at most {days}; nothing has "
        "changed."
    )
    return sentence.format(days=days, allowance=ALLOWANCE_DAYS, period=PERIOD_DAYS)


def _clock_words(clock: str) -> str:
    return next(words for words, notation in OFFERED.items() if notation == clock)


def _one_of(name: str, values: Mapping[str, str], now: str) -> ui.Select[Any]:
    """A list of value → words, of which one is chosen."""
    options = [
        discord.SelectOption(label=_(words), value=value, default=value == now)
        for value, words in values.items()
    ]
    return ui.Select[Any](custom_id=f"server:{name}", options=options)


class Diagnosis(NamedTuple):
    """What was found.

    Attributes:
        lines: sentences for people.
        healthy: whether a match can be played in each of the channels.
    """

    lines: list[str]
    healthy: bool
