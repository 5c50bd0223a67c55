"""A reply reports how far long work is, until it is done."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.interactions import progress
from bot.interactions.progress import report


class Edited:
    """An interaction whose reply is edited."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.changed = asyncio.Event()
        self.is_gone = False

    async def edit_original_response(self, *, view: Any, **_rest: Any) -> None:
        """Note the text."""
        if self.is_gone:
            raise LookupError("the reply is deleted")
        self.sentences.append(view.children[0].content)
        self.changed.set()


@pytest.fixture
def interaction(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(progress, "PROGRESS_SECONDS", 0.0)
    return Edited()


async def test_progress_is_reported_until_the_result_is_there(interaction: Any) -> None:
    done = list[int]()

    async def work() -> str:
        for number in range(3):
            done[:] = [number]
            interaction.changed.clear()
            await interaction.changed.wait()
        return "result"

    assert await report(interaction, work(), lambda: f"step {done[0]}") == "result"
    assert {"step 0", "step 1", "step 2"} == set(interaction.sentences)


async def test_error_of_the_work_is_raised(interaction: Any) -> None:
    async def work() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await report(interaction, work(), lambda: "…")


async def test_work_stops_with_its_reply(interaction: Any) -> None:
    stopped: list[bool] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(True)
            raise

    interaction.is_gone = True
    with pytest.raises(LookupError):
        await report(interaction, work(), lambda: "…")
    await asyncio.sleep(0)
    assert stopped == [True]
