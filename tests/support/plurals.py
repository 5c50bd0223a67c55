"""Catalogues shaped like those of other languages: each form says which one it is."""

from __future__ import annotations

import io
from gettext import GNUTranslations

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tools.catalogues import gathered

SHAPES = {
    "de": (1, 0, 1, 1, 1, 1),
    "es": (1, 0, 1, 1, 1, 1),
    "fr": (0, 0, 1, 1, 1, 1),
    "ja": (0, 0, 0, 0, 0, 0),
    "pl": (2, 0, 1, 2, 2, 1),
    "pt-BR": (0, 0, 1, 1, 1, 1),
}
"""Language → the number of its form for each of `NUMBERS`, by Unicode's table of plural rules.

A new language needs a line here.
"""

NUMBERS = (0, 1, 2, 5, 12, 22)


def shaped(tag: str) -> GNUTranslations:
    """Return a catalogue of all texts in the shape of a language: `[2] {count} turns`."""
    catalogue = Catalog(locale=tag.replace("-", "_"), fuzzy=False)
    for message in gathered():
        if message.id and isinstance(message.id, str):
            catalogue.add(message.id, f"[] {message.id}", context=message.context)
        elif message.id:
            forms = [f"[{form}] {message.id[1]}" for form in range(catalogue.num_plurals)]
            catalogue.add(message.id, forms, context=message.context)
    written = io.BytesIO()
    write_mo(written, catalogue)
    written.seek(0)
    return GNUTranslations(written)
