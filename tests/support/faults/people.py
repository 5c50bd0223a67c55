"""Two people with a channel who play match after match, and do all that people do meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.services.clocks import OFFERED_CLOCKS
from bot.services.drafts import ChallengeDraft
from bot.views.cards import Part, card_id
from bot.views.continuations import AGAINST, SAME
from engine import games
from engine.game import CHANCE, Action
from engine.plans import MAX_ALTERNATIVES
from tests.support.fake_discord import until
from tests.support.faults.expected import Expected
from tests.support.faults.halls import wait_for_hall
from tests.support.faults.payloads import Place, accepted, tells

if TYPE_CHECKING:
    from tests.support.faults.kills import Simulation

Answer = dict[str, Any]

GAMES = {"wormholes": 8, "warp6": 3, "tomtube": 1}
"""How often each game is played, Warp 6 with a secret set-up, where takebacks need consent."""

CLOCKS = ("no clock", "1 day per turn", "3 days + 12 h per turn")

STEPS = (5, 40)
"""Least and most that is done in a match."""

TWO_WAYS = 0.1
"""How often a decision is clicked in two ways at once."""

PLAYED_ON = 0.2
"""How often a match goes on from a position of the last one that was finished."""

OPEN_SEATS = 0.3
"""How often a challenge is open to anyone."""

ROOMS = 1000
"""Difference between the numbers of two channels of the same people."""

MAX_PLAN = 5
"""Number of orders of a plan that none reaches."""

NEEDS_CONSENT = "Something hidden has been revealed since, so I've asked the other players."


class Now(NamedTuple):
    """A match as it is stored."""

    status: str
    game: str
    position: str
    decisions: dict[str, int]
    version: int


class Pair:
    """Two people at a table.

    Args:
        simulation: in which they live.
        number: of the table.
        guild_id: their server.
    """

    def __init__(self, simulation: Simulation, number: int, guild_id: int) -> None:
        self.simulation = simulation
        self.users = 100 + 2 * number, 101 + 2 * number
        self.place = Place(guild_id, 5000 + number)
        self._random = simulation.random
        self._finished = 0
        self._audit_log = simulation.audit_log
        self._open(self.place)
        self._habits: dict[Callable[[int], Awaitable[None]], float] = {
            self._choose: 60,
            self._take_back: 12,
            self._look: 10,
            self._plan: 6,
            self._offer_draw: 5,
            self._claim: 10,
            self._be_away: 4,
            self._move: 4,
            self._snooze: 2,
            self._nudge: 3,
            self._abandon: 2,
            self._ask_for_messages: 2,
            self._forget: 0.5,
        }

    async def play(self) -> None:
        """Play until the simulation is over."""
        while not self.simulation.over.is_set():
            match = await self._begin()
            for _ in range(self._random.randrange(*STEPS)):
                if self._now(match).status != "running" or self.simulation.over.is_set():
                    break
                (habit,) = self._random.choices(list(self._habits), list(self._habits.values()))
                self.simulation.clocks.touched(match)
                await habit(match)
            if self._now(match).status == "running":
                await self._resign(match)
            await self._watch_again(match)
            if self._now(match).status == "finished":
                self._finished = match

    def leave_channel(self) -> None:
        """Play the next matches in another channel."""
        self.place = self.place._replace(channel_id=self.place.channel_id + ROOMS)
        self._open(self.place)

    def _open(self, place: Place) -> None:
        """Have a channel on Discord that all members of the server see."""
        self.simulation.open_channel(place.guild_id, place.channel_id)

    # What there is

    def _now(self, match: int) -> Now:
        query = "SELECT status, game, position, decisions, version FROM matches WHERE id=?"
        ((status, game, position, decisions, version),) = self._audit_log.rows(query, match)
        return Now(status, game, position, json.loads(decisions), version)

    def _expected(self, match: int) -> Expected:
        return self.simulation.expected[match]

    def _other(self, user: int) -> int:
        return sum(self.users) - user

    def _user(self, match: int, seat: str) -> int:
        """Return the user at a seat; negative for the computer."""
        query = "SELECT user_id FROM seats WHERE match_id=? AND seat=?"
        ((user,),) = self._audit_log.rows(query, match, seat)
        return int(user)

    def _posted(self, match: int, mark: str) -> bool:
        """Return whether there is a message with this button, or it can never be posted."""
        dead = "SELECT 1 FROM outbox WHERE match_id=? AND status='failed'"
        return any(mark in each.marks for each in self.simulation.fake.posted[-999:]) or bool(
            self._audit_log.rows(dead, match)
        )

    # What is done

    async def _click(self, user: int, custom_id: str, *values: str) -> Answer:
        return await self.simulation.do(partial(self._clicked, user, custom_id, values))

    def _clicked(self, user: int, custom_id: str, values: tuple[str, ...]) -> Answer:
        payload = self.simulation.click(user, self.place, custom_id)
        payload["data"] |= {"values": list(values)} if values else {}
        return payload

    async def _command(
        self, user: int, name: str, place: Place | None = None, **values: Any
    ) -> Answer:
        return await self.simulation.do(
            partial(self.simulation.command, user, place or self.place, name, **values)
        )

    def _settle(self, match: int, line: str, answer: Answer, *, counted: bool) -> bool:
        """Note a choice that was acknowledged, or was found done after a doubtful answer."""
        lines = self._expected(match).lines
        if not counted and answer["doubtful"]:
            query = (
                "SELECT line FROM actions WHERE match_id=?"
                " AND chosen_by IS NULL AND automatic IS NULL"
            )
            own = [each.partition(" ")[2] for (each,) in self._audit_log.rows(query, match)]
            times = own.count(line) - lines.count(line)
            counted = times > 0
            self.simulation.report.found_done += counted
            if line == "draw offer":  # one that the computer declines can be repeated
                lines += [line] * (times - 1)
        if counted:
            lines.append(line)
            self.simulation.clocks.chosen(match, line)
        return counted

    def _settle_takeback(self, match: int, answer: Answer, *, counted: bool) -> bool:
        """Note a takeback, or several if the first one was found done after a doubtful answer."""
        expected = self._expected(match)
        planned = self._undone(match, "plan") - expected.undone_plans
        times = int(counted and not planned)
        if answer["doubtful"]:
            found = self._undone(match) - len(expected.undone)
            self.simulation.report.found_done += found > times
            times = max(times, found)
        if planned:
            expected.undone_plans += planned
            self.simulation.clocks.forget(match)
            self._did("actions of plans taken back")
        for _ in range(times):
            expected.take_back()
            self.simulation.clocks.taken_back(match)
            self._did("takebacks")
        return bool(times)

    def _undone(self, match: int, automatic: str | None = None) -> int:
        """Return how many actions of people were taken back that the bot made for this reason."""
        query = "SELECT automatic FROM actions WHERE match_id=? AND undone_at IS NOT NULL"
        rows = self._audit_log.rows(f"{query} AND chosen_by IS NULL", match)
        return sum(why == automatic for (why,) in rows)

    def _did(self, what: str) -> None:
        self.simulation.report.done[what] += 1

    async def _withdraw_challenges(self) -> None:
        """Withdraw challenges of which the challenger was never told."""
        query = "SELECT id FROM matches WHERE status='challenge' AND challenger_id=?"
        for (match,) in self._audit_log.rows(query, self.users[0]):
            await self._click(self.users[0], f"withdraw:{match}")

    async def _begin(self) -> int:
        """Challenge and accept."""
        await self._withdraw_challenges()
        (game,) = self._random.choices(list(GAMES), list(GAMES.values()))
        options = {"setup": "secret"} if game == "warp6" else {}
        invited = [] if self._random.random() < OPEN_SEATS else [self.users[1]]
        sent, is_open = (
            "Match {match}: challenge sent to {players}.",
            "Match {match} is open to anyone.",
        )
        found = None
        if self._finished and self._random.random() < PLAYED_ON:
            found = tells(await self._play_on(self._finished), sent)
            invited = [self.users[1]] if found else invited
            self._did("matches played on" if found else "refusals to play on")
        if not found:
            answer = await self._challenge(game, invited, options)
            found = tells(answer, sent if invited else is_open)
            assert found, answer
        match = int(found["match"])
        self.simulation.expected[match] = Expected(
            lines=self._taken_over(match), users=set(self.users), channels={self.place.channel_id}
        )
        await until(partial(self._posted, match, f"accept:{match}"))
        self.simulation.clocks.begun(match)
        if not invited:
            await wait_for_hall(self.simulation, match)
        await self._click(self.users[1], f"accept:{match}")
        assert self._now(match).status == "running", match
        self.simulation.clocks.chosen(match, "")
        return match

    async def _play_on(self, finished: int) -> Answer:
        """Challenge the other player to play on from a position of a finished match."""
        query = "SELECT count(*) FROM actions WHERE match_id=? AND undone_at IS NULL"
        ((lines,),) = self._audit_log.rows(query, finished)
        custom_id = f"playon:{self._random.randrange(1, lines + 1)}:{finished}:{AGAINST}"
        return await self._click(self.users[0], custom_id, SAME)

    def _taken_over(self, match: int) -> list[str]:
        """Return the choices with which a match begins."""
        query = "SELECT line FROM actions WHERE match_id=? ORDER BY number"
        lines = [Action.parse(line) for (line,) in self._audit_log.rows(query, match)]
        return [action.notation for action in lines if action.actor != CHANCE]

    async def _challenge(
        self, game: str, opponents: Sequence[int], options: Mapping[str, str], level: str = ""
    ) -> Answer:
        """Type `/play`, and send the challenge from the card."""
        clock = self._random.choice(CLOCKS)
        rival: dict[str, Any] = {}
        if opponents:
            rival["opponent"] = self.simulation.person(opponents[0])
        await self._command(self.users[0], "play", game=game, clock=clock, **rival)
        draft = ChallengeDraft(
            game=game,
            opponents=tuple(opponents),
            level=level,
            clock=OFFERED_CLOCKS[clock],
            rules=games.get(game).rules[0],
            options=options,
        )
        return await self._click(self.users[0], str(card_id(Part.SEND, draft)))

    async def _choose(self, match: int) -> None:
        """Make one random choice, perhaps in two ways at once."""
        now = self._now(match)
        game = games.get(now.game)
        state = game.load(now.position)
        if not (pending := [seat for seat in game.pending(state) if self._user(match, seat) > 0]):
            return
        seat = self._random.choice(pending)
        user, legal = self._user(match, seat), game.view(state, seat).legal
        both = self._random.random() < TWO_WAYS and legal[1:]
        lines = [
            (game.fill(way, self._random.randrange) if way.is_form else way).notation
            for way in self._random.sample(legal, 2 if both else 1)
        ]
        ids = [f"act:{match}:{now.decisions[seat]}:{line}" for line in lines]
        answers = await asyncio.gather(*(self._click(user, each) for each in ids))
        for line, answer in zip(lines, answers, strict=True):
            self._settle(match, line, answer, counted=accepted(answer))

    async def _plan(self, match: int) -> None:
        """Write a plan of some orders, which fires at once or with the next moves, or stops."""
        now = self._now(match)
        game = games.get(now.game)
        state = game.load(now.position)
        seat = self._random.choice(game.view(state).playing)
        user = self._user(match, seat)
        possible = [
            each.notation
            for each in game.plannable(state, seat)
            if not each.is_form and each.verb != "send"
        ]
        if user not in self.users or not possible:
            return
        count = self._random.randrange(1, MAX_PLAN)
        lines = [self._random.choices(possible, k=MAX_ALTERNATIVES) for _ in range(count)]
        self._expected(match).orders[seat] += count
        query = "SELECT version FROM plans WHERE match_id=? AND seat=?"
        stored = self._audit_log.rows(query, match, seat)
        custom_id = f"plan:{match}:write:{stored[0][0] if stored else 0}"
        text = "\n".join(map(" or ".join, lines))
        write = partial(self.simulation.window, user, self.place, custom_id, text)
        answer = await self.simulation.do(write)
        self.simulation.clocks.chosen(match, "")
        written = bool(tells(answer, "**{game} #{match}: your plan**"))
        self._did("plans" if written else "plans refused")

    async def _take_back(self, match: int) -> None:
        """Take the last choice back, or ask the other player."""
        query = (
            "SELECT seats.user_id FROM actions JOIN seats ON seats.match_id = actions.match_id"
            " AND seats.seat = substr(line, 1, 1) WHERE actions.match_id=? AND undone_at IS NULL"
            " ORDER BY number DESC LIMIT 1"
        )
        last = [user for (user,) in self._audit_log.rows(query, match)]
        user = self._random.choice([*last * 4, *self.users])
        answer = await self._command(user, "takeback", match=match)
        if tells(answer, NEEDS_CONSENT):
            await self._plead(match, self._other(user))
        else:
            self._settle_takeback(match, answer, counted=bool(tells(answer, "Taken back.")))

    async def _plead(self, match: int, other: int) -> None:
        """The other player agrees, or the match goes on and *Agree* comes too late."""
        self._did("takebacks asked for")
        version = self._now(match).version
        agree = f"agree:{match}:{version}"
        if self._random.random() < 0.6:
            await until(partial(self._posted, match, agree))
            answer = await self._click(other, agree)
            self._settle_takeback(match, answer, counted=accepted(answer))
            return
        await self._choose(match)
        stale = self._now(match).version != version
        answer = await self._click(other, agree)
        done = self._settle_takeback(match, answer, counted=accepted(answer))
        self._did("stale agreements")
        if stale and done:
            self.simulation.report.blame(
                "applied_twice", f"match {match}: a stale agreement counted"
            )

    async def _offer_draw(self, match: int) -> None:
        """Offer a draw; the other player accepts, declines, or says nothing."""
        user = self._random.choice(self.users)
        answer = await self._command(user, "draw", match=match)
        done = bool(tells(answer, "Done: {choice}."))
        if not self._settle(match, "draw offer", answer, counted=done):
            return
        self._did("draws offered")
        other, dice = self._other(user), self._random.random()
        if dice < 0.2:
            await self._click(other, f"act:{match}:-:draw accept")
            answer = await self._click(other, f"draw:{match}:{self._now(match).version}")
            done = bool(tells(answer, "You've accepted the draw in match {match}."))
            self._settle(match, "draw accept", answer, counted=done)
        elif dice < 0.6:
            answer = await self._click(other, f"act:{match}:-:draw decline")
            self._settle(match, "draw decline", answer, counted=accepted(answer))

    async def _claim(self, match: int) -> None:
        """Claim the match, if a player is out of time."""
        query = "SELECT seat, user_id FROM seats WHERE match_id=? AND seconds_left=0"
        for seat, user in self._audit_log.rows(query, match):
            if self._now(match).status == "running":
                await self._click(self._other(user), f"claim:{match}:{seat}")
                claim = f"claim:{match}:{seat}:{self._now(match).version}"
                answer = await self._click(self._other(user), claim)
                done = bool(tells(answer, "You've claimed match {match} on time."))
                if self._settle(match, "flag", answer, counted=done):
                    self._did("claims")

    async def _be_away(self, match: int) -> None:
        """Go on vacation, or come back from it."""
        user = self._random.choice(self.users)
        away = bool(self._audit_log.rows("SELECT 1 FROM absences WHERE user_id=?", user))
        await self._command(user, "vacation", days=0 if away else 1)
        self._did("returns" if away else "vacations")

    async def _move(self, match: int) -> None:
        """Go on in another channel."""
        rooms = [self.place.channel_id, self.place.channel_id + ROOMS // 2]
        place = self.place._replace(channel_id=self._random.choice(rooms))
        self._open(place)
        expected = self._expected(match)
        expected.channels.add(place.channel_id)
        answer = await self._command(
            self._random.choice(self.users), "move_here", place, match=match
        )
        moved = tells(answer, "Match {match} continues here.")
        expected.moved = place.channel_id if moved else 0 if answer["doubtful"] else expected.moved
        self._did("moves" if moved else "moves refused")

    async def _look(self, match: int) -> None:
        """Look at something, which changes nothing."""
        user = self._random.choice(self.users)
        what = self._random.choice(("hand", "text", "since", "menu", "overlay", "board", "games"))
        if what == "games":
            await self._command(user, what)
        elif what == "board":
            await self._command(user, what, match=match)
        else:
            await self._click(user, f"{what}:{match}")
        self._did("looks")

    async def _snooze(self, match: int) -> None:
        await self._click(self._random.choice(self.users), f"snooze:{match}")
        self._did("snoozes")

    async def _nudge(self, match: int) -> None:
        """Nudge the other player, who may be on turn or not."""
        answer = await self._click(self._random.choice(self.users), f"nudge:{match}")
        told = tells(answer, "Nudged. In quiet hours, I wait until they are over.")
        self._did("nudges" if told else "nudges refused")

    async def _abandon(self, match: int) -> None:
        """Propose to end the match without a result; the other player may agree."""
        user, version = self._random.choice(self.users), self._now(match).version
        agreeing = [user, self._other(user)][: 1 + (self._random.random() < 0.3)]
        for each in agreeing:
            answer = await self._click(each, f"abandon:{match}:{version}")
            done = bool(tells(answer, "Match {match} has ended without a result."))
            if self._settle(match, "abandon", answer, counted=done):
                self._did("matches abandoned")
        self._did("proposals to abandon")

    async def _ask_for_messages(self, _match: int) -> None:
        """Have a DM at each turn, or none any more."""
        value = self._random.choice(("on", "off"))
        await self._click(self._random.choice(self.users), "prefer:turns", value)
        self._did("settings")

    async def _forget(self, match: int) -> None:
        """Have the own data deleted, which gives up the match."""
        user = self._random.choice(self.users)
        answer = await self._click(user, "erase:yes")
        gone = tells(answer, "Your data is deleted. Goodbye, and come back any time!")
        assert gone, answer
        self._settle(match, "resign", answer, counted=True)
        self.simulation.forget(user)
        self._did("deletions")

    async def _resign(self, match: int) -> None:
        if self._random.random() < 0.1:
            await self._forget(match)
            return
        version = self._now(match).version
        user = self._random.choice(self.users)
        answer = await self._click(user, f"resign:{match}:{version}")
        done = bool(tells(answer, "You've resigned match {match}."))
        self._settle(match, "resign", answer, counted=done)

    async def _watch_again(self, match: int) -> None:
        """Step through a finished match, or watch it as an animation."""
        dice, user = self._random.random(), self._random.choice(self.users)
        if dice < 0.3:
            await self._click(user, f"replay:{match}:0")
            self._did("replays")
        if dice < 0.1:
            await self._click(user, f"film:{match}")
            self._did("films")
