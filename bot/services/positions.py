"""Replay matches outside the event loop and cache their positions.

A match of several hundred lines takes up to half a second to replay. One thread does that; for a
cached match, it replays only the new lines.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from itertools import takewhile
from math import inf
from time import monotonic
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from engine.endings import ENDING_VERBS
from engine.game import CHANCE, PUBLIC, Action, AnyGame, View
from engine.record import Record
from engine.stories import STORY_ACTIONS, Mark, with_marks
from render.turns import numbered_turns

T = TypeVar("T")

MAX_POSITIONS_KEPT = 2000
"""Maximum number of cached positions of all matches, about 1 kB and 30 objects each.

Each full garbage collection looks at all of them; to replay a usual match again takes 1 ms.
"""

MAX_TURNS_KEPT = 1000
"""Maximum number of cached public views of finished matches, about 4 kB each."""


NO_MARKS: Mapping[int, Mark] = MappingProxyType({})
"""No choice has a mark."""

ALL_REVEALED = "*"
"""Stands for a reader from whom nothing is hidden."""


class TooSlowError(Exception):
    """Raised when a replay takes longer than allowed."""


class Turn(NamedTuple):
    """The public view after a turn, or after an action of the setup.

    Attributes:
        action_count: number of actions before the view.
        view: the public view.
        number: number of the turn that has ended; 0 in the setup.
        seat: the seat that has moved; empty if only dice were rolled.
    """

    action_count: int
    view: View
    number: int = 0
    seat: str = ""


class Replayed(NamedTuple):
    """A match with its positions: the start, and one after each action."""

    game: AnyGame
    actions: tuple[Action, ...]
    states: tuple[Any, ...]

    def views(self, seat: str, marks: Mapping[int, Mark] = NO_MARKS) -> Views:
        """Return the views of a seat, each created when it is read.

        Args:
            marks: place of an action → its mark, which the stories then know.
        """
        return Views(self.game, self.states, seat, log=self.log(marks) if marks else ())

    def log(self, marks: Mapping[int, Mark]) -> list[tuple[Action, Mark | None]]:
        """Return the actions, each with its mark."""
        return [(action, marks.get(place)) for place, action in enumerate(self.actions)]

    @property
    def has_secrets(self) -> bool:
        """Whether the public could not see a value of an action when it was made."""
        return any(
            self.game.redact(state, PUBLIC, [action]) != (action,)
            for state, action in zip(self.states[1:], self.actions, strict=True)
        )


class Views(Sequence[View]):
    """Views of a seat at the start and after each action; created when read, then cached."""

    def __init__(
        self,
        game: AnyGame,
        states: Sequence[Any],
        seat: str,
        places: range | None = None,
        cache: dict[int, View] | None = None,
        *,
        log: Sequence[tuple[Action, Mark | None]] = (),
    ) -> None:
        self._game, self._states, self._seat, self._log = game, states, seat, log
        self._places = range(len(states)) if places is None else places
        self._cache = {} if cache is None else cache

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            part = self._places[place]
            return Views(self._game, self._states, self._seat, part, self._cache, log=self._log)
        number = self._places[place]
        if number not in self._cache:
            view = self._game.view(self._states[number], self._seat)
            log = self._log[max(0, number - STORY_ACTIONS) : number]
            self._cache[number] = with_marks(self._game, view, log)
        return self._cache[number]


class Positions:
    """Replays matches in a worker thread and caches their positions, within limits.

    A match is known by its number, or by any other key.

    Args:
        time_limit: maximum seconds of a replay; None for the bot's own records.
    """

    def __init__(self, time_limit: float | None = None) -> None:
        self._time_limit = time_limit
        self._thread = ThreadPoolExecutor(1, "replayer")
        self._positions: OrderedDict[Hashable, Replayed] = OrderedDict()
        self._turns: OrderedDict[Hashable, tuple[int, tuple[Turn, ...]]] = OrderedDict()

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        """Run `work` in the thread and return its result."""
        context = copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._thread, context.run, work)

    async def read(self, match_id: Hashable, record: Record, select: Callable[[Replayed], T]) -> T:
        """Call `select` in the thread with the positions of a match and return its result.

        Args:
            record: its record; headers never change, lines can be added or taken back.
            select: reads the positions.

        Raises:
            RecordError: a line is not legal.
        """
        return await self.run_in_thread(lambda: select(self._replayed(match_id, record)))

    async def public_turns(self, match_id: Hashable, record: Record) -> tuple[Turn, ...]:
        """Return the turns of a finished match, see `render.renderer.turns`.

        Raises:
            RecordError: a line is not legal.
            TooSlowError: the replay takes longer than the time limit.
        """
        return await self.run_in_thread(partial(self._public_turns, match_id, record))

    def clear_cache(self) -> None:
        """Clear the cache."""
        self._thread.submit(self._positions.clear)
        self._thread.submit(self._turns.clear)

    def _public_turns(self, match_id: Hashable, record: Record) -> tuple[Turn, ...]:
        lines, turns = self._turns.get(match_id, (-1, ()))
        if lines != len(record.actions):
            end = self._deadline()
            views = self._replayed(match_id, record, end).views(PUBLIC)
            turns = tuple(_turns(record.actions, views, end))
        _keep(self._turns, match_id, (len(record.actions), turns))
        _shrink(self._turns, MAX_TURNS_KEPT, lambda entry: len(entry[1]))
        return turns

    def _replayed(self, match_id: Hashable, record: Record, end: float = inf) -> Replayed:
        cached = self._positions.get(match_id)
        states: tuple[Any, ...] = ()
        if cached is not None:
            pairs = zip(cached.actions, record.actions, strict=False)
            common_count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            states = cached.states[: common_count + 1]
        positions = list(_in_time(record.positions(states), end))
        replayed = Replayed(
            positions[0].game, record.actions, tuple(position.state for position in positions)
        )
        _keep(self._positions, match_id, replayed)
        _shrink(self._positions, MAX_POSITIONS_KEPT, lambda entry: len(entry.states))
        return replayed

    def _deadline(self) -> float:
        """Return the time, by the monotonic clock, when a replay is aborted."""
        return inf if self._time_limit is None else monotonic() + self._time_limit


def _turns(actions: Sequence[Action], views: Views, end: float) -> Iterator[Turn]:
    """Yield the turns of a match until a time limit, each with the last move in it.

    Raises:
        TooSlowError: the limit has passed.
    """
    start = 0
    for count, view in _in_time(numbered_turns(views), end):
        by_players = [n for n in range(start, count) if actions[n].actor not in (CHANCE, PUBLIC)]
        moves = [n for n in by_players if actions[n].verb not in ENDING_VERBS] or by_players
        number = views[moves[-1]].turn if moves else view.turn
        yield Turn(count, view, number, actions[moves[-1]].actor if moves else "")
        start = count


def _in_time(items: Iterable[T], end: float) -> Iterator[T]:
    """Yield items until a time limit.

    Raises:
        TooSlowError: the limit has passed.
    """
    for item in items:
        if monotonic() > end:
            raise TooSlowError
        yield item


def _keep(cache: OrderedDict[Hashable, T], match_id: Hashable, value: T) -> None:
    """Store a value as the most recently used one."""
    cache[match_id] = value
    cache.move_to_end(match_id)


def _shrink(cache: OrderedDict[Hashable, T], limit: int, size: Callable[[T], int]) -> None:
    """Evict the least recently used values until their sizes sum up to at most the limit."""
    while cache and sum(map(size, list(cache.values()))) > limit:
        cache.popitem(last=False)
