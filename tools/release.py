"""Prepare a release: check the tag, and write its notes and its checksums.

    python -m tools.release v0.2.0

The tag has to match the version in pyproject.toml, and the changelog has to have a dated
section of it, which becomes build/notes.md. dist/SHA256SUMS names the files of dist/. All
languages have to be complete.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from pathlib import Path

from tools.translations import incomplete

ROOT = Path(__file__).parent.parent
SUMS = "SHA256SUMS"


def notes(tag: str, version: str, changelog: str) -> str:
    r"""Return the changelog section for the version of a tag.

    Raises:
        ValueError: the tag is another version's, or the version has no dated section.

    Example:
        >>> notes("v1.0.0", "1.0.0", "## [Unreleased]\n\n## [1.0.0] - 2027-01-15\n\nNew.\n")
        'New.\n'
    """
    if tag != f"v{version}":
        raise ValueError(f"the tag {tag} is not that of version {version}: v{version}")
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$"
    section = re.search(rf"{heading}(.*?)(?=^## |^\[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    if not section:
        raise ValueError(f"CHANGELOG.md has no dated section of {version}")
    return section[1].strip() + "\n"


def sums(folder: Path) -> str:
    """Return the SHA-256 of each file in a folder, as `sha256sum --check` reads it."""
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    digests = [(hashlib.sha256(path.read_bytes()).hexdigest(), path.name) for path in files]
    return "".join(f"{digest}  {name}\n" for digest, name in digests)


def main(tag: str) -> None:
    """Check a tag and write the files.

    Raises:
        SystemExit: it cannot be released.
    """
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if lacking := incomplete():
        raise SystemExit(f"not translated completely: {lacking}")
    try:
        text = notes(tag, version, (ROOT / "CHANGELOG.md").read_text("utf-8"))
    except ValueError as error:
        raise SystemExit(f"{error}.") from None
    (ROOT / "build" / "notes.md").write_text(text, "utf-8")
    (ROOT / "dist" / SUMS).write_text(sums(ROOT / "dist"), "utf-8")
    print(f"dist/ and build/notes.md are those of {version}")


if __name__ == "__main__":
    main(*sys.argv[1:])
