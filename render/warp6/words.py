"""Warp 6 in words: stories, prompts, labels and the text board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.game import CHANCE, OPEN_VALUE, Action, Event
from engine.warp6.board import CENTRE
from engine.warp6.pieces import SIDES
from engine.warp6.view import Die, Warp6View
from render.i18n import (
    N_,
    NP_,
    _,
    format_clauses,
    format_list,
    full_stop,
    ngettext,
    pgettext,
    translated,
    truncate,
)
from render.renderer import EITHER, MAX_ALT_CHARACTERS, Names
from render.warp6.courses import Course, course, die_named
from render.warp6.story import event_text, story
from render.warp6.terms import die_of, drawn_die, player_list, sign, spoken

DICE_NOTE = N_(
    "Diamonds have eight faces, squares six, triangles four. Diamond A is ◆A on the picture and "
    "the buttons; where you type a move, write diamond A or 8a."
)
"""How the text board names dice, so that a screen reader can read them."""

CHANGES_NAMED = 10
"""Maximum number of changes left before a die has to move that the text board names."""

# The position


def text_board(view: Warp6View, names: Names) -> str:
    """Return the whole position in lines, with the end of each die's move."""
    return f"{_board(view, names, ends=True)}\n{_(DICE_NOTE)}"


def alt_text(view: Warp6View, names: Names) -> str:
    """Describe story, prompt and position; without the ends of moves if that is too long."""
    before = [story(view, names, die_words=die_of), prompt(view, names)]
    for ends in (True, False):
        text = "\n".join(filter(None, (*before, _board(view, names, ends=ends))))
        if len(text) <= MAX_ALT_CHARACTERS:
            return text
    return truncate(text, MAX_ALT_CHARACTERS)


def _board(view: Warp6View, names: Names, *, ends: bool) -> str:
    lines = [_moment(view)]
    for place, seat in enumerate(view.seats):
        dice = [die for die in view.dice if die.seat == seat]
        words = _("{name} ({side}), {off} of {target} off the board: {dice}.")
        if seat in view.departed:
            words = _("{name} ({side}, has left), {off} of {target} off the board: {dice}.")
        line = words.format(
            name=names[seat],
            side=_(SIDES[seat]),
            off=view.off[place],
            target=view.target,
            dice=format_clauses(_groups(view, dice, ends=ends)),
        )
        lines.append(line)
    return "\n".join(lines)


def _moment(view: Warp6View) -> str:
    """Return the turn, and the past events that still count."""
    if view.free:
        return _("Setup; the next free space is {space}.").format(space=view.free)
    words, left = _("Turn {number}."), view.most_changes - view.changes
    if view.changes and 0 < left <= CHANGES_NAMED:
        words = ngettext(
            "Turn {number}. After {left} more change of a number, a die has to move.",
            "Turn {number}. After {left} more changes of a number, a die has to move.",
            left,
        )
    return words.format(number=view.turn, left=left)


def _groups(view: Warp6View, dice: Sequence[Die], *, ends: bool) -> Iterator[str]:
    """Return the dice of a seat, those on the board from the innermost."""
    on_board = sorted((die for die in dice if die.where == "board"), key=lambda die: die.space)
    for die in on_board:
        goes = ends and view.pending
        way = course(view, die)
        words, end = _("{die} {number} on {space}"), ""
        if goes and way.lands == CENTRE:
            words = _("{die} {number} on {space} (leaves the board)")
        elif goes:
            words, end = _("{die} {number} on {space} (to {end})"), _path(way)
        yield words.format(die=spoken(die.name), number=die.number, space=die.space, end=end)
    for where, words in _PLACES.items():
        group = [die for die in dice if die.where == where]
        if group:
            name = _in_hand if where == "hand" else _name
            names = format_list([*map(name, group)], style="commas")
            yield _(words).format(dice=names)


_PLACES = {
    "hand": N_("in hand: {dice}"),
    "off": N_("off the board: {dice}"),
    "out": N_("out of play: {dice}"),
}
"""Labels for dice that are not on the board."""


def _name(die: Die) -> str:
    return spoken(die.name)


def _in_hand(die: Die) -> str:
    return f"{_name(die)} {die.number}" if die.number != OPEN_VALUE else _name(die)


def _path(way: Course) -> str:
    """Return a path on the board, e.g. `101` or `105, warps to 81`."""
    if not way.warps:
        return str(way.lands)
    if way.end == CENTRE:
        words = ngettext(
            "{space}, warps off the board",
            "{space}, warps {count} times off the board",
            len(way.warps),
        )
    else:
        words = ngettext(
            "{space}, warps to {end}", "{space}, warps {count} times to {end}", len(way.warps)
        )
    return words.format(space=way.lands, end=way.end, count=len(way.warps))


# Prompts


def aim(view: Warp6View) -> str:
    """Return the aim: the number of dice that have to leave the board."""
    words = _("Aim: be the first with {target} dice through the wormhole at the centre.")
    return words.format(target=view.target)


def prompt(view: Warp6View, names: Names) -> str:
    """Return the pending decision, or the result with the points of a series."""
    if not view.pending:
        winner, reason = view.result.split()
        if view.points and reason == "dice":
            return _won_by_dice(view, winner, names)
        ending = event_text(Event("ended", (winner, reason)), names)
        if not view.points:
            return f"{ending}{full_stop()}"
        totals = [f"{names[score.seat]} {score.points}" for score in view.points]
        points = format_list(totals, style="commas")
        words = _(
            "{ended}. Penalty points (rings from the wormhole for each die still needed; the "
            "fewest are best): {points}."
        )
        return words.format(ended=ending, points=points)
    if view.pending == CHANCE:
        die = drawn_die(view.focus, names) if view.focus else ""
        return _(_CHANCE[view.phase]).format(die=die)
    fields = {"names": player_list(view.pending, names), "space": view.free}
    return translated(_decision(view), {**fields, "count": view.most_changes})


def _won_by_dice(view: Warp6View, winner: str, names: Names) -> str:
    """Return each player's dice off the board, the winner's first, and those others needed.

    Their points count the rings of those dice, see X5.2.
    """
    off = dict(zip(view.seats, view.off, strict=True))
    others = [score for score in view.points if score.seat != winner]
    dice = "–".join(str(off[seat]) for seat in (winner, *(score.seat for score in others)))
    sentences = [_("{name} wins {dice}!").format(name=names[winner], dice=dice)]
    for score in others:
        lacked = view.target - off[score.seat]
        words = ngettext(
            "{name} needed {lacked} more die, {distance} from the wormhole.",
            "{name} needed {lacked} more dice, together {distance} from the wormhole.",
            lacked,
        )
        rings = ngettext("{count} ring", "{count} rings", score.points).format(count=score.points)
        fields = {"name": names[score.seat], "lacked": lacked, "distance": rings}
        sentences.append(words.format(**fields))
    return " ".join(sentences)


_CHANCE = {
    "roll": N_("The dice are rolling."),
    "lot": N_("A random draw decides who starts."),
    "reroll": N_("{die} is rolled again."),
}
"""The prompt for the chance event of each phase."""


def _decision(view: Warp6View) -> str:
    if view.phase == "set":
        return N_("{names}: set your dice in secret")
    if view.phase == "place":
        return N_("{names}: place a die on {space}")
    if view.changes >= view.most_changes:
        return NP_(
            "{names}: move a die (after {count} change in a row nothing else is allowed)",
            "{names}: move a die (after {count} changes in a row nothing else is allowed)",
        )
    return N_("{names}: move a die, or change its number by one")


def hand(view: Warp6View) -> str:
    """Return the dice a seat has set while others have not."""
    set_dice = [die for die in view.dice if die.seat == view.seat and die.number != OPEN_VALUE]
    if view.phase != "set" or not set_dice:
        return ""
    dice = format_list([f"{sign(die.name)} {die.number}" for die in set_dice])
    return _("You have set {dice}.").format(dice=dice)


def label(view: Warp6View, action: Action) -> str:
    """Return the name of an action with the end of the move, or of its beginning."""
    if not action.args:
        return _(_VERBS.get(action.verb, action.verb))
    return _LABELS[action.verb](view, action, sign(action.args[0][:3]))


def _move_label(view: Warp6View, action: Action, name: str) -> str:
    """Return the die, the end of its move, and its warps: `■A → 72, 1 warp, reroll`."""
    die = die_named(view, action.args[0])
    way = course(view, die)
    parts = [f"{name} → {_end(way)}"]
    if way.warps:
        number = len(way.warps)
        parts.append(ngettext("{number} warp", "{number} warps", number).format(number=number))
        parts += [_("reroll")] * (way.end != CENTRE)
    return format_list(parts, style="commas")


def _end(way: Course) -> str:
    return pgettext("off the board", "off") if way.end == CENTRE else str(way.end)


def short_label(view: Warp6View, action: Action) -> str:
    """Return the label of a die's button below the prompt, e.g. `◆A→72`, and `◆A⇊72` if it warps.

    A change has what it adds and the move that it leads to, e.g. `◆A +1 (⇊19)`, a die to place its
    number, e.g. `◆A 5`.
    """
    if action.verb == "set":
        return label(view, action)
    die = die_named(view, action.args[0])
    name = sign(die.name)
    if action.verb == "move":
        return f"{name}{_goes(view, die)}"
    if action.verb == "place":
        return f"{name} {die.number}"
    return f"{name} {CHANGES[action.verb]} ({_goes(view, changed_die(view, action))})"


def _goes(view: Warp6View, die: Die) -> str:
    """Return the end of a die's move, e.g. `→72`, and `⇊72` if it warps."""
    way = course(view, die)
    return f"{WARPS if way.warps else '→'}{_end(way)}"


def changed_die(view: Warp6View, change: Action) -> Die:
    """Return a die as it is after a change of its number."""
    die = die_named(view, change.args[0])
    return die._replace(number=str(new_number(view, change)))


def new_number(view: Warp6View, action: Action) -> int:
    """Return the number that a die shows after a change."""
    return int(die_named(view, action.args[0]).number) + (1 if action.verb == "up" else -1)


WARPS = "⇊"
"""A move with warps at its end, after which the die is rolled again."""

CHANGES = {"up": "+1", "down": "−1"}
"""Verbs that change a number, and what they add."""


def _raise_label(view: Warp6View, action: Action, name: str) -> str:
    return _changed(view, action, name, _("Raise {die} to {number}, on {space}"))


def _lower_label(view: Warp6View, action: Action, name: str) -> str:
    return _changed(view, action, name, _("Lower {die} to {number}, on {space}"))


def _changed(view: Warp6View, action: Action, name: str, words: str) -> str:
    die = die_named(view, action.args[0])
    return words.format(die=name, number=new_number(view, action), space=die.space)


def _place_label(view: Warp6View, action: Action, name: str) -> str:
    die = die_named(view, action.args[0])
    words = _("Place {die}, showing {number}")
    return words.format(die=name, number=die.number)


def drawn_label(view: Warp6View, action: Action) -> str:
    """Return the name of an action that is drawn on the picture beside it."""
    if action.verb != "place" or not action.args:
        return label(view, action)
    die = sign(action.args[0][:3])
    return _("{die} on {space}").format(die=die, space=view.free)


def _set_label(_view: Warp6View, action: Action, _name: str) -> str:
    if any(arg.endswith(OPEN_VALUE) for arg in action.args):
        return _("Set your dice")
    dice = format_list([f"{sign(arg[:-1])} {arg[-1]}" for arg in action.args], style="commas")
    return _("Set: {dice}").format(dice=dice)


_VERBS = {
    "up": N_("Raise …"),
    "down": N_("Lower …"),
    EITHER.join(CHANGES): N_("Change a number …"),
}
"""Names of the verbs that change a number; their buttons lead to the dice."""

_LABELS: dict[str, Callable[[Warp6View, Action, str], str]] = {
    "set": _set_label,
    "place": _place_label,
    "move": _move_label,
    "up": _raise_label,
    "down": _lower_label,
}
