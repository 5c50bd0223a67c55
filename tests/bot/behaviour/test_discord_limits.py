"""Everything that is said keeps to Discord's limits in every language, with the longest names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import discord
import pytest

from bot.app.registry import FEATURES
from bot.domain.clocks import OFFERED_CLOCKS
from bot.domain.ids import ChannelId, MatchId, UserId, Version
from bot.domain.models import Match, MatchStatus, Perspective, Player, SeatClock
from bot.domain.waiting import Absent
from bot.features.notes.service import NOTES_LIMIT, PlayerNotes
from bot.features.notes.views import lines as note_lines
from bot.features.privacy import views as privacy
from bot.features.privacy.export_files import ExportedFile
from bot.features.replays import views as replays
from bot.features.rules import lesson_views as lessons
from bot.i18n import ENGLISH, languages, negotiate_locale
from bot.interactions.command import CommandTranslator
from bot.interactions.moves import TOLD_LIMIT
from bot.rulebook.lessons import attempt, place, steps
from bot.sanitize import NAME_LIMIT
from bot.services.match_summaries import MatchSummary
from bot.services.nudges import NUDGE_PAUSE_SECONDS
from bot.services.positions import Turn
from bot.services.preferences import DEFAULTS, PreferenceKey
from bot.services.servers import ServerSettings
from bot.views import (
    about,
    challenges,
    confirmations,
    inbox,
    links,
    preferences,
    private_boards,
    public_boards,
    silence,
    takebacks,
    verification,
)
from bot.views.choices import enter_nearest_area, panel, path_to
from bot.views.controls import LABEL_LIMIT, turn_window
from bot.views.images import Drawn
from bot.views.inbox import MAX_OPEN_SEATS, PAGE_SIZE, InboxRow
from bot.views.message import Message
from bot.views.policies import Policies
from bot.views.private_boards import Opened
from bot.views.public_boards import BoardState
from bot.views.shortcuts import shortcuts_of
from engine import games
from engine.dice import commitment
from engine.game import PUBLIC, AnyGame, View
from engine.notation import completions
from engine.record import Record, play
from render import for_game
from render.renderer import DEFAULT_STYLE, Style
from tests.support.harness import Actor, walk
from tests.support.languages import is_complete
from tests.support.limits import check_limits, components
from tests.support.pseudo import TAG
from tests.support.server_panel import server_panel
from tests.support.tiers import sampled
from tools.translations import REQUIRED

LONGEST_NAME = "W" * NAME_LIMIT
PNG = b"\x89PNG"
NUMBER = 10**18
MODAL_TITLE, MODAL_LABEL, MODAL_DESCRIPTION = 45, 45, 100

WHOLE, NAME, WORDS, BRANCHES, MENUS = 8000, 32, 100, 25, 5
"""Discord's limits for a command: characters in all, of a name, of a description; options."""

NAME_FORM = re.compile(r"[-_'\w]+")

FEWER = 7
"""Times as long steps through matches in languages that are shorter than the pseudo-language."""

POLICIES = Policies("https://a.test/terms", "https://a.test/privacy")


def options(game: AnyGame, values: int) -> dict[str, str]:
    """The first values of all options, or the last ones."""
    return {name: choices[values] for name, choices in game.options.items()}


def match_of(game: AnyGame, state: Any, **fields: Any) -> Match:
    """A match that stands like this, with everything in it that makes texts long."""
    seats = game.view(state).seats
    pending = set(game.pending(state)) & set(seats)
    players = {
        seat: Player(UserId(NUMBER + place), f"{LONGEST_NAME[:-1]}{seat}")
        for place, seat in enumerate(seats)
    }
    return Match(
        **{
            "id": 987_654_321,
            "game": game.name,
            "rules": game.rules[-1],
            "options": options(game, -1),
            "status": MatchStatus.RUNNING,
            "version": 123_456,
            "decisions": dict.fromkeys(pending, 123_456),
            "guild_id": NUMBER,
            "channel_id": NUMBER,
            "challenger_id": NUMBER,
            "players": players,
            "unaccepted": "",
            "commitment": commitment(bytes(32)),
            "expires_at": 2e9,
            "clock": list(OFFERED_CLOCKS.values())[-1],
            "times": dict.fromkeys(seats, SeatClock(0.0, None)),
            "round": 8,
            "rounds": 9,
            "standing": dict.fromkeys(seats, 100),
            "away_until": dict.fromkeys(seats, 2e9),
            "waits_since": dict.fromkeys(pending, 1e9),
            "notices": dict.fromkeys(pending, 2e9),
            "link": (NUMBER, NUMBER),
            **fields,
        }
    )


def absent(seats: str) -> Absent:
    return Absent(seats, seats, seats)


def drawn(style: Style = DEFAULT_STYLE, shortcuts: Any = ()) -> Drawn:
    """Return a picture; its content does not matter."""
    return Drawn(PNG, style, shortcuts=shortcuts)


def public(game: AnyGame, state: Any) -> Iterator[Message]:
    """The public messages of a running or finished match."""
    match = match_of(game, state)
    perspective = Perspective(match, PUBLIC, game.view(state))
    legal: dict[str, View] = {seat: game.view(state, seat) for seat in match.decisions}
    record = Record({"Seed": "f" * 64, "Dice": match.commitment}, ())
    if perspective.view.result:
        finished = perspective._replace(
            match=match_of(game, state, status=MatchStatus.FINISHED, round=9)
        )
        end_buttons = (
            feature.end_button(finished, True) for feature in FEATURES if feature.end_button
        )
        buttons = [button for button in end_buttons if button]
        yield public_boards.result(finished, drawn(), record, 120_000, buttons=buttons)
        yield replays.animation(finished, b"GIF")
        yield verification.verified(finished.match, record, 1_000)
        return
    board_state = BoardState(
        live=True, reminder=True, absent=absent("".join(legal)), computers=True
    )
    yield public_boards.board(perspective, drawn(), legal, 120_000, board_state)
    for about_silence in (silence.question, silence.notice):
        yield from (about_silence(match, seat, perspective.view.playing) for seat in legal)
    yield public_boards.former_board(perspective, 120_000)
    turns = [Turn(120, perspective.view)] * 1_000
    reader = perspective.match.players[perspective.view.seats[0]].user_id
    lines = noted(match).lines
    for seat in ("", *perspective.view.seats):
        seen = perspective._replace(view=game.view(state, seat))
        page = replays.Page(seen, turns, 499, seat, has_secrets=True)
        yield replays.replay(page, drawn(), user_id=reader, computers=True, lines=lines)
    asking, *answering = [*perspective.view.seats]
    for seats in ("", answering):
        yield takebacks.takeback_request(perspective, asking, seats, Version(123_456))
    for status in MatchStatus:
        match = match_of(game, state, status=status, unaccepted=perspective.view.seats)
        yield from (challenges.challenge(match, UserId(by)) for by in (0, NUMBER, NUMBER + 1))


def private(game: AnyGame, state: Any, seat: str) -> Iterator[Message]:
    """All that a player can ask for."""
    match = match_of(game, state)
    view = game.view(state, seat)
    perspective = Perspective(match, seat, view)
    for style in (DEFAULT_STYLE, Style(orientation="portrait", own_side=True)):
        beside = drawn(style, shortcuts_of(view, style=style).rows)
        yield private_boards.board(perspective, beside, LONGEST_NAME, opened=noted(match))
        stories = private_boards.story_lines(match, [view] * 30, TOLD_LIMIT)
        assert len(stories) <= TOLD_LIMIT + len("- \n- ")
        yield private_boards.board(perspective, beside, stories, opened=noted(match))
    has_left = absent("".join(s for s in match.waits_since if s != seat))
    yield private_boards.board(perspective, drawn(), opened=Opened(absent=has_left), computers=True)
    if overlays := for_game(game.name).overlays(view):
        yield private_boards.overlay(perspective, drawn())
        yield private_boards.overlay(perspective, drawn(), overlays[0].name)
    yield inbox.hand(perspective, (links.masked_link(match),))
    yield private_boards.text_board(perspective)
    yield private_boards.digest(perspective, [view] * 30)
    yield inbox.turn_dm(perspective)
    user_id = match.players[seat].user_id
    yield from (confirmations.question(match, user_id, a) for a in ("resign", "draw accept"))
    yield confirmations.claim(match, seat)
    listed = [MatchSummary(replace(match, id=MatchId(n)), 0.0, (n, n)) for n in range(PAGE_SIZE)]
    rows = [InboxRow(row, perspective._replace(match=row.match), b"png") for row in listed]
    offers, now = [inbox.open_seats(listed[:MAX_OPEN_SEATS])], 2 * NUDGE_PAUSE_SECONDS
    yield inbox.inbox(rows, offers, user_id, (1, 3), now=now)
    ends = view.legal[:1] + view.legal[-1:]
    typed = [" ".join((a.verb, *a.args[:count])) for a in ends for count in (0, 1)]
    lefts = [left for text in typed if (left := completions(game, view.legal, text))]
    for path in (*paths(view), *(enter_nearest_area(view, path_to(left)) for left in lefts)):
        beside = drawn(shortcuts=shortcuts_of(view, path).rows)
        yield private_boards.board(perspective, beside, LONGEST_NAME, path, noted(match))


def noted(match: Match) -> Opened:
    """The longest notes beside a board."""
    longest = "*" * NOTES_LIMIT
    on_opponents = [player.user_id for player in match.people.values()][1:]
    notes = PlayerNotes(longest, dict.fromkeys(on_opponents, longest))
    return Opened(lines=note_lines(match, notes))


def paths(view: View, path: str = "") -> Iterator[str]:
    """The first and last ways to fewer choices, from each step on."""
    rows = panel(view, path).rows
    children = [choice.path for row in rows for choice in row.choices if choice.path]
    for child in dict.fromkeys(children[:1] + children[-1:]):
        yield child
        yield from paths(view, child)


@pytest.mark.slow
@sampled(28, 14, 7)
@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("last", [0, -1])
def test_every_message_of_a_match(name: str, last: int, spoken: str, samples: int) -> None:
    game, random = games.get(name), Random(f"{name}{last}")
    start = game.start(game.rules[last], options(game, last))

    def choose(legal: Any) -> Any:
        return game.fill(random.choice(legal), random.randrange)

    step = samples if spoken in (ENGLISH, *REQUIRED, TAG) else FEWER * samples
    for length in (*range(1, 150, step), 2_000):
        state, _ = play(game, start, choose, lambda _: random.randrange, length)
        if "*" in game.pending(state):
            continue
        messages = [*public(game, state)]
        for seat in game.pending(state):
            messages += private(game, state, seat)
        for message in messages:
            check_limits(message)
            assert spoken == TAG or not cut(message)
        for seat in game.pending(state):
            check_window(
                private_boards.window(
                    Perspective(match_of(game, state), seat, game.view(state)), DEFAULT_STYLE
                )
            )
            view = game.view(state, seat)
            if for_game(name).window(view, view.legal):
                check_window(turn_window(match_of(game, state), seat, view, DEFAULT_STYLE))


def test_choices_without_room_are_opened_by_a_button() -> None:
    """Two late players, who are away, and a roll that moves two ships in all directions."""
    game, random = games.get("wormholes"), Random(4)
    start = game.start(game.rules[-1], options(game, -1))
    state, _ = play(game, start, random.choice, lambda _: random.randrange, 70)
    board = next(public(game, state))
    check_limits(board)
    labels = [getattr(item, "label", "") for item in board.layout.walk_children()]
    assert "Choose" in labels
    assert any(label.startswith("Claim on time") for label in labels)


def cut(message: Message) -> list[str]:
    """The labels of buttons that were too long; only those of the pseudo-language may be."""
    labels = [part.get("label", "") for part in walk(components(message))]
    return [label for label in labels if len(label) == LABEL_LIMIT and label[-1] == "…"]


def check_window(window: discord.ui.Modal) -> None:
    """Assert that Discord takes a window."""
    window_data = window.to_dict()
    assert 0 < len(window_data["title"]) <= MODAL_TITLE
    for part in walk(window_data["components"]):
        assert len(part.get("label", "")) <= MODAL_LABEL
        assert len(part.get("description", "")) <= MODAL_DESCRIPTION
        assert len(part.get("placeholder") or "") <= WORDS


@pytest.mark.slow
def test_every_message_about_people_and_servers(spoken: str) -> None:
    check_limits(preferences.settings(DEFAULTS | {PreferenceKey.DM_FAILED: "yes"}))
    check_limits(about.about("x" * 200, POLICIES))
    check_limits(privacy.privacy(POLICIES))
    check_limits(privacy.confirm_erase(1_000))
    check_limits(privacy.export(ExportedFile("starpost.json", b"{}")))
    check_limits(
        server_panel(ServerSettings(tuple(map(ChannelId, range(NUMBER, NUMBER + 25))), NUMBER))
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_every_step_of_a_guided_match(name: str, spoken: str) -> None:
    for number in range(len(steps(name))):
        decision = place(name, number)
        check_limits(lessons.lesson(decision, drawn()))
        for action in decision.view.legal[:: max(1, len(decision.view.legal) // 5)]:
            line = action.notation
            result = attempt(decision, line)
            assert result
            check_limits(lessons.try_result(decision, result, drawn()))


async def commands(bot: Actor) -> list[Any]:
    """The commands as Discord gets them."""
    translator, tree = CommandTranslator(), bot.tree
    app_commands = tree.get_commands(type=discord.AppCommandType.chat_input)
    return [await command.get_translated_payload(tree, translator) for command in app_commands]


def longest(part: dict[str, Any], field: str) -> int:
    """Characters of the longest of a text's languages."""
    return max(
        len(spelling) for spelling in (part.get(field, ""), *spellings(part, field).values())
    )


def spellings(part: dict[str, Any], field: str) -> dict[str, str]:
    """Locale → a name or description in it."""
    translations: dict[str, str] = part.get(f"{field}_localizations") or {}
    return translations


def size(part: dict[str, Any]) -> int:
    """How many characters of a command Discord counts."""
    total = longest(part, "name") + longest(part, "description")
    total += sum(
        longest(choice, "name") + len(str(choice["value"])) for choice in part.get("choices") or ()
    )
    return total + sum(map(size, part.get("options") or ()))


async def test_every_command_keeps_to_the_limits(simcord_bot: Actor, pseudo_language: str) -> None:
    for command in await commands(simcord_bot):
        assert size(command) <= WHOLE, command["name"]
        check_part(command)


def check_part(part: dict[str, Any]) -> None:
    """Assert that Discord takes a command, a subcommand or an option in all its languages."""
    for name in (part["name"], *spellings(part, "name").values()):
        assert NAME_FORM.fullmatch(name), name
        assert name == name.lower()
        assert len(name) <= NAME
    assert 0 < longest(part, "description") <= WORDS
    inner = part.get("options") or ()
    assert len(inner) <= BRANCHES
    for locale in {spelling for option in inner for spelling in spellings(option, "name")}:
        names = [spellings(option, "name").get(locale, option["name"]) for option in inner]
        assert len(set(names)) == len(names), (locale, names)
    for option in inner:
        check_part(option)
    choices = part.get("choices") or ()
    assert len(choices) <= BRANCHES
    assert all(0 < longest(choice, "name") <= WORDS for choice in choices)


async def test_context_menus_keep_to_the_limits(simcord_bot: Actor, pseudo_language: str) -> None:
    for kind in (discord.AppCommandType.user, discord.AppCommandType.message):
        menus = simcord_bot.tree.get_commands(type=kind)
        assert 0 < len(menus) <= MENUS
        for menu in menus:
            payload = await menu.get_translated_payload(simcord_bot.tree, CommandTranslator())
            assert longest(payload, "name") <= NAME
            assert spellings(payload, "name")


async def test_context_menus_are_named_in_words(simcord_bot: Actor) -> None:
    menus = simcord_bot.tree.get_commands(type=discord.AppCommandType.message)
    payloads = [
        await menu.get_translated_payload(simcord_bot.tree, CommandTranslator()) for menu in menus
    ]
    assert {payload["name"]: spellings(payload, "name")["de"] for payload in payloads} == {
        "Rules for this": "Regeln hierzu",
        "Replay from here": "Von hier an abspielen",
    }


async def test_commands_have_a_name_in_every_language(simcord_bot: Actor) -> None:
    by_name = {command["name"]: command for command in await commands(simcord_bot)}
    assert spellings(by_name["play"], "name")["de"] == "spielen"
    move = next(option for option in by_name["wormholes"]["options"] if option["name"] == "move")
    assert spellings(move, "name")["de"] == "ziehen"
    assert [spellings(option, "name")["de"] for option in move["options"]] == [
        "schiff",
        "richtung",
        "partie",
    ]
    clock = next(option for option in by_name["play"]["options"] if option["name"] == "clock")
    assert spellings(clock["choices"][1], "name")["de"] == "1 Tag pro Zug"
    assert clock["choices"][1]["value"] == "1 day per turn"
    complete = {language for language in languages()[1:] if is_complete(language)}
    for command in by_name.values():
        described = set(map(negotiate_locale, spellings(command, "description")))
        assert complete <= described <= {*languages()}, command["name"]


async def test_no_two_commands_have_one_name(simcord_bot: Actor) -> None:
    named = await commands(simcord_bot)
    for locale in {locale for command in named for locale in spellings(command, "name")}:
        names = [spellings(command, "name").get(locale, command["name"]) for command in named]
        assert len(set(names)) == len(names), (locale, sorted(names))


async def test_commands_are_offered_where_they_work(simcord_bot: Actor) -> None:
    """In private channels is Discord's number 2, only in servers is [0]."""
    contexts = {entry["name"]: entry["contexts"] for entry in await commands(simcord_bot)}
    everywhere = "analyse games help howto privacy profile replay rules settings"
    assert {name for name, numbers in contexts.items() if 2 in numbers} == {*everywhere.split()}
    in_servers = {name for name, numbers in contexts.items() if numbers == [0]}
    assert in_servers == {"cup", "leaderboard", "server"}


async def test_what_needs_no_server_goes_along_with_its_user(simcord_bot: Actor) -> None:
    """Discord's numbers: installed for a user is 1, in private channels is 2."""
    by_name = {command["name"]: command for command in await commands(simcord_bot)}
    anywhere = {
        name
        for name, command in by_name.items()
        if 1 in command["integration_types"] and 2 in command["contexts"]
    }
    assert anywhere >= {"rules", "games", "replay"}
    assert not anywhere & {"play", "do", "board", "server", *games.names()}
    assert all(1 not in by_name[name]["integration_types"] for name in by_name.keys() - anywhere)


async def test_what_only_some_games_have_is_said_first(simcord_bot: Actor) -> None:
    play = next(command for command in await commands(simcord_bot) if command["name"] == "play")
    about = {option["name"]: option["description"] for option in play["options"]}
    for name in about.keys() - {
        "opponent",
        "game",
        "rated",
        "side",
        "clock",
        "level",
        "rules",
        "luck",
    }:
        games_with_it = [
            game.title
            for game in map(games.get, games.names())
            if name in map(str.lower, game.options)
            or (name == "series" and game.in_series)
            or (name == "opponent2" and len(game.sides) > 2)
        ]
        assert about[name].startswith(f"{', '.join(games_with_it)}: "), name


async def test_no_translation_of_a_command_is_cut(simcord_bot: Actor) -> None:
    def texts(part: dict[str, Any]) -> Iterator[str]:
        yield from spellings(part, "description").values()
        for option in part.get("options") or ():
            yield from texts(option)

    assert negotiate_locale("fi") == ENGLISH  # the pseudo-language, whose texts may be cut
    for command in await commands(simcord_bot):
        assert all(len(text) < WORDS for text in texts(command))
