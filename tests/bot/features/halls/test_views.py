"""The messages of a hall keep to Discord's limits."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.ids import COMPUTER_USER_ID, ChannelId, GuildId, MatchId, UserId, Version
from bot.domain.models import Match, MatchStatus, Player
from bot.features.halls import views as halls
from bot.features.halls.service import MAX_LISTED, Listing
from bot.services.match_summaries import MatchSummary
from bot.views.challenges import thread_name
from engine import games
from tests.support.harness import walk
from tests.support.limits import check_limits, components

NAME = "*" * 32


def match(number: int, game: str, status: MatchStatus) -> Match:
    """A match whose players have long names."""
    seats = games.get(game).seats({})
    players = {seat: Player(UserId(10**18 + n), NAME) for n, seat in enumerate(seats)}
    return Match(
        id=MatchId(MatchId(10) ** 9 + number),
        game=game,
        rules=games.get(game).rules[0],
        options={},
        status=status,
        version=Version(1),
        decisions=dict.fromkeys(seats, Version(1)),
        guild_id=GuildId(10**18),
        channel_id=ChannelId(10**18),
        challenger_id=UserId(10**18),
        players=players,
        unaccepted="",
        commitment="",
        expires_at=2e9,
    )


def listed(count: int, status: MatchStatus) -> tuple[MatchSummary, ...]:
    """Matches of all games."""
    names = games.names()
    every = [match(number, names[number % len(names)], status) for number in range(count)]
    return tuple(MatchSummary(entry, 1.8e9, (10**18, 10**18 + entry.id)) for entry in every)


def test_longest_list_keeps_to_the_limits() -> None:
    running = listed(MAX_LISTED, MatchStatus.RUNNING)
    message = halls.hall_list(Listing(listed(MAX_LISTED, MatchStatus.CHALLENGE), running, 5))
    check_limits(message)
    texts = [
        component["content"] for component in walk(components(message)) if "content" in component
    ]
    there = sum(f"#{entry.match.id}" in texts[-1] for entry in running)
    assert 0 < there < MAX_LISTED
    hidden = 5 + MAX_LISTED - halls.MAX_JOIN_BUTTONS + MAX_LISTED - there
    assert f"and {hidden} more matches" in texts[-1]
    assert sum(map(len, texts)) <= 4000


def test_empty_list_and_longest_call_keep_to_the_limits() -> None:
    check_limits(halls.hall_list(Listing()))
    check_limits(halls.role_call(Listing(listed(MAX_LISTED, MatchStatus.CHALLENGE)), 10**18))


def test_post_of_each_stage_keeps_to_the_limits() -> None:
    for game in games.names():
        for status in MatchStatus:
            listed_match = MatchSummary(match(1, game, status), 1.8e9, None)
            for elsewhere in (False, True):
                check_limits(halls.card(listed_match, elsewhere=elsewhere))
            assert 0 < len(thread_name(listed_match.match)) <= 100


def test_tags_are_found_by_name_in_either_language() -> None:
    tags = {"wormholes": 1, "open seat": 2, "finished": 3}
    over = match(1, "wormholes", MatchStatus.FINISHED)
    assert halls.tags_of(over, tags) == [1, 3]
    assert halls.tags_of(replace(over, status=MatchStatus.RUNNING), tags) == [1]
    assert halls.tags_of(replace(over, status=MatchStatus.CHALLENGE), tags) == [1, 2]
    assert halls.tags_of(over, {}) == []


def test_seat_that_the_computer_keeps_is_open() -> None:
    computer = Player(COMPUTER_USER_ID, "Starpost", "cadet")
    open_match = match(1, "wormholes", MatchStatus.RUNNING)
    kept = replace(open_match, players={"O": open_match.players["O"], "D": computer}, joinable="D")
    assert halls.tags_of(kept, {"open seat": 2}) == [2]
    parts = components(halls.hall_list(Listing((MatchSummary(kept, 1.8e9, None),))))
    assert any(part.get("custom_id") == f"accept:{kept.id}" for part in walk(parts))
