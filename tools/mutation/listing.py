"""The survivors in docs/developers/survivors.md, and why no test notices them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tools.mutation.trial import Job

SECTION = re.compile(r"^## (\S+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^\| `([0-9a-f]{16})` \| .* \| ([^|]*) \|$", re.MULTILINE)
HEAD = """\
# Survivors of mutation testing

Changes that no test notices; [mutation.md](mutation.md) says how they are made and counted.
`python -m tools.mutation --list` writes this page, and keeps the reasons.
"""
COLUMNS = """
| key | function | change | why no test notices it |
|---|---|---|---|
"""


def reasons(path: Path) -> dict[str, str]:
    """Return key → reason of the survivors that are listed; a reason may be empty."""
    return dict(LINE.findall(path.read_text(encoding="utf-8"))) if path.exists() else {}


def write(path: Path, tried: Iterable[str], survivors: Iterable[Job]) -> None:
    """List the survivors of the modules that have been tried; leave other modules as they are."""
    explanations = reasons(path)
    sections = dict(SECTION.findall(path.read_text(encoding="utf-8"))) if path.exists() else {}
    sections |= dict.fromkeys(tried, COLUMNS)
    for job in survivors:
        change = job.place.partition(" ")[2].replace("|", "\\|").replace("`", "'")
        cells = (
            f"`{job.key}`",
            f"`{job.name or 'module'}`",
            f"`{change}`",
            explanations.get(job.key, ""),
        )
        sections[job.file] += f"| {' | '.join(cells)} |\n"
    listed = {name: text for name, text in sections.items() if text != COLUMNS}
    pages = (f"\n## {name}\n{text.rstrip()}\n" for name, text in sorted(listed.items()))
    path.write_text(HEAD + "".join(pages), encoding="utf-8")
