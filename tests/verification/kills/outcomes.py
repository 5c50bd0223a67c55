"""Notes of a simulation's users about answers: choices that count, and takebacks."""

from __future__ import annotations

from tests.verification.kills.table import Answer, Table


def note_choice(table: Table, match: int, line: str, answer: Answer, *, counted: bool) -> bool:
    """Note a choice that was acknowledged, or was found done after a doubtful answer."""
    lines = table.expected(match).lines
    if not counted and answer["doubtful"]:
        query = (
            "SELECT line FROM actions WHERE match_id=? AND chosen_by IS NULL AND automatic IS NULL"
        )
        user_lines = [text.partition(" ")[2] for (text,) in table.rows(query, match)]
        times = user_lines.count(line) - lines.count(line)
        counted = times > 0
        table.simulation.report.found_done += counted
        if line == "draw offer":  # one that the computer declines can be repeated
            lines += [line] * (times - 1)
    if counted:
        lines.append(line)
        table.simulation.clocks.chosen(match, line)
    return counted


def note_takeback(table: Table, match: int, answer: Answer, *, counted: bool) -> bool:
    """Note a takeback, or several if the first one was found done after a doubtful answer."""
    expected = table.expected(match)
    planned = _undone(table, match, "plan") - expected.undone_plans
    undone = _undone(table, match) - len(expected.undone)
    times = min(undone, 1) if planned else int(counted)
    if answer["doubtful"]:
        table.simulation.report.found_done += undone > times
        times = max(times, undone)
    if planned:
        expected.undone_plans += planned
        table.simulation.clocks.forget(match)
        table.count("answers taken back" if times else "actions of plans taken back")
    for _ in range(times):
        expected.take_back()
        table.simulation.clocks.taken_back(match)
        table.count("takebacks")
    return bool(times)


def _undone(table: Table, match: int, automatic: str | None = None) -> int:
    """Return the number of actions taken back that the bot made for people for this reason."""
    query = "SELECT automatic FROM actions WHERE match_id=? AND undone_at IS NOT NULL"
    rows = table.rows(f"{query} AND chosen_by IS NULL", match)
    return sum(why == automatic for (why,) in rows)
