"""Private boards: what they offer fits into a message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from discord import ui

from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId, Version
from bot.domain.models import NO_DECISION, Perspective
from bot.views import controls, private_boards
from bot.views.choices import panel
from bot.views.custom_ids import ComeBackId, TypedId
from bot.views.images import Drawn
from bot.views.message import note
from bot.views.shortcuts import shortcuts_of
from engine import games
from engine.game import PUBLIC, View
from engine.record import play
from render.renderer import DEFAULT_STYLE
from tests.support.limits import check_limits, components
from tests.support.tiers import sampled
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import position

COMPUTER = computer_player()


def test_window_carries_the_decision_and_a_legal_example() -> None:
    state = position({"S": "f8"}, dice="S1 M-")
    game, match = games.get("wormholes"), match_of(state)
    match = replace(match, decisions={"O": Version(12)})
    for seat, decision in (("O", 12), ("D", 0)):
        perspective = Perspective(match, seat, game.view(state, seat))
        window = private_boards.window(perspective, DEFAULT_STYLE)
        assert window.custom_id == f"typed:{match.id}:{decision}"
        (label,) = window.children
        placeholder = label.component.placeholder  # type: ignore[attr-defined]
        assert placeholder == (None if seat == "D" else "Suns f9")


@pytest.mark.parametrize("replaced", ["", "O", "D"])
@pytest.mark.parametrize("on_turn", ["O", "D"])
@pytest.mark.parametrize("reader", ["O", "D", PUBLIC])
def test_only_a_replaced_player_can_come_back(reader: str, on_turn: str, replaced: str) -> None:
    """The computer plays for one of two players, on the turn of either."""
    state = position({"S": "f8"}, dice="S1 M-")
    game, match = games.get("wormholes"), match_of(state)
    players = {
        seat: player._replace(level="cadet") if seat == replaced else player
        for seat, player in match.players.items()
    }
    match = replace(match, players=players, decisions={on_turn: Version(12)})
    view = replace(game.view(state, reader), legal=())
    message = private_boards.board(Perspective(match, reader, view), Drawn(b"", DEFAULT_STYLE))
    check_limits(message)
    is_offered = str(ComeBackId(match.id)) in str(components(message))
    assert is_offered == (bool(reader) and reader == replaced)


def test_message_with_two_equal_buttons_is_noticed() -> None:
    """The tests check each message that they build, because Discord refuses such a one."""
    button = controls.button("I'm back", ComeBackId(MatchId(1)))
    assert note("", ui.ActionRow(button))
    with pytest.raises(AssertionError, match="back:1"):
        note(
            "", ui.ActionRow(button), ui.ActionRow(controls.button("Again", ComeBackId(MatchId(1))))
        )


@pytest.mark.slow
@sampled(4, 12, 60)
def test_last_coins_of_all_areas_fit(samples: int) -> None:
    """Few coins and many spaces in rows of their own have the most components."""
    game = games.get("wormholes")
    for number in range(10 * samples):
        random = Random(f"coins {number // 10}")
        state, _ = play(
            game,
            game.start("0.6", {}),
            random.choice,
            lambda _: random.randrange,  # noqa: B023 - called here
            16 + number % 10,
        )
        for seat in game.pending(state):
            if seat == "*":
                continue
            view = game.view(state, seat)
            match = match_of(state)
            computer = {player: COMPUTER for player in match.players if player != seat}
            match = replace(match, players={**match.players, **computer})
            perspective = Perspective(match, seat, view)
            for path in every_path(view):
                drawn = Drawn(b"PNG", DEFAULT_STYLE)
                check_limits(private_boards.board(perspective, drawn, "Ada" * 10, path))


def test_window_carries_the_decision_of_its_player_only() -> None:
    game = games.get("wormholes")
    state = game.start("0.6", {})
    match = replace(match_of(state), decisions={"O": Version(7)})
    for seat, decision in (("O", 7), ("D", NO_DECISION)):
        window = private_boards.window(
            Perspective(match, seat, game.view(state, seat)), DEFAULT_STYLE
        )
        assert window.custom_id == str(TypedId(match.id, Version(decision)))


def every_path(view: View, path: str = "") -> Iterator[str]:
    """All ways to fewer choices."""
    yield path
    controls = panel(view, path, shortcuts=shortcuts_of(view, path).rows)
    child_paths = [
        choice.path
        for row in (*controls.rows, *controls.areas)
        for choice in row.choices
        if choice.path
    ]
    for child in dict.fromkeys(child_paths):
        if len(child.split("/")) > len(path.split("/")):
            yield from every_path(view, child)
