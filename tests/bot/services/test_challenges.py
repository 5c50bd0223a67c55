"""New challenges, open seats, rematches and series."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from bot.domain.client_seed import ClientSeed
from bot.domain.clocks import DAY
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.models import Player
from bot.domain.outbox import OutboxKind
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.terms import Terms
from bot.features.halls.message_kinds import HallKind
from bot.features.halls.service import Halls
from bot.services import challenges
from bot.services.challenges import OPEN_SEAT, Opening
from bot.services.match_repository import seats_of
from bot.services.match_store import recorded_outcome
from bot.services.preferences import Preferences
from bot.services.series import REMINDER_SECONDS
from bot.storage.connection import Connection
from bot.views.challenges import series_line
from engine import games
from tests.support.command import ROOT
from tests.support.harness import Stage, ids, play, words
from tests.support.matches import ADA, BO, EVE, PLAYERS, TABLE, MatchFixture, scheduled, terms

NOTATION = (ROOT / "docs" / "notation.md").read_text("utf-8")


async def queued(env: MatchFixture, kind: str) -> list[tuple[int, dict[str, int]]]:
    """Match and payload of each waiting message of a kind."""
    return [(row.match_id, row.payload) for row in await env.queued(kind=kind)]


@pytest.mark.parametrize(
    ("count", "side", "drawn"),
    [(2, "", "BY"), (2, "Y", ""), (2, "YB", ""), (3, "", "BYW"), (3, "Y", "BW"), (3, "YB", "")],
)
async def test_seats_are_drawn_among_two_or_more(
    env: MatchFixture, count: int, side: str, drawn: str
) -> None:
    agreed = terms("", "warp6", options={"seats": str(count)})
    outcome = await env.challenges.challenge(1, agreed, TABLE[:count], side=side)
    match = await env.queries.match(outcome.match_id)
    assert match.seats_to_draw == drawn
    assert not side or match.seat_of(ADA) == side[0]


@pytest.mark.parametrize(
    ("players", "side", "why"),
    [
        ([PLAYERS[0], Player(ADA, "Ada")], "", "against yourself"),
        (TABLE, "", "is for 2 players"),
        (PLAYERS, "X", "no side “X”"),
    ],
)
async def test_impossible_players_and_sides_are_refused(
    env: MatchFixture, players: list[Player], side: str, why: str
) -> None:
    outcome = await env.challenges.challenge(1, terms(), players, side=side)
    assert (outcome.kind, outcome.rule) == ("refused", "")
    assert why in outcome.sentence


async def test_limit_of_computer_matches_is_not_for_people(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.abuse_limits.MAX_COMPUTER_MATCHES", 1)
    players = [PLAYERS[0], computer_player()]
    kinds = [(await env.challenges.challenge(n, terms(), players)).kind for n in (1, 2)]
    assert kinds == ["done", "refused"]
    assert (await env.challenges.challenge(3, terms(), PLAYERS)).kind == "done"


@pytest.mark.parametrize(("choice", "rules"), [("", "0.6"), ("0.5.2", "0.5.2")])
async def test_a_new_challenge_is_as_agreed(env: MatchFixture, choice: str, rules: str) -> None:
    outcome = await env.challenges.challenge(1, terms(choice), PLAYERS)
    match = await env.queries.match(outcome.match_id)
    assert (match.rules, match.version) == (rules, 0)
    assert (match.round, match.rounds, match.rated) == (1, 1, "casual")
    assert await scheduled(env, match.id) == {"expire": [env.now + DAY]}


async def test_only_the_computer_has_a_level(env: MatchFixture) -> None:
    three = terms("", "warp6", options={"seats": "3"})
    players = [*PLAYERS, computer_player("captain")]
    outcome = await env.challenges.challenge(1, three, players)
    async with env.database.read() as connection:
        people = await seats_of(connection, outcome.match_id)
    assert {person.user_id: person.level for person in people} == {
        ADA: None,
        BO: None,
        -2: "captain",
    }


async def test_players_who_agreed_before_have_accepted(env: MatchFixture) -> None:
    three = terms("", "warp6", options={"seats": "3"})
    seated = dict(zip("BYW", TABLE, strict=True))
    opening = Opening(TABLE[0], agreed={ADA: 7, BO: 8})
    async with env.database.write() as connection:
        match_id = await env.challenges.open(connection, 7, three, seated, opening)
    match = await env.queries.match(match_id)
    assert (match.status, match.unaccepted, match.salt) == ("challenge", "W", "7,8")
    assert not match.seats_to_draw


async def test_next_match_of_a_rated_series_has_a_reminder(env: MatchFixture) -> None:
    agreed = terms("", "warp6", rounds=3, round=2, rated=True)
    outcome = await env.challenges.challenge(1, agreed, PLAYERS)
    timers = {"expire": [env.now + DAY], "series": [env.now + REMINDER_SECONDS]}
    assert await scheduled(env, outcome.match_id) == timers


async def test_only_open_seats_are_announced_in_the_hall(env: MatchFixture) -> None:
    await Halls(env.database).choose(GuildId(9), ChannelId(6), is_forum=False, now=env.now)
    there = Terms(game="wormholes", guild_id=GuildId(9), channel_id=ChannelId(5))
    await env.challenges.challenge(1, there, PLAYERS)
    assert await queued(env, HallKind.CALL_ROLE) == []
    outcome = await env.challenges.challenge(2, there, [PLAYERS[0], OPEN_SEAT])
    assert await queued(env, HallKind.CALL_ROLE) == [(outcome.match_id, {})]


async def test_a_closed_challenge_says_by_whom(env: MatchFixture) -> None:
    declined, expired = await env.ask(), await env.ask()
    await env.challenges.decline(next(env.ids), declined, BO)
    await env.strike("expire", expired, version=1)
    assert (await env.queries.match(expired)).status == "challenge", "the timer of a later version"
    await env.strike("expire", expired)
    assert (await env.queries.match(expired)).status == "closed"
    expected = [(declined, {"closed_by": BO}), (expired, {"closed_by": 0})]
    assert await queued(env, OutboxKind.UPDATE_CHALLENGE) == expected


async def test_a_series_waits_for_a_player_on_vacation(env: MatchFixture) -> None:
    agreed = terms("", "warp6", rounds=3, round=2, rated=True)
    waiting = await env.challenges.challenge(1, agreed, PLAYERS)
    plain = await env.challenges.challenge(2, terms(), PLAYERS)
    await env.vacations.begin(BO, env.now + 20 * DAY)
    for outcome in (waiting, plain):
        await env.strike("expire", outcome.match_id)
    assert (await env.queries.match(waiting.match_id)).status == "challenge"
    assert (await env.queries.match(plain.match_id)).status == "closed"


async def test_an_open_seat_is_for_the_first_who_joins(env: MatchFixture) -> None:
    outcome = await env.challenges.challenge(1, terms(), [PLAYERS[0], OPEN_SEAT], side="D")
    match = await env.queries.match(outcome.match_id)
    assert match.unaccepted == "O"
    own_seat = await env.challenges.accept(2, match.id, ADA, "Ada")
    assert own_seat.kind == "refused"
    assert (await env.challenges.accept(3, match.id, EVE, "Eve")).kind == "done"
    too_late = await env.challenges.accept(4, match.id, BO, "Bo")
    assert too_late.kind == "stale"
    match = await env.queries.match(match.id)
    assert match.status == "running"
    assert match.players == {"O": Player(EVE, "Eve"), "D": Player(ADA, "Ada")}


async def test_only_the_challenger_withdraws_an_open_seat(env: MatchFixture) -> None:
    outcome = await env.challenges.challenge(1, terms(), [PLAYERS[0], OPEN_SEAT])
    assert (await env.challenges.decline(2, outcome.match_id, EVE)).kind == "unknown"
    assert (await env.challenges.decline(3, outcome.match_id, ADA)).kind == "done"


async def test_a_card_sent_by_two_processes_at_once_counts_once(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL, a process may look for the outcome before another one has stored it."""
    looks = count()

    async def look(connection: Connection, request_id: int) -> Outcome | None:
        return await recorded_outcome(connection, request_id) if next(looks) else None

    await env.ask()
    first = await env.challenges.challenge(7, terms(), PLAYERS, request_id=6)
    monkeypatch.setattr(challenges, "recorded_outcome", look)
    second = await env.challenges.challenge(8, terms(), PLAYERS, request_id=6)
    assert second == first == Outcome(OutcomeKind.DONE, MatchId(2))
    assert len(await env.queries.list_for(ADA, "challenge")) == 2


async def test_three_seats_fill_one_by_one(env: MatchFixture) -> None:
    three = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(1, three, [PLAYERS[0], PLAYERS[1], OPEN_SEAT])
    assert (await env.challenges.accept(2, outcome.match_id, EVE, "Eve")).kind == "done"
    match = await env.queries.match(outcome.match_id)
    assert (match.status, match.salt) == ("challenge", "1,2")
    client_seed = ClientSeed("tails", 3, match.version)
    assert (
        await env.challenges.accept(4, outcome.match_id, BO, client_seed=client_seed)
    ).kind == "done"
    match = await env.queries.match(outcome.match_id)
    assert (match.status, match.salt) == ("running", "1,2,3:tails")
    assert {player.name for player in match.players.values()} == {"Ada", "Bo", "Eve"}


async def test_a_rematch_changes_sides_and_both_may_ask(env: MatchFixture) -> None:
    match_id = await env.begin()
    early = await env.rematches.rematch(next(env.ids), match_id, ADA)
    assert early.kind == "stale"
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    challenge = await env.rematches.rematch(next(env.ids), match_id, BO)
    assert challenge.kind == "done"
    match = await env.queries.match(challenge.match_id)
    assert match.seat_of(ADA) == "D"
    assert match.unaccepted == "D"
    rematch = await env.rematches.rematch(next(env.ids), match_id, BO)
    assert rematch.kind == "refused"
    accepted = await env.rematches.rematch(next(env.ids), match_id, ADA)
    assert accepted == Outcome(OutcomeKind.DONE, challenge.match_id)
    assert (await env.queries.match(challenge.match_id)).status == "running"


async def test_a_declined_rematch_can_be_asked_for_again(env: MatchFixture) -> None:
    match_id = await env.begin()
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    first = await env.rematches.rematch(next(env.ids), match_id, BO)
    await env.challenges.decline(next(env.ids), first.match_id, ADA)
    second = await env.rematches.rematch(next(env.ids), match_id, ADA)
    assert second.kind == "done"
    assert second.match_id != first.match_id


async def test_x5_2_a_series_goes_on_by_itself_with_the_same_seats(env: MatchFixture) -> None:
    series = Terms(game="warp6", rounds=3, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(next(env.ids), series, PLAYERS, side="B")
    for number in (1, 2, 3):
        match = (await env.queries.list_for(ADA, "challenge"))[0]
        assert (match.round, match.rounds) == (number, 3)
        assert match.seat_of(ADA) == "B"
        await env.challenges.accept(next(env.ids), match.id, BO)
        await env.matches.act(next(env.ids), match.id, ADA, "resign")
        record = await env.queries.record(match.id)
        assert record.headers["Series"] == f"{number}/3"
        undocumented = {name for name in record.headers if f"\n| `{name}` |" not in NOTATION}
        assert undocumented == {"Seat Y"}, "the page has `Seat B`"
        assert record.verify() > 0
    assert not await env.queries.list_for(ADA, "challenge")
    assert outcome.kind == "done"


async def test_series_of_namesakes_keeps_them_apart(env: MatchFixture) -> None:
    series = Terms(game="warp6", rounds=2, guild_id=None, channel_id=ChannelId(5))
    namesakes = [Player(ADA, "Kim"), Player(BO, "Kim")]
    outcome = await env.challenges.challenge(next(env.ids), series, namesakes, side="B")
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    await env.matches.act(next(env.ids), outcome.match_id, ADA, "resign")
    perspective = await env.queries.view(outcome.match_id)
    assert set(perspective.match.standing) == set(perspective.match.players)
    assert perspective.match.standing["B"] > 0
    line = series_line(perspective.match)
    assert line.startswith("Penalty points in this series of 2: ")
    for seat, points in perspective.match.standing.items():
        assert f"Kim ({games.get('warp6').sides[seat]}) {points}" in line


async def test_series_of_a_game_without_points_is_refused(env: MatchFixture) -> None:
    series = Terms(game="wormholes", rounds=3, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(next(env.ids), series, PLAYERS)
    assert outcome.kind == "refused"
    assert "Warp 6" in outcome.sentence
    assert not await env.queries.list_for(ADA, "challenge")


async def tomtube(env: MatchFixture, **options: str) -> MatchId:
    """A match of Tom Tube that Ada, who is Tom, has lost."""
    alone = Terms(game="tomtube", options=options, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(next(env.ids), alone, PLAYERS, side="T")
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    await env.matches.act(next(env.ids), outcome.match_id, ADA, "resign")
    return outcome.match_id


async def test_t5_6_handicap_goes_with_its_player_in_a_rematch(env: MatchFixture) -> None:
    match_id = await tomtube(env, launch_T="2")
    challenge = await env.rematches.rematch(next(env.ids), match_id, BO)
    match = await env.queries.match(challenge.match_id)
    assert match.options == {f"launch_{match.seat_of(ADA)}": "2"}
    assert match.seat_of(ADA) == "D"


async def test_t5_6_rematch_offers_the_loser_one_more(env: MatchFixture) -> None:
    match_id = await tomtube(env)
    challenge = await env.rematches.rematch(next(env.ids), match_id, BO, 0)
    match = await env.queries.match(challenge.match_id)
    assert match.options == {f"launch_{match.seat_of(ADA)}": "1"}
    repeated = await env.rematches.rematch(next(env.ids), match_id, ADA, 0)
    assert repeated == Outcome(OutcomeKind.DONE, challenge.match_id)


async def test_t5_6_rematch_offers_the_winner_one_less(env: MatchFixture) -> None:
    match_id = await tomtube(env, launch_D="3", launch_T="1")
    challenge = await env.rematches.rematch(next(env.ids), match_id, ADA, 0)
    match = await env.queries.match(challenge.match_id)
    assert match.options[f"launch_{match.seat_of(BO)}"] == "2"
    assert match.options[f"launch_{match.seat_of(ADA)}"] == "1"


async def test_rematch_on_other_terms_than_the_open_one_is_refused(env: MatchFixture) -> None:
    match_id = await tomtube(env)
    await env.rematches.rematch(next(env.ids), match_id, BO)
    other = await env.rematches.rematch(next(env.ids), match_id, ADA, 0)
    assert other.kind == "refused"
    assert other.sentence
    assert len(await env.queries.list_for(ADA, "challenge")) == 1


async def test_plain_rematch_beside_an_open_handicap_is_refused(env: MatchFixture) -> None:
    match_id = await tomtube(env)
    challenge = await env.rematches.rematch(next(env.ids), match_id, BO, 0)
    plain = await env.rematches.rematch(next(env.ids), match_id, ADA)
    assert plain.kind == "refused"
    assert "with other terms" in plain.sentence
    assert (await env.queries.match(challenge.match_id)).status == "challenge"


@pytest.mark.slow
async def test_handicap_is_offered_by_a_button_and_accepted(stage: Stage) -> None:
    match_id = await stage.begin(game="tomtube")
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    end = stage.last()
    assert "Rematch: Ada +1 energy at the start" in words(end)
    await stage.click(stage.bo, end, f"rematch:{match_id}:0")
    await stage.click(stage.ada, stage.last(), "accept:")
    match = await stage.client.context.queries.match(MatchId(match_id + 1))
    assert match.status == "running"
    assert match.options == {f"launch_{match.seat_of(stage.ada.id)}": "1"}


@pytest.mark.parametrize("text", ["soon", "0d"])
async def test_a_clock_that_cannot_be_played_is_refused(env: MatchFixture, text: str) -> None:
    outcome = await env.challenges.challenge(1, terms(clock=text), PLAYERS)
    assert (outcome.kind, outcome.rule) == ("refused", "")
    assert "clock" in outcome.sentence


@pytest.mark.slow
async def test_any_player_can_join_by_a_click(stage: Stage) -> None:
    await play(stage.ada, stage.channel)
    challenge = stage.last()
    assert "is looking for players" in words(challenge)
    await stage.click(stage.eve, challenge, "accept:")
    match = await stage.client.context.queries.match(MatchId(1))
    assert match.status == "running"
    assert "Eve" in match.names.values()
    assert "has started" in words(stage.public()[0])


@pytest.mark.slow
async def test_a_rematch_by_a_click(stage: Stage) -> None:
    match_id = await stage.begin()
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    await stage.click(stage.bo, stage.last(), "rematch:")
    assert "challenges you" in words(stage.last())
    await stage.click(stage.ada, stage.last(), "accept:")
    match = await stage.client.context.queries.match(MatchId(match_id + 1))
    assert match.status == "running"


async def test_what_is_agreed_stands_in_the_challenge(stage: Stage) -> None:
    await play(stage.ada, stage.channel, opponent=stage.bo, clock="3 days per turn", notes="on")
    text = words(stage.last())
    assert "3 days per turn" in text
    assert "Memory: the coins that you've seen are shown" in text
    assert "0.6" not in text
    match: Any = await stage.client.context.queries.match(MatchId(1))
    assert match.clock == "3d"
    assert any(i == "decline:1" for i in ids(stage.last()))
    assert match.expires_at - stage.clock.now == DAY


# Several at once


EACH = [[PLAYERS[0], Player(BO, "Bo")], [PLAYERS[0], Player(EVE, "Eve")]]


async def challenge_each(env: MatchFixture, request: int = 10_000) -> Outcome:
    """Ada challenges Bo and Eve, each to a match of their own."""
    return await env.challenges.challenge_each(request, terms(), EACH, side="D")


async def test_each_opponent_gets_a_match_of_their_own(env: MatchFixture) -> None:
    outcome = await challenge_each(env)
    again = await challenge_each(env)
    assert outcome == again, "a repeated click challenges no player twice"
    listed = await env.queries.list_for(ADA, "challenge")
    assert len(listed) == 2
    assert outcome.match_id == min(match.id for match in listed)
    assert sorted(match.players["O"].user_id for match in listed) == [BO, EVE]
    assert {match.seat_of(ADA) for match in listed} == {"D"}
    for match in listed:
        (opponent,) = {match.players[seat].user_id for seat in match.unaccepted}
        assert (await env.challenges.accept(next(env.ids), match.id, opponent)).kind == "done"
    assert len(await env.queries.list_for(ADA, "running")) == 2


async def test_if_one_cannot_be_challenged_none_is(env: MatchFixture) -> None:
    await Preferences(env.database).block(EVE, ADA)
    refused = await challenge_each(env)
    assert refused.kind == OutcomeKind.REFUSED
    assert "Eve isn't accepting challenges" in refused.sentence
    assert await env.queries.list_for(ADA, "challenge") == []
    assert await env.queued() == []
    await Preferences(env.database).unblock_all(EVE)
    assert (await challenge_each(env)).kind == OutcomeKind.DONE, "a refusal is not remembered"


@pytest.mark.parametrize(("open_challenges", "kind"), [(18, "done"), (19, "refused")])
async def test_challenges_of_one_click_count_for_the_limit(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, open_challenges: int, kind: str
) -> None:
    """The second one sees the first one of the same transaction."""
    monkeypatch.setattr("bot.services.abuse_limits.MAX_OPEN_PER_PAIR", 100)
    for _ in range(open_challenges):
        await env.ask()
    assert (await challenge_each(env)).kind == kind
    count = open_challenges + (2 if kind == "done" else 0)
    assert len(await env.queries.list_for(ADA, "challenge")) == count


async def test_impossible_terms_of_several_challenges_are_explained(env: MatchFixture) -> None:
    refused = await env.challenges.challenge_each(
        10_000, terms(), [*EACH, [PLAYERS[0]] * 2], side="D"
    )
    assert (refused.kind, await env.queries.list_for(ADA, "challenge")) == ("refused", [])
    assert "against yourself" in refused.sentence
