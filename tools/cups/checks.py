"""Checks of finished cups; they share no code with the bot's computations."""

from __future__ import annotations

from collections import Counter
from functools import cmp_to_key
from itertools import combinations

from sqlalchemy import or_, select

from bot.domain.models import MatchStatus
from bot.features.cups.formats import CupFormat
from bot.features.cups.rows import Cup, StoredPairing, load_cup
from bot.features.cups.standings import PairingReason
from bot.storage.database import Database
from bot.storage.schema import cups, matches
from engine import games

PLAYED = ("played", "resigned", "time", "agreed", "lot")
"""Reasons of results from a played match."""


async def check(database: Database, cup: Cup) -> None:
    """Check a finished cup.

    Raises:
        AssertionError: something is wrong.
    """
    count = len(cup.entrants)
    assert sorted(entrant.number for entrant in cup.entrants) == list(range(1, count + 1))
    _check_pairings(cup, count)
    await _check_matches(database, cup)
    expected = _ranking(cup)
    standings = cup.standings()
    assert [line.number for line in standings] == expected, "the standings differ"
    if cup.row.format != CupFormat.KNOCK_OUT:
        sixths, _wins = _score(cup)
        assert {line.number: line.points * 6 for line in standings} == sixths
    active = [number for number in expected if cup.by_number[number].is_active]
    winner = cup.winner.number if cup.winner else None
    assert winner == (active[0] if active and active[0] == expected[0] else None)


def _check_pairings(cup: Cup, count: int) -> None:
    """Check that the right players meet, each pair as often as it should."""
    assert all(pairing.reason for pairing in cup.pairings)
    if cup.row.format == CupFormat.ROUND_ROBIN:
        met = sorted(tuple(sorted(pairing.known)) for pairing in cup.pairings)
        assert met == sorted(combinations(range(1, count + 1), 2))
    elif cup.row.format == CupFormat.GROUPS:
        together = Counter(
            pair for pairing in cup.pairings for pair in combinations(sorted(pairing.known), 2)
        )
        meetings = [together[pair] for pair in combinations(range(1, count + 1), 2)]
        assert max(meetings) - min(meetings) <= 1
        assert Counter(n for pairing in cup.pairings for n in pairing.known) == Counter(
            dict.fromkeys(range(1, count + 1), 3)
        )
    else:
        assert len(cup.pairings) == count - 1
        lost = Counter(
            n for pairing in cup.pairings for n in pairing.known if n not in pairing.winners
        )
        assert max(lost.values()) == 1, "each player loses once at most"


async def _check_matches(database: Database, cup: Cup) -> None:
    """Check that each pairing had one match, and has its result."""
    async with database.read() as connection:
        places = matches.c.channel_id, matches.c.parent_channel_id  # also in threads
        query = select(matches).where(or_(*(place == cup.row.channel_id for place in places)))
        rows = {row.id: row for row in await connection.execute(query)}
        seasons = select(cups.c.id).where(cups.c.channel_id == cup.row.channel_id)
        numbers = (await connection.execute(seasons)).scalars().all()
        stored = [await load_cup(connection, number) for number in numbers]
    old = {row.id for row in rows.values() if row.engine_version == -1}
    old |= {row.parent_id for row in rows.values() if row.id in old}  # its series begins again
    first_rounds = [row for row in rows.values() if row.round == 1 and row.id not in old]
    pairings = [pairing for season in stored if season for pairing in season.pairings]
    expected = sum((pairing.match_id is not None) + pairing.replays for pairing in pairings)
    assert len(first_rounds) == expected, f"{len(first_rounds)} matches for {expected} pairings"
    for pairing in cup.pairings:
        if (
            pairing.reason in (PairingReason.RESIGNED, PairingReason.PLAYED, PairingReason.TIME)
            and cup.row.rounds == 1
        ):
            row = rows[pairing.match_id or 0]
            assert row.status == MatchStatus.FINISHED
            game = games.get(row.game)
            letter = game.result(game.load(row.position)).split()[0]
            index = dict(zip(game.seats(row.options), pairing.seated, strict=True))
            winners = set(pairing.seated) if letter == "-" else {index[letter]}
            assert set(pairing.winners) == winners, "another player has won the match"


def _score(cup: Cup) -> tuple[dict[int, int], dict[int, int]]:
    """Return number → sixths of points, and number → wins."""
    sixths = dict.fromkeys(cup.by_number, 0)
    wins = dict.fromkeys(cup.by_number, 0)
    for pairing in _counting(cup):
        for number in pairing.winners:
            sixths[number] += 6 // len(pairing.winners)
            wins[number] += len(pairing.winners) == 1
    return sixths, wins


def _counting(cup: Cup) -> list[StoredPairing]:
    """Return the pairings that count: none of a player who withdrew early from a round robin."""
    out = set()
    if cup.row.format == CupFormat.ROUND_ROBIN:
        for entrant in cup.entrants:
            real = [
                pairing
                for pairing in cup.pairings
                if entrant.number in pairing.known and pairing.reason in PLAYED
            ]
            if entrant.withdrawn_at is not None and 2 * len(real) < len(cup.entrants) - 1:
                out.add(entrant.number)
    return [
        pairing
        for pairing in cup.pairings
        if not out.intersection(pairing.known) and pairing.winners
    ]


def _ranking(cup: Cup) -> list[int]:
    """Return the players, the first one first, by comparing each two of them."""
    if cup.row.format == CupFormat.KNOCK_OUT:
        return _knock_out_ranking(cup)
    sixths, wins = _score(cup)
    counting = _counting(cup)
    lots = [line.number for line in cup.standings()]

    def direct(number: int) -> int:
        equal = {other for other in sixths if sixths[other] == sixths[number]} - {number}
        return sum(
            6 // len(pairing.winners)
            for pairing in counting
            if number in pairing.winners and equal.intersection(pairing.known)
        )

    def sonneborn(number: int) -> int:
        return sum(
            6 // len(pairing.winners) * sixths[other]
            for pairing in counting
            if number in pairing.winners
            for other in pairing.known
            if other != number
        )

    def forfeits(number: int) -> int:
        return sum(
            number in pairing.forfeits and number not in pairing.winners for pairing in counting
        )

    def compare(one: int, two: int) -> int:
        withdrawn = [cup.by_number[number].withdrawn_at is not None for number in (one, two)]
        if withdrawn[0] != withdrawn[1]:
            return 1 if withdrawn[0] else -1
        for better in (sixths.__getitem__, direct, sonneborn, wins.__getitem__):
            if better(one) != better(two):
                return -1 if better(one) > better(two) else 1
        if forfeits(one) != forfeits(two):
            return -1 if forfeits(one) < forfeits(two) else 1
        return -1 if lots.index(one) < lots.index(two) else 1  # the lot: any fixed order will do

    return sorted(cup.by_number, key=cmp_to_key(compare))


def _knock_out_ranking(cup: Cup) -> list[int]:
    """Return the players by the round of their only loss, then by number."""
    lost = {
        number: pairing.round
        for pairing in cup.pairings
        for number in pairing.known
        if number not in pairing.winners
    }
    return sorted(cup.by_number, key=lambda number: (-lost.get(number, 99), number))
