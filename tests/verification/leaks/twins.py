"""Stories told in two worlds: short ones with each act once, and random ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import discord
import pytest
import simcord

from bot.app.run import open_database
from bot.domain.clocks import HOUR
from bot.domain.ids import MatchId
from bot.features.cups.posts import CupSender
from bot.features.cups.rows import Cup
from bot.features.halls import service as halls
from bot.features.replays import commands as replays
from bot.features.replays.continuation_views import AGAINST, OTHERS
from bot.outbox import threads, worker
from bot.services.servers import ServerSettings
from engine import games
from engine.game import Action, View
from tests.support.driver import by_click, by_command, silently
from tests.support.harness import SETTLE_TIMEOUT_SECONDS, NoRateLimit, Stage, ids, words
from tests.support.interactions import fire, payload
from tests.support.locales import Locales, chosen_locales
from tests.support.match_card import card_of
from tests.verification.leaks.diff import Difference, Told, differences
from tests.verification.leaks.storage import use_event_loop
from tests.verification.leaks.story import Story
from tests.verification.leaks.world import Watcher, chatty_logs

ACTS_PER_CHOICE = 0.4
"""Share of the choices of a random story that another act follows."""

PLANS_SHARE = 0.5
"""Share of Bo's choices before which Ada writes a plan."""

RATED = 0.5
"""Share of the random stories whose match is rated."""

NEVER_SECONDS = 3600.0
"""Real time, in seconds, of delays that must not affect the story."""

LIST_PAUSE_SECONDS = HOUR / 2
"""Pause of the hall. simcord waits in real time for messages due within its timeout; after the time
that passes in stories, none of the hall's are."""

SECRET_DICE = MappingProxyType({"setup": "secret"})

Teller = Callable[[Any], Awaitable[None]]


class SecretStory(Story):
    """Ada chooses in secret, takes that back and chooses otherwise; Bo has not chosen yet.

    For any game in which both choose at the same time.
    """

    async def choose(self, way: Any = silently) -> bool:
        """Ada chooses, or takes her choice back, if she still may, and chooses otherwise."""
        del way
        stage, where = self.stage, self.lobby
        perspective = await stage.perspective(self.match_id, stage.ada)
        if self.done["choice"] % 2 or not perspective.view.legal:
            answer = await stage.ada.slash(where, "takeback", match=self.match_id)
            self.done["secret taken back"] += words(answer.response).startswith("Taken back")
            perspective = await stage.perspective(self.match_id, stage.ada)
        if not perspective.view.legal:  # a draw was offered meanwhile
            return False
        action = self._one_of(perspective.view)
        answer = await stage.ada.slash(where, "do", action=action.notation, match=self.match_id)
        assert answer.ephemeral
        await self.settle()
        self.done["choice"] += 1
        return True

    def _one_of(self, view: View) -> Action:
        """Return a choice; another one in the other world."""
        one, other = (self.random.randrange(10**6) for _ in range(2))
        game, number = games.get(view.game), one % len(view.legal)
        if len(view.legal) == 1:  # a form, with no value that is the same in both worlds
            dice = iter(range(10**6))
            return game.fill(
                view.legal[0], lambda n: (one + next(dice) + n // 2 * self.swapped) % n
            )
        step = 1 + other % (len(view.legal) - 1) if self.swapped else 0
        return view.legal[(number + step) % len(view.legal)]


class PlannedStory(Story):
    """Ada has plans in one of the worlds, which stop; the coins are the same in both."""

    def __init__(self, *args: Any, swapped: bool, **kwargs: Any) -> None:
        super().__init__(*args, swapped=False, **kwargs)
        self.has_plans = not swapped

    async def choose(self, way: Any = silently) -> bool:
        """Ada writes a plan while she waits; then the next choice is made."""
        stage = self.stage
        if await stage.deciding(self.match_id) is stage.bo and self.random.random() < PLANS_SHARE:
            await self._plan("if S9: move S E\nif M9: move M E" if self.has_plans else "")
        return await super().choose(way)

    async def _plan(self, orders: str) -> None:
        ada, where = self.stage.ada, self.lobby
        reply = await ada.slash(where, "plan", match=self.match_id)
        opened = await self.stage.click(ada, reply.response, f"plan:{self.match_id}:edit")
        written = await ada.submit_modal(opened, {"orders": orders})
        assert written.response.ephemeral
        await self.settle()
        self.done["plan"] += 1

    async def look_at_plans(self) -> None:
        """Ada publishes and unpublishes a plan, if she has one; then the others look for it."""
        stage, match_id = self.stage, self.match_id
        seat = (await self.match()).seat_of(stage.ada.id)
        message = stage.last(stage.where)
        for step in ("publish", "unpublish"):
            custom_id = f"ownplan:{match_id}:{step}"
            answer = await fire(stage, payload(stage, stage.ada, message, "", custom_id))
            self.done["plan looked for"] += answer.ephemeral
        for user in (stage.bo, stage.eve, self.root):
            await card_of(stage, user, self.where, match_id, "replay")
            for start in ("since:{id}", "ownplan:{id}", "seatplan:{id}:{seat}"):
                custom_id = start.format(id=match_id, seat=seat)
                await fire(stage, payload(stage, user, message, "", custom_id))
            self.watcher.note()

    async def play_on(self) -> None:
        """Bo plays on against Ada and Eve from a position in which the dice are not due.

        They differ in both worlds, as other interactions have come before.
        """
        stage, before = self.stage, self.match_id
        page = await stage.bo.slash(self.where, "replay", match=before)
        for step in (":Last", ":Back"):
            page = await stage.bo.click(page.response, custom_id=_ending(page.response, step))
        opponents = _ending(page.response, f":{AGAINST}")
        window = await stage.bo.select(page.response, [OTHERS], custom_id=opponents)
        await stage.bo.submit_modal(window, {"people": [stage.ada, stage.eve]})
        await self.settle()
        for number, user in ((before + 1, stage.ada), (before + 2, stage.eve)):
            custom_id = f"accept:{number}"
            card = next(card for card in reversed(self.where.history()) if custom_id in ids(card))
            await stage.click(user, card, custom_id)
            await self.settle()
            started = await stage.client.context.queries.match(MatchId(number))
            self.done["played on"] += started.origin_id == before
            await user.slash(self.where, "board", match=number)
            self.watcher.note()


def _ending(message: Any, end: str) -> str:
    """Return the custom_id of a message that ends like this."""
    return next(custom_id for custom_id in ids(message) if custom_id.endswith(end))


@dataclass
class Twins:
    """A story told in both worlds.

    Attributes:
        one, two: what others than Ada can know in each.
        done: how often each act has come about in one of them.
        done_in_two: the same in the other one.
    """

    one: Told
    two: Told
    done: Counter[str]
    done_in_two: Counter[str]

    @property
    def found(self) -> list[Difference]:
        """Return the differences."""
        acts = Difference("acts", f"{self.done}", f"{self.done_in_two}")
        is_same = self.done == self.done_in_two
        return [*([] if is_same else [acts]), *differences(self.one, self.two)]


_show = CupSender._show


async def show_after_matches(sender: CupSender, cup: Cup, settings: ServerSettings) -> None:
    """Bring the messages of a cup up to date once those of its matches are sent."""
    while await sender._posts.has_waiting_messages(cup):  # noqa: ASYNC110 - no event tells it
        await asyncio.sleep(0.0)
    await _show(sender, cup, settings)


@contextmanager
def in_order() -> Iterator[Locales]:
    """Send one message at a time, in an order that can be compared; nothing takes too long.

    Yields:
        number of a user → the language of their Discord.
    """
    with pytest.MonkeyPatch.context() as patch:
        use_event_loop(patch)
        patch.setattr(CupSender, "_show", show_after_matches)
        patch.setattr(worker, "CONCURRENT_DELIVERIES", 1)
        patch.setattr(replays, "PROGRESS_SECONDS", NEVER_SECONDS)
        patch.setattr(threads, "THREAD_TIMEOUT_SECONDS", NEVER_SECONDS)
        patch.setattr(worker, "ATTEMPT_TIMEOUT_SECONDS", NEVER_SECONDS)
        patch.setattr("bot.interactions.permissions.LOOKUP_TIMEOUT_SECONDS", NEVER_SECONDS)
        patch.setattr(halls, "LIST_PAUSE_SECONDS", LIST_PAUSE_SECONDS)
        patch.setattr("bot.views.controls._ANY", lambda _: 0)  # the action proposed to Bo
        yield chosen_locales(patch)


def both(folder: Path, teller: Teller, seed: int = 0, kind: type[Story] = Story) -> Twins:
    """Tell a story in both worlds."""
    with in_order() as locales:
        (one, first), (two, second) = (
            asyncio.run(tell(folder, locales, teller, swapped=swapped, seed=seed, kind=kind))
            for swapped in (False, True)
        )
    return Twins(one, two, first, second)


async def tell(
    folder: Path, locales: Locales, teller: Teller, *, swapped: bool, seed: int, kind: type[Story]
) -> tuple[Told, Counter[str]]:
    """Tell a story in a new world; return what others than Ada can know of it."""
    with chatty_logs() as logs:
        async with (
            open_database(f"sqlite+aiosqlite:///{folder / f'{swapped}-{seed}.db'}") as database,
            simcord.run(kind.bot(database), settle_timeout=SETTLE_TIMEOUT_SECONDS) as env,
        ):
            stage, cast = await _people(Stage(env, database), locales)
            others = (stage.bo, stage.eve, cast["Zed"], cast["Root"])
            owner = stage.ada if kind.owner_is_ada else None
            watcher = Watcher(stage, others if owner else (stage.ada, *others), logs, owner)
            await watcher.keep_rows()
            story = kind(stage, watcher, Random(seed), cast, swapped=swapped)
            await teller(story)
            lines = await watcher.told()
    assert not logs.errors, logs.errors
    return lines, story.done


async def _people(stage: Stage, locales: Locales) -> tuple[Stage, dict[str, Any]]:
    """Make the channels, and two who watch: Zed sees the lobby only, Root is an admin."""
    stage.client.gate._limits = NoRateLimit()  # a story has more clicks in a minute than people
    zed, root = (
        stage.guild.add_member(stage.env.create_user(name.lower(), global_name=name), roles=roles)
        for name, roles in (("Zed", ()), ("Root", (_admins(stage),)))
    )
    hidden = {zed: discord.PermissionOverwrite(view_channel=False)}
    stage.channel = stage.guild.create_text_channel("club", overwrites=hidden)
    cast = {"Zed": zed, "Root": root, "lobby": stage.guild.create_text_channel("lobby")}
    cast["annex"] = stage.guild.create_text_channel("annex", overwrites=hidden)
    cast["hidden"] = hidden
    for user in (stage.ada, stage.bo, stage.eve):
        await user.user.send_dm("Hello!")  # so that DM channels have the same ids in both worlds
    locales |= {stage.bo.id: "de", root.id: "de"}
    await stage.client.context.servers.choose(stage.guild.id, language="de", threads="on")
    await stage.client.context.preferences.set(stage.bo.id, "turns", "on")
    await stage.without_forced_moves()  # a forced move could turn over a coin of Ada's
    return stage, cast


def _admins(stage: Stage) -> Any:
    return stage.guild.create_role("admins", permissions=discord.Permissions(manage_guild=True))


async def short(story: Story, end: str = "claim", **options: Any) -> None:
    """Each act once."""
    await story.begin(side="OrthogonAliens", clock="3 days per turn", **options)
    ways = (by_click, by_command)
    await story.act(story.look_around)
    for number in range(4):
        await story.choose(ways[number % 2])
        await story.act(story.own_takeback)
        await story.choose(ways[number // 2])
    closing = story.lock_thread if end == "claim" else story.delete_thread
    placing = [
        story.note,
        story.absent_players,
        story.draw_offers,
        closing,
        story.vacations,
        story.close_dms,
        story.export,
    ]
    placing += [story.reminders, story.overtime]
    while await story.is_placing():
        await story.choose()
        if placing:
            await story.act(placing.pop(0))
    playing = [story.move, story.peep, story.look_up_rules, story.lose_channel, story.look_around]
    for number in range(24):
        if not await story.choose(by_click if number % 5 == 0 else silently):
            break
        if story.turned and not story.done["agreed"]:
            await story.act(story.own_takeback)
        if playing and number % 4 == 1:
            await story.act(playing.pop(0))
    for act in playing:
        await story.act(act)
    await story.act(story.claim if end == "claim" else story.erase)
    await story.act(story.watch_again)


async def in_a_hall(story: Story, *, forum: bool) -> None:
    """The match is listed in a hall; in a forum, it is played in its post, and it is rated."""
    await story.open_hall(forum=forum)
    await story.begin(side="OrthogonAliens", clock="3 days per turn", rated=forum)
    for number in range(36):
        if not await story.choose():
            break
        if number % 6 == 0:
            await story.act(story.own_takeback)
            await story.wait(2 * HOUR)
    acts = (story.look_around, story.draw_offers, story.vacations, story.reminders, story.move)
    for act in (*acts, story.peep, story.look_around):
        await story.act(act)
    await story.act(story.agree_on_draw)


async def secretly(
    story: SecretStory,
    end: str = "agree_on_draw",
    seed: int = 0,
    *,
    game: str = "warp6",
    options: Mapping[str, str] = SECRET_DICE,
) -> None:
    """Each act once while one choice is hidden, in an order that a seed other than 0 shuffles."""
    side = next(iter(games.get(game).sides.values()))
    await story.begin(game=game, side=side, clock="3 days per turn", **options)
    await story.choose()
    acts = [
        *(
            story.note,
            story.look_around,
            story.lock_thread,
            story.vacations,
            story.close_dms,
            story.export,
        ),
        *(story.move, story.peep, story.lose_channel, story.draw_offers, story.reminders),
        *(story.look_around, story.look_up_rules),
    ]
    if seed:
        story.random.shuffle(acts)
    for act in (*acts, getattr(story, end), story.watch_again):
        await story.act(act)


async def random_walk(story: Story, length: int, *, hall: bool, **options: Any) -> None:
    """Choices and other acts at random; an end at random; perhaps listed in a hall, or rated."""
    if hall:
        await story.open_hall(forum=False)
    rated = story.random.random() < RATED
    await story.begin(side="OrthogonAliens", clock="3 days per turn", rated=rated, **options)
    acts = (
        *(story.own_takeback, story.draw_offers, story.vacations, story.reminders, story.move),
        story.note,
        *(story.lock_thread, story.delete_thread, story.close_dms, story.lose_channel),
        *(story.look_up_rules, story.export, story.look_around, story.peep, story.own_takeback),
        *(story.overtime, story.absent_players),
    )
    for _ in range(length):
        if not await story.choose(story.random.choice((silently, silently, by_click, by_command))):
            break
        if story.turned and story.random.random() < ACTS_PER_CHOICE:
            await story.act(story.own_takeback)  # which needs consent, for a coin was turned
        elif story.random.random() < ACTS_PER_CHOICE:
            await story.act(story.random.choice(acts))
    while await story.is_placing():  # then the end shows no hand
        await story.choose()
    await story.act(story.random.choice((story.claim, story.erase, story.agree_on_draw)))
    await story.act(story.watch_again)
