"""What an installation has beside its files: catalogues, the commit, links that lead somewhere."""

from __future__ import annotations

import io
import os
import re
import subprocess
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

README = "README.md"

PAGES = {"Changelog": "CHANGELOG.md", "Documentation": "docs/README.md", "Security": "SECURITY.md"}
"""Name of an address → its page in the repository."""

FIRST_MATCH = "first-match.md"
"""The page that the bot links; `docs/players/` has it in English, `docs/players/TAG/` in others."""

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:)([^)\s]+)\)")
"""A relative link or picture in Markdown."""


SOURCES = "bot/locale/*/LC_MESSAGES/starpost.po"
"""The catalogues as translators edit them; those that the bot reads are compiled beside them."""


class FilesHook(BuildHookInterface[Any]):
    """Compiles the catalogues, and adds `bot/commit.txt` with the commit, if that is known."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files; an editable installation asks git for the commit at each start instead.

        Args:
            version: `standard` or `editable`.
            build_data: options of the build, which are changed.
        """
        compile_catalogues(Path(self.root))
        commit = _commit(Path(self.root)) if version == "standard" else ""
        if commit:
            path = Path(self.directory) / "commit.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{commit}\n", encoding="ascii")
            path.chmod(0o644)
            build_data["force_include"][str(path)] = "bot/commit.txt"


def compile_catalogues(root: Path, *, outdated: bool = False) -> None:
    """Write the catalogues that the bot reads.

    Args:
        root: folder of the project.
        outdated: compile only those that are missing, or older than their source.
    """
    for source in sorted(root.glob(SOURCES)):
        binary = source.with_suffix(".mo")
        if outdated and binary.exists() and binary.stat().st_mtime >= source.stat().st_mtime:
            continue
        content = compiled(read(source))
        if not binary.exists() or binary.read_bytes() != content:
            new = binary.with_suffix(f".{os.getpid()}.mo")
            new.write_bytes(content)
            new.replace(binary)  # at once: others may read it
        binary.touch()


def read(source: Path) -> Catalog:
    """Return a catalogue as it is."""
    with source.open("rb") as stream:
        return read_po(stream, locale=source.parent.parent.name)


def is_translated(message: Message) -> bool:
    """Return whether a message has all its forms, and no one has to check them."""
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return all(forms) and not message.fuzzy


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as the bot reads it, without the messages that lack a form.

    Babel would fill their forms with English ones, which a language with one form would use for
    all numbers. Messages that are left out have the English form of their number.
    """
    complete = deepcopy(catalogue)
    for message in [message for message in complete if message.id]:
        if not is_translated(message):
            complete.delete(message.id, message.context)
    written = io.BytesIO()
    write_mo(written, complete)
    return written.getvalue()


class DescriptionHook(MetadataHookInterface):
    """Adds the README and the addresses of the project.

    The environment variable `SOURCE_URL` is the address of the repository, e.g.
    `https://github.com/OWNER/starpost`. Without it, no relative link could be followed on a package
    index, so they become plain text.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the fields that `pyproject.toml` calls dynamic.

        Args:
            metadata: the fields of the project, which are changed.
        """
        source = os.environ.get("SOURCE_URL", "").rstrip("/")
        text = (Path(self.root) / README).read_text(encoding="utf-8")
        tag = f"v{metadata['version']}"
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_absolute_links(text, source, tag),
        }
        metadata["urls"] = {}
        if source:
            pages = PAGES | dict(first_match_pages(Path(self.root)))
            addresses = {name: f"{source}/blob/{tag}/{page}" for name, page in pages.items()}
            metadata["urls"] = {"Source": source, "Issues": f"{source}/issues"} | addresses


def first_match_pages(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the path of each language's page about a first match."""
    folder = root / "docs" / "players"
    for page in (folder / FIRST_MATCH, *sorted(folder.glob(f"*/{FIRST_MATCH}"))):
        if page.is_file():
            language = "en" if page.parent == folder else page.parent.name.replace("_", "-")
            yield f"First match ({language})", page.relative_to(root).as_posix()


def with_absolute_links(text: str, source: str, tag: str) -> str:
    """Return Markdown whose relative links lead into a repository.

    Args:
        source: address of the repository; if it is empty, links become text, and pictures go.
        tag: version that the links lead to.

    Example:
        >>> with_absolute_links("[a](docs/a.md) ![b](b.png) [c](#c)", "https://x.test/r", "v1")
        '[a](https://x.test/r/blob/v1/docs/a.md) ![b](https://x.test/r/raw/v1/b.png) [c](https://x.test/r/blob/v1/README.md#c)'
        >>> with_absolute_links("[a](docs/a.md), ![b](b.png)", "", "v1")
        'a, '
    """

    def replaced(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        if not source:
            return "" if picture else words
        page = f"{README}{target}" if target.startswith("#") else target
        return f"{picture}[{words}]({source}/{'raw' if picture else 'blob'}/{tag}/{page})"

    return LINK.sub(replaced, text)


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
