"""Changes by a simulation's host to the forum in which matches are announced."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.support.fake_discord import FakeDiscord
from tests.support.fake_objects import BOT
from tests.verification.kills.halls import FORUM, TAGS

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

SETTINGS = (
    *("tags required", "tags deleted", "tags for moderators", "no tags", "names blocked"),
    *("slow mode", "too many threads", "hidden", "read only", "back to normal", "back to normal"),
)
"""Settings that may change; repeated ones change more often."""

CLOSING = frozenset({"too many threads", "hidden", "read only"})
"""Settings with which the bot creates no posts."""

DELETED = 0.02
"""Probability that the forum is deleted instead."""

TOLD = 0.7
"""Probability that the gateway reports a change; else a refusal shows it, or nothing."""

SLOW_SHARES = (0.02, 0.1)
"""Least and most time between two messages in slow mode, in days."""


async def change_forum(simulation: Simulation) -> None:
    """Change a setting of the forum, or delete it."""
    fake, random = simulation.fake, simulation.random
    if FORUM in fake.deleted:
        return
    if random.random() < DELETED:
        await fake.delete_channel(FORUM)
        simulation.report.done["forum deleted"] += 1
        return
    setting = random.choice(SETTINGS)
    _change(fake, setting, random, simulation.day)
    if setting in CLOSING or not _has_usable_tags(fake):
        fake.allowed_again |= {FORUM, *fake.posts(FORUM)}
    simulation.report.done[f"forum: {setting}"] += 1
    if random.random() < TOLD:
        await fake.tell_of_channel(FORUM)


def _has_usable_tags(fake: FakeDiscord) -> bool:
    """Return whether the bot can apply a tag to its list, if one is required.

    It chooses the first one: as an administrator here, it takes those of moderators for usable.
    """
    tags = list(fake.forums[FORUM].values())
    is_usable = bool(tags) and (fake.may_manage or tags[0] not in fake.moderated)
    return is_usable or FORUM not in fake.tags_required


def _change(fake: FakeDiscord, setting: str, random: Random, day: float) -> None:
    """Change a setting."""
    if setting == "tags required":
        fake.tags_required.add(FORUM)
    elif setting == "tags deleted":
        fake.delete_tags(FORUM, random.sample(list(TAGS), 2))
    elif setting == "no tags":
        fake.delete_tags(FORUM, list(TAGS))
    elif setting == "tags for moderators":
        fake.moderated = set(random.sample(list(TAGS.values()), 3))
        fake.may_manage = False
    elif setting == "names blocked":
        fake.blocked_words = {"User"}
    elif setting == "slow mode":
        fake.slow[FORUM] = random.uniform(*SLOW_SHARES) * day
    elif setting == "too many threads":
        fake.full.add(FORUM)
    elif setting == "hidden":
        fake.hidden[FORUM].add(BOT)
        fake.silenced |= {FORUM, *fake.posts(FORUM)}
    elif setting == "read only":
        fake.silenced |= {FORUM, *fake.posts(FORUM)}
    else:
        _reset(fake)


def _reset(fake: FakeDiscord) -> None:
    """Have the forum as it was in the beginning."""
    fake.tags_required.clear()
    fake.forums[FORUM] = dict(TAGS)
    fake.moderated.clear()
    fake.may_manage = True
    fake.blocked_words.clear()
    fake.slow.clear()
    fake.full.clear()
    fake.hidden[FORUM].clear()
    fake.silenced -= {FORUM, *fake.posts(FORUM)}
