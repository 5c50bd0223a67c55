"""The rules of each game as a book of sections, read from the Markdown files of its package.

A file is one game in one language. Each heading ends with the names of its section in braces: the
numbers of the rules that it explains, or a word where it explains none. The first name is the
section's key; it is the same in every language, so that a button can carry it.

    ## The wormhole jump {W5.3}

    <!-- questions that it answers, separated by commas, which only the search reads -->

    A paragraph with a **term**.

    ![A description of the diagram.](jump)

Markdown is limited to Discord's: paragraphs, lists, bold and italic letters.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from bot.i18n import ENGLISH
from engine import packages

_HEADING = re.compile(r"^##? (?P<heading>.+) \{(?P<names>[^}]+)\}$", re.MULTILINE)
_DIAGRAM = re.compile(r"!\[(?P<alt>[^]]+)\]\((?P<name>\w+)\)")
_QUESTIONS = re.compile(r"<!--(?P<questions>.+?)-->", re.DOTALL)
_TERM = re.compile(r"\*\*(.+?)\*\*")
_LINE_END = re.compile(r"\s*\n(?!- )\s*")


class Diagram(NamedTuple):
    """A picture in a text: its name in `bot.rulebook.diagrams`, and its alt text."""

    name: str
    alt: str


class Section(NamedTuple):
    """One section of a book.

    Attributes:
        names: rules or words that it explains; the first one is its key.
        text: text in Discord's Markdown, without the diagram.
        terms: the words that it explains, as they are printed in bold.
        diagram: the section's picture, if it has one.
        questions: questions that it answers, as people ask them, or words of such questions.
    """

    names: tuple[str, ...]
    heading: str
    text: str
    terms: tuple[str, ...]
    diagram: Diagram | None
    questions: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name that buttons use for it."""
        return self.names[0]

    @property
    def rules(self) -> str:
        """The numbers of its rules, for people."""
        return " ".join(name for name in self.names if is_rule(name))


class Book(NamedTuple):
    """The rules of one game in one language; the first section is about the game as a whole."""

    game: str
    language: str
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        """The game's name for people."""
        return self.sections[0].heading

    def find(self, name: str) -> Section | None:
        """Return the section of this name; for a rule without one, the first of its chapter.

        Example:
            >>> book = read("wormholes")
            >>> [book.find(rule).heading for rule in ("W6.2", "W8")]
            ['Black holes', 'Winning']
        """
        chapter = f"{name.partition('.')[0]}."
        exact = (section for section in self.sections if name in section.names)
        near = (s for s in self.sections if any(rule.startswith(chapter) for rule in s.names))
        return next(exact, None) or (next(near, None) if is_rule(name) else None)

    def beside(self, section: Section, step: int) -> Section | None:
        """Return the section at an offset from another; None beyond the ends of the book."""
        place = self.sections.index(section) + step
        return self.sections[place] if 0 <= place < len(self.sections) else None


def is_rule(name: str) -> bool:
    """Return whether this is the number of a rule or of a chapter, such as `W5.3` or `W8`."""
    return bool(re.fullmatch(r"[A-Z]\d+(\.\d+[a-z]?)?", name))


def titles() -> dict[str, str]:
    """Return each game that has a text, with its name for people."""
    return {name: read(name).title for name in sorted(packages.installed()) if _has_text(name)}


@cache
def _has_text(game: str) -> bool:
    file = packages.file_of(game, "texts", ENGLISH)
    return file is not None and file.is_file()


@cache
def read(game: str, language: str = ENGLISH) -> Book:
    """Return the book of a game.

    Args:
        language: an IETF tag such as `de` or `en-GB`; without a text in it, English is read.

    Raises:
        LookupError: this game has none.
    """
    tag = language.replace("-", "_")
    for spoken in dict.fromkeys((tag, tag.partition("_")[0], ENGLISH)):
        file = packages.file_of(game, "texts", spoken)
        if file is not None and file.is_file():
            sections = _sections(file.read_text(encoding="utf-8"))
            return Book(game, spoken.replace("_", "-"), tuple(sections))
    raise LookupError(game)


def game_of(rule: str) -> str:
    """Return the game that the number of a rule belongs to; empty if there is none."""
    return next((game for game in titles() if is_rule(rule) and read(game).find(rule)), "")


def _sections(source: str) -> list[Section]:
    headings = list(_HEADING.finditer(source))
    ends = [heading.start() for heading in headings[1:]] + [len(source)]
    return [_section(h, source[h.end() : end]) for h, end in zip(headings, ends, strict=False)]


def _section(heading: re.Match[str], body: str) -> Section:
    diagram, comment = _DIAGRAM.search(body), _QUESTIONS.search(body)
    paragraphs = _QUESTIONS.sub("", _DIAGRAM.sub("", body)).strip().split("\n\n")
    text = "\n\n".join(
        _LINE_END.sub(" ", paragraph.strip()) for paragraph in paragraphs if paragraph.strip()
    )
    return Section(
        names=tuple(heading["names"].split()),
        heading=heading["heading"],
        text=text,
        terms=tuple(dict.fromkeys(_TERM.findall(text))),
        diagram=Diagram(diagram["name"], " ".join(diagram["alt"].split())) if diagram else None,
        questions=tuple(" ".join(comment["questions"].split()).split(", ")) if comment else (),
    )
