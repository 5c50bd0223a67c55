"""Turns of the computer: chosen from the record that its seat may see, stored as one change.

The choices are made outside the transaction, by a process that gets only the redacted record; the
dice between the choices are rolled here. If the match has changed by the time the turn is stored,
the turn is discarded, because the change has queued another job.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from bot.domain.computer_players import FALLBACK, with_fallbacks
from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus
from bot.services.automatic_moves import Progress
from bot.services.chance import ChanceResult, dice_of, resolve_chance
from bot.services.computer_jobs import ComputerJob
from bot.services.match_repository import (
    AbsentGameError,
    actions_of,
    match_with_board,
    seat_row,
    seats_of,
)
from bot.services.match_store import MatchStore, load
from bot.services.matches import Matches
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.urgency import Urgency
from engine import games
from engine.computer.suggestion import STRONGEST
from engine.dice import computer_seed
from engine.endings import DRAW_ANSWERS, ENDING_VERBS
from engine.game import Action, AnyGame, IllegalActionError, View
from engine.record import Record
from render.hints import Reasons

log = logging.getLogger(__name__)

_DRAW_ANSWERS = {(answer,) for answer in DRAW_ANSWERS}

ANSWER_SECONDS = 2.0
"""Seconds from a player's action to the computer's answer, so that the delay reveals nothing.

A choice takes less time, unless all workers are busy. Waiting for a worker never makes another
player replace the level: only a worker that fails or times out does."""


class ChoiceError(Exception):
    """Raised when a computer player gives no legal answer; the text says why."""


class StoppedError(Exception):
    """Raised when the computer players are stopping: they choose after the next start."""


class ChoiceRequest(NamedTuple):
    """A decision for a computer player.

    Attributes:
        level: its level, or the fallback.
        seed: its seed in this match.
        record: the record as the seat knows it.
        urgency: its priority among the requests.
        user_id: the player who waits for it; players with equally urgent requests take turns.
        advises: whether it is a hint for a person, see `ComputerPlayer.advise`.
    """

    level: str
    seed: bytes
    seat: str
    record: Record
    urgency: Urgency = Urgency.TURN
    user_id: UserId | None = None
    advises: bool = False


class ComputerChoice(NamedTuple):
    """The answer of a computer player.

    Attributes:
        line: an action in notation, without the actor.
        player: name and version of the player that chose it, e.g. `admiral/1`.
        reasons: the arguments for it, see `render.hints`.
    """

    line: str
    player: str
    reasons: Reasons = ()


class Hint(NamedTuple):
    """The choice that the computer would make in a player's place."""

    view: View
    action: Action
    reasons: Reasons


Choose = Callable[[ChoiceRequest], Awaitable[ComputerChoice]]
"""Asks a computer player.

Raises:
    ChoiceError: the player does not answer.
    StoppedError: the bot is stopping.
"""


class LegalChoice(NamedTuple):
    """A choice, its action, and the position after it."""

    choice: ComputerChoice
    action: Action
    after: Any


class _Position(NamedTuple):
    """A match in the middle of a turn of the computer."""

    state: Any
    log: tuple[Action, ...]
    new_actions: tuple[Action, ...]
    chosen_by: tuple[str | None, ...]
    chance_count: int


class ComputerTurns:
    """Plays the turns of the computer.

    Args:
        pause_seconds: time from a player's action to the computer's answer.
    """

    def __init__(
        self,
        match_store: MatchStore,
        matches: Matches,
        choose: Choose,
        pause_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._match_store = match_store
        self._matches = matches
        self._choose = choose
        self.pause_seconds = pause_seconds

    async def play(self, job: ComputerJob) -> None:
        """Play a turn of the computer; remove the job if there is no turn to play.

        Raises:
            NoMatchError: the match has been deleted.
            AbsentGameError: its game is not installed.
            IllegalActionError: the dice do not match their commitment.
        """
        async with self._match_store.database.read() as connection:
            row = (await match_with_board(connection, job.match_id)).match
            seats = await seats_of(connection, row.id)
            actions = await actions_of(connection, row.id)
        if row.is_waiting_for_game:
            raise AbsentGameError(f"{row.game} is not installed")
        turn, seat = None, next(seat for seat in seats if seat.seat == job.seat)
        if seat.level and row.version == job.version and _is_running(row):
            user_id = next((seat.user_id for seat in seats if seat.decides_itself), None)
            turn = await self._turn(row, seat, actions, user_id)
            pause = job.queued_at + self.pause_seconds - self._match_store.clock()
            await asyncio.sleep(min(max(0.0, pause), self.pause_seconds))
        async with self._match_store.database.write() as connection:
            now = await load(connection, job.match_id)
            if turn and turn.new_actions and now and now.version == row.version:
                await self._store(connection, now, turn)
            else:
                await job.remove(connection)

    async def hint(self, match_id: MatchId, seat: str) -> Hint:
        """Return the choice that the strongest level would make for a seat.

        Raises:
            ChoiceError: there is no answer, or the seat no longer has to decide.
            StoppedError: the bot is stopping.
        """
        async with self._match_store.database.read() as connection:
            row = (await match_with_board(connection, match_id)).match
            actions = await actions_of(connection, match_id)
            user_id = (await seat_row(connection, match_id, seat)).user_id
        game, state = games.get(row.game), row.state()
        if seat not in game.view(state).pending:
            raise ChoiceError("the match has moved on")
        record = Record(headers_of(row), game.redact_for_infostate(state, seat, actions))
        seed = computer_seed(row.seed)
        request = ChoiceRequest(STRONGEST, seed, seat, record, Urgency.HINT, user_id, advises=True)
        legal = await self.ask(game, state, request)
        return Hint(game.view(state, seat), legal.action, legal.choice.reasons)

    async def ask(self, game: AnyGame, state: Any, request: ChoiceRequest) -> LegalChoice:
        """Ask a computer player for a legal action.

        Raises:
            ChoiceError: the player gives none.
            StoppedError: the bot is stopping.
        """
        return await _ask(self._choose, game, state, request)

    async def _turn(
        self, row: MatchRow, stored: SeatRow, actions: tuple[Action, ...], user_id: UserId | None
    ) -> _Position:
        """Return the position after the turn of a seat that a player waits for."""
        game, headers = games.get(row.game), headers_of(row)
        position = _Position(row.state(), actions, (), (), row.chance_count)
        dice, seed = dice_of(row, row.salt), computer_seed(row.seed)
        player, seat = _Player(self._choose, stored.player.level), stored.seat
        if stored.is_person and seat in game.view(position.state).answering:
            position = _declined(game, position, seat)
        while _has_to_act(game, position.state, seat):
            visible_actions = game.redact_for_infostate(position.state, seat, position.log)
            record = Record(headers, visible_actions)
            request = ChoiceRequest(player.level, seed, seat, record, user_id=user_id)
            legal = await player.choose(game, position.state, request)
            new_actions = (legal.action,)
            rolled = resolve_chance(game, legal.after, dice, position.chance_count, new_actions)
            dice_count = len(rolled.actions) - 1
            position = _Position(
                rolled.state,
                position.log + rolled.actions,
                position.new_actions + rolled.actions,
                (*position.chosen_by, legal.choice.player, *[None] * dice_count),
                rolled.chance_count,
            )
        return position

    async def _store(self, connection: Connection, row: MatchRow, turn: _Position) -> None:
        rolled = ChanceResult(turn.state, turn.new_actions, turn.chance_count)
        progress = Progress.of(games.get(row.game), rolled)
        await self._matches.store(connection, row, progress, turn.chosen_by)


def _declined(game: AnyGame, position: _Position, seat: str) -> _Position:
    """Return a position after the bot has declined a draw for a player who is away."""
    action = Action(seat, "draw", ("decline",))
    after, __ = game.apply(position.state, action)
    log, new_actions = (*position.log, action), (*position.new_actions, action)
    return _Position(after, log, new_actions, (*position.chosen_by, None), position.chance_count)


class _Player:
    """The computer in one turn: a level that fails is replaced for the rest of the turn.

    Args:
        level: its level at the start of the turn.
    """

    def __init__(self, choose: Choose, level: str) -> None:
        self._choose = choose
        self._levels = deque(with_fallbacks(level))

    @property
    def level(self) -> str:
        """The level that chooses now."""
        return self._levels[0]

    async def choose(self, game: AnyGame, state: Any, request: ChoiceRequest) -> LegalChoice:
        """Return the choice of the level, or of the level that replaces it.

        Raises:
            ChoiceError: even the fallback failed, which is a bug.
        """
        while self.level != FALLBACK:
            try:
                return await _ask(self._choose, game, state, request)
            except ChoiceError as error:
                self._levels.popleft()
                self._log_failure(request, str(error))
            request = request._replace(level=self.level)
        return await _ask(self._choose, game, state, request)

    def _log_failure(self, request: ChoiceRequest, reason: str) -> None:
        log.warning(
            "the computer player “%s” is replaced by “%s”: %s", request.level, self.level, reason
        )


async def _ask(choose: Choose, game: AnyGame, state: Any, request: ChoiceRequest) -> LegalChoice:
    """Ask a computer player for a legal action.

    Raises:
        ChoiceError: the player gives none. The text repeats nothing of the answer, which may be
            secret.
    """
    choice = await choose(request)
    if not re.fullmatch(rf"{request.level}/\d{{1,9}}", choice.player):
        raise ChoiceError("it answers for another player")
    try:
        action = Action.parse(f"{request.seat} {choice.line}")
        if action.verb in ENDING_VERBS and action.args not in _DRAW_ANSWERS:
            raise ChoiceError("it would end the match")
        return LegalChoice(choice, action, game.apply(state, action)[0])
    except IllegalActionError as error:
        raise ChoiceError(f"illegal action, see rule {error.rule or '?'}") from error


def _is_running(row: MatchRow) -> bool:
    return row.status == MatchStatus.RUNNING and not row.is_outdated


def _has_to_act(game: AnyGame, state: Any, seat: str) -> bool:
    """Return whether a seat has to decide or to answer a draw offer."""
    view = game.view(state)
    return not view.result and seat in view.pending + view.answering


def headers_of(row: MatchRow) -> dict[str, str]:
    """Return the headers that a choice depends on."""
    options = " ".join(f"{name}={value}" for name, value in row.options.items())
    headers = {"Game": row.game, "Version": str(row.engine_version), "Rules": row.rules}
    return headers | ({"Options": options} if options else {})
