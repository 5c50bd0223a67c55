"""Reader of moves as people write them: words in any order, some left out, some too many.

An action has *traits*, such as `("ship", "S")`: its verb, its arguments, and what the renderer of
its game adds, such as the space where it ends. The words of a text name traits. The engine has no
language: a `Vocabulary`, which the renderer fills, says which words name which traits.

Example:
    >>> names = [("suns", ("ship", "S")), ("up", ("direction", "N"))]
    >>> vocabulary = Vocabulary(names, fillers={"please"})
    >>> [sorted(traits) for traits in vocabulary.readings("Suns up, please!")]
    [[('direction', 'N'), ('ship', 'S')]]
    >>> vocabulary.readings("suns over there")
    []
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import groupby

from engine.endings import is_offer
from engine.game import Action, AnyGame, Verb

Trait = tuple[str, str]
"""A property of an action: its name and value."""

Traits = frozenset[Trait]

VERB = "verb"
"""Name of the trait that every action has."""

DIRECTION = "direction"
"""Name of the argument that says which way a piece goes."""

COMPASS = "compass"
"""Name of the trait that words of the compass name besides a direction: they can mean that of the
records, or what lies there on a picture with the north at the top. No action has it."""

ACTOR = "actor"
"""Name of the trait of the piece with which a seat does everything; it says too little to play."""

ANSWER = "answer"
"""Name of the argument of the verbs that all games share, see `engine.endings`."""

MAX_WORDS = 40
"""Maximum number of words that are read as a move."""

_SIGNS = str.maketrans("⬅⬆➡⬇−–—\u2010\u2011’", "←↑→↓-----'") | {
    katakana: katakana - 0x60 for katakana in range(0x30A1, 0x30F7)
}
"""Arrows, dashes and apostrophes as a phone types them → those of the notation; katakana →
hiragana, in which Japanese players leave words that they do not convert."""

_LONG_VOWEL = re.compile(r"(?<![\u3041-\u3091\u3093-\u3096\u30fc])\u30fc(?=[0-9a-z])")
"""The Japanese sign of a long vowel where a keyboard types it for a hyphen: `i6ーh4`, `8aをー1`."""

_ACCENTS = re.compile("[\u0300-\u036f]")
"""Combining marks of the Latin, Greek and Cyrillic scripts; kana have others."""

_UNMARKED = str.maketrans({"ł": "l", "ø": "o", "œ": "oe", "æ": "ae"})
"""Letters whose marks Unicode does not part from them → as people type them without."""

_SPACELESS = r"[\u3005\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff]"
"""A character of Japanese and Chinese, where no spaces part words: each counts as one."""

_LETTERS = rf"(?:(?!{_SPACELESS})[^\W_])+"
_WORD = re.compile(
    rf"-?\d+,-?\d+|[+-]\d+(?!(?!{_SPACELESS})\w)|{_SPACELESS}|{_LETTERS}(?:'{_LETTERS})*"
    r"|[←-↓↖-↙⇊◆■▲]|[?¿\x00-\x08\x0e-\x1f\x7f-\x9f]"
)
"""Coordinates, changes, words, arrows and shapes of dice; a question or a control character is no
move."""

_PARTING = re.compile(r"'|(?<=\d)(?=[^\W\d_]+\d)")
"""Where words can meet without a space: at an apostrophe, and between `f8` and `f11`."""

_TWO_PARTS = re.compile(r"([^\W\d_]+)(\d+)|(\d+)([^\W\d_]+)")


def _none(_action: Action) -> tuple[Trait, ...]:
    return ()


def split_words(text: str) -> tuple[str, ...]:
    """Return the words, numbers and arrows of a text, in lower case.

    Example:
        >>> split_words("Suns – D9, please: ↗!"), split_words("太陽をD9へ")
        (('suns', 'd9', 'please', '↗'), ('太', '陽', 'を', 'd9', 'へ'))
    """
    if text.isascii():
        return tuple(_WORD.findall(text.lower()))
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS)
    return tuple(_WORD.findall(_LONG_VOWEL.sub("-", plain)))


def without_accents(word: str) -> str:
    """Return a word as people type it who leave its accents out; kana keep their marks.

    Example:
        >>> without_accents("zurück"), without_accents("żółty"), without_accents("が")
        ('zuruck', 'zolty', 'が')
    """
    if word.isascii():
        return word
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", plain).translate(_UNMARKED)


def traits_of(game: AnyGame, action: Action) -> Traits:
    """Return the verb of an action, and its arguments by the names of their parameters."""
    return traits_by_action(game, [action])[action]


def traits_by_action(
    game: AnyGame, actions: Iterable[Action], more: Callable[[Action], Iterable[Trait]] = _none
) -> dict[Action, Traits]:
    """Return action → its verb, its arguments by the names of their parameters, and more traits.

    Args:
        more: returns the further traits of an action.
    """
    names = {verb.name: _names(verb) for verb in game.verbs}
    return {
        action: frozenset(
            (
                (VERB, action.verb),
                *zip(names.get(action.verb, (ANSWER,)), action.args, strict=False),
                *more(action),
            )
        )
        for action in actions
    }


def _names(verb: Verb) -> list[str]:
    return [parameter.name for parameter in verb.parameters]


class _Table:
    """Names of traits as they are, and in other ways to write them; shared by vocabularies."""

    def __init__(self, names: Iterable[tuple[str, Trait]], fillers: Iterable[str] = ()) -> None:
        self.names: dict[tuple[str, ...], Traits] = {}
        self.variants: dict[tuple[str, ...], Traits] = {}
        fillers_known = {*map(split_words, fillers)}
        self.fillers = frozenset(fillers_known | {*map(_without_accents, fillers_known)})
        for name, trait in names:
            if phrase := split_words(name):
                self.names[phrase] = self.names.get(phrase, frozenset()) | {trait}
                for variant in _variants(phrase):
                    self.variants[variant] = self.variants.get(variant, frozenset()) | {trait}
        phrases = (*self.names, *self.variants, *self.fillers)
        self.longest = max(map(len, phrases), default=0)
        self.words = frozenset(word for phrase in phrases for word in phrase)


class Vocabulary:
    """What words stand for.

    Args:
        names: names of traits; a name can have several words, and stand for several traits.
        fillers: words without a separate meaning, or several that have none together.
        numbers: word → the digits that it stands for.
        kinds: trait → the trait that it is a special case of; words for both mean the special one.
    """

    def __init__(
        self,
        names: Iterable[tuple[str, Trait]],
        fillers: Collection[str] = frozenset(),
        numbers: Mapping[str, str] | None = None,
        kinds: Mapping[Trait, Trait] | None = None,
    ) -> None:
        self._tables: tuple[_Table, ...] = (_Table(names, fillers),)
        digits = dict(numbers or {})
        self._numbers = {without_accents(word): digits[word] for word in digits} | digits
        self._kinds = dict(kinds or {})

    def joined(self, more: Vocabulary) -> Vocabulary:
        """Return a vocabulary with the names and fillers of another one too; both are shared."""
        vocabulary = copy(self)
        vocabulary._tables = (*self._tables, *more._tables)  # noqa: SLF001 - of this class
        return vocabulary

    @property
    def words(self) -> frozenset[str]:
        """All words in names and fillers."""
        return frozenset().union(*(table.words for table in self._tables))

    def readings(self, text: str) -> list[Traits]:
        """Return the sets of traits that a text can name, the fewest fillers first.

        Each word belongs to a name or is a filler. No set has two values of one trait.
        """
        return [traits for _, traits in self.ranked_readings(text)]

    def ranked_readings(self, text: str) -> list[tuple[int, Traits]]:
        """Return the readings of a text, each after the number of its fillers."""
        words = self._spelled(text)
        if len(words) > MAX_WORDS:
            return []
        ways: list[dict[Traits, int]] = [{} for _ in range(len(words) + 1)]
        ways[0][frozenset()] = 0
        for place in range(len(words)):
            named = [*self._named_at(words, place)]
            filled = [
                end
                for end in self._ends(words, place)
                if any(words[place:end] in table.fillers for table in self._tables)
            ]
            for traits, fillers in ways[place].items():
                for end, trait in named:
                    if joined := self._joined(traits, trait):
                        _keep_least(ways[end], joined, fillers)
                for end in filled:
                    _keep_least(ways[end], traits, fillers + end - place)
        read = [(fillers, traits) for traits, fillers in ways[-1].items() if traits]
        return sorted(read, key=lambda way: (way[0], sorted(way[1])))

    def _joined(self, traits: Traits, trait: Trait) -> Traits:
        """Return traits and one more; empty if they have another value of it."""
        conflicts = [other for other in traits if other[0] == trait[0] and other != trait]
        if not conflicts:
            return traits | {trait}
        if self._kinds.get(trait) == conflicts[0]:
            return traits - {conflicts[0]} | {trait}
        return traits if self._kinds.get(conflicts[0]) == trait else frozenset()

    def mentioned(self, text: str) -> Traits:
        """Return all traits that some words of a text name, regardless of the other words."""
        words = self._spelled(text)
        named_traits = (self._named_at(words, place) for place in range(len(words)))
        return frozenset(trait for at in named_traits for _, trait in at)

    def _spelled(self, text: str) -> tuple[str, ...]:
        """Return the words of a text; an unknown one without its sign or accents, or in digits.

        If that is unknown too, its parts count: French “l'as” is “l” and “as”, f8f11 f8 and f11.
        """
        return tuple(
            self._spell(part) or part
            for word in split_words(text)
            for part in ([word] if self._spell(word) else _PARTING.split(word))
        )

    def _spell(self, word: str) -> str:
        """Return the first known form of a word; empty if none is known."""
        digits = self._numbers.get(word, word)
        forms = (word, word.lstrip("+-"), digits, without_accents(word))
        return next((form for form in forms if self._knows(form)), "")

    def _knows(self, word: str) -> bool:
        return any(word in table.words for table in self._tables)

    def _ends(self, words: Sequence[str], start: int) -> range:
        """Return the places where a name that begins at a place can end."""
        longest = max(table.longest for table in self._tables)
        return range(start + 1, min(start + longest, len(words)) + 1)

    def _named_at(self, words: Sequence[str], start: int) -> Iterator[tuple[int, Trait]]:
        """Yield the traits that words from this place on name, each with the end of the name."""
        for end in self._ends(words, start):
            phrase = tuple(words[start:end])
            in_digits = tuple(self._numbers.get(word, word) for word in phrase)
            traits = self._named(phrase) or frozenset().union(
                *(table.variants.get(phrase, frozenset()) for table in self._tables)
            )
            for trait in traits | self._named(in_digits):
                yield end, trait

    def _named(self, phrase: tuple[str, ...]) -> Traits:
        """Return the traits that a name stands for; empty if it is no name."""
        return frozenset().union(*(table.names.get(phrase, frozenset()) for table in self._tables))


def _variants(phrase: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield other ways to write a name: without accents, and `d 9` and `9d` for `d9`."""
    if (plain := _without_accents(phrase)) != phrase:
        yield plain
    if len(phrase) == 1 and (parts := _TWO_PARTS.fullmatch(phrase[0])):
        first, last = filter(None, parts.groups())
        yield (first, last)
        yield (last + first,)


def _without_accents(phrase: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(without_accents, phrase))


def _keep_least(ways: dict[Traits, int], traits: Traits, fillers: int) -> None:
    ways[traits] = min(fillers, ways.get(traits, fillers))


def find_meant(
    game: AnyGame, vocabulary: Vocabulary, actions: Mapping[Action, Traits], text: str
) -> tuple[Traits, tuple[Action, ...]]:
    """Return the traits that a text names, and which of some actions have them; empty if none.

    Of several readings, the one with the fewest fillers counts, and then the one whose words stand
    for the first arguments: in `S d9`, S is the Suns rather than the south.

    Args:
        game: the game of the actions.
        vocabulary: the meanings of words.
        actions: the actions that can be meant, with their traits.
        text: the typed text.
    """
    order = {VERB: 0}
    for verb in game.verbs:
        for name in _names(verb):
            order.setdefault(name, len(order))

    def rank(reading: tuple[int, Traits]) -> tuple[int, list[int]]:
        fillers, traits = reading
        return fillers, sorted(order.get(name, len(order)) for name, _ in traits)

    for _rank, group in groupby(sorted(vocabulary.ranked_readings(text), key=rank), key=rank):
        sets = [traits for _, traits in group]
        if meant := [action for action, its in actions.items() if any(map(its.issuperset, sets))]:
            named = frozenset[Trait]().union(*(s for s in sets if s <= actions[meant[0]]))
            return named, tuple(meant)
    return frozenset(), ()


def determines(game: AnyGame, action: Action, named: Traits) -> bool:
    """Return whether words that name some traits of an action say enough to play it.

    They do if they name its last argument, or something that no argument says, such as its end. The
    verbs that all games share have to be complete, but the answer to a draw offer needs no verb.
    """
    verb = next((verb for verb in game.verbs if verb.name == action.verb), None)
    if verb is None:
        answers = not is_offer(action) and any(name == ANSWER for name, _ in named)
        return answers or named >= traits_of(game, action)
    names = [VERB, *_names(verb)]
    return any(name == names[-1] or name not in (*names, ACTOR) for name, _ in named)


def spell(game: AnyGame, vocabulary: Vocabulary, verbs: Collection[str], text: str) -> str:
    """Return a text in notation, legal or not; empty if it does not name all of an action.

    Args:
        game: the game of the notation.
        vocabulary: the meanings of words.
        verbs: the possible verbs of a text without one.
        text: the typed text.
    """
    for traits in vocabulary.readings(text):
        values = dict(traits)
        if values.keys() == {VERB, ANSWER} and values[VERB] == "draw":
            return f"draw {values[ANSWER]}"
        for verb in game.verbs:
            names = _names(verb)
            is_meant = values.get(VERB) == verb.name or (VERB not in values and verb.name in verbs)
            if is_meant and set(names) == values.keys() - {VERB}:
                return " ".join((verb.name, *(values[name] for name in names)))
    return ""


def nearest(vocabulary: Vocabulary, actions: Mapping[Action, Traits], text: str) -> Action:
    """Return the action that has most of the traits named in a text; the first one of several.

    Raises:
        ValueError: there are no actions.
    """
    mentioned = vocabulary.mentioned(text)
    return max(actions, key=lambda action: len(mentioned & actions[action]))
