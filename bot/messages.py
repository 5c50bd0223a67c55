"""What the bot says, as Discord shows it: one function a message, made from views and plain values.

All messages are layouts (components v2). Each is built anew for each sending and stopped at once:
clicks are found by their custom_id alone (see bot.presses), so they outlive any restart.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import discord
from discord import ui

from bot.panels import Menu, Panel, line_of, panel
from bot.tables import CHALLENGE, RUNNING, Match, Table
from bot.text import escape
from engine import games
from engine.game import View
from engine.record import Record
from render import for_game
from render.renderer import Row

COLOUR = 0x6C7BD9
PICTURE = "board.png"
STORY_LIMIT = 1500
PAGE_LIMIT = 3800
"""Characters in one message, below Discord's 4,000."""

Layout = ui.LayoutView


class Message(NamedTuple):
    """A layout, its files, and whom it pings."""

    layout: Layout
    files: tuple[discord.File, ...] = ()
    pings: tuple[int, ...] = ()

    @property
    def mentions(self) -> discord.AllowedMentions:
        """The pings in Discord's terms; nobody else is ever pinged."""
        return discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(user_id) for user_id in self.pings],
        )


def _layout(*items: ui.Item[Any]) -> Layout:
    """A layout that the client forgets as soon as it is sent."""
    layout = Layout(timeout=None)
    for item in items:
        layout.add_item(item)
    layout.stop()
    return layout


def note(text: str, *rows: ui.ActionRow[Any]) -> Message:
    """A few sentences, perhaps with buttons."""
    return Message(_layout(ui.TextDisplay(_cut(text, PAGE_LIMIT)), *rows))


def challenge(match: Match) -> Message:
    """An open challenge with its buttons, or what has become of it."""
    game = games.get(match.game)
    names = _escaped(match)
    challenger = match.seat_of(match.challenger_id)
    called = {s: f"<@{match.players[s].user_id}>" for s in match.waiting}
    settings = ", ".join(
        [f"rules {match.rules}", *(f"{name} {value}" for name, value in match.options.items())]
    )
    sides = ", ".join(f"{name}: {game.sides[seat]}" for seat, name in names.items())
    if match.status != CHALLENGE:
        end = "has begun" if match.status == RUNNING else "is not taken up"
        lines = [f"**{game.title}** #{match.id}: the match {end}.", sides]
        return note("\n".join(lines))
    who = f"{', '.join(called.values())}: **{names[challenger]}** challenges you"
    lines = [f"{who} to **{game.title}** ({settings}).", sides]
    if for_game(match.game).hand_name:
        lines.append("When you accept, I send you what only you may see by DM (`/settings`).")
    if match.expires:
        lines.append(f"Open until <t:{int(match.expires)}:f>.")
    lines.append(f"-# Match {match.id}. The dice are sealed: {match.seal}")
    buttons = ui.ActionRow[Any](
        _button("Accept", f"accept:{match.id}", discord.ButtonStyle.success),
        _button("Decline", f"decline:{match.id}"),
    )
    layout = _layout(ui.TextDisplay("\n".join(lines)), buttons)
    return Message(layout, pings=tuple(match.players[seat].user_id for seat in match.waiting))


def notice(table: Table, legal: Mapping[str, View], moment: int, *, live: bool) -> Message:
    """The public board of a match: whose decision it is, the picture, the story, the controls.

    Args:
        table: the match as the public sees it.
        legal: the views of the seats that must decide; only their lists of actions are used.
        moment: how many actions led here; it stands in the buttons, so the message can be found.
        live: this is how the match stands now; only then it pings and has controls.
    """
    layout, pings = _notice(table, legal, moment, live=live)
    return Message(layout, (picture(table),), pings)


def former(table: Table, moment: int) -> Message:
    """What becomes of a notice when there is a newer one: its picture stays, its controls go."""
    return Message(_notice(table, {}, moment, live=False)[0])


def _notice(
    table: Table, legal: Mapping[str, View], moment: int, *, live: bool
) -> tuple[Layout, tuple[int, ...]]:
    match, _, view = table
    asked = view.pending if live else ""
    called = view.seats.replace(view.offer, "") if view.offer else ""
    pings = tuple(match.players[s].user_id for s in match.players if s in asked + called)
    names = _escaped(match) | {s: f"<@{match.players[s].user_id}>" for s in asked}
    renderer = for_game(match.game)
    head = f"**{renderer.prompt(view, names)}**"
    if view.offer:
        answer = ", ".join(f"<@{match.players[s].user_id}>" for s in called)
        head += f"\nA draw is offered: {answer} may accept, decline, or just play on."
    items: list[ui.Item[Any]] = [ui.TextDisplay(head), _gallery(table)]
    story = renderer.story(view, _escaped(match))
    title = f"-# {games.get(match.game).title} #{match.id}"
    items.append(ui.TextDisplay(f"{_cut(story, STORY_LIMIT)}\n{title}".strip()))
    if live:
        for seat in asked:
            shown = replace(view, seat=seat, legal=legal[seat].legal)
            items += _controls(match, seat, panel(shown))
        items += _answers(match, view)
    items.append(_tools(match, moment))
    return _layout(ui.Container[Any](*items, accent_colour=COLOUR)), pings


def ending(table: Table, record: Record, moment: int) -> Message:
    """The end of a match: everything is open, the record is a file, the seed is in it."""
    match, _, view = table
    name = f"{match.game}-{match.id}.match"
    prompt = for_game(match.game).prompt(view, _escaped(match))
    story = _cut(for_game(match.game).story(view, _escaped(match)), STORY_LIMIT)
    seed = f"-# The dice's seed is {record.headers['Seed']}; `starpost engine verify` checks them."
    container = ui.Container[Any](
        ui.TextDisplay(f"**{prompt}**"),
        _gallery(table),
        ui.TextDisplay(f"{story}\n{seed}"),
        ui.File[Any](f"attachment://{name}"),
        _tools(match, moment),
        accent_colour=COLOUR,
    )
    data = discord.File(io.BytesIO(str(record).encode()), name, description="The match's record")
    users = tuple(player.user_id for player in match.players.values())
    return Message(_layout(container), (picture(table), data), users)


def choice(table: Table, typed: str = "") -> Message:
    """Everything that a player can choose now, for that player's eyes only."""
    match, seat, view = table
    renderer = for_game(match.game)
    lines = [renderer.prompt(view, _escaped(match))]
    if typed:
        verb, *args = typed.split()
        lines.append(f"Chosen: {renderer.step(view, verb, args)}" if args else "")
    controls = _controls(match, seat, panel(view, typed), private=True)
    return Message(_layout(ui.TextDisplay("\n".join(filter(None, lines))), *controls))


def board(table: Table, above: str = "") -> Message:
    """The board as one person may see it, for that person's eyes only.

    Args:
        table: as that person sees the match.
        above: a sentence to begin with.
    """
    match, seat, view = table
    head = "\n".join(filter(None, (above, for_game(match.game).prompt(view, _escaped(match)))))
    items: list[ui.Item[Any]] = [ui.TextDisplay(head), _gallery(table)]
    if view.legal:
        items += _controls(match, seat, panel(view), private=True)
    return Message(_layout(ui.Container[Any](*items, accent_colour=COLOUR)), (picture(table),))


def hand(table: Table, above: str = "") -> Message:
    """What only this player may know."""
    text = for_game(table.match.game).hand(table.view) or "There is nothing hidden for you here."
    title = f"**{games.get(table.match.game).title} #{table.match.id}**"
    return note("\n".join(filter(None, (title, text, above))))


def text_board(table: Table) -> Message:
    """The position in sentences."""
    renderer, names = for_game(table.match.game), _escaped(table.match)
    return note(
        "\n".join(
            filter(
                None,
                (
                    renderer.story(table.view, names),
                    renderer.prompt(table.view, names),
                    renderer.text_board(table.view, names),
                ),
            )
        )
    )


def nudge(table: Table) -> Message:
    """A DM that it is somebody's turn."""
    match, _, view = table
    text = f"{for_game(match.game).prompt(view, _escaped(match))} {link(match)}"
    return note(f"**{games.get(match.game).title} #{match.id}** {text}")


def inbox(matches: Iterable[Match], user_id: int) -> Message:
    """All matches of a user, their own turns first."""
    mine = sorted(matches, key=lambda each: each.seat_of(user_id) not in each.decisions)
    return note("\n".join(_entry(each, user_id) for each in mine) or "You play no match now.")


def _entry(match: Match, user_id: int) -> str:
    own = match.seat_of(user_id)
    others = ", ".join(name for seat, name in _escaped(match).items() if seat != own)
    turn = ", ".join(_escaped(match)[seat] for seat in match.decisions)
    state = "challenge" if match.status == CHALLENGE else f"{turn}'s turn"
    state = "**your turn**" if own in match.decisions else state
    return f"#{match.id} {games.get(match.game).title} with {others}: {state} {link(match)}"


def link(match: Match) -> str:
    """Where the match's live notice is, or at least its channel."""
    channel, message = match.link or (match.channel_id, None)
    if message is None:
        return f"<#{channel}>"
    return f"https://discord.com/channels/{match.guild_id or '@me'}/{channel}/{message}"


def confirm_resign(match: Match) -> Message:
    """Ask once more."""
    others = ", ".join(n for n in _escaped(match).values())
    row = ui.ActionRow[Any](
        _button("Resign", f"resign:{match.id}", discord.ButtonStyle.danger),
    )
    return note(f"Do you give up match {match.id} ({others})? This cannot be taken back.", row)


WORDS = {
    "hand": ("When a match begins, send me by DM what only I may see", "DM at the start"),
    "turns": ("Send me a DM at each of my turns", "DM at my turns"),
}


def settings(preferences: Mapping[str, bool]) -> Message:
    """A player's own settings, each with its switch."""
    lines = [
        f"{meaning}: **{'on' if preferences[name] else 'off'}**"
        for name, (meaning, _) in WORDS.items()
    ]
    if preferences["closed"]:
        lines.append("My last DM did not reach you: your DMs seem to be closed for me.")
    row = ui.ActionRow[Any](
        *(
            _button(
                f"{label}: turn {'off' if preferences[name] else 'on'}",
                f"prefer:{name}:{'off' if preferences[name] else 'on'}",
            )
            for name, (_, label) in WORDS.items()
        )
    )
    return note("\n".join(lines), row)


def picture(table: Table) -> discord.File:
    """The board as a file with its alt text."""
    names = table.match.names
    renderer = for_game(table.match.game)
    data = io.BytesIO(renderer.picture(table.view, names))
    return discord.File(data, PICTURE, description=renderer.alt_text(table.view, names))


def _gallery(table: Table) -> ui.MediaGallery[Any]:
    alt = for_game(table.match.game).alt_text(table.view, table.match.names)
    item = discord.MediaGalleryItem(f"attachment://{PICTURE}", description=alt)
    return ui.MediaGallery[Any](item)


def _controls(
    match: Match, seat: str, shown: Panel, *, private: bool = False
) -> list[ui.Item[Any]]:
    """Buttons and lists of one seat's decision; in public, only those that everybody may see."""
    if not private and not shown.open:
        label = f"Choose ({escape(games.get(match.game).sides[seat])})"
        button = _button("Choose", f"menu:{match.id}", discord.ButtonStyle.primary)
        button.label = label if len(match.decisions) > 1 else "Choose"
        return [ui.ActionRow[Any](button)]
    key = f"{match.id}:{match.decisions[seat]}"
    items: list[ui.Item[Any]] = []
    for number, row in enumerate(shown.rows):
        if row.heading:
            items.append(ui.TextDisplay(row.heading))
        items.append(_row(key, number, row))
    for number, menu in enumerate(shown.menus):
        items.append(_menu(key, number, menu))
    return items


def _row(key: str, number: int, row: Row) -> ui.ActionRow[Any]:
    buttons = [
        _button(each.label, f"act:{key}:{line_of(each.action)}", discord.ButtonStyle.primary)
        if each
        else ui.Button[Any](label="\u200b", custom_id=f"gap:{key}:{number}:{place}", disabled=True)
        for place, each in enumerate(row.buttons)
    ]
    return ui.ActionRow[Any](*buttons)


def _menu(key: str, number: int, menu: Menu) -> ui.ActionRow[Any]:
    select = ui.Select[Any](
        custom_id=f"pick:{key}:{number}",
        placeholder=menu.title,
        options=[discord.SelectOption(label=label, value=line) for line, label in menu.entries],
    )
    return ui.ActionRow[Any](select)


def _answers(match: Match, view: View) -> list[ui.Item[Any]]:
    """Buttons for those who may answer a draw offer."""
    if not view.offer:
        return []
    return [
        ui.ActionRow[Any](
            _button("Accept the draw", f"act:{match.id}:-:draw accept"),
            _button("Decline the draw", f"act:{match.id}:-:draw decline"),
        )
    ]


def _tools(match: Match, moment: int) -> ui.ActionRow[Any]:
    """What works under every board, always."""
    buttons = [_button("Board in words", moment_id(match.id, moment))]
    name = for_game(match.game).hand_name
    if name:
        buttons.insert(0, _button(f"My {name}", f"hand:{match.id}"))
    return ui.ActionRow[Any](*buttons)


def moment_id(match_id: int, moment: int) -> str:
    """The custom_id by which a message about a moment of a match is recognised."""
    return f"text:{match_id}:{moment}"


def _button(
    label: str, custom_id: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> ui.Button[Any]:
    return ui.Button[Any](label=label, custom_id=custom_id, style=style)


def _escaped(match: Match) -> dict[str, str]:
    return {seat: escape(name) for seat, name in match.names.items()}


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
