"""Names of the dice and players of Warp 6."""

from __future__ import annotations

import re

from engine.warp6.pieces import SIDES
from render.i18n import _, format_list
from render.renderer import Names

DIE_FACES = (8, 6, 4)
"""Faces of the dice, in the order of records."""

SHAPES = {8: "◆", 6: "■", 4: "▲"}
"""Number of faces → the outline of a die on the picture."""


def player_list(letters: str, names: Names) -> str:
    """Return the names of several seats as a list."""
    return format_list([names[letter] for letter in letters])


def sign(die: str) -> str:
    """Return a die of the notation, with or without its colour, as it looks: `◆A`."""
    return f"{SHAPES[int(die[-2])]}{die[-1].upper()}"


def die_words(die: str, *, drawn: bool = True) -> str:
    """Return a die by its colour and how it looks, `Yellow ◆A`; if not drawn, `Yellow 8a`."""
    words = _("{colour} {die}")
    return words.format(colour=_(SIDES[die[0].upper()]), die=sign(die[:3]) if drawn else die[1:3])


def die_of(die: str, names: Names) -> str:
    """Return a die with its player: `Ada: 8a`."""
    return f"{names[die[0].upper()]}: {die[1:]}"


def drawn_die(die: str, names: Names) -> str:
    """Return a die with its player, as it looks: `Ada: ◆A`."""
    return f"{names[die[0].upper()]}: {sign(die)}"


def name(word: str, names: Names | None = None) -> str:
    """Return a word of the notation as the board names it: a die as it looks.

    A die with its colour gets its player's name, or the colour without names.
    """
    if not _DIE.fullmatch(word):
        return word
    if len(word) == len("8a"):
        return sign(word)
    if names is None:
        return die_words(word)
    return _("{player}'s {die}").format(player=names[word[0].upper()], die=sign(word))


def opening(faces: str) -> str:
    """Return the first die that a player placed."""
    return _("a die with {faces} faces first").format(faces=faces)


_DIE = re.compile("[byw]?[468][a-d]", re.IGNORECASE)


_FACES = {shape: faces for faces, shape in SHAPES.items()}
_SIGN = re.compile(r"(?<!\S)([◆■▲]) ?([a-d])(?=\s|$)", re.IGNORECASE)


def notation(seat: str, text: str) -> str:
    """Return typed words with a player's own dice, `8a` or `◆A`, as the notation has them."""
    text = _SIGN.sub(lambda match: f"{_FACES[match[1]]}{match[2].lower()}", text)
    return re.sub(r"(?<!\S)(?=[468][a-d](?:\d|\s|$))", seat.lower(), text, flags=re.IGNORECASE)


def written(seat: str, text: str) -> str:
    """Return words in notation with a player's own dice as the picture names them."""
    return re.sub(rf"(?<!\S){seat.lower()}(?=[468][a-d])", "", text)
