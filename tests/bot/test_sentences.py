"""Sentences about moves name pieces and places as the picture does: no notation is left in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.i18n import catalogue, refusal_text
from bot.views.choices import panel
from engine import games
from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.situation import Situation
from engine.game import CHANCE, PUBLIC, Action, AnyGame, IllegalActionError, View
from render import for_game
from render.hints import hint_text
from render.i18n import using
from tests.support.tiers import sampled

NAMES = dict(zip("ODTBYW", ("Ada", "Bo", "Ada", "Ada", "Bo", "Cy"), strict=True))

NOTATION = {
    "wormholes": re.compile(r"\b[SMCA][0-5]\b|\b(?:N|NE|NW|SE|SW|NO|SO)\b|\b[EWOS]\b(?! \d)"),
    "warp6": re.compile(r"\b[byw][468][a-d]\b"),
    "tomtube": re.compile(r"-?\d,-?\d|\d[>/]|\b[A-D]{2}/[A-D]{2}|\bmodule[12]\b|\b[TD]:"),
}
"""What only records and typed moves have: coins and directions, coloured dice, coordinates."""

LINE = re.compile(
    r"\b(?:place|send|move|jump|null|keep|rolls|skips|rhomb|drift|control|tube|blank|pass|up|down)"
    r" (?:[SMCA]\d?|[byw]\d[a-d]|-?\d,-?\d)\b"
)
"""A line of notation."""


def sentences(game: AnyGame, view: View) -> Iterator[str]:
    """All that is said about a view, but for the board in words."""
    board = for_game(game.name)
    yield board.story(view, NAMES)
    yield board.prompt(view, NAMES)
    yield board.alt_text(view, NAMES)
    yield board.hand(view)
    for overlay in board.overlays(view):
        yield overlay.label
        yield board.overlay(view, overlay.name)
    if view.legal:
        yield from labels(view, "")


def labels(view: View, path: str) -> Iterator[str]:
    """The labels of buttons, of those behind each first way to fewer choices, and of actions."""
    board, controls = for_game(view.game), panel(view, path)
    choices = [choice for row in (*controls.rows, *controls.areas) for choice in row.choices]
    yield from (row.heading for row in controls.rows)
    yield from (choice.label for choice in choices)
    yield from (
        title for menu in controls.menus for title in (menu.title, *dict(menu.entries).values())
    )
    for action in view.legal[:: max(1, len(view.legal) // 8)]:
        yield board.label(view, action)
        if not action.is_form:
            yield from board.describe_choice(view, action, NAMES)
    for form in controls.forms:
        yield from (board.blank(form, place) for place in range(len(form.args)))
    deeper = [choice.path for row in controls.rows for choice in row.choices if choice.path]
    if deeper:
        yield from labels(view, deeper[-1])


def refused(game: AnyGame, state: object, view: View, random: Random) -> Iterator[str]:
    """Why actions that were legal once, or for another player, are refused."""
    for action in view.legal[:1]:
        other = replace(view, legal=())
        for args in {(*action.args[:-1], other.seat), action.args[:-1], action.args}:
            for verb in game.verbs:
                try:
                    game.apply(state, Action(action.actor, verb.name, args))
                except IllegalActionError as error:
                    yield refusal_text(error, game.name)


@pytest.mark.slow
@sampled(1, 1, 12)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", games.names())
def test_sentences_have_no_notation(name: str, language: str, samples: int) -> None:
    game = games.get(name)
    for seed in range(samples):
        random, count = Random(seed), 0
        state = game.start(game.rules[0], {})
        while (pending := game.pending(state)) and count < 400:
            count += 1
            with using(catalogue(language)):
                for seat in (PUBLIC, *pending.strip(CHANCE)):
                    for sentence in sentences(game, game.view(state, seat)):
                        check(name, sentence)
                if pending != CHANCE and count % 10 == 0:
                    check(name, hinted(game, state, pending[0], random))
                    for sentence in refused(game, state, game.view(state, pending[0]), random):
                        check(name, sentence)
            action = (
                game.chance(state, random.randrange)
                if pending == CHANCE
                else game.fill(random.choice(game.legal(state)), random.randrange)
            )
            state, _ = game.apply(state, action)


def hinted(game: AnyGame, state: object, seat: str, random: Random) -> str:
    """A hint to any choice, with what speaks for it."""
    legal = tuple(action for action in game.legal(state) if action.actor == seat)
    action = game.fill(random.choice(legal), random.randrange)
    reasons = COMPUTER_SUPPORT[game.name].explain(Situation(game, seat, legal, state), action)
    return hint_text(game.view(state, seat), action, reasons)


def check(game: str, sentence: str) -> None:
    """Assert that a text has no notation, but for what quotes or explains it."""
    quoted = re.sub(r"“[^”]*”|„[^“]*“|`[^`]*`|N NE E SE S SW W NW", "", sentence)
    for pattern in (NOTATION[game], LINE):
        match = pattern.search(quoted)
        assert not match, f"{match.group()!r} in {sentence!r}"


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("wormholes", "Suns jump NE → g11"),
        ("wormholes", "place S3 on e9"),
        ("warp6", "y6a 123 → 118."),
        ("tomtube", "Ada placed it at -2,-1>-4,0."),
        ("tomtube", "Ada has drawn AC/BD+."),
    ],
)
def test_notation_is_found(game: str, text: str) -> None:
    with pytest.raises(AssertionError):
        check(game, text)


def test_ordinary_sentences_pass() -> None:
    check("wormholes", "Suns 3 on e9. Suns j1 → h3.")
    check("warp6", "Ada: ■C went from 39 to 33, warped to 12, rerolled: 5.")
    check("tomtube", "Ada drifted from the base to d7 via c6. Bo placed it at d5-c6.")
