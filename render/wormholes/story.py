"""The latest events of Wormholes in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine.game import Event
from engine.wormholes.game import Wormholes
from engine.wormholes.pieces import SEATS, SUITS, VALUES
from engine.wormholes.view import WormholesView
from render.i18n import N_, _
from render.narration import Templates, marked, sentence, setup_sentences
from render.renderer import Names
from render.wormholes.terms import number_name, suit_name, value_name

REVELATIONS = {
    "roll": N_("Dice have been rolled since"),
    "rolloff": N_("Dice have been rolled since"),
    "place": N_("A coin has been revealed since"),
}
"""See `Renderer.revelations`."""


def story(view: WormholesView, names: Names) -> str:
    """Return the last turn, one sentence for each event; the end of the match is in the prompt."""
    sentences = [
        (event.kind, marked(words, view, place))
        for place, event in enumerate(view.story)
        if event.kind != "ended" and (words := event_text(event, names))
    ]
    return "".join(("\n" if kind == "rolled" else " ") + text for kind, text in sentences).strip()


def setup_story(views: Sequence[WormholesView], names: Names) -> str:
    """Return several decisions of the set-up, with one sentence for all coins."""
    return setup_sentences(
        views,
        lambda event: event_text(event, names),
        lambda event: names[OWNERS[event.facts[0]]] if event.kind == "placed" else "",
        N_("Coins placed: {players}."),
    )


def event_text(event: Event, names: Names) -> str:
    """Return the sentence of an event; empty if it has none."""
    if event.kind == "rolled":
        first, second = event.facts
        player = names.get(OWNERS.get(first[0], ""), "")
        words = _("{name} rolled: {first}, {second}.")
        return words.format(name=player, first=_rolled(first), second=_rolled(second))
    if event.kind == "placed":
        suit, space = event.facts
        words = _("{name} placed a coin of the {suit} on {space}.")
        return words.format(name=names[OWNERS[suit]], suit=suit_name(suit), space=space)
    if event.kind == "turned" and event.facts[1] == VALUES[0]:
        words = _("{ship} landed on {space}: a black hole! They miss their next turn.")
        return words.format(ship=suit_name(event.facts[3]), space=event.facts[2])
    return sentence(event, Wormholes.events[event.kind], _STORY, partial(_shown, names))


def _shown(names: Names, name: str, fact: str) -> str:
    """Return a fact of an event as players call it."""
    if name in ("seat", "winner"):
        return names.get(fact, "")
    if name in ("ship", "suit", "by"):
        return suit_name(fact)
    if name in _DICE:
        return f"{suit_name(fact[0])} {fact[1]}"  # a null counts as 0 in the opening roll (W3.2)
    if name == "number":
        return number_name(fact)
    return value_name(fact) if name == "value" else fact


OWNERS = {suit: SEATS[place // 2] for place, suit in enumerate(SUITS)}
"""Suit → seat."""

_DICE = frozenset({"suns", "moons", "crowns", "arms"})
"""Facts that are dice of the opening roll."""


def _rolled(die: str) -> str:
    """Return a die of the story, e.g. `S3` or `M0`, as players say it."""
    return f"{suit_name(die[0])} {number_name(die[1])}"


_STORY: Templates = {
    "rolloff": {
        "-": N_("Opening roll: {suns} + {moons} = {crowns} + {arms}. A tie: rerolled."),
        "": N_("{winner} wins the opening roll and chooses: {suns}, {moons}, {crowns}, {arms}."),
    },
    "opening": N_(
        "{winner} wins the opening roll and moves first: {suns}, {moons}, {crowns}, {arms}."
    ),
    "first": {
        "place": N_("{seat} chose to place first."),
        "move": N_("{seat} chose to move first."),
    },
    "laid": N_("{seat} placed a coin in secret."),
    "revealed": {
        "0": N_("All coins are revealed."),
        "1": N_("All coins are revealed; both players had chosen one space."),
        "": N_("All coins are revealed; both players had chosen {contested} spaces."),
    },
    "returned": N_("A coin of the {suit} went back from {space} to its owner."),
    "dealt": N_("All coins were placed at random."),
    "ready": N_("{seat} is ready."),
    "declared": {"rolls": N_("{ship} took the die."), "skips": N_("{ship} stayed.")},
    "moved": "{ship} {start} → {end}.",
    "turned": {
        "value": N_("{ship} turned the coin on {space}: {suit} {value}, now value up."),
        "suit": N_("{ship} turned the coin on {space}: {suit} {value}, now suit up."),
    },
    "hole": "",  # the coin that turned says it
    "jumped": N_("{ship} jumped {start} → {end}."),
    "stuck": N_("{ship} could not jump."),
    "sent": N_("{by} sent {ship} {start} → {end}."),
    "kept": N_("{by} left {ship} alone."),
    "lapsed": N_("{ship} had no move with the {number}."),
    "passed": {
        "lost": N_("{seat}'s turn passed: no ship gets a die."),
        "stuck": N_("{seat}'s turn passed: no die can be used."),
    },
    "declined": N_("{seat} declined the draw."),
    "ended": {
        "agreed": N_("The players agreed on a draw."),
        "abandoned": N_("The players ended the match without a result."),
        "base": N_("{winner} wins by landing on an opposing base."),
        "resign": N_("{winner} wins by resignation."),
        "time": N_("{winner} wins on time."),
    },
}
