"""Warp 6 in words: stories, prompts, labels and the text board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.game import CHANCE, OPEN, Action
from engine.warp6.board import CENTRE
from engine.warp6.pieces import SIDES
from engine.warp6.view import Die, Warp6View
from render.language import _, plural
from render.renderer import ALT_LIMIT, Names
from render.warp6.courses import Course, course, die_named

KINDS = (8, 6, 4)
"""Faces of the dice, in the order of records."""


def _listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _players(letters: str, names: Names) -> str:
    return _listed([names[letter] for letter in letters])


# The position


def text_board(view: Warp6View, names: Names) -> str:
    """The whole position in lines, with where each die would go."""
    return _board(view, names, ends=True)


def alt_text(view: Warp6View, names: Names) -> str:
    """What changed, what is to do, then all; without the ends of moves where there is no room."""
    before = [story(view, names), prompt(view, names)]
    for ends in (True, False):
        text = "\n".join(filter(None, (*before, _board(view, names, ends=ends))))
        if len(text) <= ALT_LIMIT:
            return text
    return text[: ALT_LIMIT - 1] + "…"


def _board(view: Warp6View, names: Names, *, ends: bool) -> str:
    lines = [_moment(view)]
    for place, seat in enumerate(view.seats):
        own = [die for die in view.dice if die.seat == seat]
        left = ", has left" if seat in view.left else ""
        off = f"{view.off[place]} of {view.target} off the board"
        dice = "; ".join(_groups(view, own, ends=ends))
        lines.append(f"{names[seat]} ({SIDES[seat]}{left}), {off}: {dice}.")
    return "\n".join(lines)


def _moment(view: Warp6View) -> str:
    """The turn, and what of the past still counts."""
    if view.free:
        return f"Set-up; the next free space is {view.free}."
    in_a_row = f" Changes in a row: {view.changes} of {view.most_changes}." if view.changes else ""
    return f"Turn {view.turn}.{in_a_row}"


def _groups(view: Warp6View, dice: Sequence[Die], *, ends: bool) -> Iterator[str]:
    """The dice of a seat, those on the board from the innermost."""
    on_board = sorted((die for die in dice if die.where == "board"), key=lambda die: die.space)
    for die in on_board:
        goes = f" (to {_path(course(view, die))})" if ends and view.pending else ""
        yield f"{die.name} {die.number} on {die.space}{goes}"
    for where, words in (("hand", "in hand"), ("off", "off the board"), ("out", "out of play")):
        found = [die for die in dice if die.where == where]
        if found:
            yield f"{words}: " + ", ".join(map(_in_hand if where == "hand" else _name, found))


def _name(die: Die) -> str:
    return die.name


def _in_hand(die: Die) -> str:
    return f"{die.name} {die.number}" if die.number != OPEN else die.name


def _path(way: Course) -> str:
    """`101`; `105, warps to 81`; `22, warps 3 times to 3`; `off the board`."""
    if way.lands == CENTRE:
        return "off the board"
    times = f" {len(way.warps)} times" if len(way.warps) > 1 else ""
    if not way.warps:
        return str(way.lands)
    end = "off the board" if way.end == CENTRE else f"to {way.end}"
    return f"{way.lands}, warps{times} {end}"


# What happened


def story(view: Warp6View, names: Names) -> str:
    """The last turn; what follows from a move is told in one sentence with it."""
    sentences: list[str] = []
    for event in view.story:
        told = _TELL[event.kind](event.facts, names)
        if event.kind in _GOES_ON and sentences:
            sentences[-1] += told
        else:
            sentences.append(told)
    return " ".join(f"{sentence}." for sentence in sentences)


def _hand(facts: Sequence[str], names: Names, verb: str) -> str:
    """`Ada rolled D8 5, 3; D6 6, 1, 2; D4 4, 4, 1, 2`."""
    seat, numbers = facts
    kinds = _KINDS[len(numbers)]
    shown = (
        f"D{faces} " + ", ".join(n for n, kind in zip(numbers, kinds, strict=True) if kind == faces)
        for faces in KINDS
    )
    return f"{names[seat]} {verb} " + "; ".join(shown)


_KINDS = {9: (8, 8, 6, 6, 6, 4, 4, 4, 4), 6: (8, 6, 6, 4, 4, 4)}
"""Faces of a seat's dice, by how many it has (X2.1)."""


def _moved(facts: Sequence[str], _names: Names) -> str:
    die, start, end = facts
    return f"{die} {start} → {'off the board' if end == str(CENTRE) else end}"


def _warped(facts: Sequence[str], _names: Names) -> str:
    end = facts[2]
    return f", warped {'off the board' if end == str(CENTRE) else f'to {end}'}"


def _ended(facts: Sequence[str], names: Names) -> str:
    winner, reason = facts
    if winner == "-":
        return "The players agreed on a draw"
    return f"{names[winner]} {_REASONS[reason]}"


_REASONS = {
    "dice": "has brought enough dice through the wormhole and wins",
    "resign": "wins by resignation",
    "time": "wins on time",
    "left": "wins as the last one in the race",
}

_GOES_ON = frozenset({"warped", "rerolled", "off"})

_TELL: dict[str, Callable[[Sequence[str], Names], str]] = {
    "set": lambda f, n: f"{n[f[0]]} has set the dice",
    "revealed": lambda f, n: _hand(f, n, "set"),
    "rolled": lambda f, n: _hand(f, n, "rolled"),
    "tied": lambda f, n: f"A complete tie between {_players(f[0], n)}",
    "lot": lambda f, n: f"The lot falls on {n[f[0]]}",
    "starts": lambda f, n: f"{n[f[0]]} starts",
    "placed": lambda f, _: f"{f[0]} was placed on {f[1]}",
    "moved": _moved,
    "warped": _warped,
    "rerolled": lambda f, _: f", rerolled: {f[1]}",
    "off": lambda _, __: "",
    "changed": lambda f, _: f"{f[0]} changed from {f[1]} to {f[2]}",
    "left": lambda f, n: f"{n[f[0]]} has left the match",
    "ended": _ended,
}


# What is to do


def prompt(view: Warp6View, names: Names) -> str:
    """Who must decide what; at the end who won, and the points of a series."""
    if not view.pending:
        winner, reason = view.result.split()
        points = ", ".join(f"{names[score.seat]} {score.points}" for score in view.points)
        return f"{_ended((winner, reason), names)}. Points: {points}."
    if view.pending == CHANCE:
        return {
            "roll": "The dice are rolling.",
            "lot": "The lot decides who starts.",
            "reroll": f"{view.focus} is rolled again.",
        }[view.phase]
    return f"{_players(view.pending, names)}: {_decision(view)}"


def _decision(view: Warp6View) -> str:
    if view.phase == "set":
        return "set your dice in secret"
    if view.phase == "place":
        return f"place a die on {view.free}"
    if view.changes >= view.most_changes:
        return f"move a die (after {view.most_changes} changes in a row nothing else goes)"
    return "move a die, or change its number by one"


def hand(view: Warp6View) -> str:
    """What a seat has set while others have yet to set theirs."""
    own = [die for die in view.dice if die.seat == view.seat and die.number != OPEN]
    if view.phase != "set" or not own:
        return ""
    return "You have set " + ", ".join(f"{die.name} {die.number}" for die in own) + "."


def label(view: Warp6View, action: Action) -> str:
    """A button's words: what is done, and where the die ends."""
    return _LABELS[action.verb](view, action)


def _move_label(view: Warp6View, action: Action) -> str:
    """The end first, as it is what matters: `72: 6a moves 4, 1 warp, reroll`."""
    die = die_named(view, action.args[0])
    way = course(view, die)
    end = _("off the board") if way.end == CENTRE else str(way.end)
    parts = [_("{end}: {die} moves {number}").format(end=end, die=die.name[1:], number=die.number)]
    if way.warps:
        number = len(way.warps)
        parts.append(plural("{number} warp", "{number} warps", number).format(number=number))
        parts += [_("reroll")] * (way.end != CENTRE)
    return ", ".join(parts)


def _raise_label(view: Warp6View, action: Action) -> str:
    return _changed(view, action, _("Raise {die} to {number}, on {space}"), 1)


def _lower_label(view: Warp6View, action: Action) -> str:
    return _changed(view, action, _("Lower {die} to {number}, on {space}"), -1)


def _changed(view: Warp6View, action: Action, words: str, by: int) -> str:
    die = die_named(view, action.args[0])
    return words.format(die=die.name[1:], number=int(die.number) + by, space=die.space)


def _place_label(view: Warp6View, action: Action) -> str:
    die = die_named(view, action.args[0])
    words = _("Place {die}, showing {number}")
    return words.format(die=die.name[1:], number=die.number)


def _set_label(_view: Warp6View, action: Action) -> str:
    if any(arg.endswith(OPEN) for arg in action.args):
        return _("Set your dice")
    dice = ", ".join(f"{arg[1:-1]} {arg[-1]}" for arg in action.args)
    return _("Set: {dice}").format(dice=dice)


_LABELS: dict[str, Callable[[Warp6View, Action], str]] = {
    "set": _set_label,
    "place": _place_label,
    "move": _move_label,
    "up": _raise_label,
    "down": _lower_label,
}


def step(view: Warp6View, verb: str, args: Sequence[str]) -> str:
    """A die in a list: what is done with it, and where it ends."""
    if verb not in ("place", "move", "up", "down"):
        return args[-1]
    return label(view, Action(view.seat, verb, tuple(args)))


def value(die: str, number: str) -> str:
    """A number for a die, named so that everybody finds it on the board: `Yellow 8a: 5`."""
    colour = SIDES[die[0].upper()]
    return _("{colour} {die}: {number}").format(colour=colour, die=die[1:3], number=number)
