"""The terms of a match: possible values, and defaults."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import ChannelId
from bot.domain.terms import Terms, check_terms
from engine.game import IllegalActionError


def warp6(**fields: Any) -> Terms:
    return Terms(game="warp6", guild_id=None, channel_id=ChannelId(5), **fields)


def test_by_default_a_match_is_casual_and_the_only_one() -> None:
    terms = warp6()
    assert (terms.round, terms.rounds, terms.rated) == (1, 1, False)
    check_terms(terms)


@pytest.mark.parametrize("fields", [{"rules": "7.0"}, {"options": {"seats": "9"}}])
def test_unknown_rules_and_options_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(IllegalActionError):
        check_terms(warp6(**fields))


def test_two_matches_of_a_game_without_points_are_refused() -> None:
    check_terms(warp6(rounds=2))
    series = Terms(game="wormholes", rounds=2, guild_id=None, channel_id=ChannelId(5))
    with pytest.raises(IllegalActionError, match="no points to add up") as caught:
        check_terms(series)
    assert caught.value.rule == ""
