"""Advice: the best of the actions that a lesson names."""

from __future__ import annotations

import pytest

from engine.computer.advice import advise, reasons
from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.reasons import Reason
from engine.computer.situation import MAX_REASONS, SCALE, Situation
from engine.game import CHANCE, Action
from engine.games import get

pytestmark = pytest.mark.usefixtures("bids")

WORTH = {"1": 3000, "2": -500, "3": 2 * SCALE, "4": 4000}


def bid(card: str) -> Action:
    return Action("A", "bid", (card,))


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Situation]:
    """The decisions that were rated or explained; card 3 is the best, and is always rated."""
    noted: list[Situation] = []

    def rate(situation: Situation, *_: object) -> list[tuple[int, Action]]:
        noted.append(situation)
        return [(worth, bid(card)) for card, worth in WORTH.items() if card != "1"]

    def explain(situation: Situation, action: Action) -> list[Reason]:
        noted.append(situation)
        return [Reason(str(action))] * (MAX_REASONS + 1)

    support = COMPUTER_SUPPORT["bids"]._replace(rate=rate, explain=explain)
    monkeypatch.setitem(COMPUTER_SUPPORT, "bids", support)
    return noted


@pytest.mark.parametrize(
    ("cards", "best", "value"),
    [("234", "3", SCALE), ("24", "4", 4000), ("2", "2", 0), ("1", "1", 0), ("14", "4", 4000)],
)
def test_best_of_the_named_actions_is_advised(
    asked: list[Situation], cards: str, best: str, value: int
) -> None:
    game = get("bids")
    state, _ = game.apply(game.start("plain", {}), Action(CHANCE, "prize", ("1",)))
    choice = advise(game, state, "A", [*map(bid, cards)])
    assert (choice.action, choice.value) == (bid(best), value)
    assert choice.reasons == (Reason(str(bid(best))),) * MAX_REASONS
    rated, explained = asked
    assert rated.legal == tuple(map(bid, cards))
    assert explained.legal == tuple(map(bid, "1234")), "not those of the other seat"
    assert reasons(game, state, "A", bid(best)) == choice.reasons
