"""Texts and pictures of the App Directory keep to Discord's limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from bot.app import listing
from bot.app.listing import description
from engine import games


def test_texts_and_tags_keep_to_the_limits() -> None:
    text = description()
    assert all(games.get(name).title in text for name in games.names())
    assert len(text) <= 400
    assert len(listing.SUMMARY) <= 200
    assert len(set(listing.TAGS)) == len(listing.TAGS) <= 5
    assert all(len(tag) <= 20 for tag in listing.TAGS)


def test_many_games_leave_the_description_within_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(games, "names", lambda: ("wormholes",) * 50)
    assert description() == listing.SUMMARY


@pytest.mark.parametrize(("file", "ratio"), [(listing.ICON, (1, 1)), (listing.COVER, (16, 9))])
def test_pictures_have_the_shape_that_discord_shows(file: Path, ratio: tuple[int, int]) -> None:
    with Image.open(file) as picture:
        assert picture.format == "PNG"
        assert picture.width * ratio[1] == picture.height * ratio[0]
        assert min(picture.size) >= 512
    assert file.stat().st_size < 2**20
