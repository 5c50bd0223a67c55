"""Shortcuts to some of many choices: found where boards are drawn, since that can take 0.1 s."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bot.views.choices import narrow_view
from engine.game import Action, View
from render import for_game
from render.renderer import DEFAULT_STYLE, Button, Row, Shortcuts, Style


def may_have_shortcuts(view: View) -> bool:
    """Return whether some of a seat's choices can have shortcuts; this takes no time."""
    verbs = for_game(view.game).shortcut_verbs
    return any(action.verb in verbs for action in view.legal)


def shortcuts_of(view: View, path: str = "", style: Style = DEFAULT_STYLE) -> Shortcuts:
    """Return the shortcuts beside the choices that a path leads to.

    Args:
        view: the view, with all legal actions of its seat.
        path: see `bot.views.choices`.

    Raises:
        ValueError: the path leads nowhere.
    """
    return for_game(view.game).shortcuts(view, _legal(view, path), style)


def quick_shortcuts_of(view: View, path: str = "", style: Style = DEFAULT_STYLE) -> Shortcuts:
    """Return shortcuts that take no time, if those of `shortcuts_of` are late."""
    return for_game(view.game).quick_shortcuts(view, _legal(view, path), style)


def _legal(view: View, path: str) -> Sequence[Action]:
    """Return the choices that a path leads to.

    Raises:
        ValueError: it leads nowhere.
    """
    return narrow_view(view, path).legal if path else view.legal


def encoded_shortcuts(view: View, path: str, style: Style) -> bytes:
    """Return `shortcuts_of` as another process sends it."""
    return json.dumps(shortcuts_of(view, path, style)).encode()


def decoded_shortcuts(data: bytes) -> Shortcuts:
    """Return the shortcuts that were encoded."""
    rows, ghosts = json.loads(data)
    return Shortcuts(
        tuple(
            Row(heading, tuple(_button(*fields) for fields in buttons), emoji, is_minor)
            for heading, buttons, emoji, is_minor in rows
        ),
        tuple(_action(*fields) for fields in ghosts),
    )


def _button(action: Any, label: str, emoji: str, more: list[Any]) -> Button:
    first = None if action is None else _action(*action)
    return Button(first, label, emoji, tuple(_action(*fields) for fields in more))


def _action(actor: str, verb: str, args: list[str]) -> Action:
    return Action(actor, verb, tuple(args))
