"""Buttons and lists: a custom_id is `name:field:field…`, and the name finds what to do.

There are no live view objects: a click is understood from its custom_id alone, so a button works
after any restart, and dies politely when its decision is made (the version in it is compared).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import discord

from bot import messages
from bot.answers import UnclearError, accept, rewrite, whisper
from bot.matches import Outcome
from bot.messages import note
from bot.panels import line_of
from bot.tables import NoMatchError, Table
from bot.text import escape
from render import for_game

if TYPE_CHECKING:
    from bot.client import Starpost

Interaction = discord.Interaction[Any]
Press = Callable[["Starpost", Interaction, list[str]], Awaitable[None]]

DEAD = "This button does not work any more."


async def press(client: Starpost, interaction: Interaction) -> None:
    """Do what a click asks for.

    Raises:
        UnclearError: it is not a button of this bot.
    """
    data: Any = interaction.data or {}
    name, *fields = str(data.get("custom_id", "")).split(":", 3)
    found = PRESSES.get(name)
    if found is None:
        raise UnclearError(DEAD)
    await found(client, interaction, fields)


def _number(fields: list[str], place: int) -> int:
    """A whole number out of a custom_id.

    Raises:
        UnclearError: there is none.
    """
    if len(fields) <= place or not (fields[place].isascii() and fields[place].isdecimal()):
        raise UnclearError(DEAD)
    return int(fields[place][:18])


async def _act(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`act:MATCH:DECISION:LINE`; `-` for a choice that belongs to no decision."""
    decision = None if fields[1:2] == ["-"] else _number(fields, 1)
    await play(client, interaction, _number(fields, 0), " ".join(fields[2:]), decision)


async def _pick(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`pick:MATCH:DECISION:NUMBER`, with a line, perhaps not complete, as the value."""
    data: Any = interaction.data or {}
    line = " ".join(str(value) for value in data.get("values", ()))
    await play(client, interaction, _number(fields, 0), line, _number(fields, 1))


async def play(
    client: Starpost, interaction: Interaction, match_id: int, line: str, decision: int | None
) -> None:
    """Make a choice for this user and answer, whether it was clicked or typed."""
    user_id = interaction.user.id
    private = interaction.message is None or interaction.message.flags.ephemeral
    said = await _words(client, match_id, user_id, line) if private else ""
    outcome = await client.matches.act(interaction.id, match_id, user_id, line[:100], decision)
    if outcome.kind != "done":
        await explain(client, interaction, outcome, line)
        return
    client.delivery.wake()
    if not private:
        await accept(interaction)
        return
    table = await client.tables.look(match_id, user_id)
    done = f"Done: {escape(said)}."
    more = messages.board(table, done) if table.view.legal else note(done)
    await (whisper if interaction.message is None else rewrite)(interaction, more)


async def _words(client: Starpost, match_id: int, user_id: int, line: str) -> str:
    """A choice as people say it, if it is one."""
    table = await client.tables.look(match_id, user_id)
    meant = next((a for a in table.view.legal if line_of(a).lower() == line.lower()), None)
    return for_game(table.match.game).label(table.view, meant) if meant else line


async def explain(
    client: Starpost, interaction: Interaction, outcome: Outcome, line: str = ""
) -> None:
    """Answer a choice that did not count: why, or what is still missing."""
    if outcome.kind == "missing":
        table = await client.tables.look(outcome.match_id, interaction.user.id)
        on_panel = interaction.message is not None and interaction.message.flags.ephemeral
        await (rewrite if on_panel else whisper)(interaction, messages.choice(table, line))
    elif outcome.kind == "stale" and (begun := await _begun(client, outcome, interaction)):
        above = f"{outcome.sentence.rstrip('.')} — here is the board."
        await whisper(interaction, messages.board(begun, above))
    else:
        rule = f" (rule {outcome.rule})" if outcome.rule[1:2].isdigit() else ""
        await whisper(interaction, note(escape(outcome.sentence) + rule))


async def _begun(client: Starpost, outcome: Outcome, interaction: Interaction) -> Table | None:
    try:
        return await client.tables.look(outcome.match_id, interaction.user.id)
    except NoMatchError:
        return None


async def _menu(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`menu:MATCH`: everything that this user can choose now, in private."""
    table = await client.tables.look(_number(fields, 0), interaction.user.id)
    if not table.seat:
        raise UnclearError("You do not play in this match.")
    if not table.view.legal:
        names = {seat: escape(name) for seat, name in table.match.names.items()}
        prompt = for_game(table.match.game).prompt(table.view, names)
        raise UnclearError(f"There is nothing for you to decide just now. {prompt}")
    await whisper(interaction, messages.choice(table))


async def _hand(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`hand:MATCH`: what only this user may know."""
    await show_hand(client, interaction, _number(fields, 0))


async def show_hand(client: Starpost, interaction: Interaction, match_id: int) -> None:
    """Answer with what only this user may know of a match."""
    table = await client.tables.look(match_id, interaction.user.id)
    if not table.seat:
        raise UnclearError("You do not play in this match.")
    preferences = await client.players.preferences(interaction.user.id)
    closed = (
        "-# I could not reach you by DM; here it always works." if preferences["closed"] else ""
    )
    await whisper(interaction, messages.hand(table, closed))


async def _text(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`text:MATCH:MOMENT`: the position in sentences, as it is now."""
    table = await client.tables.look(_number(fields, 0), interaction.user.id)
    await whisper(interaction, messages.text_board(table))


async def _accept(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`accept:MATCH`."""
    await _answer(client, interaction, client.matches.accept, _number(fields, 0))


async def _decline(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`decline:MATCH`."""
    await _answer(client, interaction, client.matches.decline, _number(fields, 0))


async def _resign(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`resign:MATCH`, clicked in private after the question whether it is meant."""
    match_id = _number(fields, 0)
    outcome = await client.matches.act(interaction.id, match_id, interaction.user.id, "resign")
    if outcome.kind != "done":
        await explain(client, interaction, outcome)
        return
    client.delivery.wake()
    await rewrite(interaction, note(f"You have resigned match {match_id}."))


async def _answer(
    client: Starpost,
    interaction: Interaction,
    choose: Callable[[int, int, int], Awaitable[Outcome]],
    match_id: int,
) -> None:
    outcome = await choose(interaction.id, match_id, interaction.user.id)
    if outcome.kind != "done":
        await explain(client, interaction, outcome)
        return
    client.delivery.wake()
    await accept(interaction)


async def _prefer(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`prefer:NAME:on|off`: a switch of the own settings."""
    name, value = (*fields, "", "")[:2]
    if name not in messages.WORDS:
        raise UnclearError(DEAD)
    changed = await client.players.prefer(interaction.user.id, name, value == "on")
    await rewrite(interaction, messages.settings(changed))


PRESSES: dict[str, Press] = {
    "act": _act,
    "pick": _pick,
    "menu": _menu,
    "hand": _hand,
    "text": _text,
    "accept": _accept,
    "decline": _decline,
    "resign": _resign,
    "prefer": _prefer,
}
