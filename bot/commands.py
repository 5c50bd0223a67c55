"""Slash commands, made from the registry: a game's verbs are subcommands of its own command."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Command, Group

from bot import messages
from bot.answers import UnclearError, answering, whisper
from bot.messages import note
from bot.panels import PAGE
from bot.presses import explain, play, show_hand
from bot.tables import CHALLENGE, RUNNING, Match, NoMatchError, Player
from bot.text import clean, escape
from engine import games
from engine.game import AnyGame, Verb
from render import for_game

if TYPE_CHECKING:
    from bot.client import Starpost

Interaction = discord.Interaction[Any]
Callback = Callable[..., Awaitable[None]]
Completion = Callable[[Interaction, str], Awaitable[list[Choice[Any]]]]

CONTEXTS = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
INSTALLS = app_commands.AppInstallationType(guild=True, user=False)

MATCH_MEANING = "Which of your matches; needed only if it is not clear"

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
"""What the bot must be allowed to do where a match is played."""


def add_to(client: Starpost) -> None:
    """Register every command."""
    every = tuple(map(games.get, games.names()))
    commands: list[Command[Any, ..., Any] | Group] = [_play(client, every), _do(client)]
    commands += [_game(client, game) for game in every]
    commands += [_hand(client, name) for name in dict.fromkeys(filter(None, map(_hidden, every)))]
    commands += [_board(client), _games(client), _resign(client), _settings(client)]
    for command in commands:
        command.allowed_contexts = CONTEXTS
        command.allowed_installs = INSTALLS
        client.tree.add_command(command)


def _hidden(game: AnyGame) -> str:
    return for_game(game.name).hand_name


class Option:
    """One option of a command: what discord.py wants to know, in one place.

    Args:
        name: as the callback gets it.
        meaning: description for players.
        kind: type of the value.
        required: whether it must be given.
        choices: name → value, if only these are possible.
        complete: proposes values while somebody types.
    """

    def __init__(
        self,
        name: str,
        meaning: str,
        kind: Any = str,
        *,
        required: bool = False,
        choices: dict[str, str] | None = None,
        complete: Completion | None = None,
    ) -> None:
        self.name = name.lower()
        self.meaning = meaning
        self.choices = choices
        self.complete = complete
        default = inspect.Parameter.empty if required else None
        self.parameter = inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=kind if required else kind | None,
        )


def _command(
    name: str, meaning: str, callback: Callback, options: Sequence[Option] = ()
) -> Command[Any, ..., Any]:
    """A command whose options are data and not the signature of a function."""

    async def run(interaction: Interaction, **values: Any) -> None:
        async with answering(interaction):
            await callback(interaction, **values)

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([first, *(option.parameter for option in options)])
    run.__signature__ = signature  # type: ignore[attr-defined]
    app_commands.describe(**{option.name: option.meaning for option in options})(run)
    made: Command[Any, ..., Any] = Command(name=name, description=meaning, callback=run)
    for option in options:
        parameter = made._params[option.name]  # noqa: SLF001 - the decorators do the same
        if option.choices:
            parameter.choices = [Choice(name=n, value=v) for n, v in option.choices.items()]
        if option.complete:
            made.autocomplete(option.name)(_completion(option.complete))
    return made


def _completion(complete: Completion) -> Any:
    async def run(interaction: Interaction, current: str) -> list[Choice[Any]]:
        return (await complete(interaction, str(current)))[:PAGE]

    return run


def _which(client: Starpost, game: str = "") -> Option:
    """The option that names one of the user's own matches."""

    async def complete(interaction: Interaction, current: str) -> list[Choice[Any]]:
        mine = await client.tables.of(interaction.user.id, RUNNING)
        return [
            Choice(name=_title(match, interaction.user.id), value=match.id)
            for match in mine
            if (not game or match.game == game) and current in str(match.id)
        ]

    return Option("match", MATCH_MEANING, int, complete=complete)


def _title(match: Match, user_id: int) -> str:
    own = match.seat_of(user_id)
    others = ", ".join(name for seat, name in match.names.items() if seat != own)
    turn = " (your turn)" if own in match.decisions else ""
    return f"#{match.id} {games.get(match.game).title}: {others}{turn}"[:100]


async def find(
    client: Starpost, interaction: Interaction, match_id: int | None, game: str = ""
) -> Match:
    """The match that a command is about: named, or the only one that can be meant.

    Raises:
        UnclearError: there is none, or more than one.
    """
    if match_id is not None:
        return await client.tables.match(match_id)
    mine = await client.tables.of(interaction.user.id, RUNNING)
    mine = [match for match in mine if not game or match.game == game]
    here = [match for match in mine if match.channel_id == interaction.channel_id]
    for pool in (here, mine):
        own_turn = [m for m in pool if m.seat_of(interaction.user.id) in m.decisions]
        for candidates in (pool, own_turn):
            if len(candidates) == 1:
                return candidates[0]
        if pool:
            numbers = ", ".join(f"{match.id}" for match in pool)
            raise UnclearError(f"You play several matches here ({numbers}); say which: `match:`.")
    raise UnclearError("You play no such match now. `/play` begins one.")


def _game(client: Starpost, game: AnyGame) -> Group:
    group = Group(name=game.name, description=f"Play {game.title}")
    for verb in game.verbs:
        group.add_command(_verb(client, game, verb))
    return group


def _verb(client: Starpost, game: AnyGame, verb: Verb) -> Command[Any, ..., Any]:
    names = [parameter.name for parameter in verb.parameters]

    async def run(interaction: Interaction, match: int | None = None, **values: str) -> None:
        found = await find(client, interaction, match, game.name)
        line = " ".join((verb.name, *(values[name].strip() for name in names if values.get(name))))
        await play(client, interaction, found.id, line, None)

    options = [
        Option(
            parameter.name,
            parameter.meaning,
            required=True,
            complete=_argument(client, game, verb, place),
        )
        for place, parameter in enumerate(verb.parameters)
    ]
    return _command(verb.name, verb.meaning, run, (*options, _which(client, game.name)))


def _argument(client: Starpost, game: AnyGame, verb: Verb, place: int) -> Completion:
    """Proposes one argument of a verb: what is legal after those that are typed already."""
    before = [parameter.name for parameter in verb.parameters[:place]]

    async def complete(interaction: Interaction, current: str) -> list[Choice[Any]]:
        try:
            match = await find(client, interaction, interaction.namespace.match, game.name)
            view = (await client.tables.look(match.id, interaction.user.id)).view
        except (UnclearError, NoMatchError):
            return []
        given = [str(getattr(interaction.namespace, name) or "").lower() for name in before]
        starts = dict.fromkeys(
            action.args[: place + 1]
            for action in view.legal
            if action.verb == verb.name
            and all(not g or a.lower() == g for a, g in zip(action.args, given, strict=False))
        )
        step = for_game(game.name).step
        words = {args[-1]: step(view, verb.name, args) for args in starts}
        wanted = current.lower()
        return [
            Choice(name=word if word == value else f"{value}: {word}", value=value)
            for value, word in words.items()
            if value.lower().startswith(wanted) or (wanted and wanted in word.lower())
        ]

    return complete


def _play(client: Starpost, every: Sequence[AnyGame]) -> Command[Any, ..., Any]:
    settings = {name.lower(): name for game in every for name in game.options}
    most = max(len(game.sides) for game in every)
    rivals = ["opponent", *(f"opponent{number}" for number in range(2, most))]

    async def run(interaction: Interaction, **values: Any) -> None:
        game = games.get(values.get("game") or games.names()[0])
        opponents = [values[name] for name in rivals if values.get(name)]
        _may_begin(interaction, opponents)
        people = [interaction.user, *opponents]
        outcome = await client.matches.challenge(
            interaction.id,
            game=game.name,
            rules=values.get("rules") or "",
            options={name: values[key] for key, name in settings.items() if values.get(key)},
            players=[Player(person.id, clean(person.display_name)) for person in people],
            side=_seat(game, values.get("side")),
            channel=(interaction.guild_id, interaction.channel_id or 0),
        )
        if outcome.kind != "done":
            await explain(client, interaction, outcome)
            return
        client.delivery.wake()
        names = ", ".join(escape(clean(person.display_name)) for person in opponents)
        await whisper(interaction, note(f"Match {outcome.match_id}: I have asked {names}."))

    rules = {rules: rules for game in every for rules in game.rules}
    sides = {side: side for game in every for side in game.sides.values()}
    options = [
        Option(rival, "Who to play with", discord.User, required=rival == "opponent")
        for rival in rivals
    ]
    options += [
        Option("rules", f"Rule set; without it {_defaults(every)}", choices=rules),
        Option("side", "Your side; without it a random one", choices=sides),
    ]
    options += [
        Option(name, _meaning(every, name), choices=_values(every, name))
        for name in settings.values()
    ]
    titles = {game.title: game.name for game in every}
    options.append(Option("game", f"Without it {every[0].title}", choices=titles))
    return _command("play", "Challenge somebody to a match", run, options)


def _defaults(every: Sequence[AnyGame]) -> str:
    return ", ".join(f"{game.rules[0]} ({game.title})" for game in every)


def _meaning(every: Sequence[AnyGame], name: str) -> str:
    titles = ", ".join(game.title for game in every if name in game.options)
    first = next(game.options[name][0] for game in every if name in game.options)
    return f"{titles}: {name}; without it {first}"


def _values(every: Sequence[AnyGame], name: str) -> dict[str, str]:
    return {value: value for game in every for value in game.options.get(name, ())}


def _seat(game: AnyGame, side: str | None) -> str:
    """The seat letter of a side's name; the name itself where the game does not have it."""
    return next((seat for seat, name in game.sides.items() if name == side), side or "")


def _may_begin(interaction: Interaction, opponents: Sequence[discord.User]) -> None:
    """Whether a match can be played here with these people.

    Raises:
        UnclearError: not here, or not with them.
    """
    if any(opponent.bot for opponent in opponents):
        raise UnclearError("Bots do not play; challenge a person.")
    if interaction.guild_id is None:
        raise UnclearError(
            "Challenge somebody in a server's channel, where you both are; "
            "afterwards you can play from here as well."
        )
    allowed = interaction.app_permissions
    lacking = [words for name, words in NEEDED.items() if not getattr(allowed, name)]
    if isinstance(interaction.channel, discord.Thread) and not allowed.send_messages_in_threads:
        lacking.append("Send Messages in Threads")
    if lacking:
        raise UnclearError(f"I am not allowed to play here; I need: {', '.join(lacking)}.")


def _do(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, action: str, match: int | None = None) -> None:
        found = await find(client, interaction, match)
        await play(client, interaction, found.id, " ".join(action.split()), None)

    typed = Option("action", "In the notation of records, such as move S NE", required=True)
    return _command("do", "Make any choice by typing it", run, (typed, _which(client)))


def _hand(client: Starpost, name: str) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        await show_hand(client, interaction, (await find(client, interaction, match)).id)

    meaning = f"Your own {name}, for your eyes only"
    return _command(name, meaning, run, (_which(client),))


def _board(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        found = await find(client, interaction, match)
        table = await client.tables.look(found.id, interaction.user.id)
        await whisper(interaction, messages.board(table))

    return _command(
        "board", "The board as you may see it, with your choices", run, (_which(client),)
    )


def _games(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        mine = await client.tables.of(interaction.user.id, RUNNING, CHALLENGE)
        await whisper(interaction, messages.inbox(mine, interaction.user.id))

    return _command("games", "Your matches, and whose turn it is", run)


def _resign(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        found = await find(client, interaction, match)
        if not found.seat_of(interaction.user.id):
            raise UnclearError("You do not play in this match.")
        await whisper(interaction, messages.confirm_resign(found))

    return _command("resign", "Give up a match", run, (_which(client),))


def _settings(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        preferences = await client.players.preferences(interaction.user.id)
        await whisper(interaction, messages.settings(preferences))

    return _command("settings", "What I send you, and how", run)
