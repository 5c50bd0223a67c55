"""The terms of a match: the game, its rules and options, the clock, the series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.domain.clocks import Clock
from bot.domain.ids import ChannelId, GuildId, MatchId
from engine import games
from engine.game import Action, IllegalActionError
from render.i18n import format_list


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a match.

    Attributes:
        rules: the rule set; empty for the default.
        options: name → value.
        clock: see `bot.domain.clocks.Clock.parse`.
        rounds: number of matches in the series.
        guild_id: the server; None in a DM.
        channel_id: the channel of the match.
        parent_channel_id: the parent channel, if the channel is a thread.
        parent_id: number of the previous match, or of the one that `lines` come from.
        round: number of this match in the series.
        lines: actions that the match takes over, see `bot.domain.origin`.
        rated: whether its result changes ratings.
    """

    game: str
    rules: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    clock: str = ""
    rounds: int = 1
    guild_id: GuildId | None
    channel_id: ChannelId
    parent_channel_id: ChannelId | None = None
    parent_id: MatchId | None = None
    round: int = 1
    lines: Sequence[Action] = ()
    rated: bool = False


def check_terms(terms: Terms) -> None:
    """Check that these terms can be played.

    Raises:
        IllegalActionError: no such game, rule set, option or clock.
    """
    game = games.get(terms.game)
    game.start(terms.rules or game.rules[0], terms.options)
    if terms.rounds > 1 and not game.in_series:
        all_games = map(games.get, games.names())
        others = format_list([other.title for other in all_games if other.in_series])
        raise IllegalActionError(
            "",
            "{game} has no points to add up, so it can't be played as a series; {others} can.",
            game=game.title,
            others=others,
        )
    try:
        Clock.parse(terms.clock)
    except ValueError as error:
        raise IllegalActionError("", "{why}", why=str(error)) from None
