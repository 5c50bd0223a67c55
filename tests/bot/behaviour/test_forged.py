"""Malformed interactions of every kind, on a server on which much has happened.

Each gets one private answer in time; nothing changes, nothing is logged as an error (see
`conftest.py`), and nothing is shown that its sender may not see. `make soak` sends all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import pytest

from bot.app.registry import HANDLERS
from bot.domain.ids import MatchId
from tests.support.tiers import sampled
from tests.verification.malformed import data as forged
from tests.verification.malformed.data import FORMS, Data
from tests.verification.malformed.probe import AUTOCOMPLETE, CLICK, COMMAND, WINDOW, Probe
from tests.verification.malformed.world import living

LANGUAGES = ("en-US", "de")
PLACES = ("home", "dm", "elsewhere")

one_of = sampled(96, 96, 2)
"""A test that sends one of so many; if that is 2, all in each way."""


class Sender:
    """Sends malformed interactions to the world, in the event loop that the bot runs in."""

    def __init__(self, runner: asyncio.Runner, probe: Probe) -> None:
        self._runner = runner
        self.probe = probe

    def run(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine there."""
        self._runner.run(work)

    def send(self, kind: int, data: Sequence[Data], share: int) -> None:
        """Send one of `share` in each language from each place; if that is 2, all from each."""
        ways = list(product(LANGUAGES, PLACES))
        for number, (language, where) in enumerate(ways):
            part = data[number * share // len(ways) :: share]
            self.run(self.probe.store_language(language))
            self.run(self._sent(kind, part, language, where))

    async def _sent(self, kind: int, data: Sequence[Data], language: str, where: str) -> None:
        await self.probe.send(kind, data, language, where)


@pytest.fixture(scope="module")
def sender(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sender]:
    """The world, for all tests."""
    for runner, probe in living(tmp_path_factory.mktemp("forged")):
        yield Sender(runner, probe)
        print(f"\n{probe.report()}")  # noqa: T201 - the numbers are what these tests are for


@pytest.fixture(autouse=True)
def no_worker_is_left() -> None:
    """The world outlives each test, and so may a worker that analyses one of its matches."""


@pytest.fixture(autouse=True)
def _nothing_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """Propose the same each time, so that answers can be compared."""
    monkeypatch.setattr("bot.views.controls._ANY", lambda _: 0)


def test_every_handler_has_a_malformed_form() -> None:
    assert set(FORMS) == {kind.prefix.partition(":")[0] for kind in HANDLERS}


def of_components(
    sender: Sender, make: Callable[[str, Iterable[int], Iterable[int]], Iterator[Data]]
) -> list[Data]:
    """Return the results of `make` for each prefix of a custom_id."""
    numbers = sender.probe.numbers
    running = (numbers.running, numbers.secret, numbers.timed)
    return [data for prefix in sorted(FORMS) for data in make(prefix, numbers.refused, running)]


def of_commands(
    sender: Sender, make: Callable[[Iterable[Any], Iterable[int], int], Iterator[Data]]
) -> list[Data]:
    """Return the results of `make` for the bot's commands."""
    commands = list(sender.probe.stage.client.tree.walk_commands())
    return list(make(commands, sender.probe.numbers.refused, sender.probe.numbers.running))


@pytest.mark.slow
@one_of
def test_malformed_clicks_change_nothing(sender: Sender, samples: int) -> None:
    sender.send(CLICK, of_components(sender, forged.clicks), samples)


@pytest.mark.slow
def test_unseen_seats_of_the_computer_cannot_be_taken(sender: Sender) -> None:
    numbers = sender.probe.numbers
    forgeries = [
        {"custom_id": f"{prefix}:{match}", "component_type": 2}
        for prefix, match in product(
            ("accept", "computer", "hint"), (*numbers.hidden[-2:], *numbers.abroad[-2:])
        )
    ]
    sender.run(sender.probe.store_language(LANGUAGES[0]))
    for person in (sender.probe.stage.ada, sender.probe.stage.eve):
        sender.run(sender.probe.send(CLICK, forgeries, senders=(person,)))


@pytest.mark.slow
@one_of
def test_malformed_windows_change_nothing(sender: Sender, samples: int) -> None:
    sender.send(WINDOW, of_components(sender, forged.windows), samples)


@pytest.mark.slow
@one_of
def test_malformed_commands_change_nothing(sender: Sender, samples: int) -> None:
    sender.send(COMMAND, of_commands(sender, forged.commands), samples)


@pytest.mark.slow
@one_of
def test_malformed_autocompletes_change_nothing(sender: Sender, samples: int) -> None:
    sender.send(AUTOCOMPLETE, of_commands(sender, forged.autocompletes), samples)


@pytest.mark.slow
@sampled(384, 384, 2)
@pytest.mark.parametrize("other", ["running", "secret"])
def test_malformed_interactions_reveal_nothing_hidden(
    sender: Sender, other: str, samples: int
) -> None:
    """Bo and Eve get the same answers when Ada's hidden coins, or dice, have other values."""
    probe = sender.probe
    forgeries = {
        CLICK: of_components(sender, forged.clicks),
        WINDOW: of_components(sender, forged.windows),
        COMMAND: of_commands(sender, forged.commands),
        AUTOCOMPLETE: of_commands(sender, forged.autocompletes),
    }
    match_id = getattr(probe.numbers, other)

    async def answers() -> list[str]:
        people = probe.senders[1:]
        looks = list(forged.looks(match_id))
        texts = [
            answer
            for person in people
            for answer in await probe.send(CLICK, looks, senders=[person])
        ]
        return texts + [
            answer
            for kind, data in forgeries.items()
            for answer in await probe.send(kind, data[::samples], senders=people)
        ]

    async def both() -> None:
        await probe.store_language("en-US")
        before = await answers()
        async with probe.other_secrets(match_id, probe.stage.bo):
            after = await answers()
        assert before == after

    sender.run(both())


@pytest.mark.slow
@pytest.mark.parametrize("where", [pytest.param("home", marks=pytest.mark.soak), "elsewhere"])
def test_unseen_matches_cannot_be_told_from_missing_ones(sender: Sender, where: str) -> None:
    """Eve, who plays in no match, gets one answer for a match that she can't see and for none."""
    probe = sender.probe
    numbers = probe.numbers
    unseen = [*numbers.hidden, *numbers.abroad]
    if where == "elsewhere":
        unseen = [numbers.running, numbers.finished, numbers.closed, numbers.timed]
    forms = [form for forms in FORMS.values() for form in forms if "{m}" in form]

    async def answers(match_id: MatchId) -> list[str]:
        custom_ids = [form.format(m=match_id, v="1") for form in forms]
        clicks = [{"custom_id": text, "component_type": 3, "values": ["1"]} for text in custom_ids]
        windows = [{"custom_id": text, "components": forged.WINDOWS[4]} for text in custom_ids]
        eve = (probe.stage.eve,)
        return [
            *await probe.send(CLICK, clicks, where=where, senders=eve),
            *await probe.send(WINDOW, windows, where=where, senders=eve),
        ]

    async def compare() -> None:
        await probe.store_language("en-US")
        missing = await answers(MatchId(forged.UNKNOWN))
        for match_id in unseen:
            expected = [text.replace(str(forged.UNKNOWN), str(match_id)) for text in missing]
            replies = zip(forms * 2, expected, await answers(MatchId(match_id)), strict=True)
            differing = {form: pair for form, *pair in replies if pair[0] != pair[1]}
            assert not differing, match_id

    sender.run(compare())
