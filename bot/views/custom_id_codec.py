"""Write and read custom_ids: `prefix:field:field…`.

There are no live view objects: a click is identified by its custom_id alone, so a button works
after any restart. All ids are defined in `bot.views.custom_ids`.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from types import NoneType
from typing import Any, ClassVar, NamedTuple, dataclass_transform, get_args, get_type_hints

CUSTOM_ID_LIMIT = 100
"""Maximum length of a custom_id."""

MAX_INTEGER = 2**63 - 1
"""The largest number in a custom_id, because a database column holds no larger one."""

DIGIT_LIMIT = len(str(MAX_INTEGER))

NONE_TEXT = "-"
"""Stands for None."""

_REQUIRED = object()
"""Stands for the default of a field that has none."""

_KINDS: dict[str, type[CustomId]] = {}
"""Prefix → class."""


class CustomIdError(ValueError):
    """A custom_id is malformed or too long."""


@dataclass_transform(frozen_default=True)
class CustomId:
    """The data in the custom_id of a component.

    A subclass is written as a frozen dataclass, with fields of the types `int`, `str`, one of
    `bot.domain.ids` or a `StrEnum`; numbers may be None. Only the last field may hold a colon.
    Trailing fields that equal their defaults are not written. A prefix with a colon, such as
    `erase:yes`, is for an id without fields.

    `@dataclass` would compile six methods for each of 80 kinds at each start; here they share them.

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

    def __init__(self, *values: Any, **named: Any) -> None:
        defaults, state = _defaults(self.prefix), self.__dict__
        state.update(defaults)
        state.update(zip(defaults, values, strict=False))
        state.update(named)
        is_complete = len(values) <= len(defaults) == len(state)
        if not is_complete or _REQUIRED in state.values():
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(defaults)}")

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((self.prefix, *self.__dict__.values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({fields})"

    def __str__(self) -> str:
        """Return the custom_id as Discord stores it.

        Raises:
            CustomIdError: it is too long for Discord, or could not be read back.
        """
        kind_fields = _fields(self.prefix)
        values = list(self.__dict__.values())
        while values and values[-1] == kind_fields[len(values) - 1].default:
            values.pop()
        parts = [NONE_TEXT if value is None else f"{value}" for value in values]
        written = ":".join((self.prefix, *parts))
        if len(written) > CUSTOM_ID_LIMIT or _parsed(written) != (type(self), values):
            raise CustomIdError(written)
        return written


def parse(written: str) -> CustomId:
    """Read a custom_id.

    Raises:
        CustomIdError: it is malformed, or of an unknown kind.
    """
    kind, values = _parsed(written)
    return kind(*values)


def _parsed(written: str) -> tuple[type[CustomId], list[Any]]:
    """Return a custom_id's kind, and the values of the fields that are written; see `parse`."""
    prefix, colon, field_text = written.partition(":")
    if written in _KINDS:
        prefix, colon, field_text = written, "", ""
    if prefix not in _KINDS:
        raise CustomIdError(written)
    kind_fields = _fields(prefix)
    parts = field_text.split(":", len(kind_fields) - 1) if colon else []
    if len(parts) > len(kind_fields) or any(
        field.default is _REQUIRED for field in kind_fields[len(parts) :]
    ):
        raise CustomIdError(written)
    return _KINDS[prefix], [
        _read(field, part) for field, part in zip(kind_fields, parts, strict=False)
    ]


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
        _Field(name, *_plain(types[name]), getattr(kind, name, _REQUIRED))
        for name in inspect.get_annotations(kind)
    )


@cache
def _defaults(prefix: str) -> Mapping[str, Any]:
    """Return the name of each field → its default, or `_REQUIRED`."""
    return {field.name: field.default for field in _fields(prefix)}


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
