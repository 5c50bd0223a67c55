"""A challenge that its sender is still preparing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.domain.clocks import Clock
from bot.domain.computer_players import COMPUTER_NAMES, computer_player
from bot.domain.ids import NO_CHANNEL, OPEN_USER_ID, UserId
from bot.domain.models import Player
from bot.domain.pools import is_solo, terms_refusal
from bot.domain.seating import options_for
from bot.domain.terms import Terms
from engine import games
from engine.game import AnyGame, IllegalActionError

SOLO_CLOCK = "3d"
"""The default clock of a rated match against the computer; of a casual one, none."""

MAX_ROUNDS = 9
"""Maximum number of matches in a series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeDraft:
    """The choices of a challenger; `check` raises an error if they are inconsistent.

    Attributes:
        opponents: user IDs of the invited players; the bot's own stands for the computer.
        level: level of the computer; empty for the default, or to leave free seats open.
        clock: see `bot.domain.clocks.Clock.parse`.
        side: the challenger's seat; empty to draw it.
        rounds: number of matches in the series.
        options: name → value, as chosen.
        rated: whether the result is to change ratings, if it can.
    """

    game: str
    opponents: tuple[UserId, ...] = ()
    level: str = ""
    clock: str = ""
    rules: str
    side: str = ""
    rounds: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    rated: bool = False

    def check(self) -> None:
        """Check that the choices are possible.

        Raises:
            ValueError: one of them is not.
        """
        game = games.get(self.game)
        possible = (
            len(set(self.opponents)) == len(self.opponents) < len(game.sides),
            self.level in ("", *COMPUTER_NAMES),
            self.rules in game.rules,
            self.side in ("", *game.sides),
            1 <= self.rounds <= (MAX_ROUNDS if game.in_series else 1),
            all(value in game.options.get(name, ()) for name, value in self.options.items()),
        )
        if not all(possible):
            raise ValueError(self)
        Clock.parse(self.clock)

    @property
    def completed_options(self) -> dict[str, str]:
        """Return all options of the match, so that each invited player has a seat."""
        return options_for(games.get(self.game), self.options, 1 + len(self.opponents))

    @property
    def seats(self) -> str:
        """Return the seats of the match."""
        seats: str = games.get(self.game).seats(self.completed_options)
        return seats

    @property
    def free_seats(self) -> int:
        """Return the number of seats without an invited player."""
        return len(self.seats) - 1 - len(self.opponents)

    def is_solo(self, bot_id: UserId | None) -> bool:
        """Return whether one person plays against the computer alone.

        Args:
            bot_id: user ID of the bot, which stands for the computer.
        """
        return is_solo(self._players(bot_id))

    def rating_refusal(self, bot_id: UserId | None) -> str:
        """Return the reason for refusing a rating, or an empty string; also empty if unrated.

        Args:
            bot_id: see `is_solo`.
        """
        terms = Terms(
            game=self.game,
            rules=self.rules,
            options=self.completed_options,
            clock=self.clock,
            guild_id=None,
            channel_id=NO_CHANNEL,
            rated=self.rated,
        )
        return terms_refusal(terms, self._players(bot_id))

    def with_needed_clock(self, bot_id: UserId | None) -> ChallengeDraft:
        """Return the draft with a clock if it needs one to be rated; see `is_solo`."""
        needed = self.rated and self.is_solo(bot_id) and not self.clock
        return replace(self, clock=SOLO_CLOCK) if needed else self

    def _players(self, bot_id: UserId | None) -> list[Player]:
        """Return players of the same kinds as the match has."""
        computer, person = computer_player(), Player(OPEN_USER_ID, "")
        invited = [computer if opponent == bot_id else person for opponent in self.opponents]
        return [person, *invited, *[computer if self.level else person] * self.free_seats]

    def with_option(self, name: str, value: str) -> ChallengeDraft:
        """Return the draft with another option; opponents without a seat are left out."""
        game, opponents = games.get(self.game), self.opponents
        options = {**self.options, name: value}
        if not _fits(game, options, 1 + len(opponents)):
            opponents = opponents[: len(game.seats(options)) - 1]
        return _seated(replace(self, options=options, opponents=opponents))

    def with_opponents(self, opponents: tuple[UserId, ...]) -> ChallengeDraft:
        """Return the draft with other opponents; options that leave them no seat are dropped."""
        game, options = games.get(self.game), dict(self.options)
        opponents = opponents[: len(game.sides) - 1]
        while options and not _fits(game, options, 1 + len(opponents)):
            options.popitem()
        return _seated(replace(self, options=options, opponents=opponents))


def remembered(draft: ChallengeDraft) -> ChallengeDraft:
    """Return the terms for a player's next card: no players, and no options that depend on them."""
    game = games.get(draft.game)
    usual = len(game.seats({}))
    options = {
        name: value
        for name, value in draft.options.items()
        if name.rpartition("_")[2] not in game.sides and len(game.seats({name: value})) == usual
    }
    return replace(draft, opponents=(), side="", rounds=1, options=options, rated=False)


def _seated(draft: ChallengeDraft) -> ChallengeDraft:
    """Return the draft; without its side if its match no longer has that seat."""
    return draft if draft.side in draft.seats else replace(draft, side="")


def _fits(game: AnyGame, options: Mapping[str, str], people: int) -> bool:
    try:
        options_for(game, options, people)
    except IllegalActionError:
        return False
    return True
