"""The steady clock at the limits of an outage, and of a clock that counts as set."""

from __future__ import annotations

import pytest

from bot.domain.steady_clock import OUTAGE_SECONDS, SET_SECONDS, SteadyClock

NOW = 1_800_000_000.0


class Machine:
    """A machine that was started some time ago, whose wall clock can be set."""

    def __init__(self) -> None:
        self.wall, self.elapsed = NOW, 500.0
        self.clock = SteadyClock(lambda: self.wall, lambda: self.elapsed)

    def pass_time(self, seconds: float, jump: float = 0.0) -> None:
        """Let time pass, in which the wall clock is set."""
        self.wall, self.elapsed = self.wall + seconds + jump, self.elapsed + seconds


@pytest.mark.parametrize(
    ("seconds", "counted"),
    [
        (0.0, 0.0),
        (30.0, 30.0),
        (OUTAGE_SECONDS, OUTAGE_SECONDS),
        (OUTAGE_SECONDS + 1, 0.0),
    ],
)
def test_time_passes_until_it_counts_as_an_outage(seconds: float, counted: float) -> None:
    machine = Machine()
    machine.pass_time(seconds)
    assert machine.clock() == NOW + counted


@pytest.mark.parametrize(("further", "is_wrong"), [(0, False), (1, True)])
@pytest.mark.parametrize("sign", [1, -1])
def test_clock_is_wrong_if_the_wall_clock_was_set(sign: int, further: int, is_wrong: bool) -> None:
    machine = Machine()
    machine.pass_time(30, jump=sign * (SET_SECONDS + further))
    assert machine.clock.is_wrong is is_wrong
    assert machine.clock() == NOW + 30
    machine.clock.synchronise(machine.wall)
    assert machine.clock.is_wrong is False
    assert machine.clock() == NOW + 30 + sign * (SET_SECONDS + further)


@pytest.mark.parametrize(("further", "is_wrong"), [(0, False), (1, True)])
def test_clock_is_wrong_after_an_outage(further: int, is_wrong: bool) -> None:
    machine = Machine()
    machine.pass_time(OUTAGE_SECONDS + further)
    assert machine.clock.is_wrong is is_wrong


@pytest.mark.parametrize("sign", [1, -1])
def test_only_a_clock_that_was_set_has_jumped(sign: int) -> None:
    machine = Machine()
    assert machine.clock.seconds_since_jump == 0
    machine.pass_time(10)
    machine.clock.synchronise(machine.wall)
    machine.pass_time(10, jump=sign * SET_SECONDS)
    machine.clock.synchronise(machine.wall)
    assert machine.clock.seconds_since_jump == 20
    machine.pass_time(10, jump=sign * (SET_SECONDS + 1))
    machine.clock.synchronise(machine.wall)
    machine.pass_time(5)
    assert machine.clock.seconds_since_jump == 5


def test_a_clock_that_is_steady_already_is_not_wrapped() -> None:
    clock = Machine().clock
    assert SteadyClock.of(clock) is clock
