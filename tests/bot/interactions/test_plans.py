"""What players may ask for about their plans."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import update

from bot.domain.ids import MatchId
from bot.domain.models import Rated
from bot.interactions import plans
from bot.interactions.plans import _notation
from bot.interactions.replies import UserError
from bot.services.preferences import Preferences
from bot.storage.schema import matches
from bot.views.computers import suggest_button
from bot.views.custom_ids import PlanId, PlanStep
from bot.views.typed_choices import ChoiceReader
from engine.game import IllegalActionError, View
from render.renderer import DEFAULT_STYLE
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.matches import ADA, BO, MatchFixture, warp6
from tests.support.visitors import Server
from tests.support.wormholes.positions import GAME, position


def context_of(env: MatchFixture, *, computers: bool = True) -> Any:
    """Return a context with which plans are read; it asks no computer player."""
    preferences = Preferences(env.database)
    return SimpleNamespace(
        plans=env.plans,
        preferences=preferences,
        queries=env.queries,
        computers=computers,
        can_play=lambda _game: computers,
    )


async def has_suggest_button(env: MatchFixture, match_id: MatchId, *, computers: bool) -> bool:
    """Return whether Ada can ask for a suggestion."""
    context = context_of(env, computers=computers)
    panel = walk(components(await plans.panel(context, ADA, match_id)))
    return any(part.get("label") == "Suggest" for part in panel)


async def test_board_suggests_a_whole_setup_to_a_person_in_it(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    views = [(await env.queries.view(match_id, user)).view for user in (ADA, BO)]
    match, view = await env.queries.match(match_id), next(view for view in views if view.legal)

    def has_button(view: View, *, computers: bool = True, rated: Rated = Rated.CASUAL) -> bool:
        rated_match = replace(match, rated=rated)
        return bool(suggest_button(rated_match, view, (view,), computers=computers))

    assert has_button(view)
    assert not has_button(view, computers=False)
    assert not has_button(view, rated=Rated.RATED)
    assert not has_button(replace(view, pending=""))
    assert not has_button(replace(view, turn=1))
    assert not has_button(replace(view, legal=view.legal[:1])), "nothing to choose"


async def test_computer_suggests_nothing_in_rated_matches(env: MatchFixture) -> None:
    match_id = await env.begin()
    assert await has_suggest_button(env, match_id, computers=True)
    assert not await has_suggest_button(env, match_id, computers=False)
    async with env.database.write() as connection:
        await connection.execute(update(matches).values(rated=Rated.RATED))
    assert not await has_suggest_button(env, match_id, computers=True)
    step = PlanId(match_id, step=PlanStep.SUGGEST)
    with pytest.raises(UserError, match="I don't suggest moves"):
        await plans._suggest(context_of(env), Server().interaction(ADA), step)


@pytest.mark.parametrize(
    ("line", "meaning"),
    {
        "move S c14": "move S NW",
        "if S5: Suns f13 or Moons up": "if S5: move S NE or move M W",
        "M j1": "move M S",
        "place S4 c14": "place S4 c14",
    }.items(),
)
def test_space_in_a_straight_line_means_its_direction(line: str, meaning: str) -> None:
    view = GAME.view(position({"S": "e12"}, {}, "S1 M-"), "O")
    assert " ".join(_notation(ChoiceReader(view, DEFAULT_STYLE), line).split()) == meaning


@pytest.mark.parametrize("line", ["move S c16", "Suns e12"])
def test_space_outside_straight_lines_is_refused(line: str) -> None:
    view = GAME.view(position({"S": "e12"}, {}, "S1 M-"), "O")
    with pytest.raises(IllegalActionError, match="straight line") as refusal:
        _notation(ChoiceReader(view, DEFAULT_STYLE), line)
    assert refusal.value.fields["text"] == line
