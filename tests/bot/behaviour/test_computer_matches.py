"""Matches against the computer, chosen by real worker processes."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest
from discord import ui
from simcord import MemberActor, UserHandle
from sqlalchemy import select

from bot.domain.computer_players import COMPUTER_NAMES
from bot.domain.ids import NO_VERSION, MatchId, UserId
from bot.rulebook.lessons import lesson, steps
from bot.services.automatic_moves import StopReason
from bot.services.plans import SeenPlan
from bot.storage.schema import seats
from bot.views.computers import next_level, play_now, rematch_label
from bot.views.message import layout_of
from bot.views.names import escaped_names
from bot.views.plans import order_words
from engine import games
from engine.computer.players import VERSION
from engine.game import CHANCE, Action
from render import for_game
from render.renderer import DEFAULT_STYLE
from tests.support.computers import chosen_by, jobs, joinable, start, turn
from tests.support.driver import by_click, play_on
from tests.support.harness import Stage, ids, play, walk, words
from tests.support.interactions import click_released, fire, payload
from tests.support.match_card import card_of, on_card
from tests.support.matches import ListingQueries
from tests.support.strategies import Strategy, ahead, swift
from tests.support.tomtube.games import greedy

pytestmark = pytest.mark.computers

NUMBERS = count(1)
"""Ids of interactions."""


@pytest.mark.slow
async def test_computer_plays_at_the_chosen_level(stage: Stage) -> None:
    match_id = await start(stage, level="captain")
    await turn(stage, match_id, 3)
    assert "Captain" in words(stage.public()[0])
    marks = await chosen_by(stage)
    computer = {mark for actor, mark in marks.values() if mark}
    assert computer == {f"captain/{VERSION}"}
    people = [actor for actor, mark in marks.values() if mark is None and actor != CHANCE]
    assert len(people) == 3


@pytest.mark.slow
async def test_board_of_a_set_up_is_posted_once(stage: Stage) -> None:
    await stage.without_forced_moves()
    match_id = await start(stage, level="cadet")
    await turn(stage, match_id)
    posts = len(stage.public())
    await turn(stage, match_id, 2)
    assert len(stage.public()) == posts


@pytest.mark.slow
async def test_board_is_posted_once_a_turn(stage: Stage) -> None:
    await stage.without_forced_moves()
    match_id = await start(stage, level="cadet", placing="random")
    while not (await stage.perspective(match_id)).view.turn:
        await turn(stage, match_id, 1)
    posts = len(stage.public())
    rounds = (await stage.perspective(match_id)).view.turn
    while (await stage.perspective(match_id)).view.turn < rounds + 4:
        await turn(stage, match_id, 1)
    assert len(stage.public()) == posts + 2
    assert not await jobs(stage)


@pytest.mark.slow
@pytest.mark.parametrize("is_busy", [False, True])
async def test_board_tells_the_turn_that_the_computer_answers(stage: Stage, is_busy: bool) -> None:
    match_id = await start(stage, level="cadet", placing="random")
    queries = stage.client.context.queries
    stage.client.context.computer_turns._match_store._is_busy = lambda: is_busy
    answered = 0
    for _ in range(12):
        await turn(stage, match_id)
        match, choices = await queries.match(match_id), await chosen_by(stage)
        mine = [
            number for number, (actor, _) in choices.items() if actor == match.seat_of(stage.ada.id)
        ]
        view = (await queries.view(match_id, action_count=mine[-1])).view
        if view.turn and any(mark for number, (_, mark) in choices.items() if number > mine[-1]):
            story = for_game("wormholes").story(view, escaped_names(match))
            assert story in words(stage.board(match_id))
            answered += 1
    assert answered > 1


@pytest.mark.slow
async def test_answer_replaces_a_board_that_waits_to_be_drawn(stage: Stage) -> None:
    match_id = await start(stage, level="cadet")
    await turn(stage, match_id, 2)
    stage.client.context.computer_turns._match_store._is_busy = lambda: True
    requests = len(stage.env.http_requests)
    await turn(stage, match_id)
    edits = [request for request in stage.env.http_requests[requests:] if request.method == "PATCH"]
    assert len(edits) == 1


@pytest.mark.slow
async def test_computer_keeps_an_open_seat_until_a_player_joins(stage: Stage) -> None:
    answer = await play(stage.ada, stage.channel)
    (button,) = [
        custom_id for custom_id in ids(answer.response) if custom_id.startswith("computer:")
    ]
    refusal = await click_released(stage, stage.bo, stage.last(), button)
    assert "Only Ada" in words(refusal.response)
    challenge = stage.last()
    await stage.ada.click(answer.response, custom_id=button)
    await stage.computers()
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    assert match.joinable
    await turn(stage, match.id, 2)
    offer = next(message for message in stage.public() if message.id == challenge.id)
    await stage.click(stage.bo, offer, "accept:")
    await stage.computers()
    match = await stage.client.context.queries.match(match.id)
    assert match.seat_of(stage.bo.id)
    assert not match.joinable
    assert "accept:" not in "".join(ids(stage.public()[0]))
    await play_on(stage, match.id, Random(1), ways=(by_click,), limit=3)
    async with stage.database.read() as connection:
        result = await connection.execute(select(seats.c.level, seats.c.joinable))
        assert {tuple(row) for row in result} == {(None, False)}


@pytest.mark.slow
async def test_takeback_of_an_answered_move_is_on_the_card(stage: Stage) -> None:
    match_id = await start(stage, level="cadet")
    await turn(stage, match_id)
    before = await stage.state(match_id)
    await turn(stage, match_id)
    assert await stage.state(match_id) != before
    assert await stage.deciding(match_id) is stage.ada
    card = await card_of(stage, stage.ada, stage.channel, match_id)
    answer = await stage.click(stage.ada, card.response, "undo:")
    assert answer.response.id == card.response.id
    assert not any(custom_id.startswith("undo:") for custom_id in ids(answer.response))
    assert words(answer.response).startswith("Taken back")
    assert r"The answer by Cadet \(bot\) was taken back as well." in words(answer.response)
    assert await stage.state(match_id) == before
    assert await stage.replayed(match_id) == before
    back = r"Ada took back their last move, and with it the answer by Cadet \(bot\)."
    assert back in words(stage.last())


@pytest.mark.slow
async def test_takeback_is_not_on_the_card_after_a_roll(stage: Stage) -> None:
    match_id = await start(stage, level="cadet", placing="random")
    while (await stage.perspective(match_id)).view.turn < 3:
        await turn(stage, match_id)
    record = await stage.client.context.queries.record(match_id)
    seat = (await stage.perspective(match_id, stage.ada)).seat
    last = max(place for place, line in enumerate(record.actions) if line.actor == seat)
    assert any(line.actor == CHANCE for line in record.actions[last:])
    card = await card_of(stage, stage.ada, stage.channel, match_id)
    assert not any(custom_id.startswith("undo:") for custom_id in ids(card.response))
    answer = await stage.ada.slash(stage.channel, "takeback")
    assert (
        words(answer.response) == "Dice have been rolled since, so your move can't be taken back."
    )


@pytest.mark.slow
async def test_joined_player_cannot_take_back_the_computers_choice(stage: Stage) -> None:
    match_id = await joinable(stage)
    context = stage.client.context
    while True:
        marks = await chosen_by(stage)
        if marks[max(marks)][1]:
            break
        await turn(stage, match_id)
    await context.computer_seats.take_over(next(NUMBERS), match_id, stage.bo.id, "Bo")
    refusal = await context.takebacks.take_back(next(NUMBERS), match_id, stage.bo.id)
    assert "The computer made that move" in refusal.sentence


@pytest.mark.slow
async def test_take_over_leaves_no_job(stage: Stage) -> None:
    match_id = await joinable(stage)
    context = stage.client.context
    context.computer_turns.pause_seconds = 3600.0
    while not await jobs(stage):
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    await context.computer_seats.take_over(next(NUMBERS), match_id, stage.bo.id, "Bo")
    assert not await jobs(stage)


@pytest.mark.slow
async def test_rematch_is_refused_while_the_computer_is_off(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await start(stage, level="cadet")
    context = stage.client.context
    await context.matches.act(next(NUMBERS), match_id, stage.ada.id, "resign")
    await stage.computers()
    monkeypatch.setattr(type(context), "computers", property(lambda _: False), raising=False)
    refusal = await stage.click(stage.ada, stage.last(), "rematch:")
    assert "computer is turned off" in words(refusal.response)


@pytest.mark.slow
async def test_rematch_begins_at_once(stage: Stage) -> None:
    match_id = await start(stage, level="cadet")
    context = stage.client.context
    before = await context.queries.match(match_id)
    await context.matches.act(1, match_id, stage.ada.id, "resign")
    await stage.computers()
    assert "A rematch swaps the sides." in words(stage.last())
    await stage.click(stage.ada, stage.last(), "rematch:")
    await stage.computers()
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    assert match.seat_of(stage.ada.id) != before.seat_of(stage.ada.id)
    assert {player.level for player in match.players.values()} == {"", "cadet"}


@pytest.mark.slow
async def test_defeat_offers_a_rematch_at_a_weaker_level(stage: Stage) -> None:
    match_id = await start(stage, game="tomtube", level="captain")
    await stage.client.context.matches.act(1, match_id, stage.ada.id, "resign")
    await stage.computers()
    assert "Rematch, easier: Navigator (bot)" in words(stage.last())
    await stage.click(stage.ada, stage.last(), f"rematch:{match_id}:-:navigator")
    await stage.computers()
    match = await stage.client.context.queries.match(MatchId(match_id + 1))
    assert match.status == "running"
    (computer,) = (player for player in match.players.values() if player.is_computer)
    assert computer.level == "navigator"


@pytest.mark.slow
async def test_rematch_at_an_unknown_level_is_refused(stage: Stage) -> None:
    match_id = await start(stage, game="tomtube", level="cadet")
    await stage.client.context.matches.act(1, match_id, stage.ada.id, "resign")
    await stage.computers()
    click = f"rematch:{match_id}:-:emperor"
    refusal = await click_released(stage, stage.ada, stage.last(), click)
    assert "no longer" in words(refusal.response)
    assert "navigator" not in "".join(ids(stage.last())), "no level is below the first"


@pytest.mark.first(check=2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "winner", "proposed"),
    [
        ("cadet", "A", "navigator"),
        ("admiral", "A", ""),
        pytest.param("cadet", "B", "", marks=pytest.mark.slow),
        pytest.param("captain", "draw", "", marks=pytest.mark.slow),
    ],
)
async def test_next_level_depends_on_the_winner(
    stage: Stage, level: str, winner: str, proposed: str
) -> None:
    match_id = await start(stage, game="warp6", level=level)
    match = await stage.client.context.queries.match(match_id)
    person = match.seat_of(stage.ada.id)
    (computer,) = set(match.players) - {person}
    seat = {"A": person, "B": computer}.get(winner, winner)
    assert next_level(match, f"{seat} left") == proposed
    for other in set(COMPUTER_NAMES) - {level}:
        is_harder = [*COMPUTER_NAMES].index(other) > [*COMPUTER_NAMES].index(level)
        comparison = "harder" if is_harder else "easier"
        assert rematch_label(match, other) == f"Rematch, {comparison}: {COMPUTER_NAMES[other]}"


@pytest.mark.slow
async def test_takeback_needs_no_consent_of_the_computer(stage: Stage) -> None:
    match_id = await start(stage, level="cadet")
    stage.client.context.computer_turns.pause_seconds = 3600.0
    await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    outcome = await stage.client.context.takebacks.take_back(7, match_id, stage.ada.id)
    assert outcome.kind == "done", outcome


@pytest.mark.slow
async def test_draw_offer_is_answered_at_once(stage: Stage) -> None:
    match_id = await start(stage, level="cadet")
    await turn(stage, match_id)
    await stage.client.context.matches.act(2, match_id, stage.ada.id, "draw offer")
    await stage.computers()
    view = (await stage.perspective(match_id)).view
    assert not view.offer


@pytest.mark.slow
async def test_match_of_computers_ends_when_the_last_person_leaves(stage: Stage) -> None:
    match_id = await start(stage, game="warp6", seats="3", level="cadet")
    await stage.client.context.matches.act(2, match_id, stage.ada.id, "leave")
    await stage.computers()
    match = await stage.client.context.queries.match(match_id)
    assert match.status == "finished"
    assert not await jobs(stage)


@pytest.mark.slow
async def test_computer_in_a_match_of_three(stage: Stage) -> None:
    await play(stage.ada, stage.channel, opponent=stage.bo, game="warp6", seats="3", level="cadet")
    await stage.click(stage.bo, stage.last(), "accept:")
    await stage.computers()
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    assert [player.level for player in match.players.values()].count("cadet") == 1


@pytest.mark.slow
async def test_computers_are_limited_for_each_player(stage: Stage) -> None:
    for _ in range(10):
        await play(stage.ada, stage.channel, level="cadet")
    refusal = await play(stage.ada, stage.channel, level="cadet")
    assert "computer" in words(refusal.response)
    running = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    assert len(running) == 10


def eager(state: Any, random: Random) -> Action:
    """The action in Tom Tube that brings the most points at once."""
    return greedy(state, games.get("tomtube").legal(state), random)


STRATEGIES: dict[str, Strategy] = {"wormholes": ahead, "warp6": swift, "tomtube": eager}


@pytest.mark.parametrize("game", STRATEGIES)
@pytest.mark.soak
async def test_whole_match_by_clicks_alone(stage: Stage, game: str) -> None:
    match_id = await start(stage, game=game, level="cadet")
    while (await stage.client.context.queries.match(match_id)).status == "running":
        await play_on(
            stage, match_id, Random(1), ways=(by_click,), strategy=STRATEGIES[game], limit=1
        )
        await stage.computers()
    result = stage.last()
    assert f"replay:{match_id}:0" in ids(result)
    answer = await on_card(stage, stage.ada, stage.channel, "verify:", match_id)
    assert "moves of the computer follow" in words(answer.response)


@pytest.mark.slow
async def test_opponent_may_be_the_bot_itself(stage: Stage) -> None:
    me = MemberActor(stage.env, stage.guild, UserHandle(stage.env, stage.env.backend.bot_user))
    answer = await play(stage.ada, stage.channel, opponent=me)
    assert "has started" in words(answer.response)
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    assert {player.level for player in match.players.values()} == {"", "cadet"}


@pytest.mark.slow
async def test_hint_says_what_the_strongest_level_would_choose(stage: Stage) -> None:
    match_id = await start(stage, level="cadet")
    while (await stage.perspective(match_id)).view.phase != "place":  # type: ignore[attr-defined]
        await turn(stage, match_id)
    answer = await stage.click(stage.ada, stage.last(), "hint:")
    hint = answer.response
    assert "My choice: **" in words(hint), words(hint)
    assert len(hint.attachments) == 1
    choices = await stage.click(stage.ada, hint, "part:")
    assert choices.response.id == hint.id
    again = await stage.click(stage.ada, choices.response, "hint:")
    assert again.response.id == hint.id
    assert "My choice: **" in words(again.response)
    before = await stage.client.context.queries.match(match_id)
    await stage.click(stage.ada, hint, "act:")
    after = await stage.client.context.queries.match(match_id)
    assert after.version > before.version
    assert hint.id not in stage.env.backend.messages[stage.channel.id]
    await stage.computers()
    refusal = await stage.click(stage.eve, stage.last(), "hint:")
    assert words(refusal.response) == "This is Ada's match, so only its players get hints."


@pytest.mark.slow
async def test_hint_can_be_typed(stage: Stage) -> None:
    await start(stage, level="cadet")
    answer = await stage.ada.slash(stage.channel, "do", action="what should I do?")
    assert "My choice: **" in words(answer.response)


@pytest.mark.slow
async def test_no_hint_while_the_computer_chooses(stage: Stage) -> None:
    match_id = await start(stage, level="cadet")
    stage.client.context.computer_turns.pause_seconds = 3600.0
    while (await stage.client.context.queries.match(match_id)).seat_of(stage.ada.id) in (
        await stage.perspective(match_id)
    ).view.pending:
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    assert f"hint:{match_id}" not in ids(stage.last())


@pytest.mark.slow
async def test_no_hints_in_matches_between_people(stage: Stage) -> None:
    match_id = await stage.begin()
    assert f"hint:{match_id}" not in ids(stage.last())


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
async def test_welcome_begins_a_match_with_one_click(stage: Stage, game: str) -> None:
    view = layout_of(ui.TextDisplay[Any]("Welcome!"), *play_now())
    where = stage.client.get_partial_messageable(stage.channel.id)
    await where.send(view=view)
    await stage.click(stage.ada, stage.last(), f"now:{game}")
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    assert match.game == game
    last_game = stage.client.context.preferences.last_game
    assert await last_game(stage.ada.id, games.names()) == game, "/howto and /play begin with it"


@pytest.mark.slow
async def test_lesson_ends_with_a_match_against_the_computer(stage: Stage) -> None:
    number = len(steps("warp6")) - lesson("warp6").puzzles - 1
    page = (await stage.ada.slash(stage.channel, "howto", game="warp6")).response
    page = (await stage.ada.select(page, [str(number)], custom_id="howto:warp6")).response
    page = (await stage.click(stage.ada, page, f"try:warp6:{number}:move b8a")).response
    await stage.click(stage.ada, page, "now:warp6:B")
    about = {"howto:warp6", "rules:warp6:strategy:open", "rules:warp6:about:open"}
    assert {*ids(page)} == about
    assert "Warp 6 #1](https://discord.com/channels/" in words(page)
    assert "Cadet (bot) plays at the easiest level" in words(page)
    assert f"One tip for your first match: {lesson('warp6').tip}" in words(page)
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    assert (match.game, match.seat_of(stage.ada.id)) == ("warp6", "B"), "the side of the lesson"


@pytest.mark.slow
@pytest.mark.parametrize("side", ["Z", "BY", "*"])
async def test_match_on_an_unknown_side_has_a_drawn_one(stage: Stage, side: str) -> None:
    page = await stage.ada.slash(stage.channel, "help")
    forged = payload(stage, stage.ada, page.response, "now:warp6", f"now:warp6:{side}")
    await fire(stage, forged)
    (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
    assert match.seat_of(stage.ada.id) in {"B", "Y"}


@pytest.mark.slow
async def test_clock_runs_for_the_person_alone(stage: Stage) -> None:
    match_id = await start(stage, level="cadet", clock="1 day per turn")
    await turn(stage, match_id, 3)
    match = await stage.client.context.queries.match(match_id)
    assert set(match.times) == set(match.people)
    assert "<t:" in words(stage.last())


@pytest.mark.slow
async def test_set_up_against_the_computer_takes_three_clicks(stage: Stage) -> None:
    match_id = await start(stage, game="warp6", level="cadet")
    panel = await stage.click(stage.ada, stage.last(), f"plan:{match_id}")
    panel = await stage.click(stage.ada, panel.response, f"plan:{match_id}:suggest")
    own_plan = await stage.client.context.plans.read(match_id, stage.ada.id)
    assert len(own_plan.plan.orders) == 9
    assert own_plan.stopped is StopReason.SUGGESTED
    fresh = await stage.ada.slash(stage.channel, "plan")
    assert "That's what I'd do" in words(fresh.response)
    await stage.click(stage.ada, fresh.response, f"plan:{match_id}:resume")
    for _ in range(9):
        await stage.computers()
    assert (await stage.perspective(match_id)).view.turn
    own_plan = await stage.client.context.plans.read(match_id, stage.ada.id)
    assert not own_plan.plan.orders


def button(answer: Any, start: str) -> str:
    """The custom_id of a component that begins like this."""
    return next(custom_id for custom_id in ids(answer.response) if custom_id.startswith(start))


async def card_against(stage: Stage, opponent: Any, **options: Any) -> Any:
    """Open a card as Ada."""
    return await stage.ada.slash(stage.channel, "play", opponent=opponent, **options)


@pytest.mark.slow
async def test_the_computer_has_no_clock_and_changes_no_default(stage: Stage) -> None:
    me = MemberActor(stage.env, stage.guild, UserHandle(stage.env, stage.env.backend.bot_user))
    answer = await card_against(stage, me)
    assert "Clock: no clock" in words(answer.response)
    answer = await stage.ada.click(answer.response, custom_id=button(answer, "card:more"))
    people = await stage.ada.select(
        answer.response, [stage.bo], custom_id=button(answer, "card:who")
    )
    assert "Clock: 3 days per turn" in words(people.response)
    alone = await stage.ada.select(people.response, [me], custom_id=button(people, "card:who"))
    assert "Clock: no clock" in words(alone.response)
    await stage.ada.click(alone.response, label="Start")
    await stage.computers()
    assert (await stage.client.context.queries.match(MatchId(1))).clock == ""
    assert "Clock: 3 days per turn" in words((await card_against(stage, stage.bo)).response)
    timed = await card_against(stage, me, clock="1 day per turn")
    assert "Clock: 1 day per turn" in words(timed.response)


@pytest.mark.slow
async def test_the_computer_is_an_opponent_at_first_sight(stage: Stage) -> None:
    answer = await stage.ada.slash(stage.channel, "play")
    against = await stage.ada.click(answer.response, label="Against the computer")
    text = words(against.response)
    assert "Against: the computer (Cadet, the easiest level)" in text
    assert "Clock: no clock" in text
    assert "Level: Cadet" in str(against.response.components)
    people = await stage.ada.click(against.response, label="Against people")
    assert "Against: anyone here who joins" in words(people.response)
    assert "Clock: 3 days per turn" in words(people.response)
    against = await stage.ada.click(people.response, label="Against the computer")
    begun = await stage.ada.click(against.response, label="Start")
    assert "Wormholes #1 has started" in words(begun.response)
    invited = await card_against(stage, stage.bo)
    assert "Against the computer" not in str(invited.response.components)


@pytest.mark.slow
async def test_the_last_level_is_offered_next_time(stage: Stage) -> None:
    answer = await stage.ada.slash(stage.channel, "play")
    against = await stage.ada.click(answer.response, label="Against the computer")
    level = button(against, "card:level")
    captain = await stage.ada.select(against.response, ["captain"], custom_id=level)
    await stage.ada.click(captain.response, label="Start")
    again = await stage.ada.slash(stage.channel, "play")
    assert "Against: anyone here who joins" in words(again.response)
    against = await stage.ada.click(again.response, label="Against the computer")
    assert "Against: the computer (Captain)" in words(against.response)
    warp = await stage.ada.select(
        against.response, ["warp6"], custom_id=button(against, "card:game")
    )
    assert "Against: the computer (Captain)" in words(warp.response)


@pytest.mark.slow
async def test_lists_changed_by_other_lists_get_a_new_id(stage: Stage) -> None:
    def ids_of_lists(answer: Any) -> list[int]:
        by_start = {
            part["custom_id"].split(":")[1]: part["id"]
            for part in walk(answer.response.components)
            if part.get("custom_id", "").startswith("card:")
        }
        return [by_start[part] for part in ("clock", "who", "side", "game")]

    answer = await stage.ada.slash(stage.channel, "play")
    people = await stage.ada.click(answer.response, custom_id=button(answer, "card:more"))
    before = ids_of_lists(people)
    computer = await stage.ada.click(people.response, label="Against the computer")
    is_same = [old == new for old, new in zip(before, ids_of_lists(computer), strict=True)]
    assert is_same == [False, False, True, True]


@pytest.mark.slow
async def test_busy_computer_offers_a_suggestion_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, plans = await start(stage, game="warp6", level="cadet"), stage.client.context.plans
    ada = UserId(stage.ada.id)
    seat = (await stage.client.context.queries.view(match_id, ada)).seat.lower()
    other = {"b": "y", "y": "b"}[seat]
    await plans.write(1, match_id, ada, f"if {other}6a: {seat}8a", SeenPlan(NO_VERSION))
    before = await plans.read(match_id, ada)
    with monkeypatch.context() as busy:
        busy.setattr("bot.app.computers.CHOICE_TIMEOUT_SECONDS", 0)
        answer = await stage.click(stage.ada, stage.board(match_id), f"plan:{match_id}:suggest")
    assert "my suggestion is late; your plan hasn't changed" in words(answer.response)
    assert f"1. {order_words(before.perspective, before.plan.orders[0], DEFAULT_STYLE)}" in words(
        answer.response
    ), "the own plan stays in sight"
    await stage.click(stage.ada, answer.response, f"plan:{match_id}:suggest")
    own_plan = await stage.client.context.plans.read(match_id, stage.ada.id)
    assert len(own_plan.plan.orders) == 9


@pytest.mark.soak
@pytest.mark.first(check=1)
@pytest.mark.parametrize(("notes", "is_noted"), [("off", True), ("on", False)])
async def test_suggested_coins_have_to_be_remembered(
    stage: Stage, notes: str, *, is_noted: bool
) -> None:
    match_id = await start(stage, level="cadet", notes=notes)
    panel = await stage.click(stage.ada, stage.board(match_id), f"plan:{match_id}")
    await stage.click(stage.ada, panel.response, f"plan:{match_id}:suggest")
    fresh = await stage.ada.slash(stage.channel, "plan", match=match_id)
    assert "That's what I'd do" in words(fresh.response)
    assert "Copy to my notes" not in words(fresh.response), "they may lie elsewhere in the end"
    await stage.click(stage.ada, fresh.response, f"plan:{match_id}:resume")
    for _ in range(12):
        await stage.computers()
    fresh = await stage.ada.slash(stage.channel, "plan", match=match_id)
    assert ("Copy to my notes" in words(fresh.response)) is is_noted
    if is_noted:
        assert words(fresh.response).partition("Remember these coins")[2].count(" on ") >= 12
        copied = await stage.click(stage.ada, fresh.response, f"notecopy:{match_id}")
        assert "**Your notes**" in words(copied.response)
        board = await stage.ada.slash(stage.channel, "board", match=match_id)
        notes = words(board.response).partition("**Your notes**\n")[2]
        assert notes.count(" on ") >= 12
