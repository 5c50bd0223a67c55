"""Random matches of any game, to check each of their positions."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from engine import games
from engine.endings import DRAW_WORDS, FORFEIT_REASONS
from engine.game import CHANCE, Action, AnyGame, Event
from engine.record import Record

MOST_ACTIONS = 150
"""Default maximum number of actions of a match that is not played to its end."""


STARPOST = frozenset({"bot", "engine", "render"})
"""The packages of Starpost."""

UNKNOWN = "unknown-verb"
"""A verb that no game has."""

NONSENSE = "99x"
"""An argument that no verb takes."""


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


def wrong_actions(match: Played, seat: str) -> tuple[Action, ...]:
    """Return actions of a seat that are never legal: unknown ones, and with wrong arguments."""
    actions = [Action(seat, UNKNOWN)]
    for verb in match.game.verbs:
        count = len(verb.parameters)
        nonsense = Action(seat, verb.name, (NONSENSE,) * max(count, 1))
        actions += [nonsense, *([Action(seat, verb.name)] if count else ())]
    return tuple(actions)


def described(error: BaseException) -> str:
    """Return an error in words, with the last line of the game's own code that led to it."""
    trace, game_package, where = error.__traceback__, "", ""
    while trace:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        package = module.partition(".")[0]
        game_package = game_package or (package if package not in STARPOST else "")
        if package == game_package:
            where = f" ({module}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error}{where}"
