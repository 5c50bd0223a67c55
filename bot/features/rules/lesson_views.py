"""Messages of a lesson: a step with its choices, and the result of a choice."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.i18n import sides
from bot.rulebook.lessons import Place, Step, TryResult
from bot.views.choices import panel
from bot.views.controls import ChoiceIds, button, choices, rows_of, stable_id
from bot.views.custom_ids import (
    GapId,
    HowtoId,
    LessonHintId,
    LessonPartId,
    PageTarget,
    PlayNowId,
    RulesId,
    TryId,
)
from bot.views.images import Drawn
from bot.views.invitations import COVER_FILE
from bot.views.message import COMPONENT_LIMIT, Buttons, Message, count_components, pictured
from bot.views.prepared import POSITION_FILE, alt_of, chosen, compared, cost_of, known
from engine import games
from engine.game import Action
from render import for_game
from render.hints import Reasons, hint_text, reasons_text
from render.i18n import _, truncate

OPTION_LIMIT = 100
"""Maximum length of an entry of a list, by Discord."""

ABOVE = 4
"""Number of components above the choices: a section of text and picture, and a picture."""


def lesson(
    here: Place, drawn: Drawn, hint: str = "", path: str = "", cover: bytes | None = None
) -> Message:
    """Return a step of a lesson: the task, the position, the choices, and a hint.

    Args:
        here: the step.
        drawn: the position, with the choices marked.
        hint: a sentence, if the learner has asked for it.
        path: the path to the choices to show, empty for all; see `bot.views.choices`.
        cover: a small picture of the game, shown beside the task.
    """
    shown = panel(here.view, path, drawn.style)
    lines = [
        *([_("**The aim:** {aim}").format(aim=_(here.lesson.aim))] if not here.number else []),
        _title(here),
        _(here.step.text),
        *(known(here.view) if here.step.values else ()),
        *chosen(here.view, path),
        hint,
    ]
    advice = [] if hint else [button(_("Hint"), LessonHintId(here.game, here.number))]
    undo = [] if shown.back is None else [button(_("Back"), _ids(here).part(shown.back))]
    items = _with_steps(here, choices(shown, _ids(here)), (*undo, *advice, _rule_of(here)))
    title = games.get(here.game).title
    thumbnail = discord.File(io.BytesIO(cover), COVER_FILE, description=title) if cover else None
    text = "\n".join(filter(None, lines))
    return pictured(text, POSITION_FILE, drawn.png, alt_of(here.view), items, thumbnail=thumbnail)


def hint_of(here: Place, action: Action, reasons: Reasons) -> str:
    """Return a hint: a choice with its reasons; in a puzzle only the reasons."""
    if not here.step.values:
        return hint_text(here.view, action, reasons)
    words = _("This is true of one of the choices: {reasons}.")
    return words.format(reasons=reasons_text(here.game, reasons))


def try_result(here: Place, tried: TryResult, drawn: Drawn, *, computers: bool = False) -> Message:
    """Return the result of a choice in a lesson, with buttons to go on.

    Args:
        here: the step.
        tried: the choice.
        drawn: the position after it.
        computers: whether the computer can play.
    """
    story = for_game(here.game).story(tried.view, sides(here.game))
    said = _puzzle_reply(here, tried) if here.step.values else [_(tried.said)]
    lines = [_title(here), *([f"-# {story}"] if story else []), *said]
    ends = tried.right and here.ends_part
    if ends:
        lines += _ending(here)
    first = _onward(here, tried)
    last = _what_now(here, computers=computers) if ends else ()
    items = (*rows_of((*first, _rule_of(here), *last)), _contents(here))
    return pictured("\n".join(lines), POSITION_FILE, drawn.png, alt_of(tried.view), items)


def _title(here: Place) -> str:
    steps = len(here.lesson.steps) - here.lesson.puzzles
    words, number, total = _("**{game}, step {number} of {total}: {title}**"), here.number, steps
    if here.step.values:
        words = _("**{game}, puzzle {number} of {total}: {title}**")
        number, total = number - steps, here.lesson.puzzles
    return words.format(
        game=games.get(here.game).title,
        number=number + 1,
        total=total,
        title=_(here.step.title),
    )


# Puzzles


def _puzzle_reply(here: Place, tried: TryResult) -> list[str]:
    """Return whether a choice in a puzzle is right, with the reasons and the cost."""
    label = for_game(here.game).label(here.view, tried.action)
    reasons = reasons_text(here.game, tried.reasons)
    if tried.right:
        right = _("**Right: {action}** – {reasons}.").format(action=label, reasons=reasons)
        return [right, _(tried.said), compared(here.step)]
    words = _("**{action}** isn't the best choice.")
    if reasons:
        words = _("**{action}**: {reasons}. That's true, but there's a better choice.")
    return [words.format(action=label, reasons=reasons), cost_of(here.step, tried)]


# Navigation


def _onward(here: Place, tried: TryResult) -> Buttons:
    """Return the button to the next step, or to another attempt and the solution of a puzzle."""
    blue = discord.ButtonStyle.primary
    if not tried.right:
        again = button(_("Try again"), HowtoId(here.game, here.number), blue)
        best = here.step.values[0][0] if here.step.values else ""
        solution = [button(_("Solution"), TryId(here.game, here.number, best))] if best else []
        return (again, *solution)
    if not here.after:
        return ()
    words = _("Puzzles") if here.ends_part else _("Next")
    return (button(words, HowtoId(here.game, here.after), blue),)


def _ending(here: Place) -> list[str]:
    """Return the text after the last step, or after the last puzzle."""
    if here.step.values:
        return [_("**That was the last puzzle.** Now for a match of your own!")]
    over = _("**That's it!** These are the rules. How to get better:")
    return [over, *(f"- {_(sentence)}" for sentence in here.lesson.advice)]


def _what_now(here: Place, *, computers: bool) -> Buttons:
    """Return the buttons to a match and to the rules."""
    green = discord.ButtonStyle.success
    play = button(_("Play the computer now"), PlayNowId(here.game), green)
    rules = button(_("All rules"), RulesId(here.game, "about", PageTarget.OPEN))
    return (play, rules) if computers else (rules,)


def _with_steps(here: Place, items: list[ui.Item[Any]], buttons: Buttons) -> list[ui.Item[Any]]:
    """Return items and buttons with the links to other steps, as far as they fit in a message."""
    free = COMPONENT_LIMIT - ABOVE - count_components(items) - count_components(rows_of(buttons))
    turning = _turning(here)
    if len(turning) <= free:
        buttons, free = (*buttons, *turning), free - len(turning)
    contents = _contents(here)
    return [
        *items,
        *rows_of(buttons),
        *([contents] if count_components([contents]) <= free else []),
    ]


def _turning(here: Place) -> Buttons:
    """Return the buttons to the steps before and after this one."""
    back = button("◀", HowtoId(here.game, here.number - 1)) if here.number else None
    skip = button(_("Skip ▶"), HowtoId(here.game, here.after)) if here.after else None
    return tuple(each for each in (back, skip) if each)


def _contents(here: Place) -> ui.ActionRow[Any]:
    """Return the list of all steps and puzzles."""
    plain = len(here.lesson.steps) - here.lesson.puzzles
    options = [
        discord.SelectOption(
            label=truncate(_entry(step, number, plain), OPTION_LIMIT),
            value=str(number),
            default=number == here.number,
        )
        for number, step in enumerate(here.lesson.steps)
    ]
    custom_id = HowtoId(here.game)
    select = ui.Select[Any](
        custom_id=str(custom_id), placeholder=_("Steps"), options=options, id=stable_id(custom_id)
    )
    return ui.ActionRow[Any](select)


def _entry(step: Step, number: int, plain: int) -> str:
    if step.values:
        words = _("Puzzle {number}: {title}")
        return words.format(number=number - plain + 1, title=_(step.title))
    return f"{number + 1}. {_(step.title)}"


def _ids(here: Place) -> ChoiceIds:
    """Return the factories for the custom_ids of a step's choices, which are tried, not stored."""
    step = (here.game, here.number)
    return ChoiceIds(
        act=partial(TryId, *step),
        pick=lambda menu: TryId(*step, f"{menu}"),
        part=partial(LessonPartId, *step),
        gap=partial(GapId, *step),
    )


def _rule_of(here: Place) -> ui.Button[Any]:
    return button(
        _("Rule {rule}").format(rule=here.step.rule),
        RulesId(here.game, here.step.rule, PageTarget.OPEN),
    )
