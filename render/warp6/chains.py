"""The chain of warps that begins at a space, shown on request.

From a free space it is the chain that a die would follow if the space were occupied.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

from engine.game import Event, Parameter, Verb
from engine.warp6.board import CENTRE, OUTERMOST, WARP
from engine.warp6.view import Warp6View
from render.i18n import N_, _, format_list, truncate
from render.renderer import Overlay
from render.warp6.courses import landing, warps_from
from render.warp6.terms import die_words

MAX_LABEL_CHARACTERS = 100
"""Maximum length of an entry of a list."""

MAX_NAME_CHARACTERS = 9
"""Maximum length of the typed number of a space."""

WARPS_VERB = Verb(
    N_("warps"),
    N_("Show the chain of warps from a space where a die would land"),
    (Parameter(N_("space"), N_("The space where a die would land, 1 to 126")),),
)
"""See `Renderer.overlay_verb`."""

WARPS_LABEL = N_("Show warp chains")
"""See `Renderer.overlay_label`."""


def overlays(view: Warp6View) -> tuple[Overlay, ...]:
    """Return the spaces where dice would land by their numbers, the viewer's own dice first."""
    return tuple(
        Overlay(str(space), _label(view, space, [die_words(name) for name in names]))
        for space, names in landings(view).items()
    )


def landings(view: Warp6View) -> dict[int, list[str]]:
    """Return space → names of the dice that would land there, the viewer's own dice first."""
    dice: defaultdict[int, list[str]] = defaultdict(list)
    racing = view.dice if view.turn and view.pending else ()
    for die in sorted(racing, key=lambda die: die.seat != view.seat):
        if die.where == "board" and (lands := landing(die)) != CENTRE:
            dice[lands].append(die.name)
    return dice


def _label(view: Warp6View, space: int, dice: list[str]) -> str:
    template = _("{dice} to {space}, taken: {way}")
    if not warps_from(view, space):
        template = _("{dice} to {space}, free; if taken: {way}")
    words = format_list(dice, style="commas")
    label = template.format(dice=words, space=space, way=_chain_text(view, space))
    return truncate(label, MAX_LABEL_CHARACTERS)


def chain(view: Warp6View, space: int) -> tuple[int, ...]:
    """Return the ends of the warps of a die that lands on a space, taken or not (X4.1)."""
    return (WARP[space], *warps_from(view, WARP[space]))


def _chain_text(view: Warp6View, space: int) -> str:
    """Return a chain, e.g. `105 → 81 → 53`."""
    ends = (str(end) if end != CENTRE else _("off the board") for end in chain(view, space))
    return " → ".join((str(space), *ends))


def space_named(name: str) -> int:
    """Return the space with this name.

    Raises:
        ValueError: there is no such space, or no dotted line begins there.
    """
    is_number = name.isascii() and name.isdecimal() and len(name) <= MAX_NAME_CHARACTERS
    if not (is_number and CENTRE < int(name) <= OUTERMOST):
        raise ValueError(f"no space {name}")
    return int(name)


def describe(view: Warp6View, space: int) -> str:
    """Return a chain in a sentence, and whether a die would have to take it now."""
    dice = format_list([die_words(die.name) for die in view.dice if die.space == space])
    sentence = _("{space} is taken by {die}. A die that ends its move there warps: {way}.")
    if not dice:
        sentence = _("{space} is free now. A die that finds it taken later warps: {way}.")
    return sentence.format(space=space, die=dice, way=_chain_text(view, space))


def with_chain_as_story(view: Warp6View, space: int) -> Warp6View:
    """Return a view whose last turn is the chain, so that the board shows it in numbered arrows."""
    steps = pairwise((space, *chain(view, space)))
    story = tuple(Event("warped", ("", str(start), str(end))) for start, end in steps)
    return replace(view, story=story)
