"""Runs of pytest with mutants, as its plugin: whether a test notices, and which one.

Functions and tables are changed in place, in a process forked after the test modules have been
imported. What survives although an import computes it, for example a table, is tried once more in a
process that imports the changed module.
"""

from __future__ import annotations

import ast
import gc
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tools.mutation.recording import dotted, import_instead

WALL_SECONDS = 150.0
CPU_FACTOR, CPU_SECONDS = 4, 6
MEMORY_BYTES = 6 << 30
NOTICED = 1
"""Exit code of a process with a mutant when a test has failed."""

OPTIONS = (
    "-q",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
    "--no-header",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:doctest",
    "--hypothesis-seed=0",
    "-o",
    "addopts=-p tests.support.tiers -p tests.support.processes",
    "-o",
    "tmp_path_retention_policy=none",
    "-o",
    "timeout=20",
    "-o",
    "timeout_func_only=true",
)


class Job(NamedTuple):
    """A mutant to try.

    Attributes:
        function: the function whose code it changes; empty if it changes what an import computes.
        name: name of the function that is changed, or around it.
        tree: returns the changed module; called in a separate process.
        tests: the tests that run the changed code, and their seconds without the change.
    """

    key: str
    place: str
    file: str
    function: str
    name: str
    tree: Callable[[], ast.Module]
    tests: dict[str, float]
    options: tuple[str, ...]

    @property
    def files(self) -> set[str]:
        """Return the files of the tests."""
        return {test.partition("::")[0] for test in self.tests}


Tell = Callable[[Job, str, str], None]
"""Takes a job, its verdict, and the test that noticed."""

Note = Callable[[str], None]
"""Takes the test that has failed."""

Attempt = Callable[[Job, Note], int]
"""Tries a mutant in a separate process, and returns the exit code."""


class Order:
    """The order of tests: first those that are quick, and have noticed much in the function."""

    def __init__(self) -> None:
        self._noticed: Counter[str] = Counter()
        self._noticed_in: Counter[tuple[str, str]] = Counter()

    def learn(self, job: Job, test: str) -> None:
        """Note that a test has noticed a mutant."""
        self._noticed[test] += 1
        self._noticed_in[f"{job.file}:{job.name}", test] += 1

    def of(self, job: Job) -> list[str]:
        """Return the tests of a mutant in this order."""
        stem = Path(job.file).stem

        def gain(test: str) -> float:
            noticed_here = self._noticed_in[f"{job.file}:{job.name}", test]
            likely = 1 + 2 * (stem in test) + 0.2 * self._noticed[test] + 10 * noticed_here
            return likely / (job.tests[test] + 0.1)

        return sorted(job.tests, key=gain, reverse=True)


class Trials:
    """A plugin that tries mutants of functions, each in a forked process, instead of all tests."""

    def __init__(self, jobs: list[Job], processes: int, tell: Tell) -> None:
        self._jobs, self._processes, self._tell = jobs, processes, tell

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        functions = [item for item in session.items if isinstance(item, pytest.Function)]
        if warm := [item for item in functions if "template" in item.fixturenames]:
            # The fixtures of the session stay for all processes.
            runtestprotocol(warm[0], nextitem=warm[-1], log=False)

        order = Order()

        def attempt(job: Job, note: Note) -> int:
            replace(job)
            gc.disable()
            return run([items[test] for test in order.of(job) if test in items], note)

        def tell(job: Job, verdict: str, test: str) -> None:
            order.learn(job, test)
            self._tell(job, verdict, test)

        in_processes(self._jobs, self._processes, attempt, tell)
        return True


class Selection:
    """A plugin that runs the tests of a mutant and stops at the first that fails."""

    def __init__(self, tests: Iterable[str], note: Note) -> None:
        self._tests, self._note = tests, note
        self.code = 0

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._note(report.nodeid)
            os._exit(NOTICED)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        self.code = run([items[test] for test in self._tests if test in items], self._note)
        return True


def run_pytest(arguments: Iterable[str], plugin: object) -> int:
    """Run pytest in this process, with a separate folder for temporary files."""
    with TemporaryDirectory(prefix="mutation-", ignore_cleanup_errors=True) as folder:
        return pytest.main([*OPTIONS, f"--basetemp={folder}/files", *arguments], plugins=[plugin])


def run(items: list[pytest.Item], note: Note) -> int:
    """Run tests until one fails; return the exit code."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        if any(report.failed for report in runtestprotocol(item, nextitem=following, log=False)):
            note(item.nodeid)
            return NOTICED
    return 0


def replace(job: Job) -> None:
    """Change a function, or what the import of its module has computed, in this process."""
    if job.function:
        function = function_of(job.file, job.function)
        function.__code__ = code_of(compiled(job), job.function.split("."))
        return
    module = import_module(dotted(job.file))
    changed: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compiled(job), changed)  # noqa: S102 - a module of this project
    for name, new in changed.items():
        old = vars(module).get(name)
        if old is new or name.startswith("__"):
            continue
        if isinstance(old, FunctionType):
            old.__code__ = new.__code__
        elif isinstance(old, dict):
            old.clear()
            old.update(new)
        elif not isinstance(old, type | ModuleType):
            for other_module in [*sys.modules.values()]:
                if vars(other_module).get(name) is old:
                    setattr(other_module, name, new)


def function_of(file: str, name: str) -> FunctionType:
    """Return a function of a module, without its decorators."""
    target: Any = import_module(dotted(file))
    for part in name.split("."):
        target = vars(target)[part]
    if isinstance(target, property):
        target = target.fget
    function: FunctionType = getattr(target, "__func__", target)
    return function


def code_of(code: CodeType, names: list[str]) -> CodeType:
    """Return the code of a function within the code of its module."""
    for name in names:
        inner = [const for const in code.co_consts if isinstance(const, CodeType)]
        code = [const for const in inner if const.co_name == name][-1]
    return code


def import_changed(job: Job, note: Note) -> int:
    """Try a mutant of what an import computes, see `Attempt`."""
    import_instead({job.file: compiled(job)})
    selection = Selection(job.tests, note)
    code = run_pytest((*sorted(job.files), *job.options), selection)
    return NOTICED if code != pytest.ExitCode.OK else selection.code


def in_processes(jobs: Iterable[Job], processes: int, attempt: Attempt, tell: Tell) -> None:
    """Try each mutant in a forked process."""
    running: dict[int, tuple[Job, int, float]] = {}

    def reap(most: int) -> None:
        while len(running) > most:
            for process, (job, pipe, end) in list(running.items()):
                ended, status = os.waitpid(process, os.WNOHANG)
                if not ended and time.monotonic() > end:
                    os.kill(process, signal.SIGKILL)
                    _, status = os.waitpid(process, 0)
                elif not ended:
                    continue
                del running[process]
                test = os.read(pipe, 4096).decode()
                os.close(pipe)
                tell(job, verdict(status), test)
            time.sleep(0.01)

    for job in jobs:
        reap(processes - 1)
        pipe, writing_end = os.pipe()
        process = os.fork()
        if not process:
            _child(job, attempt, writing_end)
        os.close(writing_end)
        running[process] = job, pipe, time.monotonic() + WALL_SECONDS
    reap(0)


def _child(job: Job, attempt: Attempt, pipe: int) -> None:
    needed = sum(job.tests.values()) * CPU_FACTOR + CPU_SECONDS
    seconds = int(time.process_time() + needed)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    code = int(pytest.ExitCode.INTERNAL_ERROR)
    try:
        code = attempt(job, lambda test: _write(pipe, test))
    finally:
        os._exit(code)


def _write(pipe: int, test: str) -> None:
    os.write(pipe, test.encode()[:4000])


def verdict(status: int) -> str:
    """Return the verdict on a mutant from the wait status of its process."""
    if os.WIFSIGNALED(status):
        return "timeout"
    return {0: "survived", NOTICED: "killed"}.get(os.WEXITSTATUS(status), "error")


def planted(tree: ast.Module, plant: Callable[[], None]) -> ast.Module:
    """Return a tree that has been changed."""
    plant()
    return tree


def compiled(job: Job) -> CodeType:
    """Return the code of the changed module."""
    return compile(job.tree(), str(Path(job.file).absolute()), "exec")
