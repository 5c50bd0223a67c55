"""Animated GIFs from pages: the format that every Discord client plays in the chat.

Animated PNG is shown as a still picture there. WebP would be smaller, but Pillow takes ten times
as long to write it. Each frame holds only the rectangle in which something changed, and in it
only the pixels that changed, so that a turn of Wormholes needs about 2 KiB.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import NamedTuple

from PIL import Image, ImageChops

TRANSPARENT = 255
"""The palette entry that keeps the pixel of the previous frame."""

LAST_FRAME_MS = 5000
"""Milliseconds that the last frame stays before the animation repeats."""

LOOP_EXTENSION = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"


class Frame(NamedTuple):
    """A page of palette indexes, and its duration in milliseconds."""

    page: Image.Image
    time: int


def gif(frames: Iterable[Frame], colours: bytes) -> bytes:
    """Encode frames of one size as a GIF.

    Args:
        frames: at least one; they are read one at a time.
        colours: red, green, blue of each entry of the palette, at most 255 of them.

    Raises:
        ValueError: there is no frame, or there are too many colours.
    """
    if len(colours) > 3 * TRANSPARENT:
        raise ValueError("No entry of the palette is left for what stays.")
    data = bytearray()
    previous: Frame | None = None
    before: Image.Image | None = None
    for frame in frames:
        if previous is None:
            data += _head(frame.page, colours)
        else:
            data += _image(before, previous)
            before = previous.page
        previous = frame
    if previous is None:
        raise ValueError("There is nothing to show.")
    return bytes(data + _image(before, previous._replace(time=LAST_FRAME_MS)) + b";")


def _head(page: Image.Image, colours: bytes) -> bytes:
    """Return the header: size, palette, and infinite repetition."""
    eight_bits = 0xF7  # a palette of 256 entries of 3 x 8 bits
    screen = struct.pack("<HHBBB", *page.size, eight_bits, 0, 0)
    return b"GIF89a" + screen + colours.ljust(768, b"\0") + LOOP_EXTENSION


def _image(before: Image.Image | None, frame: Frame) -> bytes:
    """Encode the difference between a frame and the previous one."""
    from PIL import GifImagePlugin  # noqa: PLC0415 - boards should not wait for its import

    page, place = frame.page, (0, 0)
    if before:
        change = ImageChops.difference(before, page)
        box = change.getbbox() or (0, 0, 1, 1)
        page, place = page.crop(box), box[:2]
        page.paste(TRANSPARENT, None, change.crop(box).point(_SAME))
    stay = 1
    options = {"duration": frame.time, "transparency": TRANSPARENT, "disposal": stay}
    return b"".join(GifImagePlugin.getdata(page, place, **options))


_SAME = [255, *[0] * 255]
"""Differences as a mask of unchanged pixels."""
