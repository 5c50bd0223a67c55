"""The tests are where ARCHITECTURE.md says."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
LAYERS = sorted(
    folder.name for folder in (ROOT / "bot").iterdir() if (folder / "__init__.py").exists()
)
IMPORTED = re.compile(r"^\s*(?:from|import) ([\w.]+)", re.MULTILINE)


def test_no_file_imports_a_test_module() -> None:
    modules = [
        (str(file.relative_to(ROOT)), module)
        for file in sorted(TESTS.rglob("*.py"))
        for module in IMPORTED.findall(file.read_text(encoding="utf-8"))
    ]
    assert len(modules) > 500
    assert not [module for module in modules if module[1].rpartition(".")[2].startswith("test_")]


def test_unit_tests_mirror_the_layers_of_bot() -> None:
    files = [file for layer in LAYERS for file in (TESTS / "bot" / layer).glob("test_*.py")]
    assert len(files) > 30
    for file in files:
        name = file.stem.removeprefix("test_").removesuffix("_stateful")
        tested = ROOT / "bot" / file.parent.name / name
        assert tested.is_dir() or tested.with_suffix(".py").exists(), file


def test_each_feature_has_a_folder_of_tests() -> None:
    features = {file.parent.name for file in (ROOT / "bot" / "features").glob("*/__init__.py")}
    tested = {file.parent.name for file in (TESTS / "bot" / "features").glob("*/test_*.py")}
    assert tested == features
