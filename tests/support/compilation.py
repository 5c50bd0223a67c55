"""Compiles the catalogues before tests read them: a clone may have old ones, or none.

This is a plugin of pytest, named in pyproject.toml.
"""

from __future__ import annotations

from pathlib import Path

from hatch_build import compile_catalogues


def pytest_load_initial_conftests() -> None:
    """Compile outdated catalogues before anything that knows the languages is imported."""
    compile_catalogues(Path(__file__).parents[2], outdated=True)
