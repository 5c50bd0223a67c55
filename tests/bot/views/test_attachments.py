"""The alt text of a picture: made once a message, and the same in its file and its gallery."""

from __future__ import annotations

from collections.abc import Callable

import discord
import pytest

from bot.domain.models import Perspective
from bot.views import private_boards, public_boards
from bot.views.attachments import alt_text
from bot.views.images import Drawn
from bot.views.message import Message
from bot.views.public_boards import BoardState
from render import for_game
from render.renderer import MAX_ALT_CHARACTERS, Style
from tests.support.limits import components
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import GAME, position

MEDIA_GALLERY = discord.ComponentType.media_gallery.value
RENDERER = for_game("wormholes")
STATE = position(dice="S3 M2")


def perspective(seat: str = "") -> Perspective:
    return Perspective(match_of(STATE, None), seat, GAME.view(STATE, seat))


def public() -> Message:
    drawn = Drawn(b"", Style())
    legal = {seat: perspective(seat).view for seat in GAME.pending(STATE)}
    return public_boards.board(perspective(), drawn, legal, 3, BoardState(live=True))


def former() -> Message:
    return public_boards.former_board(perspective(), 3)


def private() -> Message:
    seat = GAME.pending(STATE)[0]
    view = perspective(seat).view
    return private_boards.board(perspective(seat), Drawn(b"", Style(), ghosts=view.legal[:1]))


def overlay() -> Message:
    return private_boards.overlay(perspective(), Drawn(b"", Style()), "")


@pytest.mark.parametrize("make", [public, former, private, overlay])
def test_alt_text_is_made_once_a_message(
    make: Callable[[], Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str] = []
    alt = RENDERER.alt_text

    def count(*arguments: object) -> str:
        texts.append(alt(*arguments))  # type: ignore[arg-type]
        return texts[-1]

    monkeypatch.setattr(type(RENDERER), "alt_text", staticmethod(count))
    message = make()
    assert len(texts) == 1
    (container,) = components(message)
    parts = container["components"]
    (gallery,) = (part for part in parts if part["type"] == MEDIA_GALLERY)
    (item,) = gallery["items"]
    assert item["description"].endswith(texts[0])
    assert item["media"]["url"] == "attachment://board.png"
    for file in message.files:
        assert (file.filename, file.description) == ("board.png", item["description"])


def test_alt_text_begins_with_what_is_drawn_on_the_board() -> None:
    seat = GAME.pending(STATE)[0]
    where = perspective(seat)
    action = where.view.legal[0]
    label = RENDERER.label(where.view, action)
    board = alt_text(where)
    assert alt_text(where, ghosts=[action]) == f"{label}\n{board}"
    assert alt_text(where, ghosts=[action] * 2) == f"1: {label}\n2: {label}\n{board}"
    assert alt_text(where, plan="1. Go") == f"1. Go\n{board}"
    cut = alt_text(where, plan="w" * MAX_ALT_CHARACTERS)
    assert len(cut) == MAX_ALT_CHARACTERS
