"""Write and read custom_ids: `prefix:field:field…`.

There are no live view objects: a click is identified by its custom_id alone, so a button works
after any restart. All ids are defined in `bot.views.custom_ids`.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import NoneType
from typing import Any, ClassVar, NamedTuple, get_args, get_type_hints

CUSTOM_ID_LIMIT = 100
"""Maximum length of a custom_id."""

MAX_INTEGER = 2**63 - 1
"""The largest number in a custom_id, because a database column holds no larger one."""

DIGIT_LIMIT = len(str(MAX_INTEGER))

NONE_TEXT = "-"
"""Stands for None."""

_KINDS: dict[str, type[CustomId]] = {}
"""Prefix → class."""


class CustomIdError(ValueError):
    """A custom_id is malformed or too long."""


@dataclass(frozen=True)
class CustomId:
    """The data in the custom_id of a component.

    A subclass is a frozen dataclass with fields of the types `int`, `str`, one of `bot.domain.ids`
    or a `StrEnum`; numbers may be None. Only the last field may hold a colon. Trailing fields that
    equal their defaults are not written. A prefix with a colon, such as `erase:yes`, is for an id
    without fields.

    Example:
        >>> from bot.views.custom_ids import ActId
        >>> str(ActId(7, None, "draw accept"))
        'act:7:-:draw accept'
        >>> parse("act:7:-:draw accept")
        ActId(match_id=7, decision=None, notation='draw accept')
    """

    prefix: ClassVar[str]

    def __init_subclass__(cls, *, prefix: str) -> None:
        if prefix in _KINDS:
            raise ValueError(prefix)
        cls.prefix = prefix
        _KINDS[prefix] = cls

    def __str__(self) -> str:
        """Return the custom_id as Discord stores it.

        Raises:
            CustomIdError: it is too long for Discord, or could not be read back.
        """
        kind_fields = _fields(self.prefix)
        values = [getattr(self, field.name) for field in kind_fields]
        while values and values[-1] == kind_fields[len(values) - 1].default:
            values.pop()
        parts = [NONE_TEXT if value is None else f"{value}" for value in values]
        written = ":".join((self.prefix, *parts))
        if len(written) > CUSTOM_ID_LIMIT or parse(written) != self:
            raise CustomIdError(written)
        return written


def parse(written: str) -> CustomId:
    """Read a custom_id.

    Raises:
        CustomIdError: it is malformed, or of an unknown kind.
    """
    prefix, colon, field_text = written.partition(":")
    if written in _KINDS:
        prefix, colon, field_text = written, "", ""
    if prefix not in _KINDS:
        raise CustomIdError(written)
    kind_fields = _fields(prefix)
    parts = field_text.split(":", len(kind_fields) - 1) if colon else []
    if len(parts) > len(kind_fields) or any(
        field.default is MISSING for field in kind_fields[len(parts) :]
    ):
        raise CustomIdError(written)
    values = (_read(field, part) for field, part in zip(kind_fields, parts, strict=False))
    return _KINDS[prefix](*values)


class _Field(NamedTuple):
    name: str
    type: Any
    optional: bool
    default: Any


@cache
def _fields(prefix: str) -> tuple[_Field, ...]:
    kind = _KINDS[prefix]
    types = get_type_hints(kind)
    return tuple(
        _Field(field.name, *_plain(types[field.name]), field.default) for field in fields(kind)
    )


def _plain(kind: Any) -> tuple[Any, bool]:
    """Return the type in which a field is written, and whether the field may be None."""
    kinds = [part for part in get_args(kind) or (kind,) if part is not NoneType]
    return getattr(kinds[0], "__supertype__", kinds[0]), NoneType in get_args(kind)


def _read(field: _Field, part: str) -> Any:
    """Read a field.

    Raises:
        CustomIdError: it is not of this type.
    """
    if field.optional and part == NONE_TEXT:
        return None
    if field.type is str:
        return part
    if field.type is int:
        digits = part.isascii() and part.isdecimal() and len(part) <= DIGIT_LIMIT
        if not digits or int(part) > MAX_INTEGER:
            raise CustomIdError(part)
        return int(part)
    try:
        return field.type(part)
    except ValueError:
        raise CustomIdError(part) from None
