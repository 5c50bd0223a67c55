"""Cuts the fonts of render/fonts/ out of their families: `make fonts SOURCES=folder`.

The folder holds the files named in `CUTS`: from Debian 12's packages fonts-inter, fonts-noto-core,
fonts-noto-ui-core and fonts-noto-cjk, and from npm's @fontsource/noto-emoji 5.3.2. Each has one
weight. A missing character has neither ink nor width, so that Pillow can detect it.
"""

from __future__ import annotations

import argparse
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont, newTable  # type: ignore[import-untyped]
from fontTools.ttLib.tables._k_e_r_n import (  # type: ignore[import-untyped]
    KernTable_format_0,
)

from render.typeface import FONTS

COPYRIGHT, FAMILY, LICENCE = 0, 1, 13
"""Names that stay in a font."""

JAPANESE, SIMPLIFIED_CHINESE = 0, 2
"""Places in the collection of Chinese, Japanese and Korean fonts: each draws characters its way."""

MAX_KERNED = 0x180
"""Letters below this are kerned: the letters of European languages."""

MIN_KERNING = 40
"""Smallest distance that is worth an entry, of the 2,816 units of Inter's em."""


class Cut(NamedTuple):
    """A font to ship.

    Attributes:
        digest: SHA-256 of the file.
        frozen: features of Inter that replace characters always, because Pillow applies none to
            simple text: digits of one width, an `l` and an `I` that differ.
        shaped: whether its characters change beside others.
        place: the font's place, if the file is a collection.
    """

    source: str
    digest: str
    characters: frozenset[int]
    frozen: tuple[str, ...] = ()
    shaped: bool = False
    place: int = -1


def span(*ranges: tuple[int, int]) -> frozenset[int]:
    """Return the characters of ranges that include their ends."""
    return frozenset(code for first, last in ranges for code in range(first, last + 1))


def characters_of(encoding: str) -> frozenset[int]:
    """Return the Chinese characters that have two bytes in an encoding."""
    pairs = (bytes((high, low)) for high in range(0x81, 0xFF) for low in range(0x40, 0xFF))
    text = "".join(pair.decode(encoding, "ignore") for pair in pairs)
    return frozenset(code for code in map(ord, text) if 0x4E00 <= code <= 0x9FFF)


KANA = span((0x3000, 0x303F), (0x3041, 0x30FF), (0x31F0, 0x31FF), (0xFF5F, 0xFF9F))
WIDE_SIGNS = span((0xFF01, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40), (0xFF5B, 0xFF5E))
"""Punctuation as wide as a character of Japan; wide letters and digits are drawn as narrow ones."""

HAN = frozenset[int]().union(*map(characters_of, ("gb2312", "big5", "shift_jis", "euc_kr")))
"""The characters of mainland China, Taiwan, Japan and Korea that have a standard: 16,411."""

JAPANESE_HAN = characters_of("shift_jis")
"""Those of Japan, 6,356. Names have no language, and the bot speaks Japanese, not Chinese, so that
characters of both are drawn as in Japan."""

HAN_OF_NAMES = frozenset(map(ord, "堃赟祎旸婳祾頔镕飏"))
"""Frequent in names, but in no such standard."""

CUTS = {
    "latin.otf": Cut(
        "Inter-SemiBold.otf",
        "8c1990b6012254ea2b487161697d107357dd0ee55811cfd91c8c11227bbef457",
        span((0x20, 0x52F), (0x1E00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E))
        | span((0x2070, 0x218F), (0x2190, 0x27FF), (0x2900, 0x2BFF), (0x1D00, 0x1DBF)),
        frozen=("cv05", "cv08", "tnum"),
    ),
    "hebrew.ttf": Cut(
        "NotoSansHebrew-Bold.ttf",
        "d3b01343f71e8a93fffb84c345a1aecbaf4694b98d0eaace916cb9eac9e6dcd3",
        span((0x591, 0x5F4)),
        shaped=True,
    ),
    "arabic.ttf": Cut(
        "NotoSansArabicUI-Bold.ttf",
        "ef5d9ce3d5b20a83bdc156ef48edc1e159322ada95ebacc133476c92f0bd102a",
        span((0x600, 0x6FF), (0x750, 0x77F)),
        shaped=True,
    ),
    "devanagari.ttf": Cut(
        "NotoSansDevanagariUI-Bold.ttf",
        "c2a648025d13b35674ce39d886b179ffada7202097b42bd4634bf298f08f654e",
        span((0x900, 0x97F), (0x200C, 0x200D), (0x25CC, 0x25CC)),
        shaped=True,
    ),
    "thai.ttf": Cut(
        "NotoSansThaiUI-Bold.ttf",
        "473e98f51436a9bacb75eb9ca0e0ff64d31d5a40172d6b052ae4fb66939ea2e4",
        span((0xE01, 0xE5B), (0x25CC, 0x25CC)),
        shaped=True,
    ),
    "japanese.otf": Cut(
        "NotoSansCJK-Bold.ttc",
        "faa5f3656a78b2e2d450d27fe8382c778bc2b6bb5ea29c986664a6a435056ceb",
        KANA | WIDE_SIGNS | JAPANESE_HAN,
        place=JAPANESE,
    ),
    "han.otf": Cut(
        "NotoSansCJK-Bold.ttc",
        "faa5f3656a78b2e2d450d27fe8382c778bc2b6bb5ea29c986664a6a435056ceb",
        (HAN | HAN_OF_NAMES) - JAPANESE_HAN,
        place=SIMPLIFIED_CHINESE,
    ),
    "hangul.otf": Cut(
        "NotoSansCJK-Bold.ttc",
        "faa5f3656a78b2e2d450d27fe8382c778bc2b6bb5ea29c986664a6a435056ceb",
        span((0x3131, 0x318E), (0xAC00, 0xD7A3)),
        place=SIMPLIFIED_CHINESE,
    ),
    "emoji.ttf": Cut(
        "noto-emoji-emoji-700-normal.woff",
        "7782d18f189e66f7b05ac97f0edeadc3d30bd8b134299caa8cfa37aafe173b4f",
        span(
            (0x2139, 0x2139),
            (0x231A, 0x2BFF),
            (0x3030, 0x303D),
            (0x1F004, 0x1F1E5),
            (0x1F200, 0x1FAFF),
        ),
    ),
}
"""File in render/fonts/ → what it is cut from."""


def cut(wanted: Cut, sources: Path) -> bytes:
    """Return a font with only the characters and features that are wanted.

    Raises:
        OSError: the source is missing.
        ValueError: the source is another version.
    """
    data = (sources / wanted.source).read_bytes()
    if hashlib.sha256(data).hexdigest() != wanted.digest:
        raise ValueError(f"{wanted.source} is not the version that the fonts were cut from.")
    options = _options(wanted)
    font = subset.load_font(io.BytesIO(data), options)
    font.recalcTimestamp = False
    if wanted.frozen:
        _freeze(font, wanted.frozen)
    kerning = _kerning(font) if wanted.frozen else {}
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted.characters)
    cutter.subset(font)
    font["hmtx"][".notdef"] = (0, 0)
    if kerning:
        _add_kerning(font, kerning)
    out = io.BytesIO()
    font.save(out, reorderTables=True)
    return out.getvalue()


def _options(wanted: Cut) -> subset.Options:
    options = subset.Options()
    options.font_number = wanted.place
    options.hinting = False
    options.notdef_outline = False
    options.name_IDs = [COPYRIGHT, FAMILY, LICENCE]
    options.drop_tables += ["BASE", "DSIG", "STAT", "VORG", "vhea", "vmtx"]
    if not wanted.shaped:
        options.drop_tables += ["GDEF", "GPOS", "GSUB"]
        options.layout_features = []
    return options


def _freeze(font: TTFont, features: tuple[str, ...]) -> None:
    """Make characters look as with features applied in this order."""
    replaced: dict[str, str] = {}
    for feature in features:
        swaps = _swaps(font, feature)
        replaced = {start: swaps.get(end, end) for start, end in replaced.items()}
        replaced = {**swaps, **replaced}
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap = {code: replaced.get(name, name) for code, name in table.cmap.items()}


def _swaps(font: TTFont, feature: str) -> dict[str, str]:
    """Return the substitutions of a feature: glyph → its replacement."""
    return {
        start: end
        for subtable in _subtables(font, "GSUB", feature)
        for start, end in getattr(subtable, "mapping", {}).items()
    }


def _subtables(font: TTFont, table: str, feature: str) -> Iterator[Any]:
    """Yield the lookups of a feature, in the order of application."""
    layout = font[table].table
    records = (
        record for record in layout.FeatureList.FeatureRecord if record.FeatureTag == feature
    )
    numbers = {number for record in records for number in record.Feature.LookupListIndex}
    for number in sorted(numbers):
        for subtable in layout.LookupList.Lookup[number].SubTable:
            yield getattr(subtable, "ExtSubTable", subtable)


def _kerning(font: TTFont) -> dict[tuple[str, str], int]:
    """Return the kerning of Latin letters: Pillow reads it only from a table of this old form."""
    names = {name for code, name in font.getBestCmap().items() if code < MAX_KERNED}
    kept: dict[tuple[str, str], int] = {}
    for subtable in _subtables(font, "GPOS", "kern"):
        for first in names & set(subtable.Coverage.glyphs):
            for second, value in _pairs(subtable, first, names):
                kept.setdefault((first, second), value)
    return {pair: value for pair, value in kept.items() if abs(value) >= MIN_KERNING}


def _pairs(subtable: Any, first: str, names: set[str]) -> Iterator[tuple[str, int]]:
    """Yield the glyphs that may follow one, with the change of their distance."""
    if subtable.Format == 1:
        pairs = subtable.PairSet[subtable.Coverage.glyphs.index(first)].PairValueRecord
        for pair in pairs:
            if pair.SecondGlyph in names:
                yield pair.SecondGlyph, pair.Value1.XAdvance if pair.Value1 else 0
        return
    row = subtable.Class1Record[subtable.ClassDef1.classDefs.get(first, 0)].Class2Record
    for second in names:
        value = row[subtable.ClassDef2.classDefs.get(second, 0)].Value1
        yield second, getattr(value, "XAdvance", 0) if value else 0


def _add_kerning(font: TTFont, kerning: dict[tuple[str, str], int]) -> None:
    glyphs = set(font.getGlyphOrder())
    table = KernTable_format_0()
    table.coverage, table.format, table.version = 1, 0, 0
    table.apple = False
    table.kernTable = {pair: kerning[pair] for pair in sorted(kerning) if glyphs.issuperset(pair)}
    font["kern"] = newTable("kern")
    font["kern"].version = 0
    font["kern"].kernTables = [table]


def main() -> None:
    """Write all fonts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path)
    sources = parser.parse_args().sources
    for name, wanted in CUTS.items():
        data = cut(wanted, sources)
        (FONTS / name).write_bytes(data)
        print(f"{name}: {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
