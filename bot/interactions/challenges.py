"""Send, accept, decline, withdraw and repeat challenges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord.app_commands import Range, locale_str

from bot.interactions.command import CheckedCommand, Option, command_from_data, text
from bot.interactions.components import component, typed
from bot.interactions.context import Context
from bot.interactions.outcomes import explain, settle
from bot.interactions.permissions import (
    is_self,
    parent_of,
    require_computers,
    require_playable,
    require_startable,
)
from bot.interactions.replies import Interaction, UserError, open_window, reply
from bot.interactions.visibility import visible_match
from bot.services.challenges import OPEN_SEAT
from bot.services.clocks import OFFERED_CLOCKS
from bot.services.computer_players import DEFAULT_LEVEL, LEVEL_TITLES, computer_player
from bot.services.luck import MAX_LUCK_CHARACTERS, Luck
from bot.services.models import MatchStatus, Player
from bot.services.outcomes import OutcomeKind
from bot.services.seating import options_for
from bot.services.terms import Terms
from bot.text import clean, escape
from bot.views import challenges
from bot.views.custom_ids import (
    AcceptId,
    BlockId,
    DeclineId,
    LuckId,
    LuckTypedId,
    RematchId,
    WithdrawId,
)
from bot.views.message import note
from engine import games
from engine.game import AnyGame
from render.i18n import N_, _

LUCK_DESCRIPTION = N_("Any words you like; they're mixed into the dice")

OPPONENT_OPTIONS = (N_("opponent"), N_("opponent2"))
"""Options for the opponents in the largest game."""


@component(AcceptId)
async def _accept(context: Context, interaction: Interaction, id: AcceptId) -> None:
    """Accept a challenge, or take over a seat that the computer plays."""
    match_id, user = id.match_id, interaction.user
    match = await visible_match(context, interaction, match_id)
    await require_playable(context, interaction)
    takes_over = match.status == MatchStatus.RUNNING and match.joinable
    join = context.computer_seats.take_over if takes_over else context.challenges.accept
    outcome = await join(interaction.id, match_id, user.id, clean(user.display_name))
    await settle(context, interaction, outcome)


@component(LuckId)
async def _luck(context: Context, interaction: Interaction, id: LuckId) -> None:
    """Open a window for the words that accept a challenge."""
    match = await visible_match(context, interaction, id.match_id)
    if match.status != MatchStatus.CHALLENGE:
        raise UserError(_("This challenge is no longer open."))
    await open_window(interaction, challenges.luck(match, interaction.id))


@component(LuckTypedId)
async def _accept_with_luck(context: Context, interaction: Interaction, id: LuckTypedId) -> None:
    """Accept a challenge with the typed words."""
    user = interaction.user
    await visible_match(context, interaction, id.match_id)
    await require_playable(context, interaction)
    luck = Luck(typed(interaction), id.number, id.version)
    name = clean(user.display_name)
    outcome = await context.challenges.accept(interaction.id, id.match_id, user.id, name, luck)
    await settle(context, interaction, outcome)


@component(DeclineId)
async def _decline(context: Context, interaction: Interaction, id: DeclineId) -> None:
    """Decline a challenge."""
    match_id, user_id = id.match_id, interaction.user.id
    await settle(
        context, interaction, await context.challenges.decline(interaction.id, match_id, user_id)
    )


@component(WithdrawId)
async def _withdraw(context: Context, interaction: Interaction, id: WithdrawId) -> None:
    """Withdraw the user's own challenge."""
    match_id, user_id = id.match_id, interaction.user.id
    outcome = await context.challenges.withdraw(interaction.id, match_id, user_id)
    await settle(context, interaction, outcome)


@component(BlockId)
async def _block(context: Context, interaction: Interaction, id: BlockId) -> None:
    """Decline a challenge and block the challenger."""
    user_id = interaction.user.id
    match = await context.queries.match(id.match_id)
    if not match.seat_of(user_id) or match.challenger_id == user_id:
        raise UserError(_("Only a challenged player can block the challenger."))
    if match.status != MatchStatus.CHALLENGE:
        raise UserError(_("This challenge is no longer open."))
    await context.preferences.block(user_id, match.challenger_id)
    outcome = await context.challenges.decline(interaction.id, match.id, user_id)
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    blocked = _("Declined. {name} can no longer challenge you; you can change that in `/settings`.")
    name = escape(match.names[match.seat_of(match.challenger_id)])
    await reply(interaction, note(blocked.format(name=name)))


@component(RematchId)
async def _rematch(context: Context, interaction: Interaction, id: RematchId) -> None:
    """Challenge the other players of a finished match."""
    await require_playable(context, interaction)
    match_id, user_id = id.match_id, interaction.user.id
    match = await visible_match(context, interaction, match_id)
    if any(player.is_computer for player in match.players.values()):
        require_computers(context)
    outcome = await context.rematches.rematch(interaction.id, match_id, user_id, id.handicap)
    await settle(context, interaction, outcome)


def _play(context: Context) -> CheckedCommand:
    every = tuple(map(games.get, games.names()))
    settings = {name.lower(): name for game in every for name in game.options}
    most = max(len(game.sides) for game in every)
    opponent_options = OPPONENT_OPTIONS[: most - 1]

    async def run(interaction: Interaction, **values: Any) -> None:
        game = games.get(values.get("game") or games.names()[0])
        named = [values[name] for name in opponent_options if values.get(name)]
        opponents = [person for person in named if not is_self(interaction, person)]
        level = values.get("level") or ""
        if level or len(opponents) < len(named):
            require_computers(context)
        require_startable(interaction, opponents)
        await require_playable(context, interaction, opponents)
        chosen = {name: values[key] for key, name in settings.items() if values.get(key)}
        terms = await terms_here(
            context,
            interaction,
            game,
            rules=values.get("rules") or "",
            options=options_for(game, chosen, 1 + len(named)),
            clock=values.get("clock"),
            rounds=values.get("series") or 1,
        )
        people = [interaction.user, *opponents]
        players = [Player(person.id, clean(person.display_name)) for person in people]
        players += [computer_player(level or DEFAULT_LEVEL)] * (len(named) - len(opponents))
        free = computer_player(level) if level else OPEN_SEAT
        players += [free] * (len(game.seats(terms.options)) - len(players))
        side = _seat(game, values.get("side"))
        words = values.get("luck") or ""
        await challenge(context, interaction, terms, players, side=side, words=words)

    options = _play_options(every, settings, opponent_options)
    return command_from_data(N_("play"), N_("Challenge a player to a match"), run, options)


async def terms_here(
    context: Context,
    interaction: Interaction,
    game: AnyGame,
    *,
    clock: str | None = None,
    **fields: Any,
) -> Terms:
    """Return the terms of a new match in the channel of an interaction.

    Args:
        context: the services.
        interaction: with the channel.
        game: the game.
        clock: the chosen clock; by default that of the server.
        fields: further fields of the terms.
    """
    return Terms(
        game=game.name,
        clock=await _clock(context, interaction, clock),
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id or 0,
        parent_channel_id=parent_of(interaction),
        **fields,
    )


async def challenge(
    context: Context,
    interaction: Interaction,
    terms: Terms,
    players: Sequence[Player],
    **options: Any,
) -> None:
    """Create a challenge and reply; see `Challenges.challenge`."""
    outcome = await context.challenges.challenge(interaction.id, terms, players, **options)
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    names = ", ".join(escape(each.name) for each in players[1:] if each.user_id > 0)
    if OPEN_SEAT in players and not names:
        await reply(interaction, challenges.opened(outcome.match_id, computers=context.computers))
        return
    sentence = _("Match {match}: challenge sent to {players}.")
    sentence = sentence if names else _("Match {match} has started.")
    await reply(interaction, note(sentence.format(match=outcome.match_id, players=names)))


def _play_options(
    every: Sequence[AnyGame], settings: Mapping[str, str], rivals: Sequence[str]
) -> list[Option]:
    """Return the options of `/play`.

    Args:
        every: all games.
        settings: name of an option → name of the setting of a match.
        rivals: the names of the options for opponents.
    """
    rules = {rules: rules for game in every for rules in game.rules}
    sides = {side: side for game in every for side in game.sides.values()}
    titles = {game.title: game.name for game in every}
    opponent, *others = _rival_options(every, rivals)
    options = [
        opponent,
        Option(N_("game"), _which_game(every), choices=titles),
        Option(N_("side"), N_("Your side (default: random)"), choices=sides),
        Option(
            N_("clock"),
            N_("How long players have for their turns"),
            choices={words: words for words in OFFERED_CLOCKS},
        ),
        Option(N_("level"), N_("Play against me: my level"), choices=LEVEL_TITLES),
        Option(N_("rules"), _which_rules(every), choices=rules),
        *others,
        Option(N_("luck"), LUCK_DESCRIPTION, Range[str, 1, MAX_LUCK_CHARACTERS]),
    ]
    if series := ", ".join(game.title for game in every if game.in_series):
        description = N_("{games}: number of matches in the series")
        options.append(Option(N_("series"), text(description, games=series), Range[int, 1, 9]))
    return options + [
        Option(key, _option_description(every, name), choices=_option_values(every, name))
        for key, name in settings.items()
    ]


def _rival_options(every: Sequence[AnyGame], rivals: Sequence[str]) -> list[Option]:
    """Return the options for the opponents."""
    about = [text(N_("Your opponent (default: anyone here can join)"))]
    larger = ", ".join(game.title for game in every if len(game.sides) > 2)
    description = N_("{games}: a third player, for a match of three")
    about += [text(description, games=larger)] * (len(rivals) - 1)
    return [Option(rival, meant, discord.User) for rival, meant in zip(rivals, about, strict=True)]


async def _clock(context: Context, interaction: Interaction, words: str | None) -> str:
    """Return the chosen clock, or the server's default."""
    if words or interaction.guild_id is None:
        return OFFERED_CLOCKS[words or next(iter(OFFERED_CLOCKS))]
    return (await context.servers.settings(interaction.guild_id)).clock


def _which_game(every: Sequence[AnyGame]) -> locale_str:
    return text(N_("Which game (default: {game})"), game=every[0].title)


def _which_rules(every: Sequence[AnyGame]) -> locale_str:
    defaults = ", ".join(f"{game.rules[0]} ({game.title})" for game in every)
    return text(N_("Rule set (default: {defaults})"), defaults=defaults)


def _option_description(every: Sequence[AnyGame], name: str) -> locale_str:
    titles = ", ".join(game.title for game in every if name in game.options)
    first = next(game.options[name][0] for game in every if name in game.options)
    description = N_("{games}: {option} (default: {value})")
    return text(description, games=titles, option=name, value=first)


def _option_values(every: Sequence[AnyGame], name: str) -> dict[str, str]:
    return {value: value for game in every for value in game.options.get(name, ())}


def _seat(game: AnyGame, side: str | None) -> str:
    """Return the seat letter of a side, or the name itself if the game has no such side."""
    return next((seat for seat, name in game.sides.items() if name == side), side or "")


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_play(context)]
