"""Ratings as a function of results in order."""

from __future__ import annotations

import struct
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ratings import MU, SIGMA, Entrant, Rating, Result, rate, replay
from tests.support.tiers import examples

PLAYERS = st.integers(1, 6)


@st.composite
def results(draw: st.DrawFn) -> list[Result]:
    """Results of matches of two and of three, in two pools."""
    drawn = []
    for _ in range(draw(st.integers(1, 30))):
        players = draw(st.lists(PLAYERS, min_size=2, max_size=3, unique=True))
        ranks = draw(st.lists(st.integers(0, 2), min_size=len(players), max_size=len(players)))
        entrants = tuple(Entrant(*pair) for pair in zip(players, ranks, strict=True))
        drawn.append(Result(draw(st.sampled_from("ab")), entrants))
    return drawn


def in_bytes(rated: list[tuple[Rating, ...]]) -> bytes:
    """All ratings to the last bit."""
    return b"".join(struct.pack("dd", *rating) for ratings in rated for rating in ratings)


def final(played: list[Result]) -> dict[tuple[str, int], Rating]:
    """The ratings at the end."""
    by_player: dict[tuple[str, int], Rating] = {}
    for result, after in zip(played, replay(played), strict=True):
        by_player |= {
            (result.pool, e.player): new for e, new in zip(result.entrants, after, strict=True)
        }
    return by_player


@examples(10, 60, 5000)
@given(results())
def test_rating_again_gives_the_same_bytes(played: list[Result]) -> None:
    assert in_bytes(list(replay(played))) == in_bytes(list(replay(iter(played))))


@examples(10, 60, 5000)
@given(results(), st.randoms())
def test_the_order_of_seats_changes_no_bit(played: list[Result], random: st.DataObject) -> None:
    moved = [
        Result(pool, tuple(random.sample(entrants, len(entrants))))  # type: ignore[attr-defined]
        for pool, entrants in played
    ]
    assert final(moved) == final(played)


@examples(15, 60, 5000)
@given(results(), st.integers(-9999, -1001))
def test_a_player_with_another_number_changes_no_bit(played: list[Result], number: int) -> None:
    renamed = [
        Result(pool, tuple(e._replace(player=number) if e.player == 1 else e for e in entrants))
        for pool, entrants in played
    ]
    assert in_bytes(list(replay(renamed))) == in_bytes(list(replay(played)))


@examples(10, 60, 5000)
@given(results(), results())
def test_later_results_do_not_change_earlier_ratings(one: list[Result], two: list[Result]) -> None:
    assert list(replay(one + two))[: len(one)] == list(replay(one))


@examples(30, 60, 5000)
@given(results())
def test_pools_are_rated_apart(played: list[Result]) -> None:
    alone = [result for result in played if result.pool == "a"]
    expected = {key: value for key, value in final(played).items() if key[0] == "a"}
    assert final(alone) == expected


@examples(100, 160, 10_000)
@given(st.floats(600, 2600), st.floats(600, 2600), st.floats(20, SIGMA), st.floats(20, SIGMA))
def test_winning_raises_and_losing_lowers(one: float, two: float, s1: float, s2: float) -> None:
    before = [Rating(one, s1), Rating(two, s2)]
    won, lost = rate([Entrant(1, 0), Entrant(2, 1)], before)
    assert won.mu > one
    assert lost.mu < two
    assert won.sigma**2 <= s1**2 + 10
    drawn = rate([Entrant(1, 0), Entrant(2, 0)], before)
    assert lost.mu < drawn[1].mu
    assert drawn[0].mu < won.mu
    assert (drawn[0].mu - one) * (one - two) <= 0, "a draw brings players nearer to each other"


STRENGTHS = st.lists(st.floats(600, 2600), min_size=3, max_size=3)


@examples(100, 160, 10_000)
@given(STRENGTHS, st.sampled_from(((0, 1, 1), (0, 2, 2), (0, 1, 2))))
def test_losing_to_one_of_two_lowers(strengths: list[float], ranks: tuple[int, ...]) -> None:
    before = [Rating(mu, 60.0) for mu in strengths]
    winner, *losers = rate([Entrant(*pair) for pair in enumerate(ranks)], before)
    assert winner.mu >= strengths[0]
    assert min(losers[0].mu - strengths[1], losers[1].mu - strengths[2]) <= 0
    if ranks[1] == ranks[2]:
        assert losers[0].mu <= strengths[1]
        assert losers[1].mu <= strengths[2]


def test_a_beginner_gains_nothing_by_losing_to_experts() -> None:
    expert = Rating(2300.0, 0.0)
    entrants = [Entrant(1, 1), Entrant(2, 0, expert), Entrant(3, 1, expert)]
    assert rate(entrants, [Rating()] * 3)[0].mu < MU


def test_a_draw_of_equals_only_makes_them_surer() -> None:
    for count in (2, 3):
        entrants = [Entrant(player, 0) for player in range(count)]
        after = set(rate(entrants, [Rating()] * count))
        assert len(after) == 1
        assert abs(after.pop().mu - MU) < 1e-9


def test_equals_share_ranks_in_every_order() -> None:
    for ranks in permutations((0, 1, 1)):
        after = rate([Entrant(n, rank) for n, rank in enumerate(ranks)], [Rating()] * 3)
        assert after[ranks.index(0)].mu > MU
        assert len({rating for rank, rating in zip(ranks, after, strict=True) if rank}) == 1


def test_an_anchor_never_moves() -> None:
    anchor = Rating(1500.0, 1e-6)
    entrants = [Entrant(1, 0), Entrant(-2, 1, anchor)]
    winner, anchor_after = rate(entrants, [Rating(), Rating()])
    assert anchor_after == anchor
    assert winner.number > Rating().number


def test_a_rating_is_provisional_until_about_15_results() -> None:
    rating, count = Rating(), 0
    while rating.is_provisional:
        count += 1
        rating = rate([Entrant(1, count % 2), Entrant(2, 1 - count % 2)], [rating, Rating(MU, 60)])[
            0
        ]
    assert 10 <= count <= 20
    assert not Rating(MU, 100.0).is_provisional
    assert Rating(MU, 100.1).is_provisional


def test_ratings_that_players_have_got_do_not_change() -> None:
    played = [
        Result("a", (Entrant(1, 0), Entrant(2, 1))),
        Result("a", (Entrant(1, 1), Entrant(3, 0), Entrant(2, 1))),
    ]
    numbers = [number for ratings in replay(played) for rating in ratings for number in rating]
    first = [1660.262207832928, 190.728776819600, 1539.737792167071, 190.728776819600]
    winner = [1667.347492144101, 194.337245446979]
    losers = [1625.030421585399, 179.878467575045], [1513.719928241661, 180.652226110169]
    assert numbers == pytest.approx([*first, *losers[0], *winner, *losers[1]], rel=1e-12)
