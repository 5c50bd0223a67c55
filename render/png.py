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
from typing import NamedTuple

from PIL import Image

STRIP_ROWS = 36
"""Rows of a strip: a small part of a picture, half of a space of Wormholes, and yet long enough
to compress well: with 48 rows pictures would be 1 % smaller."""

CONTEXT_ROWS = 4
"""Rows above a strip that it may copy from: they make Wormholes 4 % smaller, the others 2 %. The
largest window would save another half a percent, but change more strips with each move."""

COMPRESSION_LEVEL = 6
"""Of zlib. A board without cached strips takes 13 ms; 7 takes 18 ms for 1 to 7 % less, 5 takes 10
for 10 to 15 % more, and then some boards exceed 60 kB."""

MAX_STRIPS = 8000
"""Number of cached strips, 16 MB: those of 300 boards in play."""

_ADLER_BASE = 65521  # of Adler-32

_END = b"\x03\x00"
"""An empty last block, after strips that each end at a byte's edge."""


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
        key = (len(above), sha256(above + rows).digest())
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
        COMPRESSION_LEVEL, zlib.DEFLATED, -15, 8, zlib.Z_DEFAULT_STRATEGY, above
    )
    data = deflate.compress(rows) + deflate.flush(zlib.Z_SYNC_FLUSH)
    return _Strip(_chunk(b"IDAT", data), zlib.adler32(rows))


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
