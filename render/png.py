"""Pages of palette indexes as PNG files, fast for pages that resemble the previous one.

A page is cut into strips; each is deflated separately and cached, so that a strip that has been
written before, below the same rows, costs only a look-up. `make bench` compares this with
Pillow's encoder.
"""

from __future__ import annotations

import struct
import zlib
from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import NamedTuple, cast

from PIL import Image

STRIP_ROWS = 24
"""Rows of a strip: a small part of a picture, a third of a space of Wormholes. With 36 rows a move
changes a sixth more rows, and pictures are 1 % smaller."""

CONTEXT_ROWS = 16
"""Rows above a strip that it may copy from: with 4, pictures are 2 to 4 % larger; the largest
window saves another half a percent, but more strips change with each move."""

COMPRESSION_LEVEL = 5
"""Of zlib: 6 takes half as long again for 5 to 7 % less; with 4 some boards exceed 120 kB."""

MEMORY_LEVEL = 6
"""Of zlib: tables of its default, 8, take longer to prepare for a strip than they save."""

MAX_STRIPS = 12000
"""Number of cached strips, 16 MB: those of 300 boards in play."""

_ADLER_BASE = 65521  # of Adler-32

_END = b"\x03\x00"
"""An empty last block, after strips that each end at a byte's edge."""


class Ground:
    """A page that boards are copies of; what is drawn on a copy is drawn into rows to be encoded.

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


class _Strip(NamedTuple):
    """Compressed rows: their chunk, and the Adler-32 of the rows."""

    chunk: bytes
    check: int


class _Strips:
    """Cache of strips by a digest of their rows, the least recently used first."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, bytes], _Strip] = OrderedDict()
        self._last: dict[tuple[int, int], tuple[bytes, bytes, _Strip]] = {}
        self._lock = Lock()

    def strip(self, place: tuple[int, int], rows: bytes, above: bytes) -> _Strip:
        """Return the strip of these rows.

        Args:
            place: the length of a row and the number of the strip. The last strip at this place
                is compared first, because that is quicker than any look-up.
            rows: the rows, each after its filter.
            above: the last rows before them.
        """
        last = self._last.get(place)
        if last is not None and last[:2] == (rows, above):
            return last[2]
        digest = sha256(above)
        digest.update(rows)
        key = (len(above), digest.digest())
        strip = self._known.get(key) or _deflated(rows, above)
        self._last[place] = (rows, above, strip)
        self._keep(key, strip)
        return strip

    def _keep(self, key: tuple[int, bytes], strip: _Strip) -> None:
        """Store a strip as the most recently used; boards are drawn in several threads."""
        with self._lock:
            self._known[key] = strip
            self._known.move_to_end(key)
            if len(self._known) > MAX_STRIPS:
                self._known.popitem(last=False)


def _deflated(rows: bytes, above: bytes) -> _Strip:
    deflate = zlib.compressobj(
        COMPRESSION_LEVEL, zlib.DEFLATED, -15, MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, above
    )
    data = deflate.compress(rows) + deflate.flush(zlib.Z_SYNC_FLUSH)
    return _Strip(_chunk(b"IDAT", data), zlib.adler32(rows))


_STRIPS = _Strips()


def encode(page: Image.Image, colours: bytes, rows: bytearray | None = None) -> bytes:
    """Return a page as a PNG file.

    Args:
        page: palette indexes, an image of mode `L`.
        colours: red, green, blue of each entry of the palette.
        rows: of the page, if it is a copy of a `Ground`.
    """
    width, height = page.size
    raw = memoryview(_rows_of(page) if rows is None else rows)[:-1]
    length, context = (count * (width + FILTER_BYTES) for count in (STRIP_ROWS, CONTEXT_ROWS))
    check = 1
    chunks = [
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        _chunk(b"PLTE", colours),
        _HEADER,
    ]
    for start in range(0, len(raw), length):
        part = bytes(raw[start : start + length])
        above = bytes(raw[max(0, start - context) : start])
        strip = _STRIPS.strip((width, start), part, above)
        chunks.append(strip.chunk)
        check = adler32_combine(check, strip.check, len(part))
    chunks += (_chunk(b"IDAT", _END + struct.pack(">I", check)), _chunk(b"IEND", b""))
    return b"".join(chunks)


def adler32_combine(first: int, second: int, length: int) -> int:
    """Return the Adler-32 of two pieces of data from theirs and the length of the second."""
    low = (first & 0xFFFF) + (second & 0xFFFF) - 1
    high = (first >> 16) + (second >> 16) + length * ((first & 0xFFFF) - 1)
    return high % _ADLER_BASE << 16 | low % _ADLER_BASE


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


_HEADER = _chunk(b"IDAT", b"\x78\x9c")
"""The header of the compressed stream."""
