"""Messages of a puzzle: its question with the choices, and the result of a choice."""

from __future__ import annotations

from functools import partial

import discord

from bot.rulebook.lessons import Place, TryResult
from bot.rulebook.positions import key_of
from bot.views.choices import panel
from bot.views.controls import ChoiceIds, button, choices, rows_of
from bot.views.custom_ids import GapId, PuzzleId, PuzzlePartId, PuzzleTryId
from bot.views.images import Drawn
from bot.views.message import Message, pictured
from bot.views.prepared import POSITION_FILE, alt_of, chosen, own_choice, question_of, rule_button
from engine import games
from engine.game import Action
from render.hints import Reasons
from render.i18n import _


def puzzle(place: Place, drawn: Drawn, path: str = "") -> Message:
    """Return a puzzle with its choices.

    Args:
        drawn: its position, with the choices marked.
        path: the path to the choices to show, empty for all; see `bot.views.choices`.
    """
    current_panel, key = panel(place.view, path, drawn.style), key_of(place)
    ids = ChoiceIds(
        act=partial(PuzzleTryId, key),
        pick=lambda menu: PuzzleTryId(key, f"{menu}"),
        part=partial(PuzzlePartId, key),
        gap=partial(GapId, "puzzle", place.number),
    )
    text = "\n".join((_title(place), *question_of(place), *chosen(place.view, path)))
    undo = () if current_panel.back is None else (button(_("Back"), ids.part(current_panel.back)),)
    items = [*choices(current_panel, ids, drawn.emojis), *rows_of((*undo, *rule_button(place)))]
    return pictured(text, POSITION_FILE, drawn.png, alt_of(place.view), items)


def result(place: Place, tried: TryResult, best: tuple[Action, Reasons], drawn: Drawn) -> Message:
    """Return the result of a choice beside the best one, and the way to another puzzle.

    Args:
        drawn: the position with the choice.
    """
    key, blue = key_of(place), discord.ButtonStyle.primary
    another = button(_("Another puzzle"), PuzzleId(place.game, key), blue)
    again = () if tried.right else (button(_("Try again"), PuzzlePartId(key, "")),)
    text = "\n".join((_title(place), *own_choice(place, tried, best)))
    rows = rows_of((another, *again))
    return pictured(text, POSITION_FILE, drawn.png, alt_of(place.view), rows)


def _title(place: Place) -> str:
    return _("### Puzzle: {game}").format(game=games.get(place.game).title)
