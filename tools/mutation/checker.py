"""Mutants that the type checker refuses, so that `make test` fails although no test does."""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from tempfile import TemporaryDirectory

from mypy.api import run_dmypy

from tools.mutation.trial import NOTICED, Job, Note

PACKAGES = "bot", "engine", "render"
MESSAGE = re.compile(r"^(\S+?):\d+: error: (.*)$", re.MULTILINE)


class TypeChecker:
    """A mypy daemon on a copy of the packages.

    Comments are lost when a tree is written as source, even those for the checker. So a
    mutant is refused if there are errors that the unchanged modules, written likewise, have not.
    """

    def __init__(self, root: Path, folder: Path, files: Iterable[str]) -> None:
        self._folder = folder
        self._sources = {file: _written(ast.parse((root / file).read_text())) for file in files}
        for file, source in self._sources.items():
            self._write(file, source)
        self._known = self._errors()

    def attempt(self, job: Job, note: Note) -> int:
        """Try a mutant, see `trial.Attempt`."""
        self._write(job.file, _written(job.tree()))
        try:
            new = self._errors() - self._known
        finally:
            self._write(job.file, self._sources[job.file])
        if not new:
            return 0
        note(f"mypy: {min(new)[1]}")
        return NOTICED

    def _write(self, file: str, source: str) -> None:
        """Write a module; mypy looks only at files of another size, or in another second."""
        path = self._folder / file
        second = int(path.stat().st_mtime) + 1
        path.write_text(source, encoding="utf-8")
        os.utime(path, (second, second))

    def _errors(self) -> Counter[tuple[str, ...]]:
        """Return file and message of all errors."""
        before = Path.cwd()
        os.chdir(self._folder)
        try:
            output, problem, _ = run_dmypy(["run", "--", *PACKAGES])
        finally:
            os.chdir(before)
        if problem:
            raise RuntimeError(problem)
        return Counter(match.groups() for match in MESSAGE.finditer(output))


@contextmanager
def type_checker(root: Path, files: Iterable[str]) -> Iterator[TypeChecker]:
    """Run a type checker for the modules that will be changed."""
    with TemporaryDirectory(prefix="mutation-") as name:
        folder = Path(name)
        for package in PACKAGES:
            copytree(root / package, folder / package, ignore=ignore_patterns("__pycache__"))
        copy(root / "pyproject.toml", folder)
        try:
            yield TypeChecker(root, folder, files)
        finally:
            os.chdir(folder)
            run_dmypy(["stop"])
            os.chdir(root)


def _written(tree: ast.Module) -> str:
    return ast.unparse(tree) + "\n"
