"""A player's choices as buttons and lists, made from a view's legal actions alone.

Each button and each entry carries the notation that can also be typed (`engine.notation`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import games
from engine.game import OPEN_VALUE, Action, View
from render import for_game
from render.renderer import DEFAULT_STYLE, Group, Row, Style

BUTTON_LIMIT = 20
"""Maximum number of actions of one kind that are shown as buttons; more become lists."""

MENU_LIMIT = 25
"""Maximum number of entries of a list, by Discord."""


class Menu(NamedTuple):
    """A list to choose from: lines of notation, complete or not, or paths, with their labels."""

    title: str
    entries: tuple[tuple[str, str], ...]


class Part(NamedTuple):
    """A button that narrows the choices: the path of names that leads there, and its label."""

    path: str
    label: str


class Panel(NamedTuple):
    """All choices, and whether they are public.

    Attributes:
        rows: of buttons that are actions.
        menus: lists of actions.
        parts: buttons that narrow the choices.
        branches: lists of parts, one for each part that is divided again.
        forms: to fill in.
        open: whether nothing in it is secret.
    """

    rows: tuple[Row, ...]
    menus: tuple[Menu, ...]
    parts: tuple[Part, ...]
    branches: tuple[Menu, ...]
    forms: tuple[Action, ...]
    open: bool


def with_value(game: str, form: Action, line: str, place: int, value: str) -> str:
    """Return a filled-in form with another value for one of its open arguments.

    Args:
        game: whose form.
        form: as it is in the legal list.
        line: the form, filled in so far.
        place: which argument.
        value: for this one.

    Raises:
        IndexError: there is no such argument.
        ValueError: the line is not this form, or the value cannot be given.
    """
    verb, *args = line.split()
    args[place] = form.args[place].replace(OPEN_VALUE, value)
    for number, (blank, given) in enumerate(zip(form.args, args, strict=True)):
        values = games.get(game).values(form, number) if blank.endswith(OPEN_VALUE) else ("",)
        if given not in [blank.removesuffix(OPEN_VALUE) + each for each in values]:
            raise ValueError(f"{given} is no value of {blank}")
    return " ".join((verb, *args))


def narrowed(view: View, path: str) -> tuple[Action, ...]:
    """Return the actions to which a path leads: a verb and names of groups, joined by slashes.

    Raises:
        ValueError: it leads nowhere.
    """
    verb, *names = path.split("/")
    actions = tuple(action for action in view.legal if action.verb == verb)
    for name in names:
        groups = for_game(view.game).groups(view, actions)
        actions = next((group.actions for group in groups if group.name == name), ())
    if not actions:
        raise ValueError(f"{path} leads nowhere")
    return actions


def panel(view: View, typed: str = "", style: Style = DEFAULT_STYLE, path: str = "") -> Panel:
    """Return the choices of the view's own seat.

    Args:
        view: of that seat.
        typed: the part of a line that is chosen already.
        style: of the picture beside it.
        path: the path to the view's legal actions, if they are not all.
    """
    words = typed.split()
    forms = tuple(each for each in view.legal if each.is_form)
    actions = [
        each
        for each in view.legal
        if each not in forms and [each.verb, *each.args][: len(words)] == words
    ]
    secret = {verb.name for verb in games.get(view.game).verbs if verb.secret}
    renderer = for_game(view.game)
    kinds: dict[str, list[Action]] = {}
    for action in actions:
        kinds.setdefault(action.verb, []).append(action)
    parts = {verb: renderer.groups(view, same) for verb, same in kinds.items()}
    whole = {verb: same for verb, same in kinds.items() if not parts[verb]}
    few = [a for same in whole.values() if len(same) <= BUTTON_LIMIT for a in same]
    many = [same for same in whole.values() if len(same) > BUTTON_LIMIT]
    menus = tuple(menu for same in many for menu in _menus(view, same))
    found = [
        _parted(view, group, path or verb) for verb, groups in parts.items() for group in groups
    ]
    lines = {action.notation for action in actions}
    final = all(line in lines for menu in menus for line, _ in menu.entries)
    return Panel(
        rows=renderer.rows(view, few, style) if few else (),
        menus=menus,
        parts=tuple(part for part, inner in found if not inner),
        branches=tuple(Menu(part.label, inner) for part, inner in found if inner),
        forms=forms,
        open=final and not forms and not any(parts.values()) and not secret & kinds.keys(),
    )


def _parted(view: View, group: Group, path: str) -> tuple[Part, tuple[tuple[str, str], ...]]:
    """Return a group as a part, with the paths and labels of its groups if a list can hold them."""
    path = f"{path}/{group.name}"
    inner = for_game(view.game).groups(view, group.actions)
    entries = tuple((f"{path}/{each.name}", each.label) for each in inner)
    return Part(path, group.label), entries if len(entries) <= MENU_LIMIT else ()


def _menus(view: View, actions: Sequence[Action]) -> Iterator[Menu]:
    """Yield lists over the first argument in which these actions of one verb differ."""
    verb = actions[0].verb
    depth = next(i for i in range(9) if len({action.args[: i + 1] for action in actions}) > 1)
    starts = list(dict.fromkeys(action.args[: depth + 1] for action in actions))
    renderer = for_game(view.game)
    for start in range(0, len(starts), MENU_LIMIT):
        page = starts[start : start + MENU_LIMIT]
        entries = ((" ".join((verb, *args)), renderer.step(view, verb, args)) for args in page)
        yield Menu(renderer.question(view, verb, page), tuple(entries))
