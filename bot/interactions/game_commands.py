"""The commands of each game: for its most frequent moves, and questions to the board."""

from __future__ import annotations

from discord.app_commands import Choice, Group

from bot.interactions.boards import overlay
from bot.interactions.command import (
    Autocomplete,
    CheckedCommand,
    Option,
    Proposals,
    command_from_data,
    group,
    proposals,
    text,
)
from bot.interactions.context import Context
from bot.interactions.match_option import find, match_option, typed_about
from bot.interactions.moves import play
from bot.interactions.replies import Interaction, reply, user_id_of
from engine import games
from engine.game import Action, AnyGame, Verb
from engine.wording import DIRECTION
from render import for_game
from render.i18n import N_


def group_of(context: Context, game: AnyGame) -> Group:
    """Return the commands of a game."""
    description = text(N_("Play {game}"), game=game.title)
    commands_of_game = group(game.name, description)
    renderer = for_game(game.name)
    for verb in game.verbs:
        if verb.name in renderer.command_verbs:
            commands_of_game.add_command(_verb(context, game, verb))
    if overlay_verb := renderer.overlay_verb:
        commands_of_game.add_command(_overlay_command(context, game, overlay_verb))
    return commands_of_game


def _overlay_command(context: Context, game: AnyGame, verb: Verb) -> CheckedCommand:
    """Return the command for a question to the board; see `Renderer.overlay_verb`."""
    (parameter,) = verb.parameters

    async def run(interaction: Interaction, match: int | None = None, **values: str) -> None:
        target = await find(context, interaction, match, game.name)
        perspective = await context.queries.view(target.id, user_id_of(interaction))
        name = values[parameter.name].strip()
        await reply(interaction, await overlay(context, perspective, user_id_of(interaction), name))

    @proposals
    async def autocomplete(interaction: Interaction, current: str) -> Proposals:
        perspective = await typed_about(context, interaction, game.name, acts=False)
        if perspective is None:
            return []
        offered = for_game(game.name).overlays(perspective.view)
        return [
            Choice(name=item.label[:100], value=item.name)
            for item in offered
            if item.name.startswith(current)
        ]

    option = Option(parameter.name, parameter.description, required=True, autocomplete=autocomplete)
    return command_from_data(
        verb.name, verb.description, run, (option, match_option(context, game.name))
    )


def _verb(context: Context, game: AnyGame, verb: Verb) -> CheckedCommand:
    names = [parameter.name for parameter in verb.parameters]

    async def run(interaction: Interaction, match: int | None = None, **values: str) -> None:
        target = await find(context, interaction, match, game.name, acts=True)
        line = " ".join((verb.name, *(values[name].strip() for name in names if values.get(name))))
        style = await context.preferences.style(user_id_of(interaction), target.guild_id)
        await play(context, interaction, target.id, line, None, style=style, verb=verb.name)

    options = [
        Option(
            parameter.name,
            parameter.description,
            required=True,
            autocomplete=_argument(context, game, verb, place),
        )
        for place, parameter in enumerate(verb.parameters)
    ]
    return command_from_data(
        verb.name, verb.description, run, (*options, match_option(context, game.name))
    )


def _argument(context: Context, game: AnyGame, verb: Verb, place: int) -> Autocomplete:
    """Return an autocomplete for one argument of a verb, legal after those already typed."""
    before = [parameter.name for parameter in verb.parameters[:place]]

    @proposals
    async def autocomplete(interaction: Interaction, current: str) -> Proposals:
        perspective = await typed_about(context, interaction, game.name)
        if perspective is None:
            return []
        view = perspective.view
        prefix = [str(getattr(interaction.namespace, name) or "").lower() for name in before]
        starts = dict.fromkeys(
            action.args[: place + 1]
            for action in view.legal
            if action.verb == verb.name
            and all(not g or a.lower() == g for a, g in zip(action.args, prefix, strict=False))
        )
        renderer = for_game(game.name)
        style = await context.preferences.style(user_id_of(interaction), perspective.match.guild_id)
        actions = {args[-1]: Action(view.seat, verb.name, args) for args in starts}
        written = {
            value: renderer.written(view.seat, action.notation, style).split()[-1]
            for value, action in actions.items()
        }
        words = {value: renderer.label(view, action) for value, action in actions.items()}
        typed = current.lower()
        is_direction = verb.parameters[place].name == DIRECTION
        return [
            Choice(
                name=word if word == value else f"{written[value]}: {word}",
                value=written[value] if is_direction else value,
            )
            for value, word in words.items()
            if value.lower().startswith(typed)
            or (typed and typed in f"{written[value]} {word.lower()}")
        ]

    return autocomplete


def commands(context: Context) -> list[Group]:
    """Return the commands of this feature."""
    return [group_of(context, games.get(name)) for name in games.names()]
