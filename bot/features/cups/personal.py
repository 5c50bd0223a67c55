"""The data that cups store about users, its export and deletion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Executable, Select, delete, select, update

from bot.domain.ids import DELETED_USER_ID, UserId
from bot.domain.models import DELETED_PLAYER
from bot.features.cups.rows import CupStatus
from bot.personal import Personal
from bot.storage.schema import cup_entrants, cups

_UNKNOWN_TIME = 0.0
"""Stands for an unknown time of withdrawal."""


def _erase(user_id: UserId) -> Iterator[Executable]:
    """Yield statements that make a user's places anonymous.

    If cups are left out, no handler has withdrawn the user from them before.
    """
    deleted, entrants = DELETED_USER_ID, cup_entrants.c
    organised = update(cups).where(cups.c.organiser_id == user_id)
    yield organised.values(organiser_id=deleted, version=cups.c.version + 1)
    offered = update(cup_entrants).where(entrants.substitute_id == user_id)
    yield offered.values(substitute_id=None)
    sign_up = select(cups.c.id).where(cups.c.status == CupStatus.SIGN_UP)
    yield delete(cup_entrants).where(entrants.user_id == user_id, entrants.cup_id.in_(sign_up))
    running = select(cups.c.id).where(cups.c.status == CupStatus.RUNNING)
    is_active = entrants.withdrawn_at.is_(None)
    playing = update(cup_entrants).where(entrants.user_id == user_id, is_active)
    yield playing.where(entrants.cup_id.in_(running)).values(
        withdrawn_at=_UNKNOWN_TIME, substitute_id=None
    )
    joined = update(cup_entrants).where(entrants.user_id == user_id)
    yield joined.values(user_id=deleted, name=DELETED_PLAYER.name, joined_by=0, has_left=False)


def _export(user_id: UserId) -> Mapping[str, Select[Any]]:
    """Return the queries for the sections of an export."""
    cup_columns = [column for column in cups.c if column.name not in ("seed", "key")]
    place_columns = [column for column in cup_entrants.c if column.name != "substitute_id"]
    offered = select(cup_entrants.c.cup_id).where(cup_entrants.c.substitute_id == user_id)
    return {
        "cups organised": select(*cup_columns).where(cups.c.organiser_id == user_id),
        "places in cups": select(*place_columns).where(cup_entrants.c.user_id == user_id),
        "places offered in cups": offered,
    }


PERSONAL = Personal(
    (cups.c.organiser_id, cup_entrants.c.user_id, cup_entrants.c.substitute_id), _erase, _export
)
