"""Marker for texts shown to players; they are translated when they are displayed."""

from __future__ import annotations


def N_(text: str) -> str:  # noqa: N802 - as everywhere with gettext
    """Mark a text for translation; it is translated when it is displayed.

    Example:
        >>> N_("the sides of a game, say")
        'the sides of a game, say'
    """
    return text
