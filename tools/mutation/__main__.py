"""Change the rules and services one thing at a time, and show which changes no test notices.

    python -m tools.mutation [--sample N [--skip N]] [--jobs N] [--seconds S] [--again]
                             [MODULE.py …]

Without modules, all of `AREAS` are tried. The results are added to build/mutation/results.jsonl, so
that a run can be stopped and continued; `--again` tries survivors with the tests that are new, or
for which there was no time. The figures are in docs/developers/mutation.md.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from hypothesis import Phase, settings

from tools.mutation.checker import type_checker
from tools.mutation.operators import mutants
from tools.mutation.recording import Recorder, Recording
from tools.mutation.trial import (
    Job,
    Trials,
    import_changed,
    in_processes,
    planted,
    run_pytest,
)

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/mutation"
RESULTS = BUILD / "results.jsonl"
UNCHANGED, UNCLEAR = "unchanged", "unclear"
MYPY = "mypy"
"""Instead of a test."""

VERDICTS = {"killed", "timeout", "survived"}


class Area(NamedTuple):
    """Modules, the files and folders with their tests, and options of pytest for these."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    options: tuple[str, ...] = ()


WITH_SLOW = ("--tier=check", "-k", "not Postgre")
"""Most tests of the whole bot are slow ones. The mutated code is the same on PostgreSQL."""


RECORDING_TIMEOUT = "--timeout=120"
"""An option of pytest: recording slows tests down."""

MOST_FILES = 6
"""Files with tests that are imported again for a mutant of what an import computes."""

SHARED = ("plans", "playthroughs", "endings")
"""Tests of the rules of all games."""


def _rules(game: str, *modules: str) -> Area:
    return Area(
        tuple(f"engine/{game}/{module}.py" for module in modules),
        (f"tests/engine/{game}", *(f"tests/engine/test_{name}.py" for name in SHARED)),
    )


def _all_of(*folders: str) -> Area:
    """Return the modules of folders of the bot, with most tests of the bot."""
    files = [file for folder in folders for file in sorted(ROOT.glob(f"{folder}/*.py"))]
    tests = sorted((ROOT / "tests/bot/behaviour").glob("test_*.py"))
    selected = [test for test in tests if test.stem.removeprefix("test_") not in ELSEWHERE]
    return Area(
        tuple(str(file.relative_to(ROOT)) for file in files),
        (
            "tests/bot/outbox",
            "tests/bot/domain",
            "tests/bot/features",
            "tests/bot/services",
            "tests/bot/app/test_emojis.py",
            "tests/bot/test_logs.py",
            *(str(test.relative_to(ROOT)) for test in selected),
        ),
        WITH_SLOW,
    )


ELSEWHERE = frozenset(
    "canaries clicks cluster_kills commits_in_doubt cup_kills cup_leaks discord_description "
    "discord_limits every_text forged kills large_start leak_walks malformed outbox_conformance "
    "outbox_specification power_cuts races rating_races server_outages shared_jobs shutdown "
    "simulation tomtube_matches warp6_matches whole_matches".split()
)
"""Tests of the whole bot with separate processes, or that take long for each function."""

AREAS = {
    "wormholes": _rules("wormholes", "rules"),
    "warp6": _rules("warp6", "rules"),
    "tomtube": _rules("tomtube", "rules", "building", "moving", "drifting", "homeward"),
    "bot": _all_of("bot/domain", "bot/outbox", "bot/services", "bot/features/*"),
}
LIBRARIES = "PIL.Image alembic.command discord openskill prometheus_client sqlalchemy.ext.asyncio"
"""Imported once, before the processes are forked."""


def main() -> int:
    """Run the program; return 1 if there are survivors."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="of AREAS; all if left out")
    parser.add_argument("--sample", type=int, default=0, help="mutants in each area, not all")
    parser.add_argument("--skip", type=int, default=0, help="mutants of earlier samples")
    parser.add_argument("--jobs", type=int, default=1, help="processes at the same time")
    parser.add_argument("--seconds", type=float, default=60.0, help="of tests for each mutant")
    parser.add_argument("--again", action="store_true", help="try survivors with new tests")
    arguments = parser.parse_args()
    os.nice(19)
    os.chdir(ROOT)
    BUILD.mkdir(parents=True, exist_ok=True)
    for library in LIBRARIES.split():
        import_module(library)
    phases = Phase.explicit, Phase.generate
    settings.register_profile("mutation", database=None, derandomize=True, phases=phases)
    settings.load_profile("mutation")
    all_survivors = list[Job]()
    for name, area in AREAS.items():
        modules = [
            module
            for module in area.modules
            if not arguments.modules or module in arguments.modules
        ]
        if modules:
            jobs = _jobs(name, area, modules, arguments)
            verdicts, skipped = _verdicts(), {"killed", "timeout"} if arguments.again else VERDICTS
            untried = [job for job in jobs if verdicts.get(job.key) not in skipped]
            _try(_without_passed(untried), arguments.jobs)
            _check_types(jobs)
            all_survivors += _report(jobs)
    print(f"{len(all_survivors)} survivors")
    print(*(job.place for job in all_survivors), sep="\n")
    return bool(all_survivors)


def _jobs(name: str, area: Area, modules: list[str], arguments: argparse.Namespace) -> list[Job]:
    recording = _recording(name, area)
    each_job = partial(_of_module, recording, _results(), arguments.seconds, area.options)
    jobs = [job for module in modules for job in each_job(module)]
    if arguments.sample:
        # Keys are digests, so this is a random sample, and stays one when other code changes.
        jobs = sorted(jobs, key=lambda job: job.key)[arguments.skip :][: arguments.sample]
    return jobs


def _of_module(
    recording: Recording,
    results: Sequence[Result],
    seconds: float,
    options: tuple[str, ...],
    module: str,
) -> Iterator[Job]:
    tree, changes = mutants((ROOT / module).read_text(encoding="utf-8"))
    numbers: Counter[str] = Counter()
    first = {result.test for result in results if result.place.startswith(f"{module}:")}
    for change in changes:
        signature = f"{change.unit} {change.operator} {change.text}"
        numbers[signature] += 1
        is_imported = recording.is_imported(module, change.function)
        # Block 0 is the head of a function, with its defaults.
        block = "" if is_imported else f"{change.function}:{change.block or ''}"
        tests = recording.of(module, block, seconds, first)
        is_inside = change.is_inside and not is_imported
        yield Job(
            change.key(module, numbers[signature]),
            f"{module}:{change.name}",
            module,
            change.function if is_inside else "",
            change.function,
            partial(planted, tree, change.plant),
            tests,
            options,
        )


def _recording(name: str, area: Area) -> Recording:
    """Return which tests call which function; run them once if that is not known."""
    target = BUILD / f"{name}.json"
    if not target.exists():
        print(f"{name}: recording which tests call what …", flush=True)
        _forked(partial(_record, area, target))
    return Recording(*json.loads(target.read_text(encoding="utf-8")))


def _record(area: Area, target: Path) -> int:
    recorder = Recorder(ROOT, area.modules, target)
    return run_pytest((*area.tests, *area.options, RECORDING_TIMEOUT), recorder)


class Result(NamedTuple):
    """A verdict: the test that has noticed a mutant, or the versions of those that have passed."""

    key: str
    verdict: str
    place: str
    test: str = ""
    passed: Sequence[str] = ()


def _results() -> list[Result]:
    lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    return [Result(*json.loads(line)) for line in lines]


def _verdicts() -> dict[str, str]:
    """Return key → last verdict."""
    return {result.key: result.verdict for result in _results()}


def _without_passed(jobs: list[Job]) -> list[Job]:
    """Leave out the tests that have passed with a mutant, unless their file has changed since."""
    passed = defaultdict[str, set[str]](set)
    for result in _results():
        passed[result.key].update(result.passed)
    return [
        job._replace(
            tests={
                test: seconds
                for test, seconds in job.tests.items()
                if _version(test) not in passed[job.key]
            }
        )
        for job in jobs
    ]


def _version(test: str) -> str:
    """Return the name of a test with a digest of its file."""
    return f"{test} {_digest(test.partition('::')[0])}"


@cache
def _digest(file: str) -> str:
    path = ROOT / file
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else ""


def _try(jobs: list[Job], processes: int) -> None:
    for job in jobs:
        if not job.tests:
            _tell(job, "survived", "")
    if inside := [job for job in jobs if job.tests]:
        files = set[str]().union(*(job.files for job in inside))
        unchanged = {bool(job.function): _unchanged(job) for job in inside}.values()
        trials = Trials([*unchanged, *inside], processes, _tell_inside)
        _forked(partial(run_pytest, (*sorted(files), *inside[0].options), trials))
    verdicts = _verdicts()
    if imported := [_with_few_files(job) for job in jobs if verdicts.get(job.key) == UNCLEAR]:
        in_processes([_unchanged(imported[0]), *imported], processes, import_changed, _tell)


def _with_few_files(job: Job) -> Job:
    """Leave out tests: each file with tests is imported once more for each mutant."""
    files = dict.fromkeys(test.partition("::")[0] for test in job.tests)
    selected = {*[*files][:MOST_FILES]}
    tests = {test: job.tests[test] for test in job.tests if test.partition("::")[0] in selected}
    return job._replace(tests=tests)


def _check_types(jobs: list[Job]) -> None:
    """Try the mutants that no test has noticed with the type checker."""
    verdicts = _verdicts()
    survivors = [job for job in jobs if verdicts.get(job.key) == "survived"]
    survivors = [job._replace(tests={MYPY: 1.0}) for job in survivors]
    if survivors := [job for job in _without_passed(survivors) if job.tests]:
        files = {job.file for job in survivors}
        with type_checker(ROOT, files) as checker:
            in_processes([_unchanged(survivors[0]), *survivors], 1, checker.attempt, _tell)


def _tell_inside(job: Job, verdict: str, test: str) -> None:
    """Note a verdict, but not yet if only another import can show it.

    That is so for a table that was changed in place unnoticed, and for a function whose code could
    not be replaced.
    """
    is_unclear = verdict == "error" or (verdict == "survived" and not job.function)
    _tell(job, UNCLEAR if is_unclear and job.key != UNCHANGED else verdict, test)


def _unchanged(job: Job) -> Job:
    """Return a job that changes nothing, to show that its tests pass."""
    source = (ROOT / job.file).read_text(encoding="utf-8")
    tree = partial(ast.parse, source)
    return job._replace(key=UNCHANGED, place=f"{job.file}, unchanged", tree=tree)


def _forked(function: Callable[[], int]) -> None:
    """Call a function in a separate process; stop if it fails."""
    process = os.fork()
    if not process:
        code = 1
        try:
            code = function()
        finally:
            os._exit(code)
    _, status = os.waitpid(process, 0)
    if status:
        raise SystemExit("pytest has failed, see above")


def _tell(job: Job, verdict: str, test: str) -> None:
    if job.key == UNCHANGED:
        if verdict != "survived":
            raise RuntimeError(f"{job.place}: {verdict} by {test}")
    elif verdict != "error":
        passed = [*map(_version, job.tests)] if verdict == "survived" else []
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(Result(job.key, verdict, job.place, test, passed)) + "\n")
    if verdict not in {"killed", UNCLEAR} and job.key != UNCHANGED:
        print(f"{verdict} {job.place}", flush=True)


def _report(jobs: list[Job]) -> list[Job]:
    """Print the figures of each module; return the survivors."""
    verdicts = _verdicts()
    modules: defaultdict[str, Counter[str]] = defaultdict(Counter)
    survivors = []
    for job in jobs:
        verdict = verdicts.get(job.key, "error")
        modules[job.file][verdict] += 1
        if verdict == "survived":
            survivors.append(job)
    print(f"{'module':40} mutants killed timeouts survived score")
    for module, counts in sorted(modules.items()):
        killed, timeouts, survived = map(counts.__getitem__, ("killed", "timeout", "survived"))
        tried = killed + timeouts + survived
        score = (killed + timeouts) / max(tried, 1)
        print(f"{module:40} {tried:7} {killed:6} {timeouts:8} {survived:8} {score:5.1%}")
    return survivors


if __name__ == "__main__":
    sys.exit(main())
