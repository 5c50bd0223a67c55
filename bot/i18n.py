"""The languages that the bot speaks: English, and each one that has a catalogue in `locale/`.

A catalogue is `locale/LANGUAGE/LC_MESSAGES/starpost.po`; `starpost.mo`, which the bot reads, is
compiled beside it when Starpost is built or installed (`hatch_build.py`). A text without a
translation stays English. Texts are written and translated as `render.i18n` says; the engine, which
knows no languages, gives templates and fields, and they are filled in here.
"""

from __future__ import annotations

import re
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

COMMAND, NAME = re.compile(r"`(/[^`]+|\w+:)`"), re.compile(r"[^\W\d][\w-]*")
"""A command or an option that a text names, and the names in it."""

_NOT_IN_NAMES = re.compile(r"[^\w-]+")
"""What Discord does not accept in names of commands and options."""

NAME_LIMIT = 32
"""Maximum length of the name of a command or an option, by Discord."""

NAMES = {
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fr": "Français",
    "ja": "日本語",
    "pl": "Polski",
    "pt-BR": "Português (Brasil)",
}
"""Names of languages in themselves. Babel knows those of others, but reads a megabyte for each."""

LOCALE_CACHE_SIZE = 256
"""Number of tags whose language is remembered; Discord has about 30."""


def languages() -> tuple[str, ...]:
    """Return the tags of all languages, English first, such as `en`, `de`, `pt-BR`."""
    return _languages(LOCALES)


@cache
def _languages(folder: Path) -> tuple[str, ...]:
    locales = sorted(inner.parent.name for inner in folder.glob("*/LC_MESSAGES"))
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


def catalogue(locale: str, client: str = "") -> NullTranslations:
    """Return the texts in the language nearest to an IETF tag.

    Args:
        client: the tag of the language of the reader's Discord, which shows the names of commands
            in that language; empty if it is the same or unknown.

    Example:
        >>> catalogue("de-AT").gettext("Accept")
        'Annehmen'
        >>> catalogue("de").gettext("**Change your mind:** `/takeback`, `/draw`, `/resign`.")
        '**Anders überlegt:** `/zurücknehmen`, `/remis`, `/aufgeben`.'
        >>> catalogue("de", "en-US").gettext(
        ...     "**Change your mind:** `/takeback`, `/draw`, `/resign`."
        ... )
        '**Anders überlegt:** `/takeback`, `/draw`, `/resign`.'
    """
    language = negotiate_locale(locale)
    names = negotiate_locale(client) if client else language
    return _catalogue(LOCALES, language) if names == language else _mixed(LOCALES, language, names)


@cache
def _catalogue(folder: Path, language: str) -> NullTranslations:
    if language == ENGLISH:
        return NullTranslations()
    with _file(folder, language).open("rb") as compiled:
        return GNUTranslations(compiled)


def catalogue_file(language: str) -> Path:
    """Return the compiled catalogue of a language; English has none."""
    return _file(LOCALES, language)


def _file(folder: Path, language: str) -> Path:
    return folder / language.replace("-", "_") / "LC_MESSAGES" / "starpost.mo"


def command_name(words: str) -> str:
    """Return the translated name of a command or option as Discord accepts it.

    Example:
        >>> command_name("Move here")
        'move-here'
    """
    return _NOT_IN_NAMES.sub("-", words.lower()).strip("-")[:NAME_LIMIT]


@cache
def _mixed(folder: Path, language: str, names: str) -> NullTranslations:
    return _NamedCommands(_catalogue(folder, language), _catalogue(folder, names))


class _NamedCommands(NullTranslations):
    """Texts in one language in which commands and their options have their names in another.

    A text and its translation name the same commands.
    """

    def __init__(self, texts: NullTranslations, names: NullTranslations) -> None:
        super().__init__()
        self._texts, self._names = texts, names

    def info(self) -> dict[str, str]:
        """Return the facts about the language of the texts."""
        return self._texts.info()

    def gettext(self, message: str) -> str:
        """Return a translation."""
        return self._renamed(message, self._texts.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return a translation for a number of things."""
        return self._renamed(msgid2, self._texts.ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        """Return a translation of one of the meanings of a text."""
        return self._renamed(message, self._texts.pgettext(context, message))

    def _renamed(self, message: str, text: str) -> str:
        names = {
            command_name(self._texts.gettext(name)): command_name(self._names.gettext(name))
            for command in COMMAND.findall(message)
            for name in NAME.findall(command)
        }
        if not names:
            return text

        def rename(command: re.Match[str]) -> str:
            return NAME.sub(lambda name: names.get(name[0], name[0]), command[0])

        return COMMAND.sub(rename, text)


def current_language() -> str:
    """Return the tag of the current language."""
    return current().info().get("language", ENGLISH)


def language_names() -> dict[str, str]:
    """Return each language with its own name for itself, such as `Deutsch`."""
    return {tag: NAMES.get(tag) or babel_name(tag) for tag in languages()}


def babel_name(tag: str) -> str:
    """Return the name of a language in itself, by Babel."""
    name = Locale.parse(tag, sep="-").get_display_name() or tag
    return name[0].upper() + name[1:]


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
