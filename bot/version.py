"""The version of this program, with the commit that it was built from."""

from __future__ import annotations

import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

BUILT_FROM = Path(__file__).with_name("commit.txt")
"""Written into the wheel by `hatch_build.py`."""

GIT_TIMEOUT_SECONDS = 5.0


@cache
def version() -> str:
    """Return the version with its commit, e.g. `0.3.0 (1a2b3c4d5e6f)`.

    The commit is left out if it is unknown, e.g. in a copy of the files without their history.
    """
    number, commit = metadata.version("starpost"), _commit()
    return f"{number} ({commit})" if commit else number


def _commit() -> str:
    """Return the commit of the wheel, or the one that is checked out; empty if unknown."""
    if BUILT_FROM.exists():
        return BUILT_FROM.read_text(encoding="ascii").strip()
    root = BUILT_FROM.parents[1]
    if not (root / ".git").exists():
        return ""
    command = ("git", "rev-parse", "--short=12", "HEAD")
    try:
        answer = subprocess.run(  # noqa: S603 - a constant
            command, cwd=root, check=True, capture_output=True, timeout=GIT_TIMEOUT_SECONDS
        )
    except (OSError, subprocess.SubprocessError):  # without git, or the owner is another user
        return ""
    return answer.stdout.decode().strip()
