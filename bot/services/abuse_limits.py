"""Limits on challenges and takeback requests, and blocked players."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from bot.domain.computer_players import has_computer
from bot.domain.ids import COMPUTER_USER_ID, MatchId, UserId, Version
from bot.domain.models import MatchStatus, Player
from bot.services.preferences import PreferenceKey, blocked_by, wants
from bot.services.rows import SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import matches, players, seats
from engine import games
from render.i18n import _, ngettext

MAX_OPEN_CHALLENGES = 20
"""Maximum number of open challenges of one player."""

MAX_OPEN_PER_PAIR = 3
"""Maximum number of open challenges from one player to another."""

MAX_COMPUTER_MATCHES = 10
"""Maximum number of one player's matches in progress against the computer."""

MAX_REQUESTS_PER_CHOICE = 3
"""Maximum number of takeback requests for the same choice."""

MAX_MATCHES_TRACKED = 1000


async def challenge_refusal(
    connection: Connection, challenger: Player, opponents: Collection[Player]
) -> str:
    """Return the reason for refusing a challenge now, or an empty string."""
    names = {opponent.user_id: opponent.name for opponent in opponents if opponent.is_person}
    names.pop(challenger.user_id, None)
    query = select(players).where(players.c.user_id.in_(list(names)))
    for row in await connection.execute(query):
        blocks = challenger.user_id in blocked_by(row.preferences)
        if blocks or not wants(row.preferences, PreferenceKey.CHALLENGES):
            sentence = _("{name} isn't accepting challenges from you right now.")
            return sentence.format(name=names[row.user_id])
    open_challenges = (matches.c.status == MatchStatus.CHALLENGE) & (
        matches.c.challenger_id == challenger.user_id
    )
    count = select(func.count()).select_from(matches).where(open_challenges)
    if (await connection.execute(count)).scalar_one() >= MAX_OPEN_CHALLENGES:
        return _(
            "You have too many open challenges; withdraw some in `/games`, or wait for answers."
        )
    pairs = select(seats.c.user_id).join(matches, matches.c.id == seats.c.match_id)
    pairs = pairs.where(open_challenges, seats.c.user_id.in_(list(names))).group_by(seats.c.user_id)
    full = await connection.execute(pairs.having(func.count() >= MAX_OPEN_PER_PAIR))
    if (user_id := full.scalars().first()) is not None:
        sentence = _(
            "{name} hasn't answered your other challenges yet; wait for that, or withdraw one in "
            "`/games`."
        )
        return sentence.format(name=names[user_id])
    return ""


def seat_refusal(people: Sequence[SeatRow], user_id: UserId) -> str:
    """Return the reason that a user cannot join players, or an empty string if none blocks them."""
    for seat in people:
        if seat.is_person and user_id in blocked_by(seat.preferences):
            sentence = _("{name} isn't starting matches with you right now; choose another match.")
            return sentence.format(name=seat.name)
    return ""


async def computer_refusal(connection: Connection, user_id: UserId, game: str) -> str:
    """Return the reason for refusing a match against the computer now, or an empty string."""
    if not has_computer(game):
        return _("I can't play {game} myself; it's a game for people.").format(
            game=games.get(game).title
        )
    match_ids = select(seats.c.match_id).where(seats.c.user_id == user_id)
    running = (
        select(func.count(matches.c.id.distinct()))
        .join(seats, seats.c.match_id == matches.c.id)
        .where(matches.c.id.in_(match_ids), matches.c.status == MatchStatus.RUNNING)
        .where(seats.c.user_id == COMPUTER_USER_ID)
    )
    if (await connection.execute(running)).scalar_one() < MAX_COMPUTER_MATCHES:
        return ""
    sentence = ngettext(
        "You're already playing {count} match against the computer; finish it first.",
        "You're already playing {count} matches against the computer; finish one first.",
        MAX_COMPUTER_MATCHES,
    )
    return sentence.format(count=MAX_COMPUTER_MATCHES)


_NOT_STORED = Version(-1)


class TakebackRequest(NamedTuple):
    """The last request of a match.

    Attributes:
        version: the version of the match; -1 if it could not be stored.
        action_count: the number of actions, including the one to undo.
        times: number of requests for this action.
        interaction_id: id of the click or command.
    """

    version: Version
    action_count: int
    times: int
    interaction_id: int


class TakebackRequests:
    """Limits takeback requests: one for each position, a few for each choice.

    The counts are kept in memory; a restart resets them.
    """

    def __init__(self) -> None:
        self._asked: OrderedDict[int, TakebackRequest] = OrderedDict()

    def refusal(
        self, match_id: MatchId, version: Version, action_count: int, interaction_id: int
    ) -> str:
        """Count a request to undo the last action; return why it is refused, or an empty string."""
        last = self._asked.get(match_id, TakebackRequest(_NOT_STORED, action_count, 0, 0))
        if last.version == version:
            return _("You've already asked; wait for the answer.")
        count = last.times if last.action_count == action_count else 0
        if count >= MAX_REQUESTS_PER_CHOICE:
            return _("You've asked to take this back too often; please play on.")
        request = TakebackRequest(version, action_count, count + 1, interaction_id)
        self._asked[match_id] = request
        self._asked.move_to_end(match_id)
        if len(self._asked) > MAX_MATCHES_TRACKED:
            self._asked.popitem(last=False)
        return ""

    def withdraw(self, match_id: MatchId, interaction_id: int) -> None:
        """Do not count a request that could not be stored."""
        last = self._asked.get(match_id)
        if last and last.interaction_id == interaction_id:
            self._asked[match_id] = last._replace(version=_NOT_STORED, times=last.times - 1)
