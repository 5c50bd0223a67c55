"""Playthroughs: matches with what each action tells and what each position allows.

    python -m tests.support.playthroughs

writes them again, after a change of the rules that is meant. A line is an action, the events that
it tells, and digests of the position after it: of its text, its legal list and its refusals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from engine import games
from engine.game import Action, AnyGame, IllegalActionError
from engine.record import play
from tests.support.tomtube import games as tomtube
from tests.support.warp6 import games as warp6
from tests.support.warp6.positions import GAME as WARP6
from tests.support.wormholes import games as wormholes

FOLDER = Path(__file__).parents[1] / "engine/playthroughs"
LIMIT = 150
"""Number of actions of matches that go on."""
TRIED = 16
"""Number of actions, most of them illegal, that are tried in each position."""

Made = tuple[str, dict[str, str], tuple[Action, ...]]
"""Rules, options and actions of a match."""


ENDED = {("2", "rolled"): 34, ("2", "secret"): 111, ("3", "rolled"): 129, ("3", "secret"): 47}
"""Seeds of short matches with draws offered and declined, and seats that leave."""


def _warp6() -> Iterator[tuple[str, Made]]:
    for seats, setup in warp6.SETUPS:
        options = {"seats": seats, "setup": setup}
        yield f"{seats}-{setup}", ("standard", options, _race(options))
        _, actions = warp6.match_with_endings(seats, setup, ENDED[seats, setup])
        yield f"{seats}-{setup}-endings", ("standard", options, actions)


def _race(options: dict[str, str]) -> tuple[Action, ...]:
    """Return a match in which most turns are moves, so that it ends soon."""
    random = Random(1)

    def choose(legal: tuple[Action, ...]) -> Action:
        moves = [action for action in legal if action.verb == "move"]
        action = random.choice(moves if moves and random.random() < 0.8 else legal)
        return WARP6.fill(action, random.randrange)

    start = WARP6.start("standard", options)
    return play(WARP6, start, choose, lambda _: random.randrange, warp6.CAP)[1]


def _wormholes() -> Iterator[tuple[str, Made]]:
    for rules in games.get("wormholes").rules:
        yield f"{rules}-wild", (rules, {}, wormholes.wild_match(rules, 3, LIMIT)[1])
    for placing in wormholes.PLACINGS:
        _, actions = wormholes.random_match("0.6-long", 2, placing=placing, limit=LIMIT)
        yield placing, ("0.6-long", {"placing": placing}, actions)
    yield "0.6-whole", ("0.6", {}, wormholes.random_match("0.6", 9)[1])


def _tomtube() -> Iterator[tuple[str, Made]]:
    ways = tomtube.any_of, tomtube.greedy, tomtube.isolating, tomtube.isolating_tiles, tomtube.bare
    for number, way in enumerate(ways):
        rules = games.get("tomtube").rules[number % 2]
        options = {"launch_T": str(number % 3)}
        yield way.__name__, (rules, options, tomtube.match(way, 0, rules, options)[1])


MATCHES: dict[str, Callable[[], Iterable[tuple[str, Made]]]] = {
    "warp6": _warp6,
    "wormholes": _wormholes,
    "tomtube": _tomtube,
}


def lines(
    game: AnyGame, rules: str, options: dict[str, str], actions: Iterable[Action]
) -> Iterator[str]:
    """Play a match and yield its lines."""
    state = game.start(rules, options)
    actions, seats = tuple(actions), game.seats(options)
    for number, action in enumerate(actions):
        state, events = game.apply(state, action)
        story = " ".join(map(str, events))
        yield f"{action} | {story} | {' '.join(_digests(game, state, seats, actions, number))}"


def _digests(
    game: AnyGame, state: Any, seats: str, actions: tuple[Action, ...], number: int
) -> Iterator[str]:
    random = Random(number)
    tried = [_other(game, state, random.choice(actions), random) for _ in range(TRIED)]
    plannable = [game.plannable(state, seat) for seat in seats] if number % 10 == 0 else []
    yield _digest(game.dump(state), game.points(state), game.pending(state), *state.story)
    yield _digest(*game.legal(state), *plannable)
    yield _digest(*(_refusal(game, state, attempt) for attempt in tried))


def _digest(*parts: object) -> str:
    return f"{crc32(' '.join(map(str, parts)).encode()):08x}"


def _other(game: AnyGame, state: Any, action: Action, random: Random) -> Action:
    """Return an action of the match, or one like it, or an ending."""
    legal = game.legal(state)
    if legal and random.random() < 0.3:
        action = random.choice(legal)
    actor, verb, args = action
    change = random.randrange(6)
    if change == 0:
        actor = random.choice("*BYTDXS")
    elif change == 1:
        verb, args = random.choice([("draw", ("accept",)), ("resign", ()), ("draw", ("offer",))])
    elif change == 2:
        args = (*args[:-1], "?")
    return Action(actor, verb, args)


def _refusal(game: AnyGame, state: Any, action: Action) -> str:
    try:
        game.apply(state, action)
    except IllegalActionError as error:
        return f"{error.rule} {error}"
    return "legal"


def write() -> None:
    """Write all playthroughs."""
    for name, matches in MATCHES.items():
        game = games.get(name)
        for kind, (rules, options, actions) in matches():
            head = f"{rules} {' '.join(f'{name}={value}' for name, value in options.items())}"
            text = "\n".join([head.strip(), *lines(game, rules, options, actions)])
            (FOLDER / f"{name}-{kind}.txt").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
