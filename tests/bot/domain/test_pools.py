"""Pools: their order, and why a match can't be rated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId
from bot.domain.models import Player
from bot.domain.pools import all_pools, is_solo, pool_of, terms_refusal
from bot.domain.terms import Terms
from engine import games
from tests.support.installed import install
from tests.support.matches import PLAYERS
from tests.support.nim import Nim

ME, FRIEND = PLAYERS


def refusal(*players: Player, **options: Any) -> str:
    """Return the reason for refusing to rate a match of these players, or an empty string."""
    fields: dict[str, Any] = {"game": "warp6", "rated": True} | options
    return terms_refusal(Terms(guild_id=None, channel_id=ChannelId(5), **fields), players)


def test_each_pool_of_people_has_one_with_computers() -> None:
    people = [pool for pool in all_pools() if not pool.endswith("/computers")]
    assert list(all_pools()) == [*people, *(f"{pool}/computers" for pool in people)]
    assert list(dict.fromkeys(person.split("/")[0] for person in people)) == list(games.names())


def test_pool_is_that_of_people_unless_said_otherwise() -> None:
    warp6 = games.get("warp6")
    assert pool_of(warp6, {}) == "warp6/2"
    assert pool_of(warp6, {"seats": "3"}, computers=True) == "warp6/3/computers"


def test_solo_match_is_that_of_one_person_with_computers() -> None:
    computer = computer_player()
    assert is_solo([ME, computer]) is True
    assert is_solo([computer, ME, computer]) is True
    assert is_solo([ME]) is False, "there is no opponent"
    assert is_solo([ME, FRIEND]) is False
    assert is_solo([ME, FRIEND, computer]) is False
    assert is_solo([computer, computer]) is False


def test_match_that_can_be_rated_has_no_refusal() -> None:
    assert refusal(ME, FRIEND) == ""
    assert refusal(ME, computer_player(), clock="3d") == ""
    assert refusal(ME, FRIEND, computer_player(), rated=False) == ""
    assert "needs a clock" in refusal(ME, computer_player())


@pytest.mark.parametrize(
    ("options", "is_even"),
    [
        ({"sticks_A": ("1", "2"), "sticks_B": ("2", "1")}, False),
        ({"sticks_A": ("1", "2"), "sticks_B": ("1", "2")}, True),
        ({"heap_size": ("7", "9"), "heap_colour": ("red", "blue")}, True),
        ({"A": ("1", "2"), "B": ("2", "1")}, True),
    ],
)
def test_only_options_that_belong_to_a_seat_are_handicaps(
    monkeypatch: pytest.MonkeyPatch, options: Mapping[str, tuple[str, ...]], is_even: bool
) -> None:
    monkeypatch.setattr(Nim, "options", options)
    install(monkeypatch, Nim())
    expected = "" if is_even else "A match with a handicap can't be rated."
    assert refusal(ME, FRIEND, game="nim") == expected
