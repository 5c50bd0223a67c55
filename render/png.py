"""Pages of palette indexes as PNG files."""

from __future__ import annotations

import io

from PIL import Image

LEVEL = 2


def encode(page: Image.Image, colours: bytes) -> bytes:
    """A page of mode `L` and its palette (red, green, blue of each entry) as a PNG file."""
    image = page.copy()
    image.putpalette(colours)
    data = io.BytesIO()
    image.save(data, "PNG", compress_level=LEVEL)
    return data.getvalue()
