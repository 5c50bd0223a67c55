"""A story of a match with days off, in which Ada's time zone and later her days off differ."""

from __future__ import annotations

from typing import Any

from bot.domain.clocks import HOUR
from tests.support.harness import words
from tests.support.match_card import card_of
from tests.verification.leaks.story import Story

NEIGHBOURS = "Europe/Berlin", "Europe/Paris"
"""Ada's time zone in each world when the match begins: their clocks show the same time."""

LATER_ZONES, LATER_DAYS = ("Asia/Tokyo", "America/Havana"), ("56", "off")
"""What she chooses in each world while the match goes on."""

DAYS_OFF = "45"
"""Ada's days off in the match: Friday, on which the stories begin, and Saturday."""

SHOWN_DAYS, SHOWN_HOURS = (
    "die Uhr steht an diesen Tagen: Freitag und Samstag",
    "Ada antwortet meist",
)
"""What Bo reads: these are no secrets."""


class TimeStory(Story):
    """Ada's settings differ, and nothing else; her opponents see her days off and active hours."""

    def __init__(self, *args: Any, swapped: bool, **kwargs: Any) -> None:
        super().__init__(*args, swapped=False, **kwargs)
        self._world = int(swapped)

    async def begin(self, **options: Any) -> None:
        """Choose settings, and begin a match whose players have days off of their own."""
        stage = self.stage
        await stage.ada.slash(self.lobby, "settings", zone=NEIGHBOURS[self._world])
        await stage.prefer(stage.ada, quiet="22-8")
        await stage.prefer(stage.ada, days_off=DAYS_OFF, active_hours="on")
        await super().begin(side="OrthogonAliens", clock="3 days per turn", days_off="o", **options)

    async def read_times(self) -> None:
        """All look at the board and the card, on which Bo reads when Ada usually answers."""
        stage = self.stage
        for user in (stage.bo, stage.eve, self.root):
            board = words(stage.last(stage.where))
            card = words((await card_of(stage, user, self.where, self.match_id)).response)
            self.done["days off"] += SHOWN_DAYS in board
            self.done["active hours"] += SHOWN_HOURS in card
        self.watcher.note()

    async def change_settings(self) -> None:
        """Ada hides her hours, then chooses another zone and other days off for later matches."""
        stage = self.stage
        await stage.prefer(stage.ada, quiet="off")
        await stage.prefer(stage.ada, days_off=LATER_DAYS[self._world], active_hours="off")
        panel = await stage.ada.slash(self.lobby, "settings", zone=LATER_ZONES[self._world])
        self.done["settings"] += LATER_ZONES[self._world] in words(panel.response)


async def with_days_off(story: TimeStory) -> None:
    """Each act before and after the change of settings, until a time is over and claimed."""
    await story.begin()
    for number in range(6):
        await story.choose()
        await story.act(story.read_times)
        await story.act(story.own_takeback)
        if number == 2:
            for act in (story.look_around, story.reminders, story.export):
                await story.act(act)
        if number == 3:
            await story.act(story.change_settings)
    for act in (story.vacations, story.move, story.peep, story.own_takeback, story.overtime):
        await story.act(act)
        await story.wait(8 * HOUR)
        await story.choose()
    await story.act(story.look_around)
    await story.act(story.claim)
    await story.act(story.watch_again)
