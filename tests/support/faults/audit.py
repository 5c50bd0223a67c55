"""What must be true in the end: the log, the announcements, the boards, the bot's own log."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bot.services.computer_players import FALLBACK
from bot.services.outbox import OutboxKind, Target
from engine import games
from engine.computer.audit import audit
from engine.computer.choosers import HEADER, choosers_text
from engine.game import CHANCE, Action
from engine.record import Record, RecordError
from tests.support.fake_log import Posted
from tests.support.fake_objects import dm, is_dm
from tests.support.faults.audit_log import Queued
from tests.support.faults.daily import SQUARE, DailyAudit
from tests.support.faults.expected import Expected
from tests.support.faults.halls import HallAudit

if TYPE_CHECKING:
    from tests.support.faults.kills import Simulation

ALWAYS = frozenset({OutboxKind.POST_CHALLENGE, OutboxKind.POST_BOARD, OutboxKind.POST_RESULT})
"""Kinds that are posted whatever happens meanwhile."""

WHILE_PRESENT = frozenset(
    {OutboxKind.TAKEBACK_REQUEST, OutboxKind.ABANDON_REQUEST, OutboxKind.TURN_DM}
)
"""Kinds that are left out once the match has gone on."""

BOARDS = frozenset(
    {
        OutboxKind.POST_BOARD,
        OutboxKind.POST_RESULT,
        OutboxKind.EDIT_BOARD,
        OutboxKind.ENSURE_BOARD,
    }
)
"""Kinds that post a board of a match; the last two do so only where the old one is gone."""

ALL_CLOSED = "neither the channel nor the players can be reached"
"""The only reason for which something is not announced."""

COMPUTERS = "SELECT seat FROM seats WHERE match_id=? AND level IS NOT NULL"
"""The seats that the computer plays: it leaves a match when all people have."""

PLACED = r"\bplace [SMCA][0-5]\b"
"""A coin with its value, as the notation has it."""

INTERACTION_TOKEN = r"\bt\d{5,}\b"
"""The token of an interaction with the number that follows the t."""


class Audit:
    """Compares what was acknowledged, what is in the database and what stands on Discord.

    Args:
        simulation: that has come to its end.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._fake, self._audit_log, self._report = (
            simulation.fake,
            simulation.audit_log,
            simulation.report,
        )
        self._halls = HallAudit(simulation)
        self._queued = list(simulation.audit_log.queued())
        self._posts = self._find_posts()

    def _find_posts(self) -> dict[int, list[Posted]]:
        """Return the messages of each delivery, by its number: its mark and nonce tell it."""
        by_mark: defaultdict[int, list[Queued]] = defaultdict(list)
        for each in self._queued:
            by_mark[each.message.mark].append(each)
        found: defaultdict[int, list[Posted]] = defaultdict(list)
        posted = [post for post in self._fake.posted if post.channel != SQUARE]
        for post in posted:
            named = [e for e in by_mark[post.mark] if e.message.nonce(post.channel) == post.nonce]
            for each in (named or by_mark[post.mark])[:1]:
                found[each.number].append(post)
        known = sum(map(len, found.values()))
        for _ in range(len(posted) - known):
            self._report.blame("misplaced", "a message that was never queued")
        return found

    def check(self) -> None:
        """Do all of it."""
        report, expected = self._report, self._simulation.expected
        report.matches = len(expected)
        report.acknowledged = sum(len(each.lines) for each in expected.values())
        for match, each in expected.items():
            self._check_log_of(match, each)
            self._check_board(match, each)
            self._check_choices(match)
            self._check_plans(match, each)
        self._check_jobs()
        for told in self._halls.wrong():
            report.blame("wrong_halls", told)
        for told in DailyAudit(self._simulation).wrong():
            report.blame("announced_twice", told)
        self._check_announcements()
        self._check_order()
        self._check_traces()
        self._check_log()

    # The log of a match

    def _check_log_of(self, match: int, expected: Expected) -> None:
        """Each acknowledged choice counted once and in order; those taken back are undone."""
        query = (
            "SELECT line, undone_at FROM actions WHERE match_id=? AND chosen_by IS NULL"
            " AND automatic IS NULL ORDER BY number"
        )
        others = {seat for (seat,) in self._audit_log.rows(COMPUTERS, match)} | {CHANCE}
        rows = [row for row in self._audit_log.rows(query, match) if row[0][0] not in others]
        own = [line.partition(" ")[2] for line, _ in rows]
        undone = [place for place, (_, at) in enumerate(rows) if at is not None]
        told = f"match {match}: {own} {undone}, acknowledged {expected}"
        for line in set(own) | set(expected.lines):
            more = own.count(line) - expected.lines.count(line)
            for _ in range(abs(more)):
                self._report.blame("applied_twice" if more > 0 else "lost", told)
        if own != expected.lines or undone != sorted(expected.undone):
            self._report.blame("out_of_order", told)

    def _check_plans(self, match: int, expected: Expected) -> None:
        """No plan is left of a match that is over, and no order was carried out twice."""
        left = "SELECT 1 FROM plans JOIN matches ON id = match_id WHERE id=? AND status<>'running'"
        if self._audit_log.rows(left, match):
            self._report.blame("plans_left", f"match {match} has a plan")
        query = "SELECT substr(line, 1, 1), automatic FROM actions WHERE match_id=?"
        made = Counter(self._audit_log.rows(f"{query} AND automatic IS NOT NULL", match))
        for (seat, why), count in made.items():
            if why == "plan" and count > expected.orders[seat]:
                self._report.blame("applied_twice", f"match {match}: {count} orders of {seat}")
        self._report.planned_actions += sum(n for (_, why), n in made.items() if why == "plan")
        self._report.forced_actions += sum(n for (_, why), n in made.items() if why == "forced")

    # The computer

    def _check_choices(self, match: int) -> None:
        """Each choice of the computer follows from what its seat knew, and from the seed."""
        query = (
            "SELECT line, chosen_by FROM actions WHERE match_id=? AND undone_at IS NULL"
            " ORDER BY number"
        )
        rows = self._audit_log.rows(query, match)
        lines, players = [Action.parse(line) for line, _ in rows], [player for _, player in rows]
        chosen = [player for player in players if player]
        if not chosen:
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
            found = audit(Record(headers, tuple(lines)))
        except RecordError as error:
            self._report.blame("other_choices", f"match {match}: {error}")
            return
        if found != (len(chosen), 0):
            self._report.blame("other_choices", f"match {match}: {found} of {len(chosen)}")
        self._report.computer_choices += len(chosen)
        self._report.replaced_choices += sum(each.startswith(FALLBACK) for each in chosen)

    def _check_jobs(self) -> None:
        """No turn is left to play but in matches that go on, of which a player was never told."""
        query = (
            "SELECT match_id, status FROM computer_jobs JOIN matches ON matches.id = match_id"
            " WHERE status <> 'running' OR matches.version <> computer_jobs.version"
        )
        known = [match for match in self._simulation.expected if self._jobs_of(match)]
        for told in (*self._audit_log.rows(query), *known):
            self._report.blame("jobs_left", f"{told}")

    def _jobs_of(self, match: int) -> int:
        return len(self._audit_log.rows("SELECT 1 FROM computer_jobs WHERE match_id=?", match))

    # Boards

    def _check_board(self, match: int, expected: Expected) -> None:
        """The stored position is what the log leads to; the newest board shows it, no other."""
        query = "SELECT game, rules, options, position, channel_id FROM matches WHERE id=?"
        ((name, rules, options, position, channel),) = self._audit_log.rows(query, match)
        lines = self._live_lines(match)
        state = _state(name, rules, options, lines)
        if games.get(name).dump(state) != position:
            self._report.blame("wrong_boards", f"match {match}: its position is not its log's")
        if expected.moved and channel != expected.moved:
            self._report.blame("misplaced", f"match {match}: in {channel}, not {expected.moved}")
        boards = [
            post
            for each in self._queued
            if each.message.match_id == match and each.message.kind in BOARDS
            for post in self._posts[each.number]
        ]
        newest = self._newest(match)
        if newest is None:
            return
        copies = {post.id for post in self._posts[newest.number]}
        for post in boards:
            self._check_copy(match, post, len(lines), channel, newest=post.id in copies)

    def _live_lines(self, match: int) -> list[str]:
        query = "SELECT line FROM actions WHERE match_id=? AND undone_at IS NULL ORDER BY number"
        return [line for (line,) in self._audit_log.rows(query, match)]

    def _newest(self, match: int) -> Queued | None:
        """Return the delivery that has posted the newest board; blame if there is none."""
        found = [
            each
            for each in self._queued
            if each.message.match_id == match
            and each.message.kind in BOARDS
            and self._posts[each.number]
        ]
        if not found:
            if ALL_CLOSED not in self._dead_of(match):
                self._report.blame("unannounced", f"match {match} has no board")
            return None
        return found[-1]

    def _dead_of(self, match: int) -> set[str]:
        query = "SELECT error FROM outbox WHERE match_id=? AND status='failed'"
        return {reason for (reason,) in self._audit_log.rows(query, match)}

    def _check_copy(
        self, match: int, post: Posted, lines: int, channel: int, *, newest: bool
    ) -> None:
        """The newest board stands where the match is played; the others have no controls."""
        fake = self._fake
        if post.channel in fake.deleted | fake.locked | set(map(dm, self._simulation.erased)):
            return  # it cannot be changed, or the bot has forgotten where it is
        shown = fake.marks(post.channel, post.id)
        where = f"match {match}: message {post.id} in {post.channel}"
        if not newest:
            if any(
                each.startswith((f"act:{match}:", f"part:{match}:", f"menu:{match}"))
                for each in shown
            ):
                self._report.blame("wrong_boards", f"{where} has controls")
            return
        if _moments(shown, match) != [lines] and ALL_CLOSED not in self._dead_of(match):
            self._report.blame("wrong_boards", f"{where} shows {_moments(shown, match)}, {lines}")
        if post.channel != channel and not is_dm(post.channel):
            self._report.blame("misplaced", f"{where}, but it is played in {channel}")

    # Announcements

    def _check_announcements(self) -> None:
        """Everything that was to be sent has been sent once, where it belongs."""
        failed = self._audit_log.failed()
        for each in self._queued:
            posts = self._posts[each.number]
            self._report.announcements += bool(posts)
            if posts:
                self._report.sent[_name(each)] += 1
            if self._is_double(posts):
                told = f"{_name(each)} of match {each.message.match_id}, {len(posts)} times"
                self._report.blame("announced_twice", told, *self._tell_of(each, posts))
            if not posts and self._must_be_sent(each):
                self._check_reason(each, failed.get(each.message.key, ""))
            self._check_places(each, posts)

    def _is_double(self, posts: list[Posted]) -> bool:
        """Whether something stands twice: in one channel, or in two that both exist.

        By DM each player has one.
        """
        channels = [post.channel for post in posts if post.channel not in self._fake.deleted]
        direct = set(filter(is_dm, channels))
        public = set(channels) - direct
        return len(channels) > len(set(channels)) or len(public) + bool(direct) > 1

    def _must_be_sent(self, each: Queued) -> bool:
        """Whether this can be left out for no other reason than that everything is closed."""
        message = each.message
        user = message.target.user_id
        if user and (dm(user) in self._fake.refusals or user in self._simulation.erased):
            self._report.dropped["DMs closed or data deleted"] += 1
            return False
        if message.kind in WHILE_PRESENT:
            query = "SELECT version FROM matches WHERE id=?"
            ((version,),) = self._audit_log.rows(query, message.match_id)
            present = bool(version == message.payload["version"])
            self._report.dropped["the match has gone on"] += not present
            return present
        return message.kind in ALWAYS or (
            message.kind == OutboxKind.PRIVATE_HAND and self._has_hand(message.match_id)
        )

    def _has_hand(self, match: int) -> bool:
        """Whether something is hidden in a match from its beginning on."""
        ((game,),) = self._audit_log.rows("SELECT game FROM matches WHERE id=?", match)
        return bool(game == "wormholes")

    def _check_reason(self, each: Queued, reason: str) -> None:
        if reason == ALL_CLOSED:
            self._report.dropped[reason] += 1
        else:
            told = f"{_name(each)} of match {each.message.match_id}: {reason or 'no reason'}"
            self._report.blame("unannounced", told, *self._tell_of(each, []))

    def _check_places(self, each: Queued, posts: list[Posted]) -> None:
        """A message stands where its match is or was played, or with one of its players."""
        expected = self._simulation.expected.get(each.message.match_id)
        if expected is None:
            return  # its challenger was told to try again, and never heard of it
        rooms = {str(channel) for channel in expected.channels}
        for post in posts:
            parent = self._fake.threads.get(post.channel, {}).get("parent_id")
            here = post.channel in expected.channels or parent in rooms
            here = self._halls.is_here(each, post.channel) or (
                here and not each.message.target.is_hall
            )
            if user := each.message.target.user_id:
                here = post.channel == dm(user)
            elif is_dm(post.channel):
                here = post.channel in map(dm, expected.users)
            if not here:
                told = f"{_name(each)} of match {each.message.match_id} in {post.channel}"
                self._report.blame("misplaced", told)

    def _check_order(self) -> None:
        """What is about a match comes in the order in which it was queued."""
        came: defaultdict[tuple[int, Target], list[tuple[int, int]]] = defaultdict(list)
        for each in self._queued:
            for post in self._posts[each.number]:
                came[each.message.match_id, each.message.target].append((post.id, each.number))
        for (match, target), posts in came.items():
            numbers = [number for _, number in sorted(posts)]
            if numbers != sorted(numbers):
                self._report.blame("out_of_order", f"match {match}, {target}: {numbers}")

    def _tell_of(self, each: Queued, posts: list[Posted]) -> Iterator[str]:
        """All that is known of a delivery: its messages, its attempts, the requests."""
        message = each.message
        yield f"  queued {message.id} for {message.target}: {message.kind} {message.payload}"
        query = (
            "SELECT attempts, worker_id, first_attempt_at, lease_expires_at, note FROM handled "
            "WHERE name=? ORDER BY number"
        )
        for row in self._audit_log.rows(query, message.key):
            attempts, worker, tried, lease, note = row
            yield f"    attempt {attempts} by {worker}, {tried}, lease until {lease}: {note}"
        for post in posts:
            yield f"    message {post.id} in {post.channel}, nonce {post.nonce}"
        nonces, channels = {p.nonce for p in posts}, {p.channel for p in posts}
        begin, end = (posts[0].at, posts[-1].at) if posts else (0.0, 0.0)
        for asked in self._fake.asked:
            look = asked.channel in channels and begin <= asked.at <= end
            if asked.nonce in nonces or (look and not asked.nonce):
                yield f"    {asked}"

    # Words

    def _check_traces(self) -> None:
        """No user whose data was deleted is named any more."""
        for name in self._fake.said_again:
            self._report.blame("traces", f"{name} was named after the deletion")
        for (name,) in self._audit_log.rows("SELECT name FROM seats"):
            if name in self._simulation.forgotten:
                self._report.blame("traces", f"{name} is still stored")

    def _check_log(self) -> None:
        """Nothing was an error, and nothing that is secret was ever logged, chatty as it was."""
        log = self._audit_log.log.read_text(encoding="utf-8")
        report = self._report
        report.lines_logged = log.count("\n")
        for line in log.splitlines():
            if re.search('"level": "(ERROR|CRITICAL)"', line):
                report.blame("errors_logged", line)
        seeds = self._audit_log.rows("SELECT seed FROM matches")
        secrets = [form for (seed,) in seeds for form in (seed.hex(), repr(seed)[2:-1])]
        report.secrets_logged = sum(map(log.count, (*secrets, "canary")))
        report.secrets_logged += len(re.findall(rf"{PLACED}|{INTERACTION_TOKEN}", log))


def _name(each: Queued) -> str:
    """Return what was to be announced."""
    payload = each.message.payload
    return (
        "reminder"
        if payload.get("reminder")
        else "move"
        if payload.get("moved")
        else each.message.kind
    )


def _moments(found: Any, match: int) -> list[int]:
    """Return the action counts of a match that these marks show."""
    start = f"text:{match}:"
    return [int(each.removeprefix(start)) for each in found if each.startswith(start)]


def _state(name: str, rules: str, options: Any, lines: list[str]) -> Any:
    """Return the position to which a log leads."""
    return Record(_headers(name, rules, options), tuple(map(Action.parse, lines))).replay().state


def _headers(name: str, rules: str, options: Any) -> dict[str, str]:
    """Return the headers of a record that name its game and rules."""
    chosen = json.loads(options) if isinstance(options, str) else options
    headers = {"Game": name, "Rules": rules}
    if chosen:
        headers["Options"] = " ".join(f"{key}={value}" for key, value in chosen.items())
    return headers
