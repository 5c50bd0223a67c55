"""Suggested plans: the computer's choices for a player's setup.

The setup is continued from a position that is consistent with the player's knowledge. So a
suggestion follows from the player's view alone, and reveals nothing that the others have hidden.
"""

from __future__ import annotations

from random import Random
from typing import Any

from bot.domain.computer_players import STRONGEST
from bot.domain.ids import MatchId
from bot.services.computer_turns import ChoiceRequest, ComputerTurns, headers_of
from bot.services.match_repository import actions_of, match_with_board, seat_row
from bot.services.match_store import MatchStore
from bot.urgency import Urgency
from engine import games
from engine.dice import computer_seed
from engine.game import CHANCE, Action, AnyGame
from engine.plans import MAX_ORDERS, Order, Plan, order_like
from engine.record import Record


class Suggestions:
    """Suggests plans."""

    def __init__(self, match_store: MatchStore, turns: ComputerTurns) -> None:
        self._match_store = match_store
        self._turns = turns

    async def set_up(self, match_id: MatchId, seat: str) -> Plan:
        """Return a plan for the rest of a seat's setup; without orders after it.

        Raises:
            ChoiceError: there is no answer.
            StoppedError: the bot is stopping.
        """
        async with self._match_store.database.read() as connection:
            row = (await match_with_board(connection, match_id)).match
            log = await actions_of(connection, match_id)
            user_id = (await seat_row(connection, match_id, seat)).user_id
        game, state, headers = games.get(row.game), row.state(), headers_of(row)
        if not _is_set_up(game, state):
            return Plan(())
        # A match that the seat cannot tell from the true one: its hidden values are invented.
        actions = game.fill_redacted(row.options, game.redact_for_infostate(state, seat, log))
        state = Record(headers, actions).replay().state
        seed = computer_seed(row.seed)
        random = Random(f"{seed.hex()} {seat} {len(actions)}")
        orders: list[Order] = []
        while _is_set_up(game, state) and len(orders) < MAX_ORDERS:
            if seat in game.pending(state):
                record = Record(headers, game.redact_for_infostate(state, seat, actions))
                request = ChoiceRequest(STRONGEST, seed, seat, record, Urgency.HINT, user_id)
                action = (await self._turns.ask(game, state, request)).action
                orders.append(order_like(game, state, action, orders))
            else:
                action = _any_action(game, state, random)
            state, __ = game.apply(state, action)
            actions += (action,)
        return Plan(tuple(orders))


def _is_set_up(game: AnyGame, state: Any) -> bool:
    return game.pending(state) not in ("", CHANCE) and not game.view(state).turn


def _any_action(game: AnyGame, state: Any, random: Random) -> Action:
    """Return a possible action of another player."""
    return game.fill(random.choice(game.legal(state)), random.randrange)
