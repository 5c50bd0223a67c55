"""Overwrite what SQLite leaves of deleted rows in the unused middle of its pages.

With `secure_delete` SQLite overwrites a row where it is deleted, but not the copies that stay
behind when it splits or merges pages: those stand between the list of cells and the cells of a page
(https://sqlite.org/fileformat2.html#b_tree_pages). Nothing reads these bytes.
"""

from __future__ import annotations

import os
import struct

HEADER = 100
"""Bytes of the file's header, with which the first page begins."""

PAGE_SIZE, RESERVED = 16, 20
"""Offsets in the file's header."""

INTERIOR = frozenset({2, 5})
LEAF = frozenset({10, 13})
"""The first byte of pages that hold cells; other pages begin with a page number."""

LARGEST_FILE = 0x0200_0000
"""Pages of a file in which no page number begins with such a byte."""

LARGEST_PAGE = 65_536
"""Bytes; noted as 1 for the size of a page, and as 0 for a place in it."""

CHUNK = 512
"""Pages that are read at once."""


def overwrite(handle: int, first: int, count: int) -> bool:
    """Overwrite the gaps of some pages of a database file, and wait until that is on disk.

    No other connection may write to the file meanwhile, and none may keep one of these pages to
    write it later; the write-ahead log must be empty.

    Args:
        handle: the file, open for reading and writing.
        first: number of the first page, from 0 on.
        count: how many pages.

    Returns:
        whether there are pages after these.
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
    """Return where the unused middle of a page begins and ends; empty if it has none.

    Args:
        block: several pages.
        at: where the page begins in it.
        head: bytes of the page before its own header.
        usable: bytes of a page that hold anything.
    """
    kind, _, cells, content = struct.unpack_from(">BHHH", block, at + head)
    if kind not in INTERIOR | LEAF:
        return at, at
    begin = head + (12 if kind in INTERIOR else 8) + 2 * cells
    stop = content or LARGEST_PAGE
    return (at + begin, at + stop) if begin <= stop <= usable else (at, at)
