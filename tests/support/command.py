"""The command `starpost` of this very tree, in a process of its own."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
STARPOST = (sys.executable, "-m", "bot")

APPLICATION = 123456789012345678
TOKEN = f"{base64.b64encode(str(APPLICATION).encode()).decode()}.Gabcde.{'x' * 38}"
"""Has the form of a bot's token and is none."""


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder of its own, with nothing but these settings."""
    return subprocess.run(
        [*STARPOST, *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
