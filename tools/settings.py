"""Write the table of settings in docs/hosts/hosting.md from their definitions: `make settings`."""

from __future__ import annotations

import re
from pathlib import Path

from bot.app.settings import SETTINGS

PAGE = Path(__file__).parent.parent / "docs" / "hosts" / "hosting.md"

HEAD = "| setting | default | meaning |\n|---|---|---|\n"
TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def table() -> str:
    """Return the table: a row for each setting, with its default and its description."""
    rows = []
    for name, setting in SETTINGS.items():
        default = " " if setting.default in (None, "") else f" `{setting.default}` "
        rows.append(f"| `{name.upper()}` |{default}| {setting.metadata['description']} |\n")
    return HEAD + "".join(rows)


def written(page: str) -> str:
    """Return a page with the table of today.

    Raises:
        ValueError: there is no table in it.
    """
    new, count = TABLE.subn(lambda _: table(), page)
    if count != 1:
        raise ValueError(f"{count} tables of settings in {PAGE}")
    return new


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
