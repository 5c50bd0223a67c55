"""Moves: typed or clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from discord import app_commands
from discord.app_commands import Choice

from bot.domain.ids import NO_MATCH, MatchId, UserId, Version
from bot.domain.models import NO_DECISION, Match, Perspective
from bot.domain.outcomes import ASK_CONFIRMATION, Outcome, OutcomeKind
from bot.interactions.boards import board
from bot.interactions.command import (
    CheckedCommand,
    Proposals,
    command,
    proposals,
)
from bot.interactions.components import (
    BUTTON_GONE,
    component,
    filled_in,
    selected,
    shown_texts,
    typed,
    typed_texts,
)
from bot.interactions.context import Context
from bot.interactions.match_option import (
    MATCH_OPTION,
    Sensible,
    after_own_move,
    find,
    on_turn,
    own_matches,
    typed_about,
)
from bot.interactions.outcomes import explain, renew
from bot.interactions.replies import (
    Interaction,
    UserError,
    acknowledge,
    delete_reply,
    edit_reply,
    open_window,
    reply,
    user_id_of,
)
from bot.interactions.typed_requests import DRAW, handled
from bot.interactions.visibility import visible_perspective
from bot.sanitize import escape
from bot.views import confirmations, private_boards
from bot.views.choices import (
    enter_nearest_area,
    fill_form,
    leads_somewhere,
    next_path_in_area,
    panel,
    typed_blanks,
)
from bot.views.controls import form_window, refused_form, turn_window
from bot.views.custom_ids import (
    ActId,
    FilledId,
    FormId,
    PartId,
    PickId,
    TurnChosenId,
    TurnId,
    TypedId,
)
from bot.views.message import Message, note
from bot.views.quotes import quoted_text
from bot.views.typed_choices import ChoiceReader, proposal, question, takes_back
from engine import games
from engine.game import Action, View
from engine.notation import SEPARATOR, completions, find_action
from render import for_game
from render.i18n import N_, _
from render.renderer import Style

CONTINUE_HERE = N_("Continue here.")

TOLD_LIMIT = 800
"""Maximum length of the stories of turns above the next private choice."""

DRAW_OFFER = "draw offer"

NOT_READ = "notation"
"""Number of the rule in the refusal of a text that means nothing here."""


@component(ActId)
async def _act(context: Context, interaction: Interaction, id: ActId) -> None:
    """Make the choice of a button."""
    await play(context, interaction, id.match_id, id.notation, id.decision)


@component(PickId)
async def _pick(context: Context, interaction: Interaction, id: PickId) -> None:
    """Make a choice from a list, which may be only the beginning of an action."""
    await play(context, interaction, id.match_id, selected(interaction), id.decision)


@component(FormId)
async def _form(context: Context, interaction: Interaction, id: FormId) -> None:
    """Open a window for a form."""
    perspective = await _deciding(context, interaction, id.match_id, id.decision)
    if perspective is None:
        return
    form = _form_of(perspective, id.line.partition(" ")[0])
    try:
        quoted = quoted_text(shown_texts(interaction))
        window = form_window(perspective.match, perspective.seat, form, id.line, quoted)
    except ValueError:
        raise UserError(_(BUTTON_GONE)) from None
    await open_window(interaction, window)


@component(FilledId)
async def _filled(context: Context, interaction: Interaction, id: FilledId) -> None:
    """Make the choice of a form that was filled in in a window."""
    perspective = await _deciding(context, interaction, id.match_id, id.decision)
    if perspective is None:
        return
    form = _form_of(perspective, id.verb)
    blanks = typed_blanks(perspective.match.game, form, typed_texts(interaction))
    if all(part.is_filled for part in blanks):
        await play(context, interaction, id.match_id, fill_form(form, blanks), id.decision)
    else:
        match, seat, *_rest = perspective
        await reply(interaction, refused_form(match, seat, form, blanks))


def _form_of(perspective: Perspective, verb: str) -> Action:
    """Return the form of this verb that the player can fill in.

    Raises:
        UserError: there is none.
    """
    for form in perspective.view.legal:
        if form.is_form and form.verb == verb:
            return form
    raise UserError(_(BUTTON_GONE))


@component(TurnId)
async def _turn(context: Context, interaction: Interaction, id: TurnId) -> None:
    """Open a window for several choices of a turn."""
    perspective = await _deciding(context, interaction, id.match_id, id.decision)
    if perspective is None:
        return
    match, seat, view, *_rest = perspective
    style = await context.preferences.style(user_id_of(interaction), match.guild_id)
    window = turn_window(match, seat, view, style)
    if not window.children:  # a game without whole turns in a window
        raise UserError(_(BUTTON_GONE))
    await open_window(interaction, window)


@component(TurnChosenId)
async def _turn_chosen(context: Context, interaction: Interaction, id: TurnChosenId) -> None:
    """Make the choices of a window, one after the other."""
    fields = sorted(filled_in(interaction).items())
    line = f"{SEPARATOR} ".join(value for _, values in fields for value in values)
    await play(context, interaction, id.match_id, line, id.decision)


@component(TypedId)
async def _typed(context: Context, interaction: Interaction, id: TypedId) -> None:
    """Make the choice typed into a window."""
    line = " ".join(typed(interaction).split())
    match = await context.queries.match(id.match_id)
    style = await context.preferences.style(user_id_of(interaction), match.guild_id)
    await play(context, interaction, id.match_id, line, id.decision, style=style)


async def play(
    context: Context,
    interaction: Interaction,
    match_id: MatchId,
    line: str,
    decision: Version | None,
    *,
    style: Style | None = None,
    verb: str = "",
) -> None:
    """Make a clicked or typed choice for this user, and reply.

    A style is given for a typed choice: its names, arrows and labels are those of the player's
    board in this style. A verb is given if the choice can have no other.

    Raises:
        UserError: see `_read`.
    """
    user_id = user_id_of(interaction)
    private = interaction.message is None or interaction.message.flags.ephemeral
    before = await visible_perspective(context, interaction, match_id) if private else None
    text = line
    as_typed: Callable[[str], str] = str
    reader = ChoiceReader(before.view, style) if before and style else None
    if before and reader:
        choice = await _read(context, interaction, before, reader, (text, verb), decision=decision)
        if choice is None:
            return
        line, as_typed = choice, reader.as_typed
    elif before:
        line = for_game(before.match.game).notation(before.seat, line)
    outcome = await context.matches.act(
        *(interaction.id, match_id, user_id, line[:100], decision),
        confirmation=ASK_CONFIRMATION,
        as_typed=as_typed,
    )
    if outcome.kind == OutcomeKind.CONFIRM:
        match = await context.queries.match(match_id)
        await edit_reply(interaction, confirmations.question(match, user_id, line))
        return
    if outcome.kind == OutcomeKind.REFUSED and before and reader:
        await _refuse(context, interaction, outcome, before, reader, text=text, line=line)
        return
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome, line)
        return
    await context.cards.dismiss(user_id, NO_MATCH)  # a list of matches that was left unanswered
    if not (private or outcome.again):
        await acknowledge(interaction, context.clicked)
        return
    perspective = await context.queries.view(match_id, user_id)
    if before is None:
        await _show_next_choice(context, interaction, perspective)
        return
    await _show_done(context, interaction, before, perspective, line)


async def _read(
    context: Context,
    interaction: Interaction,
    before: Perspective,
    reader: ChoiceReader,
    typed: tuple[str, str],
    *,
    decision: Version | None,
) -> str | None:
    """Return a typed choice in notation; None if the text was answered instead.

    Args:
        typed: the text, and the only verb that it can have, see `ChoiceReader.read`.
        decision: see `Matches.act`.

    Raises:
        UserError: a further choice of the text has a direction of the compass.
    """
    text, verb = typed
    if letter := reader.doubtful_direction(*text.split(SEPARATOR)[1:]):
        raise UserError(reader.compass_question(letter))
    line, meanings = reader.read(text, verb)
    if await handled(context, interaction, before, line):
        return None
    if meanings and decision in (None, before.match.decisions.get(before.seat, NO_DECISION)):
        await reply(interaction, _question(before, reader, text, meanings))
        return None
    return DRAW_OFFER if line == DRAW else line


def _question(
    before: Perspective, reader: ChoiceReader, text: str, meanings: Sequence[Action]
) -> Message:
    """Return the question which of several choices a text means, with buttons."""
    if letter := reader.compass(text):
        sentence = reader.compass_question(letter, meanings)
        return question(before.match, before.view, sentence, meanings, reader.planned)
    return question(before.match, before.view, reader.ambiguous(meanings), meanings)


async def _refuse(
    context: Context,
    interaction: Interaction,
    outcome: Outcome,
    before: Perspective,
    reader: ChoiceReader,
    *,
    text: str,
    line: str,
) -> None:
    """Ask for the meaning of a text with one unknown word, or say why it is no choice."""
    guess = reader.guess(text) if outcome.rule == NOT_READ else None
    if guess:
        sentence = reader.ambiguous(guess.meanings, guess.unknown)
        await reply(interaction, question(before.match, before.view, sentence, guess.meanings))
    else:
        await explain(context, interaction, _with_example(outcome, reader, text), line)


def _with_example(outcome: Outcome, reader: ChoiceReader, text: str) -> Outcome:
    """Add a legal choice, as it can be typed, to the refusal of a text, if there is one."""
    refusal = outcome.sentence
    if outcome.rule == NOT_READ and reader.is_readable(text):
        refusal = _("“{text}” isn't possible right now.").format(text=text)
    if (letter := reader.compass(text)) and reader.has_directions:
        refusal = f"{refusal} {reader.compass_note(letter)}"
    if example := reader.example(text):
        sentence = _("{refusal} Try “{example}”.")
        refusal = sentence.format(refusal=refusal, example=example)
    return replace(outcome, sentence=refusal)


async def _show_done(
    context: Context, interaction: Interaction, before: Perspective, after: Perspective, line: str
) -> None:
    """Show the choice made in private, and the next one, in the same area if possible.

    If there is no next one, delete the clicked message, so that the board in the channel, which
    shows the choice, stays the last message. Values that were filled in may be secret: repeat them.
    """
    renderer, view = for_game(before.match.game), before.view
    first = line.partition(SEPARATOR)[0]
    action = find_action(games.get(before.match.game), view.legal, first)
    if interaction.message and action and not (after.view.legal or _is_form(view, action)):
        await delete_reply(interaction)
        return
    text = renderer.done(view, action, after.view) if action else line
    done = _("Done: {choice}.").format(choice=escape(text))
    done = confirmations.draw_done(after, line) or done
    message = note(done)
    if after.view.legal:
        user_id = user_id_of(interaction)
        if before.view.turn and before.view.turn != after.view.turn:
            # Whole turns were played by plans or without a choice
            now, turn_views = await context.queries.since_last_turn(after.match.id, user_id)
            done = private_boards.story_lines(now.match, turn_views, TOLD_LIMIT) or done
        path = next_path_in_area(view, action, after.view) if action else ""
        message = await board(context, after, user_id, done, path=path)
    await edit_reply(interaction, message)


def _is_form(view: View, action: Action) -> bool:
    """Return whether an action has values that were filled in."""
    return any(choice.is_form and choice.verb == action.verb for choice in view.legal)


async def _show_next_choice(
    context: Context, interaction: Interaction, perspective: Perspective
) -> None:
    """Show the user's next private choice after a click in public."""
    view = perspective.view
    if view.legal and (enter_nearest_area(view) or not panel(view).open):
        await reply(
            interaction,
            await board(context, perspective, user_id_of(interaction), _(CONTINUE_HERE)),
        )
    else:
        await acknowledge(interaction, context.clicked)


@component(PartId)
async def _part(context: Context, interaction: Interaction, id: PartId) -> None:
    """Show fewer choices on a board that marks only these.

    A path of an earlier version may lead nowhere; then all choices are shown.
    """
    perspective = await _deciding(context, interaction, id.match_id, id.decision)
    if perspective is None:
        return
    path = id.path if leads_somewhere(perspective.view, id.path) else ""
    message = await board(context, perspective, user_id_of(interaction), path=path)
    await edit_reply(interaction, message)


async def _deciding(
    context: Context, interaction: Interaction, match_id: MatchId, decision: Version
) -> Perspective | None:
    """Return the perspective of a user whose decision, named by a button, is still open.

    Returns:
        None if the decision has been made or is another player's; in that case the panel has been
        renewed.
    """
    perspective = await visible_perspective(context, interaction, match_id)
    if perspective.seat and perspective.match.decisions.get(perspective.seat) == decision:
        return perspective
    above = _("That move has already been made.")
    match, seat = perspective.match, perspective.seat
    turn = next((other for other, open_id in match.decisions.items() if open_id == decision), seat)
    if seat and turn != seat and seat not in match.decisions:
        words = _("It's {name}'s turn; you can already plan ahead with *Plan*.")
        above = words.format(name=escape(match.names[turn]))
    await renew(context, interaction, perspective, above)
    return None


def _where_readable(text: str) -> Sensible:
    """Return a function for the matches that a typed text fits best.

    These are matches in which it means a legal choice, or else one that is understood.
    """

    async def sensible(
        context: Context, user_id: UserId, matches: Sequence[Match]
    ) -> Sequence[Match]:
        candidates = await on_turn(context, user_id, matches) or matches
        if not text or len(candidates) < 2:
            return candidates
        legal, readable = [], []
        for match in candidates:
            view = (await context.queries.view(match.id, user_id)).view
            reader = ChoiceReader(view, await context.preferences.style(user_id, match.guild_id))
            if reader.is_legal(text):
                legal.append(match)
            elif reader.is_readable(text):
                readable.append(match)
        return legal or readable or candidates

    return sensible


def _do(context: Context) -> CheckedCommand:
    @proposals
    async def propose(interaction: Interaction, current: str) -> Proposals:
        sensible = _where_readable(
            current
        )  # a proposal changes nothing: the likeliest match will do
        perspective = await typed_about(context, interaction, sensible=sensible, acts=False)
        if perspective is None:
            return []
        game, view, typed = games.get(perspective.match.game), perspective.view, current.lower()
        style = await context.preferences.style(user_id_of(interaction), perspective.match.guild_id)
        reader = ChoiceReader(view, style)
        line, meanings = reader.read(current)
        begins = {*completions(game, view.legal, line), *meanings}
        lines = {a.notation: a for a in view.legal if not a.is_form}
        words = {line: for_game(game.name).label(view, a) for line, a in lines.items()}
        return [
            Choice(name=proposal(reader.written(line), words[line])[:100], value=line)
            for line, action in lines.items()
            if action in begins or typed in line.lower() or typed in words[line].lower()
        ]

    @command(name=N_("do"), description=N_("Type a move"))
    @app_commands.describe(
        action=N_(
            "Pick a move from the list, or type its beginning; leave it out to open a window"
        ),
        match=MATCH_OPTION,
    )
    @app_commands.autocomplete(action=propose, match=own_matches(context))
    async def do(
        interaction: Interaction, action: str | None = None, match: int | None = None
    ) -> None:
        sensible = after_own_move if takes_back(action or "") else _where_readable(action or "")
        target = await find(context, interaction, match, sensible=sensible, acts=True)
        style = await context.preferences.style(user_id_of(interaction), target.guild_id)
        if action is None:
            perspective = await context.queries.view(target.id, user_id_of(interaction))
            await open_window(interaction, private_boards.window(perspective, style))
            return
        await play(context, interaction, target.id, " ".join(action.split()), None, style=style)

    return do


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_do(context)]
