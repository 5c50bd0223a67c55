"""The command `starpost` after the port of a fake Discord on this machine: `PORT run`."""

from __future__ import annotations

import sys

from bot.app.cli import entry
from tests.support.fake_discord import point_at

if __name__ == "__main__":
    point_at(int(sys.argv.pop(1)))
    entry()
