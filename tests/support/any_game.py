"""Every game, with random options and matches: those that are installed, and one of the tests.

A test that runs over `NAMES` covers a new game without a word about it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine import games
from engine.game import CHANCE, AnyGame
from engine.testing.worlds import resampling_fault
from render.renderer import Renderer
from tests.support import installed
from tests.support.bids import Bids
from tests.support.bids_drawn import COMPUTER_SUPPORT, BidsRenderer

NAMES = (*games.names(), Bids.name)
"""The games that are installed, and one that shows what a game with secrets needs."""

WITH_SECRETS = tuple(
    game.name
    for game in (*map(games.get, games.names()), Bids())
    if any(verb.secret and verb.parameters for verb in game.verbs)
)
"""The games in which players choose in secret."""


def _choose_together(game: AnyGame, options: Mapping[str, str]) -> bool:
    """Return whether all seats first choose at the same time, in secret."""
    state, random = game.start(game.rules[0], options), Random(1)
    while game.pending(state) == CHANCE:
        state, _ = game.apply(state, game.chance(state, random.randrange))
    secret = {verb.name for verb in game.verbs if verb.secret and verb.parameters}
    verbs = {action.verb for action in game.legal(state)}
    return len(game.pending(state)) > 1 and verbs <= secret


def _together(game: AnyGame) -> dict[str, str] | None:
    """Return options of two under which all first choose at the same time; None without any."""
    single = ({name: value} for name, values in game.options.items() for value in values)
    every = (options for options in ({}, *single) if len(game.seats(options)) == 2)
    return next((options for options in every if _choose_together(game, options)), None)


SIMULTANEOUS = tuple(
    (game.name, options)
    for game in (*map(games.get, games.names()), Bids())
    if (options := _together(game)) is not None
)
"""Games in which two choose at the same time, in secret, with the options for that."""


def install(patch: pytest.MonkeyPatch, game: AnyGame, renderer: Renderer[Any]) -> None:
    """Add a game like `Bids` to the installed ones, or replace it."""
    installed.install(patch, game, renderer, COMPUTER_SUPPORT)


def install_bids(patch: pytest.MonkeyPatch) -> None:
    """Add the honest `Bids` to the installed games."""
    install(patch, Bids(), BidsRenderer())


def view_text(game: AnyGame, state: Any, seat: str) -> str:
    """Return all that a seat sees, as text."""
    view = game.view(state, seat)
    return json.dumps(view.to_json())


def assert_equal_views(game: AnyGame, state: Any, seat: str, seed: int) -> None:
    """Resample a position: it looks the same to a seat."""
    other = game.resample_view(state, seat, Random(seed).randrange)
    assert game.view(other, seat) == game.view(state, seat)
    assert view_text(game, other, seat) == view_text(game, state, seat)


def assert_equal_worlds(game: AnyGame, state: Any, seat: str, seed: int) -> None:
    """Resample two positions that look the same to a seat, with the same draws."""
    assert resampling_fault(game, state, seat, seed) == ""
