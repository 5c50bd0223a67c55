"""The public facts of a match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.computer_players import computer_player
from bot.domain.ids import (
    COMPUTER_USER_ID,
    DELETED_USER_ID,
    OPEN_USER_ID,
    RECORD_USER_ID,
    ChannelId,
    MatchId,
    UserId,
    Version,
)
from bot.domain.models import (
    DELETED_PLAYER,
    Match,
    MatchStatus,
    Player,
    Rated,
    SeatClock,
    Stage,
    Switch,
    TimerKind,
)
from bot.i18n import catalogue
from bot.services.challenges import OPEN_SEAT
from engine.game import PUBLIC
from render.i18n import using
from tests.support.matches import ADA, BO, EVE, MatchFixture

NAMED = Player(RECORD_USER_ID, OPEN_SEAT.name)
"""A player of a record from outside, who has chosen a name that is a label of the bot."""


@pytest.mark.parametrize(
    ("values", "stored"),
    [
        (MatchStatus, "challenge running finished closed"),
        (
            Rated,
            "casual rated pair early unreminded timeouts stand_in fallback abandoned",
        ),
        (Stage, "0 1 2"),
        (Switch, "on off"),
        (
            TimerKind,
            (
                "expire flag warn ping remind snooze nudge nudged abandon takeback series "
                "gone silent stuck patience notice"
            ),
        ),
    ],
)
def test_stored_values_are_those_of_earlier_versions(values: Iterable[str], stored: str) -> None:
    assert [str(value) for value in values] == stored.split()


def test_users_that_discord_does_not_know_keep_their_numbers() -> None:
    numbers = OPEN_USER_ID, DELETED_USER_ID, COMPUTER_USER_ID, RECORD_USER_ID
    assert numbers == (0, -1, -2, -3)


@pytest.mark.parametrize(
    ("player", "is_person", "has_own_name", "is_computer"),
    [
        (Player(ADA, "Ada"), True, True, False),
        (Player(UserId(1), "First"), True, True, False),
        (OPEN_SEAT, False, False, False),
        (DELETED_PLAYER, False, False, False),
        (computer_player("captain"), False, False, True),
        (NAMED, False, True, False),
    ],
)
def test_only_users_of_discord_are_people(
    player: Player, is_person: bool, has_own_name: bool, is_computer: bool
) -> None:
    properties = player.is_person, player.has_own_name, player.is_computer
    assert properties == (is_person, has_own_name, is_computer)


def test_the_public_has_no_seat_although_one_is_open() -> None:
    match = match_of(players={"B": Player(ADA, "Ada"), "Y": OPEN_SEAT})
    assert (match.seat_of(ADA), match.seat_of(BO), match.seat_of(None)) == ("B", PUBLIC, PUBLIC)


def match_of(**fields: Any) -> Match:
    """A running match of Warp 6, in which Ada and an open seat have to decide."""
    required = Match(
        id=MatchId(1),
        game="warp6",
        rules="standard",
        options={},
        status=MatchStatus.RUNNING,
        version=Version(3),
        decisions={"B": Version(1), "W": Version(1)},
        guild_id=None,
        channel_id=ChannelId(5),
        challenger_id=ADA,
        players={"B": Player(ADA, "Ada"), "Y": NAMED, "W": OPEN_SEAT},
        unaccepted="",
        commitment="",
        expires_at=None,
    )
    return replace(required, **fields)


def test_a_match_has_nothing_special_unless_it_is_given() -> None:
    match = match_of()
    texts = match.clock, match.joinable, match.salt, match.seats_to_draw
    assert texts == ("",) * 4
    assert (match.round, match.rounds) == (1, 1)
    assert (match.lines_taken_over, match.origin_id, match.rated) == (0, 0, Rated.CASUAL)
    flags = match.linked_by_dm, match.commitment_holds, match.commitment_late
    assert flags == (False, True, False)


def test_only_labels_of_the_bot_are_translated() -> None:
    with using(catalogue("de")):
        assert match_of().names == {"B": "Ada", "Y": OPEN_SEAT.name, "W": "ein freier Platz"}


def test_a_player_for_whom_the_computer_decides_is_not_awaited() -> None:
    lent = match_of(players={"B": Player(ADA, "Ada", "captain"), "Y": NAMED, "W": OPEN_SEAT})
    assert match_of().awaits(ADA)
    assert not lent.awaits(ADA)


async def test_a_challenge_awaits_the_players_who_have_to_answer(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert [match.awaits(user) for user in (ADA, BO, EVE)] == [False, True, False]


async def test_a_running_match_awaits_the_player_on_turn(env: MatchFixture) -> None:
    match_id = await env.begin()
    match, user = await env.queries.match(match_id), await env.on_turn(match_id)
    assert [user for user in (ADA, BO, EVE) if match.awaits(user)] == [user]


async def test_deadline_is_that_of_the_first_running_clock(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert match.deadline("OD") is None, "it has no clock"
    times = {"O": SeatClock(50.0, 1000.0), "D": SeatClock(10.0, 1030.0)}
    timed = replace(match, times=times)
    assert timed.deadline("OD") == 1040.0
    assert timed.deadline("O") == 1050.0
    assert timed.deadline("") is None
    assert replace(match, times=times | {"D": SeatClock(10.0, None)}).deadline("OD") == 1050.0
    assert replace(match, times={"O": SeatClock(0.0, 900.0)}).deadline("O") == 900.0, "time is up"
