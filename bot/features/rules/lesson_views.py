"""Messages of a lesson: a step with its choices, and the result of a choice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import discord

from bot.features.rules.views import game_buttons
from bot.i18n import sides
from bot.rulebook.lessons import Place, Step, TryResult, taught
from bot.views import ui
from bot.views.challenge_card import GAME
from bot.views.choices import panel
from bot.views.controls import ChoiceIds, button, choices, contents_list, rows_of
from bot.views.custom_ids import (
    ChallengeId,
    GapId,
    HowtoId,
    LearnId,
    LessonHintId,
    LessonPartId,
    PageTarget,
    PlayNowId,
    RulesId,
    TryId,
)
from bot.views.images import Drawn
from bot.views.invitations import phrase
from bot.views.message import COMPONENT_LIMIT, Buttons, Message, count_components, note, pictured
from bot.views.plans import conditional_example
from bot.views.prepared import (
    POSITION_FILE,
    alt_of,
    chosen,
    compared,
    cost_of,
    known,
    puzzle_button,
)
from engine import games
from engine.game import Action, View
from render import for_game
from render.hints import Reasons, hint_text, reasons_text
from render.i18n import N_, _, truncate

OPTION_LIMIT = 100
"""Maximum length of an entry of a list, by Discord."""

HEADING, EXAMPLE = N_("### Lesson"), N_("-# An example, not your match:")
"""Lines at the top and above the picture, which tell a lesson apart from the board of a match."""

BESIDE = 4
"""Components beside the choices: the text, the picture, and a row with the way back to a match."""


def lesson(place: Place, drawn: Drawn, hint: str = "", path: str = "") -> Message:
    """Return a step of a lesson: the task, the position, the choices, and a hint.

    Args:
        drawn: the position, with the choices marked.
        hint: a sentence, if the learner has asked for it.
        path: the path to the choices to show, empty for all; see `bot.views.choices`.
    """
    current_panel = panel(place.view, path, drawn.style, shortcuts=drawn.shortcuts or None)
    lines = [
        _(HEADING),
        *([_("**The aim:** {aim}").format(aim=_(place.lesson.aim))] if not place.number else []),
        _title(place),
        *_new_position(place),
        _directed(place, place.step.text, drawn),
        *(known(place.view) if place.step.values else ()),
        *chosen(place.view, path),
        hint,
        _(EXAMPLE),
    ]
    advice = [] if hint else [button(_("Hint"), LessonHintId(place.game, place.number))]
    undo = (
        []
        if current_panel.back is None
        else [button(_("Back"), _ids(place).part(current_panel.back))]
    )
    items = _with_steps(
        place, choices(current_panel, _ids(place)), (*undo, *advice, _rule_of(place))
    )
    text = "\n".join(filter(None, lines))
    return pictured(text, POSITION_FILE, drawn.png, alt_of(place.view), items)


def summary(reached: Place, pending_rule: str = "") -> Message:
    """Return the aim and the tip of a lesson, without a board, with ways to its parts.

    Beside the board of a match, a puzzle would be a second board, perhaps of the other side.

    Args:
        reached: a puzzle of the lesson.
        pending_rule: the rule about the pending decision of the match; empty if there is none.
    """
    game = reached.game
    lines = [
        _(HEADING),
        f"**{games.get(game).title}**",
        _("**The aim:** {aim}").format(aim=_(reached.lesson.aim)),
        _("You've reached the puzzles of this lesson. Its tip: {tip}").format(
            tip=_(reached.lesson.tip)
        ),
    ]
    this_turn = RulesId(game, pending_rule, PageTarget.OPEN)
    buttons = (
        *([button(_("Rules for this turn"), this_turn)] if pending_rule else []),
        button(_("Strategy"), RulesId(game, "strategy", PageTarget.OPEN)),
        button(_("All rules"), RulesId(game, "about", PageTarget.OPEN)),
        button(_("From the first step"), HowtoId(game, 0)),
        button(_("Puzzles"), HowtoId(game, reached.number)),
    )
    return note("\n".join(lines), *rows_of(buttons), _contents(reached, None))


def hint_of(place: Place, action: Action, reasons: Reasons) -> str:
    """Return a hint: a choice with its reasons; in a puzzle only the reasons."""
    if not place.step.values:
        return hint_text(place.view, action, reasons, players=sides(place.game))
    words = _("This is true of one of the choices: {reasons}.")
    return words.format(reasons=reasons_text(place.game, reasons, players=sides(place.game)))


def try_result(place: Place, tried: TryResult, drawn: Drawn, *, computers: bool = False) -> Message:
    """Return the result of a choice in a lesson, with buttons to continue.

    Args:
        drawn: the position after it.
        computers: whether the computer can play.
    """
    story = for_game(place.game).story(tried.view, sides(place.game))
    reply = [_directed(place, tried.text, drawn)] if tried.text else []
    if place.step.values:
        reply = _puzzle_reply(place, tried, reply)
    lines = [_(HEADING), _title(place), *([f"-# {story}"] if story else []), *reply]
    ends = tried.right and place.ends_part
    if ends:
        lines += _ending(place, tried.view, drawn)
    lines.append(_(EXAMPLE))
    first = _onward(place, tried)
    last = _what_now(place, computers=computers) if ends else ()
    items = (
        *rows_of((*first, _rule_of(place), *last)),
        _contents(place, place.number),
        *_games(place),
    )
    return pictured("\n".join(lines), POSITION_FILE, drawn.png, alt_of(tried.view), items)


def _directed(place: Place, text: str, drawn: Drawn) -> str:
    """Return a text in the current language, with directions as on the picture beside it."""
    return for_game(place.game).with_arrows(place.step.seat, _(text), drawn.style)


def _new_position(place: Place) -> list[str]:
    """Return the line that says that a step does not begin where the one before ended."""
    if not place.number or place.step.continues or place.step.values:
        return []
    return [_("-# A new position, not the one you've just left.")]


def _title(place: Place) -> str:
    words = _("**{game}, step {number} of {total}: {title}**")
    number, total = place.number, place.first_puzzle
    if place.step.values:
        words = _("**{game}, puzzle {number} of {total}: {title}**")
        number, total = number - total, place.lesson.puzzles
    return words.format(
        game=games.get(place.game).title,
        number=number + 1,
        total=total,
        title=_(place.step.title),
    )


# Puzzles


def _puzzle_reply(place: Place, tried: TryResult, learned: Sequence[str]) -> list[str]:
    """Return whether a choice in a puzzle is right, with the reasons, the lesson and the cost."""
    label = for_game(place.game).label(place.view, tried.action)
    reasons = reasons_text(place.game, tried.reasons, players=sides(place.game))
    if tried.right:
        right = _("**Right: {action}** – {reasons}.").format(action=label, reasons=reasons)
        return [right, *learned, compared(place.step)]
    words = _("**{action}** isn't the best choice.")
    if reasons:
        words = _("**{action}**: {reasons}. That's true, but there's a better choice.")
    return [words.format(action=label, reasons=reasons), cost_of(place.step, tried)]


# Navigation


def _onward(place: Place, tried: TryResult) -> Buttons:
    """Return the button to the next step, or to another attempt and the solution of a puzzle."""
    blue = discord.ButtonStyle.primary
    if not tried.right:
        retry = button(_("Try again"), HowtoId(place.game, place.number), blue)
        best = place.step.values[0][0] if place.step.values else ""
        solution = [button(_("Solution"), TryId(place.game, place.number, best))] if best else []
        return (retry, *solution)
    if not place.after:
        return ()
    words = _("Puzzles") if place.ends_part else _("Next")
    return (button(words, HowtoId(place.game, place.after), blue),)


def _ending(place: Place, view: View, drawn: Drawn) -> list[str]:
    """Return the text after the last step, or after the last puzzle.

    Args:
        view: the last position, which `drawn` shows.
    """
    if not place.step.values:
        ending = _("**That's it!** Now you know the main rules. One tip for your first match:")
        return [f"{ending} {_(place.lesson.tip)}"]
    lines = [_("**That was the last puzzle.** Now for a match of your own!")]
    if example := conditional_example(view, drawn.style):
        words = _("-# `/plan` makes your next moves while you're away, such as `{example}`.")
        lines.append(words.format(example=example))
    return lines


def _what_now(place: Place, *, computers: bool) -> Buttons:
    """Return the buttons to a match, to the puzzles, to the strategy, and to the rules.

    Against the computer, the learner plays the taught side.
    """
    green = discord.ButtonStyle.success
    side = place.lesson.steps[0].seat
    play = button(_("Play the computer now (easiest level)"), PlayNowId(place.game, side), green)
    puzzles = (puzzle_button(place.game),) if place.step.values else ()
    strategy = button(_("Strategy"), RulesId(place.game, "strategy", PageTarget.OPEN))
    rules = button(_("All rules"), RulesId(place.game, "about", PageTarget.OPEN))
    challenge = button(_("Play with others…"), ChallengeId(place.game))
    return (*((play,) if computers else ()), challenge, *puzzles, strategy, rules)


def _with_steps(place: Place, items: list[ui.Item], buttons: Buttons) -> list[ui.Item]:
    """Return items and buttons with the links to other steps and games, as far as they fit."""
    free = COMPONENT_LIMIT - BESIDE - count_components(items) - count_components(rows_of(buttons))
    turning = _turning(place)
    if len(turning) <= free:
        buttons, free = (*buttons, *turning), free - len(turning)
    below: list[ui.Item] = []
    for row in (*_other_games(place), _contents(place, place.number), *_games(place)):
        if count_components([*below, row]) <= free:
            below.append(row)
    return [*items, *rows_of(buttons), *below]


def _turning(place: Place) -> Buttons:
    """Return the buttons to the steps before and after this one."""
    back = button("◀", HowtoId(place.game, place.number - 1)) if place.number else None
    skip = button(_("Skip ▶"), HowtoId(place.game, place.after)) if place.after else None
    return tuple(item for item in (back, skip) if item)


def _contents(place: Place, current: int | None) -> ui.ActionRow:
    """Return the list of all steps and puzzles; the current one is selected, if there is one."""
    options = [
        discord.SelectOption(
            label=truncate(_entry(step, number, place.first_puzzle), OPTION_LIMIT),
            value=str(number),
            default=number == current,
        )
        for number, step in enumerate(place.lesson.steps)
    ]
    return contents_list(HowtoId(place.game), _("Steps"), options)


def _other_games(place: Place) -> list[ui.Item]:
    """Return buttons to the lessons of other games, at the first step."""
    if place.number:
        return []
    return game_buttons({game: LearnId(game) for game in taught() if game != place.game})


def _games(place: Place) -> list[ui.ActionRow]:
    """Return the list of games, if there are others that have a lesson; not at the first step."""
    if not place.number or len(taught()) == 1:
        return []
    options = [
        discord.SelectOption(
            label=truncate(phrase(GAME, title), OPTION_LIMIT),
            value=game,
            default=game == place.game,
        )
        for game, title in taught().items()
    ]
    return [contents_list(LearnId(), _(GAME.title), options)]


def _entry(step: Step, number: int, plain: int) -> str:
    if step.values:
        words = _("Puzzle {number}: {title}")
        return words.format(number=number - plain + 1, title=_(step.title))
    return f"{number + 1}. {_(step.title)}"


def _ids(place: Place) -> ChoiceIds:
    """Return the factories for the custom_ids of a step's choices, which are tried, not stored."""
    step = (place.game, place.number)
    return ChoiceIds(
        act=partial(TryId, *step),
        pick=lambda menu: TryId(*step, f"{menu}"),
        part=partial(LessonPartId, *step),
        gap=partial(GapId, *step),
    )


def _rule_of(place: Place) -> ui.Button:
    return button(
        _("Rule {rule}").format(rule=place.step.rule),
        RulesId(place.game, place.step.rule, PageTarget.OPEN),
    )
