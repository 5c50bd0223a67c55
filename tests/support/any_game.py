"""Every game, with random options and matches: those that are installed, and one of the tests.

A test that runs over `NAMES` covers a new game without a word about it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import games
from engine.__main__ import plain
from engine.endings import DRAW_WORDS, FORFEIT_REASONS
from engine.game import CHANCE, Action, AnyGame, Event
from engine.record import Record
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

MOST_ACTIONS = 150
"""Default maximum number of actions of a match that is not played to its end."""


def install(patch: pytest.MonkeyPatch, game: AnyGame, renderer: Renderer[Any]) -> None:
    """Add a game like `Bids` to the installed ones, or replace it."""
    installed.install(patch, game, renderer, COMPUTER_SUPPORT)


def install_bids(patch: pytest.MonkeyPatch) -> None:
    """Add the honest `Bids` to the installed games."""
    install(patch, Bids(), BidsRenderer())


class Played(NamedTuple):
    """A match after some actions.

    Attributes:
        actions: all of them.
        events: of the last action.
    """

    game: AnyGame
    headers: dict[str, str]
    state: Any
    actions: tuple[Action, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def record(self) -> Record:
        """The record of the match."""
        return Record(self.headers, self.actions)

    @property
    def options(self) -> dict[str, str]:
        """The options of the match."""
        return self.record.options()

    @property
    def seats(self) -> str:
        """The letters of all seats."""
        return self.game.seats(self.options)

    @property
    def is_over(self) -> bool:
        """Whether there is a result."""
        return bool(self.game.result(self.state))

    def after(self, action: Action) -> Played:
        """Return the match after one more action.

        Raises:
            IllegalActionError: the action is not legal.
        """
        state, events = self.game.apply(self.state, action)
        return self._replace(state=state, actions=(*self.actions, action), events=events)

    def any_action(self, random: Random) -> Action:
        """Return a random legal action, or a random outcome of chance."""
        if self.game.pending(self.state) == CHANCE:
            return self.game.chance(self.state, random.randrange)
        return self.game.fill(random.choice(self.game.legal(self.state)), random.randrange)

    def any_ending(self, random: Random) -> Action:
        """Return one of the verbs that all games share, of a random seat; it may be illegal."""
        words = [("draw", (word,)) for word in DRAW_WORDS] + [
            (verb, ()) for verb in FORFEIT_REASONS
        ]
        verb, args = random.choice(words)
        return Action(random.choice(self.seats), verb, args)


def begun(name: str, random: Random) -> Played:
    """Return a match with random rules and options before its first action."""
    game = games.get(name)
    rules = random.choice(game.rules)
    options = {option: random.choice(values) for option, values in game.options.items()}
    written = " ".join(f"{option}={value}" for option, value in options.items())
    headers = {"Game": name, "Rules": rules, "Options": written}
    return Played(game, headers, game.start(rules, options))


def played(name: str, random: Random, most: int = MOST_ACTIONS) -> Played:
    """Return a match after a random number of random actions, fewer than `most`."""
    match = begun(name, random)
    for _ in range(random.randrange(most)):
        if match.is_over:
            break
        match = match.after(match.any_action(random))
    return match


def view_text(game: AnyGame, state: Any, seat: str) -> str:
    """Return all that a seat sees, as text."""
    view = game.view(state, seat)
    return json.dumps({name: plain(getattr(view, name)) for name in view.__dataclass_fields__})


def assert_equal_views(game: AnyGame, state: Any, seat: str, seed: int) -> None:
    """Resample a position: it looks the same to a seat."""
    other = game.resample_view(state, seat, Random(seed).randrange)
    assert game.view(other, seat) == game.view(state, seat)
    assert view_text(game, other, seat) == view_text(game, state, seat)


def assert_equal_worlds(game: AnyGame, state: Any, seat: str, seed: int) -> None:
    """Resample two positions that look the same to a seat, with the same draws."""
    twin = game.resample_view(state, seat, Random(f"twin {seed}").randrange)
    assert game.view(twin, seat) == game.view(state, seat)
    worlds = [game.resample_view(world, seat, Random(seed).randrange) for world in (state, twin)]
    assert game.dump(worlds[0]) == game.dump(worlds[1])
    assert worlds[0] == worlds[1]
    assert game.view(worlds[0], seat) == game.view(state, seat)
