"""Positions in which players type their moves, and the answers to what they type."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from bot.i18n import refusal_text
from bot.services.matches import _understand
from bot.views.typed_choices import REQUESTS, ChoiceReader
from engine import games
from engine.game import CHANCE, Action, AnyGame, IllegalActionError, View
from render.renderer import DEFAULT_STYLE, Style

STYLES = (
    DEFAULT_STYLE,
    Style(own_side=True),
    Style(orientation="portrait"),
    Style(orientation="portrait", own_side=True),
)


def decisions(name: str, seed: int = 5) -> Iterator[tuple[Any, View]]:
    """Yield positions of random matches, each with the view of a player who decides."""
    game = games.get(name)
    while True:
        random = Random(seed)
        options = {option: random.choice(values) for option, values in game.options.items()}
        state = game.start(random.choice(game.rules), options)
        for _ in range(120):
            if not game.pending(state):
                break
            pending = game.pending(state)
            chance = game.chance(state, random.randrange) if pending == CHANCE else None
            action = chance or game.fill(random.choice(game.legal(state)), random.randrange)
            state, _events = game.apply(state, action)
            for seat in game.pending(state):
                if seat != CHANCE:
                    yield state, game.view(state, seat)
        seed += 1


def answer(game: AnyGame, state: Any, view: View, text: str, style: Style) -> Action | str | None:
    """Return the action that a typed text makes, its refusal, or None if it is incomplete."""
    reader = ChoiceReader(view, style)
    line, meanings = reader.read(text)
    if meanings:
        return reader.ambiguous(meanings)
    if line in (*REQUESTS, "draw"):
        return Action(view.seat, line)
    try:
        action = _understand(game, state, view.seat, line)
        if action:
            game.apply(state, action)
        return action
    except IllegalActionError as error:
        return refusal_text(error, view.game, reader.as_typed) + reader.example(text)


def check_refusal(game: AnyGame, state: Any, view: View, text: str, style: Style) -> None:
    """A text gets an action, a question for more words, or a refusal with a legal example."""
    if isinstance(result := answer(game, state, view, text, style), str):
        example = ChoiceReader(view, style).example(text)
        assert isinstance(answer(game, state, view, example, style), Action), (text, example)
        assert result.strip()
