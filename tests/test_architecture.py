"""The rooms of the house: arrows point bot → render → engine, and the engine is pure."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parent.parent

PURE = frozenset(
    "__future__ abc array base64 binascii bisect collections contextlib copy dataclasses difflib"
    " enum fractions functools graphlib hashlib heapq hmac itertools json math operator re string"
    " struct textwrap types typing unicodedata zlib".split()
)
"""What of the standard library the engine may use: no I/O, clock, randomness or logging."""

MAY_IMPORT = {
    "engine": PURE | {"engine"},
    "render": sys.stdlib_module_names | {"PIL", "engine", "render"},
}
"""The top-level modules each room may import; bot/ may import all but the tests."""

COMMAND_LINE = frozenset({"argparse", "pathlib", "sys"})
"""What engine/__main__.py may import besides: it reads a file and prints."""


def imports(path: PurePosixPath, source: str) -> Iterator[tuple[int, str]]:
    """Yield line and top-level module of each import, wherever in the file it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level < len(path.parts):
            module = path.parts[0] if node.level else node.module or ""
            yield node.lineno, module.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level  # out of the room, so never allowed


def violations(path: PurePosixPath, source: str) -> list[str]:
    """List the imports that a file (path from the root) must not have."""
    room = path.parts[0]
    extra = COMMAND_LINE if path == PurePosixPath("engine/__main__.py") else frozenset()
    return [
        f"{path}:{line} imports {module}"
        for line, module in imports(path, source)
        if module == "tests" or (room in MAY_IMPORT and module not in MAY_IMPORT[room] | extra)
    ]


def test_arrows_point_from_bot_to_render_to_engine() -> None:
    files = [file for room in ("bot", "render", "engine") for file in (ROOT / room).rglob("*.py")]
    paths = {file: PurePosixPath(file.relative_to(ROOT).as_posix()) for file in files}
    assert {path.parts[0] for path in paths.values()} == {"bot", "render", "engine"}
    assert not [
        violation
        for file, path in paths.items()
        for violation in violations(path, file.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/game.py", "import render"),
        ("engine/game.py", "from bot.service import start"),
        ("engine/game.py", "from PIL import Image"),
        ("engine/game.py", "import json, random"),
        ("engine/game.py", "def roll():\n    from secrets import randbelow"),
        ("engine/game.py", "if TYPE_CHECKING:\n    from datetime import datetime"),
        ("engine/game.py", "from .. import bot"),
        ("engine/game.py", "import sys"),
        ("engine/wormholes/__main__.py", "import sys"),
        ("engine/__main__.py", "import os"),
        ("engine/__main__.py", "import random"),
        ("render/board.py", "import discord"),
        ("render/board.py", "import bot.cli as cli"),
        ("bot/cli.py", "from tests import bench"),
        *(
            ("engine/game.py", f"import {module}")
            for module in "asyncio time datetime logging os socket subprocess".split()
        ),
    ],
)
def test_a_planted_violation_is_found(path: str, source: str) -> None:
    assert len(violations(PurePosixPath(path), source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/game.py", "from dataclasses import dataclass"),
        ("engine/game.py", "from . import games"),
        ("engine/wormholes/rules.py", "from ..game import Game"),
        ("engine/__main__.py", "import argparse, sys\nfrom pathlib import Path"),
        ("render/board.py", "from PIL import Image\nfrom engine.game import Game\nimport io"),
        ("bot/cli.py", "import click, discord, logging, render, engine.games"),
    ],
)
def test_what_is_allowed_passes(path: str, source: str) -> None:
    assert violations(PurePosixPath(path), source) == []


def test_at_most_30_packages_at_run_time() -> None:
    text = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    assert 0 < len(re.findall(r"^[\w.-]+==", text, re.MULTILINE)) <= 30


@pytest.mark.parametrize("name", ["run.txt", "dev.txt"])
def test_requirements_carry_versions_and_hashes_only(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert all(
        "==" in requirement and "--hash=sha256:" in requirement
        for requirement in text.replace("\\\n", "").splitlines()
    )


WAYS = {
    "send_message": {"answers.py"},
    "edit_message": {"answers.py"},
    "edit_original_response": {"answers.py"},
    "defer": {"answers.py"},
    "send_modal": {"answers.py"},
    "followup": set(),
    "send": {"courier.py", "sandbox.py"},
    "reply": set(),
}
"""How discord.py sends something, and which files of bot/ may do so: the fewer ways, the fewer
places in which a secret could go to the wrong people."""


def senders(name: str, source: str) -> list[str]:
    """What a file of bot/ sends in a way in which it must not."""
    return [
        f"{name}:{node.lineno} uses {node.attr}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and name not in WAYS.get(node.attr, {name})
    ]


def test_only_one_file_answers_and_only_one_sends() -> None:
    files = sorted((ROOT / "bot").rglob("*.py"))
    assert not [line for file in files for line in senders(file.name, file.read_text("utf-8"))]


@pytest.mark.parametrize(
    "source",
    [
        "await interaction.response.send_message('S3')",
        "await interaction.followup.send('S3', ephemeral=True)",
        "await interaction.response.defer()",
        "await channel.send('S3')",
        "await message.reply('S3')",
    ],
)
def test_another_way_to_send_would_be_noticed(source: str) -> None:
    assert senders("presses.py", source)
