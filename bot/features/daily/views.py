"""The position of the day: its question, choices and solution, and a user's answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial

import discord

from bot.features.daily.ids import DailyAnswerId, DailyId, DailyMonthId, DailyPartId
from bot.features.daily.service import EPOCH, DailyPosition, MonthTable, Shares
from bot.rulebook.lessons import Place, TryResult, steps
from bot.sanitize import escape
from bot.views.choices import panel
from bot.views.controls import ChoiceIds, button, choices, rows_of
from bot.views.custom_ids import GapId, HowtoId
from bot.views.images import Drawn
from bot.views.message import Buttons, Message, note, pictured
from bot.views.prepared import (
    POSITION_FILE,
    alt_of,
    best_choice,
    chosen,
    compared,
    known,
    label_of,
    own_choice,
    puzzle_button,
    question_of,
    rule_button,
)
from engine import games
from engine.game import Action
from render.hints import Reasons
from render.i18n import _, format_month, ngettext

MAX_OTHERS = 5
"""Maximum number of other choices in a solution: those chosen most often."""


def question(daily: DailyPosition, place: Place, drawn: Drawn) -> Message:
    """Return the public message with a position, while it can be answered.

    Args:
        drawn: picture of the position, without marks.
    """
    until = _("-# Answer in private until {time}. Then the solution is shown here.")
    lines = (*_question(place), until.format(time=_time(daily)))
    answer = button(_("Answer"), DailyId(daily.id), discord.ButtonStyle.primary)
    return _shown(lines, place, drawn, (answer, *_lesson(place)))


def solution(
    daily: DailyPosition, place: Place, shares: Shares, best: tuple[Action, Reasons], drawn: Drawn
) -> Message:
    """Return the public message after the last answer; it names no user.

    Args:
        shares: number of answers for each choice.
        drawn: the position with the best choice.
    """
    lines = (
        _title(place),
        *known(place.view),
        best_choice(place, *best),
        compared(place.step),
        *_shares(place, shares, best[0]),
    )
    compare = button(_("My answer"), DailyId(daily.id))
    more = (compare, *_more(daily, place), *_lesson(place))
    return _shown(lines, place, drawn, more)


def withdrawn() -> Message:
    """Return the public message for a position that this release no longer has."""
    return note(_("This position of the day is no longer in my collection."))


def choosing(
    daily: DailyPosition, place: Place, drawn: Drawn, *, answer: str = "", path: str = ""
) -> Message:
    """Return the choices of a position, in private.

    Args:
        drawn: the position, with the choices marked.
        answer: the user's answer so far.
        path: the path to the choices to show, empty for all; see `bot.views.choices`.
    """
    current_panel = panel(place.view, path, drawn.style)
    ids = ChoiceIds(
        act=partial(DailyAnswerId, daily.id),
        pick=lambda menu: DailyAnswerId(daily.id, f"{menu}"),
        part=partial(DailyPartId, daily.id),
        gap=partial(GapId, "daily", daily.id),
    )
    so_far = [_("Your answer so far: **{action}**").format(action=label_of(place, answer))]
    lines = (*_question(place), *(so_far if answer else ()), *chosen(place.view, path))
    undo = () if current_panel.back is None else (button(_("Back"), ids.part(current_panel.back)),)
    items = [*choices(current_panel, ids, drawn.emojis), *rows_of((*undo, *rule_button(place)))]
    return pictured("\n".join(lines), POSITION_FILE, drawn.png, alt_of(place.view), items)


def answered(daily: DailyPosition, place: Place, answer: str, drawn: Drawn, streak: int) -> Message:
    """Confirm in private that an answer is stored, without revealing whether it is right.

    Args:
        drawn: the position with the choice.
        streak: number of days in a row with an answer.
    """
    days = ngettext("**{count} day** in a row.", "**{count} days** in a row.", streak)
    sentence = _(
        "Saved: **{action}**. Only you know it, and you can change it until {time}. "
        "Then the solution is shown in the channel, with a button to compare it with yours."
    )
    lines = (
        _title(place),
        sentence.format(action=label_of(place, answer), time=_time(daily)),
        days.format(count=streak),
    )
    change = button(_("Change"), DailyId(daily.id))
    return _shown(lines, place, drawn, (change, *_more(daily, place)))


def compared_answer(
    daily: DailyPosition,
    place: Place,
    tried: TryResult | None,
    best: tuple[Action, Reasons],
    drawn: Drawn,
) -> Message:
    """Return a user's answer beside the solution, in private.

    Args:
        tried: the answer; None if there is none.
        drawn: the position with the answer, or with the best choice.
    """
    lines = (_title(place), *own_choice(place, tried, best))
    return _shown(lines, place, drawn, _more(daily, place))


def month(table: MonthTable) -> Message:
    """Return the table of a month, in private."""
    words = ngettext(
        "### Positions of the day, {month}\n{count} solved so far.",
        "### Positions of the day, {month}\n{count} solved so far.",
        table.days,
    )
    lines = [words.format(month=_month(table.first), count=table.days)]
    row, reader = _("{place}. {name}: **{right}** of {answered} right"), table.reader
    lines += [
        row.format(place=place, name=escape(score.name), right=score.right, answered=score.answered)
        for place, score in enumerate(table.places, 1)
    ]
    yours = _("You: **{right}** of {answered} right")
    lines.append(yours.format(right=reader.right, answered=reader.answered))
    lines.append(_("-# Members appear here who list themselves on `/leaderboard`."))
    return note("\n".join(lines))


def _month(first: int) -> str:
    """Return the month of a day with its year."""
    return format_month(EPOCH + timedelta(first))


def _more(daily: DailyPosition, place: Place) -> Buttons:
    """Return the buttons to the table of the month, and to a puzzle."""
    return (button(_("This month"), DailyMonthId(daily.id)), puzzle_button(place.game))


def _shown(lines: Sequence[str], place: Place, drawn: Drawn, buttons: Buttons) -> Message:
    text, rows = "\n".join(lines), rows_of(buttons)
    return pictured(text, POSITION_FILE, drawn.png, alt_of(place.view), rows)


def _title(place: Place) -> str:
    return _("### Position of the day: {game}").format(game=games.get(place.game).title)


def _question(place: Place) -> Iterator[str]:
    """Yield the title and the question."""
    yield _title(place)
    yield from question_of(place)


def _shares(place: Place, shares: Shares, best: Action) -> Iterator[str]:
    """Yield the numbers of users who found the best choice, and who chose others."""
    if not shares.total:
        yield _("There were no answers.")
        return
    right = shares.of(best.notation)
    words = ngettext("**{right} of {count}** found it.", "**{right} of {count}** found it.", right)
    yield words.format(right=right, count=shares.total)
    others = [share for share in shares.counts if share[0] != best.notation]
    parts = [f"{count} × {label_of(place, line)}" for line, count in others[:MAX_OTHERS]]
    if remaining := sum(count for _line, count in others[MAX_OTHERS:]):
        parts.append(ngettext("{count} more", "{count} more", remaining).format(count=remaining))
    if parts:
        yield _("-# Other answers: {answers}").format(answers=" · ".join(parts))


def _time(daily: DailyPosition) -> str:
    """Return the closing time of a position, as a timestamp in each reader's own time zone."""
    return f"<t:{int(daily.closes_at)}:f>"


def _lesson(place: Place) -> Buttons:
    return (button(_("How it works"), HowtoId(place.game)),) if steps(place.game) else ()
