"""Write the API pages of the library to build/docs, from its docstrings: `make docs`.

pdoc makes them (requirements/docs.txt): it needs no configuration and brings four packages, where
Sphinx with MyST and mkdocstrings bring thirty.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, get_type_hints

ROOT = Path(__file__).parents[1]

PAGES = ROOT / "build" / "docs"

MODULES = (
    "engine",
    "engine.game",
    "engine.games",
    "engine.record",
    "engine.notation",
    "engine.dice",
    "engine.packages",
    "engine.plain",
    "engine.hands",
    "engine.computer.plain",
    "engine.computer.analysis",
    "engine.computer.players",
    "engine.computer.support",
    "engine.openspiel.support",
    "engine.openspiel.tensors",
    "engine.testing",
    "render",
    "render.renderer",
    "render.plain",
)
"""The public modules of the library."""

_ATTRIBUTE = re.compile(r"^ +(\w+(?:, \w+)*):", re.MULTILINE)
"""A line of a docstring that explains attributes."""


def undocumented(name: str) -> list[str]:
    """Return the public names of a module without a docstring.

    Args:
        name: name of the module, which is imported.
    """
    return [*_undocumented(import_module(name))]


def _undocumented(module: ModuleType) -> Iterator[str]:
    if not module.__doc__:
        yield module.__name__
    explained = _explained(ast.parse(inspect.getsource(module)).body)
    for public in _public_names(module):
        value = getattr(module, public)
        if isinstance(value, TypeVar):
            continue
        if isinstance(value, type):
            yield from _undocumented_members(value, f"{module.__name__}.{public}")
        elif not (explained.get(public) or (callable(value) and inspect.getdoc(value))):
            yield f"{module.__name__}.{public}"


def _public_names(module: ModuleType) -> list[str]:
    """Return `__all__`, or what the module itself defines and does not begin with `_`."""
    if listed := getattr(module, "__all__", None):
        return list(listed)
    body = ast.parse(inspect.getsource(module)).body
    return [name for statement in body for name in _defined(statement) if not name.startswith("_")]


def _defined(statement: ast.stmt) -> list[str]:
    """Return the names that a statement defines."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [statement.name]
        case ast.Assign():
            return [target.id for target in statement.targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _explained(body: list[ast.stmt]) -> dict[str, str]:
    """Return the strings that stand under the definitions of names."""
    return {
        name: text
        for statement, after in pairwise(body)
        for name in _defined(statement)
        if isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
        and isinstance(text := after.value.value, str)
    }


def _undocumented_members(class_: type, path: str) -> Iterator[str]:
    if not class_.__doc__:
        yield path
    (tree,) = ast.parse(inspect.getsource(class_)).body
    assert isinstance(tree, ast.ClassDef)
    explained = {*_explained(tree.body), *_attributes(class_)}
    for statement in tree.body:
        for name in _defined(statement):
            member: Any = inspect.getattr_static(class_, name, None)
            has_docstring = isinstance(statement, ast.FunctionDef) and inspect.getdoc(member)
            if not (name.startswith("_") or name in explained or has_docstring):
                yield f"{path}.{name}"


def _attributes(class_: type) -> Iterator[str]:
    """Yield the attributes that the docstring of a class explains."""
    _, _, section = (class_.__doc__ or "").partition("Attributes:")
    for names in _ATTRIBUTE.findall(section):
        yield from names.split(", ")


def _prepare_tuples(module: ModuleType) -> None:
    """Resolve the types of named tuples, and leave out their fields, which their classes explain.

    Their constructors do not know the names of the module.
    """
    for name in _public_names(module):
        value = getattr(module, name)
        if isinstance(value, type) and issubclass(value, tuple):
            value.__new__.__annotations__.update(get_type_hints(value))
            for field in getattr(value, "_fields", ()):
                getattr(value, field).__doc__ = ""


def main() -> None:
    """Write the pages; exit with an error if a public name has no docstring."""
    import pdoc  # noqa: PLC0415 - the check of names does without it

    if missing := [path for name in MODULES for path in undocumented(name)]:
        sys.exit("Not documented: " + ", ".join(missing))
    for name in MODULES:
        _prepare_tuples(import_module(name))
    pdoc.render.configure(docformat="google", include_undocumented=False, footer_text="Starpost")
    pdoc.pdoc(*MODULES, output_directory=PAGES)


if __name__ == "__main__":
    main()
