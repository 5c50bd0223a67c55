"""Return seats to their players after the computer has stood in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.services.clocks import resume_clock, update_seat
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection


async def give_back(connection: Connection, row: MatchRow, seat: SeatRow, now: float) -> SeatRow:
    """Return a seat to its player; start the player's clock, unless the player is on vacation.

    Args:
        seat: the seat that the computer plays.

    Returns:
        The seat as stored now.
    """
    await update_seat(connection, seat, level=None, agreed_by="")
    seat = replace(seat, level=None, agreed_by="")
    return seat if seat.clock_is_paused else await resume_clock(connection, row, seat, now)


async def give_back_seats(
    connection: Connection,
    row: MatchRow,
    people: Sequence[SeatRow],
    *,
    playing: str,
    by: str,
    now: float,
) -> list[SeatRow]:
    """Give back the seat of a player who acts, or all seats if no person decides any more.

    When a player acts, the consents of the others to a stand-in for that player lapse.

    Args:
        row: the match before the change.
        playing: the seats that play on after the change.
        by: the seat of the player who makes the change.

    Returns:
        The seats as stored now.
    """
    acting = [person for person in people if person.is_person and person.decides_itself]
    alone = not any(person.seat in playing for person in acting)
    current = []
    for person in people:
        seat = person
        if person.is_person and not person.decides_itself and (alone or person.seat == by):
            seat = await give_back(connection, row, person, now)
        elif person.agreed_by and person.seat == by:
            await update_seat(connection, person, agreed_by="")
            seat = replace(person, agreed_by="")
        current.append(seat)
    return current
