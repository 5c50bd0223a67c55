"""Typed texts that were refused: quoted in a message, and read from there to be changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

FENCE = "```"
"""Before and after a quoted text."""


def quote(text: str) -> str:
    """Return a text as the end of a message, see `quoted_text`; it is stored nowhere else."""
    typed = text.replace("`", "'")
    return f"\n{FENCE}\n{typed}\n{FENCE}"


def quoted_text(texts: Sequence[str]) -> str:
    r"""Return the text that a message quotes, from all its texts; empty if it quotes none.

    Example:
        >>> quoted_text(["Line 1: …\n```\ngo c9\n\ngo d9\n```"])
        'go c9\n\ngo d9'
    """
    quotations = (re.search(f"\n{FENCE}\n(.*)\n{FENCE}$", text, re.DOTALL) for text in texts)
    return next((quotation[1] for quotation in quotations if quotation), "")
