"""Cups that are played by the services alone."""

from __future__ import annotations

from typing import Any

from bot.clicked_messages import ClickedMessages
from bot.domain.clocks import DAY
from bot.domain.ids import NO_MATCH, ChannelId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.outcomes import Outcome
from bot.features.cups.drafts import CupDraft
from bot.features.cups.due_posts import CupPosts
from bot.features.cups.formats import CupFormat
from bot.features.cups.notices import OrganiserNotices
from bot.features.cups.posts import CupDelivery, CupSender
from bot.features.cups.rows import Cup, CupStatus, StoredPairing
from bot.features.cups.service import Actor
from bot.guilds import Guilds
from bot.outbox.refusals import Refusals
from bot.outbox.transport import Transport
from bot.services.preferences import Preferences
from bot.storage.leases import Leases
from engine import games
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_objects import GUILD
from tests.support.matches import MatchFixture

CHANNEL, ORGANISER = ChannelId(6), UserId(99)

FIRST_USER = 1001
"""User ID of the player who joins first; the others follow."""


def user(number: int) -> UserId:
    """The user ID of the player who joined as this number."""
    return UserId(FIRST_USER + number - 1)


class CupFixture:
    """An organiser, and players who join one after the other."""

    def __init__(self, env: MatchFixture) -> None:
        self.env = env
        self.cups, self.dates = env.cups, env.cup_dates
        self.cup_matches = env.cups._cup_matches

    async def create(self, players: int = 4, **fields: Any) -> int:
        """A cup with some players, by default a round robin of Warp 6."""
        defaults: dict[str, Any] = {
            "name": "Spring",
            "game": "warp6",
            "clock": "3d",
            "format": CupFormat.ROUND_ROBIN,
            "guild_id": GUILD,
            "channel_id": CHANNEL,
        }
        draft = CupDraft(**(defaults | fields))
        created = await self.cups.create(next(self.env.ids), draft, ORGANISER)
        assert created.kind == "done", created
        for number in range(1, players + 1):
            assert (await self.join(created.cup_id, user(number))).kind == "done"
        return created.cup_id

    async def join(self, cup_id: int, user_id: UserId) -> Outcome:
        player = Player(user_id, f"P{user_id}")
        return await self.cups.join(next(self.env.ids), cup_id, player)

    async def start(self, cup_id: int) -> Outcome:
        return await self.cups.start(next(self.env.ids), cup_id, Actor(ORGANISER))

    async def begun(self, players: int = 4, **fields: Any) -> int:
        """A cup that has started."""
        cup_id = await self.create(players, **fields)
        assert (await self.start(cup_id)).kind == "done"
        return cup_id

    async def withdraw(self, cup_id: int, user_id: UserId, by: UserId | None = None) -> Outcome:
        actor = Actor(by or user_id)
        return await self.cups.leave(next(self.env.ids), cup_id, actor, user_id)

    async def get(self, cup_id: int) -> Cup:
        cup = await self.cups.get(cup_id)
        assert cup
        return cup

    async def out_of_time(self) -> tuple[int, MatchId, str]:
        """Begin a cup; return its number, a match in it, and the seat whose time is up."""
        cup_id = await self.begun(3)
        pairing = await self.pairing(cup_id)
        match = await self.env.queries.match(pairing.match_id or NO_MATCH)
        ((seat, version),) = match.decisions.items()
        self.env.now += 3 * DAY + 1
        await self.env.strike("flag", match.id, seat, version)
        return cup_id, match.id, seat

    async def pairing(self, cup_id: int, round_number: int = 1, place: int = 0) -> StoredPairing:
        """One pairing."""
        return next(
            pairing
            for pairing in (await self.get(cup_id)).pairings
            if (pairing.round, pairing.place) == (round_number, place)
        )

    async def resign(self, match_id: MatchId | None, index: int = 1) -> None:
        """Have the player in a seat resign, or leave a match of three."""
        match = await self.env.queries.match(match_id or NO_MATCH)
        seat = games.get(match.game).seats(match.options)[index]
        verb = "resign" if len(match.players) == 2 else "leave"
        player = match.players[seat].user_id
        outcome = await self.env.matches.act(next(self.env.ids), match.id, player, verb)
        assert outcome.kind == "done", outcome

    async def win(self, cup_id: int, pairing: StoredPairing, number: int) -> None:
        """Let a player win the running match of a pairing: all others give up.

        If the player has left it, the last of the others wins.
        """
        for index, entrant in enumerate(pairing.seated):
            seen = await self.env.queries.view(pairing.match_id or NO_MATCH)
            seat = games.get(seen.match.game).seats(seen.match.options)[index]
            if entrant != number and not seen.view.result and seat in seen.view.playing:
                await self.resign(pairing.match_id, index)

    async def draw(self, pairing: StoredPairing) -> None:
        """Have the players of a match of two agree on a draw."""
        match = await self.env.queries.match(pairing.match_id or NO_MATCH)
        offering = await self.env.on_turn(match.id)
        other = next(p.user_id for p in match.players.values() if p.user_id != offering)
        for player, line in ((offering, "draw offer"), (other, "draw accept")):
            outcome = await self.env.matches.act(next(self.env.ids), match.id, player, line)
            assert outcome.kind == "done", outcome

    async def play_out(self, cup_id: int) -> Cup:
        """Let the lower number win each match until the cup is over."""
        while (cup := await self.get(cup_id)).row.status == CupStatus.RUNNING:
            assert cup.running, "the cup is stuck"
            pairing = cup.running[0]
            await self.win(cup_id, pairing, min(pairing.seated))
        return cup


class PostFixture:
    """The services and one process that posts, on a fake Discord."""

    def __init__(self, delivery: DeliveryFixture) -> None:
        self.delivery, self.env = delivery, delivery.env
        self.fake = delivery.fake
        self.fake.text_channels |= {CHANNEL}
        self.cup = CupFixture(delivery.env)
        self.sender = self.process("1")

    def process(self, name: str) -> CupSender:
        """Return the sender of another process."""
        delivery = self.delivery

        def clock() -> float:
            return delivery.env.now

        database = delivery.env.database
        transport = Transport(delivery.client, clock, ClickedMessages(), Refusals(database))
        preferences = Preferences(database)
        return CupSender(
            self.cup.cups,
            CupPosts(database),
            OrganiserNotices(delivery.client, transport, self.cup.cups, preferences),
            CupDelivery(
                Leases(database, name, clock),
                delivery.images,
                transport,
                Guilds(delivery.client, clock),
                clock,
            ),
        )

    async def play_out(self, cup_id: int) -> Cup:
        """Play all matches of a cup, and post their boards."""
        cup = await self.cup.play_out(cup_id)
        await self.delivery.worker.flush()
        return cup

    def said(self) -> list[str]:
        """Return the current texts of the channel's messages."""
        return self.fake.texts(CHANNEL)
