"""Check that a game hides its secrets in messages; see `engine.testing.secrecy`."""

from __future__ import annotations

import re
from typing import Any

import render
from engine.game import CHANCE, PUBLIC
from engine.testing import secrecy
from engine.testing.drawn import words_of
from engine.testing.matches import Played
from render.renderer import Style
from tests.support.boards import content, messages, names_of
from tests.support.harness import walk


def facts(match: Played, reader: str, drawn: bool = False) -> dict[str, Any]:
    """Return everything that a seat, or the public, can know of a match in progress, by place.

    Args:
        drawn: whether to draw pictures and to make messages.
    """
    by_rules = secrecy.facts(match, reader) | words_of(
        render.for_game(match.game.name), match, reader, names_of(match.seats)
    )
    return by_rules | (_drawn(match, reader) if drawn else {})


def leaks(name: str, samples: int) -> dict[str, str]:
    """Find leaks in a game and in the bot's messages about it; see `engine.testing.secrecy`."""
    return secrecy.leaks(name, samples, facts, _verbs_offered_to_all)


def _verbs_offered_to_all(match: Played) -> list[str]:
    """Return the secret verbs whose arguments the public board offers."""
    if match.is_over or match.game.pending(match.state) == CHANCE:
        return []
    (board,) = messages(match, PUBLIC)
    components = str(content(board)[0])
    secret = [verb.name for verb in match.game.verbs if verb.secret]
    return [verb for verb in secret if re.search(rf"[:']{verb} ", components)]


def _drawn(match: Played, reader: str) -> dict[str, Any]:
    """Return the pictures and messages for a reader."""
    renderer, names = render.for_game(match.game.name), names_of(match.seats)
    view = match.game.view(match.state, reader)
    style = Style(own_side=bool(reader))
    contents = [content(message) for message in messages(match, reader)]
    parts = [part for components, *_ in contents for part in walk(components)]
    return {
        "picture": renderer.picture(view, names, style, view.legal),
        "animation": renderer.frame(view, names, style).tobytes(),
        "custom_id": [part["custom_id"] for part in parts if "custom_id" in part],
        "button": [part["label"] for part in parts if "label" in part],
        "message": contents,
    }
