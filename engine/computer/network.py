"""Small networks of whole numbers: one hidden layer, the same result on every machine.

A network adds a linear part and hidden units between 0 and 1; the result x of each output is
turned into a share of the score by 1/2 + x / (2 + 2 |x|).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add, mul
from pathlib import Path

from engine.computer.situation import SCALE

WEIGHT = 1 << 10
"""A weight of 1 is this number."""

CACHED_PARTS = 1 << 10
"""Parts of features whose products are cached: 1.5 MiB."""

FOLDER = Path(__file__).parent
"""Where the files of the shipped networks are, in a folder for each game."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Weights of a network; the last one of each row is its constant.

    Attributes:
        unit: the number that stands for a feature of 1.
        hidden: a row for each hidden unit.
        output: weights of the hidden units for each output, without constant.
        linear: weights of the features for each output.
        digest: hash of the file, the version of the weights.
    """

    unit: int
    hidden: tuple[tuple[int, ...], ...]
    output: tuple[tuple[int, ...], ...]
    linear: tuple[tuple[int, ...], ...]
    digest: str = ""

    @classmethod
    def read(cls, name: str, folder: Path = FOLDER) -> Network:
        """Read the weights from a file, such as `warp6/network2.json`."""
        text = (folder / name).read_text(encoding="utf-8")
        data = json.loads(text)
        rows = {name: tuple(map(tuple, data[name])) for name in ("hidden", "output", "linear")}
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        return cls(unit=data["unit"], digest=digest, **rows)

    def values(self, parts: Sequence[tuple[int, ...]]) -> list[int]:
        """Return the outputs, from 0 to `SCALE`.

        Args:
            parts: the features; in a search most positions share a part with another one, and the
                products of a part are cached.
        """
        sums: list[int] = list(_products(self, len(self.linear[0]) - 1, (self.unit,)))
        begin = 0
        for part in parts:
            sums = list(map(add, sums, _products(self, begin, part)))
            begin += len(part)
        unit = WEIGHT * self.unit
        units = [0 if x < 0 else min(x, unit) for x in sums[len(self.linear) :]]
        return [
            _share(sum(map(mul, row, units)) // WEIGHT + x, unit)
            for row, x in zip(self.output, sums, strict=False)
        ]


@lru_cache(maxsize=CACHED_PARTS)
def _products(network: Network, begin: int, part: tuple[int, ...]) -> tuple[int, ...]:
    """Return the products of a part, added up for each output and then for each hidden unit.

    Args:
        network: the network.
        begin: number of features before this part.
        part: the features.
    """
    end = begin + len(part)
    rows = (*network.linear, *network.hidden)
    return tuple(sum(map(mul, row[begin:end], part)) for row in rows)


def _share(x: int, unit: int) -> int:
    return SCALE // 2 + SCALE * x // (2 * (unit + abs(x)))
