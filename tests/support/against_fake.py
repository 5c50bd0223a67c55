"""The command `starpost` after the port of a fake Discord on this machine: `PORT run`.

The environment variable `LOOP_SAMPLE_SECONDS` sets how often the lag of the event loop is sampled.
"""

from __future__ import annotations

import os
import sys

from bot.app import health
from bot.app.cli import entry
from tests.support.fake_discord import point_at

if __name__ == "__main__":
    point_at(int(sys.argv.pop(1)))
    health.SAMPLE_SECONDS = float(os.environ.get("LOOP_SAMPLE_SECONDS", health.SAMPLE_SECONDS))
    entry()
