"""Summaries of the events since a player's last turn."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from itertools import pairwise, takewhile
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.models import Switch
from bot.domain.turn_summaries import (
    MAX_PUBLIC_TURNS,
    answer_to,
    finished_stories,
    last_turn,
    turns_since,
)
from bot.services.preferences import PreferenceKey
from engine import games
from engine.game import CHANCE, PUBLIC, Action, Event, View
from render import for_game
from render.wormholes.terms import coin_words
from tests.support.driver import placing, play_on, silently
from tests.support.harness import Stage, words


def played(game_name: str, seed: int, length: int, seat: str) -> tuple[list[View], list[Action]]:
    """A random beginning of a match, as a seat sees it."""
    game, random = games.get(game_name), Random(seed)
    state = game.start(game.rules[0], {name: values[0] for name, values in game.options.items()})
    views, actions = [game.view(state, seat)], []
    for _ in range(length):
        if not (pending := game.pending(state)):
            break
        legal = game.legal(state)
        action = (
            game.chance(state, random.randrange)
            if pending == CHANCE
            else game.fill(random.choice(legal), random.randrange)
        )
        state, _events = game.apply(state, action)
        actions.append(action)
        views.append(game.view(state, seat))
    return views, actions


@pytest.mark.slow
@given(
    st.sampled_from(games.names()),
    st.integers(0, 10_000),
    st.integers(0, 120),
    st.integers(0, 1),
)
def test_every_turn_since_the_own_one_is_shown_once(
    name: str, seed: int, length: int, place: int
) -> None:
    game = games.get(name)
    seat = game.seats({option: values[0] for option, values in game.options.items()})[place]
    views, actions = played(name, seed, length, seat)
    turns = turns_since(views, actions, seat)
    assert all(view.story for view in turns)
    for before, view in pairwise(turns):
        assert view.story[: len(before.story)] != before.story, "told twice"
    now = views[-1]
    if actions and actions[-1].actor not in (seat, CHANCE) and now.turn and now.story:
        assert turns[-1].story == now.story
    decisions = [n for n, a in enumerate(actions) if a.actor == seat and views[n].turn < now.turn]
    if decisions and now.turn:
        after = {view.turn for view in views[decisions[-1] + 1 :]}
        assert len(turns) <= len(after) + 1
        mine = views[decisions[-1] + 1].story
        assert turns[0].story[: len(mine)] == mine, "it begins with the own turn"


def test_who_does_not_play_hears_of_the_last_turns_only() -> None:
    views, actions = played("wormholes", 3, 400, PUBLIC)
    turns = turns_since(views, actions, PUBLIC)
    assert len(turns) == MAX_PUBLIC_TURNS
    assert turns[-1].story == views[-1].story


def views_of(*turns: tuple[int, str]) -> list[View]:
    """Views with numbers of turns and stories; a story is one letter for each event."""
    return [
        View(
            game="warp6",
            rules="",
            options=(),
            seats="AB",
            seat="A",
            pending="A",
            turn=turn,
            legal=(),
            story=tuple(map(Event, story)),
            offer="",
            result="",
        )
        for turn, story in turns
    ]


def test_digest_begins_with_the_last_turn_of_a_seat() -> None:
    views = views_of((1, ""), (2, "a"), (2, "b"), (3, "bc"), (4, "d"), (5, "e"), (5, "f"))
    actions = [Action(actor, "move") for actor in "ABBACB"]
    assert turns_since(views[:6], actions[:5], "A") == [views[4], views[5]]
    assert turns_since(views[:6], actions[:5], "B") == [views[3], views[4], views[5]]
    assert turns_since(views, actions, "B") == [views[3], views[4], views[5], views[6]]
    assert turns_since(views, actions, "D") == [views[n] for n in (1, 3, 4, 5, 6)]


def test_digest_does_not_begin_with_what_the_bot_has_done() -> None:
    views = views_of((1, ""), (2, "a"), (2, "b"), (3, "bc"), (4, "d"), (5, "e"), (5, "f"))
    actions = [Action(actor, "move") for actor in "ABBACB"]
    assert turns_since(views[:6], actions[:5], "A", {3}) == [views[n] for n in (1, 3, 4, 5)]
    assert turns_since(views[:6], actions[:5], "A", {0}) == [views[4], views[5]]
    assert turns_since(views[:6], actions[:5], "A", {0, 3}) == [views[n] for n in (1, 3, 4, 5)]


def test_digest_of_a_set_up_begins_with_the_last_action() -> None:
    views = views_of((0, ""), (0, "a"), (0, "b"), (0, "c"))
    actions = [Action(actor, "place") for actor in "BAB"]
    assert turns_since(views, actions, "A") == [views[2], views[3]]


def test_finished_stories_are_not_continued() -> None:
    views = views_of((1, ""), (1, ""), (1, "a"), (1, "ab"), (1, "ab"), (2, "c"), (3, "d"))
    assert finished_stories(views) == [views[4], views[5]]


def test_last_turn_has_one_view_for_each_length_of_its_story() -> None:
    stories = ["", "a", "ab", "ab", "c", "c", "cd", "cd"]
    views = views_of(*((1, story) for story in stories))
    assert last_turn(views) == [replace(views[3], story=()), views[5], views[7]]
    assert last_turn(views[:4]) == [views[0], views[1], views[3]]
    assert last_turn(views[:1]) == []


def added(before: View, after: View) -> tuple[Event, ...]:
    """The events that an action has added to a story, or with which it has begun one."""
    is_continued = after.story[: len(before.story)] == before.story
    return after.story[len(before.story) :] if is_continued else after.story


@pytest.mark.parametrize("name", games.names())
def test_answer_to_a_choice_is_the_next_turn_of_another_seat(name: str) -> None:
    """Also a turn without a choice, or whose roll could not be used."""
    passed = 0
    for seed in range(6):
        views, actions = played(name, seed, 150, PUBLIC)
        news = [added(*pair) for pair in pairwise(views)]
        for place, action in enumerate(actions):
            if action.actor == CHANCE or not views[place].turn:
                continue
            sequel = [
                (event, "other" if event.kind == "passed" else after.actor)
                for after, events in list(zip(actions, news, strict=True))[place + 1 :]
                for event in events
            ]
            seats = [seat for _, seat in sequel]
            before = list(takewhile({action.actor, CHANCE}.__contains__, seats))
            answer = answer_to(views, actions, place)
            if answer is None:
                assert len(before) == len(sequel)
                continue
            story = list(answer.story)
            begins = [at for at in range(len(sequel)) if sequel[at : at + len(story)]]
            at = next(at for at in begins if [row[0] for row in sequel[at:]][: len(story)] == story)
            assert at <= len(before), "no turn of another seat is left out"
            assert at + len(story) > len(before) or len(before) == len(sequel)
            passed += answer.story[-1].kind == "passed"
    assert passed or name != "wormholes"


def test_an_ending_is_no_answer() -> None:
    actions = [Action.parse(line) for line in ("A move M N", "* roll C1 A2", "B resign")]
    views = views_of((1, ""), (2, "a"), (2, "ab"), (2, "abc"))
    assert answer_to(views, actions, 0) == replace(views[2], story=views[2].story[1:])
    assert answer_to([views[0], *views[2:]], [actions[0], actions[2]], 0) is None
    assert answer_to(views[:2], actions[:1], 0) is None


@pytest.mark.slow
async def test_a_button_shows_a_player_what_happened_since(stage: Stage) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=34)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    for actor in (stage.ada, stage.bo):
        answer = await stage.click(actor, stage.last(), f"since:{match_id}")
        assert answer.ephemeral
        perspective = await stage.perspective(match_id, actor)
        names = perspective.match.names
        assert "**What happened**" in words(answer.response)
        assert for_game("wormholes").story(perspective.view, names) in words(answer.response)
    answer = await stage.click(stage.eve, stage.last(), f"since:{match_id}")
    assert "The last turns" in words(answer.response)


@pytest.mark.slow
async def test_a_digest_shows_no_player_the_hand_of_another(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    coin, space = (await stage.perspective(match_id, actor)).view.legal[0].args
    await actor.slash(stage.channel, "do", action=f"place {coin} {space}")
    other = stage.bo if actor is stage.ada else stage.ada
    answer = await stage.click(other, stage.last(), f"since:{match_id}")
    assert re.search(rf"placed a coin of the \w+ on {space}\b", words(answer.response))
    assert coin_words(coin) not in words(answer.response)


@pytest.mark.parametrize("name", games.names())
def test_the_last_turn_begins_before_it_and_adds_to_its_story(name: str) -> None:
    views, _ = played(name, 5, 150, PUBLIC)
    plain = [asdict(view) | {"story": None} for view in views]
    several = 0
    for end in range(1, len(views) + 1):
        turns = last_turn(views[:end])
        if not (story := views[end - 1].story):
            assert not turns
            continue
        assert turns[-1].story == story
        stories = [view.story for view in turns[1:]]
        assert stories == sorted(stories, key=len)
        assert all(story[: len(part)] == part for part in stories)
        assert not turns[0].story
        assert asdict(turns[0]) | {"story": None} in plain[: end - 1]
        several += len(turns) > 1
    assert several


@pytest.mark.slow
@pytest.mark.usefixtures("old_cards")
async def test_a_board_is_animated_for_players_who_want_it(stage: Stage) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=34)
    still = await stage.ada.slash(stage.channel, "board", match=match_id)
    preferences = stage.client.context.preferences
    await preferences.set(stage.ada.id, PreferenceKey.ANIMATION, Switch.ON)
    moving = await stage.ada.slash(stage.channel, "board", match=match_id)
    names = [[file.filename for file in answer.response.attachments] for answer in (still, moving)]
    assert names == [["board.png"], ["board.png", "last-turn.gif"]]
