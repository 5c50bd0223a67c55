"""Sanitize outside text before it is shown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from render.clusters import EMOJI_FORM, TAGGED_FLAG, ZWJ, cut
from render.i18n import _

NAME_LIMIT = 32
MAX_ACCENTS = 2
"""Maximum number of accents on one letter."""

JOINERS = ZWJ + EMOJI_FORM
"""Parts of emoji and of letters of some scripts; kept only where they join something."""

FIRST_JOINED_LETTER = "\u0590"
"""Letters before this one, such as Latin, are the same with a joiner and without one."""

IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Unicode's `Default_Ignorable_Code_Point`: characters that are not shown, fillers among them."""

BLANK = frozenset("\u2800\U0001d159\U00016fe4\U00013441\U00013442")
"""Characters that are displayed as a space, although Unicode classes them as signs or letters."""

_UNUSED_FORM = re.compile(f"(?<=[0-9#*]){EMOJI_FORM}(?!\u20e3)")
"""The character behind a digit that would make it a key if a keycap followed."""

_MARKUP = re.compile(r"([\\*_~|`>#\[\]()<@]|:(?=//)|^-)", re.MULTILINE)
_ESCAPED_COMMAND = re.compile(r"\\`(/\w+(?: \w+)*)\\`")


def clean(text: str, limit: int = NAME_LIMIT) -> str:
    r"""Return a text as it may be shown: one line, no invisible or direction-changing characters.

    Args:
        text: any text, such as the name of a role.
        limit: longest result, in characters.

    Returns:
        The text; empty if nothing of it can be seen.

    Example:
        >>> clean("Ada\u202e\n  Lovelace")
        'Ada Lovelace'
    """
    parts, start = [], 0
    normal = unicodedata.normalize("NFC", text)
    for flag in TAGGED_FLAG.finditer(normal):
        parts += [_without_invisible(normal[start : flag.start()]), flag[0]]
        start = flag.end()
    parts.append(_without_invisible(normal[start:]))
    words = cut(" ".join(_UNUSED_FORM.sub("", "".join(parts)).split()), limit).strip(f" {ZWJ}")
    return words if any(map(_visible, words)) else ""


def _without_invisible(text: str) -> str:
    """Return a text without invisible characters, and with a plain space for each blank."""
    if text.isascii() and text.isprintable():  # most names, and one is cleaned for each click
        return text
    letters: list[str] = []
    marks = 0
    for letter in text:
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") and letter not in JOINERS else 0
        if letter.isspace() or letter in BLANK:
            letters.append(" ")
        elif letter in JOINERS:
            letters += [letter] if _joins(letters[-1:], letter) else []
        elif kind[0] != "C" and marks <= MAX_ACCENTS and not _ignorable(letter):
            letters.append(letter)
    return "".join(letters)


def _joins(before: Sequence[str], joiner: str) -> bool:
    """Return whether a joiner changes the character before it: an emoji or some letters."""
    if not before:
        return False
    kind = unicodedata.category(before[0])[0]
    if joiner == EMOJI_FORM:
        return kind in "SN" or before[0] in "#*‼⁉〰"
    return before[0] != ZWJ and (kind == "S" or before[0] >= FIRST_JOINED_LETTER)


def clean_name(text: str) -> str:
    """Return the display name of a player as it may be shown; see `clean`."""
    return clean(text) or _("Unnamed player")


def _ignorable(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in IGNORABLE)


def _visible(letter: str) -> bool:
    """Return whether a character is visible on its own: an accent without a letter is not."""
    return letter not in JOINERS and unicodedata.category(letter)[0] not in "CMZ"


def escape(text: str) -> str:
    r"""Return text that Discord shows letter by letter: no markup, no mention, no link.

    Example:
        >>> print(escape("*Ada* <@1>"))
        \*Ada\* \<\@1\>
    """
    return _MARKUP.sub(r"\\\1", text)


def escape_sentence(text: str) -> str:
    r"""Return a sentence as `escape` does, but with commands between backticks as code.

    A refusal can hold both a player's name and a command.

    Example:
        >>> print(escape_sentence("*Ada* can type `/play`."))
        \*Ada\* can type `/play`.
    """
    return _ESCAPED_COMMAND.sub(r"`\1`", escape(text))
