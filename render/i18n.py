"""Translations of the current task.

Texts in the code are English and serve as keys; they are translated when shown. The handler of an
interaction sets the language for its task and for threads that get its context.

Example:
    >>> from gettext import NullTranslations
    >>> class Swedish(NullTranslations):
    ...     def gettext(self, message: str) -> str:
    ...         return {"{name} may choose": "{name} får välja"}.get(message, message)
    >>> with using(Swedish()):
    ...     _("{name} may choose").format(name="Ada")
    'Ada får välja'
    >>> _("{name} may choose").format(name="Ada")
    'Ada may choose'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations

from engine.i18n import N_
from render.clusters import cut

__all__ = [
    "N_",
    "_",
    "current",
    "fill_in",
    "format_list",
    "ngettext",
    "set_translations",
    "truncate",
    "using",
]

_current: ContextVar[NullTranslations] = ContextVar("language", default=NullTranslations())  # noqa: B039 - it is never changed


def set_translations(translations: NullTranslations) -> None:
    """Use a language from now on, in this task and in tasks it starts.

    Args:
        translations: a gettext catalogue; `NullTranslations()` leaves the English texts.
    """
    _current.set(translations)


@contextmanager
def using(translations: NullTranslations) -> Iterator[None]:
    """Use a language inside the block."""
    token = _current.set(translations)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> NullTranslations:
    """Return the catalogue of the current language."""
    return _current.get()


def _(text: str) -> str:
    """Return a text in the current language; its `{fields}` are filled in afterwards."""
    return _current.get().gettext(text) if text else ""


TRANSLATED_FIELDS = frozenset({"side", "why", "ships", "towards", "one", "other"})
"""The fields of the engine's templates that hold words; the others hold notation and input."""


def fill_in(template: str, fields: Mapping[str, object]) -> str:
    """Return a template of the engine in the current language, with the words in its fields."""
    words = {
        name: _(str(value)) if name in TRANSLATED_FIELDS else value
        for name, value in fields.items()
    }
    return _(template).format(**words)


def ngettext(one: str, many: str, number: int) -> str:
    """Return the form of a text that fits a number, in the current language."""
    return _current.get().ngettext(one, many, number)


def format_list(words: Sequence[str]) -> str:
    """Join words into a list for a sentence, in the current language.

    Example:
        >>> [format_list(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])]
        ['a', 'a and b', 'a, b and c']
    """
    if len(words) <= 1:
        return "".join(words)
    return _("{first} and {last}").format(first=", ".join(words[:-1]), last=words[-1])


def truncate(text: str, limit: int) -> str:
    """Return a text cut to a number of characters; a cut text ends with `…`.

    Example:
        >>> truncate("wormholes", 5)
        'worm…'
    """
    return text if len(text) <= limit else f"{cut(text, limit - 1)}…"
