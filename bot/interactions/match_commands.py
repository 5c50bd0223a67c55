"""Slash commands, made from the registry: a game's verbs are subcommands of its own command."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Command, Group, Range, locale_str

from bot.interactions.command import Completion, Interaction, Option, command, text
from bot.interactions.context import Context
from bot.interactions.match_option import find, which
from bot.interactions.people_commands import people_commands
from bot.interactions.permissions import admit, parent_of, require_all_see
from bot.interactions.replays import show_turn
from bot.interactions.replies import UnclearError, ask, whisper
from bot.interactions.router import board, explain, overlay, play, show_hand
from bot.interactions.rules_commands import rules_commands
from bot.services.challenges import ANYBODY, Terms
from bot.services.clocks import OFFERED
from bot.services.luck import LUCK_LIMIT
from bot.services.models import CHALLENGE, FINISHED, RUNNING, Match, Player, Table
from bot.services.queries import NoMatchError
from bot.services.quiet_hours import zones
from bot.services.seating import seated
from bot.text import clean, escape
from bot.views import boards, confirmations, inbox, preferences, proofs
from bot.views.message import Message, note
from engine import games
from engine.exits import TWO
from engine.game import AnyGame, Verb
from engine.record import Record, RecordError
from engine.typed import begun
from render import for_game
from render.i18n import _, later

log = logging.getLogger(__name__)

AT_THE_TABLE = (
    app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
    app_commands.AppInstallationType(guild=True, user=False),
)
"""Where most commands are: with the bot."""

ANYWHERE = (
    app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
    app_commands.AppInstallationType(guild=True, user=True),
)
"""Where those are that need nothing but a private answer: wherever their user is."""

IN_SERVERS = (app_commands.AppCommandContext(guild=True), AT_THE_TABLE[1])
"""Where those are that are about a server."""

MANAGING = frozenset({"server", "admin"})
"""The commands of those who manage a server."""

PORTABLE = frozenset(
    {"rules", "howto", "games", "replay", "settings", "verify", "about", "privacy"}
)
"""The commands that somebody can install for themselves."""

NEEDED = {
    "view_channel": later("View Channel"),
    "send_messages": later("Send Messages"),
    "attach_files": later("Attach Files"),
    "read_message_history": later("Read Message History"),
}
"""What the bot must be allowed to do where a match is played."""


WORDS = later("Any words of your own; they become part of the dice")

RIVALS = (later("opponent"), later("opponent2"))
"""The options that name them; the largest table has so many others."""


def all_commands(context: Context) -> Iterator[Command[Any, ..., Any] | Group]:
    """Return every command, with the places in which Discord offers it."""
    every = tuple(map(games.get, games.names()))
    commands: list[Command[Any, ..., Any] | Group] = [_play(context, every), _do(context)]
    commands += [_game(context, game) for game in every]
    commands += [_hand(context, name) for name in dict.fromkeys(filter(None, map(_hidden, every)))]
    commands += [_board(context), _games(context), _replay(context), _verify(context)]
    commands += [_move(context), _draw(context), _takeback(context), _resign(context)]
    commands += [_settings(context), *rules_commands(context), *people_commands(context)]
    for each in commands:
        place = ANYWHERE if each.name in PORTABLE else AT_THE_TABLE
        place = IN_SERVERS if each.name in MANAGING else place
        each.allowed_contexts, each.allowed_installs = place
        yield each


def _hidden(game: AnyGame) -> str:
    return for_game(game.name).hand_name


def _game(context: Context, game: AnyGame) -> Group:
    meaning = text(later("Play {game}"), game=game.title)
    group = Group(name=game.name, description=meaning)
    for verb in game.verbs:
        group.add_command(_verb(context, game, verb))
    if asks := for_game(game.name).asks:
        group.add_command(_asking(context, game, asks))
    return group


async def _typed_about(context: Context, interaction: Interaction, game: str = "") -> Table | None:
    """The match that a command is about while it is still being typed, if that is clear."""
    try:
        match = await find(context, interaction, interaction.namespace.match, game)
        return await context.queries.look(match.id, interaction.user.id)
    except (UnclearError, NoMatchError):
        return None


def _asking(context: Context, game: AnyGame, asks: Verb) -> Command[Any, ..., Any]:
    """A question to the board, see `Renderer.asks`."""
    (parameter,) = asks.parameters

    async def run(interaction: Interaction, match: int | None = None, **values: str) -> None:
        found = await find(context, interaction, match, game.name)
        table = await context.queries.look(found.id, interaction.user.id)
        name = values[parameter.name].strip()
        await whisper(interaction, await overlay(context, table, interaction.user.id, name))

    async def complete(interaction: Interaction, current: str) -> list[Choice[Any]]:
        table = await _typed_about(context, interaction, game.name)
        if table is None:
            return []
        offered = for_game(game.name).overlays(table.view)
        return [
            Choice(name=each.label[:100], value=each.name)
            for each in offered
            if each.name.startswith(current)
        ]

    option = Option(parameter.name, parameter.meaning, required=True, complete=complete)
    return command(asks.name, asks.meaning, run, (option, which(context, game.name)))


def _verb(context: Context, game: AnyGame, verb: Verb) -> Command[Any, ..., Any]:
    names = [parameter.name for parameter in verb.parameters]

    async def run(interaction: Interaction, match: int | None = None, **values: str) -> None:
        found = await find(context, interaction, match, game.name)
        line = " ".join((verb.name, *(values[name].strip() for name in names if values.get(name))))
        await play(context, interaction, found.id, line, None)

    options = [
        Option(
            parameter.name,
            parameter.meaning,
            required=True,
            complete=_argument(context, game, verb, place),
        )
        for place, parameter in enumerate(verb.parameters)
    ]
    return command(verb.name, verb.meaning, run, (*options, which(context, game.name)))


def _argument(context: Context, game: AnyGame, verb: Verb, place: int) -> Completion:
    """Proposes one argument of a verb: what is legal after those that are typed already."""
    before = [parameter.name for parameter in verb.parameters[:place]]

    async def complete(interaction: Interaction, current: str) -> list[Choice[Any]]:
        table = await _typed_about(context, interaction, game.name)
        if table is None:
            return []
        view = table.view
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


def _play(context: Context, every: Sequence[AnyGame]) -> Command[Any, ..., Any]:
    settings = {name.lower(): name for game in every for name in game.options}
    most = max(len(game.sides) for game in every)
    rivals = RIVALS[: most - 1]

    async def run(interaction: Interaction, **values: Any) -> None:
        game = games.get(values.get("game") or games.names()[0])
        opponents = [values[name] for name in rivals if values.get(name)]
        _may_begin(interaction, opponents)
        await admit(context, interaction, opponents)
        chosen = {name: values[key] for key, name in settings.items() if values.get(key)}
        terms = Terms(
            game=game.name,
            rules=values.get("rules") or "",
            options=seated(game, chosen, 1 + len(opponents)),
            clock=await _clock(context, interaction, values.get("clock")),
            rounds=values.get("series") or 1,
            guild_id=interaction.guild_id,
            channel_id=interaction.channel_id or 0,
            parent_channel_id=parent_of(interaction),
        )
        people = [interaction.user, *opponents]
        players = [Player(person.id, clean(person.display_name)) for person in people]
        players += [ANYBODY] * (len(game.seats(terms.options)) - len(players))
        side = _seat(game, values.get("side"))
        outcome = await context.matches.challenge(
            interaction.id, terms, players, side=side, words=values.get("luck") or ""
        )
        if outcome.kind != "done":
            await explain(context, interaction, outcome)
            return
        names = ", ".join(escape(clean(person.display_name)) for person in opponents)
        asked = _("Match {match}: I have asked {players}.")
        done = asked if names else _("Match {match}: whoever likes to play can join.")
        await whisper(interaction, note(done.format(match=outcome.match_id, players=names)))

    rules = {rules: rules for game in every for rules in game.rules}
    sides = {side: side for game in every for side in game.sides.values()}
    titles = {game.title: game.name for game in every}
    about = [text(later("Who to play with; without it, anybody here can join"))]
    larger = ", ".join(game.title for game in every if len(game.sides) > TWO)
    meaning = later("{games}: a third player, who makes it a match of three")
    about += [text(meaning, games=larger)] * (len(rivals) - 1)
    people = [
        Option(rival, meant, discord.User) for rival, meant in zip(rivals, about, strict=True)
    ]
    options = [
        people[0],
        Option(later("game"), _which_game(every), choices=titles),
        Option(later("side"), later("Your side; without it a random one"), choices=sides),
        Option(later("clock"), later("Time to think"), choices={words: words for words in OFFERED}),
        Option(later("rules"), _which_rules(every), choices=rules),
        *people[1:],
        Option(later("luck"), later(WORDS), Range[str, 1, LUCK_LIMIT]),
    ]
    if series := ", ".join(game.title for game in every if game.in_series):
        meaning = later("{games}: how many matches in a row")
        options.append(Option(later("series"), text(meaning, games=series), Range[int, 1, 9]))
    options += [
        Option(name, _meaning(every, name), choices=_values(every, name))
        for name in settings.values()
    ]
    return command(later("play"), later("Challenge somebody to a match"), run, options)


async def _clock(context: Context, interaction: Interaction, words: str | None) -> str:
    """The clock that was chosen, or the server's."""
    if words or interaction.guild_id is None:
        return OFFERED[words or next(iter(OFFERED))]
    return (await context.servers.settings(interaction.guild_id)).clock


def _which_game(every: Sequence[AnyGame]) -> locale_str:
    return text(later("Which game; without it {game}"), game=every[0].title)


def _which_rules(every: Sequence[AnyGame]) -> locale_str:
    defaults = ", ".join(f"{game.rules[0]} ({game.title})" for game in every)
    return text(later("Rule set; without it {defaults}"), defaults=defaults)


def _meaning(every: Sequence[AnyGame], name: str) -> locale_str:
    titles = ", ".join(game.title for game in every if name in game.options)
    first = next(game.options[name][0] for game in every if name in game.options)
    meaning = later("{games}: {option}; without it {value}")
    return text(meaning, games=titles, option=name, value=first)


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
        raise UnclearError(_("Bots do not play; challenge a person."))
    if interaction.guild_id is None:
        raise UnclearError(
            _(
                "Challenge somebody in a server's channel, where you both are; "
                "afterwards you can play from here as well."
            )
        )
    absent = [escape(clean(each.display_name)) for each in opponents if not _is_here(each)]
    if absent:
        sentence = _(
            "A match begins where all its players are, and {players} would be missing on this "
            "server. Invite them, or begin it on a server where you all are."
        )
        raise UnclearError(sentence.format(players=", ".join(absent)))
    allowed = interaction.app_permissions
    lacking = [_(words) for name, words in NEEDED.items() if not getattr(allowed, name)]
    if isinstance(interaction.channel, discord.Thread) and not allowed.send_messages_in_threads:
        lacking.append(_("Send Messages in Threads"))
    if lacking:
        sentence = _("I am not allowed to play here; I need: {permissions}.")
        raise UnclearError(sentence.format(permissions=", ".join(lacking)))


def _is_here(person: discord.User) -> bool:
    """Return whether a user is a member of the server of the command that names them."""
    return isinstance(person, discord.Member)


def _do(context: Context) -> Command[Any, ..., Any]:
    async def run(
        interaction: Interaction, action: str | None = None, match: int | None = None
    ) -> None:
        found = await find(context, interaction, match)
        if action is None:
            table = await context.queries.look(found.id, interaction.user.id)
            await ask(interaction, boards.window(table))
            return
        await play(context, interaction, found.id, " ".join(action.split()), None)

    async def complete(interaction: Interaction, current: str) -> list[Choice[Any]]:
        table = await _typed_about(context, interaction)
        if table is None:
            return []
        game, view, wanted = games.get(table.match.game), table.view, current.lower()
        begins = set(begun(game, view.legal, current))
        lines = {a.notation: a for a in view.legal if not a.is_form}
        words = {line: for_game(game.name).label(view, a) for line, a in lines.items()}
        return [
            Choice(name=f"{line}: {words[line]}"[:100], value=line)
            for line, action in lines.items()
            if action in begins or wanted in line.lower() or wanted in words[line].lower()
        ]

    about = later("Choose from the list, or type the beginning of it; without it a window opens")
    typed = Option(later("action"), about, complete=complete)
    return command(later("do"), later("Make any choice by typing it"), run, (typed, which(context)))


def _hand(context: Context, name: str) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        await show_hand(context, interaction, (await find(context, interaction, match)).id)

    meaning = text(later("Your own {hand}, for your eyes only"), hand=name)
    return command(name, meaning, run, (which(context),))


def _board(context: Context) -> Command[Any, ..., Any]:
    async def run(
        interaction: Interaction, match: int | None = None, text: bool | None = None
    ) -> None:
        found = await find(context, interaction, match)
        table = await context.queries.look(found.id, interaction.user.id)
        shown = (
            boards.text_board(table) if text else await board(context, table, interaction.user.id)
        )
        await whisper(interaction, shown)
        if table.seat:
            await context.matches.mend(found.id)

    words = Option(
        later("text"), later("In words instead of a picture, complete enough to play from"), bool
    )
    meaning = later("The board as you may see it, with your choices")
    return command(later("board"), meaning, run, (which(context), words))


def _games(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        mine = await context.queries.of(interaction.user.id, RUNNING, CHALLENGE)
        await whisper(interaction, inbox.inbox(mine, interaction.user.id))

    return command(later("games"), later("Your matches, and whose turn it is"), run)


def _replay(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        found = await find(context, interaction, match, status=FINISHED)
        await show_turn(context, interaction, found.id, 0)

    option = which(context, status=FINISHED)
    meaning = later("Step through a finished match, or see it as an animation")
    return command(later("replay"), meaning, run, (option,))


def _draw(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        found = await find(context, interaction, match, by_turn=False)
        await play(context, interaction, found.id, "draw offer", None)

    return command(later("draw"), later("Offer a draw"), run, (which(context),))


def _takeback(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        found = await find(context, interaction, match, by_turn=False)
        outcome = await context.matches.take_back(interaction.id, found.id, interaction.user.id)
        if outcome.kind not in ("done", "ask"):
            await explain(context, interaction, outcome)
            return
        asked = _("Somebody has learned something from it, so I have asked the others.")
        await whisper(interaction, note(_("Taken back.") if outcome.kind == "done" else asked))

    meaning = later("Take back your last choice, if nothing has followed from it")
    return command(later("takeback"), meaning, run, (which(context),))


def _move(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        _may_begin(interaction, ())
        await admit(context, interaction)
        found = await find(context, interaction, match, by_turn=False)
        if found.status == RUNNING and found.seat_of(interaction.user.id):  # else it is refused
            await require_all_see(context, interaction, found)
        here = (interaction.guild_id, interaction.channel_id or 0)
        outcome = await context.matches.move(
            interaction.id, found.id, interaction.user.id, here, parent_of(interaction)
        )
        if outcome.kind != "done":
            await explain(context, interaction, outcome)
            return
        await whisper(interaction, note(_("Match {match} goes on here.").format(match=found.id)))

    meaning = later("Go on with a match in this channel, and see its board here")
    return command(later("move-here"), meaning, run, (which(context),))


def _verify(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        found = await find(context, interaction, match, status=FINISHED)
        if found.status != FINISHED:
            raise UnclearError(_("The seed is revealed when the match is over; ask me then."))
        record = await context.queries.record(found.id)
        await whisper(interaction, await _proof(context, found, record))

    meaning = later("Draw all dice of a finished match again from its revealed seed")
    return command(later("verify"), meaning, run, (which(context, status=FINISHED),))


async def _proof(context: Context, match: Match, record: Record) -> Message:
    """What drawing all dice of a match again has shown."""
    try:
        rolls = await context.queries.verify(record, match.seal)
    except RecordError as error:
        reason = str(error)
    else:
        return proofs.verified(match, record, rolls)
    log.error("match %s: the dice do not verify: %s", match.id, reason)
    return proofs.unverified(match, record, reason)


def _resign(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, match: int | None = None) -> None:
        found = await find(context, interaction, match, by_turn=False)
        if not found.seat_of(interaction.user.id):
            raise UnclearError(_("You do not play in this match."))
        await whisper(interaction, confirmations.departure(found, interaction.user.id))

    return command(later("resign"), later("Give up a match"), run, (which(context),))


def _settings(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, zone: str | None = None) -> None:
        user_id = interaction.user.id
        try:
            chosen = await context.preferences.live_in(user_id, zone) if zone else None
        except KeyError:
            raise UnclearError(
                _("I do not know this time zone; choose one that I propose, such as Europe/Berlin.")
            ) from None
        await whisper(
            interaction,
            preferences.settings(chosen or await context.preferences.preferences(user_id)),
        )

    async def propose(_interaction: Interaction, current: str) -> list[Choice[Any]]:
        typed = current.strip().replace(" ", "_").lower()
        return [Choice(name=zone, value=zone) for zone in zones() if typed in zone.lower()]

    zone = Option(later("zone"), later("Your time zone, for quiet hours"), complete=propose)
    return command(later("settings"), later("What I send you, and how"), run, (zone,))
