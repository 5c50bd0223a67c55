"""Actions of Wormholes that may become legal later, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.game import Action
from engine.wording import VERB
from engine.wormholes.board import DIRECTIONS, INDEX, XY
from engine.wormholes.pieces import SEATS, SUIT_NAMES
from engine.wormholes.view import WormholesView
from render.i18n import N_, _
from render.renderer import TEXT_VARIATION, Style
from render.wormholes.buttons import ARROWS
from render.wormholes.layout import layout
from render.wormholes.terms import suit_name
from render.wormholes.vocabulary import directions
from render.wormholes.words import label


def planned(view: WormholesView, action: Action, style: Style) -> str:
    """Return an action without parts that depend on the position; directions refer to the board."""
    if action.verb not in ("move", "jump"):
        return label(view, action)
    ship, way = action.args
    arrow = ARROWS[layout(style, view.seat).way(way)] + TEXT_VARIATION
    words = _("{ship} jump {arrow}") if action.verb == "jump" else _("{ship} {arrow}")
    return words.format(ship=suit_name(ship), arrow=arrow)


def move_towards(view: WormholesView, traits: Mapping[str, str]) -> str | None:
    """Return the move of a ship from where it is, in the straight line to a space.

    For `traits` and the result see `Renderer.move_towards`.
    """
    if {*traits} - {VERB} != {"ship", "space"} or traits.get(VERB, "move") != "move":
        return None
    suit, (x, y) = traits["ship"], XY[INDEX[traits["space"]]]
    start = next(XY[INDEX[ship.space]] for ship in view.ships if ship.suit == suit)
    across, up = x - start[0], y - start[1]
    distance = max(abs(across), abs(up))
    steps = {(step[0] * distance, step[1] * distance): way for way, step in DIRECTIONS.items()}
    way = steps.get((across, up)) if distance else None
    return f"move {suit} {way}" if way else ""


def example(view: WormholesView) -> str:
    """Return orders of the setup, then of a turn."""
    ship = "S" if view.seat == SEATS[0] else "C"
    if any(view.left):
        return f"if e9: place {ship}4 e10\nplace {ship}2 f7 or place {ship}2 f8"
    return f"if {ship}5: move {ship} E\nif {ship}2: move {ship} N or move {ship} NE"


SUGGESTION_NOTE = N_(
    "My suggestions resemble each other: an opponent who has seen one may guess your strongest "
    "coins, so change a few."
)
"""See `Renderer.suggestion_note`."""

NOTE = N_(
    "S, M, C and A are Suns, Moons, Crowns and Arms; `S5` is a coin or a roll of 5. Directions "
    "such as “up right” or ↗ are those of your board."
)

_EMOJI_ARROWS = str.maketrans({"⬅": "←", "⬆": "↑", "➡": "→", "⬇": "↓", "\ufe0e": "", "\ufe0f": ""})
"""Arrows as a phone types them → arrows of the buttons."""


def notation(seat: str, text: str, style: Style | None) -> str:
    """Return typed words with ships and, if a style is given, arrows as the notation has them.

    A lone arrow stays as it is: as a letter, a direction could be a ship. The words of `spelled`
    are read here, as some languages have words such as “m” besides the ship.
    """
    for suit, english in SUIT_NAMES.items():
        names = "|".join(map(re.escape, {english, suit_name(suit)}))
        text = re.sub(rf"\b(?:{names})\b(?:\s+(?=\d))?", suit, text, flags=re.IGNORECASE)
    text = text.translate(_EMOJI_ARROWS)
    arrows = _arrows(seat, style) if style else {}
    for way, arrow in arrows.items() if text.strip() not in arrows.values() else ():
        text = text.replace(arrow, f" {way} ")
    text = " ".join(text.split())
    if style and (move := _MOVE.fullmatch(text)):
        ways = {words: way for way, words in directions(seat, style).items()}
        return f"{move[1]} {ways.get(move[2].lower(), move[2])}"
    return text


_MOVE = re.compile(r"((?:move|jump) [SMCA]) (.+)", re.IGNORECASE)


def spelled(seat: str, text: str, style: Style) -> str:
    """Return words in notation with words for directions: phones have no keys for arrows."""
    return _with_directions(text, directions(seat, style))


def written(seat: str, text: str, style: Style) -> str:
    """Return words in notation with arrows for directions."""
    return _with_directions(text, _arrows(seat, style))


def _with_directions(text: str, names: Mapping[str, str]) -> str:
    """Return words in notation with names for directions.

    Args:
        names: direction → its name.
    """
    return re.sub(
        r"\b(move|jump) (\w) (\w+)",
        lambda words: f"{words[1]} {words[2]} {names.get(words[3], words[3])}",
        text,
    )


def with_arrows(seat: str, text: str, style: Style) -> str:
    """Return a text with arrows in place of directions such as `{NE}`."""
    arrows = {way: f"{arrow}{TEXT_VARIATION}" for way, arrow in _arrows(seat, style).items()}
    return re.sub(r"\{([NESW]+)\}", lambda way: arrows[way[1]], text)


def _arrows(seat: str, style: Style) -> dict[str, str]:
    """Return the arrow of each direction on a player's board."""
    return {way: ARROWS[layout(style, seat).way(way)] for way in DIRECTIONS}
