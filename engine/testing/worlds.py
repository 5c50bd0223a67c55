"""Worlds drawn for a seat: they look like the truth, and do not depend on it.

Two positions that look the same give the same worlds for the same draws. Where few worlds are
possible, so many are drawn that their frequencies can be compared: with equal ones, or with those
of dealing again if chance has hidden something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields
from random import Random
from typing import Any

from engine.game import CHANCE, OPEN_VALUE, PUBLIC, AnyGame
from engine.testing.matches import Played, begun

DRAWS = 600
"""Number of worlds that are drawn for a seat in a position."""

MOST_WORLDS = 30
"""Maximum number of different worlds whose frequencies are compared: each is expected 20 times."""

FEWEST_DEALS = 200
"""Minimum number of deals that look the same to a seat, of `DRAWS` that are tried."""

RARE = 10
"""Worlds that are seen less often in two samples together are counted as one."""

LIMIT = 5.0
"""Deviations from the mean, in a normal distribution; honest draws exceed it once in 3 million."""

ACTIONS = (2, 4, 8, 16)
"""Maximum numbers of actions before a position."""


def resampling_fault(game: AnyGame, state: Any, seat: str, seed: int) -> str:
    """Return the fault of worlds drawn for a seat, or an empty string.

    Two positions that look the same to a seat are drawn again with the same draws.
    """
    twin = game.resample_view(state, seat, Random(f"twin {seed}").randrange)
    worlds = [game.resample_view(world, seat, Random(seed).randrange) for world in (state, twin)]
    view = game.view(state, seat)
    for world in (twin, *worlds):
        if game.view(world, seat) != view:
            seen = game.view(world, seat)
            names = [f.name for f in fields(view) if getattr(seen, f.name) != getattr(view, f.name)]
            return f"a world drawn for “{seat}” looks different: {', '.join(names)}"
    if game.dump(worlds[0]) != game.dump(worlds[1]) or worlds[0] != worlds[1]:
        return f"worlds drawn for “{seat}” depend on what it cannot see"
    return ""


def faults(name: str, matches: int) -> dict[str, str]:
    """Draw many worlds in random positions: return check → an example of a fault.

    Args:
        name: name of an installed game.
        matches: number of positions.
    """
    examples: dict[str, str] = {}
    for seed in range(matches):
        random = Random(f"worlds {name} {seed}")
        match, before = begun(name, random), None
        for _ in range(random.randint(1, random.choice(ACTIONS))):
            if match.is_over:
                break
            match, before = match.after(match.any_action(random)), match
        if before is None or match.is_over:
            continue
        for seat in (PUBLIC, *match.seats):
            for text in _faults(match, before, seat, random):
                examples.setdefault("worlds", f"{text} (match {seed})")
    return examples


def _faults(match: Played, before: Played, seat: str, random: Random) -> Iterator[str]:
    """Yield faults of the worlds drawn for a seat after the last action of a match."""
    game = match.game
    drawn = _drawn(lambda: game.resample_view(match.state, seat, random.randrange), game)
    if not drawn:
        return
    reader, last = f"“{seat}”", match.actions[-1]
    if game.dump(match.state) not in drawn:
        yield f"the true position is never drawn for {reader} after “{last}”"
    redacted = game.redact(match.state, seat, match.actions)
    hidden = [action for action in redacted if any(arg.endswith(OPEN_VALUE) for arg in action.args)]
    if not any(action.actor == CHANCE for action in hidden):
        if unlike_equal(drawn) > LIMIT:
            often, rarely = max(drawn.values()), min(drawn.values())
            counts = f"one {often} times, another one {rarely} times, of {DRAWS}"
            yield f"worlds for {reader} are not equally likely after “{last}”: {counts}"
    elif len(hidden) == 1 and redacted[-1].actor == CHANCE and redacted[-1] == hidden[0]:
        dealt = _dealt(match, before, seat, random)
        if dealt.total() >= FEWEST_DEALS and unlike_each_other(drawn, dealt) > LIMIT:
            yield f"worlds for {reader} are not as likely as they are dealt by “{last.verb}”"


def _drawn(draw: Callable[[], Any], game: AnyGame) -> Counter[str]:
    """Count the worlds of many draws; nothing if there are too many different ones."""
    worlds = Counter[str]()
    for _ in range(DRAWS):
        worlds[game.dump(draw())] += 1
        if len(worlds) > MOST_WORLDS:
            return Counter()
    return worlds


def _dealt(match: Played, before: Played, seat: str, random: Random) -> Counter[str]:
    """Count the positions after another outcome of chance that look the same to a seat."""
    game, worlds = match.game, Counter[str]()
    view = game.view(match.state, seat)
    for _ in range(DRAWS):
        state, _ = game.apply(before.state, game.chance(before.state, random.randrange))
        if game.view(state, seat) == view:
            worlds[game.dump(state)] += 1
    return worlds


def unlike_equal(counts: Counter[str]) -> float:
    """Return the deviation of frequencies from equal ones, see `_deviation`."""
    mean = counts.total() / len(counts)
    return _deviation(sum((n - mean) ** 2 for n in counts.values()) / mean, len(counts) - 1)


def unlike_each_other(one: Counter[str], two: Counter[str]) -> float:
    """Return the deviation of two samples from one distribution, see `_deviation`."""
    cells = Counter[str](), Counter[str]()
    for world in one | two:
        cell = world if one[world] + two[world] >= RARE else ""
        cells[0][cell] += one[world]
        cells[1][cell] += two[world]
    size, total = (one.total(), two.total()), one.total() + two.total()
    squares = 0.0
    for cell in cells[0] | cells[1]:
        both = cells[0][cell] + cells[1][cell]
        expected = [both * count / total for count in size]
        squares += sum(
            (sample[cell] - mean) ** 2 / mean for sample, mean in zip(cells, expected, strict=True)
        )
    return _deviation(squares, len(cells[0] | cells[1]) - 1)


def _deviation(squares: float, freedom: int) -> float:
    """Return χ² in standard deviations of a normal distribution (Wilson and Hilferty, 1931).

    Args:
        squares: χ².
        freedom: its degrees of freedom; 0 if there is nothing to compare.
    """
    if not freedom:
        return 0.0
    spread = 2 / (9 * freedom)
    return float(((squares / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)
