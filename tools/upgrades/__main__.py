"""Upgrade from 0.1.0 and 0.2.0 while matches are in progress, and go back.

    python -m tools.upgrades            # or one of them: python -m tools.upgrades 0.2.0

The earlier versions come out of git, with the requirements that they locked (60 MB each, once). The
earlier bot plays matches of all three games on the tests' Discord until it is killed, with messages
waiting, a takeback asked for, a draw offered and a player on vacation. This version migrates the
database: every row is compared. It delivers waiting messages, and the matches continue. Then the
earlier version has to refuse the new schema in one line, and restores the backup: it equals the
database before the upgrade, and the matches continue from there.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.upgrades.drill import Drill
from tools.upgrades.installations import EARLIER, Earlier, install


async def upgrade_from(earlier: Earlier) -> None:
    """Print the steps of an upgrade from a version."""
    with TemporaryDirectory() as folder:
        async for line in Drill(earlier, install(earlier), Path(folder)).run():
            print(f"{earlier.version}: {line}", flush=True)


def main() -> None:
    """Upgrade from each version, or from those that are named."""
    for earlier in EARLIER:
        if earlier.version in (sys.argv[1:] or [earlier.version]):
            asyncio.run(upgrade_from(earlier))


if __name__ == "__main__":
    main()
