"""The latest events of Wormholes in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine.game import Event
from engine.wormholes.board import ENDS, INDEX, SPACES, across_void
from engine.wormholes.game import Wormholes
from engine.wormholes.pieces import AXES, SEATS, SUITS, VALUES
from engine.wormholes.view import WormholesView
from render.i18n import N_, NP_, _, format_list, full_stop
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
        if event.kind != "ended" and (words := _text_after(view.story[:place], event, names))
    ]
    return "".join(("\n" if kind == "rolled" else " ") + text for kind, text in sentences).strip()


def setup_story(views: Sequence[WormholesView], names: Names) -> str:
    """Return several decisions of the set-up, with one sentence for all coins."""
    return setup_sentences(
        views,
        lambda event: event_text(event, names),
        lambda event: names[OWNERS[event.facts[0]]] if event.kind == "placed" else "",
        N_("Coins placed: {players}."),
        N_("All coins are on the board."),
    )


def _text_after(before: Sequence[Event], event: Event, names: Names) -> str:
    """Return the sentence of an event that follows others; of no jump with the reason."""
    if event.kind != "stuck" or not before or before[-1].kind != "turned":
        return event_text(event, names)
    suit, value, space, ship, _side = before[-1].facts
    ends = ENDS[int(value)][INDEX[space]]
    axis = AXES[SUITS.index(suit)]
    taken = [SPACES[ends[way]] for way in axis if way in ends]
    beyond = [across_void(INDEX[space], way, int(value)) for way in axis]
    cut_off = [SPACES[end] for end in beyond if end is not None]
    words = _("{ship} could not jump {number}: both ways lead off the board.")
    if cut_off:
        words = _("{ship} could not jump {number}: the void lies before {space}.")
    if taken:  # a ship may land on any other than its partner (W5.3)
        words = _("{ship} could not jump {number}: only {space} is in reach, with {partner} on it.")
    return words.format(
        ship=suit_name(ship),
        number=value,
        space=format_list(taken or cut_off),
        partner=suit_name(_PARTNERS[ship]),
    )


def event_text(event: Event, names: Names) -> str:
    """Return the sentence of an event; empty if it has none."""
    if event.kind in ("rolloff", "opening"):
        return _opening_roll(event, names)
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
    words = sentence(event, Wormholes.events[event.kind], _STORY, partial(_shown, names))
    return f"{words}{full_stop()}" if event.kind == "moved" else words


def _shown(names: Names, name: str, fact: str) -> str:
    """Return a fact of an event as players call it."""
    if name in ("seat", "winner"):
        return names.get(fact, "")
    if name in ("ship", "suit", "by"):
        return suit_name(fact)
    if name == "number":
        return number_name(fact)
    return value_name(fact) if name == "value" else fact


OWNERS = {suit: SEATS[place // 2] for place, suit in enumerate(SUITS)}
"""Suit → seat."""

_PARTNERS = {suit: SUITS[place ^ 1] for place, suit in enumerate(SUITS)}
"""Suit of a ship → that of its player's other ship."""


def _opening_roll(event: Event, names: Names) -> str:
    """Return the dice of the opening roll with their sums, and its result (W3.2).

    A null counts as 0.
    """
    *dice, winner = event.facts
    first, second = dice[:2], dice[2:]
    words = _("Opening roll of the ships' dice: {first}; {second}.")
    rolled = words.format(first=_dice_sum(first, names), second=_dice_sum(second, names))
    outcome = _("{winner} wins the opening roll and chooses.")
    if winner == "-":
        outcome = _("A tie: rerolled.")
    elif event.kind == "opening":
        outcome = _("{winner} wins the opening roll and moves first.")
    return f"{rolled} {outcome.format(winner=names.get(winner, ''))}"


def _dice_sum(dice: Sequence[str], names: Names) -> str:
    """Return the sum of a player's dice, and the dice, e.g. `Ada 3 (Suns 3, Moons 0)`."""
    words = format_list([f"{suit_name(die[0])} {die[1]}" for die in dice], style="commas")
    return f"{names.get(OWNERS[dice[0][0]], '')} {sum(int(die[1]) for die in dice)} ({words})"


def _rolled(die: str) -> str:
    """Return a die of the story, e.g. `S3` or `M0`, as players say it."""
    number = _("0 (a null)") if die[1] == "0" else number_name(die[1])
    return f"{suit_name(die[0])} {number}"


_STORY: Templates = {
    "first": {
        "place": N_("{seat} chose to place first; the opponent moves first."),
        "move": N_("{seat} chose to move first; the opponent places first."),
    },
    "laid": N_("{seat} placed a coin in secret."),
    "revealed": {
        "0": N_("All coins are revealed."),
        "": NP_(
            "All coins are revealed; both players had chosen one space.",
            "All coins are revealed; both players had chosen {count} spaces.",
        ),
    },
    "returned": N_("A coin of the {suit} went back from {space} to its owner."),
    "dealt": N_("All coins were placed at random."),
    "ready": N_("{seat} is ready."),
    "declared": {"rolls": N_("{ship} took the die."), "skips": N_("{ship} stayed.")},
    "moved": "{ship} {start} → {end}",
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
        "abandoned": N_("The match was ended without a result."),
        "base": N_("{winner} wins by landing on an opposing base."),
        "resign": N_("{winner} wins by resignation."),
        "time": N_("{winner} wins on time."),
    },
}
