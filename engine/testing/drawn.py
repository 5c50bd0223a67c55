"""All that a renderer says and draws for a reader; only its methods are known here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from operator import gt, lt
from random import Random
from typing import Any

from engine import packages
from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.players import ComputerPlayer
from engine.game import CHANCE, PUBLIC, Action, View
from engine.testing.matches import Played

DEFAULT_STYLE = "render.renderer:DEFAULT_STYLE"
"""Reference of the style of pictures; the engine imports no drawings."""

ORIENTATIONS = ("landscape", "portrait")

HINT_LEVEL, HINT_SEED, HINT_NODES = "admiral", bytes(32), 50
"""The computer player that gives hints, and the maximum of positions that it evaluates."""

BUTTONS = 10
"""Maximum number of choices of a verb that are buttons at once."""

MAX_LABEL, MAX_ALT = 80, 1000
"""Maximum lengths of a label and of an alt text."""

WORDS_SHARE, PICTURE_SHARE = 0.2, 0.01
"""Shares of the positions whose texts are read and whose pictures are drawn, as those of both
ends of a match always are."""

MIN_PIXELS, MAX_PIXELS, MAX_BYTES = 16, 2000, 120_000
"""Limits of a picture's width and height, and its maximum size: phones load it within a second."""

PNG = b"\x89PNG\r\n\x1a\n"
WIDTH, HEIGHT = slice(16, 20), slice(20, 24)
"""Places of a PNG's width and height, of four bytes each, the highest first."""


def words_of(renderer: Any, match: Played, reader: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Return place → a renderer's text about a view.

    Args:
        renderer: a `render.renderer.Renderer`.
        match: the match.
        reader: a seat, or the public.
        names: seat → name of its player.
    """
    view = match.game.view(match.state, reader)
    buttons = [button for row in _rows(renderer, view) for button in row.buttons]
    return {
        "story": renderer.story(view, names),
        "prompt": renderer.prompt(view, names),
        "text board": renderer.text_board(view, names),
        "alt text": renderer.alt_text(view, names),
        "hand": renderer.hand(view),
        "label": [renderer.label(view, action) for action in view.legal],
        "button": [(button.label, button.emoji) for button in buttons],
        "custom_id": [(button.action, button.more) for button in buttons],
        "overlay": renderer.overlays(view),
    }


def _rows(renderer: Any, view: View) -> list[Any]:
    """Return rows of buttons for the legal actions of each verb, as boards have them."""
    kinds: dict[str, list[Action]] = {}
    for action in view.legal:
        if not action.is_form:
            kinds.setdefault(action.verb, []).append(action)
    few = [
        action
        for actions in kinds.values()
        if len(actions) <= BUTTONS and not renderer.groups(view, actions)
        for action in actions
    ]
    return list(renderer.rows(view, few)) if few else []


def picture_of(
    renderer: Any, match: Played, reader: str, names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the pictures of a view, with its choices and for animations, and a hint for it."""
    view = match.game.view(match.state, reader)
    return {
        "picture": renderer.picture(view, names, actions=view.legal),
        "animation": renderer.frame(view, names).tobytes(),
        "hint": _hint(match, reader),
    }


def _hint(match: Played, reader: str) -> Any:
    """Return the advice of a computer player; None if it has none, or nothing is to be decided."""
    if match.game.name not in COMPUTER_SUPPORT or not reader:
        return None
    if reader not in match.game.pending(match.state):
        return None
    player = ComputerPlayer(HINT_LEVEL, HINT_SEED, HINT_NODES)
    return player.choose(match.record.redact_for_infostate(reader), reader)


def checks_of(renderer: Any) -> tuple[Callable[[Played, Random], Iterator[str]], ...]:
    """Return the checks of a renderer's words and pictures; see `engine.testing.contract`."""
    default = packages.load(DEFAULT_STYLE, object)
    styles = [replace(default, orientation=orientation) for orientation in ORIENTATIONS]
    sizes: dict[str, tuple[int, int]] = {}

    def words(match: Played, random: Random) -> Iterator[str]:
        """Yield texts that are missing or too long, and moves that cannot be typed as written."""
        if match.is_over or random.random() < WORDS_SHARE:
            for reader in (PUBLIC, *match.seats):
                yield from _text_faults(renderer, match, reader)
                yield from _typing_faults(renderer, match, reader, random, default)

    def pictures(match: Played, random: Random) -> Iterator[str]:
        """Yield faults of pictures."""
        if match.is_over or not match.actions or random.random() < PICTURE_SHARE:
            for reader in (PUBLIC, random.choice(match.seats)):
                for style in styles:
                    yield from _picture_faults(renderer, match, reader, style, sizes)

    return words, pictures


def _typing_faults(
    renderer: Any, match: Played, reader: str, random: Random, style: Any
) -> Iterator[str]:
    """Yield moves that are read as other ones if they are typed as they are written."""
    for form in match.game.view(match.state, reader).legal[:BUTTONS]:
        action = match.game.fill(form, random.randrange)
        written = renderer.written(reader, action.notation, style)
        if renderer.notation(reader, written, style) != action.notation:
            yield f"“{action.notation}” is written “{written}” and read as another action"


def _text_faults(renderer: Any, match: Played, reader: str) -> Iterator[str]:
    """Yield texts for a reader that are missing or too long."""
    texts = words_of(renderer, match, reader, match.game.sides)
    if not texts["text board"].strip():
        yield f"the text board of “{reader}” is empty"
    if not texts["prompt"].strip() and match.game.pending(match.state) != CHANCE:
        yield f"“{reader}” reads no prompt"
    if not 0 < len(texts["alt text"]) <= MAX_ALT:
        yield f"an alt text has {len(texts['alt text'])} characters"
    for label in (*texts["label"], *(label or emoji for label, emoji in texts["button"])):
        if not 0 < len(label) <= MAX_LABEL:
            yield f"the label “{label}” has {len(label)} characters"


def _picture_faults(
    renderer: Any, match: Played, reader: str, style: Any, sizes: dict[str, tuple[int, int]]
) -> Iterator[str]:
    """Yield faults of a picture.

    Args:
        renderer: the renderer.
        match: the match.
        reader: a seat, or the public.
        style: style of the picture.
        sizes: remembers the size of each orientation. A picture with choices may be a part of the
            board, which is less wide and less high.
    """
    view, names = match.game.view(match.state, reader), match.game.sides
    data = renderer.picture(view, names, style, view.legal)
    if renderer.picture(view, names, style, view.legal) != data:
        yield "the picture of a view is not the same each time"
    if not data.startswith(PNG):
        yield "a picture is no PNG"
    size = int.from_bytes(data[WIDTH]), int.from_bytes(data[HEIGHT])
    if min(size) < MIN_PIXELS or max(size) > MAX_PIXELS:
        yield f"a picture has {size[0]} × {size[1]} pixels, not {MIN_PIXELS} to {MAX_PIXELS}"
    if len(data) > MAX_BYTES:
        yield f"a picture has {len(data)} bytes, more than {MAX_BYTES}"
    whole = sizes.setdefault(style.orientation, size)
    if all(map(gt, size, whole)):
        sizes[style.orientation] = size
    elif size != whole and not all(map(lt, size, whole)):
        yield f"pictures have {whole} and {size} pixels"
