"""The buttons, lists and forms under a message.

Their custom_ids hold all their state (see bot.views.custom_ids).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import SystemRandom
from typing import NamedTuple
from zlib import crc32

import discord

from bot.domain.ids import MatchId
from bot.domain.models import Match, MatchStatus
from bot.sanitize import escape
from bot.views import ui
from bot.views.choices import Blanks, ChoiceRow, Menu, Panel, fill_form, open_arguments
from bot.views.custom_id_codec import CustomId
from bot.views.custom_ids import (
    ActId,
    FilledId,
    FormId,
    GapId,
    HandId,
    MoreId,
    OverlayId,
    PartId,
    PickId,
    PlanId,
    ShowId,
    TextId,
    TurnChosenId,
    TurnId,
)
from bot.views.images import NO_EMOJIS, EmojiByName
from bot.views.message import Buttons, Message, note
from bot.views.names import title_of
from bot.views.quotes import quote
from engine import games
from engine.game import Action, View
from render import for_game
from render.i18n import N_, _, format_list, ngettext, truncate
from render.renderer import Style

LABEL_LIMIT = 80
"""Maximum length of a button's label; longer translations are truncated."""

BUTTONS_PER_ROW = 5
"""Maximum number of buttons in a row, by Discord."""

MAX_COMPONENT_ID = 2**31 - 1
"""The highest component ID that Discord accepts."""

MODAL_TITLE_LIMIT = 45
"""Discord's maximum length of a form's title and labels."""

FIELD_LIMIT = 100
"""Maximum length of a field with values of a form."""

PROPOSED = N_("Suggestion: {values}")
"""Label of the values that a form suggests, which its player can change."""

_ANY = SystemRandom().randrange


def controls(
    match: Match,
    seat: str,
    panel: Panel,
    *,
    emojis: EmojiByName = NO_EMOJIS,
) -> list[ui.Item]:
    """Return the controls of one seat's decision; in public, only if the panel is open.

    Args:
        seat: the seat that decides.
    """
    items = choices(panel, _ids(match, seat), emojis)
    for form in panel.forms:
        line = games.get(match.game).fill(form, _ANY).notation
        items += form_items(match, seat, form, line)
    return items


def back_button(match: Match, seat: str, panel: Panel) -> list[ui.Button]:
    """Return the button to the choices before the last step, if there was one."""
    if panel.back is None:
        return []
    return [button(_("Back"), PartId(match.id, match.decisions[seat], panel.back))]


class ChoiceIds(NamedTuple):
    """Factories for the custom_ids of a panel.

    Attributes:
        act: ID of a button, from the notation of its action.
        pick: ID of a menu of actions, from its number.
        part: ID of a button to fewer choices, from their path.
        gap: ID of a gap between buttons, from row and place.
    """

    act: Callable[[str], CustomId]
    pick: Callable[[int], CustomId]
    part: Callable[[str], CustomId]
    gap: Callable[[int, int], CustomId]


def _ids(match: Match, seat: str) -> ChoiceIds:
    decision = (match.id, match.decisions[seat])
    return ChoiceIds(
        act=partial(ActId, *decision),
        pick=partial(PickId, *decision),
        part=partial(PartId, *decision),
        gap=partial(GapId, f"{match.id}", match.decisions[seat]),
    )


def choices(panel: Panel, ids: ChoiceIds, emojis: EmojiByName = NO_EMOJIS) -> list[ui.Item]:
    """Return the buttons and lists of a panel."""
    items: list[ui.Item] = []
    for number, row in enumerate(panel.rows):
        if row.heading:
            items.append(ui.TextDisplay(f"{emojis.get(row.emoji, '')} {row.heading}".strip()))
        if row.choices:
            items.append(_row(row, number, ids, emojis))
    items += [menu_of(ids.pick(number), menu) for number, menu in enumerate(panel.menus)]
    if panel.areas:
        heading = _("-# Another area {note}:") if panel.area_note else _("-# Another area:")
        items.append(ui.TextDisplay(heading.format(note=panel.area_note)))
        for number, row in enumerate(panel.areas, len(panel.rows)):
            items.append(_row(row._replace(is_minor=True), number, ids, emojis))
    return items


def draw_answers(match: Match, view: View) -> list[ui.Item]:
    """Return the buttons for players who may answer a draw offer."""
    if not any(seat in match.acting_people for seat in view.answering):
        return []
    return [ui.ActionRow(*draw_buttons(match))]


def draw_buttons(match: Match) -> list[ui.Button]:
    """Return the buttons that answer a draw offer."""
    return [
        button(_("Accept the draw"), ActId(match.id, None, "draw accept")),
        button(_("Decline the draw"), ActId(match.id, None, "draw decline")),
    ]


def form_items(match: Match, seat: str, form: Action, line: str) -> list[ui.Item]:
    """Return a filled-in form, with a button to submit it and one to change it in a window."""
    decision = match.decisions[seat]
    values = [
        f"{for_game(match.game).blank(form, place)} {value}"
        for part in open_arguments(match.game, form, line)
        for place, value in zip(part.places, part.given, strict=True)
    ]
    buttons = (
        button(_("Set these"), ActId(match.id, decision, line), discord.ButtonStyle.success),
        button(_("Change…"), FormId(match.id, decision, line), discord.ButtonStyle.primary),
    )
    proposal = _(PROPOSED).format(values=format_list(values, style="commas"))
    return [ui.TextDisplay(proposal), ui.ActionRow(*buttons)]


def refused_form(match: Match, seat: str, form: Action, blanks: Sequence[Blanks]) -> Message:
    """Return which parts of a form can't have the typed values, with these values.

    *Change…* opens a window with them.
    """
    wrong = [
        ngettext(
            "**{names}**: {count} value from {first} to {last}, not “{typed}”.",
            "**{names}**: {count} values from {first} to {last}, not “{typed}”.",
            len(part.places),
        ).format(
            names=_blank_names(match, form, part),
            count=len(part.places),
            first=part.values[0],
            last=part.values[-1],
            typed=escape(" ".join(part.given)),
        )
        for part in blanks
        if not part.is_filled
    ]
    typed = quote("\n".join(" ".join(part.given) for part in blanks))
    custom_id = FormId(match.id, match.decisions[seat], fill_form(form, blanks))
    change = button(_("Change…"), custom_id, discord.ButtonStyle.primary)
    return note("\n".join(wrong) + typed, ui.ActionRow(change))


def _blank_names(match: Match, form: Action, part: Blanks) -> str:
    """Return the names of open arguments, as on the board."""
    blank = for_game(match.game).blank
    return format_list([blank(form, place) for place in part.places])


def form_window(match: Match, seat: str, form: Action, line: str, typed: str = "") -> ui.Modal:
    """Return a window with a field for each kind of open values.

    Args:
        typed: the values to show instead, a line for each field; empty for the line's values.
    """
    lines = typed.split("\n") if typed else []
    window = ui.Modal(
        title=title_of(match)[:MODAL_TITLE_LIMIT],
        custom_id=str(FilledId(match.id, match.decisions[seat], form.verb)),
        timeout=None,
    )
    for number, part in enumerate(open_arguments(match.game, form, line)):
        names = _blank_names(match, form, part)
        field = ui.TextInput(
            custom_id=str(number),
            default=lines[number] if number < len(lines) else " ".join(part.given),
            max_length=FIELD_LIMIT,
        )
        about = ngettext(
            "{first} to {last}", "{first} to {last}, with spaces between them", len(part.places)
        )
        window.add_item(
            ui.Label(
                text=truncate(names, MODAL_TITLE_LIMIT),
                description=about.format(first=part.values[0], last=part.values[-1]),
                component=field,
            )
        )
    return window


def turn_button(match: Match, seat: str, view: View) -> list[ui.Button]:
    """Return the button for a window with all choices of a turn, if they can be made together."""
    if not for_game(match.game).window(view, view.legal):
        return []
    return [button(_("Whole turn…"), TurnId(match.id, match.decisions[seat]))]


def turn_window(match: Match, seat: str, view: View, style: Style) -> ui.Modal:
    """Return a window with all choices of a turn; each value is a line of notation."""
    window = ui.Modal(
        title=title_of(match)[:MODAL_TITLE_LIMIT],
        custom_id=str(TurnChosenId(match.id, match.decisions[seat])),
        timeout=None,
    )
    for number, row in enumerate(for_game(match.game).window(view, view.legal, style)):
        options = [
            discord.RadioGroupOption(label=item.label, value=item.action.notation)
            for item in row.buttons
            if item.action
        ]
        about = (
            ""
            if number
            else _("I make this move first, then the one below if it is still possible.")
        )
        window.add_item(
            ui.Label(
                text=truncate(row.heading, MODAL_TITLE_LIMIT),
                description=about or None,
                component=ui.RadioGroup(custom_id=str(number), options=options),
            )
        )
    return window


def _row(row: ChoiceRow, number: int, ids: ChoiceIds, emojis: EmojiByName) -> ui.ActionRow:
    styles = discord.ButtonStyle
    style = styles.secondary if row.is_minor else styles.primary
    return ui.ActionRow(
        *(
            button(
                choice.label,
                ids.act(choice.line) if choice.line else ids.part(choice.path),
                style,
                emojis.get(choice.emoji),
            )
            if choice.line or choice.path
            else ui.Button(label=choice.label, custom_id=str(ids.gap(number, place)), disabled=True)
            for place, choice in enumerate(row.choices)
        )
    )


def stable_id(custom_id: CustomId, selected: Sequence[str] = ()) -> int:
    """Return a component's ID, which stays the same when its message is edited.

    Discord numbers components without an ID by position, and keeps the selection of a list by ID:
    a list that moved would show the selection of another list.

    Args:
        selected: the selected values, if other controls of the message change them too: Discord
            would keep the former ones.
    """
    return 1 + crc32(" ".join((str(custom_id), *selected)).encode()) % MAX_COMPONENT_ID


def contents_list(
    custom_id: CustomId, placeholder: str, options: list[discord.SelectOption]
) -> ui.ActionRow:
    """Return a list of pages that shows the current one, whichever was selected before.

    Discord keeps the selection of a list by ID, even if another page has come by a button.
    """
    new_id = 1 + _ANY(MAX_COMPONENT_ID)
    return ui.ActionRow(
        ui.Select(custom_id=str(custom_id), placeholder=placeholder, options=options, id=new_id)
    )


def menu_of(custom_id: CustomId, menu: Menu) -> ui.ActionRow:
    """Return a list in its own row."""
    select = ui.Select(
        custom_id=str(custom_id),
        placeholder=menu.title,
        options=[discord.SelectOption(label=label, value=line) for line, label in menu.entries],
        id=stable_id(custom_id),
    )
    return ui.ActionRow(select)


def button(
    label: str,
    custom_id: CustomId,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: str | None = None,
) -> ui.Button:
    """Return a button, its label truncated to the length that Discord accepts."""
    return ui.Button(
        label=truncate(label, LABEL_LIMIT), custom_id=str(custom_id), style=style, emoji=emoji
    )


def rows_of(buttons: Sequence[ui.Button], most: int = BUTTONS_PER_ROW) -> list[ui.Item]:
    """Return buttons in rows of limited length."""
    starts = range(0, len(buttons), most)
    return [ui.ActionRow(*buttons[start : start + most]) for start in starts]


def tools(
    match: Match, action_count: int, before: Buttons = (), between: Buttons = ()
) -> list[ui.Item]:
    """Return the buttons under every board, together with buttons that only this board has."""
    return rows_of([*before, *hand_buttons(match), *between, text_button(match, action_count)])


def text_button(match: Match, action_count: int) -> ui.Button:
    """Return the button for a position in words."""
    return button(_("Text board"), TextId(match.id, action_count))


def hand_buttons(match: Match) -> list[ui.Button]:
    """Return the button for the hidden information of the user who clicks it, if there can be.

    After the end, the board shows everything.
    """
    name = for_game(match.game).hand_name if match.status == MatchStatus.RUNNING else ""
    return [button(_("My {hand}").format(hand=_(name)), HandId(match.id))] if name else []


def board_button(match_id: MatchId) -> ui.Button:
    """Return the button from a private answer about a match to its board."""
    return button(_("Back to the board"), ShowId(match_id))


def match_button(match: Match) -> ui.Button:
    """Return the button that opens the card of a match, see `bot.views.match_card`."""
    return button(_("Match…"), MoreId(match.id))


def overlay_buttons(match: Match) -> list[ui.Button]:
    """Return a button for the overlays of the board, if the game has any."""
    label = for_game(match.game).overlay_label
    return [button(_(label), OverlayId(match.id))] if label else []


def plan_button(match: Match) -> list[ui.Button]:
    """Return the button that shows the plan of the user who clicks it, in a match in progress."""
    if match.status != MatchStatus.RUNNING or not match.acting_people:
        return []
    return [button(_("Plan"), PlanId(match.id))]
