"""A story for two worlds that differ only in Ada's hidden values, told through the bot.

The interludes are what people do beside choosing. The short story has each of them once, a long one
draws them at random.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import discord
import simcord

from bot.clocks import DAY, HOUR
from bot.run import opened
from engine.game import CHANCE, Action
from engine.wormholes.board import INDEX, XY
from engine.wormholes.view import WormholesView
from tests.bot.driver import by_click, by_command, silently
from tests.bot.leak_world import Told, Watcher, chatty_logs
from tests.bot.stage import PATIENCE, Stage, actor_bot, ids, words
from tests.bot.test_bad_input import fire, payload
from tests.engine.wormholes.positions import GAME

SWAPPED = dict(zip("012345", "354102", strict=True))
"""Ada's values in the other world."""

CLOSED_DM, LOCKED_THREAD = 50007, 50083
"""Discord's codes for a user who takes no DMs, and for a thread that is locked and archived."""

INTERLUDES = 0.4
"""Share of the choices of a random story that something else follows."""

LOOKED_AT = ("overlay:1", "since:1", "text:1:0", "hand:1", "replay:1:0", "film:1", "part:1:1")
"""What a member clicks on who cannot see the match."""

Locales = dict[int, str]


class Story:
    """One match in one of the two worlds, and the people around it.

    Attributes:
        turned: whether the last choice has turned over a coin of Bo's.
        happened: what has come about by now, so that a test can see that it did.
    """

    def __init__(
        self,
        stage: Stage,
        watcher: Watcher,
        random: Random,
        cast: Mapping[str, Any],
        *,
        swapped: bool,
    ) -> None:
        self.stage = stage
        self.watcher = watcher
        self.random = random
        self.zed, self.root = cast["Zed"], cast["Root"]
        self.lobby, self.annex = cast["lobby"], cast["annex"]
        self.swapped = swapped
        self.match_id = 1
        self.turned = False
        self.happened: set[str] = set()

    async def begin(self, **options: Any) -> None:
        """Begin the match, in a thread of its own."""
        self.match_id = await self.stage.begin(**options)
        (self.stage.where,) = self.stage.channel.threads
        self.watcher.note()

    async def settle(self) -> None:
        """Let everything arrive."""
        await self.stage.client.delivery.flush()
        await self.stage.env.settle()
        self.watcher.note()

    async def choose(self, way: Any = silently) -> bool:
        """Make the next choice; return whether there was one that turns over no coin of Ada's."""
        stage = self.stage
        if way is not silently:
            await self.settle()
        actor, state = await stage.deciding(self.match_id), await stage.state(self.match_id)
        swapped = self.swapped and actor is stage.ada
        action = next_choice(state, self.random, swapped=swapped)
        if action is None:
            return False
        before = coins_lying(state, "CA")
        await way(stage, self.match_id, actor, action)
        self.turned = bool(before - coins_lying(await stage.state(self.match_id), "CA"))
        self.watcher.note()
        return True

    async def is_placing(self) -> bool:
        """Return whether coins are still in hand."""
        return bool((await self.stage.state(self.match_id)).hand)

    # what people do beside choosing

    async def own_takeback(self) -> None:
        """Whoever has chosen takes that back at once, if it can be."""
        actor, verb = await self._last_choice()
        where = self.stage.where or self.stage.channel
        answer = await actor.slash(where, "takeback", match=self.match_id)
        said = words(answer.response)
        await self.settle()
        if "asked the others" in said or "gefragt" in said:
            await self._answer_plea(actor)
        elif "Taken back" in said and verb == "place":
            self.happened.add("secret taken back")

    async def _answer_plea(self, actor: Any) -> None:
        """Agree to a takeback, or play on, so that *Agree* comes too late."""
        stage = self.stage
        other = stage.bo if actor is stage.ada else stage.ada
        plea = stage.last(stage.where)
        if not any(each.startswith("agree:") for each in ids(plea)):
            return
        late = "too late" not in self.happened and await self.choose()
        for who in (stage.eve, other):
            await stage.click(who, plea, "agree:")
        self.happened.add("too late" if late else "agreed")
        await self.settle()

    async def _last_choice(self) -> tuple[Any, str]:
        """Return who has chosen last, and the verb."""
        record = await self.stage.client.tables.record(self.match_id)
        last = next(each for each in reversed(record.actions) if each.actor != CHANCE)
        match = await self.stage.client.tables.match(self.match_id)
        return self.stage.people[match.players[last.actor].user_id], last.verb

    async def draw_offers(self) -> None:
        """Each offers a draw that the other declines."""
        stage, where = self.stage, self.stage.where or self.stage.channel
        for one, other in ((stage.ada, stage.bo), (stage.bo, stage.ada)):
            await one.slash(where, "draw", match=self.match_id)
            await other.slash(where, "do", action="draw decline", match=self.match_id)
            asked = await other.slash(where, "do", action="draw accept", match=self.match_id)
            assert asked.ephemeral
            self.watcher.note()
        self.happened.add("draws")

    async def vacations(self) -> None:
        """Both are away for a while."""
        where = self.stage.where or self.stage.channel
        for who in (self.stage.bo, self.stage.ada):
            await who.slash(where, "vacation", days=2)
            await self.wait(3 * HOUR)
            await who.slash(where, "vacation")
            await who.slash(where, "vacation", days=0)
            await self.settle()
        self.happened.add("vacations")

    async def wait(self, seconds: float) -> None:
        """Let time pass, with reminders and warnings."""
        await self.stage.spend(seconds)
        await self.stage.client.timers.fire()
        await self.settle()

    async def reminders(self) -> None:
        """Nobody chooses for so long that they are reminded and warned; snooze, then go on."""
        before = len(self.stage.env.http_requests)
        await self.wait(DAY + HOUR)
        notice = self.stage.last(self.stage.where)
        for who in (self.stage.ada, self.stage.bo):
            if any(each.startswith("snooze:") for each in ids(notice)):
                await self.stage.click(who, notice, "snooze:")
        await self.wait(HOUR)
        assert len(self.stage.env.http_requests) > before
        self.happened.add("reminders")

    async def move(self) -> None:
        """Go on in another channel, whose thread or channel of before keeps the old boards."""
        there = self.annex if self.stage.where is not self.annex else self.stage.channel
        answer = await self.stage.bo.slash(there, "move-here", match=self.match_id)
        assert answer.ephemeral
        self.stage.where = there
        await self.settle()
        self.happened.add("moved")

    async def lock_thread(self) -> None:
        """A moderator locks and archives the thread: the match goes on above."""
        thread = self.stage.where
        if thread is None or not thread.is_thread:
            return
        fault = self.stage.env.inject_error
        own = (f"/channels/{thread.id}", f"/channels/{thread.id}/messages*")
        for method, path in (("PATCH", own[0]), ("POST", own[1]), ("PATCH", own[1])):
            fault(method, path, status=400, code=LOCKED_THREAD, times=None)
        await self.choose()
        await self.settle()
        self.stage.where = None
        self.happened.add("locked")

    async def delete_thread(self) -> None:
        """A moderator deletes the thread: the board is posted above."""
        thread = self.stage.where
        if thread is None or not thread.is_thread:
            return
        self.stage.env.backend.delete_channel(thread.id)
        self.stage.where = None
        await self.stage.env.settle()
        await self.settle()
        self.happened.add("deleted")

    async def close_dms(self) -> None:
        """Bo takes no DMs any more, and then again."""
        own = f"/channels/{self.stage.bo.user.dm_channel.id}/messages"
        faults = self.stage.env.backend.faults
        self.stage.env.inject_error("POST", own, status=403, code=CLOSED_DM, times=None)
        await self.choose()
        await self.settle()
        where = self.stage.where or self.stage.channel
        await self.stage.bo.slash(where, "coins", match=self.match_id)
        faults[:] = [each for each in faults if each["path"] != own]
        await self.settle()
        self.happened.add("closed")

    async def lose_channel(self) -> None:
        """The channel is deleted: boards go to DMs, until the match is moved."""
        if self.stage.where is not self.annex:
            await self.move()
        lost = self.annex
        self.stage.env.backend.delete_channel(lost.id)
        await self.choose()
        await self.settle()
        self.annex = self.stage.guild.create_text_channel("annex")
        await self.move()
        self.happened.add("by DM")

    async def look_up_rules(self) -> None:
        """Search the rules, and show a page to all in the lobby."""
        where = self.lobby
        for who in (self.stage.bo, self.stage.ada):
            found = await who.slash(where, "rules", topic="coin")
            await who.autocomplete(where, "rules", "topic", "coin")
            page = await who.slash(where, "rules", topic="W9")
            for each in (page, found):
                shown = [c for c in ids(each.response) if c.endswith(":show")]
                if shown:
                    await who.click(each.response, custom_id=shown[0])
                    self.happened.add("rules")
        await self.settle()

    async def export(self) -> None:
        """Bo takes along what is stored, and so does Eve."""
        for who in (self.stage.bo, self.stage.eve):
            about = await who.slash(self.lobby, "privacy")
            await self.stage.click(who, about.response, "export")
        self.watcher.note()
        self.happened.add("exported")

    async def look_around(self) -> None:
        """All look at all that they can ask for."""
        stage, where = self.stage, self.stage.where or self.stage.channel
        for who in (stage.ada, stage.bo, stage.eve, self.root):
            await who.slash(where, "board", match=self.match_id)
            await who.slash(where, "board", match=self.match_id, text=True)
            await who.slash(where, "do", match=self.match_id)
            await who.slash(where, "resign", match=self.match_id)
            await who.slash(where, "games")
            await who.autocomplete(where, "do", "action", "", match=self.match_id)
            await who.autocomplete(where, "board", "match", "")
            await self._click_all(who, stage.last(where))
            self.watcher.note()
        await self.settle()

    async def _click_all(self, who: Any, board: Any) -> None:
        for start in ("hand:", "text:", "since:", "menu:", "overlay:"):
            if any(each.startswith(start) for each in ids(board)):
                assert (await self.stage.click(who, board, start)).ephemeral

    async def peep(self) -> None:
        """Zed, who cannot see the channel, asks for the match, and Root asks as an admin."""
        message = await self.zed.send(self.lobby, "Hello?")
        for name in ("board", "do", "takeback", "coins", "replay", "verify", "resign"):
            await self.zed.slash(self.lobby, name, match=self.match_id)
        for custom_id in LOOKED_AT:
            await fire(self.stage, payload(self.stage, self.zed, message, "", custom_id))
        await self.root.slash(self.lobby, "server")
        await self.root.slash(self.lobby, "admin doctor")
        await self.settle()

    # how it ends

    async def claim(self) -> None:
        """The time of whoever has to choose runs out, and the other claims the match."""
        late = await self.stage.deciding(self.match_id)
        other = self.stage.bo if late is self.stage.ada else self.stage.ada
        await self.settle()
        for _ in range(5):
            await self.wait(DAY)
        self.watcher.look()
        notice = self.stage.last(self.stage.where)
        asked = await self.stage.click(other, notice, "claim:")
        self.watcher.note()
        await self.stage.click(other, asked.response, "claim:")
        await self.stage.env.settle()
        self.watcher.skip()
        self.happened.add("claimed")

    async def erase(self) -> None:
        """Ada has her data deleted, which gives up the match."""
        await self.settle()
        self.watcher.look()
        about = await self.stage.ada.slash(self.lobby, "privacy")
        asked = await self.stage.click(self.stage.ada, about.response, "erase:")
        await self.stage.click(self.stage.ada, asked.response, "erase:yes")
        await self.stage.env.settle()
        self.watcher.skip()
        self.happened.add("erased")

    async def watch_again(self) -> None:
        """Bo and Eve look at the finished match turn by turn, and as an animation."""
        where = self.stage.where or self.stage.channel
        _, told = await self.stage.client.tables.story(self.match_id)
        turns = min(7, len(told) - 2)  # the last one is the end, in which all is open
        for who, turn in ((self.stage.bo, 0), (self.stage.eve, turns)):
            page = await who.slash(where, "replay", match=self.match_id)
            self.watcher.note()
            for _ in range(turn):
                step = next(each for each in ids(page.response) if each.endswith(":Next"))
                page = await who.click(page.response, custom_id=step)
            self.watcher.note()
            await self.stage.click(who, page.response, "film:")
            self.watcher.note()
        self.happened.add("watched")


class SecretStory(Story):
    """Ada sets her dice in secret, takes that back and sets others; Bo has not set his yet."""

    async def choose(self, way: Any = silently) -> bool:
        """Ada sets dice, or takes back what she has set and sets others."""
        del way
        stage, where = self.stage, self.lobby
        table = await stage.table(self.match_id, stage.ada)
        if not table.view.legal:
            answer = await stage.ada.slash(where, "takeback", match=self.match_id)
            assert words(answer.response) == "Taken back."
            self.happened.add("secret taken back")
            table = await stage.table(self.match_id, stage.ada)
        (form,) = table.view.legal
        number = self.random.choice("12")
        number = {"1": "4", "2": "3"}[number] if self.swapped else number
        line = " ".join((form.verb, *(arg.replace("?", number) for arg in form.args)))
        answer = await stage.ada.slash(where, "do", action=line, match=self.match_id)
        assert answer.ephemeral
        await self.settle()
        match = await stage.client.tables.match(self.match_id)
        assert match.seat_of(stage.ada.id) not in match.decisions
        return True


async def secretly(story: SecretStory) -> None:
    """Every interlude once, while one set-up is hidden."""
    await story.begin(game="warp6", setup="secret", side="Black", clock="3 days a turn")
    await story.choose()
    for interlude in (
        *(story.look_around, story.lock_thread, story.vacations, story.close_dms, story.export),
        *(story.move, story.peep, story.lose_channel, story.draw_offers, story.reminders),
        *(story.look_around, story.look_up_rules, story.claim, story.watch_again),
    ):
        await interlude()


def coins_lying(state: Any, suits: str) -> set[tuple[str, str]]:
    """Return where coins of these suits lie with the suit up, as the public sees it."""
    coins = GAME.view(state).coins
    return {(coin.space, coin.suit) for coin in coins if coin.up == "suit" and coin.suit in suits}


def next_choice(state: Any, random: Random, *, swapped: bool) -> Action | None:
    """Return the same choice in both worlds, one that turns over no coin of Ada's.

    A coin of Bo's is turned over where that is possible.
    """
    view = GAME.view(state, GAME.pending(state))
    # In the order of the values before the swap, so that both worlds draw alike.
    back = {new: old for old, new in SWAPPED.items()} if swapped else {}
    legal = sorted(view.legal, key=lambda each: renamed(each, back))
    if legal and legal[0].verb == "place":  # far from the ships, so that the match can go on
        far = sorted(legal, key=lambda each: _nearness(view, each.args[1]))
        return random.choice(far[: len(far) // 3])
    ends = {each: GAME.apply(state, each)[0] for each in legal}
    adas, bos = coins_lying(state, "SM"), coins_lying(state, "CA")
    kept = [each for each in legal if not adas - coins_lying(ends[each], "SM")]
    turning = [each for each in kept if bos - coins_lying(ends[each], "CA")]
    return random.choice(turning or kept) if kept else None


def _nearness(view: WormholesView, space: str) -> int:
    x, y = XY[INDEX[space]]
    ships = [XY[INDEX[ship.space]] for ship in view.ships]
    return -min(max(abs(x - each[0]), abs(y - each[1])) for each in ships)


def renamed(action: Action, values: Mapping[str, str]) -> Action:
    """Return an action with other values of coins."""
    if action.verb != "place" or not values:
        return action
    coin, *rest = action.args
    return action._replace(args=(coin[0] + values[coin[1]], *rest))


Teller = Callable[[Any], Awaitable[None]]


async def tell(
    folder: Path,
    locales: Locales,
    teller: Teller,
    *,
    swapped: bool,
    seed: int = 0,
    kind: type[Story] = Story,
) -> tuple[Told, set[str]]:
    """Tell a story in a new world; return what others than Ada can know of it."""
    with chatty_logs() as logs:
        async with (
            opened(f"sqlite+aiosqlite:///{folder / f'{swapped}-{seed}.db'}") as database,
            simcord.run(actor_bot(database), settle_timeout=PATIENCE) as env,
        ):
            stage, cast = await _people(Stage(env, database), locales)
            others = (stage.bo, stage.eve, cast["Zed"], cast["Root"])
            watcher = Watcher(stage, others, logs)
            await watcher.keep_outbox()
            story = kind(stage, watcher, Random(seed), cast, swapped=swapped)
            await teller(story)
            return await watcher.told(), story.happened


async def _people(stage: Stage, locales: Locales) -> tuple[Stage, dict[str, Any]]:
    """Make the channels, and those who watch: Zed sees the lobby only, Root is an admin."""
    zed, root = (
        stage.guild.add_member(stage.env.create_user(name.lower(), global_name=name), roles=roles)
        for name, roles in (("Zed", ()), ("Root", (_admins(stage),)))
    )
    hidden = {zed: discord.PermissionOverwrite(view_channel=False)}
    stage.channel = stage.guild.create_text_channel("club", overwrites=hidden)
    cast = {"Zed": zed, "Root": root, "lobby": stage.guild.create_text_channel("lobby")}
    cast["annex"] = stage.guild.create_text_channel("annex")
    for who in (stage.ada, stage.bo, stage.eve):
        await who.user.send_dm("Hello!")  # so that DM channels have the same ids in both worlds
    locales |= {stage.bo.id: "de", root.id: "de"}
    await stage.client.servers.choose(stage.guild.id, language="de", threads="on")
    await stage.client.players.prefer(stage.bo.id, "turns", "on")
    return stage, cast


def _admins(stage: Stage) -> Any:
    return stage.guild.create_role("admins", permissions=discord.Permissions(manage_guild=True))


async def short(story: Story, end: str = "claim", **options: Any) -> None:
    """Every interlude once."""
    await story.begin(side="OrthogonAliens", clock="3 days a turn", **options)
    ways = (by_click, by_command)
    await story.look_around()
    for number in range(4):
        await story.choose(ways[number % 2])
        await story.own_takeback()
        await story.choose(ways[number // 2])
    closing = story.lock_thread if end == "claim" else story.delete_thread
    placing = [
        story.draw_offers,
        closing,
        story.vacations,
        story.close_dms,
        story.export,
        story.reminders,
        story.look_around,
    ]
    while await story.is_placing():
        await story.choose()
        if placing:
            await placing.pop(0)()
    playing = [story.move, story.peep, story.look_up_rules, story.lose_channel, story.look_around]
    for number in range(40):
        if not await story.choose(by_click if number % 5 == 0 else silently):
            break
        if story.turned and "agreed" not in story.happened:
            await story.own_takeback()
        if playing and number % 4 == 1:
            await playing.pop(0)()
    for interlude in playing:
        await interlude()
    await (story.claim if end == "claim" else story.erase)()
    await story.watch_again()


async def random_walk(story: Story, length: int, **options: Any) -> None:
    """Choices and interludes at random; an end at random."""
    await story.begin(side="OrthogonAliens", clock="3 days a turn", **options)
    interludes = (
        *(story.own_takeback, story.draw_offers, story.vacations, story.reminders, story.move),
        *(story.lock_thread, story.delete_thread, story.close_dms, story.lose_channel),
        *(story.look_up_rules, story.export, story.look_around, story.peep, story.own_takeback),
    )
    for _ in range(length):
        if not await story.choose(story.random.choice((silently, silently, by_click, by_command))):
            break
        if story.random.random() < INTERLUDES:
            await story.random.choice(interludes)()
    while await story.is_placing():  # then the end shows no hand
        await story.choose()
    await story.random.choice((story.claim, story.erase))()
    await story.watch_again()
