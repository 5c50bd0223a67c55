"""Private boards: what they offer fits into a message."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.services.models import COMPUTER_USER_ID, Match, MatchStatus, Perspective, Player
from bot.views import private_boards
from bot.views.choices import panel
from bot.views.images import Drawn
from engine import games
from engine.dice import commitment
from engine.game import View
from engine.record import play
from render.renderer import DEFAULT_STYLE
from tests.support.limits import check_limits
from tests.support.tiers import sampled


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
            perspective = Perspective(against_the_computer(seat), seat, view)
            for path in every_path(view):
                drawn = Drawn(b"PNG", DEFAULT_STYLE)
                check_limits(private_boards.board(perspective, drawn, "Ada" * 10, path))


def against_the_computer(seat: str) -> Match:
    computer = Player(COMPUTER_USER_ID, "Cadet (bot)", "cadet")
    return Match(
        id=987_654_321,
        game="wormholes",
        rules="0.6",
        options={},
        status=MatchStatus.RUNNING,
        version=123_456,
        decisions={seat: 123_456},
        guild_id=1,
        channel_id=1,
        challenger_id=1,
        players={"O": computer, "D": computer} | {seat: Player(1, "Ada")},
        unaccepted="",
        commitment=commitment(bytes(32)),
        expires_at=2e9,
    )


def every_path(view: View, path: str = "") -> Iterator[str]:
    """All ways to fewer choices."""
    yield path
    shown = panel(view, path, shortcuts=True)
    found = [each.path for row in (*shown.rows, *shown.areas) for each in row.choices if each.path]
    for each in dict.fromkeys(found):
        if len(each.split("/")) > len(path.split("/")):
            yield from every_path(view, each)
