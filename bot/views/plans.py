"""A player's plan: its orders in sentences, and a window to write them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

import discord

from bot.domain.ids import MatchId
from bot.domain.models import NO_DECISION, MatchStatus, Perspective
from bot.sanitize import escape, escape_sentence
from bot.services.automatic_moves import StopReason
from bot.services.plans import OwnPlan
from bot.views import ui
from bot.views.attachments import BOARD_FILE, alt_text
from bot.views.controls import button, rows_of
from bot.views.custom_ids import PlanId, PlanStep
from bot.views.images import Drawn
from bot.views.message import Message, note, pictured
from bot.views.names import escaped_names
from bot.views.private_boards import MODAL_TITLE_LIMIT
from bot.views.quotes import quote
from engine import games
from engine.game import Action, View
from engine.plans import MAX_CHARACTERS, Order, Plan, load_plan
from render import for_game
from render.i18n import N_, _, format_clauses, format_list, titled, truncate
from render.renderer import Style

PLAN_LIMIT = MAX_CHARACTERS
"""Maximum length of a plan in its window; a message has room for it and the reason of a refusal."""

REASON_LIMIT = 400
"""Maximum length of the reason of a refusal, which may quote a line."""

PLACEHOLDER_LIMIT = 100
"""Maximum length of the example in an empty window."""

ORDERS_LIMIT = 2700
"""Maximum length of all orders in sentences."""

ALTERNATIVES_SHOWN = 2
"""Number of an order's alternatives in its sentence; *Edit* shows all of them."""

DONE_SHOWN = 5
"""Number of the choices that a plan has made, the newest ones; *What happened?* tells all."""

DONE_LIMIT = 600
"""Maximum length of these choices."""

MAIN_BUTTONS_PER_ROW = 3


class Suggesting(Enum):
    """Whether the computer suggests a plan for a setup."""

    NO = auto()
    YES = auto()
    LATE = auto()
    """It does, but has just been too busy for it."""


AT_ONCE = N_("It's your turn now: when you send the form, I play its first line at once.")

STOPPED = {
    StopReason.CONDITION: N_("I've stopped playing it: no “if” in it has happened."),
    StopReason.ILLEGAL: N_("I've stopped playing it: the next line wasn't possible."),
    StopReason.DRAW: N_("I've stopped playing it, as my next move would decline a draw offer."),
    StopReason.TAKEBACK: N_(
        "I've stopped playing it, as a move was taken back. If the move came from this plan, its "
        "line is back in place."
    ),
    StopReason.SUGGESTED: N_("That's what I'd do. *Edit* changes it."),
    StopReason.STAND_IN: N_("I've stopped playing it, as the computer has played for you."),
}


def to_remember(player_plan: OwnPlan, played: Sequence[tuple[View, Action]]) -> tuple[str, ...]:
    """Return lines about the choices of a plan that cannot be shown again, until the match is over.

    Args:
        played: the choices that it has made lately, each with the player's view before it.

    Returns:
        A line for each of these choices and for each order of the plan. It is empty while such an
        order has alternatives: which of them it becomes is known when it has been carried out, and
        some lines of a setup would look like all of them.
    """
    match, _seat, view = player_plan.perspective[:3]
    if match.status != MatchStatus.RUNNING:
        return ()
    line = for_game(match.game).memory_line
    planned: list[str] = []
    for first, *others in (order.actions for order in player_plan.plan.orders):
        words = line(view, first)
        if words and others:
            return ()
        planned.append(words)
    lines = [*(line(before, action) for before, action in played), *planned]
    return tuple(dict.fromkeys(filter(None, lines)))


def plan(
    player_plan: OwnPlan,
    style: Style,
    *,
    forced: bool,
    suggests: Suggesting,
    played: Sequence[tuple[View, Action]] = (),
    drawn: Drawn | None = None,
    beside: Sequence[ui.Button] = (),
) -> Message:
    """Return the plan of a player, in private, with the buttons to change it.

    Args:
        style: style of the player's pictures.
        forced: whether the bot makes forced choices for the player.
        played: the choices that it has made lately, each with the player's view before it.
        drawn: the board with its orders, see `ghosts`; None if it has none.
        beside: buttons of features for what the player has to remember.
    """
    match = player_plan.perspective.match
    title = _("**{game} #{match}: your plan**").format(
        game=games.get(match.game).title, match=match.id
    )
    lines = [
        f"{number}. {order_words(player_plan.perspective, order, style)}"
        for number, order in _orders(player_plan)
    ]
    orders = truncate("\n".join(lines), ORDERS_LIMIT)
    state = _state(player_plan, style, finished=bool(played))
    if remembered := to_remember(player_plan, played):
        state = f"{state} {for_game(match.game).memory_note(player_plan.perspective.view)}"
        if not orders:
            state = f"{state} {format_list(remembered, style='commas')}"
    if suggests is Suggesting.LATE and not player_plan.perspective.view.turn:
        late = _(
            "I'm busy right now, so my suggestion is late; your plan hasn't changed. Ask again "
            "with *Suggest*, in a minute."
        )
        title = f"{title}\n{late}"
    text = "\n".join(filter(None, (title, _done(player_plan, played), f"-# {state}")))
    start = f"-# {_start(player_plan)}" if _can_start(player_plan) else ""
    below = [
        *[ui.TextDisplay(words) for words in (orders, start) if words],
        *rows_of(beside),
        *_controls(player_plan, forced=forced, suggests=suggests),
    ]
    alt = alt_text(player_plan.perspective, plan=orders)
    return pictured(text, BOARD_FILE, drawn and drawn.png, alt, below)


def ghosts(player_plan: OwnPlan) -> tuple[Action, ...]:
    """Return the preferred action of each order, to draw on the board with the order's number."""
    return tuple(order.actions[0] for order in player_plan.plan.orders)


def _orders(player_plan: OwnPlan) -> list[tuple[int, Order]]:
    return list(enumerate(player_plan.plan.orders, 1))


def _done(player_plan: OwnPlan, played: Sequence[tuple[View, Action]]) -> str:
    """Return the choices that the plan has made lately; empty if none."""
    if not played:
        return ""
    done = for_game(player_plan.perspective.match.game).done
    later = [*(view for view, _ in played[1:]), player_plan.perspective.view]
    newest = [
        escape(done(view, action, after))
        for (view, action), after in [*zip(played, later, strict=True)][-DONE_SHOWN:]
    ]
    if len(played) > DONE_SHOWN:
        newest.insert(0, "…")
    return truncate(_("Done: {choice}.").format(choice=format_clauses(newest)), DONE_LIMIT)


def _state(player_plan: OwnPlan, style: Style, *, finished: bool) -> str:
    """Return the status of a plan, for its player.

    Args:
        style: style of the player's pictures.
        finished: whether a plan without orders has made its last move lately.
    """
    match = player_plan.perspective.match
    if match.status != MatchStatus.RUNNING:
        return _("This match is over.")
    if not player_plan.plan.orders:
        done = _("Your plan is finished: I've made all its moves.") if finished else ""
        more = _("With *Edit*, you write down your next moves; at each of your turns, I make one.")
        if _decides(player_plan):
            more = _(
                "With *Edit*, you write down your next moves. It's your turn: when you send the "
                "form, I play its first line at once."
            )
        return f"{done} {more}".strip()
    if player_plan.stopped:
        reason = _stopped(player_plan, player_plan.stopped, style)
        return f"{reason} {_suggestion_note(player_plan)}".strip()
    if _decides(player_plan):
        return _(
            "No line fits right now, so make this move yourself. At your next one, I try line 1."
        )
    return _waiting(player_plan)


def _suggestion_note(player_plan: OwnPlan) -> str:
    """Return the warning about a suggestion that people have seen before; empty if none has."""
    match = player_plan.perspective.match
    note = for_game(match.game).suggestion_note
    if not _is_new(player_plan) or len(match.people) < 2 or not note:
        return ""
    return _(note)


def _stopped(player_plan: OwnPlan, reason: StopReason, style: Style) -> str:
    """Return the reason why a plan has stopped, with the line that was not possible if known.

    Before a line without a condition, it may have been another one.
    """
    first = player_plan.plan.orders[0]
    if reason is not StopReason.ILLEGAL or first.condition:
        return _(STOPPED[reason])
    words = _("I've stopped playing it: line 1, “{line}”, wasn't possible.")
    return words.format(line=order_words(player_plan.perspective, first, style))


def _can_start(player_plan: OwnPlan) -> bool:
    """Return whether a plan is stopped or suggested, so that a button starts it."""
    is_running = player_plan.perspective.match.status == MatchStatus.RUNNING
    return bool(is_running and player_plan.plan.orders and player_plan.stopped)


def _start(player_plan: OwnPlan) -> str:
    """Return a sentence about the button that starts a stopped or suggested plan."""
    button_name = _("*Use this plan*") if _is_new(player_plan) else _("*Continue*")
    if _decides(player_plan):
        words = _("{button}: I play line 1 now, and one more line at each of your turns.")
    elif player_plan.perspective.seat in player_plan.perspective.match.decisions:
        words = _("{button}: I play one line at each of your turns. First, answer the draw offer.")
    else:
        words = _("{button}: I play one line at each of your turns, beginning with line 1.")
    return words.format(button=button_name)


def _waiting(player_plan: OwnPlan) -> str:
    """Return the next move of a plan, for the time when its player waits for others."""
    if player_plan.plan.orders[0].condition:
        words = _(
            "When it's your move, I make the first of these moves whose “if” has happened. If none "
            "is possible, I stop and you choose."
        )
    else:
        words = _(
            "When it's your move, I play line 1. If it isn't possible, I stop and you choose."
        )
    end = _("*Clear* ends the plan; `/takeback` takes back a move that it has made.")
    return f"{words} {end}"


def _is_new(player_plan: OwnPlan) -> bool:
    """Return whether a plan is a suggestion that the player has not accepted."""
    return player_plan.stopped is StopReason.SUGGESTED


def _decides(player_plan: OwnPlan) -> bool:
    """Return whether a plan is played at once: on the player's turn, without a draw offer."""
    seat, view = player_plan.perspective.seat, player_plan.perspective.view
    return seat in player_plan.perspective.match.decisions and seat not in view.answering


def order_words(perspective: Perspective, order: Order, style: Style) -> str:
    """Return an order in words, naming pieces and places as the reader's pictures do.

    Args:
        perspective: the match as the reader sees it.
        style: style of the reader's pictures.
    """
    renderer, view = for_game(perspective.match.game), perspective.view
    moves = _alternatives([renderer.planned(view, action, style) for action in order.actions])
    if not order.condition:
        return moves
    names = escaped_names(perspective.match)
    happened = format_list([renderer.name(word, names) for word in order.condition])
    return _("If {happened} comes first: {moves}").format(happened=happened, moves=moves)


def _alternatives(moves: Sequence[str]) -> str:
    """Return alternatives; of several that differ in their last word only, the first such words.

    Example:
        >>> _alternatives(["Moons 3 on c5", "Moons 3 on d5", "Moons 3 on e5"])
        'Moons 3 on c5 (or else d5, e5)'
        >>> _alternatives(["Suns 1 on c5", "Suns 1 on d5", "Suns 1 on e5", "Suns 1 on f5"])
        'Suns 1 on c5 (or else d5, e5, …)'
    """
    first, *others = moves
    start, _space, _last = first.rpartition(" ")
    words = [move.removeprefix(f"{start} ") for move in others[:ALTERNATIVES_SHOWN]]
    words += ["…"] if len(others) > ALTERNATIVES_SHOWN else []
    if len(others) < 2 or not start or any(" " in word for word in words):
        choices = [first, *others[:ALTERNATIVES_SHOWN], *words[ALTERNATIVES_SHOWN:]]
        return format_list(choices, style="or")
    return _("{move} (or else {others})").format(
        move=first, others=format_list(words, style="commas")
    )


def _controls(player_plan: OwnPlan, *, forced: bool, suggests: Suggesting) -> list[ui.Item]:
    """Return the buttons of a plan, and the switch for forced choices below a line about it."""
    match, version = player_plan.perspective.match, player_plan.version
    decision = match.decisions.get(player_plan.perspective.seat, NO_DECISION)
    back = button(_("Back to the board"), PlanId(match.id, PlanStep.BOARD))
    if match.status != MatchStatus.RUNNING:
        return [ui.ActionRow(back)]
    primary, success = discord.ButtonStyle.primary, discord.ButtonStyle.success
    buttons = [button(_("Edit"), PlanId(match.id, PlanStep.EDIT), primary)]
    if player_plan.stopped:
        label = _("Use this plan") if _is_new(player_plan) else _("Continue")
        buttons.append(button(label, PlanId(match.id, PlanStep.RESUME, version, decision), success))
    if suggests is not Suggesting.NO and not player_plan.perspective.view.turn:
        buttons.append(button(_("Suggest"), PlanId(match.id, PlanStep.SUGGEST, version)))
    if player_plan.plan.orders:
        buttons.append(button(_("Clear"), PlanId(match.id, PlanStep.CLEAR, version)))
    state = _("-# If only one move is possible, I wait until you make it.")
    switch = button(_("Make my only move for me"), PlanId(match.id, PlanStep.FORCED_ON))
    if forced:
        state = _("-# If only one move is possible, I make it for you, so that you needn't click.")
        switch = button(_("Let me make it myself"), PlanId(match.id, PlanStep.FORCED_OFF))
    main = rows_of(buttons, MAIN_BUTTONS_PER_ROW)
    return [*main, ui.TextDisplay(state), ui.ActionRow(switch, back)]


def refused(match_id: MatchId, sentence: str, text: str) -> Message:
    """Return a message with the reason for refusing a plan, and the typed text.

    *Edit* opens a form with this text.
    """
    return asked(match_id, sentence, text, ())


def asked(match_id: MatchId, sentence: str, text: str, buttons: Sequence[ui.Button]) -> Message:
    """Return a refusal as a question: with a button for each meaning that the text can have."""
    reason = escape_sentence(truncate(sentence, REASON_LIMIT))
    edit = button(_("Edit"), PlanId(match_id, PlanStep.EDIT), discord.ButtonStyle.primary)
    back = button(_("Back"), PlanId(match_id))
    rows = (*rows_of(buttons), ui.ActionRow(edit, back))
    return note(reason + quote(text[:PLAN_LIMIT]), *rows)


def written(player_plan: OwnPlan, plan: Plan, style: Style) -> str:
    """Return a plan of a player as they would type it, with the names on their pictures.

    Directions are arrows if the plan is too long for its window otherwise.
    """
    match, seat, *_rest = player_plan.perspective
    renderer = for_game(match.game)
    spelled = renderer.spelled(seat, str(plan), style)
    return spelled if len(spelled) <= PLAN_LIMIT else renderer.written(seat, str(plan), style)


def conditional_example(view: View, style: Style) -> str:
    """Return a line with a condition, as the viewer could type it; empty if the game has none.

    Args:
        style: style of the viewer's pictures.
    """
    renderer = for_game(view.game)
    orders = load_plan(view.seat, renderer.plan_example(view)).orders
    lines = [str(order) for order in orders if order.condition]
    return renderer.spelled(view.seat, lines[0], style) if lines else ""


def window(player_plan: OwnPlan, style: Style, refused: str = "") -> ui.Modal:
    """Return a window for writing a plan, one order per line, with examples.

    Args:
        style: style of the player's pictures.
        refused: the text of a refused plan, which the player edits instead.
    """
    match, seat, view, *_rest = player_plan.perspective
    example = load_plan(seat, for_game(match.game).plan_example(view))
    title = _("Your plan: {game} #{match}").format(game=games.get(match.game).title, match=match.id)
    field = ui.TextInput(
        custom_id="orders",
        style=discord.TextStyle.paragraph,
        placeholder=truncate(written(player_plan, example, style), PLACEHOLDER_LIMIT) or None,
        default=(refused or written(player_plan, player_plan.plan, style))[:PLAN_LIMIT] or None,
        required=False,
        max_length=PLAN_LIMIT,
    )
    label = ui.Label(
        text=_("Your next moves"),
        description=_("One move a line, as in the examples."),
        component=field,
    )
    decision = match.decisions.get(seat, NO_DECISION)
    custom_id = PlanId(match.id, PlanStep.WRITE, player_plan.version, decision)
    window = ui.Modal(title=title[:MODAL_TITLE_LIMIT], custom_id=str(custom_id), timeout=None)
    about = ui.TextDisplay(_help(player_plan, example, style))
    return window.add_item(about).add_item(label)


def _help(player_plan: OwnPlan, example: Plan, style: Style) -> str:
    """Return instructions for writing a plan, with an example in this game and its meaning."""
    perspective = player_plan.perspective
    meanings = [
        titled(
            f"`{written(player_plan, Plan((order,)), style)}`",
            order_words(perspective, order, style),
        )
        for order in example.orders
    ]
    spelling = for_game(perspective.match.game).plan_note
    rules = (
        _("“or”: the second move is made if the first isn't possible."),
        _(
            "“if”: the line counts only if that has happened since your last turn, by any player; "
            "if not, I go on to the next line."
        ),
        _("If no line is possible, I stop, and you choose."),
        *([_(spelling)] if spelling else []),
        _("Only you see your plan. After the match, the story says which moves came from it."),
    )
    return "\n".join(
        (
            *([_(AT_ONCE)] if _decides(player_plan) else []),
            _("Whenever it's your move, I make the next line's move for you. For example:"),
            *(f"- {line}" for line in (*meanings, *rules)),
        )
    )
