"""Pages of palette indexes as PNG files, fast for pages that resemble the previous one.

A page is cut into strips; each is deflated separately and cached, so that a strip that has been
written before, below the same rows, costs only a look-up. `make bench` compares this with
Pillow's encoder.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from threading import Lock
from typing import cast

import xxhash
from PIL import Image
from zlib_ng import zlib_ng

STRIP_ROWS = 20
"""Rows of a strip: a small part of a picture, a quarter of a space of Wormholes. With 12 rows,
pictures are 4 % larger; with 24, a move changes more rows."""

FIRST_ROWS = 8
"""Rows of the first strip: the players' cards, which change with each turn, begin below it."""

CONTEXT_ROWS = 2
"""Rows above a strip that it may copy from: 16 would save 5 %, but take a fifth longer, because
more strips change with each move."""

COMPRESSION_LEVEL = 5
"""Of zlib-ng: 6 takes a third longer for 3 % less; with 4 some boards of Tom Tube exceed 120 kB."""

QUICK_LEVEL = 2
"""The same for boards that are small enough: half the time, a third more bytes."""

LEVELS = zlib_ng.Z_BEST_COMPRESSION + 1
"""Number of compression levels."""

MAX_STRIPS = 12000
"""Number of cached strips, 16 MB: enough for 270 boards in play."""

_END = b"\x03\x00"
"""An empty last block, after strips that each end at a byte's edge."""


class Ground:
    """A page that boards are copies of; drawing on a copy draws into rows for encoding.

    Rows of a copied page would take longer to read than sprites take to draw.
    """

    def __init__(self, page: Image.Image) -> None:
        self.page = page
        self._rows = _rows_of(page)

    def copy(self) -> tuple[Image.Image, bytearray]:
        """Return a copy to draw on, and its rows, each after its filter."""
        rows = bytearray(self._rows)
        width = self.page.width + FILTER_BYTES
        pixels = memoryview(rows)[FILTER_BYTES:]
        page = Image.frombuffer("L", self.page.size, cast("bytes", pixels), "raw", "L", width, 1)
        page.readonly = 0
        return page, rows


FILTER_BYTES = 1
"""Bytes before each row: its filter, 0, none."""


def _rows_of(page: Image.Image) -> bytes:
    """Return the rows of a page, each after its filter, and one byte behind them."""
    width, height = page.size
    padded = Image.new("L", (width + FILTER_BYTES, height))
    padded.paste(page, (FILTER_BYTES, 0))
    return padded.tobytes() + b"\0"


class _Strips:
    """Cache of strips, each compressed as a chunk, by a hash of their rows.

    The least recently used strip is the first.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def chunk(self, part: memoryview, start: int, level: int) -> bytes:
        """Return the chunk of a strip.

        Args:
            part: the last rows before the strip, and its rows, each after its filter.
            start: where its rows start.
            level: see `encode`.
        """
        key = _key(part, start, level)
        chunk = self._known.get(key)
        if chunk is None:
            chunk = _chunk(b"IDAT", _deflated(part[start:], part[:start], level))
        self._keep(key, chunk)
        return chunk

    def clear(self) -> None:
        """Drop all strips."""
        with self._lock:
            self._known.clear()

    def _keep(self, key: bytes, chunk: bytes) -> None:
        """Store a strip as the most recently used; boards are drawn in several threads."""
        with self._lock:
            self._known[key] = chunk
            self._known.move_to_end(key)
            if len(self._known) > MAX_STRIPS:
                self._known.popitem(last=False)


def _key(part: memoryview, start: int, level: int) -> bytes:
    """Return a hash of 128 bits: as good as unique, and quicker than a comparison of copies.

    Where the strip starts is part of it, so that the two parts cannot be cut elsewhere, and so is
    the level, so that the bytes of a file do not depend on those before.
    """
    return xxhash.xxh3_128_digest(part, seed=start * LEVELS + level)


def _deflated(rows: memoryview, above: memoryview, level: int) -> bytes:
    deflate = zlib_ng.compressobj(level, zlib_ng.DEFLATED, -15, zdict=above)
    return deflate.compress(rows) + deflate.flush(zlib_ng.Z_SYNC_FLUSH)


_STRIPS = _Strips()


def encode(
    page: Image.Image,
    colours: bytes,
    rows: bytearray | None = None,
    level: int = COMPRESSION_LEVEL,
) -> bytes:
    """Return a page as a PNG file.

    Args:
        page: palette indexes, an image of mode `L`.
        colours: red, green, blue of each entry of the palette.
        rows: rows of the page, if it is a copy of a `Ground`.
        level: compression level of zlib-ng.
    """
    width, height = page.size
    raw = memoryview(_rows_of(page) if rows is None else rows)[:-1]
    row = width + FILTER_BYTES
    chunks = [
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        _chunk(b"PLTE", colours),
        _HEADER,
    ]
    for top in range(FIRST_ROWS - STRIP_ROWS, height, STRIP_ROWS):
        first = max(0, top)
        above = max(0, first - CONTEXT_ROWS)
        part = raw[above * row : (top + STRIP_ROWS) * row]
        chunks.append(_STRIPS.chunk(part, (first - above) * row, level))
    check = struct.pack(">I", zlib_ng.adler32(raw))
    chunks += (_chunk(b"IDAT", _END + check), _chunk(b"IEND", b""))
    return b"".join(chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib_ng.crc32(body))


_HEADER = _chunk(b"IDAT", b"\x78\x9c")
"""The header of the compressed stream."""


def clear_cache() -> None:
    """Drop all strips, so that the next picture compresses all of its own."""
    _STRIPS.clear()
