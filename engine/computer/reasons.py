"""Reasons for a choice in words: templates with fields, to be translated like refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.i18n import N_


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
        return self.template.format(**self.fields)


AS_GOOD = Reason(N_("other moves are as good"))
"""The only reason for a choice that looks no better than others."""


class Amount(NamedTuple):
    """The templates of a clause about a number, by how large it is.

    Attributes:
        little, one, many: the clause.
        named: the three clauses for other readers, see `Reason`.
    """

    little: str
    one: str
    many: str
    named: tuple[str, str, str] = ("", "", "")

    def reasons(self, amount: int, unit: int, **fields: str) -> list[Reason]:
        """Return the clause for an amount, rounded to units; none below a quarter of a unit."""
        number = (2 * amount + unit) // (2 * unit)
        if 4 * amount < unit:
            return []
        if number > 1:
            return [Reason(self.many, {**fields, "number": number}, self.named[2])]
        little, single, _ = self.named
        if number:
            return [Reason(self.one, fields, single)]
        return [Reason(self.little, fields, little)]
