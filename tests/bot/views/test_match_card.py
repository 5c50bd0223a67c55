"""The buttons that the card of a match, or of a challenge, offers to whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.ids import ChannelId, UserId
from bot.domain.models import Match, MatchStatus, Rated
from bot.domain.waiting import Absent
from bot.views.match_card import buttons, card
from bot.views.message import Message
from engine import games
from tests.support.limits import check_limits
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.view_messages import ids, kinds, open_to_all, words

SEAL = "sha256:0f"
ABOUT_IT = ["dice", "howto", "rules"]
"""What everyone is offered."""


HERE, ELSEWHERE = ChannelId(5), ChannelId(6)


def offered(match: Match, user: UserId, *, computers: bool = True) -> list[str]:
    """Return the prefixes of the buttons for a user on a challenge."""
    items = buttons(match, user, HERE, computers=computers)
    return [str(item.custom_id).partition(":")[0] for item in items]


def opened(match: Match, user: UserId, published: str, where: ChannelId = HERE) -> Message:
    """Return the card as a user opens it in a channel."""
    return card(match, user, published, buttons(match, user, where, computers=False), where)


async def test_card_offers_each_user_only_what_they_may_do(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert offered(match, ADA) == ["withdraw"]
    assert offered(match, BO) == ["luck", "block"]
    assert offered(match, EVE) == []


async def test_card_offers_one_who_accepted_no_second_accepting(env: MatchFixture) -> None:
    match = replace(await env.queries.match(await env.ask()), unaccepted="")
    assert offered(match, BO) == ["block"]


async def test_card_of_an_open_challenge_offers_to_join(env: MatchFixture) -> None:
    match = open_to_all(await env.queries.match(await env.ask()))
    assert offered(match, EVE) == ["luck"]
    assert offered(match, ADA) == ["computer", "withdraw"]
    assert offered(match, ADA, computers=False) == ["withdraw"]
    assert offered(replace(match, rated=Rated.RATED), ADA) == ["withdraw"]


async def test_computer_takes_no_seat_of_an_invited_player(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert "computer" not in offered(match, ADA)


@pytest.mark.parametrize("status", [MatchStatus.FINISHED, MatchStatus.CLOSED])
async def test_card_of_a_settled_challenge_offers_no_answer(
    env: MatchFixture, status: MatchStatus
) -> None:
    match = replace(await env.queries.match(await env.ask()), status=status)
    assert offered(match, ADA) == offered(match, BO) == []


async def test_card_hands_on_the_published_commitment(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert f"dice:1:{SEAL}" in ids(opened(match, BO, SEAL))
    assert f"dice:1:{match.commitment}" in ids(opened(match, BO, ""))


def in_progress(match: Match, user: UserId, where: ChannelId = HERE) -> list[str]:
    """Return the prefixes of the buttons in the card of a match in progress."""
    message = opened(match, user, "", where)
    check_limits(message)
    prefixes = kinds(message)
    assert prefixes[0] == "show", "nothing that ends the match"
    assert prefixes[-3:] == ABOUT_IT
    return prefixes[1:-3]


async def test_card_of_a_match_is_for_its_players(env: MatchFixture) -> None:
    match = replace(await env.queries.match(await env.begin()), channel_id=HERE)
    (deciding,) = (
        player.user_id for seat, player in match.players.items() if seat in match.decisions
    )
    waiting = BO if deciding == ADA else ADA
    assert in_progress(match, deciding) == ["hand", "resign", "abandon"]
    assert in_progress(match, waiting) == ["hand", "nudge", "resign", "abandon"]
    assert in_progress(match, EVE) == []


async def test_card_stops_waiting_for_a_silent_player(env: MatchFixture) -> None:
    match = await env.queries.match(await env.begin())
    (seat,) = match.decisions
    late = match.players[seat].user_id
    patient = BO if late == ADA else ADA
    stop = f"Stop waiting for {match.names[seat]}…"

    def labels(user: UserId, endable: str) -> list[str]:
        absent = Absent(endable=endable)
        items = buttons(match, user, HERE, absent, computers=False)
        return [str(item.label) for item in items if "abandon" in str(item.custom_id)]

    assert labels(patient, "") == labels(late, seat) == ["End without a result…"]
    assert labels(patient, seat) == [stop]
    assert "Last notice" not in words(opened(match, patient, ""))
    noticed = replace(match, notices={seat: 5e8})
    line = f"Last notice to {match.names[seat]}, until <t:500000000:f>"
    assert line in words(opened(noticed, patient, ""))
    assert line in words(opened(noticed, late, ""))
    assert line not in words(opened(replace(noticed, status=MatchStatus.FINISHED), late, ""))


async def test_card_moves_a_match_only_to_another_channel(env: MatchFixture) -> None:
    match = replace(await env.queries.match(await env.begin()), channel_id=HERE)
    for user in (ADA, BO):
        assert "move" not in in_progress(match, user)
        assert "type `/board` there" in words(opened(match, user, ""))
        assert "move" in in_progress(match, user, ELSEWHERE)
        assert "type `/board` there" not in words(opened(match, user, "", ELSEWHERE))
    assert "move" not in in_progress(match, EVE, ELSEWHERE)
    assert "/board" not in words(opened(match, EVE, ""))


async def test_card_of_a_game_without_secrets_has_no_hand(env: MatchFixture) -> None:
    match = await env.queries.match(await env.begin(games.get("warp6").rules[0], "warp6"))
    prefixes = kinds(opened(match, ADA, ""))
    assert "hand" not in prefixes
    assert {"resign", "overlay"} < {*prefixes}


async def test_card_explains_what_is_not_offered_and_its_buttons(env: MatchFixture) -> None:
    match = await env.queries.match(await env.begin(games.get("warp6").rules[0], "warp6"))

    def text(user: UserId, obstacle: str = "") -> str:
        return words(card(match, user, "", (), HERE, obstacle=obstacle))

    assert "-# It's *late*." not in text(ADA, "It's *late*."), "names in it are escaped"
    assert "-# Too late." in text(ADA, "Too late.")
    assert "-# To offer a draw, type `/draw`." in text(ADA)
    assert "draw" not in text(EVE)
    assert "-# *Dice*: how to check that they are fair." in text(EVE)
    assert "-# There are no hints in a match between people, to keep it fair." in text(ADA)
    assert "hints" not in text(EVE)
    assert "-# *Show warp chains*: Show the chain of warps" in text(EVE)
    assert "*Show warp chains*" not in words(
        card(replace(match, game="wormholes"), ADA, "", (), HERE)
    )
    over = replace(match, status=MatchStatus.FINISHED)
    assert "*Dice*" not in words(card(over, ADA, "", (), HERE, obstacle="Too late."))


async def test_card_of_a_finished_match_has_no_way_back(env: MatchFixture) -> None:
    match = replace(await env.queries.match(await env.begin()), status=MatchStatus.FINISHED)
    assert kinds(card(match, ADA, "", (), HERE)) == ABOUT_IT
