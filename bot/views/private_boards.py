"""The board as requested by one user: with the user's choices, in words, or since the last turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.domain.models import NO_DECISION, Match, Perspective
from bot.domain.waiting import NO_ONE_ABSENT, Absent
from bot.views import silence, ui
from bot.views.attachments import last_turn_file, picture_file
from bot.views.choices import Menu, panel
from bot.views.clocks import who_left
from bot.views.computers import hint_button, suggest_button
from bot.views.controls import (
    back_button,
    button,
    controls,
    match_button,
    menu_of,
    overlay_buttons,
    plan_button,
    rows_of,
    turn_button,
)
from bot.views.custom_ids import NudgeId, OverlayId, PartId, TypedId
from bot.views.images import Drawn
from bot.views.message import (
    COLOUR,
    COMPONENT_LIMIT,
    STORY_LIMIT,
    Message,
    count_components,
    gallery,
    layout_of,
    note,
)
from bot.views.names import escaped_names, title_of
from bot.views.requests import NOTHING_ASKED, Asked, unlike
from bot.views.stand_ins import come_back_buttons, offers, stand_in_buttons
from bot.views.stories import stories_of
from bot.views.typed_choices import ChoiceReader
from engine.game import Action, View
from render import for_game
from render.i18n import _, truncate
from render.renderer import Style

DIGEST_LIMIT = 3000

MODAL_TITLE_LIMIT = 45
"""Maximum length of a window's title."""

LINE_LIMIT = 100
"""Maximum length of a typed choice."""

OTHERS = 4
"""Components beside the choices: the container, the heading of the areas, *Back* and its row."""


class Opened(NamedTuple):
    """The additions to a board that a user opens.

    Attributes:
        last_turn: an animation of it, for players who want one.
        absent: the players that the user waits for and who may no longer be there.
        lines: lines of features for this user alone, such as notes.
        beside: buttons of features below these lines.
    """

    last_turn: bytes = b""
    absent: Absent = NO_ONE_ABSENT
    asked: Asked = NOTHING_ASKED
    lines: str = ""
    beside: Sequence[ui.Button] = ()


JUST_BOARD = Opened()
"""Without additions."""


def board(
    perspective: Perspective,
    drawn: Drawn,
    above: str = "",
    path: str = "",
    opened: Opened = JUST_BOARD,
    *,
    computers: bool = False,
) -> Message:
    """Return the board as one user may see it, in private.

    Args:
        perspective: the match as that user sees it.
        path: the path to the choices to show, empty for all; see `bot.views.choices`.
        computers: whether the computer can play.
    """
    match, seat, view = perspective[:3]
    last_turn, absent, asked, lines, beside = opened
    files = [picture_file(perspective, drawn)]
    if last_turn:
        files.append(last_turn_file(perspective, last_turn))
    items: list[ui.Item] = [
        ui.TextDisplay(_lines(perspective, above, path, absent, asked)),
        *map(gallery, files),
        *([ui.TextDisplay(lines)] if lines else []),
        *rows_of((*beside, *asked.buttons)),
    ]
    more = overlay_buttons(match) if for_game(match.game).has_overlays(view) else []
    suggest: list[ui.Button] = []
    if view.legal:
        both = [] if path else turn_button(match, seat, view)
        suggest = suggest_button(match, view, (view,), computers=computers)
        more = [*both, *suggest, *more, *hint_button(match, seat)]
    if seat and seat not in match.decisions:
        more += _while_waiting(perspective, absent, asked, computers=computers)
    if can_nudge(match, seat):
        more += [button(_("Nudge"), NudgeId(match.id))]
    if seat and not (path and suggest):  # on a phone, an area of the setup fits on one screen
        more += plan_button(match)
    more += come_back_buttons(match, seat)
    more.append(match_button(match))
    if len(path.partition("/")[0].split()) > 1:  # a piece is chosen: *Back* leads to the others
        both, more = [], []
    if view.legal:
        room = COMPONENT_LIMIT - count_components([*items, *rows_of(more)]) - OTHERS
        choices_panel = panel(view, path, drawn.style, shortcuts=drawn.shortcuts, room=room)
        choices = controls(match, seat, choices_panel, emojis=drawn.emojis)
        items += choices
        back = back_button(match, seat, choices_panel)
        more = [*both, *back, *more[len(both) :]]
        if back and suggest and choices_panel.areas and isinstance(items[-1], ui.ActionRow):
            items[-1].add_item(back[0])  # for the same reason; what helps is behind *Back*
            more = []
    items += rows_of(more)
    container = ui.Container(*items, accent_colour=COLOUR)
    return Message(layout_of(container), tuple(files))


def _lines(perspective: Perspective, above: str, path: str, absent: Absent, asked: Asked) -> str:
    """Return the lines above the picture."""
    match, seat, view = perspective[:3]
    renderer = for_game(match.game)
    prompt = renderer.prompt(view, escaped_names(match))
    lines = [f"-# {title_of(match)}", above, prompt, *asked.lines]
    about = who_left(match, absent.gone) + silence.lines(match, absent.endable, view.playing)
    lines.append(about.removeprefix("\n"))
    verb, *args = path.partition("/")[0].split() or [""]
    if args:
        step = renderer.label(view, Action(seat, verb, tuple(args)))
        lines.append(_("Chosen: {step}").format(step=step))
    return "\n".join(filter(None, lines))


def _while_waiting(
    perspective: Perspective, absent: Absent, asked: Asked, *, computers: bool
) -> list[ui.Button]:
    """Return the buttons of a player who waits for others."""
    match, view = perspective.match, perspective.view
    replaced = absent.replaceable if computers else ""
    levels = offers(match, view.playing, replaced)
    offered = {seat: level for seat, level in levels.items() if seat in replaced}
    others = [*stand_in_buttons(match, offered), *silence.buttons(match, absent.endable)]
    return unlike(others, asked)


def can_nudge(match: Match, seat: str) -> bool:
    """Return whether the player of a seat waits for another one who is here."""
    waits_for = match.decisions.keys() & match.acting_people.keys() - match.away_until.keys()
    return bool(seat and waits_for and seat not in match.decisions)


def overlay(perspective: Perspective, drawn: Drawn, name: str = "") -> Message:
    """Return the available overlays of the board, and the selected one.

    Args:
        perspective: the match as the reader sees it.
        drawn: the board, with the overlay if any.
        name: name of the overlay; empty if none is selected.
    """
    match, seat, view = perspective[:3]
    renderer = for_game(match.game)
    verb = renderer.overlay_verb
    description = _(verb.description) if verb else ""
    file = picture_file(perspective, drawn, name)
    items: list[ui.Item] = [
        ui.TextDisplay(renderer.overlay(view, name) if name else f"**{description}**"),
        gallery(file),
    ]
    if entries := tuple((entry.name, entry.label) for entry in renderer.overlays(view)):
        items.append(menu_of(OverlayId(match.id), Menu(_("Choose …"), entries)))
    if view.legal:
        back = button(_("Back"), PartId(match.id, match.decisions[seat], ""))
        items.append(ui.ActionRow(back))
    container = ui.Container(*items, accent_colour=COLOUR)
    return Message(layout_of(container), (file,))


def text_board(perspective: Perspective) -> Message:
    """Return the position in sentences."""
    renderer, names = for_game(perspective.match.game), escaped_names(perspective.match)
    return note(
        "\n".join(
            filter(
                None,
                (
                    f"-# {title_of(perspective.match)}",
                    renderer.spoken_story(perspective.view, names),
                    renderer.prompt(perspective.view, names),
                    renderer.text_board(perspective.view, names),
                ),
            )
        )
    )


def digest(
    perspective: Perspective, turn_views: Sequence[View], beside: Sequence[ui.Button] = ()
) -> Message:
    """Return the events from a player's last turn on, or the latest ones for a spectator.

    Args:
        perspective: the match as the reader sees it now.
        turn_views: one view for each turn, see `bot.domain.turn_summaries`.
        beside: buttons of features.
    """
    renderer, names = for_game(perspective.match.game), escaped_names(perspective.match)
    title = _("**What happened**") if perspective.seat else _("**The last turns**")
    story = story_lines(perspective.match, turn_views) or _("Nothing has happened since.")
    title = f"-# {title_of(perspective.match)}\n{title}"
    text = "\n".join((title, story, renderer.prompt(perspective.view, names)))
    return note(text, *rows_of(beside))


def story_lines(match: Match, turn_views: Sequence[View], limit: int = DIGEST_LIMIT) -> str:
    """Return the stories of turns, one a line; without the first ones if they are too long.

    Args:
        turn_views: one view for each turn, see `bot.domain.turn_summaries`.
        limit: maximum length, apart from the marks of two lines.
    """
    story_limit = min(STORY_LIMIT, limit // 2)
    lines = [f"- {truncate(story, story_limit)}" for story in stories_of(match, turn_views)]
    while len(lines) > 2 and sum(len(line) + 1 for line in lines) > limit:
        lines = ["- …", *lines[2:]]
    return "\n".join(lines)


def window(perspective: Perspective, style: Style) -> ui.Modal:
    """Return a window for a typed choice, with an example.

    Args:
        perspective: the match as the player sees it.
    """
    match, view = perspective.match, perspective.view
    example = ChoiceReader(view, style).example("")
    return ui.Modal(
        title=title_of(match)[:MODAL_TITLE_LIMIT],
        custom_id=str(TypedId(match.id, match.decisions.get(perspective.seat, NO_DECISION))),
        timeout=None,
    ).add_item(
        ui.Label(
            text=_("Your move"),
            description=_("In your own words, or in match notation."),
            component=ui.TextInput(
                custom_id="line", placeholder=example[:100] or None, max_length=LINE_LIMIT
            ),
        )
    )
