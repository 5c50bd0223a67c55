"""Markers for texts shown to players; they are translated when they are displayed."""

from __future__ import annotations

from collections.abc import Mapping

PLURAL_MARK = "\x1f"
"""Between the two English forms of a text with a count."""


def N_(text: str) -> str:  # noqa: N802 - as everywhere with gettext
    """Mark a text for translation; it is translated when it is displayed.

    Example:
        >>> N_("the sides of a game, say")
        'the sides of a game, say'
    """
    return text


LISTS = frozenset({"sides"})
"""The fields of refusals that hold a tuple of words, which is shown as a list."""


def NP_(one: str, many: str) -> str:  # noqa: N802
    """Mark a text with the field `count`, in its forms for one and for many.

    Example:
        >>> english_of(NP_("{count} line", "{count} lines"), {"count": 1})
        '1 line'
    """
    return f"{one}{PLURAL_MARK}{many}"


def english_of(template: str, fields: Mapping[str, object]) -> str:
    """Return a marked text in English, with its fields filled in."""
    one, mark, many = template.partition(PLURAL_MARK)
    words = {
        name: " and ".join(value) if name in LISTS and isinstance(value, tuple) else value
        for name, value in fields.items()
    }
    return (many if mark and fields["count"] != 1 else one).format(**words)
