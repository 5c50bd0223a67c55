"""Search sections by words: SQLite's full-text index, in memory, made from a book when needed."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from bot.rulebook.book import Book, Section, is_rule

WEIGHTS = "20, 10, 1"
"""Weights of a word in a heading, as a term, in the text."""

TEXT_SHARE = 0.5
"""Weight of a section's heading, terms and text, beside its question most like the query."""

HEADING_WEIGHT = 1.4
"""Weight of a heading as a question: the words of a query are often its topic."""

EXCERPT_WORDS = 30
"""Maximum number of words of an excerpt."""

MAX_QUERY_WORDS = 12
"""Maximum number of words of a query; SQLite refuses very long ones."""

STOP_WORDS = {
    "en": frozenset(
        "a an and any are be been but can could d did do does for from get had happen happens has"
        " have how i if in is it its ll m me mean means my of on or re s so t that the then there"
        " these they this to ve was we what when where will with would you your".split()
    ),
    "de": frozenset(
        "aber als am an auch auf bedeuten bedeutet bei bin da dann darf das dem den der des die"
        " dürfen ein eine einem einen einer eines er es für geht gibt habe haben hat ich im in ist"
        " kann können man mein meine meinen meiner mich mir mit muss nach oder passiert sein sich"
        " sie sind so um und vom von wann war was wenn wer werde wie wird wo zu zum zur".split()
    ),
    "pl": frozenset(
        "a ale aby albo bo by być byc ci co coś cos czemu czy dla dlaczego do dokąd dokad dostaję"
        " dostaje gdy gdzie go i ich ile jak jaka jaki jakie jako je jego jej jest jeśli jesli ją"
        " już juz kiedy która ktora które ktore który ktory kto ma mają maja mam mi mnie moje moją"
        " moja może moze mogę moge można mozna mój moj muszę musze na nad nie o od po pod się sie"
        " są sa ta tam te tego ten to tu w we wtedy z za ze znaczy że żeby zeby".split()
    ),
    "pt-BR": frozenset(
        "a acontece ao aos as até com como da das de dele dela depois devo do dos e ela ele em"
        " então entao era essa esse esta este está estou eu faz fazer fica foi há ha isso já ja"
        " lá la mais mas me meu meus minha minhas na não nao nas no nos o onde os ou para pode"
        " podem por porque posso pra pro precisa preciso qual quais quando que quem quer são sao"
        " se sem ser significa só so sobre sou sua suas seu seus também tem tenho um uma vai você"
        " voce vou à às é".split()
    ),
    "fr": frozenset(
        "a ai ainsi alors as au aux avec c ce cela ces cet cette ceux comme comment d dans de"
        " des dire dois doit donc du elle en es est et eu eux faire fais fait faut il ils j"
        " je l la le les leur lui m ma mais me mes moi mon n ne nous on ont ou où par pas"
        " peut peux pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa"
        " se ses si son sont suis t ta te tes ton tu un une va veut veux vous y à ça"
        " être".split()
    ),
    "es": frozenset(
        "a al algo antes cada como cómo con cual cuál cuando cuándo de del donde dónde e el ella en"
        " entonces eres es esa ese eso esta está estar este esto estoy ha hacer hago hay he la las"
        " le lo los me mi ni o para pasa pero por porque puede puedo que qué quien quién se si sí"
        " significa sin son soy su sus también tengo tiene tienen tienes tu tus u un una unas uno"
        " unos va voy y ya yo hace mis ser te".split()  # codespell:ignore
    ),
}
"""Words of a question that say nothing about its topic, by language."""

STEM, ENDING = 4, 3
"""Minimum number of letters left of a word without its ending, and letters dropped."""

MIN_PREFIX = 3
"""Minimum number of letters of a word that matches longer ones too."""

MIN_SHARE = 1 / 4
"""Sections with less than this share of the best one's score are left out."""

_TOKENS = 'tokenize = "unicode61 remove_diacritics 2", prefix = "2 3"'
_MAKE = f"""
    CREATE VIRTUAL TABLE sections USING fts5(heading, terms, text, {_TOKENS});
    CREATE VIRTUAL TABLE questions USING fts5(
        words, section UNINDEXED, weight UNINDEXED, {_TOKENS}
    );
"""
_FIND = f"""
    SELECT rowid, highlight(sections, 2, '**', '**'), bm25(sections, {WEIGHTS})
    FROM sections WHERE sections MATCH ?
"""  # noqa: S608 - nothing in it comes from outside
_FIND_QUESTIONS = "SELECT section, weight * bm25(questions) FROM questions WHERE questions MATCH ?"

_FIRST_SENTENCE = re.compile(r".+?(?:[.!?]\**(?=\s|$)|[\u3002\uff01\uff1f]\**)|.+", re.DOTALL)

_UNSPACED = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
"""A letter of a language without spaces, Japanese or Chinese: each is a word of the index."""

_GRAMMAR = re.compile(r"[\u3041-\u309f]+")
"""Hiragana, which are mostly endings and particles."""

_BOLD = re.compile(r"\*\*([^*]+)\*\*")

_KATAKANA = re.compile(r"[\u30a1-\u30ff]")

_ZERO_WIDTH_SPACE = "\u200b"


class Hit(NamedTuple):
    """A matching section, and its first sentence with the words in bold."""

    section: Section
    excerpt: str


def search(book: Book, words: str) -> list[Hit]:
    """Return the sections that match any of these words, the best first.

    Words match by their stems, whole words count twice; accents and stop words are ignored. A word
    counts the more, the fewer sections have it. Of the questions that a section answers, the one
    most like these words counts: words of different questions do not add up.

    Example:
        >>> from bot.rulebook.book import read
        >>> search(read("wormholes"), "Can ships share a space?")[0].section.heading
        'Sending an opponent away'
    """
    query_words = re.findall(r"\w+", words)[:MAX_QUERY_WORDS]
    keywords = [
        word for word in query_words if word.lower() not in STOP_WORDS.get(book.language, ())
    ] or query_words
    if not keywords:
        return []
    query = " OR ".join(chain.from_iterable(map(_terms, keywords)))
    texts = {number: section.text for number, section in enumerate(book.sections)}
    scores: dict[int, float] = {}  # SQLite's are negative, the best the lowest
    for number, score in _index(book).execute(_FIND_QUESTIONS, (query,)):
        scores[number] = min(score, scores.get(number, 0.0))
    for number, text, score in _index(book).execute(_FIND, (query,)):
        texts[number] = _BOLD.sub(_whole, text.replace(_ZERO_WIDTH_SPACE, ""))
        scores[number] = scores.get(number, 0.0) + TEXT_SHARE * score
    best = min(scores.values(), default=0.0)
    return [
        Hit(book.sections[number], _excerpt(texts[number]))
        for number in sorted(scores, key=lambda number: (scores[number], number))
        if scores[number] <= best * MIN_SHARE
    ]


def _terms(word: str) -> Iterator[str]:
    """Yield the search terms for a word: itself and its stem, or pairs of letters without spaces.

    Pairs of hiragana count only where there is nothing else.
    """
    for run in re.findall(rf"{_UNSPACED.pattern}+|(?:(?!{_UNSPACED.pattern}).)+", word):
        if not _UNSPACED.match(run):
            for spelling in dict.fromkeys((run, _barred(run))):
                yield from (f'"{spelling}"', _stem(spelling))
            continue
        pairs = [run[place : place + 2] for place in range(max(1, len(run) - 1))]
        specific_pairs = [pair for pair in pairs if not _GRAMMAR.fullmatch(pair)]
        yield from (f'"{" ".join(pair)}"' for pair in specific_pairs or pairs)


def _separated(text: str) -> str:
    """Return a text with an invisible space beside each letter of a language without spaces."""
    return _UNSPACED.sub(rf"{_ZERO_WIDTH_SPACE}\g<0>{_ZERO_WIDTH_SPACE}", text)


def _whole(bold: re.Match[str]) -> str:
    """Return bold letters, or plain ones if they are a part of a longer word in katakana."""
    beside = bold.string[max(0, bold.start() - 1) : bold.start()] + bold.string[bold.end() :][:1]
    return bold[1] if _KATAKANA.search(beside) else bold[0]


def _barred(word: str) -> str:
    """Return a word with the Polish ł: people type l for it, and SQLite takes them for two letters.

    Example:
        >>> _barred("polozyc")
        'połozyc'
    """
    return word.replace("l", "ł")


def _stem(word: str) -> str:
    """Return the search term for all words that begin like this one."""
    stem = word[: max(STEM, len(word) - ENDING)]
    return f'"{stem}"*' if len(stem) >= MIN_PREFIX else f'"{stem}"'


def _excerpt(text: str) -> str:
    """Return the first sentence of a text, cut if it is long."""
    sentence = _FIRST_SENTENCE.match(text)
    words = sentence[0].split() if sentence else []
    if len(words) <= EXCERPT_WORDS:
        return " ".join(words)
    beginning = " ".join(words[:EXCERPT_WORDS])
    return beginning + ("**" if beginning.count("**") % 2 else "") + " …"


@cache
def _index(book: Book) -> sqlite3.Connection:
    index = sqlite3.connect(":memory:", check_same_thread=False)  # it is only read from now on
    index.executescript(_MAKE)
    for number, section in enumerate(book.sections):
        index.execute(
            "INSERT INTO sections (rowid, heading, terms, text) VALUES (?, ?, ?, ?)",
            (
                number,
                *map(_separated, (section.heading, " ".join(section.terms), _plain(section))),
            ),
        )
        index.executemany(
            "INSERT INTO questions (words, section, weight) VALUES (?, ?, ?)",
            [
                *[(_separated(section.heading), number, HEADING_WEIGHT)],
                *[(_separated(words), number, 1.0) for words in section.questions],
            ],
        )
    return index


def _plain(section: Section) -> str:
    """Return the text of a section and its diagram's description, without markup."""
    alt = section.diagram.alt if section.diagram else ""
    return f"{section.text} {alt}".replace("*", "")


def lookup(book: Book, topic: str) -> Section | None:
    """Return the section that a topic names: by key, number, heading, term, or as the only hit."""
    named = book.find(topic) or book.find(topic.upper())
    if named:
        return named
    folded = fold(topic)
    headed = [section for section in book.sections if fold(section.heading) == folded]
    explaining = [section for section in book.sections if folded in map(fold, section.terms)]
    if headed or explaining:
        return (headed or explaining)[0]
    hits = search(book, topic)
    return hits[0].section if len(hits) == 1 else None


def complete(book: Book, typed: str) -> list[tuple[str, str]]:
    """Return suggestions for a typed text: words to show and key, each section once.

    Headings and terms that begin like this come first, then any with a word that does, then
    hits in the texts. A heading comes before a term.
    """
    folded = fold(typed)
    ranked = sorted(
        (rank, place > 0, number, label)
        for number, section in enumerate(book.sections)
        for place, (word, label) in enumerate(_labels(section))
        if (rank := _rank(fold(word), folded)) is not None
    )
    labels: dict[str, str] = {}
    for _, _, number, label in ranked:
        labels.setdefault(book.sections[number].key, label)
    for hit in search(book, typed):
        labels.setdefault(hit.section.key, hit.section.heading)
    return [(label, key) for key, label in labels.items()]


def _labels(section: Section) -> Iterator[tuple[str, str]]:
    """Yield the headings and terms of a section, and how they are shown."""
    yield section.heading, section.heading
    for term in section.terms:
        yield term, f"{term} ({section.heading})"
    for name in filter(is_rule, section.names):
        yield name, f"{name} {section.heading}"


def _rank(word: str, folded: str) -> int | None:
    if word.startswith(folded):
        return 0
    return 1 if f" {folded}" in word else None


def fold(text: str) -> str:
    """Return a text without case and accents.

    Example:
        >>> fold("Schwarze Löcher")
        'schwarze locher'
    """
    letters = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
