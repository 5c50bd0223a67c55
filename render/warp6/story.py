"""The latest events of Warp 6 in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile

from engine.game import Event
from engine.warp6.board import CENTRE
from engine.warp6.game import Warp6
from engine.warp6.view import Warp6View
from render.i18n import N_, _, format_clauses, format_list, full_stop
from render.narration import Templates, marked, sentence, setup_sentences
from render.renderer import Names
from render.warp6.terms import DIE_FACES, drawn_die, player_list

REVELATIONS = {
    "roll": N_("Dice have been rolled since"),
    "reroll": N_("A die has been rerolled since"),
    "set": N_("Secret dice have been revealed since"),
}
"""See `Renderer.revelations`."""


def story(view: Warp6View, names: Names, die_words: Callable[[str, Names], str] = drawn_die) -> str:
    """Return the last turn; a move and its consequences share one sentence.

    Args:
        view: the view.
        names: the players' names.
        die_words: returns a die with its player.
    """
    sentences: list[str] = []
    for place, event in enumerate(view.story):
        if event.kind == "ended" or event.kind in _PICTURED:
            continue  # the prompt or the picture says it
        words = marked(event_text(event, names, die_words), view, place)
        words += _tie_break(view.story[:place], event)
        if event.kind in _CONTINUATIONS and sentences:
            sentences[-1] += words
        else:
            sentences.append(words)
    return " ".join(f"{sentence}{full_stop()}" for sentence in sentences)


def setup_story(views: Sequence[Warp6View], names: Names) -> str:
    """Return several decisions of the set-up, with one sentence for all dice."""
    events = [event for view in views for event in view.story]

    def words(event: Event) -> str:
        if event.kind in _PICTURED:
            return ""
        earlier = events[: events.index(event)]
        return f"{event_text(event, names)}{_tie_break(earlier, event)}{full_stop()}"

    return setup_sentences(
        views,
        words,
        lambda event: names[event.facts[0][0].upper()] if event.kind == "placed" else "",
        N_("Dice placed: {players}."),
        N_("All dice are on the board."),
    )


def _tie_break(earlier: Sequence[Event], event: Event) -> str:
    """Return the reason that a player starts whose highest number is not the only one (X2.2).

    Args:
        earlier: the events before, with all numbers.
        event: the event to narrate; if it is another one, the result is empty.
    """
    if event.kind != "starts":
        return ""
    hands: dict[str, list[str]] = {}
    for kind, facts in earlier:
        if kind in _PICTURED:
            hands[facts[0]] = sorted(facts[1], reverse=True)
        elif kind == "tied":  # only these roll again
            hands = {seat: hands[seat] for seat in facts[0] if seat in hands}
    first = hands.pop(event.facts[0], [])
    second = max(hands.values(), default=[])
    equal = [*takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))]
    if len(equal) in (0, len(first)):
        return ""
    return _(" (the highest numbers are equal: {numbers}; then {number} beats {lower})").format(
        numbers=format_list([number for number, _other in equal], style="commas"),
        number=first[len(equal)],
        lower=second[len(equal)],
    )


def event_text(
    event: Event, names: Names, die_words: Callable[[str, Names], str] = drawn_die
) -> str:
    """Return the sentence of an event; empty if it has none."""
    return sentence(event, Warp6.events[event.kind], _STORY, partial(_shown, names, die_words))


def _shown(names: Names, die_words: Callable[[str, Names], str], name: str, fact: str) -> str:
    """Return a fact of an event as players call it."""
    if name in ("seat", "winner"):
        return names.get(fact, "")
    if name == "seats":
        return player_list(fact, names)
    if name == "die":
        return die_words(fact, names) if fact else ""
    return _hand(fact) if name == "numbers" else fact


def _hand(numbers: str) -> str:
    """Return the numbers by kind of die, e.g. `D8 5, 3; D6 6, 1, 2; D4 4, 4, 1, 2`."""
    kinds = _FACES_BY_COUNT[len(numbers)]
    groups = (
        (faces, [n for n, kind in zip(numbers, kinds, strict=True) if kind == faces])
        for faces in DIE_FACES
    )
    return format_clauses(
        f"D{faces} {format_list(group, style='commas')}" for faces, group in groups
    )


_FACES_BY_COUNT = {9: (8, 8, 6, 6, 6, 4, 4, 4, 4), 6: (8, 6, 6, 4, 4, 4)}
"""Faces of a seat's dice, by how many it has (X2.1)."""


_PICTURED = frozenset({"revealed", "rolled"})
"""Events of the set-up with many numbers, which the picture and the text board show."""

_CONTINUATIONS = frozenset({"warped", "rerolled", "off"})


_STORY: Templates = {
    "set": N_("{seat} has set the dice"),
    "revealed": N_("{seat} set {numbers}"),
    "rolled": N_("{seat} rolled {numbers}"),
    "tied": N_("A complete tie between {seats}"),
    "lot": N_("The random draw picked {seat}"),
    "starts": N_("{seat} goes first"),
    "placed": N_("{die} was placed on {space}"),
    "moved": {
        str(CENTRE): N_("{die} went from {start} off the board"),
        "": N_("{die} went from {start} to {end}"),
    },
    "warped": {str(CENTRE): N_(", warped off the board"), "": N_(", warped to {end}")},
    "rerolled": N_(", rerolled: {number}"),
    "off": "",
    "changed": N_("{die} changed from {before} to {after}"),
    "left": N_("{seat} has left the match"),
    "declined": N_("{seat} declined the draw"),
    "ended": {
        "agreed": N_("The players agreed on a draw"),
        "abandoned": N_("The match was ended without a result"),
        "dice": N_("{winner} wins: enough dice are through the wormhole"),
        "resign": N_("{winner} wins by resignation"),
        "time": N_("{winner} wins on time"),
        "left": N_("{winner} wins as the last one in the race"),
    },
}
