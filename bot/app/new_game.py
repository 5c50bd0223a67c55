"""Write a package with a small game: the beginning of another one."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from bot.app.registry import all_commands
from engine.packages import NAME

SAMPLE = "mygame"
"""Name of the game in the files of `bot/app/template/`."""

FILES = {
    "pyproject.toml": "pyproject.toml",
    "init.py": "starpost_{name}/__init__.py",
    "rules.py": "starpost_{name}/rules.py",
    "drawn.py": "starpost_{name}/drawn.py",
    "en.md": "starpost_{name}/texts/en.md",
    "test.py": "tests/test_{name}.py",
}
"""Name of a file → its path in the package."""


class NewGameError(Exception):
    """A package cannot be written; the text is a sentence."""


def write(name: str, folder: Path) -> Path:
    """Write the package of a new game, and return its folder.

    Args:
        name: the game's name.
        folder: where the package gets its folder, `starpost-NAME`.

    Raises:
        NewGameError: the name cannot be used, or there is such a folder.
        OSError: a file cannot be written.
    """
    if not NAME.fullmatch(name):
        raise NewGameError("a name has 2 to 16 lower-case letters and digits, a letter first.")
    package = folder / f"starpost-{name}"
    if package.exists():
        raise NewGameError(f"{package} exists already.")
    nothing: Any = None  # building the commands uses no service
    if name in {command.name for command in all_commands(nothing)}:
        raise NewGameError(f"/{name} is a command already; choose another name.")
    template = files("bot.app").joinpath("template")
    for source, path in FILES.items():
        text = template.joinpath(f"{source}.txt").read_text("utf-8")
        text = text.replace(SAMPLE, name).replace(SAMPLE.title(), name.title())
        target = package / path.format(name=name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return package
