"""The fonts that are shipped are those that the program cuts, with the characters it names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from render.typeface import FACES, FONTS
from tools.cut_fonts import CUTS, cut

SOURCES = [
    *map(Path, filter(None, [os.environ.get("FONT_SOURCES")])),
    *map(Path("/usr/share/fonts").joinpath, ("opentype/inter", "opentype/noto", "truetype/noto")),
]
"""Folders in which the families may be: one of the developer's, and those of Debian."""

MAX_BYTES = 6_500_000
"""Bytes of all fonts together."""


def test_every_font_is_cut_by_the_program() -> None:
    assert {face.file for face in FACES} == set(CUTS)
    assert {path.name for path in FONTS.iterdir()} == {*CUTS, "LICENSE.txt"}
    assert sum(path.stat().st_size for path in FONTS.iterdir()) < MAX_BYTES


@pytest.mark.parametrize("name", CUTS)
def test_a_font_has_what_is_wanted_and_no_boxes(name: str) -> None:
    font = TTFont(FONTS / name)
    characters = set(font.getBestCmap())
    assert characters <= CUTS[name].characters | {0x20, 0xA0, 0x25CC}
    assert len(characters) > 0.25 * len(CUTS[name].characters)
    assert font["hmtx"][".notdef"] == (0, 0)
    assert font["name"].getDebugName(0)


@pytest.mark.parametrize("name", CUTS)
def test_cutting_gives_the_shipped_bytes_again(name: str) -> None:
    wanted = CUTS[name]
    folder = next((path for path in SOURCES if (path / wanted.source).is_file()), None)
    if folder is None:
        pytest.skip(f"{wanted.source} is not at hand")
    assert cut(wanted, folder) == (FONTS / name).read_bytes()


def test_another_version_of_a_family_is_refused(tmp_path: Path) -> None:
    wanted = CUTS["thai.ttf"]
    (tmp_path / wanted.source).write_bytes((FONTS / "thai.ttf").read_bytes())
    with pytest.raises(ValueError, match="not the version"):
        cut(wanted, tmp_path)
