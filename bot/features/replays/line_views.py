"""The private board of a tried line."""

from __future__ import annotations

from functools import partial
from random import SystemRandom

import discord

from bot.domain.ids import NO_MATCH
from bot.domain.models import Perspective
from bot.features.replays.ids import LineActId, LineId, LinePartId
from bot.features.replays.tried_lines import TriedLine
from bot.views import ui
from bot.views.attachments import RECORD_FILE, picture_file, record_file
from bot.views.choices import panel
from bot.views.controls import ChoiceIds, button, choices, rows_of
from bot.views.custom_ids import GapId
from bot.views.images import Drawn
from bot.views.message import (
    COLOUR,
    COMPONENT_LIMIT,
    STORY_LIMIT,
    Message,
    count_components,
    gallery,
    layout_of,
)
from bot.views.names import escaped_names
from bot.views.origins import can_play_on, play_on_button
from bot.views.prepared import chosen
from bot.views.private_boards import OTHERS
from engine.game import Action
from render import for_game
from render.i18n import _, truncate

CONTAINER_AND_ROW = 2
"""Components around the buttons below the choices; the last buttons are left out without room."""

_ANY = SystemRandom().randrange


def board(
    line: TriedLine,
    drawn: Drawn,
    path: str = "",
    better: Action | None = None,
    *,
    computers: bool = False,
) -> Message:
    """Return the board of a tried line, with the choices of the user's seat.

    Args:
        drawn: its last position, in the user's style.
        path: the path to the choices to show, empty for all; see `bot.views.choices`.
        better: the choice that an analysis recommends here.
        computers: whether the computer can play.
    """
    perspective = Perspective(line.match, line.seat, line.view)
    picture = picture_file(perspective, drawn)
    items: list[ui.Item] = [ui.TextDisplay(_text(line, path)), gallery(picture)]
    caption = _("-# The record of this line, hidden because it has the secrets of all sides:")
    record: list[ui.Item] = [
        ui.TextDisplay(caption),
        ui.File(f"attachment://{RECORD_FILE}", spoiler=True),
    ]
    tools = _tools(line, computers=computers)
    if line.view.legal:
        room = COMPONENT_LIMIT - count_components([*items, *rows_of(tools), *record]) - OTHERS
        current_panel = panel(line.view, path, drawn.style, room=room)
        items += choices(current_panel, _ids(line), drawn.emojis)
        items += rows_of([_form_button(line, form) for form in current_panel.forms])
        if better in line.view.legal:
            tools = [_better_button(line, better), *tools]
        if current_panel.back is not None:
            tools = [button(_("Back"), _ids(line).part(current_panel.back)), *tools]
    free = COMPONENT_LIMIT - count_components([*items, *record]) - CONTAINER_AND_ROW
    items += [*rows_of(tools[:free]), *record]
    container = ui.Container(*items, accent_colour=COLOUR)
    files = (picture, record_file(line.record, RECORD_FILE))
    return Message(layout_of(container), files)


def _text(line: TriedLine, path: str) -> str:
    renderer, view, names = for_game(line.match.game), line.view, escaped_names(line.match)
    lines = [
        _("**Trying a line.** Nothing here counts, and the dice are new."),
        *([renderer.story(view, names)] if line.before is not None else []),
        renderer.prompt(view, names),
        *([_("-# The computer is thinking …")] if line.waits_for else []),
        *chosen(view, path),
    ]
    return truncate("\n".join(filter(None, lines)), STORY_LIMIT)


def _ids(line: TriedLine) -> ChoiceIds:
    place = (line.side, line.action_count)
    return ChoiceIds(
        act=lambda notation: LineActId(*place, "", notation),
        pick=lambda menu: LineActId(*place, f"{menu}", ""),
        part=partial(LinePartId, *place),
        gap=partial(GapId, "line", line.action_count),
    )


def _better_button(line: TriedLine, better: Action) -> ui.Button:
    custom_id = LineActId(line.side, line.action_count, "better", better.notation)
    return button(_("Play the better choice"), custom_id, discord.ButtonStyle.success)


def _form_button(line: TriedLine, form: Action) -> ui.Button:
    """Return the button that fills a form in at random."""
    filled = line.game.fill(form, _ANY)
    label = for_game(line.match.game).label(line.view, filled)
    return button(label, LineActId(line.side, line.action_count, "", filled.notation))


def _tools(line: TriedLine, *, computers: bool) -> list[ui.Button]:
    """Return the buttons below the choices."""
    tools, count, view = list[ui.Button](), line.action_count, line.view
    if line.waits_for:
        tools.append(button(_("Continue"), LineId(line.side, count), discord.ButtonStyle.primary))
    if line.before is not None:
        tools.append(button(_("Take back"), LineId(line.side, line.before)))
    if not view.result and computers:
        label = _("Play both sides") if line.side else _("Computer answers")
        side = "" if line.side else line.seat
        tools.append(button(label, LineId(side, count)))
    if can_play_on(view):
        start = play_on_button(NO_MATCH, count)
        start.style, start.label = discord.ButtonStyle.secondary, _("Start a match")
        tools.append(start)
    return tools
