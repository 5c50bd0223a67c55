"""Lines as people type them, each with its meaning: `typed_moves/*.txt`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.services.matches import _understand
from bot.views.typed_choices import REQUESTS, ChoiceReader
from engine import games
from engine.game import IllegalActionError
from render.renderer import DEFAULT_STYLE

FOLDER = Path(__file__).parent / "typed_moves"

CORPORA = sorted(FOLDER.glob("*.txt"))

LINES_NEEDED = 400


class Typed(NamedTuple):
    """A line of a corpus: the position, the typed text and its meaning."""

    game: str
    seat: str
    position: str
    text: str
    meaning: str


def corpus(path: Path) -> Iterator[Typed]:
    """Yield the lines of a file."""
    seat = position = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("position "):
            _, seat, position = line.split(" ", 2)
        elif line and not line.startswith("#"):
            text, _, meaning = line.rpartition(" => ")
            yield Typed(path.stem, seat, position, text, meaning)


def meaning(reader: ChoiceReader, state: Any, seat: str, game: Any, text: str) -> str:
    """Return the meaning of a text in the words of a corpus."""
    line, meanings = reader.read(text)
    if meanings:
        return f"ambiguous: {' | '.join(action.notation for action in meanings)}"
    if line in (*REQUESTS, "draw"):
        return line
    try:
        action = _understand(game, state, seat, line)
        if action is None:
            return f"begin {line}"
        game.apply(state, action)
    except IllegalActionError:
        return "refused"
    return action.notation


def check_example(reader: ChoiceReader, state: Any, seat: str, game: Any, text: str) -> None:
    """The example in a refusal is a legal move."""
    example = reader.example(text)
    action = _understand(game, state, seat, reader.read(example).line)
    assert action, example
    game.apply(state, action)


@pytest.mark.parametrize("path", CORPORA, ids=lambda path: path.stem)
def test_lines_of_the_corpus_mean_what_it_says(path: Path) -> None:
    game = games.get(path.stem)
    wrong = []
    readers = dict[tuple[str, str], tuple[Any, ChoiceReader]]()
    for _game, seat, position, text, expected in corpus(path):
        if (seat, position) not in readers:
            state = game.load(position)
            readers[seat, position] = state, ChoiceReader(game.view(state, seat), DEFAULT_STYLE)
        state, reader = readers[seat, position]
        actual = meaning(reader, state, seat, game, text)
        if actual != expected:
            wrong.append(f"{text} => {actual} (expected {expected})")
        elif actual == "refused":
            check_example(reader, state, seat, game, text)
    assert not wrong, "\n" + "\n".join(wrong)


def test_corpora_are_large_and_varied() -> None:
    lines = [line for path in CORPORA for line in corpus(path)]
    assert {path.stem for path in CORPORA} == {*games.names()}
    assert len(lines) >= LINES_NEEDED
    assert len(set(lines)) == len(lines)
    kinds = Counter(line.meaning.partition(":")[0].split()[0] for line in lines)
    assert min(kinds[kind] for kind in ("refused", "ambiguous", "begin", "takeback", "hint")) >= 9
