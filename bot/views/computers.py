"""Buttons to matches against the computer."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.domain.computer_players import (
    COMPUTER_NAMES,
    DEFAULT_LEVEL,
    TITLE_OF_LEVEL,
    has_computer,
)
from bot.domain.ids import MatchId
from bot.domain.models import Match, Perspective
from bot.rulebook.lessons import lesson, steps
from bot.services.computer_turns import Hint
from bot.views import ui
from bot.views.attachments import BOARD_FILE, alt_text
from bot.views.controls import button
from bot.views.custom_ids import (
    AbandonId,
    ActId,
    HintId,
    HowtoId,
    PageTarget,
    PartId,
    PlanId,
    PlanStep,
    PlayComputerId,
    PlayNowId,
    RulesId,
)
from bot.views.images import Drawn
from bot.views.links import masked_link
from bot.views.message import Message, note, pictured
from bot.views.names import escaped_names
from bot.views.ratings import is_rated
from engine import games
from engine.computer.suggestion import has_setup
from engine.game import CHANCE, View
from render import for_game
from render.hints import hint_text
from render.i18n import _, format_list


def play_computer(match_id: MatchId) -> ui.Button:
    """Return the button that gives the open seats of a challenge to the computer."""
    return button(_("Play the computer meanwhile"), PlayComputerId(match_id))


def play_now() -> list[ui.Item]:
    """Return a button for each game that the computer plays, which begins a match against it."""
    style = discord.ButtonStyle.success
    row = ui.ActionRow(
        *(
            button(_("Play {game} now").format(game=games.get(name).title), PlayNowId(name), style)
            for name in games.names()
            if has_computer(name)
        )
    )
    words = _("-# Your opponent is {computer}, the computer's easiest level.")
    return [row, ui.TextDisplay(words.format(computer=_(COMPUTER_NAMES[DEFAULT_LEVEL])))]


def begun(match: Match) -> Message:
    """Return the text that replaces a private page, such as a lesson, that has begun a match.

    The board has the buttons; the page keeps the advice for a first match, and the ways back.
    """
    words = _("{match} has begun: you play on its board, in the channel.")
    easiest = _("Your opponent {computer} plays at the easiest level; a rematch can be harder.")
    computer = _(COMPUTER_NAMES[DEFAULT_LEVEL])
    lines = [words.format(match=masked_link(match)), easiest.format(computer=computer)]
    if tip := lesson(match.game).tip:
        lines.append(_("One tip for your first match: {tip}").format(tip=_(tip)))
    about = (
        *([button(_("How it works"), HowtoId(match.game))] if steps(match.game) else []),
        button(_("Strategy"), RulesId(match.game, "strategy", PageTarget.OPEN)),
        button(_("All rules"), RulesId(match.game, "about", PageTarget.OPEN)),
    )
    return note("\n".join(lines), ui.ActionRow(*about))


def hint_button(match: Match, pending: str) -> list[ui.Button]:
    """Return the button for a hint, if all opponents are computers."""
    has_person = any(seat in match.people for seat in pending)
    return [button(_("Hint"), HintId(match.id))] if has_person and gives_hints(match) else []


def suggest_button(
    match: Match, view: View, deciding: Iterable[View], *, computers: bool
) -> list[ui.Button]:
    """Return the button for a plan of the whole setup, while a person has to choose in it.

    Args:
        deciding: the views of people who must decide; only their lists of actions are used.
    """
    has_person = any(seat in match.acting_people for seat in view.pending)
    has_choice = any(len(seat_view.legal) > 1 for seat_view in deciding)
    if view.turn or not has_person or not has_choice or not computers or is_rated(match):
        return []
    return [button(_("Suggest all"), PlanId(match.id, PlanStep.SUGGEST))]


def hint_message(match: Match, hint: Hint, drawn: Drawn) -> Message:
    """Return a hint, with buttons that make the choice and show all choices.

    Args:
        drawn: the board with the choice as a ghost.
    """
    view, action, _reasons = hint
    label = for_game(match.game).drawn_label(view, action, match.names)
    decision = match.decisions[view.seat]
    act = ActId(match.id, decision, action.notation)
    row = ui.ActionRow(
        button(label, act, discord.ButtonStyle.primary),
        button(_("All moves"), PartId(match.id, decision, "")),
    )
    alt = alt_text(Perspective(match, view.seat, view), ghosts=drawn.ghosts)
    text = hint_text(*hint, players=escaped_names(match), is_drawn=True)
    return pictured(text, BOARD_FILE, drawn.png, alt, [row])


def waits_for_computer(match: Match, view: View) -> bool:
    """Return whether the computer has to decide, for itself or for a player who is away."""
    return any(not match.players[seat].decides_itself for seat in view.pending if seat != CHANCE)


def paused_line(match: Match) -> str:
    """Tell the players that the computer, which has to decide, is turned off."""
    line = _(
        "{players}: the computer is turned off on this bot, so the match waits. It "
        "continues when the host turns the computer on again, or you can end it "
        "without a result."
    )
    players = format_list([f"<@{player.user_id}>" for player in match.acting_people.values()])
    return line.format(players=players)


def end_button(match: Match) -> ui.Button:
    """Return the button that ends a match without a result, after a confirmation."""
    return button(_("End without a result"), AbandonId(match.id))


def next_level(match: Match, result: str) -> str:
    """Return a stronger level after a victory, or a weaker one after a defeat.

    Args:
        match: a finished match.
        result: the match's result; it begins with the winner's seat, if there is one.

    Returns:
        The level; empty if there is no such level, or other people played too.
    """
    winner, levels = match.players.get(result.partition(" ")[0]), list(COMPUTER_NAMES)
    beaten = {player.level for player in match.players.values() if player.is_computer}
    if winner is None or len(match.people) != 1 or len(beaten) != 1:
        return ""
    place = levels.index(beaten.pop()) + (1 if winner.is_person else -1)
    if place not in range(len(levels)):
        return ""
    return levels[place]


def rematch_label(match: Match, level: str) -> str:
    """Return the label of a rematch against another level, which says how it compares."""
    levels = list(COMPUTER_NAMES)
    beaten = next(player.level for player in match.players.values() if player.is_computer)
    is_harder = levels.index(level) > levels.index(beaten)
    words = _("Rematch, harder: {level}") if is_harder else _("Rematch, easier: {level}")
    return words.format(level=_(COMPUTER_NAMES[level]))


def levels_note() -> str:
    """Return a line with all levels, for messages that name one."""
    levels = format_list([*map(_, TITLE_OF_LEVEL.values())], style="commas")
    return _("-# The computer's levels, weakest first: {levels}.").format(levels=levels)


def advice_note(match: Match) -> str:
    """Return a line for the analysis of a match about the advice that its players could get.

    It is empty if they could get none.
    """
    suggests = has_setup(games.get(match.game), match.rules, match.options)
    if suggests and not is_rated(match):
        if gives_hints(match):
            return _("-# These numbers include decisions that *Hint* or *Suggest* gave.")
        return _("-# These numbers include decisions that *Suggest* gave.")
    return _("-# These numbers include decisions that *Hint* gave.") if gives_hints(match) else ""


def no_hints(match: Match) -> str:
    """Return the reason for which a match has no hints, see `gives_hints`."""
    if len(match.people) > 1 and not is_rated(match):
        return _(
            "There are no hints in a match between people, to keep it fair. *Suggest* only fills "
            "in a setup, and all players have it."
        )
    return _("There are no hints in a rated match, to keep it fair.")


def gives_hints(match: Match) -> bool:
    """Return whether one person plays a casual match against the computer."""
    return (
        not is_rated(match)
        and len(match.people) == 1
        and any(player.is_computer for player in match.players.values())
    )
