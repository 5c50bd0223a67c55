"""Nothing of a running match leaks through profiles, leaderboards and standings of cups."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import true

from bot.domain.ids import NO_MATCH
from bot.domain.ratings import Rating
from bot.features.cups import season_view
from bot.features.cups import standings_view as cup_standings
from bot.features.cups import views as cups
from bot.features.cups.formats import CupFormat
from bot.features.cups.rows import Cup, PairingStatus, store_pairings
from bot.features.cups.service import Actor
from bot.features.cups.standings import PairingReason
from bot.features.leaderboards.service import LeaderboardPlace, Leaderboards
from bot.features.profiles import match_statistics
from bot.features.profiles import service as profiles
from tests.support.cups import ORGANISER, CupFixture
from tests.support.matches import MatchFixture
from tests.support.profiles import play
from tests.support.tiers import sampled
from tests.verification.leaks.cup import CupStory, SeasonStory, in_a_cup, in_a_season
from tests.verification.leaks.diff import readable
from tests.verification.leaks.plants import Secret, differing
from tests.verification.leaks.twins import both


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


# The services alone


async def pages(cup: CupFixture, cup_id: int) -> str:
    """The standings, the post and all details of a cup."""
    stored_cup = await cup.get(cup_id)
    places = await cup.cups.open_matches(stored_cup)
    messages: list[Any] = [
        cups.post(stored_cup, places, None),
        cups.status(stored_cup, places, None),
    ]
    layouts = [message.layout.to_components() for message in messages]
    return (
        f"{layouts} {cup_standings.table_lines(stored_cup)} {cup_standings.picture_of(stored_cup)}"
    )


async def walk(cup: CupFixture, seed: int, cup_format: CupFormat, *, planted: bool = False) -> bool:
    """Play on in the running matches of a cup; return whether a page changes meanwhile."""
    random = Random(seed)
    cup_id = await cup.begun(4, format=cup_format, max_open=random.randint(1, 3))
    await cup.win(cup_id, first := await cup.pairing(cup_id), first.seated[0])
    before = await pages(cup, cup_id)
    for pairing in (await cup.get(cup_id)).running:
        await play(cup.env, pairing.match_id or NO_MATCH, random, 9)
        if planted:
            done = replace(
                pairing,
                status=PairingStatus.DONE,
                winners=pairing.seated[:1],
                reason=PairingReason.PLAYED,
            )
            stored = await cup.get(cup_id)
            async with cup.env.database.write() as connection:
                await store_pairings(connection, stored, stored.with_pairing(done))
    changes = await pages(cup, cup_id) != before
    await cup.cups.cancel(next(cup.env.ids), cup_id, Actor(ORGANISER))  # so that more may begin
    return changes


@pytest.mark.first(test=1)
@pytest.mark.parametrize("cup_format", CupFormat)
@sampled(1, 2, 20)
async def test_running_matches_change_no_standings(
    cup: CupFixture, cup_format: CupFormat, samples: int
) -> None:
    for seed in range(samples):
        assert not await walk(cup, seed, cup_format)


@pytest.mark.first(test=1)
@pytest.mark.parametrize("cup_format", CupFormat)
async def test_planted_result_of_a_running_match_is_found(
    cup: CupFixture, cup_format: CupFormat
) -> None:
    assert await walk(cup, 1, cup_format, planted=True)


# Two worlds that differ in hidden values only


@pytest.fixture
def same_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same lots in both worlds: Ada has the first seat in her match with Bo."""
    for module in ("service", "seasons"):
        monkeypatch.setattr(f"bot.features.cups.{module}.token_hex", lambda _: "5eed")


@pytest.mark.slow
@pytest.mark.usefixtures("same_lots")
def test_story_of_a_cup_reads_the_same(tmp_path: Path) -> None:
    twins = both(tmp_path, in_a_cup, kind=CupStory)
    assert not twins.found, readable(twins.found)
    for act in ("profile", "leaderboard", "standings", "secret taken back", "draw accepted"):
        assert twins.done[act], act


@pytest.mark.soak
@pytest.mark.usefixtures("same_lots")
def test_story_of_two_seasons_reads_the_same(tmp_path: Path) -> None:
    twins = both(tmp_path, in_a_season, kind=SeasonStory)
    assert not twins.found, readable(twins.found)
    for act in ("profile", "standings", "season opened", "season begun", "details"):
        assert twins.done[act], act


@pytest.mark.soak
@pytest.mark.usefixtures("same_lots")
def test_leak_planted_in_the_standings_of_the_year_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, honest = Secret(monkeypatch), season_view.year_lines

    def careless(cup: Cup, most: int) -> list[str]:
        return [f"{line} ({secret.value})" for line in honest(cup, most)]

    monkeypatch.setattr(cups, "year_lines", careless)
    differences = both(tmp_path, in_a_season, kind=SeasonStory).found
    is_shown = differing("requests", r"season\w*\) \(\d\)")
    assert any(map(is_shown, differences)), readable(differences)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Profiles count running matches; numbers of leaderboards and standings tell Ada's coin."""
    secret = Secret(patch)
    for module in (profiles, match_statistics):
        patch.setattr(module, "counts_in_profiles", true)
    patch.setattr(profiles, "MIN_OPENINGS", 1)
    honest, points = Leaderboards.read, cup_standings.points

    async def read(self: Leaderboards, *args: Any) -> list[LeaderboardPlace]:
        places = await honest(self, *args)
        return [p._replace(rating=Rating(p.rating.mu + secret.value, 60.0)) for p in places]

    def careless(value: Fraction) -> str:
        return f"{points(value)}+{secret.value}"

    patch.setattr(Leaderboards, "read", read)
    patch.setattr(cup_standings, "points", careless)


PLANTED = {
    "profile": r"ask_for_figures.*Profil.*Eröffnung.*",
    "leaderboard": r"ask_for_figures.*\*\*172\d\*\*",
    "standings": r"ask_for_figures.*\*\*0\+\d\*\*",
}
"""Where it could leak → a line of a request that tells it."""


@pytest.mark.soak
@pytest.mark.usefixtures("same_lots")
def test_leaks_planted_in_figures_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    differences = both(tmp_path, in_a_cup, kind=CupStory).found
    leaks = {
        name
        for name, pattern in PLANTED.items()
        if any(map(differing("requests", pattern), differences))
    }
    assert leaks == {*PLANTED}, readable(differences)
