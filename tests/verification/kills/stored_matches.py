"""Check that the stored matches of a simulation agree with its answers to users."""

from __future__ import annotations

import json
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from bot.domain.computer_players import FALLBACK
from engine import games
from engine.computer.audit import audit
from engine.computer.choosers import HEADER, choosers_text
from engine.game import CHANCE, Action
from engine.record import Record, RecordError
from tests.verification.kills.dice import wrong_dice
from tests.verification.kills.expected import Expected

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

COMPUTERS = "SELECT seat FROM seats WHERE match_id=? AND level IS NOT NULL AND user_id < 0"
"""The computer's own seats: it leaves a match when all people have."""

DECLINED = "draw decline"

LOST_ON_TIME = """
SELECT 1 FROM matches JOIN seats ON match_id = id WHERE id=? AND rated='rated'
GROUP BY id HAVING sum(level IS NULL) = 1 AND count(*) > 1
AND sum(level IS NULL AND seconds_left = 0) = 1
"""
"""Whether a player has used up the time of a rated match against the computer, which ends it."""


class StoredMatchAudit:
    """Compares the acknowledged actions with the matches in the database."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._audit_log, self._report = simulation.audit_log, simulation.report

    def check(self, match: int, expected: Expected) -> None:
        """Its log, position, channel, dice, computer players and plans are as they must be."""
        self._check_log_of(match, expected)
        self._check_position(match, expected)
        if wrong := wrong_dice(self._audit_log, match):
            self._report.blame("wrong_dice", f"match {match}: {wrong}")
        self._check_choices(match)
        self._check_plans(match, expected)

    def _check_log_of(self, match: int, expected: Expected) -> None:
        """Each acknowledged choice counted once and in order; those taken back are undone."""
        query = (
            "SELECT line, undone_at FROM actions WHERE match_id=? AND chosen_by IS NULL"
            " AND automatic IS NULL ORDER BY number"
        )
        others = {seat for (seat,) in self._audit_log.rows(COMPUTERS, match)} | {CHANCE}
        rows = [row for row in self._audit_log.rows(query, match) if row[0][0] not in others]
        rows = _without_declined(rows, expected)
        lines = [line.partition(" ")[2] for line, _ in rows]
        if lines[-1:] == ["flag"] and self._audit_log.rows(LOST_ON_TIME, match):
            lines.pop()
        if expected.has_notice and lines[-1:] == ["abandon"] and "abandon" not in expected.lines:
            lines.pop()
        undone = [place for place, (_, at) in enumerate(rows) if at is not None]
        detail = f"match {match}: {lines} {undone}, acknowledged {expected}"
        for line in set(lines) | set(expected.lines):
            more = lines.count(line) - expected.lines.count(line)
            for _ in range(abs(more)):
                self._report.blame("applied_twice" if more > 0 else "lost", detail)
        if lines != expected.lines or undone != sorted(expected.undone):
            self._report.blame("out_of_order", detail)

    def _check_position(self, match: int, expected: Expected) -> None:
        """The stored position is what the log leads to, and the match where it was moved to."""
        query = "SELECT game, rules, options, position, channel_id FROM matches WHERE id=?"
        ((name, rules, options, position, channel),) = self._audit_log.rows(query, match)
        query = "SELECT line FROM actions WHERE match_id=? AND undone_at IS NULL ORDER BY number"
        lines = [line for (line,) in self._audit_log.rows(query, match)]
        state = _state(name, rules, options, lines)
        if games.get(name).dump(state) != position:
            self._report.blame("wrong_boards", f"match {match}: its position is not its log's")
        if expected.moved and channel != expected.moved:
            self._report.blame("misplaced", f"match {match}: in {channel}, not {expected.moved}")

    def _check_plans(self, match: int, expected: Expected) -> None:
        """No plan is left of a match that is over, and no order was carried out twice."""
        left = "SELECT 1 FROM plans JOIN matches ON id = match_id WHERE id=? AND status<>'running'"
        if self._audit_log.rows(left, match):
            self._report.blame("plans_left", f"match {match} has a plan")
        query = "SELECT substr(line, 1, 1), automatic FROM actions WHERE match_id=?"
        automatic = Counter(self._audit_log.rows(f"{query} AND automatic IS NOT NULL", match))
        for (seat, why), count in automatic.items():
            if why == "plan" and count > expected.orders[seat]:
                self._report.blame("applied_twice", f"match {match}: {count} orders of {seat}")
        self._report.planned_actions += sum(n for (_, why), n in automatic.items() if why == "plan")
        self._report.forced_actions += sum(
            n for (_, why), n in automatic.items() if why == "forced"
        )

    # The computer

    def _check_choices(self, match: int) -> None:
        """Each choice of the computer follows from what its seat knew, and from the seed."""
        query = (
            "SELECT line, chosen_by FROM actions WHERE match_id=? AND undone_at IS NULL"
            " ORDER BY number"
        )
        rows = self._audit_log.rows(query, match)
        lines, players = [Action.parse(line) for line, _ in rows], [player for _, player in rows]
        computed = [player for player in players if player]
        if not computed:
            return
        query = "SELECT game, rules, options, engine_version, seed, commitment FROM matches"
        ((name, rules, options, version, seed, dice),) = self._audit_log.rows(
            f"{query} WHERE id=?", match
        )
        headers = _headers(name, rules, options) | {
            "Version": str(version),
            "Dice": dice,
            "Seed": bytes(seed).hex(),
            HEADER: choosers_text(lines, players),
        }
        try:
            result = audit(Record(headers, tuple(lines)))
        except RecordError as error:
            self._report.blame("other_choices", f"match {match}: {error}")
            return
        if result != (len(computed), 0):
            self._report.blame("other_choices", f"match {match}: {result} of {len(computed)}")
        self._report.computer_choices += len(computed)
        self._report.replaced_choices += sum(player.startswith(FALLBACK) for player in computed)

    def check_jobs(self) -> None:
        """Check that computer turns are left only in matches in progress that no player knows."""
        query = (
            "SELECT match_id, status FROM computer_jobs JOIN matches ON matches.id = match_id"
            " WHERE status <> 'running' OR matches.version <> computer_jobs.version"
        )
        matches = [match for match in self._simulation.expected if self._jobs_of(match)]
        for row in (*self._audit_log.rows(query), *matches):
            self._report.blame("jobs_left", f"{row}")

    def _jobs_of(self, match: int) -> int:
        return len(self._audit_log.rows("SELECT 1 FROM computer_jobs WHERE match_id=?", match))


def _without_declined(rows: list[Any], expected: Expected) -> list[Any]:
    """Return the lines without draws that were declined for players who were away."""
    wanted, remaining = deque(expected.lines), list[Any]()
    for row in rows:
        seat, _, choice = row[0].partition(" ")
        is_answer = choice == DECLINED and seat in expected.stood_in
        if is_answer and (not wanted or wanted[0] != DECLINED):
            continue
        remaining.append(row)
        if wanted:
            wanted.popleft()
    return remaining


def _state(name: str, rules: str, options: Any, lines: list[str]) -> Any:
    """Return the position to which a log leads."""
    return Record(_headers(name, rules, options), tuple(map(Action.parse, lines))).replay().state


def _headers(name: str, rules: str, options: Any) -> dict[str, str]:
    """Return the headers of a record that name its game and rules."""
    fields = json.loads(options) if isinstance(options, str) else options
    headers = {"Game": name, "Rules": rules}
    if fields:
        headers["Options"] = " ".join(f"{key}={value}" for key, value in fields.items())
    return headers
