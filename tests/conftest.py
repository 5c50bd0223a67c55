"""Languages for tests, and a game that only they know."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import i18n
from render.i18n import using
from tests.support import pseudo
from tests.support.any_game import install_bids


@pytest.fixture(scope="session")
def with_pseudo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the catalogues of the bot, and one of the pseudo-language."""
    folder = tmp_path_factory.mktemp("locale")
    for locale in i18n.LOCALES.iterdir():
        (folder / locale.name).symlink_to(locale)
    pseudo.write(folder)
    return folder


@pytest.fixture
def pseudo_language(with_pseudo: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Add the pseudo-language to the bot, and return its tag."""
    monkeypatch.setattr(i18n, "LOCALES", with_pseudo)
    return pseudo.TAG


@pytest.fixture(params=[*i18n.languages(), pseudo.TAG])
def spoken(pseudo_language: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """Use each language, the pseudo-language too, and yield its tag."""
    with using(i18n.catalogue(request.param)):
        yield request.param


@pytest.fixture(scope="module")
def bids() -> Iterator[None]:
    """Install the game of secret bids, so that all of `any_game.NAMES` are installed."""
    with pytest.MonkeyPatch.context() as patch:
        install_bids(patch)
        yield
