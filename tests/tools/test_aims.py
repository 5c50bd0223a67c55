"""The aims of the benchmarks: which figures reach them, and the exit status."""

from __future__ import annotations

import re

import pytest

from tests.support.command import ROOT
from tools import aims
from tools.aims import AIMS, Aim, exit_status, judge


@pytest.fixture(autouse=True)
def missed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names = list[str]()
    monkeypatch.setattr(aims, "MISSED", names)
    return names


@pytest.mark.parametrize(
    ("aim", "reached", "missed_by"),
    [
        (Aim(2, "×", "r"), 2.0, 1.99),
        (Aim(2, "ms", "r", at_most=True), 2.0, 2.01),
    ],
)
def test_bound_itself_reaches_the_aim(aim: Aim, reached: float, missed_by: float) -> None:
    assert aim.is_reached(reached)
    assert not aim.is_reached(missed_by)


def test_missed_aim_is_printed_and_changes_the_exit_status(
    missed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    bound = AIMS["turn"].bound
    assert judge("turn", bound) == f"(aim: ≤ {bound} ×)"
    assert (missed, exit_status()) == ([], 0)
    assert judge("turn", bound + 0.01) == f"(aim: ≤ {bound} ×)  MISSED"
    assert (missed, exit_status()) == (["turn"], 1)
    assert AIMS["turn"].reason in capsys.readouterr().err


def test_every_aim_has_a_reason_and_a_figure() -> None:
    assert all(aim.reason for aim in AIMS.values())
    programs = "".join(
        (ROOT / "tools" / f"bench{name}.py").read_text("utf-8")
        for name in ("", "_board", "_storage", "_turn")
    )
    subjects = {name.split(",")[0] for name in AIMS} - {"wormholes", "warp6", "tomtube"}
    assert {name for name in subjects if not re.search(f"[\"']{name}[\"']", programs)} == set()
