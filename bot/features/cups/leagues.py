"""Seasons of a cup: it repeats each month, in groups whose best and last players change places.

Pure functions, and the values that they work on.
"""

from __future__ import annotations

from calendar import monthrange
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple, TypeVar

from bot.domain.ids import GuildId, UserId, is_person
from bot.features.cups.formats import MIN_ENTRANTS

PLAYERS_PER_MOVE = 4
"""Players of a group for each one who moves up or down; from smaller groups one moves."""

_MONTHS = 12

_T = TypeVar("_T")


class SeasonResult(NamedTuple):
    """A player's place in a season.

    Attributes:
        season, division: their numbers; group 1 is the best.
        place: place in the group; None while the group plays.
        withdrawn: whether the player has withdrawn, which scores nothing.
        has_left: whether the player has left the server.
    """

    season: int
    division: int
    place: int | None
    user_id: UserId
    name: str
    withdrawn: bool = False
    has_left: bool = False


class YearLine(NamedTuple):
    """A player's line in the standings of a year.

    Attributes:
        place: 1 for the leader; players with equal points share one.
        points: one for each player who finished a season behind this one.
        seasons: number of seasons that the player has finished.
    """

    place: int
    name: str
    has_left: bool
    points: int
    seasons: int


@dataclass(frozen=True, slots=True)
class League:
    """A row of `leagues`; see `bot.storage.schema.cups` for the columns."""

    id: int
    guild_id: GuildId
    name: str
    divisions: int
    season: int
    first_at: float | None
    opens_at: float | None


@dataclass(frozen=True, slots=True)
class Season:
    """What a cup of a season shows beside its own matches.

    Attributes:
        group_count: number of groups of this season; 1 during its sign-up.
        moving: number of players who change places with each neighbouring group at the end.
        year: the year of the standings.
    """

    league: League
    group_count: int
    moving: int
    year: int
    standings: Sequence[YearLine]


def month_after(first: float, months: int) -> float:
    """Return the UTC time some months later, on the same day if that month has it.

    Example:
        >>> month_after(datetime(2027, 1, 31, 18, tzinfo=UTC).timestamp(), 1) == (
        ...     datetime(2027, 2, 28, 18, tzinfo=UTC).timestamp()
        ... )
        True
    """
    start = datetime.fromtimestamp(first, UTC)
    year, month = divmod(start.year * _MONTHS + start.month - 1 + months, _MONTHS)
    day = min(start.day, monthrange(year, month + 1)[1])
    return start.replace(year=year, month=month + 1, day=day).timestamp()


def moving_count(sizes: Iterable[int]) -> int:
    """Return the number of players who change places between groups of these sizes.

    Example:
        >>> moving_count([3, 3]), moving_count([8, 7]), moving_count([8, 8])
        (1, 1, 2)
    """
    return max(1, min(sizes) // PLAYERS_PER_MOVE)


def next_order(groups: Sequence[Sequence[_T]]) -> list[_T]:
    """Return the players of the groups of a season in their order for the next one.

    The last players of each group change places with the best ones of the group below.

    Args:
        groups: the players by their final standings, the best group first.

    Example:
        >>> next_order(["ABC", "DEF", "GHI"])
        ['A', 'B', 'D', 'C', 'E', 'G', 'F', 'H', 'I']
    """
    kept, above, below = [list(group) for group in groups], {}, {}
    for number, (upper, lower) in enumerate(pairwise(groups)):
        count = moving_count((len(upper), len(lower)))
        above[number + 1], below[number] = list(upper[-count:]), list(lower[:count])
        kept[number] = [player for player in kept[number] if player not in above[number + 1]]
        kept[number + 1] = [player for player in kept[number + 1] if player not in below[number]]
    order = list[_T]()
    for number, players in enumerate(kept):
        order += [*above.get(number, []), *players, *below.get(number, [])]
    return order


def divided(order: Sequence[_T], divisions: int) -> list[list[_T]]:
    """Return players in groups of nearly equal size, the best ones first.

    There are at most `divisions` groups, and only as many as have enough players.

    Example:
        >>> divided("ABCDEFG", 2), divided("ABCDE", 2)
        ([['A', 'B', 'C'], ['D', 'E', 'F', 'G']], [['A', 'B', 'C', 'D', 'E']])
    """
    count = max(1, min(divisions, len(order) // MIN_ENTRANTS))
    ends = [number * len(order) // count for number in range(count + 1)]
    return [list(order[start:end]) for start, end in pairwise(ends)]


def year_standings(results: Sequence[SeasonResult]) -> list[YearLine]:
    """Return the standings of the seasons of a year, the leader first.

    Players whose data was deleted count only for those ahead of them.
    """
    sizes = Counter((result.season, result.division) for result in results)
    points, seasons = defaultdict[UserId, int](int), Counter[UserId]()
    latest = {result.user_id: result for result in sorted(results, key=lambda r: r.season)}
    for result in results:
        if result.place is None or result.withdrawn or not is_person(result.user_id):
            continue
        of_group = [r for r in results if (r.season, r.division) == result[:2] and r.place]
        behind = sum((other.place or 0) > result.place for other in of_group)
        lower = [
            size
            for (season, division), size in sizes.items()
            if season == result.season and division > result.division
        ]
        points[result.user_id] += behind + sum(lower)
        seasons[result.user_id] += 1
    ranked = sorted(points, key=lambda user_id: (-points[user_id], user_id))
    return [
        YearLine(
            1 + sum(other > points[user_id] for other in points.values()),
            latest[user_id].name,
            latest[user_id].has_left,
            points[user_id],
            seasons[user_id],
        )
        for user_id in ranked
    ]
