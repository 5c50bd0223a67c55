"""Find the texts for people in the code, each with what a translator has to know about it.

A comment that begins with `Translators:`, above the text or the statement, goes into the
catalogues. From the call around a text follows whether it is a button, a setting or the like; what
its fields hold, and what short texts are, is in `translators.toml`.
"""

from __future__ import annotations

import ast
import io
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

FOLDERS = ("bot", "engine", "render")

_NOTES = tomllib.loads((Path(__file__).parent / "translators.toml").read_text("utf-8"))

FIELDS: Mapping[str, Mapping[str, str]] = _NOTES["fields"]
"""Folder or file → field → what it holds; `all` is for the others."""

FILES: Mapping[str, str] = _NOTES["files"]
"""File → what all its texts are."""

TEXTS: Mapping[str, str] = _NOTES["texts"]
"""Text without a context → what it is."""

COMMENT = "Translators:"
"""How comments for translators begin."""


class Marker(NamedTuple):
    """A function whose arguments are texts.

    Attributes:
        texts: the numbers of the arguments: one, or two with the forms for one and for many.
        context: number of the argument with the context, if it has one.
    """

    texts: tuple[int, ...]
    context: int | None = None


MARKERS = {
    "_": Marker((0,)),
    "N_": Marker((0,)),
    "drawable_translation": Marker((0,)),
    "pgettext": Marker((1,), context=0),
    "NC_": Marker((1,), context=0),
    "ngettext": Marker((0, 1)),
    "NP_": Marker((0, 1)),
    "IllegalActionError": Marker((1,)),
}
"""Name of a function → which of its arguments are texts."""

KINDS: Mapping[tuple[str, int | str], str] = {
    ("button", 0): "Label of a button, at most 80 characters.",
    ("Label", "text"): "Above a field of a window, at most 45 characters.",
    ("ModalWindow", 0): "Title of a window, at most 45 characters.",
    ("Section", 0): "Heading.",
    ("command", "name"): "Name of a command: lower case, without spaces, at most 32 characters.",
    ("group", 0): "Name of a command: lower case, without spaces, at most 32 characters.",
    ("Verb", 0): "Name of a command: lower case, without spaces, at most 32 characters.",
    ("Parameter", 0): "Name of an option of a command: lower case, without spaces.",
    ("Option", 0): "Name of an option of a command: lower case, without spaces.",
    ("command", "description"): "Description of a command, at most 100 characters.",
    ("Verb", 1): "Description of a command, at most 100 characters.",
    ("Parameter", 1): "Description of an option, at most 100 characters.",
    ("menu", 0): "Entry in Discord's menu of a message or member, at most 32 characters.",
    ("Setting", 0): "Name of a setting of a match.",
    ("Setting", 1): "Value of a setting of a match.",
    ("Preference", 0): "Name of a player's setting.",
    ("Preference", 1): "Value of a player's setting.",
    ("drawable_translation", 0): "Written in pictures: as short as possible.",
    ("card", "note"): "Written in pictures: as short as possible.",
}
"""A function and one of its arguments → what texts in it are."""

NAME = "Name of "
"""How the kinds begin whose texts are typed; these texts must not be used as others."""


class Text(NamedTuple):
    """A text in the code.

    Attributes:
        forms: the text, or its forms for one and for many.
        context: tells it from the same text with another meaning; empty without one.
        file: where it is, from the root of the repository.
        kinds: what it is, as far as the call around it says.
        comments: those of the code, for translators.
    """

    forms: tuple[str, ...]
    context: str
    file: str
    kinds: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def notes(self) -> list[str]:
        """All that a translator has to know, but for the fields."""
        noted = (FILES.get(self.file, ""), "" if self.context else TEXTS.get(self.forms[0], ""))
        return list(filter(None, (*self.kinds, *noted, *self.comments)))

    @property
    def fields(self) -> list[str]:
        """The names of the places that are filled in, in order."""
        return fields_of(self.forms[-1])


def fields_of(text: str) -> list[str]:
    """Return the names of the places of a text that are filled in.

    Example:
        >>> fields_of("{name} won by {count} points; {name} leads.")
        ['name', 'count']
    """
    return list(dict.fromkeys(name for _, name, _, _ in Formatter().parse(text) if name))


def meaning_of(field: str, file: str) -> str:
    """Return the meaning of a field in a file, from the nearest table; empty if it has none."""
    places = sorted((place for place in FIELDS if file.startswith(place)), key=len, reverse=True)
    return next((FIELDS[p][field] for p in (*places, "all") if field in FIELDS[p]), "")


@cache
def texts() -> tuple[Text, ...]:
    """Return the texts in all modules."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return tuple(
        text
        for path in files
        for text in texts_in(path.read_text("utf-8"), path.relative_to(ROOT).as_posix())
    )


def texts_in(source: str, file: str) -> Iterator[Text]:
    """Yield the texts of a module.

    Example:
        >>> [text.forms for text in texts_in('_("Accept") + ngettext("day", "days", n)', "a.py")]
        [('Accept',), ('day', 'days')]
    """
    if not any(f"{marker}(" in source for marker in MARKERS):
        return
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    comments = _comments(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (marker := MARKERS.get(_name(node.func))):
            forms = tuple(_constant(node, number) for number in marker.texts)
            if all(forms):
                context = "" if marker.context is None else _constant(node, marker.context)
                around = tuple(_around(node, parents))
                notes = dict.fromkeys(
                    comments[place.lineno] for place in around if place.lineno in comments
                )
                yield Text(forms, context, file, tuple(_kinds(around)), tuple(notes))


def _name(node: ast.expr) -> str:
    """Return the last name of a function: `b` of `a.b`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _constant(call: ast.Call, number: int) -> str:
    """Return an argument that is a string; empty if it is none."""
    node = call.args[number] if number < len(call.args) else None
    return str(node.value) if isinstance(node, ast.Constant) and node.value else ""


def _around(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> Iterator[ast.expr | ast.stmt]:
    """Yield a node and the nodes around it, up to its statement."""
    while not isinstance(node, ast.stmt):
        if isinstance(node, ast.expr):
            yield node
        node = parents[node]
    yield node


def _kinds(around: tuple[ast.expr | ast.stmt, ...]) -> Iterator[str]:
    """Yield the kind of the nearest call around a text that has one."""
    for place, node in enumerate(around):
        if isinstance(node, ast.Call):
            inner = around[:place]
            positions: list[int | str] = [
                number
                for number, argument in enumerate(node.args)
                if argument in inner or not place
            ]
            positions += [word.arg for word in node.keywords if word.arg and word.value in inner]
            name = _name(node.func).lstrip("_")
            for position in positions:
                if kind := KINDS.get((name, position)):
                    yield kind
                    return


def _comments(source: str) -> dict[int, str]:
    """Return line → the comment for translators that ends above it."""
    lines: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            words = token.string.removeprefix("#").strip()
            before = lines.pop(token.start[0], "")
            if before or words.startswith(COMMENT):
                lines[token.start[0] + 1] = f"{before} {words}".strip()
    return lines
