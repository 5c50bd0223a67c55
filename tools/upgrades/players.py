"""Players who use the bot of any version, by what all versions have: commands and old buttons."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bot.domain.ids import ChannelId
from engine import games
from engine.game import CHANCE, Action, AnyGame
from tests.support.fake_discord import FakeDiscord
from tests.support.fake_objects import GUILD, marks
from tests.verification.kills import payloads
from tests.verification.kills.payloads import Person, Place, said
from tools.upgrades.rows import columns, read

ANSWER_SECONDS = 60.0
PAUSE_SECONDS = 0.3
"""Seconds between two attempts of the same thing."""

ATTEMPTS = 100
CHANNEL = ChannelId(5000)
TOO_FAST = re.compile("too fast|busy", re.IGNORECASE)
"""What the bot says when a player has to try again."""


class Position(NamedTuple):
    """Where a match stands, by the rules of today."""

    game: AnyGame
    state: Any

    @property
    def seats(self) -> str:
        """Return the seats that have to decide; `*` for chance."""
        return self.game.pending(self.state)


class Players:
    """The players of some matches, on a fake Discord.

    Args:
        path: path of the bot's database, which is only read.

    Attributes:
        answer: the last answer of the bot.
    """

    def __init__(self, fake: FakeDiscord, path: Path, random: Random) -> None:
        self.fake = fake
        self.path = path
        self.random = random
        self.answer: dict[str, Any] = {}
        self._numbers = count(10_000)
        self.place = Place(GUILD, CHANNEL)
        fake.servers = [payloads.server(GUILD, "en-US")]
        fake.homes[CHANNEL], fake.hidden[CHANNEL] = GUILD, set()
        fake.text_channels.add(CHANNEL)
        fake.servers[0]["channels"].append(fake.described(CHANNEL))

    # What players do

    async def command(self, user: int, name: str, **values: Any) -> str:
        """Type a slash command; returns the text of the answer."""
        make = lambda number: payloads.command(  # noqa: E731 - it is called again
            number, person(user), self.place, name, **values
        )
        return await self._ask(make)

    async def click(self, user: int, custom_id: str) -> str:
        """Click on a button of the newest message that has it."""
        message = self.fake.message_with(custom_id)
        make = lambda number: payloads.click(  # noqa: E731 - it is called again
            number, person(user), self.place, custom_id, message
        )
        return await self._ask(make)

    async def _ask(self, make: Callable[[int], dict[str, Any]]) -> str:
        """Interact, again while it is too fast for the bot."""
        for _ in range(ATTEMPTS):
            number = next(self._numbers)
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.fake.interact(make(number))
                self.answer = await self.fake.answer(number)
            answer = said(self.answer)
            if not TOO_FAST.search(answer):
                return answer
            await asyncio.sleep(PAUSE_SECONDS)
        raise SystemExit(f"The bot remains busy: {answer}")

    async def begin(self, users: tuple[int, int], game: str, **values: str) -> int:
        """Begin a match; returns its number."""
        number = await self.challenge(users, game, **values)
        await self.click(users[1], await self.button(f"accept:{number}"))
        self._check(self.status(number) == "running", f"match {number} does not begin")
        return number

    async def challenge(self, users: tuple[int, int], game: str, **values: str) -> int:
        """Challenge a player, by the options of the command of 0.1.0 and 0.2.0."""
        answer = await self.command(
            users[0], "play", game=game, opponent=person(users[1]), **values
        )
        match = re.search(r"Match (\d+)", answer)
        self._check(match, f"there is no challenge: {answer}")
        assert match
        return int(match[1])

    async def button(self, prefix: str) -> str:
        """Return the first of `buttons`."""
        return (await self.buttons(prefix))[0]

    async def buttons(self, prefix: str) -> list[str]:
        """Return the custom_ids with this beginning on the newest message that has any."""
        for _ in range(ATTEMPTS):
            for message in reversed(self.fake.posted):
                buttons = sorted(mark for mark in message.marks if mark.startswith(prefix))
                if buttons:
                    return buttons
            await asyncio.sleep(PAUSE_SECONDS)
        raise SystemExit(f"There is no button {prefix}")

    async def resign(self, user: int, match: int) -> None:
        """Resign, by the button of the question that follows the command."""
        await self.command(user, "resign", match=match)
        if self.status(match) == "running":
            buttons = marks((self.answer.get("data") or {}).get("components", []))
            button = next((mark for mark in buttons if mark.startswith("resign:")), "")
            self._check(button, f"match {match} cannot be resigned")
            await self.click(user, button)
        self._check(self.status(match) == "finished", f"match {match} is not resigned")

    async def play(self, match: int, choices: int) -> int:
        """Make legal choices at random until a match ends; returns how many were made."""
        for number in range(choices):
            position = self.position(match)
            if not position.seats:
                return number
            await self.choose(match, position)
        return choices

    async def choose(self, match: int, position: Position) -> int:
        """Make a legal choice at random; returns the user who made it."""
        legal = [option for option in position.game.legal(position.state) if option.actor != CHANCE]
        action = self.random.choice([e for e in legal if e.verb != "draw"] or legal)
        action = position.game.fill(action, self.random.randrange)
        user, before = self.user(match, action.actor), len(self.lines(match))
        answer = await self.command(user, "do", action=action.notation, match=match)
        self._check(len(self.lines(match)) > before, f"match {match}, {action}: {answer}")
        return user

    @staticmethod
    def _check(condition: object, fault: str) -> None:
        if not condition:
            raise SystemExit(fault)

    # Stored data

    def status(self, match: int) -> str:
        """Return the status of a match."""
        return str(read(self.path, "SELECT status FROM matches WHERE id=?", match)[0][0])

    def user(self, match: int, seat: str) -> int:
        """Return the user at a seat."""
        query = "SELECT user_id FROM seats WHERE match_id=? AND seat=?"
        return int(read(self.path, query, match, seat)[0][0])

    def other(self, match: int, user: int) -> int:
        """Return the opponent of a user."""
        query = "SELECT user_id FROM seats WHERE match_id=? AND user_id<>?"
        return int(read(self.path, query, match, user)[0][0])

    def last_user(self, match: int) -> int:
        """Return the user who made the last line."""
        seat = next(line[0] for line in reversed(self.lines(match)) if line[0] != CHANCE)
        return self.user(match, seat)

    def lines(self, match: int) -> list[str]:
        """Return the lines of a match that count."""
        undone = next(c for c in columns(self.path, "actions") if c.startswith("undone"))
        query = f"SELECT line FROM actions WHERE match_id=? AND {undone} IS NULL ORDER BY number"  # noqa: S608
        return [line for (line,) in read(self.path, query, match)]

    def position(self, match: int) -> Position:
        """Return the position after the stored lines."""
        query = "SELECT game, rules, options FROM matches WHERE id=?"
        ((name, rules, options),) = read(self.path, query, match)
        game = games.get(name)
        state = game.start(rules, json.loads(options))
        for line in self.lines(match):
            state, _ = game.apply(state, Action.parse(line))
        return Position(game, state)


def person(user: int) -> Person:
    """Return a user."""
    return Person(user, f"Player {user}")
