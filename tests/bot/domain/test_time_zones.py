"""Time zones come with the package."""

from __future__ import annotations

import subprocess
import sys

from tests.support.command import ROOT

OFFSET = """
from datetime import datetime
from bot.domain.time_zones import time_zone, zones
print(datetime(2027, 7, 1, tzinfo=time_zone("Europe/Berlin")).utcoffset(), len(zones()) > 400)
"""


def test_system_without_time_zones_has_those_of_the_package() -> None:
    output = subprocess.run(
        [sys.executable, "-c", OFFSET],
        cwd=ROOT,
        env={"PYTHONTZPATH": ""},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert output.split() == ["2:00:00", "True"]
