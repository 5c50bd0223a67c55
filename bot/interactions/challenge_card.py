"""`/play`, and the card for preparing a challenge before it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.domain.clocks import OFFERED_CLOCKS, days_off_rule, with_days_off
from bot.domain.computer_players import DEFAULT_LEVEL, computer_player
from bot.domain.days_off import DaysOffRule
from bot.domain.drafts import ChallengeDraft, remembered
from bot.domain.ids import UserId
from bot.domain.models import Player, Switch
from bot.domain.outcomes import OutcomeKind
from bot.domain.terms import Terms
from bot.interactions.challenges import terms_here, usual_clock, usually_rated
from bot.interactions.command import CheckedCommand, choices_of, command
from bot.interactions.components import BUTTON_GONE, component, selected, selected_values, typed
from bot.interactions.context import Context
from bot.interactions.invocation import Invocation, Person, guild_id_of
from bot.interactions.outcomes import explain
from bot.interactions.permissions import (
    LOOKUP_TIMEOUT_SECONDS,
    NOT_CHECKED,
    NOT_ON_SERVER,
    is_self,
    require_computers,
    require_playable,
    require_startable,
)
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_reply,
    open_window,
    reply,
    user_id_of,
)
from bot.sanitize import clean_name
from bot.services.challenges import OPEN_SEAT
from bot.services.preferences import CARD_PREFIX
from bot.views import challenge_card
from bot.views.challenge_card import OPTION_PREFIX, Part, card_id, draft_of
from bot.views.custom_id_codec import CustomIdError, parse
from bot.views.custom_ids import CardId, ChallengeId
from bot.views.message import Message
from engine import games
from engine.game import AnyGame
from render.i18n import N_, _


async def open_card(
    context: Context,
    interaction: Interaction,
    opponents: Sequence[Person] = (),
    *,
    game: str = "",
    clock: str | None = None,
    rated: bool | None = None,
) -> None:
    """Reply with the card of a new challenge.

    Args:
        opponents: the invited players, the bot among them if the computer is to play.
        game: name of the game; by default the one that the user has used last.
        clock: the chosen clock, see `bot.domain.clocks.Clock.parse`.
        rated: whether the result is to change ratings; by default as on the server, and no against
            the computer.
    """
    draft = await _begin(context, interaction, game)
    await require_possible(context, interaction, opponents, draft.game)
    draft = draft.with_opponents(tuple(UserId(person.id) for person in opponents))
    if not any(is_self(interaction, person) for person in opponents):
        draft = replace(draft, level="")
    if clock is not None or draft.is_solo(_bot_id(interaction)):
        draft = replace(draft, clock=with_days_off(clock or "", days_off_rule(draft.clock)))
    if rated is not None or draft.is_solo(_bot_id(interaction)):
        draft = replace(draft, rated=rated or False).with_needed_clock(_bot_id(interaction))
    await reply(interaction, await _card(context, interaction, draft))


@component(ChallengeId)
async def _open(context: Context, interaction: Interaction, id: ChallengeId) -> None:
    """Open the card of a new challenge against people."""
    await open_card(context, interaction, game=games.require(id.game).name)


@component(CardId)
async def _change(context: Context, interaction: Interaction, id: CardId) -> None:
    """Send the challenge, or change its card."""
    try:
        draft = draft_of(id)
        if id.part in (Part.SEND, Part.WORDS):
            await _send(context, interaction, draft, typed(interaction))
            return
        if id.part == Part.LUCK:
            await open_window(interaction, challenge_card.window(draft))
            return
        if id.part == Part.COMPUTER:
            changed = await _other_side(context, interaction, draft)
        else:
            changed = await _changed(context, interaction, draft, id.part)
        was_solo, is_solo = (terms.is_solo(_bot_id(interaction)) for terms in (draft, changed))
        if was_solo != is_solo:
            changed = await _with_usual_clock(context, interaction, changed)
        if is_solo and not was_solo:
            usual = await usually_rated(context, interaction)  # not by the player's own choice
            changed = replace(changed, rated=changed.rated and not usual)
            changed = changed.with_needed_clock(_bot_id(interaction))
        changed.check()
    except ValueError:
        raise UserError(_(BUTTON_GONE)) from None
    details = id.details != (id.part == Part.DETAILS)
    await edit_reply(interaction, await _card(context, interaction, changed, details=details))


async def _changed(
    context: Context, interaction: Interaction, draft: ChallengeDraft, part: str
) -> ChallengeDraft:
    """Return the challenge as changed by a choice from a list.

    Raises:
        ValueError: there is no such choice.
    """
    value = selected(interaction)
    if part.startswith(OPTION_PREFIX):
        return draft.with_option(part.removeprefix(OPTION_PREFIX), value)
    if part == Part.GAME:
        game_draft = await _begin(context, interaction, value)
        new_draft = replace(game_draft, clock=draft.clock, level=draft.level, rated=draft.rated)
        opponents = draft.opponents
        if not context.can_play(value):
            new_draft = replace(new_draft, level="")
            opponents = tuple(user for user in opponents if user != _bot_id(interaction))
        return new_draft.with_opponents(opponents)
    if part == Part.OPPONENTS:
        return draft.with_opponents(
            tuple(UserId(int(value)) for value in selected_values(interaction))
        )
    if part == Part.ROUNDS:
        return replace(draft, rounds=int(value))
    if part == Part.RATED:
        new_draft = replace(draft, rated=value == Switch.ON)
        return new_draft.with_needed_clock(_bot_id(interaction))
    value = "" if value == challenge_card.NONE_CHOSEN else value
    if part == Part.CLOCK:
        return replace(draft, clock=with_days_off(value, days_off_rule(draft.clock)))
    if part == Part.DAYS_OFF:
        return replace(draft, clock=with_days_off(draft.clock, DaysOffRule(value)))
    if part in (Part.LEVEL, Part.RULES, Part.SIDE):
        field: dict[str, Any] = {part: value}
        return replace(draft, **field)
    return draft


async def _other_side(
    context: Context, interaction: Interaction, draft: ChallengeDraft
) -> ChallengeDraft:
    """Return the challenge against the computer instead of people, or against people again."""
    bot_id = _bot_id(interaction)
    if bot_id is None or draft.is_solo(bot_id):
        return replace(draft.with_opponents(()), level="")
    require_computers(context, draft.game)
    last_level = (await _begin(context, interaction, draft.game)).level
    return replace(draft.with_opponents((bot_id,)), level=draft.level or last_level)


async def _begin(context: Context, interaction: Interaction, name: str) -> ChallengeDraft:
    """Return the terms of the player's last challenge in a game, or the default terms.

    Args:
        interaction: the player's command or click.
        name: name of the game; empty for the one that the player has used last.

    Raises:
        ValueError: there is no such game.
    """
    user_id = user_id_of(interaction)
    preferences = await context.preferences.preferences(user_id)
    names = games.names()
    name = name or await context.preferences.last_game(user_id, names) or names[0]
    if name not in games.names():
        raise ValueError(name)
    game = games.get(name)
    try:
        id = parse(preferences.get(f"{CARD_PREFIX}{game.name}", ""))
        if isinstance(id, CardId) and id.game == game.name:
            return replace(draft_of(id), rated=await usually_rated(context, interaction))
    except (CustomIdError, ValueError):
        pass
    return await usual_draft(context, interaction, game)


async def usual_draft(context: Context, interaction: Interaction, game: AnyGame) -> ChallengeDraft:
    """Return the default terms of a game on this server."""
    clock = await usual_clock(context, interaction)
    rated = await usually_rated(context, interaction)
    return ChallengeDraft(game=game.name, rules=game.rules[0], clock=clock, rated=rated)


async def _people_clock(context: Context, interaction: Interaction, draft: ChallengeDraft) -> str:
    """Return the clock with which a match of the same game between people begins."""
    return (await _begin(context, interaction, draft.game)).clock


async def _with_usual_clock(
    context: Context, interaction: Interaction, draft: ChallengeDraft
) -> ChallengeDraft:
    """Return a challenge that the computer has joined or left, with the default clock for that.

    A clock that the player has chosen stays.
    """
    people_clock = await _people_clock(context, interaction, draft)
    if draft.is_solo(_bot_id(interaction)):
        return replace(draft, clock="" if draft.clock == people_clock else draft.clock)
    return replace(draft, clock=draft.clock or people_clock)


async def _card(
    context: Context, interaction: Interaction, draft: ChallengeDraft, *, details: bool = False
) -> Message:
    style = await context.preferences.style(user_id_of(interaction), guild_id_of(interaction))
    cover = await context.images.cover(draft.game, style.theme)
    return challenge_card.card(
        draft,
        cover,
        bot_id=_bot_id(interaction),
        computers=context.can_play(draft.game),
        details=details,
    )


async def _send(
    context: Context, interaction: Interaction, draft: ChallengeDraft, words: str
) -> None:
    """Send the challenge, and remember its terms for the next one."""
    invited = await members_of(interaction, draft.opponents)
    await require_possible(context, interaction, invited, draft.game)
    if draft.level:
        require_computers(context, draft.game)
    terms = terms_of(interaction, draft)
    players = players_of(interaction, invited, draft.level, len(draft.seats))
    card = interaction.message
    outcome = await context.challenges.challenge(
        interaction.id,
        terms,
        players,
        side=draft.side,
        words=words,
        request_id=card.id if card and card.flags.ephemeral else 0,
    )
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    next_terms = remembered(draft)
    if draft.is_solo(_bot_id(interaction)):
        clock = await _people_clock(context, interaction, draft)
        next_terms = replace(next_terms, clock=clock)
    written = str(card_id("", next_terms))
    await context.preferences.remember_card(user_id_of(interaction), draft.game, written)
    computers = context.can_play(draft.game) and not terms.rated
    sent = challenge_card.sent(draft.game, outcome.match_id, players, computers=computers)
    await edit_reply(interaction, sent)


def terms_of(interaction: Interaction, draft: ChallengeDraft) -> Terms:
    """Return the terms of a challenge in this channel."""
    return replace(
        terms_here(interaction, games.get(draft.game), draft.clock),
        rules=draft.rules,
        options=draft.completed_options,
        rounds=draft.rounds,
        rated=draft.rated and not draft.rating_refusal(_bot_id(interaction)),
    )


def players_of(
    place: Invocation, invited: Sequence[Person], level: str, seat_count: int
) -> list[Player]:
    """Return the players of a challenge, its challenger first.

    Args:
        place: where the match begins; its user is the challenger.
        invited: the opponents, the bot among them if the computer is to play.
        level: the computer's level in free seats; empty if other players can join.
    """
    computer = computer_player(level or DEFAULT_LEVEL)
    players = [
        computer
        if is_self(place, person)
        else Player(UserId(person.id), clean_name(person.display_name))
        for person in (place.user, *invited)
    ]
    free = computer if level else OPEN_SEAT
    return players + [free] * (seat_count - len(players))


async def require_possible(
    context: Context, place: Invocation, opponents: Sequence[Person], game: str
) -> None:
    """Check that these opponents can be challenged here; see `bot.interactions.permissions`.

    Args:
        game: name of the game, which matters if the computer is an opponent.
    """
    if place.user in opponents:
        raise UserError(_("You can't play against yourself; choose another player."))
    people = [person for person in opponents if not is_self(place, person)]
    if len(people) < len(opponents):
        require_computers(context, game)
    require_startable(place, people)
    await require_playable(context, place, people)


async def members_of(place: Invocation, user_ids: Sequence[UserId]) -> list[Person]:
    """Return the invited players, as members of this server.

    Raises:
        UserError: one of them is not on it, or Discord does not answer.
    """
    guild, me = place.guild, place.client.user
    members: list[Person] = []
    for user_id in user_ids:
        try:
            async with asyncio.timeout(LOOKUP_TIMEOUT_SECONDS):
                if user_id == me.id or guild is None:
                    members.append(me)
                else:
                    members.append(await guild.fetch_member(user_id))
        except discord.NotFound:
            sentence = _(NOT_ON_SERVER).format(players=f"<@{user_id}>")
            raise UserError(sentence) from None
        except (TimeoutError, discord.DiscordException, aiohttp.ClientError):
            raise UserError(_(NOT_CHECKED)) from None
    return members


def _bot_id(interaction: Interaction) -> UserId | None:
    user = interaction.client.user
    return UserId(user.id) if user else None


def _play(context: Context) -> CheckedCommand:
    @command(name=N_("play"), description=N_("Start a match: against people, or the computer"))
    @app_commands.describe(
        opponent=N_("Your opponent (default: anyone here can join)"),
        game=N_("Which game (default: your last one)"),
        clock=N_("How long players have for their turns"),
        rated=N_("Whether the result changes your ratings, if all players agree"),
    )
    @app_commands.choices(
        game=choices_of({games.get(name).title: name for name in games.names()}),
        clock=choices_of({words: words for words in OFFERED_CLOCKS}),
    )
    async def play(
        interaction: Interaction,
        opponent: discord.User | None = None,
        game: str | None = None,
        clock: str | None = None,
        rated: bool | None = None,
    ) -> None:
        time_control = OFFERED_CLOCKS[clock] if clock else None
        people = [opponent] if opponent else []
        name = game or ""
        await open_card(context, interaction, people, game=name, clock=time_control, rated=rated)

    return play


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_play(context)]
