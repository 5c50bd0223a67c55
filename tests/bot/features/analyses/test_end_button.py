"""The button *Analysis* at the end of a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.models import MatchStatus, Perspective
from bot.features.analyses.ids import AnalyseId
from bot.features.analyses.views import card_buttons, end_button
from engine.endings import ABANDONED
from engine.game import PUBLIC
from tests.support.harness import Stage, ids
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import GAME, after, position

STATE = after(position({"S": "e12"}, {"e13": "C1"}, "S1 M-", seen=1 << 12), "D resign")
MATCH, VIEW = match_of(STATE), GAME.view(STATE)


def test_match_with_a_result_is_analysed_by_a_computer() -> None:
    ended = Perspective(MATCH, PUBLIC, VIEW)
    button = end_button(ended, True)
    assert button
    assert (button.label, button.custom_id) == ("Analysis", str(AnalyseId(MATCH.id)))
    assert end_button(ended, False) is None


def test_card_of_a_finished_match_analyses_it_with_computers() -> None:
    finished = replace(MATCH, status=MatchStatus.FINISHED)
    (button,) = card_buttons(finished, "", True)
    assert button.custom_id == str(AnalyseId(MATCH.id))
    assert not card_buttons(finished, "", False)
    assert not card_buttons(replace(MATCH, status=MatchStatus.RUNNING), "", True)


def test_abandoned_match_is_not_analysed() -> None:
    abandoned = replace(VIEW, result=ABANDONED)
    assert end_button(Perspective(MATCH, PUBLIC, abandoned), True) is None


@pytest.mark.computers
class TestEnd:
    async def test_analysis_stands_after_the_rematch_and_the_replay(self, stage: Stage) -> None:
        match_id = await stage.begin(game="warp6")
        confirmation = await stage.ada.slash(stage.channel, "resign")
        await stage.click(stage.ada, confirmation.response, "resign:")
        buttons = [
            custom_id
            for custom_id in ids(stage.last())
            if custom_id.endswith(f":{match_id}") or custom_id.startswith("replay")
        ]
        names = ("rematch:{}", "replay:{}:0", "analyse:{}", "scorecard:{}")
        assert buttons == [name.format(match_id) for name in names]
