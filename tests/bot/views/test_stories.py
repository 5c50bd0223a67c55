"""Stories of several turns: those of a set-up are told together."""

from __future__ import annotations

from dataclasses import replace

from bot.views.stories import SETUP_VIEWS, stories_of
from engine.game import Event
from engine.wormholes.view import WormholesView
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import GAME, position

STATE = position()
MATCH = match_of(STATE)


def placed(space: str, *, turn: int = 0) -> WormholesView:
    """A view whose story is that a coin was placed."""
    return replace(GAME.view(STATE), turn=turn, story=(Event("placed", ("S", space)),))


def test_few_decisions_of_a_set_up_are_told_one_by_one() -> None:
    views = [placed(space) for space in ("e6", "f5", "g4")[:SETUP_VIEWS]]
    assert stories_of(MATCH, views) == [
        "Ada placed a coin of the Suns on e6.",
        "Ada placed a coin of the Suns on f5.",
    ]


def test_many_decisions_of_a_set_up_are_told_in_one_sentence() -> None:
    views = [placed(space) for space in ("e6", "f5", "g4")]
    assert stories_of(MATCH, views) == ["Coins placed: Ada 3."]


def test_turns_after_a_set_up_keep_their_own_stories() -> None:
    views = [placed(space) for space in ("e6", "f5", "g4")]
    views += [placed("h3", turn=1), placed("i2", turn=2), placed("e9", turn=3)]
    assert stories_of(MATCH, views) == [
        "All coins are on the board.",
        "Ada placed a coin of the Suns on i2.",
        "Ada placed a coin of the Suns on e9.",
    ]


def test_last_decision_of_a_set_up_belongs_to_it() -> None:
    views = [placed("e6"), placed("f5"), placed("h3", turn=1)]
    assert stories_of(MATCH, views) == ["All coins are on the board."]
    assert stories_of(MATCH, views[2:]) == ["Ada placed a coin of the Suns on h3."]


def test_no_views_have_no_stories() -> None:
    assert stories_of(MATCH, []) == []
