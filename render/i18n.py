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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import cache, reduce
from gettext import NullTranslations
from typing import Literal

from babel import Locale, dates, lists, numbers, units

from engine.i18n import LISTS, N_, NP_, PLURAL_MARK
from render.clusters import cut

__all__ = [
    "NC_",
    "NP_",
    "N_",
    "_",
    "current",
    "english",
    "fill_in",
    "format_change",
    "format_decimal",
    "format_list",
    "format_month",
    "format_percent",
    "format_span",
    "full_stop",
    "ngettext",
    "pgettext",
    "quoted",
    "set_translations",
    "titled",
    "translated",
    "truncate",
    "using",
]

ENGLISH_HABITS = "en_GB"
"""The English of the texts: without a comma before *and*."""

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


CONTEXT_END = "\x04"
"""Between a context and its text, as in compiled catalogues."""


def NC_(context: str, text: str) -> str:  # noqa: N802 - as everywhere with gettext
    """Mark a text for translation that has other meanings elsewhere; see `engine.i18n.N_`.

    Args:
        context: which meaning it has here, for translators; *verb* or *result*, say.
    """
    return f"{context}{CONTEXT_END}{text}"


def _(text: str) -> str:
    """Return a text in the current language; its `{fields}` are filled in afterwards.

    Example:
        >>> _("Accept"), _(NC_("result", "draw"))
        ('Accept', 'draw')
    """
    context, mark, words = text.rpartition(CONTEXT_END)
    if mark:
        return _current.get().pgettext(context, words)
    return _current.get().gettext(text) if text else ""


def pgettext(context: str, text: str) -> str:
    """Return a text in the current language, where the same text has other meanings elsewhere.

    Args:
        context: which meaning it has here, for translators; *verb* or *result*, say.
    """
    return _current.get().pgettext(context, text)


def english(text: str) -> str:
    """Return a marked text as it is in the code."""
    return text.rpartition(CONTEXT_END)[2]


TRANSLATED_FIELDS = frozenset({"side", "why", "ships", "towards", "one", "other"})
"""The fields of the engine's templates that hold words; the others hold notation and input."""


def translated(template: str, fields: Mapping[str, object]) -> str:
    """Return a marked text in the current language, with its fields filled in.

    Example:
        >>> translated(NP_("{count} line", "{count} lines"), {"count": 2})
        '2 lines'
    """
    one, mark, many = template.partition(PLURAL_MARK)
    words = ngettext(one, many, int(str(fields["count"]))) if mark else _(template)
    return words.format(**fields)


def fill_in(template: str, fields: Mapping[str, object]) -> str:
    """Return a template of the engine in the current language, with the words in its fields.

    Args:
        template: the marked text.
        fields: words, numbers and notation; see `engine.i18n.LISTS`.
    """
    words = {
        name: format_list([*map(_, value)])
        if name in LISTS and isinstance(value, tuple)
        else _(str(value))
        if name in TRANSLATED_FIELDS
        else value
        for name, value in fields.items()
    }
    return translated(template, words)


def ngettext(one: str, many: str, number: int) -> str:
    """Return the form of a text that fits a number, in the current language."""
    return _current.get().ngettext(one, many, number)


def titled(title: str, value: str) -> str:
    """Return a value after its title, with the colon of the current language."""
    return _("{title}: {value}").format(title=title, value=value)


def format_list(words: Sequence[str], *, style: Literal["and", "or", "commas"] = "and") -> str:
    """Join words into a list, as the current language does.

    Args:
        words: without commas of their own.
        style: the word before the last one; `commas` leaves it out, for tables and pictures.

    Example:
        >>> [format_list(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])]
        ['a', 'a and b', 'a, b and c']
        >>> [format_list(["a", "b", "c"], style=style) for style in ("or", "commas")]
        ['a, b or c', 'a, b, c']
    """
    locale = _current_locale()
    if style == "commas":
        pair = locale.list_patterns["standard"]["middle"]
        return reduce(pair.format, words) if words else ""
    return lists.format_list(words, "standard" if style == "and" else style, locale)


def with_side(name: str, side: str) -> str:
    """Return a player's name with a side, which is in the current language."""
    # Translators: a player with the side of the match, as in “Ada (Black)”.
    return _("{name} ({side})").format(name=name, side=side)


def format_clauses(clauses: Iterable[str]) -> str:
    """Join clauses, which may have commas, with the semicolon of the current language.

    Example:
        >>> format_clauses(["Suns 3, 4", "Moons 0"])
        'Suns 3, 4; Moons 0'
    """
    # Translators: between clauses of a sentence; with its space, if there is one.
    return _("; ").join(clauses)


def format_decimal(number: float, digits: int = 1) -> str:
    """Return a number with decimal places, in the current language.

    Example:
        >>> format_decimal(1234.56)
        '1,234.6'
    """
    pattern = f"#,##0.{'0' * digits}" if digits else "#,##0"
    return numbers.format_decimal(number, pattern, _current_locale())


def format_change(number: float, digits: int = 0) -> str:
    """Return a number with its sign and decimal places, in the current language; 0 has no sign.

    Example:
        >>> [format_change(number, 1) for number in (3.14, -3.14, -0.01)]
        ['+3.1', '−3.1', '0.0']
    """
    rounded = round(number, digits)
    sign = {True: "+", False: "−"}[rounded > 0] if rounded else ""
    return f"{sign}{format_decimal(abs(rounded), digits)}"


def format_span(seconds: float) -> str:
    """Return a time in its two largest units, from days to seconds, in the current language.

    Example:
        >>> [format_span(seconds) for seconds in (41.7, 95, 7260, 90_000 * 3, 172_800)]
        ['42 secs', '2 mins', '2 hrs 1 min', '3 days 3 hrs', '2 days']
    """
    if seconds < 60:
        return _unit(round(seconds), "second")
    hours, minutes = divmod(round(seconds / 60), 60)
    days, hours = divmod(hours, 24)
    larger, smaller = (days, "day"), (hours, "hour")
    if not days:
        larger, smaller = smaller, (minutes, "minute")
    parts = [_unit(count, name) for count, name in (larger, smaller) if count]
    return " ".join(parts) or _unit(0, "minute")


def _unit(count: int, name: str) -> str:
    return units.format_unit(count, f"duration-{name}", "short", locale=_current_locale())


def format_percent(part: float) -> str:
    """Return a part of a whole as a percentage, in the current language.

    Example:
        >>> format_percent(0.625)
        '62%'
    """
    return numbers.format_percent(part, locale=_current_locale())


def format_month(day: date) -> str:
    """Return the month of a day with its year, in the current language.

    Example:
        >>> format_month(date(2026, 11, 27))
        'November 2026'
    """
    return dates.format_skeleton("yMMMM", day, locale=_current_locale())


FULL_STOPS = {"ja": "。"}
"""Language → the end of its sentences, if it is another sign than `.`."""


def full_stop() -> str:
    """Return the sign at the end of a sentence, in the current language.

    Example:
        >>> full_stop()
        '.'
    """
    return FULL_STOPS.get(_current_locale().language, ".")


def quoted(text: str) -> str:
    """Return a text in the quotation marks of the current language.

    Example:
        >>> quoted("up 5")
        '“up 5”'
    """
    # Translators: only the quotation marks of the language, with their spaces.
    return _("“{text}”").format(text=text)


def _current_locale() -> Locale:
    return _locale(current().info().get("language", ENGLISH_HABITS))


@cache
def _locale(tag: str) -> Locale:
    return Locale.parse(tag)


def truncate(text: str, limit: int) -> str:
    """Return a text cut to a number of characters; a cut text ends with `…`.

    Example:
        >>> truncate("wormholes", 5)
        'worm…'
    """
    return text if len(text) <= limit else f"{cut(text, limit - 1)}…"
