"""Reasons for what a seat of Tom Tube does: points, and the ways of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.computer.reasons import Amount, Reason
from engine.computer.situation import Situation
from engine.computer.tomtube.outlook import Side, nearness, side_of
from engine.computer.tomtube.placing import Promise
from engine.computer.tomtube.ways import NO_WAY, TURN
from engine.game import CHANCE, Action, Event
from engine.i18n import N_, NP_
from engine.tomtube.lattice import BASES, members
from engine.tomtube.rules import apply, points
from engine.tomtube.rules import legal as legal_actions
from engine.tomtube.state import State
from engine.tomtube.tables import ENERGY, POINTS, SEATS, SOLARS
from engine.tomtube.tiles import TILES

_POINTS = Amount(
    N_("it is worth one point at once"),
    NP_("it is worth one point at once", "it is worth {count} points at once"),
)
_HOME = Amount(
    N_("your way home gets a little shorter"),
    NP_(
        "your way home gets about one turn shorter",
        "your way home gets about {count} turns shorter",
    ),
    (
        N_("{player}'s way home gets a little shorter"),
        NP_(
            "{player}'s way home gets about one turn shorter",
            "{player}'s way home gets about {count} turns shorter",
        ),
    ),
)
_MODULES = Amount(
    N_("your way to your modules and home gets a little shorter"),
    NP_(
        "your way to your modules and home gets about one turn shorter",
        "your way to your modules and home gets about {count} turns shorter",
    ),
    (
        N_("{player}'s way to the modules and home gets a little shorter"),
        NP_(
            "{player}'s way to the modules and home gets about one turn shorter",
            "{player}'s way to the modules and home gets about {count} turns shorter",
        ),
    ),
)
_HINDERS = Amount(
    N_("your opponent's way gets a little longer"),
    NP_(
        "your opponent's way gets about one turn longer",
        "your opponent's way gets about {count} turns longer",
    ),
    (
        N_("{opponent}'s way gets a little longer"),
        NP_(
            "{opponent}'s way gets about one turn longer",
            "{opponent}'s way gets about {count} turns longer",
        ),
    ),
)
_MAY_SHORTEN = Amount(
    N_("a rhomb, for example at {place}, can make your way a little shorter"),
    NP_(
        "a rhomb, for example at {place}, can make your way about one turn shorter",
        "a rhomb, for example at {place}, can make your way about {count} turns shorter",
    ),
    (
        N_("a rhomb, for example at {place}, can make {player}'s way a little shorter"),
        NP_(
            "a rhomb, for example at {place}, can make {player}'s way about one turn shorter",
            "a rhomb, for example at {place}, can make {player}'s way about {count} turns shorter",
        ),
    ),
)
_MAY_HINDER = Amount(
    N_("a rhomb, for example at {place}, can make your opponent's way a little longer"),
    NP_(
        "a rhomb, for example at {place}, can make your opponent's way about one turn longer",
        "a rhomb, for example at {place}, can make your opponent's way about {count} turns longer",
    ),
    (
        N_("a rhomb, for example at {place}, can make {opponent}'s way a little longer"),
        NP_(
            "a rhomb, for example at {place}, can make {opponent}'s way about one turn longer",
            "a rhomb, for example at {place}, can make {opponent}'s way about {count} turns longer",
        ),
    ),
)
_COUNTER_NEARER = Amount(
    N_("the counter on {place} gets a little nearer to you"),
    NP_(
        "the counter on {place} gets about one turn nearer to you",
        "the counter on {place} gets about {count} turns nearer to you",
    ),
    (
        N_("the counter on {place} gets a little nearer to {player}"),
        NP_(
            "the counter on {place} gets about one turn nearer to {player}",
            "the counter on {place} gets about {count} turns nearer to {player}",
        ),
    ),
)
_NEW_COUNTER = Reason(
    NP_(
        "a new counter comes to {place}, about one turn away from you",
        "a new counter comes to {place}, about {count} turns away from you",
    ),
    named=NP_(
        "a new counter comes to {place}, about one turn away from {player}",
        "a new counter comes to {place}, about {count} turns away from {player}",
    ),
)
_FILLINGS = {
    "tube": Reason(
        N_("your tubes join its three corners"), named=N_("{player}'s tubes join its three corners")
    ),
    "blank": Reason(
        N_("you keep your triangles with tubes for later"),
        named=N_("{player} keeps the triangles with tubes for later"),
    ),
}
SAMPLED_RHOMBS, PLACES_A_RHOMB = 3, 2
"""Number of rhombs that are tried to explain building, of those that may be drawn, and of places
for each; each takes about 4 ms."""

MAX_CHANGE = 4 * TURN
"""Largest change of a way that counts: one that opens or closes it is worth no more."""

_NO_ENERGY = Reason(
    N_("you have no energy counter left"), named=N_("{player} has no energy counter left")
)
_NO_MOVE = Reason(
    N_("no move gets you closer, but a rhomb might"),
    named=N_("no move gets {player} closer, but a rhomb might"),
)
_SPHERES = NP_(
    "{count} of the {total} rhombs left brings an energy counter",
    "{count} of the {total} rhombs left bring an energy counter",
)
_AT_HOME = Reason(
    N_("you are home with both solar counters"),
    named=N_("{player} is home with both solar counters"),
)
_TAKES_SOLAR = Reason(
    N_("it takes your solar counter"), named=N_("it takes {player}'s solar counter")
)
_OPENS = Reason(N_("it opens a way for you"), named=N_("it opens a way for {player}"))
_CLOSES = Reason(N_("it closes your opponent's way"), named=N_("it closes {opponent}'s way"))
_STRANDS = Reason(
    N_("your opponent can't get home any more, so the match ends"),
    named=N_("{opponent} can't get home any more, so the match ends"),
)
_ENDS_AHEAD = Reason(
    N_("the match ends, and you have more points"),
    named=N_("the match ends, and {player} has more points"),
)
_ENDS_LEVEL = Reason(N_("the match ends with equal points"))
_HELPS_MORE = Reason(
    N_("it helps you more than your opponent"),
    named=N_("it helps {player} more than {opponent}"),
)


def explain(situation: Situation, action: Action) -> list[Reason]:
    """Return reasons for an action, the most important first."""
    state, seat = situation.sampled_state, SEATS.index(situation.seat)
    if action.verb == "build":
        return _prospect(state, seat) or _building(state, seat, situation.legal)
    if action.verb == "exchange":
        return [] if state.holds(ENERGY, seat) else [_NO_ENERGY]
    after, events = apply(state, action)
    end = _end(after, events, seat)
    if after.result:
        return end + _reaching(state, after, seat)
    gains = _reaching(state, after, seat) + _ways(state, after, seat)
    if gains:
        return gains
    filling = _FILLINGS.get(action.verb)
    return _nearest_counter(state, after, seat) or ([filling] if filling else [])


def _building(state: State, seat: int, legal: tuple[Action, ...]) -> list[Reason]:
    """Return that no move makes the way shorter, if that is so, or what rhombs bring."""
    length = side_of(state, seat).total
    moves = [action for action in legal if action.verb in ("drift", "control", "jump")]
    helps = any(side_of(apply(state, move)[0], seat).total < length for move in moves)
    if not helps:
        return [_NO_MOVE]
    rhombs = [TILES[tile] for tile in range(len(TILES)) if state.stack >> tile & 1]
    spheres = sum(rhomb.endswith("+") for rhomb in rhombs)
    return [Reason(_SPHERES, {"count": spheres, "total": len(rhombs)})]


def _prospect(state: State, seat: int) -> list[Reason]:
    """Explain by how much a rhomb can shorten the player's way, or else lengthen the opponent's.

    Of some rhombs that may be drawn, it is the mean change by the better of a few places.
    """
    ways = [side_of(state, number).total for number in (seat, 1 - seat)]
    shorter: list[tuple[int, str]] = []
    longer: list[tuple[int, str]] = []
    promise = Promise(state, seat)
    for drawn in _sampled_draws(state, seat):
        placings = promise.best(drawn.drawn, legal_actions(drawn), PLACES_A_RHOMB)
        ends = [(apply(drawn, placing)[0], placing.args[0]) for placing in placings]
        shorter.append(max((ways[0] - side_of(end, seat).total, place) for end, place in ends))
        longer.append(max((side_of(end, 1 - seat).total - ways[1], place) for end, place in ends))
    return _may(_MAY_SHORTEN, shorter) or _may(_MAY_HINDER, longer)


def _may(amount: Amount, changes: Sequence[tuple[int, str]]) -> list[Reason]:
    """Return a clause about the mean of changes, and the place of the largest; none if it is 0."""
    limited = [min(max(change, 0), MAX_CHANGE) for change, _ in changes]
    if not limited:
        return []
    return amount.reasons(sum(limited) // len(limited), TURN, place=max(changes)[1])


def _sampled_draws(state: State, seat: int) -> Iterator[State]:
    """Yield the positions after some of the draws that are possible, evenly chosen."""
    building, _ = apply(state, Action(SEATS[seat], "build"))
    stack = [tile for tile in range(len(TILES)) if state.stack >> tile & 1]
    count = min(SAMPLED_RHOMBS, len(stack))
    for number in range(count):
        tile = stack[(2 * number + 1) * len(stack) // (2 * count)]
        yield apply(building, Action(CHANCE, "draw", (TILES[tile],)))[0]


def _end(after: State, events: Sequence[Event], seat: int) -> list[Reason]:
    """Return the reasons from the end of the match, if it ends and the seat does not lose (T5)."""
    if not after.result:
        return []
    strands = Event("stranded", (SEATS[1 - seat],)) in events
    lead = points(after)[SEATS[seat]] - points(after)[SEATS[1 - seat]]
    if lead < 0:
        return []
    return [_STRANDS] * strands + [_ENDS_AHEAD if lead else _ENDS_LEVEL]


def _reaching(state: State, after: State, seat: int) -> list[Reason]:
    """Return the reasons from the immediate gains of an action."""
    reasons = []
    if after.at[seat] == BASES[seat] != state.at[seat] and after.solar[seat] == SOLARS:
        reasons.append(_AT_HOME)
    elif after.solar[seat] > state.solar[seat]:
        reasons.append(_TAKES_SOLAR)
    gained = points(after)[SEATS[seat]] - points(state)[SEATS[seat]]
    return reasons + _POINTS.reasons(gained, 1)


def _nearest_counter(state: State, after: State, seat: int) -> list[Reason]:
    """Return a clause about the counter that gains most by an action; none if none does.

    It is one that gets nearer, or a new one that is not far away.
    """
    before, now = (
        side.ways.lengths(side.stops[0])
        for side in (side_of(position, seat) for position in (state, after))
    )
    gains = [
        (points * (nearness(now[node]) - is_old * nearness(before[node])), node, is_old)
        for points, put_before, put in zip(POINTS, state.put, after.put, strict=True)
        for node in members(put)
        for is_old in (put_before >> node & 1,)
    ]
    gain, node, is_old = max(gains, default=(0, 0, 0))
    if gain <= 0:
        return []
    place = after.board.name(node, seat)
    if is_old:
        nearer = min(before[node] - now[node], MAX_CHANGE)
        return _COUNTER_NEARER.reasons(nearer, TURN, place=place)
    turns = max(1, (2 * now[node] + TURN) // (2 * TURN))
    if now[node] > MAX_CHANGE:
        return []
    return [_NEW_COUNTER._replace(fields={"place": place, "count": turns})]


def _ways(state: State, after: State, seat: int) -> list[Reason]:
    """Return the reasons from the changes that an action makes to the ways of both sides."""
    (player, opponent), (player_after, opponent_after) = (
        (side_of(position, seat), side_of(position, 1 - seat)) for position in (state, after)
    )
    goals = _HOME if player.stops[1] == BASES[seat] else _MODULES
    if player.total == NO_WAY > player_after.total:
        shorter = [_OPENS]
    else:
        shorter = goals.reasons(player.total - player_after.total, TURN)
    longer = _longer(opponent, opponent_after)
    if opponent.total - opponent_after.total >= TURN // 2 and shorter:
        helps_more = player.total - player_after.total > opponent.total - opponent_after.total
        longer = [_HELPS_MORE] if helps_more else []
    return shorter + longer


def _longer(before: Side, after: Side) -> list[Reason]:
    if after.total == NO_WAY > before.total:
        return [_CLOSES]
    return _HINDERS.reasons(after.total - before.total, TURN)
