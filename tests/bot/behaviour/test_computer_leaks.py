"""A match against the computer in two worlds, which differ only in the coins of one side.

What others can read is the same in both, and so is what worker processes are told for other seats.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.game import Action
from engine.wormholes.game import Wormholes
from tests.verification.leaks.computer import (
    AgainstComputer,
    SecretComputer,
    against_computer,
    consult,
)
from tests.verification.leaks.diff import readable
from tests.verification.leaks.twins import both

pytestmark = pytest.mark.slow

ACTS = {
    *("choice", "click on hand", "click on since", "click on text", "draw offered", "exported"),
    *("hint", "two languages"),
}
"""Acts of each story; what lies on the board when all look around decides some more."""

OTHER_ACTS = {"taken back", "click on menu"}

SECRETS = {"the player's coins": AgainstComputer, "the computer's coins": SecretComputer}


@pytest.mark.parametrize("kind", SECRETS.values(), ids=SECRETS)
def test_match_with_other_coins_reads_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[AgainstComputer]
) -> None:
    consult(monkeypatch)
    twins = both(tmp_path, against_computer, kind=kind)
    assert not twins.found, readable(twins.found)
    assert {act for act, count in twins.done.items() if count} - OTHER_ACTS == ACTS
    assert twins.one.workers


@pytest.mark.parametrize(
    "kind", [pytest.param(AgainstComputer, marks=pytest.mark.soak), SecretComputer]
)
def test_planted_leak_of_the_true_record_to_workers_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[AgainstComputer]
) -> None:
    consult(monkeypatch)

    def everything(
        self: Wormholes, state: Any, seat: str, log: tuple[Action, ...]
    ) -> tuple[Action, ...]:
        del self, state, seat
        return log

    monkeypatch.setattr(Wormholes, "redact_for_infostate", everything)
    differences = both(tmp_path, against_computer, kind=kind).found
    assert {difference.channel for difference in differences} == {"workers"}, readable(differences)
