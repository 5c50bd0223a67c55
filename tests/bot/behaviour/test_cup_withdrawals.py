"""Players who leave cups: withdrawals, substitutes, deleted data."""

from __future__ import annotations

import pytest

from bot.domain.ids import NO_MATCH, UserId
from bot.domain.models import MatchStatus, Player
from bot.features.cups.formats import CupFormat
from bot.features.cups.rows import CupStatus
from bot.features.cups.service import Actor
from bot.features.cups.standings import PairingReason
from bot.features.privacy import service as services
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.matches import MatchFixture
from tests.support.privacy import export_of, privacy_of, traces

pytestmark = pytest.mark.slow


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


# Withdrawals and substitutes


async def test_a_withdrawal_forfeits_all_further_matches(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(4)
    leaver = (await cup.get(cup_id)).by_number[2]
    actor, number = Actor(leaver.user_id), next(env.ids)
    outcome = await cup.cups.leave(number, cup_id, actor, leaver.user_id, confirms=True)
    assert outcome.kind == "confirm"
    assert (await cup.withdraw(cup_id, leaver.user_id)).kind == "done"
    second = await cup.withdraw(cup_id, leaver.user_id)
    assert second.sentence == "You're not playing in this cup."
    by_organiser = await cup.withdraw(cup_id, leaver.user_id, by=ORGANISER)
    assert by_organiser.sentence == "That player isn't in this cup, or has withdrawn."
    stored_cup = await cup.get(cup_id)
    theirs = [pairing for pairing in stored_cup.pairings if 2 in pairing.known]
    assert {pairing.reason for pairing in theirs} == {PairingReason.WITHDRAWN}
    assert all(2 in their.forfeits for their in theirs)
    assert stored_cup.annulled == {2}
    over = await cup.play_out(cup_id)
    assert [line.number for line in over.standings()] == [1, 3, 4, 2]


async def test_a_player_without_a_match_withdraws(cup: CupFixture) -> None:
    cup_id = await cup.begun(3, max_open=1)
    stored_cup = await cup.get(cup_id)
    (running,) = stored_cup.running
    (waits,) = {1, 2, 3} - set(running.seated)
    await cup.withdraw(cup_id, stored_cup.by_number[waits].user_id)
    later = await cup.get(cup_id)
    assert later.running == [running]
    ends = [(pairing.reason, pairing.forfeits) for pairing in later.decided]
    assert ends == [(PairingReason.WITHDRAWN, (waits,))] * 2


async def test_the_organiser_withdraws_a_player(cup: CupFixture) -> None:
    cup_id = await cup.begun(3)
    refusal = await cup.withdraw(cup_id, user(1), by=user(2))
    assert "Only the organiser" in refusal.sentence
    assert (await cup.withdraw(cup_id, user(1), by=ORGANISER)).kind == "done"


async def test_a_walkover_leads_to_the_next_round(cup: CupFixture) -> None:
    cup_id = await cup.begun(4, format=CupFormat.KNOCK_OUT)
    pairing = await cup.pairing(cup_id)
    stays, leaves = pairing.seated
    await cup.withdraw(cup_id, (await cup.get(cup_id)).by_number[leaves].user_id)
    assert stays in (await cup.pairing(cup_id, 2)).numbers


async def test_a_half_empty_draw_has_a_winner(cup: CupFixture) -> None:
    """Both players of a semi-final withdraw: the other finalist has no opponent."""
    cup_id = await cup.begun(4, format=CupFormat.KNOCK_OUT)
    first, second = [await cup.pairing(cup_id, 1, place) for place in (0, 1)]
    await cup.win(cup_id, second, second.seated[0])
    people = (await cup.get(cup_id)).by_number
    await cup.withdraw(cup_id, people[first.seated[0]].user_id)
    await cup.withdraw(cup_id, people[first.seated[1]].user_id)
    over = await cup.get(cup_id)
    assert over.row.status == CupStatus.FINISHED
    assert over.winner
    assert over.winner.number == second.seated[0]


@pytest.mark.parametrize("cup_format", list(CupFormat))
async def test_the_last_player_of_a_cup_wins_it(cup: CupFixture, cup_format: CupFormat) -> None:
    cup_id = await cup.begun(4, format=cup_format)
    for entrant in (await cup.get(cup_id)).entrants[:3]:
        await cup.withdraw(cup_id, entrant.user_id)
    over = await cup.get(cup_id)
    assert over.row.status == CupStatus.FINISHED
    assert over.winner
    assert over.winner.number == 4
    assert (await cup.withdraw(cup_id, over.winner.user_id)).sentence == "This cup is over."


async def test_two_of_a_group_play_on_without_the_third(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, format=CupFormat.GROUPS, max_open=1)
    await cup.withdraw(cup_id, (await cup.get(cup_id)).by_number[3].user_id)
    running = (await cup.get(cup_id)).running[0]
    assert (await env.queries.match(running.match_id or NO_MATCH)).status == MatchStatus.RUNNING
    await cup.win(cup_id, running, 1)
    following = (await cup.get(cup_id)).running[0]
    assert sorted(following.seated) == [1, 2]
    assert len((await env.queries.match(following.match_id or NO_MATCH)).players) == 2
    over = await cup.play_out(cup_id)
    assert over.winner
    assert over.winner.number == 1


async def test_a_substitute_takes_over_a_place(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(4, max_open=1)
    entrant = (await cup.get(cup_id)).by_number[1]
    stand_in = Player(UserId(500), "Sub")
    offer = (next(env.ids), cup_id, Actor(user(9)), entrant.user_id, stand_in)
    assert "Only the organiser" in (await cup.cups.offer_place(*offer)).sentence
    outcome = await cup.cups.offer_place(
        next(env.ids), cup_id, Actor(entrant.user_id), entrant.user_id, stand_in
    )
    assert outcome.kind == "done"
    other = (await cup.get(cup_id)).by_number[2].user_id
    offer = (next(env.ids), cup_id, Actor(other), other, stand_in)
    assert "already has a place" in (await cup.cups.offer_place(*offer)).sentence
    assert "over" in (await cup.join(cup_id, UserId(501))).sentence, "the place is for one user"
    assert (await cup.join(cup_id, UserId(500))).kind == "done"
    running = next(pairing for pairing in (await cup.get(cup_id)).running if 1 in pairing.seated)
    match = await env.queries.match(running.match_id or NO_MATCH)
    assert match.seat_of(entrant.user_id), "the match that runs is played to its end"
    await cup.win(cup_id, running, 1)
    for pairing in (await cup.get(cup_id)).running:
        await cup.win(cup_id, pairing, pairing.seated[0])
    following = next(pairing for pairing in (await cup.get(cup_id)).running if 1 in pairing.seated)
    assert (await env.queries.match(following.match_id or NO_MATCH)).seat_of(UserId(500))
    twice = await cup.cups.offer_place(
        next(env.ids), cup_id, Actor(ORGANISER), other, Player(UserId(500), "Sub")
    )
    assert "already has a place" in twice.sentence


async def test_only_players_of_a_running_cup_need_a_substitute(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, kim = await cup.create(4), Player(UserId(77), "Kim")

    async def offer(place: int) -> tuple[str, str, int]:
        outcome = await cup.cups.offer_place(
            next(env.ids), cup_id, Actor(ORGANISER), user(place), kim
        )
        return outcome.kind, outcome.sentence, outcome.cup_id

    kind, sentence, number = await offer(1)
    assert (kind, number) == ("refused", cup_id)
    assert sentence.startswith("Substitutes are for cups that have started")
    await cup.start(cup_id)
    await cup.withdraw(cup_id, user(2))
    for place in (2, 9):
        absent = "That player isn't in this cup, or has withdrawn."
        assert await offer(place) == ("refused", absent, cup_id)
    await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    assert await offer(1) == ("refused", "This cup is over.", cup_id)


async def test_a_place_in_a_cancelled_cup_is_not_taken_over(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3)
    await cup.cups.offer_place(
        next(env.ids), cup_id, Actor(user(1)), user(1), Player(UserId(500), "Sub")
    )
    await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    late = await cup.join(cup_id, UserId(500))
    assert (late.kind, late.sentence) == ("refused", "The sign-up for this cup is over.")
    assert (await cup.get(cup_id)).entrant_of(user(1))


# A player who deletes their data


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [0, 4])
@pytest.mark.parametrize("cup_format", list(CupFormat))
async def test_a_deleted_player_leaves_all_cups(
    cup: CupFixture,
    env: MatchFixture,
    monkeypatch: pytest.MonkeyPatch,
    cup_format: CupFormat,
    at_once: int,
) -> None:
    monkeypatch.setattr(services, "MATCHES_AT_ONCE", at_once)
    wide = 123_456_789_012_345
    open_id = await cup.create(2)
    await cup.join(open_id, UserId(wide))
    cup_id = await cup.create(3, format=cup_format)
    await cup.join(cup_id, UserId(wide))
    await cup.start(cup_id)
    privacy = privacy_of(env)
    assert await privacy.erase(UserId(wide))
    await privacy.scrub()
    assert len((await cup.get(open_id)).entrants) == 2
    stored_cup = await cup.get(cup_id)
    (deleted,) = [entrant for entrant in stored_cup.entrants if not entrant.is_active]
    assert (deleted.user_id, deleted.name) == (-1, "Deleted player")
    assert all(deleted.number not in pairing.winners for pairing in stored_cup.decided)
    assert not await traces(env.database, UserId(wide))
    over = await cup.play_out(cup_id)
    assert over.winner
    assert over.standings()[-1].number == deleted.number or cup_format == CupFormat.KNOCK_OUT


@pytest.mark.parametrize("cup_format", list(CupFormat))
async def test_a_deletion_after_the_end_keeps_all_results(
    cup: CupFixture, env: MatchFixture, cup_format: CupFormat
) -> None:
    over = await cup.play_out(await cup.begun(4, format=cup_format))
    assert over.winner
    for user_id in (over.winner.user_id, user(4)):
        await privacy_of(env).erase(user_id)
    stored_cup = await cup.get(over.row.id)
    assert stored_cup.standings() == over.standings()
    assert stored_cup.winner
    assert (stored_cup.winner.number, stored_cup.winner.name) == (
        over.winner.number,
        "Deleted player",
    )
    assert stored_cup.row.version > over.row.version, "the post follows"


async def test_a_cup_of_a_deleted_organiser_goes_on(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.create(3)
    assert await privacy_of(env).erase(ORGANISER)
    assert (await cup.get(cup_id)).row.organiser_id == -1
    assert "Only the organiser" in (await cup.start(cup_id)).sentence
    by_manager = await cup.cups.start(next(env.ids), cup_id, Actor(UserId(1), manages=True))
    assert by_manager.kind == "done"


async def test_an_export_has_the_own_cups(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.create(2)
    data = await export_of(env.database, ORGANISER)
    assert [row["id"] for row in data["cups organised"]] == [cup_id]
    data = await export_of(env.database, user(2))
    assert [row["cup_id"] for row in data["places in cups"]] == [cup_id]
    assert not data["cups organised"]


async def test_an_export_does_not_tell_the_lots(cup: CupFixture, env: MatchFixture) -> None:
    row = (await cup.get(await cup.create(2))).row
    assert row.seed not in str(await export_of(env.database, ORGANISER))
