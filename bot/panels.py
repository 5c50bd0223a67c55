"""What a player can choose from, as buttons and lists: made from a view's legal actions alone.

The same words that can be typed (`engine.typed`) stand behind each button and each entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import games
from engine.game import Action, View
from render import for_game
from render.renderer import Row

FEW = 20
"""So many actions of one kind are shown as buttons, more as lists."""

PAGE = 25
"""Entries of one list; Discord shows no more."""


class Menu(NamedTuple):
    """A list to choose from: lines of notation, complete or not, with their words."""

    title: str
    entries: tuple[tuple[str, str], ...]


class Panel(NamedTuple):
    """All that can be chosen: buttons, lists, and whether it may be shown to everybody."""

    rows: tuple[Row, ...]
    menus: tuple[Menu, ...]
    open: bool


def line_of(action: Action) -> str:
    """An action as its player types it."""
    return " ".join((action.verb, *action.args))


def panel(view: View, typed: str = "") -> Panel:
    """What the view's own seat can choose.

    Args:
        view: of that seat.
        typed: the beginning of a line that is chosen already.
    """
    words = typed.split()
    actions = [each for each in view.legal if [each.verb, *each.args][: len(words)] == words]
    secret = {verb.name for verb in games.get(view.game).verbs if verb.secret}
    renderer = for_game(view.game)
    kinds: dict[str, list[Action]] = {}
    for action in actions:
        kinds.setdefault(action.verb, []).append(action)
    few = [a for verb, same in kinds.items() if len(same) <= FEW for a in same]
    many = [same for same in kinds.values() if len(same) > FEW]
    menus = tuple(menu for same in many for menu in _menus(view, same))
    lines = {line_of(action) for action in actions}
    final = all(line in lines for menu in menus for line, _ in menu.entries)
    is_open = final and not secret & kinds.keys()
    return Panel(renderer.rows(view, few) if few else (), menus, is_open)


def _menus(view: View, actions: Sequence[Action]) -> Iterator[Menu]:
    """Lists over the first argument in which these actions of one verb differ."""
    verb = actions[0].verb
    depth = next(i for i in range(9) if len({action.args[: i + 1] for action in actions}) > 1)
    starts = list(dict.fromkeys(action.args[: depth + 1] for action in actions))
    step = for_game(view.game).step
    entries = [(" ".join((verb, *args)), step(view, verb, args)) for args in starts]
    for start in range(0, len(entries), PAGE):
        page = tuple(entries[start : start + PAGE])
        title = page[0][1] if len(page) == 1 else f"{page[0][1]} … {page[-1][1]}"
        yield Menu(title, page)
