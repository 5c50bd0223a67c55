"""The public board of a match, and the end of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import discord
from discord import ui

from bot.services.models import Match, Perspective
from bot.views.attachments import gallery, picture_file, record_file
from bot.views.challenges import HANDICAP_NAME_LIMIT, series_line
from bot.views.choices import panel
from bot.views.clocks import absences, time_left, who_left
from bot.views.controls import button, controls, rows_of, tools, who_is_asked
from bot.views.custom_ids import ActId, ClaimId, MenuId, RematchId, ReplayId, SinceId, SnoozeId
from bot.views.images import NO_SIGNS, Drawn, Signs
from bot.views.message import COLOUR, STORY_LIMIT, Layout, Message, layout_of
from bot.views.names import escaped_names
from bot.views.proofs import commitment_line
from engine import games
from engine.game import View
from engine.record import Record
from render import for_game
from render.i18n import _, truncate


def notice(
    perspective: Perspective,
    drawn: Drawn,
    legal: Mapping[str, View],
    moment: int,
    *,
    live: bool,
    reminder: bool = False,
    left: str = "",
) -> Message:
    """Return the public board of a match: the players to decide, picture, story and controls.

    Args:
        perspective: the match as the public sees it.
        drawn: its picture.
        legal: the views of the seats that must decide; only their lists of actions are used.
        moment: number of actions; part of the buttons' custom_ids, so the message can be found.
        live: whether this is the current position; only then it pings and has controls.
        reminder: whether it is posted again to remind the players who have to decide.
        left: the seats of players who have left this server.
    """
    more = [button(_("Remind me in a day"), SnoozeId(perspective.match.id))] if reminder else []
    layout, pings = _notice(
        perspective, legal, moment, *more, live=live, left=left, signs=drawn.signs
    )
    return Message(layout, (picture_file(perspective, drawn),), pings)


def former(perspective: Perspective, moment: int) -> Message:
    """Return a notice after a newer one is posted: the picture stays, the controls go."""
    return Message(_notice(perspective, {}, moment, live=False)[0])


def _notice(
    perspective: Perspective,
    legal: Mapping[str, View],
    moment: int,
    *more: ui.Button[Any],
    live: bool,
    left: str = "",
    signs: Signs = NO_SIGNS,
) -> tuple[Layout, tuple[int, ...]]:
    match, view = perspective.match, perspective.view
    asked = view.pending if live else ""
    called = view.seats.replace(view.offer, "") if view.offer else ""
    late = "".join(seat for seat, time in match.times.items() if live and time.over)
    called += "".join(seat for seat in view.seats if late and seat not in late)
    pings = tuple(match.people[s].user_id for s in match.people if s in asked + called)
    names = escaped_names(match) | {s: f"<@{match.players[s].user_id}>" for s in asked}
    renderer = for_game(match.game)
    head = f"**{renderer.prompt(view, names)}**"
    if view.offer and not live:
        offered = _("-# {name} offered a draw.").format(name=escaped_names(match)[view.offer[0]])
        head += f"\n{offered}"
    elif view.offer:
        answer = ", ".join(f"<@{match.people[s].user_id}>" for s in called if s in match.people)
        offered = _("{name} offers a draw. {players} can accept, decline, or just play on.")
        head += f"\n{offered.format(name=escaped_names(match)[view.offer[0]], players=answer)}"
    if live:
        head += time_left(match, asked) + absences(match) + who_left(match, left)
    items: list[ui.Item[Any]] = [ui.TextDisplay(head), gallery(perspective)]
    story = renderer.story(view, escaped_names(match))
    title = f"-# {games.get(match.game).title} #{match.id}"
    items.append(ui.TextDisplay(f"{truncate(story, STORY_LIMIT)}\n{title}".strip()))
    if live:
        panels = {seat: panel(replace(view, seat=seat, legal=legal[seat].legal)) for seat in asked}
        if all(shown.open for shown in panels.values()):
            for seat, shown in panels.items():
                items += controls(match, seat, shown, signs=signs)
        else:
            choose = button(_("Choose"), MenuId(match.id), discord.ButtonStyle.primary)
            items.append(ui.ActionRow[Any](choose))
        items += _answers(match, view)
        items += _claims(match, late)
    since = button(_("What happened?"), SinceId(match.id))
    items.append(
        tools(match, moment, more, (*who_is_asked(perspective), since))
        if live
        else tools(match, moment)
    )
    return layout_of(ui.Container[Any](*items, accent_colour=COLOUR)), pings


def ending(
    perspective: Perspective, drawn: Drawn, record: Record, moment: int, *, rematch: bool = True
) -> Message:
    """Return the end of a match, with everything revealed and the record attached, with its seed.

    Args:
        perspective: the match as the public sees it.
        drawn: its picture.
        record: the whole record.
        moment: number of actions.
        rematch: whether to offer a rematch, because none has begun.
    """
    match, view = perspective.match, perspective.view
    name = f"{match.game}-{match.id}.match"
    head = f"**{for_game(match.game).prompt(view, escaped_names(match))}**"
    users = tuple(player.user_id for player in match.people.values())
    if users:
        over = _("{players}: the match is over.")
        head += f"\n-# {over.format(players=', '.join(f'<@{user_id}>' for user_id in users))}"
    story = truncate(for_game(match.game).story(view, escaped_names(match)), STORY_LIMIT)
    if match.standing:
        story += f"\n{series_line(match)}"
    seed = _("-# Dice seed: {seed} (`/verify` checks it)").format(seed=record.headers["Seed"])
    seed = f"{commitment_line(match)}\n{seed}"
    again = (
        button(_("Rematch"), RematchId(match.id), discord.ButtonStyle.success),
        *_handicaps(match, view),
    )
    container = ui.Container[Any](
        ui.TextDisplay(head),
        gallery(perspective),
        ui.TextDisplay(f"{story}\n{seed}"),
        ui.File[Any](f"attachment://{name}"),
        tools(
            match,
            moment,
            (*(again if rematch else ()), button(_("Replay"), ReplayId(match.id, 0))),
        ),
        accent_colour=COLOUR,
    )
    data = record_file(record, name)
    return Message(layout_of(container), (picture_file(perspective, drawn), data), users)


def _handicaps(match: Match, view: View) -> list[ui.Button[Any]]:
    """Return a button for each change of the options that the rules offer for a rematch."""
    game, renderer = games.get(match.game), for_game(match.game)
    names = {seat: truncate(name, HANDICAP_NAME_LIMIT) for seat, name in match.names.items()}
    return [
        button(
            _("Rematch: {change}").format(change=renderer.handicap(match.options, offer, names)),
            RematchId(match.id, number),
        )
        for number, offer in enumerate(game.handicaps(match.options, view.result))
    ]


def _claims(match: Match, late: str) -> list[ui.Item[Any]]:
    """Return the buttons to claim a match from a player out of time."""
    claim = _("Claim on time: {name}")
    names = match.names
    return rows_of([button(claim.format(name=names[s]), ClaimId(match.id, s)) for s in late])


def _answers(match: Match, view: View) -> list[ui.Item[Any]]:
    """Return the buttons for players who may answer a draw offer."""
    if not view.offer:
        return []
    return [
        ui.ActionRow[Any](
            button(_("Accept the draw"), ActId(match.id, None, "draw accept")),
            button(_("Decline the draw"), ActId(match.id, None, "draw decline")),
        )
    ]
