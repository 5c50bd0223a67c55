"""Break the bot on purpose, one mutant at a time, and show the test that notices.

    python -m tools.mutants [WORD …] [--simulate SECONDS]

Each mutant is a change of the source in a temporary copy of the tree; the exit code is 1 if one of
them survives. With `--simulate`, those that concern time, order or delivery are hunted in simulated
worlds (`tools.simulate`) instead of by tests, for so many seconds each. With words, only those are
tried whose names contain one of them.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
UNWANTED = ignore_patterns(".*", "__pycache__", "docs", "deploy")

KILLS = "tests/bot/behaviour/test_kills.py"

SIZE = "--hours", "0.5"
"""The simulated worlds for testing mutants."""


class Mutant(NamedTuple):
    """A bug: the file, its changes (old and new text), and the tests that should notice them.

    `is_simulated`: whether it can show in a simulated world.
    """

    name: str
    file: str
    changes: tuple[tuple[str, str], ...]
    tests: str
    is_simulated: bool = False


ACT = """\
    outcome = await context.matches.act(
        *(interaction.id, match_id, user_id, line[:100], decision),"""
ACCEPT = "    if not private:\n        await accept(interaction)\n"
GO_ON = "        await _show_next_choice(context, interaction, perspective)\n"
FIRE = """\
                    fired = await self._run(connection, timer)
"""
FIRE_LATER = """\
                    gone = delete(timers).where(timers.c.id == timer.id)
                    fired = bool((await connection.execute(gone)).rowcount)
                async with self._database.write() as connection:
                    row = await load(connection, timer.match_id)
                    if fired and row and not row.is_outdated:
                        handler = self._handlers[timer.kind]
                        await handler(connection, row, timer.seat, timer.version)
"""

VERSION_CHECK = "if decision is not None and decision != row.decisions.get(seat, NO_DECISION):"
KEPT = "remaining = {TimerKind.PING, *SILENCE, *((TimerKind.FLAG,) if over else ())}"
WITHOUT_FLAG = "remaining = {TimerKind.PING, *SILENCE}"

MUTANTS = (
    Mutant(
        "answer before commit",
        "bot/interactions/moves.py",
        ((GO_ON, ""), (ACT, ACCEPT + ACT)),
        KILLS,
        is_simulated=True,
    ),
    Mutant(
        "a fresh nonce for each attempt",
        "bot/domain/outbox.py",
        (
            (
                "return nonce_of(self.key, channel_id)",
                'return nonce_of(f"{self.attempts} {self.key}", channel_id)',
            ),
        ),
        "tests/bot/domain/test_outbox.py",
        is_simulated=True,
    ),
    Mutant(
        "synchronous=NORMAL",
        "bot/storage/sqlite.py",
        (("PRAGMA synchronous=FULL", "PRAGMA synchronous=NORMAL"),),
        "tests/bot/behaviour/test_power_cuts.py",
        is_simulated=True,
    ),
    Mutant(
        "no version check",
        "bot/services/matches.py",
        ((VERSION_CHECK, "if False:"),),
        "tests/bot/behaviour/test_races.py",
        is_simulated=True,
    ),
    Mutant(
        "delete a timer before firing it",
        "bot/services/timers.py",
        ((FIRE, FIRE_LATER),),
        "tests/bot/services/test_timers.py",
        is_simulated=True,
    ),
    Mutant(
        "an ended lease still marks rows",
        "bot/outbox/store.py",
        (
            ('    outbox.c.first_attempt_at == bindparam("begun"),\n', ""),
            ('    outbox.c.attempts == bindparam("attempt"),\n', ""),
        ),
        "tests/bot/behaviour/test_outbox_leases.py",
        is_simulated=True,
    ),
    Mutant(
        "an outage counts against the players",
        "bot/services/heartbeats.py",
        (("return not -skew <= now - last <= OUTAGE_SECONDS", "return False"),),
        "tests/bot/services/test_timers.py",
        is_simulated=True,
    ),
    Mutant(
        "draw without rejection",
        "engine/dice.py",
        (("fair = BYTE_VALUES**width // n * n", "fair = BYTE_VALUES**width"),),
        "tests/engine/test_dice.py",
        is_simulated=True,
    ),
    Mutant(
        "roll without the last join",
        "bot/services/match_start.py",
        (("dice = dice_of(row, client_seed)", "dice = dice_of(row, row.salt)"),),
        "tests/bot/domain/test_client_seed.py",
        is_simulated=True,
    ),
    Mutant(
        "roll from an exchanged seed",
        "bot/services/chance.py",
        (("if row.commitment != commitment(row.seed):", "if False:"),),
        "tests/bot/behaviour/test_dice_commitment.py",
    ),
    Mutant(
        "rate a match before its end",
        "bot/services/matches.py",
        (("if change.is_over:", 'if change.is_over or change.row.rated == "rated":'),),
        KILLS,
        is_simulated=True,
    ),
    Mutant(
        "two results with one number",
        "bot/services/rated_results.py",
        (("number = (latest or 0) + 1", "number = latest or 1"),),
        "tests/bot/behaviour/test_rating_audit.py",
        is_simulated=True,
    ),
    Mutant(
        "no search for what may have arrived",
        "bot/outbox/transport.py",
        (
            (
                "if not 0 <= self._clock() - delivery.first_attempt_at <= SEARCH_AFTER_SECONDS:",
                "if False:",
            ),
        ),
        KILLS,
        is_simulated=True,
    ),
    Mutant(
        "a takeback winds clocks up",
        "bot/services/takebacks.py",
        (("            earlier=wish.earlier,\n", ""),),
        "tests/bot/services/test_clocks_stateful.py",
        is_simulated=True,
    ),
    Mutant(
        "a clock that is set ends vacations",
        "bot/services/heartbeats.py",
        (("await connection.execute(later.values(**shifted))", "pass"),),
        "tests/bot/services/test_timers.py",
        is_simulated=True,
    ),
    Mutant(
        "a vacation in the time of a process whose clock is behind",
        "bot/services/heartbeats.py",
        (("if not _gaps(beats, self._clock()):", "if True:"),),
        "tests/bot/services/test_heartbeats.py",
    ),
    Mutant(
        "an outage counts until its heartbeat",
        "bot/domain/steady_clock.py",
        (("elapsed if elapsed <= OUTAGE_SECONDS else 0.0", "elapsed"),),
        "tests/bot/services/test_heartbeats.py",
    ),
    Mutant(
        "what was due before the clock was set back waits",
        "bot/services/heartbeats.py",
        (("since = min(last, last + gap)", "since = last"),),
        "tests/bot/services/test_clocks_stateful.py",
    ),
    Mutant(
        "an outage of another process counts",
        "bot/services/heartbeats.py",
        (("return last if _gaps({name: last}, now) else now", "return now"),),
        "tests/bot/services/test_heartbeats.py",
    ),
    Mutant(
        "the heartbeat follows the wall clock",
        "bot/app/heartbeat.py",
        (("self.beat.restart()", "pass"),),
        "tests/bot/behaviour/test_wall_clock.py",
        is_simulated=True,
    ),
    Mutant(
        "no end of a time while its player goes away",
        "bot/services/clocks.py",
        ((KEPT, WITHOUT_FLAG),),
        "tests/bot/services/test_vacation.py",
        is_simulated=True,
    ),
    Mutant(
        "the mark names the match, not the delivery",
        "bot/domain/outbox.py",
        (("        return mark_of(self.key)\n", "        return mark_of(str(self.match_id))\n"),),
        "tests/bot/domain/test_outbox.py",
        is_simulated=True,
    ),
    Mutant(
        "nonces from numbers of rows",
        "bot/domain/outbox.py",
        (
            (
                "return nonce_of(self.key, channel_id)",
                "return nonce_of(str(self.id), channel_id)",
            ),
        ),
        "tests/bot/domain/test_outbox.py",
        is_simulated=True,
    ),
    Mutant(
        "a move while the thread is made is overwritten",
        "bot/services/match_location.py",
        (
            (
                "exists().where(*start, outbox.c.kind == OutboxKind.START_THREAD)",
                "matches.c.id == match_id",
            ),
        ),
        "tests/bot/behaviour/test_places.py",
        is_simulated=True,
    ),
    Mutant(
        "no way back from a closed thread to its channel",
        "bot/outbox/destinations.py",
        (
            (
                "in filter(None, (match.channel_id, match.parent_channel_id))",
                "in (match.channel_id,)",
            ),
        ),
        "tests/bot/behaviour/test_places.py",
        is_simulated=True,
    ),
    Mutant(
        "the answer says saved, and no notes are stored",
        "bot/features/notes/service.py",
        (("    if text:\n        await upsert(", "    if not text:\n        await upsert("),),
        "tests/bot/features/notes/test_service.py",
        is_simulated=True,
    ),
    Mutant(
        "all read a plan that is not published",
        "bot/features/published_plans/service.py",
        (("or_(is_open, written", "or_(True, written"),),
        "tests/bot/features/published_plans/test_service.py",
    ),
    Mutant(
        "a plan's moves are marked during the match",
        "bot/services/automatic_moves.py",
        (("matches.c.status == MatchStatus.FINISHED,", ""),),
        "tests/bot/behaviour/test_forced_stories.py",
    ),
    Mutant(
        "posts are found by the local clock",
        "bot/features/halls/forums.py",
        (("if place >= NEWEST_POSTS and ", "if place >= 0 and "),),
        "tests/bot/features/halls/test_forum_posts.py",
        is_simulated=True,
    ),
    Mutant(
        "a closed position of the day waits for the clock",
        "bot/features/daily/posts.py",
        (
            ("over = not daily.is_open(self._clock())", "over = daily.closes_at <= self._clock()"),
            ("            if work == before:", "            if before == ():"),
        ),
        "tests/bot/features/daily/test_posts.py",
    ),
)


def main() -> int:
    """Try all mutants and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="only mutants whose name contains one of these")
    parser.add_argument("--simulate", type=float, metavar="SECONDS", default=0.0)
    arguments = parser.parse_args()
    seconds: float = arguments.simulate
    mutants = [
        mutant
        for mutant in MUTANTS
        if (mutant.is_simulated or not seconds)
        and (not arguments.words or any(word in mutant.name for word in arguments.words))
    ]
    survivors = 0
    for mutant in mutants:
        begin = _processor_seconds()
        caught = hunt_simulated(mutant, seconds) if seconds else hunt(mutant)
        survivors += not caught
        verdict = f"caught by {caught}" if caught else "SURVIVES"
        print(f"{mutant.name} ({_processor_seconds() - begin:.0f} s): {verdict}", flush=True)
    print(f"{len(mutants) - survivors} of {len(mutants)} mutants caught")
    return bool(survivors)


def _processor_seconds() -> float:
    """Return the processor time of all programs that were run."""
    used = os.times()
    return used.children_user + used.children_system


def hunt(mutant: Mutant) -> str:
    """Return the test that fails with a mutant, and its message; empty if none does."""
    options = "-x", "-q", "-p", "no:cacheprovider", "--tier=check"
    with planted(mutant) as tree:
        done = run(tree, "pytest", *options, mutant.tests)
    if done.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise SystemExit(f"{mutant.name}: no test has run; fix this mutant\n{done.stderr}")
    failed = re.search(
        r"^(?:FAILED|ERROR) (\S+(?: kills\]| images\]| races\])?)", done.stdout, re.MULTILINE
    )
    reason = re.search(r"^E +(.+)", done.stdout, re.MULTILINE)
    return f"{failed[1]}\n    {reason[1] if reason else ''}" if failed else ""


def hunt_simulated(mutant: Mutant, seconds: float) -> str:
    """Return the first simulated world that fails with a mutant; empty if none does in time."""
    with planted(mutant) as tree:
        done = run(tree, "tools.simulate", "--seconds", str(seconds), "--first", *SIZE)
    failed = re.search(r"^repeat it: python -m tools.simulate (.*)", done.stdout, re.MULTILINE)
    reason = re.search(r"^(\w+: .*|AssertionError.*)", done.stdout, re.MULTILINE)
    return f"{failed[1]}\n    {reason[1][:200] if reason else ''}" if failed else ""


@contextmanager
def planted(mutant: Mutant) -> Iterator[Path]:
    """Make a copy of the tree with a mutant; it is deleted after the block."""
    with TemporaryDirectory(prefix="mutant-") as folder:
        tree = Path(folder) / "tree"
        copytree(ROOT, tree, ignore=UNWANTED)
        file = tree / mutant.file
        source = file.read_text(encoding="utf-8")
        for old, new in mutant.changes:
            if source.count(old) != 1:
                raise SystemExit(f"{mutant.name}: {mutant.file} has changed; fix this mutant")
            source = source.replace(old, new)
        file.write_text(source, encoding="utf-8")
        yield tree


def run(tree: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of a copy of the tree."""
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
