"""Features register all that they have, and can be left out."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

from bot import features as packages
from bot.app.client import Starpost
from bot.app.deployment import Deployment
from bot.app.registry import (
    FEATURES,
    HANDLERS,
    all_commands,
    features_named,
    handlers_of,
    personal_data,
    server_options,
)
from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.feature import Feature
from bot.features.replays.animations import Animations
from bot.features.servers.options import OPTIONS
from bot.interactions.replies import UserError
from bot.services.match_repository import NoMatchError
from bot.services.servers import ServerSettings
from bot.storage.database import Database
from tests.support.harness import Clock
from tests.support.matches import BO, PLAYERS, terms

ROOT = Path(packages.__file__).parent


def package_of(kind: type[Any]) -> str:
    """Return the feature in whose package a class is defined; empty for the core."""
    parts = kind.__module__.split(".")
    return parts[2] if parts[:2] == ["bot", "features"] else ""


def test_each_package_is_a_feature_of_its_name() -> None:
    names = sorted(module.name for module in iter_modules(packages.__path__))
    assert sorted(feature.name for feature in FEATURES) == names


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_feature_lists_the_components_of_its_package(feature: Feature) -> None:
    assert set(feature.components) == {
        kind for kind in HANDLERS if package_of(kind) == feature.name
    }


def test_left_out_features_have_no_components() -> None:
    assert handlers_of(FEATURES) == HANDLERS
    handlers = handlers_of(())
    assert handlers
    assert not [kind for kind in handlers if package_of(kind)]


def test_features_are_chosen_by_name() -> None:
    assert features_named("all") == list(FEATURES)
    required = {feature.name for feature in FEATURES if feature.is_required}
    assert {feature.name for feature in features_named("none")} == required
    assert {feature.name for feature in features_named("daily")} == required | {"daily"}


def test_settings_of_left_out_features_are_not_offered() -> None:
    required = features_named("none")
    assert server_options(required).options == list(OPTIONS)
    panel = server_options(FEATURES)
    assert {option.name for option in panel.options} > {option.name for option in OPTIONS}
    assert panel.named("daily").name == "daily"
    with pytest.raises(UserError, match="no longer works"):
        server_options(required).named("daily")
    with pytest.raises(UserError, match="no longer works"):
        panel.named("evil")


def test_matches_may_start_in_channels_that_options_name() -> None:
    settings = ServerSettings.of({"hall": 5, "hall_role": 6, "daily": 7})
    assert server_options(FEATURES).playable(settings) == {5}
    assert not server_options(FEATURES).playable(ServerSettings())
    assert not server_options(features_named("none")).playable(settings)


async def test_bot_without_features_has_none_of_their_parts(database: Database) -> None:
    async with (
        Starpost(database, Clock(), deployment=Deployment(features=())) as bare,
        Starpost(database, Clock()) as full,
    ):
        assert bare.runtime.jobs.keys() < full.runtime.jobs.keys()
        names = {command.name for command in all_commands(full.context, FEATURES)}
        assert {command.name for command in all_commands(bare.context, ())} <= names
        services = set(full.context.services) - set(bare.context.services)
        assert services
        assert all(map(package_of, services))
        for service in services:
            assert full.context.of(service)
            with pytest.raises(KeyError):
                bare.context.of(service)


async def test_bot_without_cups_plays_a_series_to_its_end(database: Database) -> None:
    """What a cup would decide, the core decides."""
    others = [feature for feature in FEATURES if feature.name != "cups"]
    async with Starpost(database, Clock(), deployment=Deployment(features=others)) as client:
        challenges, matches = client.context.challenges, client.context.matches
        series = terms("", "warp6", rounds=2)
        first = (await challenges.challenge(1, series, PLAYERS, side="B")).match_id
        for match_id in (first, MatchId(first + 1)):
            assert (await challenges.accept(10 + match_id, match_id, BO)).kind == "done"
            assert (await matches.act(20 + match_id, match_id, BO, "resign")).kind == "done"
        latest = await client.context.queries.match(MatchId(first + 1))
        assert (latest.round, latest.status) == (2, MatchStatus.FINISHED)
        with pytest.raises(NoMatchError):
            await client.context.queries.match(MatchId(first + 2))


def test_personal_data_is_of_all_features() -> None:
    columns = {str(column) for part in personal_data() for column in part.columns}
    assert "daily_answers.user_id" in columns


async def test_caches_and_threads_of_features_are_known(database: Database) -> None:
    async with Starpost(database, Clock()) as client:
        animations = client.context.of(Animations)
        assert animations.clear_cache in client.context.cache_clearers
        assert animations.close in client.context.closers
