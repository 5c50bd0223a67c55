"""Nothing leaks: the same story is told in two worlds that differ only in Ada's hidden values.

All that others than Ada can read (messages, edits, files, alt texts, custom_ids, answers, DMs,
exports) has to be equal to the byte in both, and so have the outbox, the timers and the logs.
Random stories are in `tests.bot.behaviour.test_leak_walks`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.domain.outbox import OutboxKind, OutboxMessage
from bot.features.published_plans import service as published_plans
from bot.interactions.components import BUTTON_GONE
from bot.services.automatic_moves import StopReason
from bot.services.deliveries import Deliveries, DeliverySnapshot
from bot.services.match_changes import MatchChange
from bot.services.match_store import MatchStore
from bot.services.pings import PING_DELAY_SECONDS
from bot.storage.connection import Connection
from bot.storage.schema import plans
from tests.support.any_game import SIMULTANEOUS
from tests.verification.leaks.diff import readable
from tests.verification.leaks.plants import PLANTS, Plant, Secret, glimpse
from tests.verification.leaks.story import Story
from tests.verification.leaks.twins import (
    PlannedStory,
    SecretStory,
    Teller,
    Twins,
    both,
    in_a_hall,
    secretly,
    short,
)

EVERY_STORY = {
    *("DM refused", "board by DM", "choice", "click on since", "click on text", "draw offered"),
    *(
        "exported",
        "animation",
        "moved",
        "proposals",
        "reminder",
        "rules shown",
        "secret taken back",
    ),
    *("notes", "snoozed", "turned away", "two languages", "vacation"),
}
"""Acts of each story."""

OPEN_STORIES = {
    *("agreed", "claim too late", "click on hand", "takeback asked", "taken back", "time over"),
    *("ping", "too late", "warning", "nudged", "abandon proposed", "record stayed closed"),
    "silence",
}
"""Acts of the stories in which both go on."""


NOT_IN_EVERY_GAME = {"DM refused", "two languages", "click on menu"}
"""Acts that need another turn, a translation, or a single player who decides."""

MOST_TELLINGS = 8
"""How often a story is told, with other choices, until all its acts have come about."""


def check_all(folder: Path, teller: Teller, acts: set[str], kind: type[Story] = Story) -> None:
    """Tell a story until all acts have come about; check that nothing differs each time."""
    done: set[str] = set()
    for seed in range(3, 3 + MOST_TELLINGS):
        twins = both(folder, teller, seed=seed, kind=kind)
        assert not twins.found, readable(twins.found)
        done |= {act for act, count in twins.done.items() if count}
        if done >= acts:
            break
    assert done == acts


def check(twins: Twins, acts: set[str]) -> None:
    """Check that nothing differs, and that just these acts have come about."""
    assert not twins.found, readable(twins.found)
    assert {act for act, count in twins.done.items() if count} == acts
    assert all(lines for channel, lines in twins.one._asdict().items() if channel != "workers")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("notes", "end", "acts"),
    [
        ("off", "claim", {"thread locked", "claimed"}),
        pytest.param("on", "erase", {"thread deleted", "erased"}, marks=pytest.mark.soak),
    ],
)
def test_story_with_other_coins_reads_the_same(
    tmp_path: Path, notes: str, end: str, acts: set[str]
) -> None:
    check_all(tmp_path, partial(short, end=end, notes=notes), EVERY_STORY | OPEN_STORIES | acts)


@pytest.mark.slow
@pytest.mark.first(check=2)
@pytest.mark.usefixtures("bids")
@pytest.mark.parametrize(("game", "options"), SIMULTANEOUS)
def test_story_with_another_secret_choice_reads_the_same(
    tmp_path: Path, game: str, options: dict[str, str]
) -> None:
    twins = both(tmp_path, partial(secretly, game=game, options=options), kind=SecretStory)
    assert not twins.found, readable(twins.found)
    acts = EVERY_STORY | {"click on menu", "thread locked", "draw accepted"}
    assert acts - {act for act, count in twins.done.items() if count} <= NOT_IN_EVERY_GAME


@pytest.mark.slow
@pytest.mark.parametrize("forum", [pytest.param(False, marks=pytest.mark.soak), True])
def test_story_in_a_hall_reads_the_same(tmp_path: Path, forum: bool) -> None:
    twins = both(tmp_path, partial(in_a_hall, forum=forum))
    assert not twins.found, readable(twins.found)
    assert twins.done["in the hall"]
    assert twins.done["draw accepted"]


@pytest.mark.slow
def test_w9_1_glimpse_with_other_coins_reads_the_same(tmp_path: Path) -> None:
    differences = both(tmp_path, glimpse).found
    assert not differences, readable(differences)


@pytest.mark.soak
def test_story_with_plans_reads_like_one_without(tmp_path: Path) -> None:
    teller = partial(short, end="erase", notes="on")
    twins = both(tmp_path, teller, kind=PlannedStory)
    assert not twins.found, readable(twins.found)
    assert twins.done["plan"]
    assert twins.done["erased"]


@pytest.mark.soak
def test_all_acts_with_plans_read_like_those_without(tmp_path: Path) -> None:
    acts = EVERY_STORY | OPEN_STORIES | {"thread deleted", "erased", "plan"}
    check_all(tmp_path, partial(short, end="erase", notes="on"), acts, PlannedStory)


async def plan_and_stop(story: Story) -> None:
    """Ada's plan stops after Bo's next choice."""
    await story.begin(side="OrthogonAliens")
    for _ in range(6):
        await story.choose()
        await story.wait(PING_DELAY_SECONDS + 1)  # who does not go on is told by DM


@pytest.mark.slow
def test_plan_that_stops_reads_like_none(tmp_path: Path) -> None:
    twins = both(tmp_path, plan_and_stop, kind=PlannedStory)
    assert not twins.found, readable(twins.found)
    assert twins.done["plan"]


async def plan_and_end(story: Story) -> None:
    """Ada has a plan at the end of the match, and the others look for it."""
    assert isinstance(story, PlannedStory)
    await story.begin(side="OrthogonAliens")
    for _ in range(4):
        await story.choose()
    await story.act(story.agree_on_draw)
    await story.act(story.look_at_plans)
    await story.act(story.watch_again)


@pytest.mark.slow
def test_private_plan_after_a_match_reads_like_none(tmp_path: Path) -> None:
    twins = both(tmp_path, plan_and_end, kind=PlannedStory)
    assert not twins.found, readable(twins.found)
    assert twins.done["plan"]
    assert twins.done["plan looked for"] == 2


async def plan_and_play_on(story: Story) -> None:
    """Ada has a plan and a note in the match; then Bo plays on against two opponents."""
    assert isinstance(story, PlannedStory)
    await story.begin(side="OrthogonAliens")
    for _ in range(4):
        await story.choose()
    await story.note()
    await story.act(story.agree_on_draw)
    await story.act(story.play_on)


@pytest.mark.slow
def test_matches_played_on_tell_no_plan_and_no_note(tmp_path: Path) -> None:
    twins = both(tmp_path, plan_and_play_on, kind=PlannedStory)
    assert not twins.found, readable(twins.found)
    assert twins.done["plan"]
    assert twins.done["played on"] == 2


# leaks made on purpose


@pytest.mark.slow
def test_planted_look_at_a_private_plan_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published_plans, "_readable_by", lambda _: published_plans._IS_OVER)
    differences = both(tmp_path, plan_and_end, kind=PlannedStory).found
    assert "requests" in {difference.channel for difference in differences}


@pytest.mark.slow
def test_planted_word_about_a_plan_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Deliveries.read

    async def careless(self: Deliveries, queued: OutboxMessage) -> DeliverySnapshot:
        delivery = await honest(self, queued)
        async with self._database.read() as connection:
            stopped = (await connection.execute(select(plans.c.stopped))).scalars().first()
        return replace(delivery, stopped=StopReason(stopped) if stopped else None)

    monkeypatch.setattr(Deliveries, "read", careless)
    differences = both(tmp_path, plan_and_stop, kind=PlannedStory).found
    assert "requests" in {difference.channel for difference in differences}


@pytest.mark.slow
def test_planted_message_about_a_plan_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = MatchStore.save

    async def careless(self: MatchStore, connection: Connection, change: MatchChange) -> None:
        await honest(self, connection, change)
        stopped = (await connection.execute(select(plans.c.stopped_at))).scalars().all()
        if change.version in stopped:
            kind = OutboxKind.EDIT_BOARD
            await self.queue_board(connection, change.row.id, change.version, kind)

    monkeypatch.setattr(MatchStore, "save", careless)
    differences = both(tmp_path, plan_and_stop, kind=PlannedStory).found
    assert "outbox" in {difference.channel for difference in differences}


@pytest.mark.slow
def test_planted_leak_through_another_view_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Deliveries.read

    async def careless(self: Deliveries, queued: OutboxMessage) -> DeliverySnapshot:
        delivery = await honest(self, queued)
        if delivery.view is None:
            return delivery
        challenger = delivery.match.challenger_id
        other = await self._queries.view(queued.match_id, challenger)
        return replace(delivery, view=other.view)

    async def look(story: Story) -> None:
        await story.begin(game="warp6", setup="secret", side="Black")
        await story.choose()
        await story.act(story.look_around)

    monkeypatch.setattr(Deliveries, "read", careless)
    differences = both(tmp_path, look, kind=SecretStory).found
    assert {"requests", "pictures"} <= {difference.channel for difference in differences}


@pytest.mark.slow
def test_planted_leaks_are_found_each_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = Secret(monkeypatch)
    for plant in PLANTS.values():
        plant.plant(monkeypatch, secret)
    differences = both(tmp_path, glimpse).found
    leaks = {name for name, plant in PLANTS.items() if any(map(plant.is_shown, differences))}
    assert leaks == {*PLANTS}, readable(differences)


@pytest.mark.soak
@pytest.mark.parametrize("plant", PLANTS.values(), ids=PLANTS)
def test_planted_leak_alone_is_found_in_its_place_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Plant
) -> None:
    plant.plant(monkeypatch, Secret(monkeypatch))
    differences = both(tmp_path, glimpse).found
    assert any(map(plant.is_shown, differences)), readable(differences)
    assert {difference.channel for difference in differences} == plant.channels, readable(
        differences
    )


def test_the_sentence_for_dead_buttons_reveals_nothing() -> None:
    assert not any(letter.isdigit() for letter in BUTTON_GONE)
