"""Training repeats itself, and what it writes can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.computer.network import Network
from engine.computer.warp6.features import features
from engine.games import get
from tools import train_warp6


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_training_gives_the_same_weights_again(tmp_path: Path, seats: int) -> None:
    written = []
    for _ in range(2):
        train_warp6.main(["--games", "1", "--seats", str(seats), "--folder", str(tmp_path)])
        written.append((tmp_path / f"network{seats}.json").read_bytes())
    assert written[0] == written[1]
    network = Network.read(f"network{seats}.json", tmp_path)
    start = get("warp6").start("standard", {"seats": str(seats)})
    assert len(network.values(features(start))) == seats
