"""Runs of pytest with mutants, as its plugin: which tests run a function, and which one notices.

Functions and tables are changed in place, in a process forked after the test modules have been
imported. What survives although an import computes it, for example a table, is tried once more in a
process that imports the changed module.
"""

from __future__ import annotations

import ast
import builtins
import gc
import json
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tools.mutation.operators import units

AT_IMPORT = "import"
"""Instead of a test: functions that run while modules are imported."""

WALL_SECONDS = 400.0
CPU_FACTOR, CPU_SECONDS = 4, 6
MEMORY_BYTES = 6 << 30
NOTE = "_note_call"
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
)


class Recording(NamedTuple):
    """What tests do: their seconds, and function (`file:name`) → tests."""

    seconds: dict[str, float]
    tests: dict[str, list[str]]

    def of(self, file: str, function: str, most_seconds: float) -> list[str]:
        """Return the tests of a function, or of the whole module; those likely to notice first.

        Together they take at most `most_seconds`.
        """
        whole = f"{file}:"
        found = {
            test
            for name, tests in self.tests.items()
            if name == whole + function or (not function and name.startswith(whole))
            for test in tests
            if test != AT_IMPORT
        }
        stem = Path(file).stem
        ordered = sorted(found, key=lambda test: (stem not in test, self.seconds.get(test, 0.0)))
        totals = accumulate(self.seconds.get(test, 0.0) for test in ordered)
        return [test for test, total in zip(ordered, totals, strict=True) if total < most_seconds]

    def is_imported(self, file: str, function: str) -> bool:
        """Return whether what a function does may be done while modules are imported."""
        return not function or AT_IMPORT in self.tests.get(f"{file}:{function}", ())


class Recorder:
    """A plugin that notices which test calls which function of the modules."""

    def __init__(self, root: Path, modules: Iterable[str], target: Path) -> None:
        self._target = target
        self._test = AT_IMPORT
        self._calls: defaultdict[str, set[str]] = defaultdict(set)
        self._seconds: defaultdict[str, float] = defaultdict(float)
        vars(builtins)[NOTE] = lambda name: self._calls[name].add(self._test)
        _import_instead({each: _noting(root / each, each) for each in modules})

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self._test = item.nodeid
        begin = time.perf_counter()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.perf_counter() - begin

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus != pytest.ExitCode.OK:
            return  # the tests after a failure may be missing
        tests = {name: sorted(tests) for name, tests in self._calls.items()}
        self._target.write_text(json.dumps([self._seconds, tests]), encoding="utf-8")


def _noting(path: Path, file: str) -> CodeType:
    """Return the code of a module whose functions note that they are called."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for unit, name in units(tree.body):
        if name:
            call = ast.parse(f"{NOTE}({f'{file}:{name}'!r})").body
            place = int(ast.get_docstring(unit) is not None)
            unit.body[place:place] = [ast.copy_location(each, unit) for each in call]
            ast.fix_missing_locations(unit)
    return compile(tree, str(path), "exec")


class Job(NamedTuple):
    """A mutant to try.

    Attributes:
        place: where it is and what it changes.
        function: the function whose code it changes; empty if it changes what an import computes.
        code: returns the code of the changed module; called in a process of its own.
        options: of pytest.
        seconds: how long the tests take without it.
    """

    key: str
    place: str
    file: str
    function: str
    code: Callable[[], CodeType]
    tests: list[str]
    options: tuple[str, ...]
    seconds: float

    @property
    def files(self) -> set[str]:
        """Return the files of the tests."""
        return {test.partition("::")[0] for test in self.tests}


Tell = Callable[[Job, str, str], None]
"""Takes a job, its verdict, and the test that noticed."""

Note = Callable[[str], None]
"""Takes the test that has failed."""

Attempt = Callable[[Job, Note], int]
"""Tries a mutant in a process of its own, and returns the exit code."""


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

        noticed: Counter[str] = Counter()

        def attempt(job: Job, note: Note) -> int:
            replace(job)
            gc.disable()
            tests = sorted(job.tests, key=lambda test: -noticed[test])
            return run([items[test] for test in tests if test in items], note)

        def tell(job: Job, verdict: str, test: str) -> None:
            noticed[test] += 1
            self._tell(job, verdict, test)

        in_processes(self._jobs, self._processes, attempt, tell)
        return True


class Selection:
    """A plugin that runs the tests of a mutant and stops at the first that fails."""

    def __init__(self, tests: list[str], note: Note) -> None:
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
    """Run pytest in this process, with a folder of its own for temporary files."""
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
        found = function_of(job.file, job.function)
        found.__code__ = code_of(job.code(), job.function.split("."))
        return
    module = import_module(_dotted(job.file))
    changed: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(job.code(), changed)  # noqa: S102 - a module of this project
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
            for each in [*sys.modules.values()]:
                if vars(each).get(name) is old:
                    setattr(each, name, new)


def function_of(file: str, name: str) -> FunctionType:
    """Return a function of a module, without its decorators."""
    found: Any = import_module(_dotted(file))
    for part in name.split("."):
        found = vars(found)[part]
    if isinstance(found, property):
        found = found.fget
    function: FunctionType = getattr(found, "__func__", found)
    return function


def code_of(code: CodeType, names: list[str]) -> CodeType:
    """Return the code of a function within the code of its module."""
    for name in names:
        inner = [each for each in code.co_consts if isinstance(each, CodeType)]
        code = [each for each in inner if each.co_name == name][-1]
    return code


def _dotted(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


class ChangedModules:
    """An importer of changed modules, by their names."""

    def __init__(self, codes: dict[str, CodeType]) -> None:
        self._codes = codes

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Find a module as usual, but let its loader execute the changed code."""
        spec = PathFinder.find_spec(name, path) if name in self._codes else None
        if spec is not None:
            loader: Any = spec.loader
            loader.get_code = self._codes.__getitem__
        return spec


def _import_instead(codes: dict[str, CodeType]) -> None:
    finders: list[Any] = sys.meta_path
    finders.insert(0, ChangedModules({_dotted(file): code for file, code in codes.items()}))


def import_changed(job: Job, note: Note) -> int:
    """Try a mutant of what an import computes, see `Attempt`."""
    _import_instead({job.file: job.code()})
    selection = Selection(job.tests, note)
    code = run_pytest((*sorted(job.files), *job.options), selection)
    return NOTICED if code != pytest.ExitCode.OK else selection.code


def in_processes(jobs: Iterable[Job], processes: int, attempt: Attempt, tell: Tell) -> None:
    """Try each mutant in a forked process."""
    running: dict[int, tuple[Job, int, float]] = {}

    def reap(most: int) -> None:
        while len(running) > most:
            for process, (job, pipe, end) in list(running.items()):
                done, status = os.waitpid(process, os.WNOHANG)
                if not done and time.monotonic() > end:
                    os.kill(process, signal.SIGKILL)
                    _, status = os.waitpid(process, 0)
                elif not done:
                    continue
                del running[process]
                test = os.read(pipe, 4096).decode()
                os.close(pipe)
                tell(job, verdict(status), test)
            time.sleep(0.01)

    for job in jobs:
        reap(processes - 1)
        pipe, written = os.pipe()
        process = os.fork()
        if not process:
            _child(job, attempt, written)
        os.close(written)
        running[process] = job, pipe, time.monotonic() + WALL_SECONDS
    reap(0)


def _child(job: Job, attempt: Attempt, pipe: int) -> None:
    seconds = int(time.process_time() + job.seconds * CPU_FACTOR + CPU_SECONDS)
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
    """Return what the end of a process says about its mutant."""
    if os.WIFSIGNALED(status):
        return "timeout"
    return {0: "survived", NOTICED: "killed"}.get(os.WEXITSTATUS(status), "error")


def compiled(tree: ast.Module, plant: Callable[[], None], path: Path) -> CodeType:
    """Return the code of a changed tree; the tree stays changed."""
    plant()
    return compile(tree, str(path), "exec")
