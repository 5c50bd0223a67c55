"""Nothing leaks: the same story is told in two worlds that differ only in Ada's hidden values.

Whatever anybody but Ada can read — messages, edits, files, alt texts, custom_ids, answers, DMs —
has to be equal to the byte in both.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import simcord

from bot import delivery
from bot.presses import DEAD
from bot.run import opened
from bot.tables import Table, Tables
from engine.game import Action
from engine.wormholes.board import ENDS, INDEX, XY
from engine.wormholes.view import WormholesView
from tests.bot.driver import by_click, by_command
from tests.bot.stage import PATIENCE, Stage, actor_bot, words
from tests.engine.wormholes.positions import GAME

EPHEMERAL = 64
RANDOM = re.compile(r"\b\d{18,19}\b|(?<='nonce': ')[0-9a-f]{24}|(?<='id': )\d{10}\b")
"""What differs between two worlds: ids of Discord's, and the nonces and marks of deliveries."""

SWAPPED = dict(zip("012345", "354102", strict=True))


class Watcher:
    """Writes down what others than Ada can read, in order."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.read = len(stage.env.http_requests)
        self.answers: list[str] = []
        self.sent: list[str] = []

    def note(self, actor: Any) -> None:
        """Write down all requests since the last time; `actor` has caused them."""
        requests = self.stage.env.http_requests[self.read :]
        self.read += len(requests)
        own = self.stage.ada.user.dm_channel
        hidden = f"/channels/{own.id}/" if own else "-"
        for request in requests:
            if request.path.startswith(hidden):
                continue
            if actor is self.stage.ada and self.is_answer(request):
                continue
            answer = request.path.endswith("/callback")
            line = f"{request.method} {request.path} {request.json}"
            (self.answers if answer else self.sent).append(line)

    @property
    def trace(self) -> list[str]:
        """All that was answered and all that was sent, each in its order.

        Between the two no order is promised; so numbers of messages count from their first mention.
        """
        known: dict[str, str] = {}

        def counted(number: re.Match[str]) -> str:
            return known.setdefault(number[0], f"#{len(known)}")

        return [RANDOM.sub(counted, line) for line in self.sent + self.answers]

    def is_answer(self, request: Any) -> bool:
        """Whether this is an answer that only Ada can read; that it is, is asserted here."""
        if not request.path.endswith("/callback"):
            assert not request.path.startswith(("/webhooks", "/interactions")), request
            return False
        answer = request.json
        if answer["type"] == 4:
            assert answer["data"]["flags"] & EPHEMERAL, answer
        # 6: nothing to see; 7: in place of a message that was private already; 8: autocompletion
        assert answer["type"] in (4, 6, 7, 8), answer
        return True

    async def messages(self, viewer: Any) -> list[Any]:
        """All that somebody sees in the end, pictures included."""
        found = list(self.stage.channel.history(viewer=viewer))
        # Between answers and what is sent no order is promised.
        found.sort(key=lambda each: (each.flags.ephemeral, each.id))
        dm = viewer.user.dm_channel
        found += dm.history() if dm else []
        return [
            (words(m), [(a.filename, a.description, await a.read()) for a in m.attachments])
            for m in found
        ]


async def story(folder: Path, swapped: bool, options: dict[str, str], seed: int) -> list[Any]:
    """A match up to some turns after the placing; gives all that others than Ada can read."""
    async with (
        opened(f"sqlite+aiosqlite:///{folder / f'{swapped}.db'}") as database,
        simcord.run(actor_bot(database), settle_timeout=PATIENCE) as env,
    ):
        return await _tell(
            await Stage(env, database).without_threads(), swapped, options, Random(seed)
        )


async def _tell(stage: Stage, swapped: bool, options: dict[str, str], random: Random) -> list[Any]:
    for who in (stage.ada, stage.bo, stage.eve):
        await who.user.send_dm("Hello!")  # so that DM channels have the same ids in both worlds
    watcher = Watcher(stage)
    match_id = await stage.begin(side="OrthogonAliens", **options)
    watcher.note(None)
    shown = 0
    for number in range(42):
        actor = await stage.deciding(match_id)
        state = await stage.state(match_id)
        action = _choose(
            GAME.view(state, GAME.pending(state)), random, swapped and actor is stage.ada
        )
        if action is None:
            break
        await (by_click, by_command)[number % 2](stage, match_id, actor, action)
        watcher.note(actor)
        if number % 9 == 8:
            shown += await _ask_everything(stage, watcher)
    assert number > 25  # more than placing coins
    assert shown
    return [
        watcher.trace,
        *[await watcher.messages(who) for who in (stage.bo, stage.eve)],
    ]


async def _ask_everything(stage: Stage, watcher: Watcher) -> int:
    """All three look at all that they can ask for."""
    for who in (stage.ada, stage.bo, stage.eve):
        for command in ("board", "games", "coins", "resign", "settings"):
            options = {"match": 1} if command in ("board", "coins", "resign") else {}
            assert (await who.slash(stage.channel, command, **options)).ephemeral
            watcher.note(who)
        for start in ("hand:", "text:", "since:"):
            assert (await stage.click(who, stage.last(), start)).ephemeral
            watcher.note(who)
        for option in ("coin", "space"):
            await who.autocomplete(stage.channel, "wormholes place", option, "", match=1)
            watcher.note(who)
    return 1


def _choose(view: WormholesView, random: Random, swapped: bool) -> Action | None:
    """The same choice in both worlds; nothing that turns a coin over."""
    # In the order of the values before the swap, so that both worlds draw alike.
    back = {new: old for old, new in SWAPPED.items()} if swapped else {}
    legal = [each for each in view.legal if not _turns_a_coin(view, each)]
    legal.sort(key=lambda each: _renamed(each, back))
    if legal and legal[0].verb == "place":  # far from the ships, so that the match can go on
        far = sorted(legal, key=lambda each: _nearness(view, each.args[1]))
        legal = far[: len(far) // 3]
    return random.choice(legal) if legal else None


def _nearness(view: WormholesView, space: str) -> int:
    x, y = XY[INDEX[space]]
    ships = [XY[INDEX[ship.space]] for ship in view.ships]
    return -min(max(abs(x - each[0]), abs(y - each[1])) for each in ships)


def _renamed(action: Action, values: dict[str, str]) -> Action:
    if action.verb != "place" or not values:
        return action
    coin, *rest = action.args
    return action._replace(args=(coin[0] + values[coin[1]], *rest))


def _turns_a_coin(view: WormholesView, action: Action) -> bool:
    if action.verb != "move":
        return False
    ship = next(each for each in view.ships if each.suit == action.args[0])
    value = next(int(die.value) for die in view.dice if die.suit == action.args[0])
    end = ENDS[value][INDEX[ship.space]][action.args[1]]
    return end in {INDEX[coin.space] for coin in view.coins}


@pytest.fixture(autouse=True)
def _one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent together arrives in any order; one at a time, the order can be compared."""
    monkeypatch.setattr(delivery, "AT_ONCE", 1)


@pytest.mark.parametrize(("options", "seed"), [({}, 4), ({"notes": "on"}, 2)])
def test_the_same_story_with_other_secrets_reads_the_same(
    tmp_path: Path, options: dict[str, str], seed: int
) -> None:
    one, two = (asyncio.run(story(tmp_path, swapped, options, seed)) for swapped in (False, True))
    for first, second in zip(one, two, strict=True):
        assert len(first) == len(second)
        for a, b in zip(first, second, strict=True):
            assert a == b


async def setting(folder: Path, number: str) -> list[Any]:
    """Ada sets her dice in secret, everybody looks; gives all that others than Ada can read."""
    async with (
        opened(f"sqlite+aiosqlite:///{folder / f'{number}.db'}") as database,
        simcord.run(actor_bot(database), settle_timeout=PATIENCE) as env,
    ):
        stage = await Stage(env, database).without_threads()
        for who in (stage.ada, stage.bo, stage.eve):
            await who.user.send_dm("Hello!")
        watcher = Watcher(stage)
        match_id = await stage.begin(game="warp6", setup="secret", side="Black")
        watcher.note(None)
        (form,) = (await stage.table(match_id, stage.ada)).view.legal
        line = " ".join((form.verb, *(arg.replace("?", number) for arg in form.args)))
        assert (await stage.ada.slash(stage.channel, "do", action=line)).ephemeral
        watcher.note(stage.ada)
        assert set((await stage.client.tables.match(match_id)).decisions) == {"Y"}
        for who in (stage.ada, stage.bo, stage.eve):
            for options in ({}, {"text": True}):
                await who.slash(stage.channel, "board", match=match_id, **options)
                watcher.note(who)
            for start in ("text:", "since:", "menu:"):
                await stage.click(who, stage.last(), start)
                watcher.note(who)
            await who.slash(stage.channel, "warp6 warps", space="91", match=match_id)
            watcher.note(who)
        return [watcher.trace, *[await watcher.messages(who) for who in (stage.bo, stage.eve)]]


def test_x2_4_what_is_set_in_secret_reads_the_same_for_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.controls._ANY", lambda _: 0)  # what is proposed to Bo
    one, two = (asyncio.run(setting(tmp_path, number)) for number in "14")
    assert one == two


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Tables.look

    async def careless(
        self: Tables, match_id: int, user_id: int = 0, lines: int | None = None
    ) -> Table:
        match = await self.match(match_id)
        return await honest(self, match_id, user_id or match.challenger_id, lines)

    monkeypatch.setattr(Tables, "look", careless)
    notes = {"notes": "on"}
    one, two = (asyncio.run(story(tmp_path, swapped, notes, 2)) for swapped in (False, True))
    assert one != two


def test_the_sentence_for_dead_buttons_tells_nothing() -> None:
    assert not any(letter.isdigit() for letter in DEAD)
