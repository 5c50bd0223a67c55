"""The real outbox behaves like the specified one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.deliveries import DeliveryFixture, race
from tests.verification.specification.conformance import first_impossible
from tests.verification.specification.history import History
from tests.verification.specification.outbox_model import OutboxSpecification
from tests.verification.specification.random_run import RandomRun

TURNS, STEPS = 3, 8

POSSIBLE = [
    "claim: worker 0, row 0",
    "Discord posts row 0",
    "crash: worker 0",
    *["a tick passes"] * 5,
    "claim: worker 1, row 0",
    "search",
    "record delivery: worker 1, row 0",
    "resume: worker 0",
    "claim: worker 0, row 1",
    "Discord posts row 1",
    "record delivery: worker 0, row 1",
]
"""A worker dies after its message has arrived, and another one finds the message."""


@pytest.fixture
def backend() -> str:
    """Use a file, whose triggers record all events."""
    return "SQLite"


async def record(
    delivery: DeliveryFixture, path: Path, seed: int
) -> tuple[OutboxSpecification, list[str]]:
    """Return the model of a match's outbox, and the real one's events in a random run."""
    match_id = await race(delivery)
    for _ in range(TURNS):
        await delivery.play(match_id)
    assert await delivery.left() == [("post_board", "waiting")] * TURNS
    history = History(path, delivery)
    run = RandomRun(delivery, history, seed)
    await run.finish(STEPS)
    return OutboxSpecification(rows=TURNS, crashes=run.crashes, orphans=2), history.events()


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [*range(20), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(20, 60))]
)
async def test_random_run_is_a_path_of_the_model(
    delivery: DeliveryFixture, tmp_path: Path, seed: int
) -> None:
    model, history = await record(delivery, tmp_path / "test.db", seed)
    assert {f"Discord posts row {row}" for row in range(TURNS)} <= {*history}
    end = first_impossible(model, history)
    assert end is None, "\n".join(history[: end + 1])


@pytest.mark.slow
async def test_outbox_with_other_times_is_no_path_of_the_model(
    delivery: DeliveryFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.transport.SEARCH_AFTER_SECONDS", -1.0)
    model, history = await record(delivery, tmp_path / "test.db", 0)
    end = first_impossible(model, history)
    assert end is not None
    assert history[end] == "search"


def test_written_history_is_possible() -> None:
    assert first_impossible(OutboxSpecification(), POSSIBLE) is None


@pytest.mark.parametrize(
    ("index", "event"),
    [
        (0, "claim: worker 0, row 1"),  # out of order
        (1, "record delivery: worker 0, row 0"),  # not delivered
        (2, "claim: worker 1, row 0"),  # under a lease
        (6, "claim: worker 1, row 0"),  # under a lease for another tick
        (9, "Discord knows row 0"),  # without a search
        (10, "record delivery: worker 0, row 0"),  # by a former claim
        (13, "Discord posts row 0"),  # twice
    ],
)
def test_changed_history_is_impossible(index: int, event: str) -> None:
    events = [*POSSIBLE[:index], event, *POSSIBLE[index + 1 :]]
    assert first_impossible(OutboxSpecification(), events) == index
