"""Luck in words."""

from __future__ import annotations

from engine.computer.situation import SCALE
from render.i18n import N_

LUCKY, VERY_LUCKY = SCALE // 10, SCALE * 3 // 10
"""Minimum luck to be called lucky, and very lucky."""


def luck_words(luck: int) -> str:
    """Return whether a change of the expected score by dice is called lucky, untranslated."""
    if abs(luck) < LUCKY:
        return N_("little luck either way")
    if luck > 0:
        return N_("very lucky") if luck >= VERY_LUCKY else N_("lucky")
    return N_("very unlucky") if luck <= -VERY_LUCKY else N_("unlucky")
