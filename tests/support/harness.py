"""A whole bot on a simulated Discord, with three people and a channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcord.results import to_discord_message
from sqlalchemy import select, update

from bot.app.client import Starpost
from bot.app.deployment import Deployment, no_workers
from bot.app.registry import FEATURES
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Perspective
from bot.feature import Feature
from bot.interactions.rate_limit import RateLimiter
from bot.services.pings import WATCHING_SECONDS
from bot.services.preferences import GROUPS, PreferenceKey, Preferences
from bot.services.servers import Servers
from bot.storage.database import Database
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import actions, facts, matches
from bot.workers.pool import WorkerPool
from engine import games
from engine.game import Action

SEED = bytes(range(32))
NOW = 1_800_000_000.0

ID_BLOCK = 1 << 22
"""Number of ids that simcord allots in a millisecond; its clock stands still."""

FIRST_ID = 200
"""Number of ids that are used up before those of a stage: more than commands and emojis have."""


IDLE_SECONDS = 0.005
"""Between two looks of simcord whether the bot is done; its 0.05 s were a third of all tests."""

SETTLE_TIMEOUT_SECONDS = 60.0
"""Seconds of real time after which a bot that does not come to rest hangs."""


class Clock:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


class NoRateLimit(RateLimiter):
    """Admits everything, however fast it comes."""

    async def admit(self, user_id: UserId) -> bool:
        return True


class Stage:
    """A guild with three players, and shortcuts for what they do."""

    def __init__(self, env: Any, database: Database) -> None:
        self.env = env
        self.clock: Clock = env.bot.clock
        self.database = database
        while env.backend.snowflake() % ID_BLOCK < FIRST_ID:
            pass  # the numbers of interactions, and so the dice, depend on nothing before
        self.guild = env.create_guild("Club")
        self.channel = self.guild.create_text_channel("games")
        self.ada, self.bo, self.eve = (
            self.guild.add_member(env.create_user(name.lower(), global_name=name))
            for name in ("Ada", "Bo", "Eve")
        )
        self.where: Any = None  # a thread or DM where the match is played; None for the channel
        self.people = {actor.id: actor for actor in (self.ada, self.bo, self.eve)}

    async def without_threads(self) -> Stage:
        """Matches stay in the channel."""
        await Servers(self.database).choose(self.guild.id, threads="off")
        return self

    async def stop_computers(self) -> None:
        """End the workers of the bot: simcord only cancels its tasks."""
        await self.client.runtime.stop_workers()

    async def without_forced_moves(self) -> Stage:
        """Players make forced choices themselves, so that each decision is one choice."""
        for actor in self.people:
            await Preferences(self.database).set(actor, PreferenceKey.FORCED, "off")
        return self

    @property
    def client(self) -> Starpost:
        """The running bot."""
        client: Starpost = self.env.bot
        return client

    def name(self, actor: Any) -> str:
        """Return the name of an actor."""
        return {self.ada.id: "Ada", self.bo.id: "Bo"}[actor.id]

    async def restart(self) -> None:
        """Restart the bot on the same database and the same simulated Discord."""
        await self.stop_computers()
        features = self.env.bot.features
        await self.env.restart_bot(actor_bot(self.database, self.clock, features=features))

    def leave_threads_as_they_are(self) -> None:
        """Refuse changes of threads, which simcord knows only in part."""
        path = f"/channels/{'[0-9]' * 19}"
        self.env.inject_error("PATCH", path, status=403, code=50013, times=None)

    async def spend(self, seconds: float) -> None:
        """Let time pass while the bot is there: it has looked at the clock all the while."""
        self.clock.now += seconds
        async with self.database.write() as connection:
            noted = update(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))
            await connection.execute(noted.values(value=repr(self.clock.now)))

    async def ping(self) -> None:
        """Let those who have to decide and do nothing be pinged."""
        await self.spend(WATCHING_SECONDS + 1)
        await self.env.advance_time(30)
        await self.client.runtime.outbox.flush()
        await self.env.settle()

    async def challenge(self, where: Any = None, **options: Any) -> Any:
        """Challenge Bo as Ada, and return the message with the buttons."""
        answer = await play(self.ada, where or self.channel, opponent=self.bo, **options)
        assert answer.response.ephemeral, answer
        return self.last(where)

    async def begin(self, where: Any = None, **options: Any) -> MatchId:
        """Begin a match, and return its id."""
        challenge = await self.challenge(where, **options)
        await self.click(self.bo, challenge, "accept:")
        custom_id = next(i for i in ids(challenge) if i.startswith("accept:"))
        return MatchId(int(custom_id.split(":")[1]))

    def last(self, where: Any = None) -> Any:
        """The newest public message; simcord's own `last_message` makes copies of all others."""
        kept = self.env.backend.messages.get((where or self.channel).id, {})
        seen = [message for message in kept.values() if message.visible_to(None)]
        newest = max(seen, key=lambda message: message.id, default=None)
        return newest and to_discord_message(self.env, newest)

    def board(self, match_id: MatchId, where: Any = None) -> Any:
        """The newest public message with a board of a match."""
        start = f"text:{match_id}:"
        kept = self.env.backend.messages.get((where or self.channel).id, {})
        for number in sorted(kept, reverse=True):
            message = to_discord_message(self.env, kept[number])
            if any(custom_id.startswith(start) for custom_id in ids(message)):
                return message
        return None

    async def click(self, actor: Any, message: Any, start: str) -> Any:
        """Click the button whose custom_id begins like this, if need be behind *More…*."""
        custom_id = _first_id(message, start)
        if not custom_id and (more := _first_id(message, "more:")):
            message = (await actor.click(message, custom_id=more)).response
            custom_id = _first_id(message, start)
        assert custom_id, f"no {start} in {ids(message)}"
        result = await actor.click(message, custom_id=custom_id)
        assert result.acknowledged
        return result

    async def prefer(self, actor: Any, **preferences: str) -> Any:
        """Choose settings in the window of their group; the others stay as they are."""
        panel = await actor.slash(self.channel, "settings")
        (group,) = {name for name, (_, keys) in GROUPS.items() if preferences.keys() & set(keys)}
        window = await self.click(actor, panel.response, f"preferences:{group}")
        given = {
            field["component"]["custom_id"]: option["value"]
            for field in window.modal["components"]
            for option in field["component"]["options"]
            if option.get("default")
        }
        return await actor.submit_modal(window, given | preferences)

    async def computers(self) -> None:
        """Wait until the computer has played all its turns and they are posted."""
        await self.env.settle()
        await self.client.runtime.outbox.flush()
        await self.env.settle()

    async def perspective(self, match_id: MatchId, actor: Any = None) -> Perspective:
        """The match as an actor sees it."""
        return await self.client.context.queries.view(match_id, UserId(actor.id) if actor else None)

    async def state(self, match_id: MatchId) -> Any:
        """The true position of a match."""
        match = await self.client.context.queries.match(match_id)
        async with self.database.read() as connection:
            query = select(matches.c.position).where(matches.c.id == match_id)
            return games.get(match.game).load((await connection.execute(query)).scalar_one())

    async def replayed(self, match_id: MatchId) -> Any:
        """The position to which the log leads."""
        match = await self.client.context.queries.match(match_id)
        game = games.get(match.game)
        state = game.start(match.rules, match.options)
        async with self.database.read() as connection:
            live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
            query = select(actions.c.line).where(live).order_by(actions.c.number)
            for line in (await connection.execute(query)).scalars():
                state, _ = game.apply(state, Action.parse(line))
        return state

    async def waiting(self) -> tuple[MatchId, Any, Any]:
        """Begin a match; return its number, the player who waits and the one who has to decide."""
        match_id = await self.begin()
        late = await self.deciding(match_id)
        return match_id, (self.bo if late is self.ada else self.ada), late

    async def deciding(self, match_id: MatchId) -> Any:
        """Return the player who must decide; the first of them, if there are more."""
        match = await self.client.context.queries.match(match_id)
        seat = next(iter(match.decisions))
        return self.people[match.players[seat].user_id]

    def public(self) -> list[Any]:
        """Return every public message of the channel, in order."""
        messages: list[Any] = self.channel.history()
        return messages


async def play(
    actor: Any, where: Any, *, opponent2: Any = None, luck: str = "", **terms: Any
) -> Any:
    """Type `/play`, choose the other terms on the card, and send the challenge.

    Args:
        opponent2: a second opponent.
        luck: words for the salt.
        terms: options of the command, and values of the card's lists by name; a clock of None
            leaves the default, otherwise there is none.
    """
    terms = {"clock": "no clock"} | terms
    named = {name: v for name, v in terms.items() if name in PLAY_OPTIONS and v is not None}
    answer = await actor.slash(where, "play", **named)
    if not _components(answer, "card:send"):
        return answer
    more = {LISTS.get(name, f"={name}"): v for name, v in terms.items() if name not in PLAY_OPTIONS}
    if opponent2 is not None:
        more = {"who": [named["opponent"], opponent2]} | more
    if more or luck:
        answer = await actor.click(answer.response, custom_id=_components(answer, "card:more")[0])
    for name, value in more.items():
        (custom_id,) = _components(answer, f"card:{name}:")
        values = value if isinstance(value, list) else [_value(answer, name, value)]
        answer = await actor.select(answer.response, values, custom_id=custom_id)
        if not _components(answer, "card:send"):
            return answer
    if luck:
        form = await actor.click(answer.response, custom_id=_components(answer, "card:luck")[0])
        return await actor.submit_modal(form, {"words": luck})
    (card,) = _components(answer, "card:send")
    return await actor.click(answer.response, custom_id=card)


PLAY_OPTIONS = ("opponent", "game", "clock", "rated")
"""Options of `/play`."""

LISTS = {"side": "side", "level": "level", "rules": "rules", "series": "rounds", "days_off": "off"}
"""Name of a term → that of its list on the card, where it is no option of the game."""


def _components(answer: Any, start: str) -> list[str]:
    return [custom_id for custom_id in ids(answer.response) if custom_id.startswith(start)]


def _value(answer: Any, name: str, value: Any) -> str:
    """Return the value of an entry of a list; a side may be named as players see it."""
    for component in walk(answer.response.components):
        if component.get("custom_id", "").startswith(f"card:{name}:"):
            named = [o["value"] for o in component["options"] if o["label"].endswith(f": {value}")]
            return named[0] if named else f"{value}"
    raise AssertionError(name)


def walk(items: Any) -> Iterator[dict[str, Any]]:
    """All components as Discord has them, nested ones too."""
    for item in items:
        component = item if isinstance(item, dict) else item.to_dict()
        yield component
        yield from walk(component.get("components", ()))
        yield from walk([component["accessory"]] if component.get("accessory") else ())


def ids(message: Any) -> list[str]:
    """All custom_ids of a message; none of a private card that a later one has replaced."""
    components = message.components if message else ()
    return [component["custom_id"] for component in walk(components) if "custom_id" in component]


def _first_id(message: Any, start: str) -> str:
    """The first custom_id of a message that begins like this; empty if none does."""
    return next((custom_id for custom_id in ids(message) if custom_id.startswith(start)), "")


def words(message: Any) -> str:
    """All text that a message shows: labels and entries of lists included."""
    parts: list[str] = []
    for component in walk(message.components if message else ()):
        parts += [
            component[key] for key in ("content", "label", "placeholder") if component.get(key)
        ]
        parts += [option["label"] for option in component.get("options", ())]
    return "\n".join(parts)


def pinged(stage: Stage, message: Any) -> list[int]:
    """Those whom a message pings: mentioned in its text, and allowed to be."""
    stored = stage.env.backend.get_message(stage.channel.id, message.id)
    return sorted(stored.ping_user_ids)


class Actor(Starpost):
    """A bot whose clock stands still and whose dice are always the same."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        workers: WorkerPool | None = None,
        features: Sequence[Feature] = FEATURES,
    ) -> None:
        pool = workers or no_workers()
        deployment = Deployment(workers=pool, features=features)
        super().__init__(database, clock, lambda: SEED, deployment)
        self.context.computer_turns.pause_seconds = 0.0
        self.clock = clock
        self.features = features


def actor_bot(
    database: Database,
    clock: Clock | None = None,
    workers: WorkerPool | None = None,
    features: Sequence[Feature] = FEATURES,
) -> Actor:
    """A bot for the stage; by default the computer does not play."""
    return Actor(database, clock or Clock(), workers, features)
