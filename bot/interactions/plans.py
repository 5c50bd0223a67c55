"""Plans: choices that a player makes in advance, shown and changed in private."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from discord import app_commands

from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus, Switch
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.interactions.boards import board
from bot.interactions.command import CheckedCommand, command
from bot.interactions.components import BUTTON_GONE, component, shown_texts, typed
from bot.interactions.computers import THINKING
from bot.interactions.context import Context
from bot.interactions.match_option import MATCH_OPTION, find, in_any, own_matches
from bot.interactions.memory_buttons import lines_to_remember, memory_buttons
from bot.interactions.outcomes import explain
from bot.interactions.permissions import require_computers
from bot.interactions.progress import announced
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_reply,
    open_window,
    user_id_of,
)
from bot.interactions.visibility import visible_match
from bot.services.computer_turns import ChoiceError, StoppedError
from bot.services.plans import OwnPlan, SeenPlan, Spelling
from bot.services.preferences import PreferenceKey
from bot.views import plans
from bot.views.controls import button
from bot.views.custom_ids import PlanId, PlanMeantId, PlanStep
from bot.views.message import Message
from bot.views.quotes import quoted_text
from bot.views.ratings import is_rated
from bot.views.typed_choices import MEANING_BUTTONS, ChoiceReader, Guess, question_about
from engine.game import Action, IllegalActionError, View
from engine.plans import ALTERNATIVES, MAX_ALTERNATIVES, ORDER
from render import for_game
from render.i18n import N_, _, quoted
from render.renderer import Style

NOT_STRAIGHT = N_(
    "“{text}” isn't in a straight line from where the ship is. Name a direction, such as "
    "“up right”."
)

READING_PLAN = N_("I'm still reading a plan of yours; try again in a moment.")


@component(PlanId)
async def _plan(context: Context, interaction: Interaction, id: PlanId) -> None:
    """Show or change this user's plan."""
    await visible_match(context, interaction, id.match_id)
    await _STEPS[id.step](context, interaction, id)


async def _show(context: Context, interaction: Interaction, id: PlanId) -> None:
    await edit_reply(interaction, await panel(context, user_id_of(interaction), id.match_id))


async def panel(
    context: Context, user_id: UserId, match_id: MatchId, *, late: bool = False
) -> Message:
    """Return a user's plan as a message.

    Args:
        late: whether a suggestion was asked for that is not ready.

    Raises:
        UserError: the user does not play in the match.
    """
    own_plan, played = await _plan_and_choices(context, user_id, match_id)
    match = own_plan.perspective.match
    suggests = plans.Suggesting.NO
    if context.can_play(match.game) and not is_rated(match):
        suggests = plans.Suggesting.LATE if late else plans.Suggesting.YES
    style = await _style(context, user_id, own_plan)
    preferences = await context.preferences.preferences(user_id)
    forced = preferences[PreferenceKey.FORCED] == Switch.ON
    lines = await lines_to_remember(context, match, user_id)
    beside = await memory_buttons(context, match, user_id, lines) if lines else []
    drawn = None
    if planned := plans.ghosts(own_plan):
        match, _seat, view = own_plan.perspective[:3]
        drawn = await context.images.with_actions(view, match.names, style, ghosts=planned)
    return plans.plan(
        *(own_plan, style),
        forced=forced,
        suggests=suggests,
        played=played,
        drawn=drawn,
        beside=beside,
    )


async def _plan_and_choices(
    context: Context, user_id: UserId, match_id: MatchId
) -> tuple[OwnPlan, Sequence[tuple[View, Action]]]:
    """Return a user's plan, and the choices that it has made lately, each with the view before it.

    Raises:
        UserError: the user does not play in the match.
    """
    own_plan = await plan_of(context, user_id, match_id)
    if not own_plan.made_at:
        return own_plan, ()
    return own_plan, await context.queries.choices_at(match_id, user_id, own_plan.made_at)


async def plan_of(context: Context, user_id: UserId, match_id: MatchId) -> OwnPlan:
    """Return a user's plan.

    Raises:
        UserError: the user does not play in this match.
    """
    own_plan = await context.plans.read(match_id, user_id)
    if not own_plan.perspective.seat:
        raise UserError(_("You're not playing in this match."))
    return own_plan


async def _style(context: Context, user_id: UserId, own_plan: OwnPlan) -> Style:
    """Return the style of a user's board in the match of a plan."""
    guild_id = own_plan.perspective.match.guild_id
    return await context.preferences.style(user_id, guild_id)


async def _edit(context: Context, interaction: Interaction, id: PlanId) -> None:
    own_plan = await plan_of(context, user_id_of(interaction), id.match_id)
    if own_plan.perspective.match.status != MatchStatus.RUNNING:
        await _show(context, interaction, id)
        return
    refused = quoted_text(shown_texts(interaction))
    style = await _style(context, user_id_of(interaction), own_plan)
    await open_window(interaction, plans.window(own_plan, style, refused))


async def _write(context: Context, interaction: Interaction, id: PlanId) -> None:
    await _write_text(context, interaction, id, typed(interaction))


@component(PlanMeantId)
async def _meant(context: Context, interaction: Interaction, id: PlanMeantId) -> None:
    """Write a refused plan with the meaning of one of its texts."""
    await visible_match(context, interaction, id.match_id)
    own_plan = await plan_of(context, user_id_of(interaction), id.match_id)
    style = await _style(context, user_id_of(interaction), own_plan)
    lines = quoted_text(shown_texts(interaction)).splitlines()
    meaning = ChoiceReader(own_plan.perspective.view, style).written(id.notation)
    corrected = ""
    if 0 < id.line <= len(lines):
        corrected = lines[id.line - 1] = _corrected(lines[id.line - 1], id.place, meaning)
    if not corrected:
        raise UserError(_(BUTTON_GONE))
    plan_id = PlanId(id.match_id, PlanStep.WRITE, id.version, id.decision)
    await _write_text(context, interaction, plan_id, "\n".join(lines))


def _corrected(line: str, place: int | None, meaning: str) -> str:
    """Return a line with another text; empty if it has no such place.

    Args:
        place: see `PlanMeantId`.
        meaning: the text as it is typed.
    """
    start, parts = _alternatives(line)
    if place is None:
        return _condition(meaning) + "".join(parts) if start else ""
    if not 0 <= 2 * place < len(parts):
        return ""
    parts[2 * place] = meaning
    return start + "".join(parts)


def _condition(words: str) -> str:
    """Return the beginning of a line with a condition."""
    return f"if {words}" + ":"


def _alternatives(line: str) -> tuple[str, list[str]]:
    """Return the condition of a line, and its alternatives with the words between them."""
    order = ORDER.fullmatch(line)
    if order is None:
        return "", []
    return line[: order.start("actions")], ALTERNATIVES.split(order["actions"])


async def _write_text(context: Context, interaction: Interaction, id: PlanId, text: str) -> None:
    """Replace the plan by a typed one."""
    own_plan = await plan_of(context, user_id_of(interaction), id.match_id)
    style = await _style(context, user_id_of(interaction), own_plan)
    reader = ChoiceReader(own_plan.perspective.view, style)
    await _replace(
        *(context, interaction, id, text, text),
        in_notation=partial(_notation, reader),
        as_typed=reader.as_typed,
    )


def _notation(reader: ChoiceReader, line: str) -> str:
    """Return an order in notation; its colon may stand beside a name.

    Raises:
        IllegalActionError: it names a direction by the compass, and not as records do; or a space
            to which no direction leads.
    """
    order = ORDER.fullmatch(line)
    if order is None:
        return line
    words = order["words"]
    condition = "" if words is None else f"if {reader.in_notation(words)}: "
    parts = ALTERNATIVES.split(order["actions"])
    for place in range(0, min(len(parts), 2 * MAX_ALTERNATIVES + 1), 2):  # more are refused
        part = parts[place]
        if letter := reader.doubtful_direction(part):
            raise IllegalActionError("notation", reader.compass_question(letter))
        move = reader.move_towards(part)
        if move == "":
            raise IllegalActionError("notation", NOT_STRAIGHT, text=part.strip())
        parts[place] = move or reader.read_order(part)
    return condition + "".join(parts)


async def _suggest(context: Context, interaction: Interaction, id: PlanId) -> None:
    """Replace the plan with the computer's suggestion for this setup, to be accepted."""
    own_plan = await plan_of(context, user_id_of(interaction), id.match_id)
    require_computers(context, own_plan.perspective.match.game)
    if is_rated(own_plan.perspective.match):
        raise UserError(_("I don't suggest moves in rated matches."))
    user_id = user_id_of(interaction)
    sentence = _("Working out a setup … It appears here when it's ready.")
    async with announced(interaction, sentence, context.limits.of(THINKING)):
        try:
            plan = await context.suggestions.set_up(id.match_id, own_plan.perspective.seat)
        except (ChoiceError, StoppedError):
            plan = None
    if plan and plan.orders:
        await context.plans.write(
            *(interaction.id, id.match_id, user_id, str(plan), SeenPlan(own_plan.version)),
            suggested=True,
        )
    message = await panel(context, user_id, id.match_id, late=plan is None)
    await edit_reply(interaction, message)


async def _clear(context: Context, interaction: Interaction, id: PlanId) -> None:
    await _replace(context, interaction, id, "")


async def _resume(context: Context, interaction: Interaction, id: PlanId) -> None:
    own_plan = await plan_of(context, user_id_of(interaction), id.match_id)
    style = await _style(context, user_id_of(interaction), own_plan)
    match, seat, *_rest = own_plan.perspective
    as_typed = partial(for_game(match.game).written, seat, style=style)
    text = plans.written(own_plan, own_plan.plan, style)
    async with announced(
        interaction, _("I'm playing your plan …"), context.limits.of(READING_PLAN)
    ):
        outcome = await _written(context, interaction, id, str(own_plan.plan), as_typed=as_typed)
    await _answer(context, interaction, id, outcome, text)


async def _replace(
    context: Context,
    interaction: Interaction,
    id: PlanId,
    text: str,
    given: str = "",
    *,
    in_notation: Callable[[str], str] = str,
    as_typed: Callable[[str], str] = str,
) -> None:
    """Replace the plan, carry out the orders that fit, and show them and the remaining ones.

    Args:
        interaction: the player's interaction.
        id: the match, and the version of the plan that the player has seen.
        text: the orders.
        given: the orders as the player gave them, shown again if they are refused.
        in_notation: returns a line of the orders with all names as the notation has them.
        as_typed: returns a line of notation as the player types it.

    Raises:
        UserError: a plan of this player is being read.
    """
    with context.limits.of(READING_PLAN).running(user_id_of(interaction)):
        outcome = await _written(
            *(context, interaction, id, text), in_notation=in_notation, as_typed=as_typed
        )
    await _answer(context, interaction, id, outcome, given)


async def _written(
    context: Context,
    interaction: Interaction,
    id: PlanId,
    text: str,
    *,
    in_notation: Callable[[str], str] = str,
    as_typed: Callable[[str], str] = str,
) -> Outcome:
    """Replace the plan, and carry out the orders that fit; for arguments see `_replace`."""
    return await context.plans.write(
        *(interaction.id, id.match_id, user_id_of(interaction), text),
        SeenPlan(id.version, id.decision),
        spelling=Spelling(in_notation, as_typed),
    )


async def _answer(
    context: Context, interaction: Interaction, id: PlanId, outcome: Outcome, given: str
) -> None:
    """Show the plan that was written, or why it was refused; for `given` see `_replace`."""
    match_id = outcome.match_id
    if outcome.kind == OutcomeKind.DONE:
        await edit_reply(interaction, await panel(context, user_id_of(interaction), match_id))
    elif given and await _can_try_again(context, outcome):
        await edit_reply(interaction, await _refusal(context, interaction, id, outcome, given))
    else:
        await explain(context, interaction, outcome)


async def _refusal(
    context: Context, interaction: Interaction, id: PlanId, outcome: Outcome, text: str
) -> Message:
    """Return the refusal of a plan: for a line with an unknown word, the question what it means.

    That of a line with a condition has an example.
    """
    lines, user_id = text.splitlines(), user_id_of(interaction)
    if not 0 < outcome.line <= len(lines):
        return plans.refused(id.match_id, outcome.sentence, text)
    own_plan = await plan_of(context, user_id, id.match_id)
    style = await _style(context, user_id, own_plan)
    possible = await context.plans.plannable(id.match_id, user_id)
    view = replace(own_plan.perspective.view, legal=possible)
    reader = ChoiceReader(view, style, is_plan=True)
    line, position = lines[outcome.line - 1], (id.match_id, id.version, id.decision, outcome.line)
    order = ORDER.fullmatch(line)
    if order and (condition := reader.guess_condition(order["words"] or "")):
        meaning = reader.written(condition.condition)
        reason = question_about(condition.unknown, quoted(_condition(meaning)))
        meant_id = PlanMeantId(*position, None, condition.condition)
        buttons = [button(_corrected(line, None, meaning), meant_id)]
    elif place_and_guess := await asyncio.to_thread(_guess, reader, line, possible):
        place, guess = place_and_guess
        reason = reader.ambiguous(guess.meanings, guess.unknown)
        buttons = [
            button(reader.planned(action), PlanMeantId(*position, place, action.notation))
            for action in guess.meanings[:MEANING_BUTTONS]
        ]
    else:
        sentence, example = outcome.sentence, plans.conditional_example(view, style)
        if example and line.lower().startswith("if"):
            words = _("{refusal} A line with “if” looks like this: “{example}”.")
            sentence = words.format(refusal=sentence, example=example)
        return plans.refused(id.match_id, sentence, text)
    sentence = _("Line {line}: {reason}").format(line=outcome.line, reason=reason)
    return plans.asked(id.match_id, sentence, text, buttons)


def _guess(reader: ChoiceReader, line: str, possible: Sequence[Action]) -> tuple[int, Guess] | None:
    """Return the place of the first alternative with one unknown word, and what it can mean."""
    for place, text in enumerate(_alternatives(line)[1][::2]):
        if guess := reader.guess(text):
            meanings = tuple(action for action in guess.meanings if action in possible)
            if meanings:
                return place, Guess(guess.unknown, meanings)
    return None


async def _can_try_again(context: Context, outcome: Outcome) -> bool:
    """Return whether the player can correct a refused plan, because the match continues."""
    if outcome.kind == OutcomeKind.STALE:
        match = await context.queries.match(outcome.match_id)
        return match.status == MatchStatus.RUNNING
    return outcome.kind == OutcomeKind.REFUSED


async def _back(context: Context, interaction: Interaction, id: PlanId) -> None:
    """Show the board again, with this user's choices if there are any."""
    user_id = user_id_of(interaction)
    perspective = await context.queries.view(id.match_id, user_id)
    await edit_reply(interaction, await board(context, perspective, user_id))


def _set_forced(value: Switch) -> Callable[[Context, Interaction, PlanId], Awaitable[None]]:
    async def change(context: Context, interaction: Interaction, id: PlanId) -> None:
        await context.preferences.set(user_id_of(interaction), PreferenceKey.FORCED, value)
        await _show(context, interaction, id)

    return change


_STEPS: dict[PlanStep, Callable[[Context, Interaction, PlanId], Awaitable[None]]] = {
    PlanStep.SHOW: _show,
    PlanStep.EDIT: _edit,
    PlanStep.WRITE: _write,
    PlanStep.SUGGEST: _suggest,
    PlanStep.RESUME: _resume,
    PlanStep.CLEAR: _clear,
    PlanStep.FORCED_ON: _set_forced(Switch.ON),
    PlanStep.FORCED_OFF: _set_forced(Switch.OFF),
    PlanStep.BOARD: _back,
}


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""

    @command(name=N_("plan"), description=N_("Decide your next moves in advance, in private"))
    @app_commands.describe(match=MATCH_OPTION)
    @app_commands.autocomplete(match=own_matches(context))
    async def plan(interaction: Interaction, match: int | None = None) -> None:
        target = await find(context, interaction, match, sensible=in_any)
        await _show(context, interaction, PlanId(target.id))

    return [plan]
