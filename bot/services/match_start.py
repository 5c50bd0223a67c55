"""Begin matches: draw the seats, roll the first dice, send the hands.

Several matches that begin in one transaction, as in a cup, share all statements but one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, select

from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.domain.outbox import MatchMessage, OutboxKind
from bot.services.automatic_moves import Progress, apply_forced_moves
from bot.services.chance import dice_of, resolve_chance
from bot.services.clocks import update_seat
from bot.services.match_changes import MatchChange
from bot.services.match_repository import actions_of, seats_of_matches
from bot.services.match_store import MatchStore, board_payloads
from bot.services.preferences import days_off_in
from bot.services.rows import MatchFields, MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import seats
from engine import games
from engine.dice import Dice


class Beginning(NamedTuple):
    """A challenge that all its players have agreed to.

    Attributes:
        row: the challenge.
        client_seed: the complete salt of the dice.
        order: the seats in the order of joining.
    """

    row: MatchRow
    client_seed: str
    order: str | None


async def begin_all(
    match_store: MatchStore, connection: Connection, beginnings: Sequence[Beginning]
) -> None:
    """Draw the seats, start the games, roll the first dice and queue private messages.

    Args:
        beginnings: the challenges before the change.
    """
    drawn = [await _with_drawn_seats(connection, beginning) for beginning in beginnings]
    people = await seats_of_matches(connection, [beginning.row.id for beginning in drawn])
    changes = [
        await _change(
            connection,
            beginning,
            await _with_days_off(connection, beginning.row, people[beginning.row.id]),
        )
        for beginning in drawn
    ]
    await match_store.save_all(connection, changes)
    rematches = [row.parent_id for row, *_ in drawn if row.parent_id and not row.lines_taken_over]
    if rematches:
        await _remove_rematch_buttons(match_store, connection, rematches)


async def _with_drawn_seats(connection: Connection, beginning: Beginning) -> Beginning:
    """Draw the seats of a match that are not chosen."""
    row, client_seed, order = beginning
    if not (row.seats_to_draw and order):
        return beginning
    drawn = await _draw_seats(connection, row, dice_of(row, client_seed), order)
    return beginning._replace(order=drawn)


async def _with_days_off(
    connection: Connection, row: MatchRow, people: Sequence[SeatRow]
) -> list[SeatRow]:
    """Store the days off that the players have chosen, as they are until the end of the match."""
    current = []
    for person in people:
        days_off = days_off_in(person.preferences, row.clock)
        if person.is_person and days_off.days:
            await update_seat(connection, person, days_off=str(days_off))
            current.append(replace(person, days_off=str(days_off)))
        else:
            current.append(person)
    return current


async def _change(
    connection: Connection, beginning: Beginning, people: Sequence[SeatRow]
) -> MatchChange:
    """Return the start of a match, with its first dice and automatic moves."""
    row, client_seed, order = beginning
    game = games.get(row.game)
    dice = dice_of(row, client_seed)
    progress = Progress.of(game, resolve_chance(game, await _start(connection, row), dice, 0))
    if not row.lines_taken_over:  # else it begins with exactly the position that was chosen
        salted = replace(row, salt=client_seed)
        progress = await apply_forced_moves(connection, salted, people, progress)
    fields: MatchFields = {
        "status": MatchStatus.RUNNING,
        "salt": client_seed,
        "expires_at": None,
        "engine_version": game.version,  # it can have changed since the challenge
        "seat_order": order,
    }
    notify = game.pending(progress.rolled.state)
    return MatchChange(row, progress, people, notify=notify, fields=fields)


async def _remove_rematch_buttons(
    match_store: MatchStore, connection: Connection, match_ids: Collection[MatchId]
) -> None:
    """Redraw the final boards of the previous matches without their *Rematch* button."""
    payloads = await board_payloads(connection, match_ids)
    messages = [
        MatchMessage(match_id, OutboxKind.EDIT_BOARD, payload)
        for match_id, payload in payloads.items()
    ]
    await match_store.queue_all(connection, messages)


async def _start(connection: Connection, row: MatchRow) -> Any:
    """Return the starting position of a match.

    Raises:
        IllegalActionError: the rules have changed since the actions were taken over.
    """
    game = games.get(row.game)
    state = game.start(row.rules, row.options)
    if row.lines_taken_over:
        for action in await actions_of(connection, row.id):
            state, __ = game.apply(state, action)
    return state


async def _draw_seats(connection: Connection, row: MatchRow, dice: Dice, order: str) -> str:
    """Assign the seats drawn by the dice to the players; return the new order of joining."""
    to_draw = row.seats_to_draw or ""
    free = [seat for seat in games.get(row.game).seats(row.options) if seat in to_draw]
    joined = [seat for seat in order if seat in to_draw]
    drawn = dict(zip(joined, dice.draw_seats(free), strict=True))
    free_seats = (seats.c.match_id == row.id) & seats.c.seat.in_(free)
    rows = (await connection.execute(select(seats).where(free_seats))).all()
    new_rows = [{**old._mapping, "seat": drawn[old.seat]} for old in rows]  # noqa: SLF001 - public
    await connection.execute(delete(seats).where(free_seats))
    await connection.execute(insert(seats), new_rows)
    return "".join(drawn.get(seat, seat) for seat in order)
