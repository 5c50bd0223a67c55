"""Visibility of a profile and its parts to other readers."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.models import Switch
from bot.features.profiles import service as profiles
from bot.features.profiles.confidence_intervals import Estimate
from bot.features.profiles.service import (
    MIN_SHOWN_ANALYSES,
    Audience,
    GameErrors,
    HiddenProfileError,
    Opponent,
    Profile,
    Profiles,
    Score,
)
from bot.features.profiles.views import card, page, sections
from bot.services.preferences import Preferences
from tests.support.matches import ADA, BO, EVE, MatchFixture

STRANGER = UserId(44)


async def read(env: MatchFixture, reader: int, **fields: Any) -> Profile:
    """Return Ada's profile as a reader sees it."""
    return await Profiles(env.database).read(ADA, UserId(reader), **fields)


async def prefer(env: MatchFixture, **values: str) -> None:
    await Preferences(env.database).set_all(ADA, values)


ALL_FIGURES = Profile(
    people={"wormholes/2": Score(3, 0, 0)},
    opponents=(Opponent(BO, "Bo", Score(2, 0, 0)), Opponent(EVE, "Eve", Score(1, 0, 0))),
    opponent_count=2,
    luck=Estimate(0.1, 0.05, MIN_SHOWN_ANALYSES),
    errors=(
        GameErrors("tomtube", Estimate(0.1, None, MIN_SHOWN_ANALYSES - 1), 9, "cadet"),
        GameErrors("warp6", Estimate(0.1, 0.05, MIN_SHOWN_ANALYSES), 30, "cadet"),
    ),
)
"""A profile that its own player sees in full."""


@pytest.mark.parametrize("shared", [Switch.OFF, Switch.ON])
@pytest.mark.parametrize("reader", [BO, EVE, STRANGER])
async def test_reader_sees_no_third_person_and_what_is_shared(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, reader: int, shared: Switch
) -> None:
    monkeypatch.setattr(profiles, "profile_of", lambda *_: ALL_FIGURES)
    await prefer(env, profile="everyone", analysis=shared)
    assert await read(env, ADA) == ALL_FIGURES
    seen, is_shared = await read(env, reader), shared == Switch.ON
    assert [person.user_id for person in seen.opponents] == [reader] * (reader != STRANGER)
    assert seen.opponent_count == 2
    assert seen.shows_analyses is is_shared
    assert seen.luck == (ALL_FIGURES.luck if is_shared else None)
    assert [errors.game for errors in seen.errors] == ["warp6"] * is_shared
    components: Any = page("Ada", seen).layout
    assert ("private" in str(components.to_components())) is not is_shared


def test_luck_and_losses_are_points_of_a_hundred() -> None:
    lines = [line for section in sections(ALL_FIGURES) for line in section.lines]
    count = MIN_SHOWN_ANALYSES
    assert lines[-4:] == [
        (
            "- Dice and draws: **+10.0** of 100 points a match (+5.0 to +15.0 in 19 of 20 cases; "
            f"{count} analysed matches): lucky"
        ),
        (
            "- Tom Tube: each decision cost 10.0 of 100 points on average (9 decisions, analysed "
            f"matches: {count - 1}; about as good as the computer's Cadet)"
        ),
        (
            "- Warp 6: each decision cost 10.0 ± 5.0 of 100 points on average (30 decisions, "
            f"analysed matches: {count}; about as good as the computer's Cadet)"
        ),
        "-# The computer's levels, weakest first: Cadet, Navigator, Captain, Admiral.",
    ]
    unjudged = replace(ALL_FIGURES, luck=Estimate(-0.031, None, 1), errors=())
    assert sections(unjudged)[-1].lines == (
        (
            "- Dice and draws: **−3.1** of 100 points a match (1 analysed match): "
            "too few for a judgement"
        ),
    )


def test_picture_has_the_same_points() -> None:
    drawn = card("Ada", ALL_FIGURES)
    assert drawn
    assert drawn.luck
    assert drawn.luck.words == "+10.0 of 100 points a match (+5.0 to +15.0)"
    assert "Warp 6: a decision costs 10.0 ± 5.0 of 100 points (like the Cadet)" in drawn.facts


async def test_luck_of_few_analyses_is_for_its_player(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = replace(ALL_FIGURES, luck=Estimate(0.1, None, MIN_SHOWN_ANALYSES - 1))
    monkeypatch.setattr(profiles, "profile_of", lambda *_: few)
    await prefer(env, profile="everyone", analysis=Switch.ON)
    assert (await read(env, BO)).luck is None
    assert (await read(env, ADA)).luck


async def test_profile_for_no_one_is_hidden_from_opponents(env: MatchFixture) -> None:
    match_id = await env.begin()
    await env.matches.act(next(env.ids), match_id, BO, "resign")
    for audience in Audience:
        await prefer(env, profile=audience)
        seen = audience != Audience.NO_ONE
        for member in (False, True):
            with nullcontext() if seen else pytest.raises(HiddenProfileError):
                await read(env, BO, is_member=member)
