"""The languages that the bot speaks: English, and each one that has a catalogue in `locale/`.

A catalogue is `locale/LANGUAGE/LC_MESSAGES/starpost.po`, with `starpost.mo`, which the bot reads,
compiled beside it (`make catalogues`); a text without a translation stays English. Texts are
written and translated as `render.i18n` says; the engine, which knows no languages, gives templates
and fields, and they are filled in here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from babel.core import Locale
from babel.core import negotiate_locale as nearest_of

from engine import games
from engine.game import IllegalActionError
from engine.i18n import LISTS
from render import for_game
from render.i18n import _, current, fill_in

ENGLISH = "en"
"""The language of the texts in the code; it needs no catalogue."""

LOCALES = Path(__file__).parent / "locale"
"""Where the catalogues are."""

LOCALE_CACHE_SIZE = 256
"""Number of tags whose language is remembered; Discord has about 30."""


def languages() -> tuple[str, ...]:
    """Return the tags of all languages, English first, such as `en`, `de`, `pt-BR`."""
    return _languages(LOCALES)


@cache
def _languages(folder: Path) -> tuple[str, ...]:
    locales = sorted(file.parent.parent.name for file in folder.glob("*/LC_MESSAGES/starpost.mo"))
    return (ENGLISH, *(name.replace("_", "-") for name in locales))


def negotiate_locale(locale: str) -> str:
    """Return the language for a tag such as `pt-BR` or `pt_BR`: its own, or its first part's.

    Without a catalogue of either, it is English.

    Example:
        >>> [negotiate_locale(locale) for locale in ("de", "de-AT", "de_AT", "tlh")]
        ['de', 'de', 'de', 'en']
    """
    return _negotiate(languages(), locale)


@lru_cache(LOCALE_CACHE_SIZE)
def _negotiate(languages: tuple[str, ...], locale: str) -> str:
    tag = nearest_of([locale.replace("_", "-")], languages, sep="-") or ENGLISH
    return next(language for language in languages if language.lower() == tag.lower())


def catalogue(locale: str) -> NullTranslations:
    """Return the texts in the language nearest to an IETF tag.

    Example:
        >>> catalogue("de-AT").gettext("Accept")
        'Annehmen'
    """
    return _catalogue(LOCALES, negotiate_locale(locale))


@cache
def _catalogue(folder: Path, language: str) -> NullTranslations:
    if language == ENGLISH:
        return NullTranslations()
    file = folder / language.replace("-", "_") / "LC_MESSAGES" / "starpost.mo"
    with file.open("rb") as compiled:
        return GNUTranslations(compiled)


def current_language() -> str:
    """Return the tag of the current language."""
    return current().info().get("language", ENGLISH)


def language_names() -> dict[str, str]:
    """Return each language with its own name for itself, such as `Deutsch`."""
    names = {tag: Locale.parse(tag, sep="-").get_display_name() or tag for tag in languages()}
    return {tag: name[0].upper() + name[1:] for tag, name in names.items()}


def sides(game: str) -> dict[str, str]:
    """Return seat → name of its side, in the current language."""
    return {seat: _(side) for seat, side in games.get(game).sides.items()}


def refusal_text(
    error: IllegalActionError, game: str = "", as_typed: Callable[[str], str] = str
) -> str:
    """Return the reason that the rules refuse an action, in the current language.

    Args:
        error: raised by the rules.
        game: its names replace words of the notation; empty to keep those.
        as_typed: returns a line of notation as the player types it.
    """
    name = for_game(game).name if game else str
    words = {
        field: as_typed(str(word)) if field in LINE_FIELDS else name(str(word))
        for field, word in error.fields.items()
        if field not in LISTS
    }
    return fill_in(error.reason, {**error.fields, **words})


LINE_FIELDS = frozenset({"text", "example", "lines", "one", "other"})
"""The fields of a refusal that quote text which the player typed, or should type."""
