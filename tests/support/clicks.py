"""Counts clicks and public messages of whole matches that are played through the bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import select

from bot.domain.ids import MatchId
from bot.storage.schema import actions
from engine import games
from engine.computer.players import ComputerPlayer
from engine.game import CHANCE, Action
from engine.notation import SEPARATOR
from engine.record import Record
from tests.support.driver import pick
from tests.support.harness import NoRateLimit, Stage, ids

LEVEL = "captain"
"""The computer level that chooses for both people: fast, and good enough to end a match."""

CLICKS_OF_A_LIST = 2
"""A list is opened, and an entry is clicked."""


EARLIER_CLICKS: dict[str, dict[str, float]] = {
    "place": {"wormholes": 116 / 24},
    "send": {"wormholes": 2},
    "up": {"warp6": 2},
    "down": {"warp6": 2},
    "rhomb": {"tomtube": 109 / 29},
}
"""Clicks of a choice before there were areas and plans, by verb and game; of all others: one.

Counted in whole matches with the version of 2026-11-21.
"""


class Figures(NamedTuple):
    """Counts of a match.

    Attributes:
        turns: number of its last turn.
        clicks: of both players, from the first decision to the end.
        messages: public messages that the bot posted meanwhile; edits are none.
        earlier_clicks: clicks for the same choices before.
        earlier_messages: messages of the same match before: a board a turn, and one for each choice
            of the set-up.
    """

    turns: int
    clicks: int
    messages: int
    earlier_clicks: float
    earlier_messages: int


@dataclass
class CountingActor:
    """A person whose clicks are counted.

    Attributes:
        panel: the private message that the latest click has opened or renewed.
    """

    actor: Any
    clicks: int = 0
    panel: Any = None

    def __getattr__(self, name: str) -> Any:
        """Do anything else as the person does."""
        return getattr(self.actor, name)

    async def click(self, *args: Any, **kwargs: Any) -> Any:
        """Click a button."""
        self.clicks += 1
        return await self.actor.click(*args, **kwargs)

    async def select(self, *args: Any, **kwargs: Any) -> Any:
        """Open a list and click an entry."""
        self.clicks += CLICKS_OF_A_LIST
        return await self.actor.select(*args, **kwargs)

    async def submit_modal(self, *args: Any, **kwargs: Any) -> Any:
        """Send the values typed into a form."""
        self.clicks += 1
        return await self.actor.submit_modal(*args, **kwargs)


async def count_match(stage: Stage, seed: int = 0, **terms: Any) -> Figures:
    """Play a match to its end with a good player on both sides, and return what it took.

    Both let the computer suggest their set-up, and accept it.

    Args:
        stage: where it is played; with computers.
        terms: of the challenge.
    """
    stage.client.gate._limits = NoRateLimit()  # the clock stands still
    chooser = ComputerPlayer(LEVEL, bytes([seed]) * 32)
    match_id = await stage.begin(**terms)
    players = {user_id: CountingActor(actor) for user_id, actor in stage.people.items()}
    before = _posted(stage)
    seen = set(before)
    for seat, player in (await stage.client.context.queries.match(match_id)).players.items():
        assert seat
        await _plan_set_up(stage, match_id, players[player.user_id])
        seen |= _posted(stage)
    while (match := await stage.client.context.queries.match(match_id)).status == "running":
        seat = next(iter(match.decisions))
        actor = players[match.players[seat].user_id]
        await _choose(stage, match_id, actor, await _turn(stage, match_id, seat, chooser))
        seen |= _posted(stage)
    turns = (await stage.perspective(match_id)).view.turn
    clicks = sum(player.clicks for player in players.values())
    choices = [action for action in await _made(stage, match_id) if action.actor != CHANCE]
    earlier = sum(EARLIER_CLICKS.get(action.verb, {}).get(match.game, 1) for action in choices)
    placed = sum(action.verb == "place" for action in choices)
    return Figures(turns, clicks, len(seen) - len(before), earlier, turns + placed)


async def _choose(
    stage: Stage, match_id: MatchId, actor: CountingActor, turn: Sequence[Action]
) -> None:
    """Choose in the private message that is open, if it shows this decision, or under the board.

    A button for all of these actions, in whatever order, is preferred; without one it is the first.
    """
    context = stage.client.context
    match = await context.queries.match(match_id)
    decision = f":{match_id}:{match.decisions[match.seat_of(actor.id)]}"
    message = stage.board(match_id, stage.where)
    if actor.panel and any(decision in f"{custom_id}:" for custom_id in ids(actor.panel)):
        message = actor.panel
    elif f"menu:{match_id}" in ids(message):
        message = (await actor.click(message, custom_id=f"menu:{match_id}")).response
    view = (await stage.perspective(match_id, actor)).view
    while True:
        if whole := next(
            (custom_id for custom_id in ids(message) if _is_whole(custom_id, turn)), ""
        ):
            result = await actor.click(message, custom_id=whole)
        else:
            result = await pick(actor, message, turn[0], view)
        assert result.acknowledged, turn
        actor.panel = result.response
        after = await context.queries.match(match_id)
        if (after.status, after.decisions) != (match.status, match.decisions):
            return
        message = result.response or message


def _is_whole(custom_id: str, turn: Sequence[Action]) -> bool:
    """Whether a button makes all actions of a turn, the first one first."""
    lines = custom_id.rpartition(":")[2].split(f"{SEPARATOR} ")
    first, *others = (action.notation for action in turn)
    return len(lines) > 1 and lines[0] == first and sorted(lines[1:]) == sorted(others)


async def _plan_set_up(stage: Stage, match_id: MatchId, actor: CountingActor) -> None:
    """Open the plan, let the computer suggest it, and use it; if there is a set-up."""
    if (await stage.perspective(match_id)).view.turn:
        return
    board = stage.board(match_id, stage.where)
    reply = await actor.click(board, custom_id=f"plan:{match_id}")
    reply = await stage.click(actor, reply.response, f"plan:{match_id}:suggest")
    await stage.click(actor, reply.response, f"plan:{match_id}:resume")


async def _turn(
    stage: Stage, match_id: MatchId, seat: str, chooser: ComputerPlayer
) -> list[Action]:
    """Return a computer player's actions for a seat, up to dice or another player's choice."""
    match, state = await stage.client.context.queries.match(match_id), await stage.state(match_id)
    game, history = games.get(match.game), await _made(stage, match_id)
    options = " ".join(f"{name}={value}" for name, value in match.options.items())
    headers = {"Game": match.game, "Version": str(game.version), "Rules": match.rules}
    turn: list[Action] = []
    while game.pending(state) == seat:
        record = Record(
            headers | {"Options": options},
            game.redact_for_infostate(state, seat, (*history, *turn)),
        )
        turn.append(chooser.choose(record, seat).action)
        state, _ = game.apply(state, turn[-1])
    return turn


async def _made(stage: Stage, match_id: MatchId) -> tuple[Action, ...]:
    """Return the actions of a match."""
    async with stage.database.read() as connection:
        live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
        rows = await connection.execute(select(actions.c.line).where(live).order_by("number"))
        return tuple(Action.parse(line) for line in rows.scalars())


def _posted(stage: Stage) -> set[int]:
    """Return the ids of the public messages in the channel of the match."""
    kept = stage.env.backend.messages.get((stage.where or stage.channel).id, {})
    return {message.id for message in kept.values() if message.visible_to(None)}
