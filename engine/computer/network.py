"""Small networks of whole numbers: one hidden layer, the same result on every machine.

A network adds a linear part and hidden units between 0 and 1; the result x of each output is
turned into a share of the score by 1/2 + x / (2 + 2 |x|).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from pathlib import Path

from engine.computer.situation import SCALE

WEIGHT = 1 << 10
"""A weight of 1 is this number."""

FOLDER = Path(__file__).parent
"""Where the files of the shipped networks are, in a folder for each game."""


@dataclass(frozen=True, slots=True)
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

    def values(self, features: Sequence[int]) -> list[int]:
        """Return the outputs for these features, from 0 to `SCALE`."""
        inputs = [*features, self.unit]
        unit = WEIGHT * self.unit
        units = [min(max(sum(map(mul, row, inputs)), 0), unit) for row in self.hidden]
        return [
            _share(sum(map(mul, row, units)) // WEIGHT + sum(map(mul, linear, inputs)), unit)
            for row, linear in zip(self.output, self.linear, strict=True)
        ]


def _share(x: int, unit: int) -> int:
    return SCALE // 2 + SCALE * x // (2 * (unit + abs(x)))
