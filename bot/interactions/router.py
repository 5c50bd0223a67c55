"""Buttons and lists: a custom_id is `name:field:field…`, and the name finds what to do.

There are no live view objects: a click is understood from its custom_id alone, so a button works
after any restart, and dies politely when its decision is made (the version in it is compared).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import discord

from bot.interactions.context import Context
from bot.interactions.people import PEOPLE_PRESSES
from bot.interactions.permissions import admit
from bot.interactions.replays import show_film, show_turn
from bot.interactions.replies import UnclearError, accept, ask, rewrite, whisper
from bot.interactions.resume import RESUME_PRESSES
from bot.interactions.rules import RULES_PRESSES
from bot.interactions.visibility import look, seen
from bot.services.luck import Luck
from bot.services.models import CHALLENGE, Table
from bot.services.preferences import NO_DM
from bot.services.queries import NoMatchError
from bot.services.transactions import Outcome
from bot.text import clean, escape
from bot.views import boards, challenges, confirmations, inbox, preferences
from bot.views.choices import narrowed, panel, with_value
from bot.views.message import Message, note
from bot.views.rules import rule_link
from engine import games
from engine.exits import TWO
from engine.typed import begun, meant
from render import for_game
from render.i18n import _, later

Interaction = discord.Interaction[Any]
Press = Callable[[Context, Interaction, list[str]], Awaitable[None]]

DEAD = later("This button does not work any more.")
GO_ON = later("It goes on here, for your eyes only.")
LONGEST = 20
"""Digits of an interaction's number."""

EXITS = {
    "draw offer": later("draw offer"),
    "draw accept": later("draw accepted"),
    "draw decline": later("draw declined"),
}
"""What is never in a list of legal actions, as people say it."""


async def press(context: Context, interaction: Interaction) -> None:
    """Do what a click asks for.

    Raises:
        UnclearError: it is not a button of this bot.
    """
    data: Any = interaction.data or {}
    name, *fields = str(data.get("custom_id", "")).split(":", 3)
    found = PRESSES.get(name)
    if found is None:
        raise UnclearError(_(DEAD))
    await found(context, interaction, fields)


def _number(fields: list[str], place: int) -> int:
    """A whole number out of a custom_id.

    Raises:
        UnclearError: there is none.
    """
    if len(fields) <= place or not (fields[place].isascii() and fields[place].isdecimal()):
        raise UnclearError(_(DEAD))
    return int(fields[place][:18])


async def _act(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`act:MATCH:DECISION:LINE`; `-` for a choice that belongs to no decision."""
    await play(context, interaction, _number(fields, 0), " ".join(fields[2:]), _decision(fields))


def _decision(fields: list[str]) -> int | None:
    return None if fields[1:2] == ["-"] else _number(fields, 1)


async def _pick(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`pick:MATCH:DECISION:NUMBER`, with a line, perhaps not complete, as the value."""
    data: Any = interaction.data or {}
    line = " ".join(str(value) for value in data.get("values", ()))
    await play(context, interaction, _number(fields, 0), line, _number(fields, 1))


async def _form(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`form:MATCH:DECISION:PLACE:LINE`, with a value for that place of a form."""
    place, __, line = "".join(fields[2:]).partition(":")
    data: Any = interaction.data or {}
    table = await _deciding(context, interaction, fields)
    forms = [form for form in panel(table.view).forms if form.verb == line.split(" ")[0]]
    value = "".join(map(str, data.get("values", ())))
    try:
        line = with_value(table.match.game, forms[0], line, int(place), value)
    except (IndexError, ValueError):
        raise UnclearError(_(DEAD)) from None
    await rewrite(interaction, await board(context, table, interaction.user.id, filled=line))


async def _typed(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`typed:MATCH:DECISION`, a window in which a line was typed; for `-` see `act`."""
    data: Any = interaction.data or {}
    line = " ".join(" ".join(_values(data)).split())
    await play(context, interaction, _number(fields, 0), line, _decision(fields))


def _values(part: Mapping[str, Any]) -> Iterator[str]:
    """All that was typed into a window."""
    if isinstance(part.get("value"), str):
        yield part["value"]
    for each in (*part.get("components", ()), *filter(None, [part.get("component")])):
        yield from _values(each)


async def play(
    context: Context, interaction: Interaction, match_id: int, line: str, decision: int | None
) -> None:
    """Make a choice for this user and answer, whether it was clicked or typed."""
    user_id = interaction.user.id
    private = interaction.message is None or interaction.message.flags.ephemeral
    said = await _words(context, interaction, match_id, line) if private else ""
    outcome = await context.matches.act(
        interaction.id, match_id, user_id, line[:100], decision, confirms=True
    )
    if outcome.kind == "confirm":
        match = await context.queries.match(match_id)
        await _reply(interaction, confirmations.question(match, user_id, line))
        return
    if outcome.kind != "done":
        await explain(context, interaction, outcome, line)
        return
    if not (private or outcome.again):
        await accept(interaction)
        return
    table = await context.queries.look(match_id, user_id)
    if not private:
        await _go_on(context, interaction, table)
        return
    done = _("Done: {choice}.").format(choice=escape(said))
    more = await board(context, table, user_id, done) if table.view.legal else note(done)
    await (whisper if interaction.message is None else rewrite)(interaction, more)


async def _go_on(context: Context, interaction: Interaction, table: Table) -> None:
    """After a click in public: show at once what this user must now choose in private."""
    if table.view.legal and not panel(table.view).open:
        await whisper(interaction, await board(context, table, interaction.user.id, _(GO_ON)))
    else:
        await accept(interaction)


async def board(
    context: Context,
    table: Table,
    user_id: int,
    above: str = "",
    *,
    path: str = "",
    filled: str = "",
) -> Message:
    """Return the board as a user may see it and wants it; see `bot.views.boards.board`."""
    style = await context.preferences.style(user_id)
    drawn = await context.images.board(table, style, marked=True)
    return boards.board(table, drawn, above, path, filled)


async def _part(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`part:MATCH:DECISION:PATH`, or with the path as the value of a list.

    Shows fewer choices, on a board that marks only them.
    """
    table = await _deciding(context, interaction, fields)
    data: Any = interaction.data or {}
    path = "".join(map(str, data.get("values", fields[2:])))
    try:
        actions = narrowed(table.view, path) if path else table.view.legal
    except ValueError:
        raise UnclearError(_(DEAD)) from None
    fewer = table._replace(view=replace(table.view, legal=actions))
    await rewrite(interaction, await board(context, fewer, interaction.user.id, path=path))


async def _overlay(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`overlay:MATCH`, perhaps with a name as the value: what can be asked of the board."""
    table = await look(context, interaction, _number(fields, 0))
    data: Any = interaction.data or {}
    shown = await overlay(context, table, interaction.user.id, "".join(data.get("values", ())))
    private = interaction.message is not None and interaction.message.flags.ephemeral
    await (rewrite if private else whisper)(interaction, shown)


async def overlay(context: Context, table: Table, user_id: int, name: str) -> Message:
    """The board with what somebody asks of it; without a name, what can be asked.

    Raises:
        UnclearError: there is nothing of this name.
    """
    style = await context.preferences.style(user_id)
    try:
        drawn = await (
            context.images.overlaid(table, style, name)
            if name
            else context.images.board(table, style)
        )
    except ValueError:
        raise UnclearError(_("There is no “{name}” here.").format(name=escape(name[:20]))) from None
    return boards.overlay(table, drawn, name)


async def _deciding(context: Context, interaction: Interaction, fields: list[str]) -> Table:
    """The table of a user who still has to make the decision of a button.

    Raises:
        UnclearError: it is made already, or somebody else's.
    """
    table = await look(context, interaction, _number(fields, 0))
    if not table.seat or table.match.decisions.get(table.seat) != _number(fields, 1):
        raise UnclearError(_("That is already played; `/board` shows how it stands."))
    return table


async def _words(context: Context, interaction: Interaction, match_id: int, line: str) -> str:
    """A choice as people say it, if it is one."""
    table = await look(context, interaction, match_id)
    said = meant(games.get(table.match.game), table.view.legal, line)
    if said:
        return for_game(table.match.game).label(table.view, said)
    return _(EXITS.get(line, "")) or line


async def explain(
    context: Context, interaction: Interaction, outcome: Outcome, line: str = ""
) -> None:
    """Answer a choice that did not count: why, or what is still missing."""
    if outcome.kind == "missing":
        table = await context.queries.look(outcome.match_id, interaction.user.id)
        on_panel = interaction.message is not None and interaction.message.flags.ephemeral
        left = begun(games.get(table.match.game), table.view.legal, line)
        fewer = table._replace(view=replace(table.view, legal=left))
        drawn = await context.images.board(
            fewer, await context.preferences.style(interaction.user.id), marked=True
        )
        await (rewrite if on_panel else whisper)(interaction, boards.choice(fewer, drawn))
    elif outcome.kind == "stale" and (running := await _running(context, outcome, interaction)):
        above = _("{sentence} Here is the board.").format(sentence=outcome.sentence)
        await whisper(interaction, await board(context, running, interaction.user.id, above))
    else:
        await whisper(interaction, note(escape(outcome.sentence), *rule_link(outcome.rule)))


async def _running(context: Context, outcome: Outcome, interaction: Interaction) -> Table | None:
    try:
        return await context.queries.look(outcome.match_id, interaction.user.id)
    except NoMatchError:
        return None


async def _menu(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`menu:MATCH`: everything that this user can choose now, in private."""
    table = await look(context, interaction, _number(fields, 0))
    if not table.seat:
        raise UnclearError(_("You do not play in this match."))
    if not table.view.legal:
        names = {seat: escape(name) for seat, name in table.match.names.items()}
        prompt = for_game(table.match.game).prompt(table.view, names)
        sentence = _("There is nothing for you to decide just now. {prompt}")
        raise UnclearError(sentence.format(prompt=prompt))
    await whisper(interaction, await board(context, table, interaction.user.id))


async def _hand(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`hand:MATCH`: what only this user may know."""
    await show_hand(context, interaction, _number(fields, 0))


async def show_hand(context: Context, interaction: Interaction, match_id: int) -> None:
    """Answer with what only this user may know of a match."""
    table = await look(context, interaction, match_id)
    if not table.seat:
        raise UnclearError(_("You do not play in this match."))
    preferences = await context.preferences.preferences(interaction.user.id)
    closed = _("-# I could not reach you by DM; here it always works.")
    above = closed if preferences[NO_DM] == "yes" else ""
    await whisper(interaction, inbox.hand(table, above))


async def _text(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`text:MATCH:MOMENT`: the position in sentences, as it is now."""
    table = await look(context, interaction, _number(fields, 0))
    await whisper(interaction, boards.text_board(table))


async def _since(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`since:MATCH`: what has happened since this user's last turn."""
    match = await seen(context, interaction, _number(fields, 0))
    table, told = await context.queries.news(match.id, interaction.user.id)
    await whisper(interaction, boards.digest(table, told))


async def _accept(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`accept:MATCH`."""
    match_id, user = _number(fields, 0), interaction.user
    await seen(context, interaction, match_id)
    await admit(context, interaction)
    name = clean(user.display_name)
    outcome = await context.matches.accept(interaction.id, match_id, user.id, name)
    await _settle(context, interaction, outcome)


async def _luck(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`luck:MATCH`: a window for words of one's own, with which one accepts."""
    match = await seen(context, interaction, _number(fields, 0))
    if match.status != CHALLENGE:
        raise UnclearError(_("This challenge is settled already."))
    await ask(interaction, challenges.luck(match, interaction.id))


async def _lucky(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`lucky:MATCH:VERSION:NUMBER`, a window in which such words were typed."""
    match_id, version, user = _number(fields, 0), _number(fields, 1), interaction.user
    number = "".join(fields[2:])
    if not (number.isascii() and number.isdecimal() and len(number) <= LONGEST):
        raise UnclearError(_(DEAD))
    await seen(context, interaction, match_id)
    await admit(context, interaction)
    data: Any = interaction.data or {}
    luck = Luck(" ".join(_values(data)), int(number), version)
    name = clean(user.display_name)
    outcome = await context.matches.accept(interaction.id, match_id, user.id, name, luck)
    await _settle(context, interaction, outcome)


async def _decline(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`decline:MATCH`."""
    match_id, user_id = _number(fields, 0), interaction.user.id
    await _settle(
        context, interaction, await context.matches.decline(interaction.id, match_id, user_id)
    )


async def _withdraw(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`withdraw:MATCH`."""
    match_id, user_id = _number(fields, 0), interaction.user.id
    outcome = await context.matches.withdraw(interaction.id, match_id, user_id)
    await _settle(context, interaction, outcome)


async def _block(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`block:MATCH`, to decline a challenge and block the challenger; `block:none`."""
    user_id = interaction.user.id
    if fields == ["none"]:
        chosen = await context.preferences.unblock_all(user_id)
        await rewrite(interaction, preferences.settings(chosen))
        return
    match = await context.queries.match(_number(fields, 0))
    if not match.seat_of(user_id) or match.challenger_id == user_id:
        raise UnclearError(_("Only the player who is challenged can do that."))
    if match.status != CHALLENGE:
        raise UnclearError(_("This challenge is settled already."))
    await context.preferences.block(user_id, match.challenger_id)
    await context.matches.decline(interaction.id, match.id, user_id)
    blocked = _("Declined. {name} can challenge you no more; `/settings` changes that.")
    name = escape(match.names[match.seat_of(match.challenger_id)])
    await whisper(interaction, note(blocked.format(name=name)))


async def _rematch(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`rematch:MATCH`, or `rematch:MATCH:HANDICAP`."""
    await admit(context, interaction)
    match_id, user_id = _number(fields, 0), interaction.user.id
    handicap = _number(fields, 1) if fields[1:] else None
    outcome = await context.matches.rematch(interaction.id, match_id, user_id, handicap)
    await _settle(context, interaction, outcome)


async def _claim(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`claim:MATCH:SEAT` under a board, then `claim:MATCH:SEAT:VERSION` to confirm."""
    match_id, seat, user_id = _number(fields, 0), "".join(fields[1:2]), interaction.user.id
    seen = _number(fields, 2) if fields[2:] else None
    outcome = await context.matches.claim(
        interaction.id, match_id, user_id, seat, seen=seen, confirms=seen is None
    )
    if outcome.kind == "confirm":
        await _reply(interaction, confirmations.claim(await context.queries.match(match_id), seat))
        return
    await _confirmed(context, interaction, outcome, _("You have claimed match {match}."))


async def _snooze(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`snooze:MATCH`."""
    match_id = _number(fields, 0)
    outcome = await context.matches.snooze(interaction.id, match_id, interaction.user.id)
    if outcome.kind != "done":
        await explain(context, interaction, outcome)
        return
    await whisper(interaction, note(_("I remind you in a day.")))


async def _agree(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`agree:MATCH:VERSION`: to a takeback."""
    match_id, version = _number(fields, 0), _number(fields, 1)
    outcome = await context.matches.take_back(
        interaction.id, match_id, interaction.user.id, asked_at=version
    )
    await _settle(context, interaction, outcome)


async def _resign(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`resign:MATCH:VERSION`, to confirm; without a version, ask."""
    match_id, user_id = _number(fields, 0), interaction.user.id
    match = await seen(context, interaction, match_id)
    if not match.seat_of(user_id):
        raise UnclearError(_("You do not play in this match."))
    if not fields[1:]:
        await _reply(interaction, confirmations.departure(match, user_id))
        return
    verb = "resign" if len(match.players) == TWO else "leave"
    outcome = await context.matches.act(
        interaction.id, match_id, user_id, verb, seen=_number(fields, 1)
    )
    resigned = _("You have resigned match {match}.")
    left = _("You have left match {match}.")
    await _confirmed(context, interaction, outcome, resigned if verb == "resign" else left)


async def _draw(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`draw:MATCH:VERSION`, to confirm that a draw is accepted."""
    match_id, version = _number(fields, 0), _number(fields, 1)
    outcome = await context.matches.act(
        interaction.id, match_id, interaction.user.id, "draw accept", seen=version
    )
    await _confirmed(
        context, interaction, outcome, _("You have accepted the draw in match {match}.")
    )


async def _cancel(_context: Context, interaction: Interaction, _fields: list[str]) -> None:
    """`cancel`: the answer to a question is no."""
    await _reply(interaction, note(_("Nothing has changed.")))


async def _reply(interaction: Interaction, message: Message) -> None:
    """Answer in private, in place of a private message that was clicked on."""
    private = interaction.message is not None and interaction.message.flags.ephemeral
    await (rewrite if private else whisper)(interaction, message)


async def _confirmed(
    context: Context, interaction: Interaction, outcome: Outcome, done: str
) -> None:
    """Answer a choice that its player has confirmed."""
    if outcome.kind != "done":
        await explain(context, interaction, outcome)
        return
    await _reply(interaction, note(done.format(match=outcome.match_id)))


async def _settle(context: Context, interaction: Interaction, outcome: Outcome) -> None:
    """Answer a click whose effect is seen in the channel."""
    if outcome.kind != "done":
        await explain(context, interaction, outcome)
        return
    await accept(interaction)


async def _prefer(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`prefer:NAME`, with the value: one of the own settings."""
    data: Any = interaction.data or {}
    name, value = "".join(fields[:1]), "".join(data.get("values", ()))
    try:
        changed = await context.preferences.prefer(interaction.user.id, name, value)
    except KeyError:
        raise UnclearError(_(DEAD)) from None
    await rewrite(interaction, preferences.settings(changed))


async def _replay(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`replay:MATCH:TURN`, and perhaps a word that keeps the buttons of a message apart."""
    await show_turn(context, interaction, _number(fields, 0), _number(fields, 1))


async def _film(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`film:MATCH`."""
    await show_film(context, interaction, _number(fields, 0))


PRESSES: dict[str, Press] = {
    "act": _act,
    "pick": _pick,
    "typed": _typed,
    "form": _form,
    "part": _part,
    "menu": _menu,
    "overlay": _overlay,
    "hand": _hand,
    "text": _text,
    "since": _since,
    "accept": _accept,
    "luck": _luck,
    "lucky": _lucky,
    "decline": _decline,
    "withdraw": _withdraw,
    "block": _block,
    "resign": _resign,
    "draw": _draw,
    confirmations.CANCEL: _cancel,
    "prefer": _prefer,
    "rematch": _rematch,
    "claim": _claim,
    "agree": _agree,
    "snooze": _snooze,
    "replay": _replay,
    "film": _film,
    **RULES_PRESSES,
    **PEOPLE_PRESSES,
    **RESUME_PRESSES,
}
