"""Reasons for a choice in words: templates with fields, to be translated like refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.i18n import N_, english_of


class Reason(NamedTuple):
    """A clause that speaks for an action; true by what its seat knows.

    Attributes:
        template: the clause with `{field}` placeholders, to be translated; it may address the
            player of the seat.
        fields: values of the placeholders: notation, numbers, and names of ships.
        named: the clause for other readers, with `{player}` and `{opponent}`; empty if the
            template addresses no one.
    """

    template: str
    fields: Mapping[str, object] = {}
    named: str = ""

    def __str__(self) -> str:
        """Return the clause with its fields filled in."""
        return english_of(self.template, self.fields)


AS_GOOD = Reason(N_("other moves are as good"))
"""The only reason for a choice that looks no better than others."""


class Amount(NamedTuple):
    """The templates of a clause about a number, by how large it is.

    Attributes:
        little: the clause for less than one.
        some: the clause with the field `count`, see `NP_`.
        named: both clauses for other readers, see `Reason`.
    """

    little: str
    some: str
    named: tuple[str, str] = ("", "")

    def reasons(self, amount: int, unit: int, **fields: str) -> list[Reason]:
        """Return the clause for an amount, rounded to units; none below a quarter of a unit."""
        count = (2 * amount + unit) // (2 * unit)
        little, some = self.named
        if 4 * amount < unit:
            return []
        if count:
            return [Reason(self.some, {**fields, "count": count}, some)]
        return [Reason(self.little, fields, little)]
