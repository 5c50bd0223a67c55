"""Overwrite the remains of deleted rows that SQLite leaves in the unused middle of its pages.

With `secure_delete` SQLite overwrites a row where it is deleted, but not the copies that stay
behind when it splits or merges pages: those are between the list of cells and the cells of a page
(https://sqlite.org/fileformat2.html#b_tree_pages). Nothing reads these bytes.
"""

from __future__ import annotations

import os
import struct

HEADER = 100
"""Size of the file header, with which the first page begins."""

PAGE_SIZE, RESERVED = 16, 20
"""Offsets in the file header."""

INTERIOR = frozenset({2, 5})
LEAF = frozenset({10, 13})
"""The first byte of pages that hold cells; other pages begin with a page number."""

LARGEST_FILE = 0x0200_0000
"""Pages of a file in which no page number begins with such a byte."""

LARGEST_PAGE = 65_536
"""Bytes; stored as 1 for a page size, and as 0 for an offset in a page."""

CHUNK = 512
"""Number of pages read at once."""


def overwrite(handle: int, first: int, count: int) -> bool:
    """Overwrite the gaps of some pages of a database file, and flush them to disk.

    No other connection may write to the file during the call, nor cache one of these pages to
    write it later; the write-ahead log must be empty.

    Args:
        handle: the file, open for reading and writing.
        first: index of the first page, from 0.
        count: number of pages.

    Returns:
        Whether there are pages after these.
    """
    header = os.pread(handle, HEADER, 0)
    (size,) = struct.unpack_from(">H", header, PAGE_SIZE)
    size = LARGEST_PAGE if size == 1 else size
    usable = size - header[RESERVED]
    pages = os.fstat(handle).st_size // size
    end = min(pages, first + count) if pages < LARGEST_FILE else first
    changed = False
    for start in range(first, end, CHUNK):
        block = os.pread(handle, min(CHUNK, end - start) * size, start * size)
        for page in range(len(block) // size):
            at = page * size
            begin, stop = _gap(block, at, HEADER if start + page == 0 else 0, usable)
            if block[begin:stop].strip(b"\0"):
                os.pwrite(handle, bytes(stop - begin), start * size + begin)
                changed = True
    if changed:
        os.fsync(handle)
    return end < pages and end > first


def _gap(block: bytes, at: int, head: int, usable: int) -> tuple[int, int]:
    """Return the start and end of the unused middle of a page; equal if it has none.

    Args:
        block: several pages.
        at: offset of the page in the block.
        head: number of bytes of the page before its own header.
        usable: number of usable bytes of a page.
    """
    kind, _, cells, content = struct.unpack_from(">BHHH", block, at + head)
    if kind not in INTERIOR | LEAF:
        return at, at
    begin = head + (12 if kind in INTERIOR else 8) + 2 * cells
    stop = content or LARGEST_PAGE
    return (at + begin, at + stop) if begin <= stop <= usable else (at, at)
