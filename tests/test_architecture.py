"""The rooms of the house: arrows point bot → render → engine, and the engine is pure."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from bot.app.registry import FEATURES, HANDLERS
from engine import games
from render import for_game

ROOT = Path(__file__).parent.parent

PURE = frozenset(
    "__future__ abc array base64 binascii bisect collections contextlib copy dataclasses difflib"
    " enum fractions functools graphlib hashlib heapq hmac itertools json math operator re string"
    " struct textwrap types typing unicodedata zlib".split()
)
"""What of the standard library the engine may use: no I/O, clock, randomness or logging."""

MAY_IMPORT = {
    "engine": PURE | {"engine"},
    "render": sys.stdlib_module_names | {"PIL", "zlib_ng", "xxhash", "babel", "engine", "render"},
}
"""The top-level modules each room may import; bot/ may import all but the tests."""

MORE_IMPORTS = {
    "engine/__main__.py": frozenset({"argparse", "pathlib", "sys", "time"}),
    "engine/computer/external.py": frozenset({"shlex", "subprocess", "threading"}),
    "engine/computer/network.py": frozenset({"pathlib"}),
    "engine/openspiel/games.py": frozenset({"numpy", "pyspiel"}),
    "engine/packages.py": frozenset({"importlib"}),
    "engine/testing/contract.py": frozenset({"random"}),
    "engine/testing/drawn.py": frozenset({"random"}),
    "engine/testing/matches.py": frozenset({"random"}),
    "engine/testing/secrecy.py": frozenset({"random"}),
    "engine/testing/worlds.py": frozenset({"random"}),
}
"""What these may import as well: to read files, print, start a program, find games, draw, learn."""


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
    extra = MORE_IMPORTS.get(str(path), frozenset())
    return [
        f"{path}:{line} imports {module}"
        for line, module in imports(path, source)
        if module == "tests" or (room in MAY_IMPORT and module not in MAY_IMPORT[room] | extra)
    ]


@pytest.mark.slow
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
        ("engine/game.py", "from bot.services.match_store import start"),
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
        ("render/board.py", "import bot.app.cli as cli"),
        ("bot/app/cli.py", "from tests import bench"),
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
        ("bot/app/cli.py", "import click, discord, logging, render, engine.games"),
    ],
)
def test_what_is_allowed_passes(path: str, source: str) -> None:
    assert violations(PurePosixPath(path), source) == []


def test_services_are_at_most_45_files() -> None:
    """What only one feature needs belongs into its package."""
    files = [path for path in (ROOT / "bot/services").glob("*.py") if path.name != "__init__.py"]
    assert len(files) <= 45


def test_at_most_35_packages_at_run_time() -> None:
    text = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    assert 0 < len(re.findall(r"^[\w.-]+==", text, re.MULTILINE)) <= 35


@pytest.mark.parametrize("name", ["run.txt", "play.txt", "dev.txt"])
def test_requirements_carry_versions_and_hashes_only(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert all(
        "==" in requirement and "--hash=sha256:" in requirement
        for requirement in text.replace("\\\n", "").splitlines()
    )


DIRECTIONS = {
    "send_message": {"replies.py"},
    "edit_message": {"replies.py", "clicked_messages.py"},
    "edit_original_response": {"replies.py"},
    "defer": {"replies.py"},
    "send_modal": {"replies.py"},
    "followup": {"replies.py", "clicked_messages.py"},
    "send": {"transport.py", "sandbox.py", "replies.py", "smoke_steps.py"},
    "reply": set(),
}
"""How discord.py sends something, and which files of bot/ may do so: the fewer ways, the fewer
places in which a secret could go to the wrong people."""


def senders(name: str, source: str) -> list[str]:
    """What a file of bot/ sends in a way in which it must not."""
    return [
        f"{name}:{node.lineno} uses {node.attr}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and name not in DIRECTIONS.get(node.attr, {name})
    ]


@pytest.mark.slow
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
    assert senders("moves.py", source)


CODEC = {"custom_id_codec.py", "custom_ids.py"}
"""The files that know how a custom_id is written."""

PREFIXES = {"gap", *(kind.prefix.partition(":")[0] for kind in HANDLERS)}


def own_custom_ids(name: str, source: str) -> list[str]:
    """Return the lines where a file of bot/ writes or splits a custom_id itself."""
    if name in CODEC:
        return []
    places = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.JoinedStr(values=values):
                plain = [value.value for value in values if isinstance(value, ast.Constant)]
                wrong = ":" in plain or any(str(text).rstrip(":") in PREFIXES for text in plain)
            case ast.keyword(arg="custom_id", value=value):
                wrong = not _is_codec_or_plain(value)
            case ast.Call(func=ast.Attribute(attr="split" | "partition"), args=[ast.Constant(":")]):
                wrong = True
            case _:
                wrong = False
        places += [f"{name}:{getattr(node, 'lineno', 0)}"] if wrong else []
    return places


def _is_codec_or_plain(value: ast.expr) -> bool:
    """Return whether a custom_id is `str(…)`, or the name of a window's input."""
    match value:
        case ast.Call(func=ast.Name(id="str")):
            return True
        case ast.Constant(value=str(text)):
            return text.isalpha() and text not in PREFIXES
    return False


@pytest.mark.slow
def test_only_the_codec_writes_and_splits_custom_ids() -> None:
    rooms = ("features", "interactions", "views")
    files = [file for room in rooms for file in (ROOT / "bot" / room).rglob("*.py")]
    assert {file.name for file in files} > CODEC
    assert not [
        line for file in files for line in own_custom_ids(file.name, file.read_text("utf-8"))
    ]


@pytest.mark.parametrize(
    "source",
    [
        "button(_('Hand'), f'hand:{match.id}')",
        "key = f'{match.id}:{version}'",
        "name, *fields = data['custom_id'].split(':')",
        "name, _, rest = text.partition(':')",
        "ui.Button(custom_id='export')",
        "ui.Button(custom_id=f'{prefix}{match.id}')",
        "ui.Select(custom_id=name)",
    ],
)
def test_a_custom_id_of_another_file_is_found(source: str) -> None:
    assert len(own_custom_ids("moves.py", source)) == 1


EVERY = tuple(map(games.get, games.names()))

NAMES = frozenset(name.lower() for game in EVERY for name in (game.name, game.title))
"""Must not even be a part of a name or of a sentence."""

PIECES = frozenset(
    name.lower()
    for game in EVERY
    for name in (for_game(game.name).hand_name, *game.sides.values(), *game.options)
) - {"", "seats", "notes", "setup", "placing"}
"""What only one game has; left out is what the bot calls something of its own."""

DEEDS = frozenset(
    name for game in EVERY for name in (*(verb.name for verb in game.verbs), *game.events)
) - {"left", "offered", "accepted", "declined", "ended", "off", "turned"}
"""What only one game does: nothing may be compared with that. Left out is what all games do
(engine/endings.py), and two values of settings."""


def named(source: str) -> list[str]:
    """What of a game a file names, in code or in text; documentation may give examples."""
    tree = ast.parse(source)
    documents = {
        id(statement.value) for statement in ast.walk(tree) if isinstance(statement, ast.Expr)
    }
    names: list[str] = []
    for node in ast.walk(tree):
        for text in map(str.lower, _texts(node, documents)):
            line = getattr(node, "lineno", 0)
            names += [f"{line}: {name}" for name in NAMES if name in text or text in PIECES]
        if isinstance(node, ast.Compare):
            words = {
                str(constant.value)
                for constant in ast.walk(node)
                if isinstance(constant, ast.Constant)
            }
            names += [f"{node.lineno}: {word}" for word in words & DEEDS]
    return names


def _texts(node: ast.AST, documents: set[int]) -> Iterator[str]:
    """Names, and text that documents nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if id(node) not in documents:
            yield node.value
    else:
        for field in ("id", "attr", "name", "arg", "module", "asname"):
            if isinstance(value := getattr(node, field, None), str):
                yield value


@pytest.mark.slow
def test_outside_of_its_folders_no_file_names_a_game() -> None:
    rooms = ("engine", "engine/computer", "render")
    game_folders = {f"{room}/{name}/" for room in rooms for name in games.names()}
    game_folders |= {f"tools/paint/{name}" for name in games.names()}
    searched = ("bot", "render", "engine", "tools/paint")
    for file in (file for room in searched for file in (ROOT / room).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        if not path.startswith(tuple(game_folders)):
            assert not named(file.read_text("utf-8")), path


@pytest.mark.parametrize(
    "source",
    [
        "if match.game == 'wormholes': pass",
        "from engine.warp6 import board",
        "import render.tomtube.words",
        "from render.tomtube import words",
        "text = _('Tom Tube is a good game')",
        "def my_warp6(): pass",
        "warp6_matches = 3",
        "if action.verb == 'drift': pass",
        "view.coins",
        "row.kind == 'warped'",
        "SIDES = {'Yellow': 1}",
        "match.options['launch_T']",
    ],
)
def test_a_game_that_is_named_is_found(source: str) -> None:
    assert named(source)


def test_names_in_documentation_are_examples() -> None:
    assert not named('def read():\n    """`read("wormholes")`"""')
    assert not named('LEVEL = 7\n"""Of Wormholes, 4 %."""')


OPTIONAL = [feature.name for feature in FEATURES if not feature.is_required]

FEATURE_WORDS = frozenset(word for name in OPTIONAL for word in (name, name.removesuffix("s")))

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""A word of an identifier or of a sentence."""

NAMED_IN_THE_CORE = {
    ("bot/app/run.py", "daily"): "backups of every day",
    ("bot/storage/backup.py", "daily"): "the same",
    ("bot/app/settings.py", "daily"): "the example of a feature in the help for hosts",
    ("bot/app/settings.py", "analyses"): "what hosts lose without computers",
    ("bot/domain/outbox.py", "hall"): "stored in targets; earlier versions read it",
    ("bot/domain/outcomes.py", "cup"): "stored with the outcomes of interactions",
    ("bot/services/preferences.py", "profile"): "the table of settings of players",
    ("bot/services/queries.py", "analyses"): "their table; two features read what it stores",
}
"""File and word → why the file names an optional feature; none may be added for new features."""


def features_named_in(source: str) -> set[str]:
    """Return the words for optional features in names and texts, not in documentation."""
    tree = ast.parse(source)
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (text for node in ast.walk(tree) for text in _texts(node, documents))
    return {word.lower() for text in texts for word in WORD.findall(text)} & FEATURE_WORDS


def core_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the source of each file of the bot that belongs to no feature."""
    of_features = ("bot/features/", "bot/storage/schema/", "bot/storage/migrations/")
    for file in sorted((ROOT / "bot").rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        if not path.startswith(of_features) and path != "bot/app/registry.py":
            yield path, file.read_text("utf-8")


def test_the_core_names_no_optional_feature() -> None:
    """Files without such a word need not be parsed."""
    suspects = [
        (path, source)
        for path, source in core_files()
        if any(word in source.lower().replace("challenge", "") for word in FEATURE_WORDS)
    ]
    assert {
        (path, word) for path, source in suspects for word in features_named_in(source)
    } == NAMED_IN_THE_CORE.keys()


def test_a_feature_is_registered_in_one_file() -> None:
    """Besides, the command line examines servers as *Check this server* does."""
    importers = {
        (path, name)
        for path, source in core_files()
        for name in re.findall(r"^(?:from|import) bot\.features\.(\w+)", source, re.MULTILINE)
    }
    assert importers == {("bot/app/doctor.py", "servers"), ("bot/app/run.py", "servers")}


@pytest.mark.parametrize(
    "source",
    [
        "from bot.storage.schema import cups",
        "HALL_PREFIX = 1",
        "class CupMatches: pass",
        "def f(leaderboard_id): pass",
        "kind = 'update_hall'",
        "text = _('See your profile.')",
        "row.daily_due_at",
    ],
)
def test_a_feature_that_is_named_is_found(source: str) -> None:
    assert features_named_in(source)


def test_challenges_are_no_halls() -> None:
    assert not features_named_in("challenges.challenge(CHALLENGE)  # of a cup")
    assert not features_named_in('def read():\n    """Read the cup."""')


@pytest.mark.parametrize(
    "page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/developers/recipes.md"]
)
def test_files_that_a_page_names_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z0-9_/]+\.py)`", text))
    rooms = ("bot", "engine", "render", "tests", "tools")
    paths = [file.as_posix() for room in rooms for file in (ROOT / room).rglob("*.py")]
    assert named
    assert not [name for name in named if not any(path.endswith(f"/{name}") for path in paths)]
