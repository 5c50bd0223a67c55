"""A choice that a player has made, or should have made, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from render.i18n import _


class ChoiceText(NamedTuple):
    """A choice in words, without a full stop.

    Attributes:
        done: the choice as in a story: `Ada drifted from d4 to e5`.
        advice: the same choice after “Better:”, for example `drift to e5`.
    """

    done: str
    advice: str

    def fill_in(self, fields: Mapping[str, object]) -> ChoiceText:
        """Return templates in the current language, with their fields filled in."""
        return ChoiceText(_(self.done).format(**fields), _(self.advice).format(**fields))
