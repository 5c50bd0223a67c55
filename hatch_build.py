"""Write the commit into the wheel, for `starpost --version`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface[Any]):
    """Adds `bot/commit.txt` with the commit of the source, if that is known."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file; an editable installation asks git at each start instead.

        Args:
            version: `standard` or `editable`.
            build_data: options of the build, which are changed.
        """
        commit = _commit(Path(self.root)) if version == "standard" else ""
        if commit:
            path = Path(self.directory) / "commit.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{commit}\n", encoding="ascii")
            path.chmod(0o644)
            build_data["force_include"][str(path)] = "bot/commit.txt"


def _commit(root: Path) -> str:
    """Return `SOURCE_COMMIT`, as a container is built without the history, or that of git."""
    if commit := os.environ.get("SOURCE_COMMIT"):
        return commit[:12]
    if not (root / ".git").exists():
        return ""
    command = ("git", "rev-parse", "--short=12", "HEAD")
    try:
        answer = subprocess.run(  # noqa: S603 - a constant
            command, cwd=root, check=True, capture_output=True, timeout=5
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return answer.stdout.decode().strip()
