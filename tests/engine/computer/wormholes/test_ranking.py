"""The ranking of the greedy player in Wormholes."""

from __future__ import annotations

from engine.computer.wormholes.ranking import TURN, WIN, lead, race_length, ship_length
from tests.support.wormholes.positions import after, legal, position


def test_w7_5_ship_sent_onto_its_goal_is_not_home() -> None:
    sent = position({"S": "a18", "M": "j2"})
    assert 7 * TURN < ship_length(sent, 0) == race_length(sent, 0) < ship_length(sent, 1)
    assert -WIN < lead(sent, 0) < WIN
    long_sent = position({"S": "a18", "M": "j2"}, rules="0.6-long", landed=0b0010)
    long_home = position({"S": "a18", "M": "j2"}, rules="0.6-long", landed=0b0001)
    assert ship_length(long_sent, 0) == ship_length(sent, 0)
    assert ship_length(long_home, 0) == 0
    assert race_length(long_home, 0) == ship_length(long_home, 1)


def test_w7_5_ship_sent_onto_its_goal_needs_a_value_that_fits() -> None:
    sent = position({"S": "a18"})
    reached = []
    for value in range(1, 6):
        rolled = position({"S": "a18"}, dice=f"S{value} M-")
        ends = [after(rolled, line) for line in legal(rolled)]
        reached.append(min(ship_length(end, 0) for end in ends))
    assert reached[0] == 0
    assert ship_length(sent, 0) == (6 * TURN + sum(reached)) // len(reached)
