"""Suggested plans: the computer's choices for a player's setup.

See `engine.computer.suggestion`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from bot.domain.ids import MatchId
from bot.services.computer_turns import ChoiceError, ChoiceRequest, ComputerTurns, headers_of
from bot.services.match_repository import actions_of, match_with_board, seat_row
from bot.services.match_store import MatchStore
from bot.urgency import Urgency
from engine import games
from engine.computer.suggestion import STRONGEST, SetupSuggestion, is_setup
from engine.dice import computer_seed
from engine.game import Action, AnyGame
from engine.plans import Plan
from engine.record import Record


class Suggestions:
    """Suggests plans."""

    def __init__(self, match_store: MatchStore, turns: ComputerTurns) -> None:
        self._match_store = match_store
        self._turns = turns

    async def set_up(self, match_id: MatchId, seat: str) -> Plan:
        """Return a plan for the rest of a seat's setup; without orders after it.

        Raises:
            ChoiceError: one of its choices has no answer, twice.
            StoppedError: the bot is stopping.
        """
        async with self._match_store.database.read() as connection:
            row = (await match_with_board(connection, match_id)).match
            log = await actions_of(connection, match_id)
            user_id = (await seat_row(connection, match_id, seat)).user_id
        game, state = games.get(row.game), row.state()
        if not is_setup(game, state):
            return Plan(())
        seed = computer_seed(row.seed)
        visible_actions = game.redact_for_infostate(state, seat, log)
        suggestion = SetupSuggestion(Record(headers_of(row), visible_actions), seat, seed)
        while record := suggestion.ask():
            request = ChoiceRequest(STRONGEST, seed, seat, record, Urgency.HINT, user_id)
            suggestion.add(await self._choice(game, suggestion.state, request))
        return Plan(tuple(suggestion.orders))

    async def _choice(self, game: AnyGame, state: Any, request: ChoiceRequest) -> Action:
        """Return a choice; ask again without an answer, as of a machine that was busy.

        Raises:
            ChoiceError: there is no answer to either request.
            StoppedError: the bot is stopping.
        """
        with suppress(ChoiceError):
            return (await self._turns.ask(game, state, request)).action
        return (await self._turns.ask(game, state, request)).action
