"""All that a renderer says and draws for a reader; only its methods are known here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.testing.matches import Played


def words_of(renderer: Any, match: Played, reader: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Return place → a renderer's text about a view.

    Args:
        renderer: a `render.renderer.Renderer`.
        match: the match.
        reader: a seat, or the public.
        names: seat → name of its player.
    """
    view = match.game.view(match.state, reader)
    return {
        "story": renderer.story(view, names),
        "prompt": renderer.prompt(view, names),
        "text board": renderer.text_board(view, names),
        "alt text": renderer.alt_text(view, names),
        "hand": renderer.hand(view),
        "label": [renderer.label(view, action) for action in view.legal],
        "overlay": renderer.overlays(view),
    }


def picture_of(
    renderer: Any, match: Played, reader: str, names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the picture of a view with its choices; see `words_of`."""
    view = match.game.view(match.state, reader)
    return {"picture": renderer.picture(view, names, actions=view.legal)}
