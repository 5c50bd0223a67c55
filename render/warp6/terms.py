"""Names of the dice and players of Warp 6."""

from __future__ import annotations

import re

from engine.warp6.pieces import SIDES
from render.i18n import N_, NC_, _, format_list, titled
from render.renderer import Names
from render.vocabulary import spoken as words_in

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


SHAPE_NAMES = {8: N_("diamond, rhombus"), 6: N_("square"), 4: NC_("shape", "triangle")}
"""Number of faces → names of the outline; the first one is read aloud."""


def spoken(die: str) -> str:
    """Return a die of the notation, with or without its colour, in words: `diamond A`.

    It is `sign` as a screen reader should read it: “black diamond A” would name a colour.
    """
    words = _("{shape} {letter}")
    shape = _(SHAPE_NAMES[int(die[-2])]).partition(",")[0]
    return words.format(shape=shape, letter=die[-1].upper())


def die_words(die: str) -> str:
    """Return a die by its colour and how it looks: `Yellow ◆A`."""
    return coloured(die, sign(die[:3]))


def coloured(die: str, words: str) -> str:
    """Return words for a die after its colour."""
    return _("{colour} {die}").format(colour=_(SIDES[die[0].upper()]), die=words)


def die_of(die: str, names: Names) -> str:
    """Return a die with its player, in words: `Ada: diamond A`."""
    return titled(names[die[0].upper()], spoken(die))


def drawn_die(die: str, names: Names) -> str:
    """Return a die with its player, as it looks: `Ada: ◆A`."""
    return titled(names[die[0].upper()], sign(die))


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
_PLACE_LABEL = re.compile(r"^([◆■▲] ?[a-d]) \d$", re.IGNORECASE | re.MULTILINE)
"""The button of a die to place, which ends with the number that the die shows."""

_SIGN = re.compile(r"(?<!\S)([◆■▲]) ?([a-d])(?=\s|$)", re.IGNORECASE)


def notation(seat: str, text: str) -> str:
    """Return typed words with a player's own dice as the notation has them.

    They can be written as `8a`, as they look, `◆A`, or in words, `diamond A`; a die to place also
    as on its button, `◆A 5`.
    """
    text = _PLACE_LABEL.sub(r"\1", text)
    text = _SIGN.sub(lambda match: f"{_FACES[match[1]]}{match[2].lower()}", text)
    for faces, shape_names in SHAPE_NAMES.items():
        shapes = "|".join(map(re.escape, words_in(shape_names)))
        pattern = rf"(?<!\S)(?:{shapes}) ([a-d])(?=\s|$)"
        text = re.sub(pattern, rf"{faces}\1", text, flags=re.IGNORECASE)
    return re.sub(r"(?<!\S)(?=[468][a-d](?:\d|\s|$))", seat.lower(), text, flags=re.IGNORECASE)


def written(seat: str, text: str) -> str:
    """Return words in notation with a player's own dice as the picture names them."""
    return re.sub(rf"(?<!\S){seat.lower()}(?=[468][a-d])", "", text)
