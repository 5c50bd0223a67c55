"""Pages of palette indexes as PNG files, fast for pages that resemble the previous one.

A page is cut into strips; each is deflated separately and cached, so that a strip that has been
written before, below the same rows, costs only a look-up. `make bench` compares this with
Pillow's encoder.
"""

from __future__ import annotations

import struct
import zlib
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from PIL import Image

STRIP_ROWS = 36
"""Rows of a strip: a small part of a picture, half of a space of Wormholes, and yet long enough
to compress well: with 48 rows pictures would be 1 % smaller."""

CONTEXT_ROWS = 4
"""Rows above a strip that it may copy from: they make Wormholes 4 % smaller, the others 2 %. The
largest window would save another half a percent, but change more strips with each move."""

COMPRESSION_LEVEL = 7
"""Of zlib: 8 takes twice the time for 5 % less, 6 saves a fifth of the time and costs 6 %.
zlib-ng at 6 takes two thirds of the time for the same size, a millisecond a board, and isal a tenth
for 35 % more: neither is worth a dependency."""

MAX_STRIPS = 500
"""Number of cached strips, 25 MB with their rows: those of some dozens of boards in play."""

_ADLER_BASE = 65521  # of Adler-32

_END = b"\x03\x00"
"""An empty last block, after strips that each end at a byte's edge."""


class _Strip(NamedTuple):
    """Some rows, the rows above them, their Adler-32, and their compressed chunk."""

    rows: bytes
    above: bytes
    check: int
    chunk: bytes


class _Strips:
    """Cache of strips, the least recently used first."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[bytes, int], _Strip] = OrderedDict()
        self._last: dict[tuple[int, int], _Strip] = {}
        self._lock = Lock()

    def strip(self, place: tuple[int, int], rows: bytes, above: bytes) -> _Strip:
        """Return the strip of these rows.

        Args:
            place: the length of a row and the number of the strip. The last strip at this place
                is compared first, because that is quicker than any look-up.
            rows: the rows, each after its filter.
            above: the last rows before them.
        """
        found = self._last.get(place)
        if found is None or (found.rows, found.above) != (rows, above):
            check = zlib.adler32(rows)
            found = self._known.get((above, check))
            if found is None or found.rows != rows:
                found = _deflated(rows, above, check)
            self._keep(place, found)
        return found

    def _keep(self, place: tuple[int, int], strip: _Strip) -> None:
        """Store a strip as the most recently used; boards are drawn in several threads."""
        with self._lock:
            key = (strip.above, strip.check)
            self._known[key] = self._last[place] = strip
            self._known.move_to_end(key)
            if len(self._known) > MAX_STRIPS:
                self._known.popitem(last=False)


def _deflated(rows: bytes, above: bytes, check: int) -> _Strip:
    deflate = zlib.compressobj(
        COMPRESSION_LEVEL, zlib.DEFLATED, -15, 8, zlib.Z_DEFAULT_STRATEGY, above
    )
    data = deflate.compress(rows) + deflate.flush(zlib.Z_SYNC_FLUSH)
    return _Strip(rows, above, check, _chunk(b"IDAT", data))


_STRIPS = _Strips()


def encode(page: Image.Image, colours: bytes) -> bytes:
    """Return a page as a PNG file.

    Args:
        page: palette indexes, an image of mode `L`.
        colours: red, green, blue of each entry of the palette.
    """
    width, height = page.size
    padded = Image.new("L", (width + 1, height))  # each row begins with its filter: 0, none
    padded.paste(page, (1, 0))
    raw = padded.tobytes()
    length = STRIP_ROWS * (width + 1)
    check = 1
    chunks = [
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        _chunk(b"PLTE", colours),
        _HEADER,
    ]
    for start in range(0, len(raw), length):
        rows = raw[start : start + length]
        above = raw[max(0, start - CONTEXT_ROWS * (width + 1)) : start]
        strip = _STRIPS.strip((width, start), rows, above)
        chunks.append(strip.chunk)
        check = adler32_combine(check, strip.check, len(rows))
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
