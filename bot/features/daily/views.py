"""The position of the day: its question, choices and solution, and a user's answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import discord

from bot.features.daily.ids import DailyAnswerId, DailyId, DailyPartId
from bot.features.daily.service import DailyPosition, Shares
from bot.i18n import sides
from bot.rulebook.lessons import Place, TryResult, steps
from bot.views import ui
from bot.views.choices import panel
from bot.views.controls import ChoiceIds, button, choices, rows_of
from bot.views.custom_ids import GapId, HowtoId, PageTarget, RulesId
from bot.views.images import Drawn
from bot.views.message import Buttons, Message, note, pictured
from bot.views.prepared import POSITION_FILE, alt_of, chosen, compared, cost_of, known
from engine import games
from engine.game import Action
from render import for_game
from render.hints import Reasons, reasons_text
from render.i18n import _, ngettext

MAX_OTHERS = 5
"""Maximum number of other choices in a solution: those chosen most often."""


def question(daily: DailyPosition, place: Place, drawn: Drawn) -> Message:
    """Return the public message with a position, while it can be answered.

    Args:
        daily: the message.
        place: the position.
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
        daily: the message.
        place: the position.
        shares: number of answers for each choice.
        best: the best choice, and the arguments for it.
        drawn: the position with the best choice.
    """
    lines = (
        _title(place),
        *known(place.view),
        _best(place, *best),
        compared(place.step),
        *_shares(place, shares, best[0]),
    )
    compare = button(_("My answer"), DailyId(daily.id))
    return _shown(lines, place, drawn, (compare, *_lesson(place)))


def withdrawn() -> Message:
    """Return the public message for a position that this release no longer has."""
    return note(_("This position of the day is no longer in my collection."))


def choosing(
    daily: DailyPosition, place: Place, drawn: Drawn, *, answer: str = "", path: str = ""
) -> Message:
    """Return the choices of a position, in private.

    Args:
        daily: the message.
        place: the position.
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
    so_far = [_("Your answer so far: **{action}**").format(action=_label(place, answer))]
    lines = (*_question(place), *(so_far if answer else ()), *chosen(place.view, path))
    undo = () if current_panel.back is None else (button(_("Back"), ids.part(current_panel.back)),)
    items = [*choices(current_panel, ids, drawn.emojis), *rows_of((*undo, *_rule(place)))]
    return pictured("\n".join(lines), POSITION_FILE, drawn.png, alt_of(place.view), items)


def answered(daily: DailyPosition, place: Place, answer: str, drawn: Drawn) -> Message:
    """Confirm in private that an answer is stored, without revealing whether it is right.

    Args:
        daily: the message.
        place: the position.
        answer: the choice in the notation.
        drawn: the position with the choice.
    """
    sentence = _(
        "Saved: **{action}**. Only you know it, and you can change it until {time}. "
        "Then the solution is shown in the channel, with a button to compare it with yours."
    )
    lines = (_title(place), sentence.format(action=_label(place, answer), time=_time(daily)))
    return _shown(lines, place, drawn, (button(_("Change"), DailyId(daily.id)),))


def compared_answer(
    place: Place, tried: TryResult | None, best: tuple[Action, Reasons], drawn: Drawn
) -> Message:
    """Return a user's answer beside the solution, in private.

    Args:
        place: the position.
        tried: the answer; None if there is none.
        best: the best choice, and the arguments for it.
        drawn: the position with the answer, or with the best choice.
    """
    lines = (_title(place), *_own(place, tried, best))
    return _shown(lines, place, drawn, ())


def _own(place: Place, tried: TryResult | None, best: tuple[Action, Reasons]) -> Iterator[str]:
    """Yield a user's choice, its cost, and the best choice."""
    if tried and tried.right:
        yield _("**You found it!**")
    elif tried:
        yield _("You chose **{action}**.").format(action=_label(place, tried.action.notation))
        yield cost_of(place.step, tried)
    else:
        yield _("You didn't answer this one.")
    yield _best(place, *best)
    if tried is None or tried.right:
        yield compared(place.step)


def _shown(lines: Sequence[str], place: Place, drawn: Drawn, buttons: Buttons) -> Message:
    text, rows = "\n".join(lines), rows_of(buttons)
    return pictured(text, POSITION_FILE, drawn.png, alt_of(place.view), rows)


def _title(place: Place) -> str:
    return _("### Position of the day: {game}").format(game=games.get(place.game).title)


def _question(place: Place) -> Iterator[str]:
    """Yield the question, and the knowledge of the player to move."""
    view, names = place.view, sides(place.game)
    yield _title(place)
    yield _("**{player}** to move. What's best?").format(player=names[view.seat])
    yield f"-# {for_game(place.game).prompt(view, names)}"
    yield from known(view)


def _best(place: Place, action: Action, reasons: Reasons) -> str:
    words = _("The best choice for {player}: **{action}** – {reasons}.")
    return words.format(
        player=sides(place.game)[place.step.seat],
        action=for_game(place.game).label(place.view, action),
        reasons=reasons_text(place.game, reasons),
    )


def _shares(place: Place, shares: Shares, best: Action) -> Iterator[str]:
    """Yield the numbers of users who found the best choice, and who chose others."""
    if not shares.total:
        yield _("There were no answers.")
        return
    right = shares.of(best.notation)
    words = ngettext("**{right} of {count}** found it.", "**{right} of {count}** found it.", right)
    yield words.format(right=right, count=shares.total)
    others = [share for share in shares.counts if share[0] != best.notation]
    parts = [f"{count} × {_label(place, line)}" for line, count in others[:MAX_OTHERS]]
    if remaining := sum(count for _line, count in others[MAX_OTHERS:]):
        parts.append(ngettext("{count} more", "{count} more", remaining).format(count=remaining))
    if parts:
        yield _("-# Other answers: {answers}").format(answers=" · ".join(parts))


def _label(place: Place, line: str) -> str:
    """Return a choice as its button names it; in the notation if it is no longer legal."""
    view = place.view
    legal_action = next((action for action in view.legal if action.notation == line), None)
    return line if legal_action is None else for_game(place.game).label(view, legal_action)


def _time(daily: DailyPosition) -> str:
    """Return the closing time of a position, as a timestamp in each reader's own time zone."""
    return f"<t:{int(daily.closes_at)}:f>"


def _lesson(place: Place) -> Buttons:
    return (button(_("How it works"), HowtoId(place.game)),) if steps(place.game) else ()


def _rule(place: Place) -> tuple[ui.Button, ...]:
    """Return the button to the rule of the decision."""
    rule = for_game(place.game).rule(place.view)
    words = _("Rule {rule}").format(rule=rule)
    return (button(words, RulesId(place.game, rule, PageTarget.OPEN)),) if rule else ()
