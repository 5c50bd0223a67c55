"""A player's choices as buttons, made from a view's legal actions alone.

Each button carries the notation that can also be typed (`engine.notation`), or a *path* to fewer
choices: the words chosen so far, then names of groups, joined by slashes (`place S3/5-7`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile, zip_longest
from typing import NamedTuple

from engine import games
from engine.game import OPEN_VALUE, Action, View
from engine.notation import SEPARATOR
from render import for_game
from render.i18n import _
from render.renderer import (
    BUTTONS_PER_ROW,
    DEFAULT_STYLE,
    EITHER,
    NUMBERS_PER_ROW,
    Button,
    Group,
    Row,
    Style,
)

BUTTON_LIMIT = 18
"""Maximum number of choices of one kind that are shown as buttons; more become lists."""

FREE_COMPONENTS = 31
"""Components of a usual message that are free for choices."""

MENU_COMPONENTS = 2
"""Components of a list: itself, and its row."""

SIGN_LENGTH = 2
"""Maximum length of a label that is a sign on the picture; five of them fit in a row."""

MENU_LIMIT = 25
"""Maximum number of entries of a list, by Discord."""


class ChoiceButton(NamedTuple):
    """A button: an action, the way to fewer choices, or a disabled placeholder.

    Attributes:
        line: notation of the action; empty for fewer choices or a placeholder.
        path: path to fewer choices; empty for an action or a placeholder.
        emoji: name of the button's emoji; empty if it has none.
    """

    label: str
    line: str = ""
    path: str = ""
    emoji: str = ""


class ChoiceRow(NamedTuple):
    """A row of buttons; the heading may be empty, or have an emoji. Minor ones are grey."""

    heading: str
    choices: tuple[ChoiceButton, ...]
    emoji: str = ""
    is_minor: bool = False


class Menu(NamedTuple):
    """A list to choose from: values, usually lines of notation, with their labels."""

    title: str
    entries: tuple[tuple[str, str], ...]


class Panel(NamedTuple):
    """All choices, and whether they are public.

    Attributes:
        areas: rows of buttons to the areas other than the chosen one.
        area_note: what their labels mean; may be empty.
        forms: forms to fill in.
        back: the path to the choices before the last step; None if there are none.
        open: whether all may use it: it contains nothing secret, and none of the choices that
            each player sees with shortcuts on a picture.
    """

    rows: tuple[ChoiceRow, ...]
    menus: tuple[Menu, ...]
    areas: tuple[ChoiceRow, ...]
    area_note: str
    forms: tuple[Action, ...]
    back: str | None
    open: bool


class Blanks(NamedTuple):
    """Neighbouring open arguments of a form that can have the same values.

    Attributes:
        places: positions of the arguments.
        values: the possible values of each argument.
        given: the present or typed values of the arguments.
    """

    places: tuple[int, ...]
    values: tuple[str, ...]
    given: tuple[str, ...] = ()

    @property
    def is_filled(self) -> bool:
        """Whether each argument has one of its values."""
        return len(self.given) == len(self.places) and {*self.given} <= {*self.values}


def open_arguments(game: str, form: Action, line: str) -> list[Blanks]:
    """Return the open arguments of a form with the values that a line gives them.

    Raises:
        ValueError: the line is not this form, or has other values.
    """
    verb, *args = line.split()
    if verb != form.verb:
        raise ValueError(f"{line} is not {form}")
    names = [blank.removesuffix(OPEN_VALUE) for blank in form.args]
    values = [arg.removeprefix(name) for name, arg in zip(names, args, strict=True)]
    blanks = [
        part._replace(given=tuple(values[place] for place in part.places))
        for part in _blanks(game, form)
    ]
    if fill_form(form, blanks) != line:
        raise ValueError(f"{line} has values that {form} can't have")
    return blanks


def _blanks(game: str, form: Action) -> list[Blanks]:
    """Return the open arguments of a form, without values.

    Raises:
        ValueError: another argument is not open.
    """
    blanks: list[Blanks] = []
    for place, blank in enumerate(form.args):
        if not blank.endswith(OPEN_VALUE):
            raise ValueError(f"{blank} is not open")
        values = games.get(game).values(form, place)
        before = blanks.pop() if blanks and blanks[-1].values == values else Blanks((), values)
        blanks.append(before._replace(places=(*before.places, place)))
    return blanks


def typed_blanks(game: str, form: Action, texts: Mapping[str, str]) -> list[Blanks]:
    """Return the open arguments of a form with the values typed for them.

    Args:
        texts: number of the part → values, separated by spaces or commas.
    """
    return [
        part._replace(given=tuple(re.findall(r"[^\s,;]+", texts.get(f"{number}", ""))))
        for number, part in enumerate(_blanks(game, form))
    ]


def fill_form(form: Action, blanks: Sequence[Blanks]) -> str:
    """Return a form with its values as a line; for any other value, the last possible one."""
    values = {
        place: value if value in part.values else part.values[-1]
        for part in blanks
        for place, value in zip_longest(part.places, part.given[: len(part.places)])
    }
    args = [blank.removesuffix(OPEN_VALUE) + values[n] for n, blank in enumerate(form.args)]
    return " ".join((form.verb, *args))


def narrow_view(view: View, path: str) -> View:
    """Return a view with only the legal actions that a path leads to.

    Raises:
        ValueError: the path leads nowhere.
    """
    line, *names = path.rstrip("/").split("/")
    verb, *args = line.split() or [""]
    verbs = verb.split(EITHER)
    actions = tuple(
        action
        for action in view.legal
        if (not verb or action.verb in verbs) and [*action.args[: len(args)]] == args
    )
    for name in names:
        groups = for_game(view.game).groups(view, actions)
        actions = next((group.actions for group in groups if group.name == name), ())
    if not actions:
        raise ValueError(f"{path} leads nowhere")
    return replace(view, legal=actions)


def leads_somewhere(view: View, path: str) -> bool:
    """Return whether a path leads to any legal action."""
    try:
        narrow_view(view, path)
    except ValueError:
        return False
    return True


def enter_nearest_area(view: View, path: str = "", among: Collection[Action] = ()) -> str:
    """Return a path with the nearest area added, if only choices in several areas are left.

    Args:
        among: actions; an area with any of them comes before the others.
    """
    actions = narrow_view(view, path).legal
    if "/" in path or len({action.verb for action in actions}) > 1:
        return path
    groups = for_game(view.game).groups(view, actions)
    if not groups:
        return path
    nearest = min(groups, key=lambda group: (not _has_any(group, among), group.distance))
    return f"{path or actions[0].verb}/{nearest.name}"


def _has_any(group: Group, actions: Collection[Action]) -> bool:
    return any(action in actions for action in group.actions)


def initial_path(view: View, path: str, among: Collection[Action] = ()) -> str:
    """Return a path as `enter_nearest_area` does; to all choices if each verb has shortcuts."""
    if {action.verb for action in view.legal} <= for_game(view.game).shortcut_verbs:
        return path
    return enter_nearest_area(view, path, among)


def next_path_in_area(view: View, action: Action, after: View) -> str:
    """Return the path to a player's next choice in the area of the last; empty if there is none.

    Args:
        view: before the action.
        after: the view after it.
    """
    alternatives = [other for other in view.legal if other.verb == action.verb]
    groups = for_game(view.game).groups(view, alternatives)
    path = next((f"{action.verb}/{group.name}" for group in groups if action in group.actions), "")
    return path if leads_somewhere(after, path) else ""


def path_to(actions: Sequence[Action]) -> str:
    """Return the path of the words that all these actions begin with.

    It ends before an open value, and before a word with a slash, which would separate groups.
    """
    columns = zip(*(action.notation.split() for action in actions), strict=False)
    common = takewhile(lambda column: len(set(column)) == 1, columns)
    words = (column[0] for column in common)
    return " ".join(takewhile(lambda w: not w.endswith(OPEN_VALUE) and "/" not in w, words))


def panel(
    view: View,
    path: str = "",
    style: Style = DEFAULT_STYLE,
    *,
    shortcuts: Sequence[Row] | None = None,
    room: int = FREE_COMPONENTS,
) -> Panel:
    """Return the choices of the seat of a view.

    Args:
        view: the view, with all legal actions of its seat.
        path: the path to the choices to show, empty for all.
        shortcuts: see `bot.views.shortcuts`; None to show all choices without them.
        room: the number of components that fit; buttons that exceed it become lists.

    Raises:
        ValueError: the path leads nowhere.
    """
    renderer, legal = for_game(view.game), narrow_view(view, path).legal if path else view.legal
    forms = tuple(action for action in legal if action.is_form)
    kinds: dict[str, list[Action]] = {}
    for action in legal:
        if action not in forms:
            kinds.setdefault(action.verb, []).append(action)
    groups = {verb: renderer.groups(view, actions, style) for verb, actions in kinds.items()}
    has_shortcuts = shortcuts is not None and kinds.keys() <= renderer.shortcut_verbs
    ungrouped = {} if shortcuts else {v: kind for v, kind in kinds.items() if not groups[v]}
    starts = {verb: _starts(actions) for verb, actions in ungrouped.items()}
    few = [a for actions in starts.values() if len(actions) <= BUTTON_LIMIT for a in actions]
    many = [actions for actions in starts.values() if len(actions) > BUTTON_LIMIT]
    lines = {action.notation for action in legal}
    others = renderer.rows(view, few, style) if few else ()
    if _size(others) + _size(_areas(view, path, style)) > room:
        many, others = [*many, few], ()
    rows = [_choice_row(row, lines, path) for row in shortcuts or others]
    area_note = _(renderer.area_note) if renderer.area_note else ""
    question = " ".join(filter(None, (_("Which area?"), area_note)))
    further = _group_rows(groups, path, question, is_minor=bool(shortcuts))
    menus = [menu for actions in many for menu in _menus(view, actions)]
    if shortcuts:
        rows, lists = _beside(further, rows, room)
        menus += lists
    rows += further
    secret = {verb.name for verb in games.get(view.game).verbs if verb.secret}
    is_private = secret & starts.keys() or renderer.shortcut_verbs & kinds.keys()
    return Panel(
        rows=tuple(rows),
        menus=tuple(menus),
        areas=() if shortcuts else _areas(view, path, style),
        area_note=area_note,
        forms=forms,
        back=_back(path, "" if has_shortcuts else enter_nearest_area(view)),
        open=not (forms or is_private),
    )


def _group_rows(
    groups: Mapping[str, Sequence[Group]], path: str, question: str, *, is_minor: bool
) -> list[ChoiceRow]:
    """Return buttons to groups of actions, by their verbs."""
    heading = "" if is_minor or "/" in path.rstrip("/") else question
    rows: list[ChoiceRow] = []
    for verb, verb_groups in groups.items():
        parts = [_part(group, path or verb) for group in verb_groups]
        rows += _rows(parts, heading, is_minor=is_minor)
    return rows


def _choice_row(row: Row, lines: Collection[str], path: str) -> ChoiceRow:
    choices = tuple(_choice(button, lines, path) for button in row.buttons)
    return ChoiceRow(row.heading, choices, row.emoji, row.is_minor)


def _beside(
    further: Sequence[ChoiceRow], rows: Sequence[ChoiceRow], room: int
) -> tuple[list[ChoiceRow], list[Menu]]:
    """Return the rows that have room beside further ones; without these, lists of all others."""
    fitting, late = _fitting(rows, room - _size(further))
    if not late or further:
        return fitting, []
    fitting, late = _fitting(rows, room - MENU_COMPONENTS)
    entries = [(choice.line, choice.label) for row in late for choice in row.choices]
    return fitting, [*_menus_of(entries)]


def _fitting(rows: Sequence[ChoiceRow], room: int) -> tuple[list[ChoiceRow], Sequence[ChoiceRow]]:
    """Return the first rows, as many as have room, and the others."""
    count = next((n for n in range(len(rows)) if _size(rows[: n + 1]) > room), len(rows))
    return [*rows[:count]], rows[count:]


def _size(rows: Sequence[Row | ChoiceRow]) -> int:
    """Return the number of components in rows of buttons with their headings."""
    lines = [row.choices if isinstance(row, ChoiceRow) else row.buttons for row in rows]
    return sum(1 + len(line) for line in lines if line) + sum(bool(row.heading) for row in rows)


def _starts(actions: Sequence[Action]) -> list[Action]:
    """Return these actions of one verb; if there are many, only up to the argument that differs."""
    if len(actions) <= BUTTON_LIMIT:
        return list(actions)
    words = len(path_to(actions).split())
    return list(dict.fromkeys(a._replace(args=a.args[:words]) for a in actions))


def _choice(button: Button, lines: Collection[str], path: str) -> ChoiceButton:
    """Return a renderer's button, which leads to fewer choices if its action is incomplete."""
    if button.action is None:
        return ChoiceButton(button.label)
    line = button.action.notation
    if line in lines:
        turn_line = f"{SEPARATOR} ".join((line, *(action.notation for action in button.more)))
        return ChoiceButton(button.label, line=turn_line, emoji=button.emoji)
    names = path.partition("/")[1:]
    return ChoiceButton(button.label, path="".join((line, *names)), emoji=button.emoji)


def _part(group: Group, path: str) -> ChoiceButton:
    return ChoiceButton(group.label, path=f"{path.rstrip('/')}/{group.name}")


def _rows(
    choices: Sequence[ChoiceButton], heading: str = "", *, is_minor: bool = False
) -> list[ChoiceRow]:
    is_short = all(len(choice.label) <= SIGN_LENGTH for choice in choices)
    most = NUMBERS_PER_ROW if is_short and is_minor else BUTTONS_PER_ROW
    starts = range(0, len(choices), most)
    return [
        ChoiceRow(
            "" if start else heading,
            tuple(choices[start : start + most]),
            is_minor=is_minor,
        )
        for start in starts
    ]


def _areas(view: View, path: str, style: Style) -> tuple[ChoiceRow, ...]:
    """Return the areas beside the one where a path ends."""
    words, *names = path.rstrip("/").split("/")
    if len(names) != 1:
        return ()
    groups = for_game(view.game).groups(view, narrow_view(view, words).legal, style)
    others = [_part(group, words) for group in groups if group.name != names[0]]
    return tuple(_rows(others))


def _back(path: str, first: str) -> str | None:
    """Return the path before its last step; None at the first path."""
    words, *names = path.split("/")
    before = words.rpartition(" ")[0]
    if path in ("", first):
        return None
    if path.endswith("/"):
        return "/".join((words, *names[:-1])) if names[1:] else ""
    if len(names) > 1:
        return "/".join((words, *names[:-1]))
    return "/".join((before, *names)) if before else ""


def _menus(view: View, starts: Sequence[Action]) -> Iterator[Menu]:
    """Yield lists of actions, or of their beginnings."""
    label = for_game(view.game).label
    yield from _menus_of([(action.notation, label(view, action)) for action in starts])


def _menus_of(entries: Sequence[tuple[str, str]]) -> Iterator[Menu]:
    """Yield lists of values with their labels."""
    for start in range(0, len(entries), MENU_LIMIT):
        page = tuple(entries[start : start + MENU_LIMIT])
        yield Menu(f"{page[0][1]} … {page[-1][1]}", page)
