"""The computer of small games: one function scores an action."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine import games
from engine.computer.plain import support_by_score
from engine.computer.situation import SCALE, situation_of
from engine.game import Action
from engine.record import Record
from tests.support.announced import Shelf


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> Record:
    """A match of Spoof, in which Left guesses next and has three coins."""
    Shelf(Path(__file__).parents[2] / "packages", monkeypatch).install()
    assert games.get("spoof")
    holds = (Action("L", "hold", ("3",)), Action("R", "hold", ("0",)))
    return Record({"Game": "spoof", "Rules": "standard"}, holds)


def test_actions_have_their_mean_score_in_sampled_positions(record: Record) -> None:
    support = support_by_score(
        "LR", lambda state, action: SCALE * (int(action.args[0]) == sum(map(int, state.hands)))
    )
    situation = situation_of(record.redact_for_infostate("L"), "L")
    rated = support.rate(situation, Random(1).randrange, 10_000)
    values = {action.args[0]: value for value, action in rated}
    assert {number for number, value in values.items() if value} == {"3", "4", "5", "6"}
    assert all(abs(values[number] - SCALE // 4) < SCALE // 10 for number in "3456")
    assert situation.tally.nodes == 200 * 7


def test_fewer_positions_are_scored_than_allowed(record: Record) -> None:
    situation = situation_of(record.redact_for_infostate("L"), "L")
    support_by_score("LR", lambda _state, _action: 0).rate(situation, Random(1).randrange, 22)
    assert situation.tally.nodes == 3 * 7


def test_positions_are_even_until_there_is_a_result(record: Record) -> None:
    values = support_by_score("LR", lambda _state, _action: 0).values
    game, state = record.game(), record.replay().state
    assert values.expected_scores(state) == (SCALE // 2, SCALE // 2)
    state, _ = game.apply(state, record.actions[0]._replace(verb="resign", args=()))
    assert values.expected_scores(state) == (0, SCALE)
