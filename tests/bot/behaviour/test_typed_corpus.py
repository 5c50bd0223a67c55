"""Lines as people type them, each with its meaning, in files beside this one.

`typed_moves/{game}.txt` has English and German lines, which are read as those of an English player;
`typed_moves/{tag}/{game}.txt` has those of players of another language, with the tag of its
catalogue. `typed_moves/positions/{game}.txt` has the positions in which they are typed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.i18n import ENGLISH, catalogue
from bot.services.matches import _understand
from bot.views.typed_choices import REQUESTS, ChoiceReader
from engine import games
from engine.game import IllegalActionError
from render import for_game
from render.i18n import using
from render.renderer import DEFAULT_STYLE

FOLDER = Path(__file__).parent / "typed_moves"

POSITIONS = FOLDER / "positions"

LANGUAGES = (ENGLISH, *sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))

CORPORA = [
    (tag, name) for tag in LANGUAGES if tag != POSITIONS.name for name in sorted(games.names())
]
"""Language and game of each file; those of English players are in the first tier."""

LINES_NEEDED = 400
"""Of each language."""


class Typed(NamedTuple):
    """A line of a corpus: the name of the position, the typed text and its meaning."""

    game: str
    position: str
    text: str
    meaning: str


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a file without empty ones and comments."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def positions(name: str) -> dict[str, tuple[str, str]]:
    """Return the name of each position of a game → its seat and `Game.dump`."""
    rows = (line.split(" ", 2) for line in lines_of(POSITIONS / f"{name}.txt"))
    return {position: (seat, dump) for position, seat, dump in rows}


def corpus(tag: str, name: str) -> Iterator[Typed]:
    """Yield the typed lines of a language for a game."""
    position = ""
    for line in lines_of(FOLDER / ("" if tag == ENGLISH else tag) / f"{name}.txt"):
        if line.startswith("position "):
            position = line.removeprefix("position ")
        else:
            text, _, meaning = line.rpartition(" => ")
            yield Typed(name, position, text, meaning)


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
    """The example in a refusal is a legal move, in the words of the language."""
    example = reader.example(text)
    action = _understand(game, state, seat, reader.read(example).line)
    assert action, example
    game.apply(state, action)
    if not game.legal(state)[0].is_form:
        assert example == for_game(game.name).typed(game.view(state, seat), action, DEFAULT_STYLE)


@pytest.mark.first(test=3)
@pytest.mark.parametrize(("tag", "name"), CORPORA)
def test_lines_of_the_corpus_mean_what_it_says(tag: str, name: str) -> None:
    game, table = games.get(name), positions(name)
    wrong = []
    readers = dict[str, tuple[Any, str, ChoiceReader]]()
    with using(catalogue(tag)):
        for _game, position, text, expected in corpus(tag, name):
            if position not in readers:
                seat, dump = table[position]
                state = game.load(dump)
                reader = ChoiceReader(game.view(state, seat), DEFAULT_STYLE)
                readers[position] = state, seat, reader
            state, seat, reader = readers[position]
            actual = meaning(reader, state, seat, game, text)
            if actual != expected:
                wrong.append(f"{position}: {text} => {actual} (expected {expected})")
            elif actual == "refused":
                check_example(reader, state, seat, game, text)
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("tag", dict(CORPORA))
def test_corpora_are_large_and_varied(tag: str) -> None:
    lines = [line for name in games.names() for line in corpus(tag, name)]
    assert len(lines) >= LINES_NEEDED
    assert len(set(lines)) == len(lines)
    kinds = Counter(line.meaning.partition(":")[0].split()[0] for line in lines)
    assert min(kinds[kind] for kind in ("refused", "ambiguous", "begin", "takeback", "hint")) >= 9
    for name in games.names():
        typed = {line.position for line in lines if line.game == name}
        assert typed == {*positions(name)}


@pytest.mark.parametrize("name", games.names())
def test_positions_have_moves_with_every_verb(name: str) -> None:
    game = games.get(name)
    legal = (game.view(game.load(dump), seat).legal for seat, dump in positions(name).values())
    verbs = {action.verb for action in chain.from_iterable(legal)}
    assert verbs == {verb.name for verb in game.verbs}
