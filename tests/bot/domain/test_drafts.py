"""A challenge before it is sent: its choices fit together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.drafts import ChallengeDraft, remembered
from bot.domain.ids import UserId
from engine import games

BOT = UserId(99)
RACE = ChallengeDraft(game="warp6", rules=games.get("warp6").rules[0], opponents=(UserId(1),))


def race(**fields: Any) -> ChallengeDraft:
    """Return a draft of Warp 6."""
    return replace(RACE, **fields)


def test_two_opponents_get_a_third_seat() -> None:
    three = race().with_opponents((UserId(1), UserId(2)))
    assert three.completed_options == {"seats": "3"}
    assert (len(three.seats), three.free_seats) == (3, 0)
    assert three.with_opponents((UserId(1),)).completed_options == {}


def test_seats_without_players_are_free() -> None:
    assert race().with_option("seats", "3").free_seats == 1


def test_fewer_seats_leave_out_the_last_opponent() -> None:
    three = race().with_opponents((UserId(1), UserId(2))).with_option("setup", "secret")
    assert three.opponents == (1, 2)
    assert three.with_option("seats", "2").opponents == (1,)


def test_more_opponents_drop_the_option_that_excludes_them() -> None:
    two = race().with_option("setup", "secret").with_option("seats", "2")
    assert two.with_opponents((UserId(1), UserId(2))).completed_options == {
        "setup": "secret",
        "seats": "3",
    }


def test_opponents_beyond_the_game_are_left_out() -> None:
    coins = ChallengeDraft(game="wormholes", rules="0.6")
    assert coins.with_opponents((UserId(1), UserId(2))).opponents == (1,)


def test_side_of_a_third_seat_goes_with_the_seat() -> None:
    third = race().with_option("seats", "3")
    draft = replace(third, side=third.seats[-1])
    assert draft.with_option("setup", "secret").side
    assert not draft.with_option("seats", "2").side


@pytest.mark.parametrize(
    "fields",
    [
        {"opponents": (1, 1)},
        {"opponents": (1, 2, 3)},
        {"level": "x"},
        {"rules": "x"},
        {"side": "O"},
        {"rounds": 0},
        {"rounds": 10},
        {"options": {"notes": "on"}},
        {"options": {"setup": "x"}},
        {"clock": "x"},
    ],
)
def test_impossible_choices_are_refused(fields: dict[str, Any]) -> None:
    race().check()
    with pytest.raises(ValueError, match=r"."):
        replace(race(), **fields).check()


def test_no_series_in_a_game_without_points() -> None:
    with pytest.raises(ValueError, match=r"."):
        ChallengeDraft(game="wormholes", rules="0.6", rounds=2).check()


@pytest.mark.parametrize(
    ("fields", "is_solo"),
    [
        ({}, False),
        ({"opponents": (BOT,)}, True),
        ({"opponents": (), "level": "cadet"}, True),
        ({"opponents": ()}, False),
        ({"options": {"seats": "3"}, "level": "cadet"}, False),
        ({"options": {"seats": "3"}, "opponents": (BOT,)}, False),
        ({"options": {"seats": "3"}, "opponents": (BOT,), "level": "cadet"}, True),
        ({"options": {"seats": "3"}, "opponents": (), "level": "cadet"}, True),
    ],
)
def test_one_person_is_alone_if_the_computer_has_all_seats(
    fields: dict[str, Any], is_solo: bool
) -> None:
    assert race(**fields).is_solo(BOT) is is_solo


def test_only_a_rated_match_with_the_computer_needs_a_clock() -> None:
    alone = race(opponents=(BOT,), rated=True)
    assert alone.with_needed_clock(BOT) == replace(alone, clock="3d")
    for draft in (
        replace(alone, clock="7d"),
        replace(alone, rated=False),
        race(rated=True),
        race(),
    ):
        assert draft.with_needed_clock(BOT) == draft


def test_players_and_handicaps_are_not_remembered() -> None:
    tubes = ChallengeDraft(
        game="tomtube",
        rules="basic",
        opponents=(UserId(1),),
        level="cadet",
        clock="3d",
        side="T",
        options={"launch_T": "2"},
    )
    assert remembered(tubes) == ChallengeDraft(
        game="tomtube", rules="basic", level="cadet", clock="3d"
    )
    draft = race(rounds=3, options={"seats": "3", "setup": "secret"})
    assert remembered(draft) == race(opponents=(), options={"setup": "secret"})
