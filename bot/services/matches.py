"""Playing: choices, draws, lost time and takebacks."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import delete, select, update

from bot.i18n import refusal_text
from bot.services.challenges import Challenges
from bot.services.clocks import DAY
from bot.services.models import DELETED_PLAYER, MatchStatus, TimerKind
from bot.services.nuisance import TakebackRequests
from bot.services.outbox import OutboxKind, OutboxStatus
from bot.services.outcomes import Outcome, OutcomeKind
from bot.services.places import note_left_places
from bot.services.preferences import rests_until
from bot.services.queries import people_of
from bot.services.seat_clocks import forget, ran_out, recall, schedule
from bot.services.stored import StoredAction, StoredMatch, StoredSeat
from bot.services.takebacks import no_takeback, reveals_information
from bot.services.transactions import (
    ChanceResult,
    count_lines,
    load,
    played_by,
    resolve_match_chance,
    seat_of,
)
from bot.services.versions import is_outdated
from bot.storage.database import Connection
from bot.storage.schema import actions, matches, outbox, seats, timers
from engine import games
from engine.endings import ENDING_VERBS, FORFEIT_REASONS, is_final
from engine.game import Action, AnyGame, IllegalActionError, View
from engine.notation import Complete, Illegal, Incomplete, parse
from render.i18n import _

BY_THE_CLOCK = frozenset({"flag"})
"""Exits that are not the players' to take."""


class Matches(Challenges):
    """All matches of one database: what a `Challenges` can, and playing."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._requests = TakebackRequests()

    async def act(
        self,
        interaction: int,
        match_id: int,
        user_id: int,
        line: str,
        decision: int | None = None,
        *,
        seen: int | None = None,
        confirms: bool = False,
    ) -> Outcome:
        """A player chooses.

        Args:
            interaction: id of the click or command.
            match_id: in which match.
            user_id: who.
            line: the choice as words of the notation, without the actor.
            decision: the version that the button carries; None for typed input.
            seen: the version of the match at which the player confirmed; None for any.
            confirms: do not make a legal choice that cannot be undone; return `confirm` instead.
        """

        async def choose(connection: Connection, row: StoredMatch, seat: str) -> Outcome:
            if decision is not None and row.decisions.get(seat) != decision:
                return await _too_late(connection, row, decision)
            if seen is not None and row.version != seen:
                sentence = _("The match has gone on since I asked you.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            game = games.get(row.game)
            try:
                action = _understand(game, row.state(), seat, line)
                if action is None:
                    return Outcome(OutcomeKind.MISSING, match_id)
                if confirms and is_final(action):
                    game.apply(row.state(), action)
                    return Outcome(OutcomeKind.CONFIRM, match_id)
                pending = await self._apply(connection, row, action)
            except IllegalActionError as error:
                return Outcome(OutcomeKind.REFUSED, match_id, error.rule, refusal_text(error))
            return Outcome(OutcomeKind.DONE, match_id, again=seat in pending)

        ends = not confirms and line in ("resign", "leave")
        return await self._transact(
            interaction, match_id, user_id, MatchStatus.RUNNING, choose, ends=ends
        )

    async def _apply(self, connection: Connection, row: StoredMatch, action: Action) -> str:
        """Do an action, roll what follows, and store it; gives the seats that decide next.

        Raises:
            IllegalActionError: the rules do not allow it.
        """
        game = games.get(row.game)
        before = row.state()
        state, __ = game.apply(before, action)
        rolled = resolve_match_chance(row, game, state, (action,))
        status = MatchStatus.FINISHED if game.result(rolled.state) else MatchStatus.RUNNING
        kept = _unchanged(row.decisions, action)
        asked = _to_notify(game, before, rolled.state)
        await self._store(
            connection, row, game, rolled, unchanged=kept, notify=asked, status=status
        )
        await self._next_of_series(connection, row, game, rolled)
        return game.pending(rolled.state)

    async def take_back(
        self, interaction: int, match_id: int, user_id: int, *, asked_at: int | None = None
    ) -> Outcome:
        """Take back the own last choice, or agree that another takes back theirs.

        It needs no consent until a player has learned something from it; then another one has to
        agree. Dice are never rolled again: a choice that a roll has followed stays. Each clock is
        as if the choice had not been made.

        Args:
            interaction: id of the click or command.
            match_id: in which match.
            user_id: who wants to, or who agrees.
            asked_at: the version at which another player asked; None for an own wish.

        Returns:
            With the kind `ask`, another player has been asked.
        """

        async def undo(connection: Connection, row: StoredMatch, seat: str) -> Outcome:
            live = select(actions).where(actions.c.match_id == match_id, actions.c.undone.is_(None))
            log = [
                StoredAction(*each)
                for each in await connection.execute(live.order_by(actions.c.number))
            ]
            lines = [Action.parse(each.line) for each in log]
            people = await people_of(connection, match_id)
            player = next(each for each in people if each.seat == seat)
            now = self._clock()
            if refused := no_takeback(row, lines, player, asked_at, now):
                return refused
            game = games.get(row.game)
            state = game.start(row.rules, row.options)
            for line in lines[:-1]:
                state, __ = game.apply(state, line)
            if asked_at is None and reveals_information(game, state, row.state(), lines[:-1]):
                if sentence := self._requests.refusal(match_id, row.version, len(lines)):
                    return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
                await self._queue(
                    connection,
                    match_id,
                    OutboxKind.TAKEBACK_REQUEST,
                    {"action_count": len(lines), "version": row.version},
                )
                outcome = Outcome(OutcomeKind.ASK, match_id)
                await self._remember(connection, interaction, outcome)
                return outcome
            earlier = await recall(connection, row, people, log[-1])
            asked, actor = game.pending(state), lines[-1].actor
            if actor not in row.decisions and earlier and earlier[actor].remaining(now) <= 0:
                sentence = _("The time for that choice would be over by now, so it stays.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            gone = (actions.c.match_id == match_id) & (actions.c.number == log[-1].number)
            await connection.execute(update(actions).where(gone).values(undone=now))
            await forget(connection, log[-1])
            kept = _unchanged(row.decisions, lines[-1])
            before = ChanceResult(state, (), row.rolled)
            await self._store(
                connection, row, game, before, unchanged=kept, notify=asked, earlier=earlier
            )
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._transact(interaction, match_id, user_id, MatchStatus.RUNNING, undo)

    async def claim(
        self,
        interaction: int,
        match_id: int,
        user_id: int,
        seat: str,
        *,
        seen: int | None = None,
        confirms: bool = False,
    ) -> Outcome:
        """Another player's time is over: they lose by it.

        Args:
            interaction: id of the click.
            match_id: in which match.
            user_id: who claims it.
            seat: whose time is over.
            seen: the version of the match at which the player confirmed; None for any.
            confirms: do not claim the match; return `confirm` where that is possible.
        """

        async def flag(connection: Connection, row: StoredMatch, own: str) -> Outcome:
            if seen is not None and row.version != seen:
                sentence = _("The match has gone on since I asked you.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            if seat == own:
                sentence = _("It is your own time that is over.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            people = {each.seat: each for each in await people_of(connection, match_id)}
            if seat not in row.decisions or people[seat].left != 0:
                sentence = _("There is no lost time to claim.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            if refused := await self._no_claim(connection, row, people[own], people[seat]):
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=refused)
            if confirms:
                return Outcome(OutcomeKind.CONFIRM, match_id)
            await self._apply(connection, row, Action(seat, "flag", ()))
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._transact(interaction, match_id, user_id, MatchStatus.RUNNING, flag)

    async def _no_claim(
        self, connection: Connection, row: StoredMatch, own: StoredSeat, late: StoredSeat
    ) -> str:
        """Return why a player may not claim the lost time of another; empty if they may."""
        if await _has_left(connection, row.id, own.seat):
            return _("You have left this match, so it is for the others to claim it.")
        ended = ran_out(own, self._clock()) if own.seat in row.decisions else None
        if ended is not None and ended <= (late.since or 0.0):
            return _("Your own time was over no later: make your choice first, then you can claim.")
        return ""

    async def move(
        self,
        interaction: int,
        match_id: int,
        user_id: int,
        channel: tuple[int | None, int],
        parent: int | None = None,
    ) -> Outcome:
        """Move a match: its board is posted there, and a thread is no longer made.

        Args:
            interaction: id of the command.
            match_id: which match.
            user_id: who wants it.
            channel: server's id (None in a DM) and channel's id.
            parent: the id of the channel above, if it is a thread.
        """

        async def settle(connection: Connection, row: StoredMatch, _seat: str) -> Outcome:
            await note_left_places(connection, row)
            there = {"guild_id": channel[0], "channel_id": channel[1], "parent_channel_id": parent}
            await connection.execute(update(matches).where(matches.c.id == row.id).values(**there))
            thread = (outbox.c.match_id == row.id) & (outbox.c.kind == OutboxKind.START_THREAD)
            await connection.execute(delete(outbox).where(thread))
            await self._repost_board(connection, row, moved=1)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._transact(interaction, match_id, user_id, MatchStatus.RUNNING, settle)

    async def leave_all(self, connection: Connection, user_id: int) -> None:
        """Give up a user's running matches and withdraw their challenges."""
        for row in await played_by(connection, user_id, MatchStatus.RUNNING):
            if is_outdated(row):
                await self._end_outdated(connection, row)
                continue
            seat = await seat_of(connection, row.id, user_id)
            two = len(await people_of(connection, row.id)) == 2
            with suppress(IllegalActionError):  # who has left already is not asked again
                await self._apply(connection, row, Action(seat, "resign" if two else "leave", ()))
        for row in await played_by(connection, user_id, MatchStatus.CHALLENGE):
            await self._close(connection, row, DELETED_PLAYER.user_id)

    async def out_of_time(
        self, connection: Connection, row: StoredMatch, seat: str, version: int
    ) -> None:
        """A seat's time is over: its clock stops at nothing, and the others may claim the match."""
        if not _is_pending(row, seat, version):
            return
        same = (seats.c.match_id == row.id) & (seats.c.seat == seat)
        runs = update(seats).where(same, seats.c.since.is_not(None), seats.c.left > 0)
        over = runs.values(left=0.0, since=seats.c.since + seats.c.left)
        if (await connection.execute(over)).rowcount:
            await self._repost_board(connection, row)

    async def warn(self, connection: Connection, row: StoredMatch, seat: str, version: int) -> None:
        """Call the players once more, for the time of one of them is nearly over."""
        if _is_pending(row, seat, version):
            await self._repost_board(connection, row)

    async def remind(
        self, connection: Connection, row: StoredMatch, seat: str, version: int
    ) -> None:
        """Call the players once more; in the quiet hours of who has to decide, when they end."""
        if not _is_pending(row, seat, version):
            return
        player = await _seat_row(connection, row.id, seat)
        end = rests_until(player.preferences, self._clock())
        if end is None:
            await self._repost_board(connection, row, reminder=1)
        else:
            await schedule(connection, player, version, {TimerKind.REMIND: end})

    async def snooze(self, interaction: int, match_id: int, user_id: int) -> Outcome:
        """Remind a player who has to decide in a day, and not before.

        Args:
            interaction: id of the click.
            match_id: in which match.
            user_id: who.
        """

        async def put_off(connection: Connection, row: StoredMatch, seat: str) -> Outcome:
            if seat not in row.decisions:
                sentence = _("There is nothing for you to decide just now, so I do not remind you.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            due, version = self._clock() + DAY, row.decisions[seat]
            same = (timers.c.match_id == match_id) & (timers.c.seat == seat)
            later = update(timers).where(same, timers.c.kind == TimerKind.REMIND).values(due=due)
            if not (await connection.execute(later)).rowcount:
                player = await _seat_row(connection, match_id, seat)
                await schedule(connection, player, version, {TimerKind.REMIND: due})
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._transact(interaction, match_id, user_id, MatchStatus.RUNNING, put_off)

    async def ensure_board(self, match_id: int) -> None:
        """Queue a check that the board of a running match is still there."""
        async with self._database.write() as connection:
            row = await load(connection, match_id)
            same = (outbox.c.match_id == match_id) & (outbox.c.kind == OutboxKind.ENSURE_BOARD)
            waiting = select(outbox.c.id).where(same, outbox.c.status == OutboxStatus.WAITING)
            known = (await connection.execute(waiting)).first()
            if row is not None and row.status == MatchStatus.RUNNING and known is None:
                payload = {
                    "action_count": await count_lines(connection, match_id),
                    "version": row.version,
                }
                await self._queue(connection, match_id, OutboxKind.ENSURE_BOARD, payload)

    async def _repost_board(self, connection: Connection, row: StoredMatch, **payload: int) -> None:
        """Post the board again, at the end of the channel, with its ping."""
        count = await count_lines(connection, row.id)
        payload |= {"action_count": count, "version": row.version}
        await self._queue(connection, row.id, OutboxKind.POST_BOARD, payload)


async def _seat_row(connection: Connection, match_id: int, seat: str) -> StoredSeat:
    """What is stored of a seat."""
    return next(each for each in await people_of(connection, match_id) if each.seat == seat)


async def _has_left(connection: Connection, match_id: int, seat: str) -> bool:
    """Return whether a player has left a match that others play on."""
    lines = [str(Action(seat, verb, ())) for verb in FORFEIT_REASONS]
    exits = select(actions.c.number).where(actions.c.match_id == match_id)
    return (await connection.execute(exits.where(actions.c.line.in_(lines)))).first() is not None


def _is_pending(row: StoredMatch, seat: str, version: int) -> bool:
    """Whether this decision of this seat is still pending."""
    return bool(row.status == MatchStatus.RUNNING and row.decisions.get(seat) == version)


def _unchanged(decisions: Mapping[str, int], action: Action) -> dict[str, int]:
    """The decisions that an action leaves as they were: those of others; all, if it is an exit."""
    return {
        seat: version
        for seat, version in decisions.items()
        if seat != action.actor or action.verb in ENDING_VERBS
    }


def _to_notify(game: AnyGame, before: Any, after: Any) -> str | None:
    """The seats that a new notice must call; None where the old one only needs to be redrawn."""
    was: View = game.view(before)
    now: View = game.view(after)
    if now.offer and not was.offer:
        return now.seats.replace(now.offer, "")
    if was.turn != now.turn or set(now.pending) - set(was.pending):
        return now.pending
    return None


def _understand(game: AnyGame, state: Any, seat: str, line: str) -> Action | None:
    """The action that these words mean; None if more words are needed.

    Raises:
        IllegalActionError: none, or not exactly one.
    """
    verb = line.split(" ", maxsplit=1)[0].lower()
    if verb in ENDING_VERBS - BY_THE_CLOCK:
        return Action.parse(f"{seat} {line.lower()}")
    reading = parse(game, state, seat, line)
    if isinstance(reading, Complete):
        return reading.action
    if isinstance(reading, Illegal):
        raise reading.error
    if isinstance(reading, Incomplete):
        return None
    lines = _(" or ").join(map(str, reading.actions))
    raise IllegalActionError("notation", "That can mean {lines}.", lines=lines)


async def _too_late(connection: Connection, row: StoredMatch, decision: int) -> Outcome:
    """Return why a button does not count: it is another player's, or the decision is made."""
    theirs = [seat for seat, version in row.decisions.items() if version == decision]
    if not theirs:
        return Outcome(OutcomeKind.STALE, row.id, sentence=_("That is already played."))
    name = (await _seat_row(connection, row.id, theirs[0])).name
    sentence = _("It is for {name} to decide this.").format(name=name)
    return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
