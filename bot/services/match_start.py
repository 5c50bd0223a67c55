"""Begin a match: draw the seats, roll the first dice, send the hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, insert, select

from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.domain.outbox import OutboxKind, Target
from bot.services.automatic_moves import Progress, apply_automatic_moves
from bot.services.chance import dice_of, resolve_chance
from bot.services.match_changes import MatchChange
from bot.services.match_repository import actions_of, seats_of
from bot.services.match_store import MatchStore
from bot.services.preferences import PreferenceKey, wants
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import matches, seats
from engine import games
from engine.dice import Dice


async def begin(
    match_store: MatchStore,
    connection: Connection,
    row: MatchRow,
    client_seed: str,
    order: str | None,
) -> None:
    """Draw the seats, start the game, roll the first dice and queue private messages.

    Args:
        match_store: the store of the service that begins the match.
        row: the challenge before the change.
        client_seed: the complete salt of the dice.
        order: the seats in the order of joining.
    """
    game = games.get(row.game)
    dice = dice_of(row, client_seed)
    if row.seats_to_draw and order:
        order = await _draw_seats(connection, row, dice, order)
    rolled = resolve_chance(game, await _start(connection, row), dice, 0)
    changes: dict[str, Any] = {
        "status": MatchStatus.RUNNING,
        "salt": client_seed,
        "expires_at": None,
    }
    changes["engine_version"] = game.version  # it can have changed since the challenge
    changes["seat_order"] = order
    people, now = await seats_of(connection, row.id), match_store.clock()
    progress = Progress.of(game, rolled)
    if not row.lines_taken_over:  # else it begins with exactly the position that was chosen
        salted = replace(row, salt=client_seed)
        progress = await apply_automatic_moves(connection, salted, people, progress, {}, now=now)
    notify = game.pending(progress.rolled.state)
    await match_store.queue(connection, row.id, OutboxKind.START_THREAD)
    change = MatchChange(row, progress, people, notify=notify, fields=changes)
    await match_store.save(connection, change)
    await send_hands(match_store, connection, people)
    if not row.lines_taken_over:
        await _remove_rematch_button(match_store, connection, row.parent_id)


async def send_hands(
    match_store: MatchStore, connection: Connection, people: Sequence[SeatRow]
) -> None:
    """Queue DMs with hidden information to the players who want them."""
    for person in people:
        if person.is_person and wants(person.preferences, PreferenceKey.HAND):
            receiver = Target(person.user_id)
            await match_store.queue(
                connection, person.match_id, OutboxKind.PRIVATE_HAND, target=receiver
            )


async def _remove_rematch_button(
    match_store: MatchStore, connection: Connection, match_id: MatchId | None
) -> None:
    """Redraw the final board of the previous match without its *Rematch* button."""
    if match_id is None:
        return
    before = select(matches.c.version).where(matches.c.id == match_id)
    version = (await connection.execute(before)).scalar_one_or_none()
    if version is not None:
        await match_store.queue_board(connection, match_id, version, OutboxKind.EDIT_BOARD)


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
