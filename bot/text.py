"""Cleaning what came from outside before it is shown."""

from __future__ import annotations

import re
import unicodedata

from render.language import _

NAME_LIMIT = 32
MARKS = 2
"""Accents that one letter may carry."""

JOINERS = "\u200d\ufe0f"
"""Parts of emoji, harmless by themselves."""

_MARKUP = re.compile(r"([\\*_~|`>#\[\]()<@]|:(?=//)|^-)", re.MULTILINE)


def clean(text: str, limit: int = NAME_LIMIT) -> str:
    r"""A name as it may be shown: one line, no invisible or direction-changing characters.

    Args:
        text: whatever somebody is called.
        limit: longest result, in characters.

    Example:
        >>> clean("Ada\u202e\n  Lovelace")
        'Ada Lovelace'
    """
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if letter.isspace():
            kept.append(" ")
        elif letter in JOINERS or (kind[0] != "C" and marks <= MARKS):
            kept.append(letter)
    words = " ".join("".join(kept).split())
    return words[:limit].strip(f" {JOINERS}") or _("Somebody")


def escape(text: str) -> str:
    r"""Text as Discord shows it letter by letter: no markup, no mention, no link.

    Example:
        >>> print(escape("*Ada* <@1>"))
        \*Ada\* \<\@1\>
    """
    return _MARKUP.sub(r"\\\1", text)
