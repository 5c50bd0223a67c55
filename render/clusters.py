"""Characters as people see them: letters with their marks, and emoji made of several characters.

Names are cut between them, never inside. This is what names contain of the grapheme clusters of
Unicode's UAX #29; emoji follow UTS #51.
"""

from __future__ import annotations

import re

ZWJ = "\u200d"
"""Joins emoji to one; in some scripts it changes the form of letters."""

EMOJI_FORM = "\ufe0f"
"""Has the sign before it shown as an emoji."""

SKIN_TONES = "\U0001f3fb-\U0001f3ff"
FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-"
    "\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a"
    "\ufe00-\ufe0f\ufe20-\ufe2f"
)
"""Marks above, below and around letters, in the scripts of the fonts."""

TAGGED_FLAG = re.compile("\U0001f3f4([\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6})\U000e007f")
"""The flag of a part of a country, named in tags, such as England's and Scotland's."""

TAGS = 0xE0000
"""Distance of a tag from the letter that it stands for."""

_ONE = f"(?:{TAGGED_FLAG.pattern}|[{FLAG_LETTERS}]{{2}}|.[{SKIN_TONES}]?)[{MARKS}]*"
_CLUSTER = re.compile(f"{_ONE}(?:{ZWJ}(?:{_ONE})?)*", re.DOTALL)


def cut(text: str, limit: int) -> str:
    r"""Return at most `limit` characters from a text's beginning, without a half emoji or letter.

    Example:
        >>> cut("Zoe\u0308", 3)
        'Zo'
        >>> cut("\U0001f468\u200d\U0001f469 and more", 4)
        '👨\u200d👩 '
    """
    if len(text) <= limit:
        return text
    end = 0
    for cluster in _CLUSTER.finditer(text):
        if cluster.end() > limit:
            break
        end = cluster.end()
    return text[:end]


def region_of(flag: str) -> str:
    """Return the region of a `TAGGED_FLAG` in letters, without its country: `ENG` for England."""
    return "".join(chr(ord(tag) - TAGS) for tag in flag[3:-1]).upper()
