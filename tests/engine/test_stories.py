"""Which event of a story reports an action: one of the kind that its verb names."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import games
from engine.game import CHANCE, Action, Event
from engine.stories import STORY_ACTIONS, Mark, reports, with_marks
from tests.support.tiers import sampled

TABLES: list[tuple[str, dict[str, str]]] = [
    ("wormholes", {}),
    ("wormholes", {"placing": "random"}),
    ("warp6", {}),
    ("warp6", {"seats": "3"}),
    ("warp6", {"setup": "secret"}),
    ("tomtube", {}),
]


@pytest.mark.parametrize("name", games.names())
def test_verbs_name_events_of_their_game(name: str) -> None:
    game = games.get(name)
    assert {verb.event for verb in game.verbs if verb.event} <= game.events.keys()
    assert any(verb.event for verb in game.verbs)


@sampled(1, 4, 40)
@pytest.mark.parametrize(("name", "options"), TABLES)
def test_each_action_is_reported_by_its_own_event(
    name: str, options: dict[str, str], samples: int
) -> None:
    for seed in range(samples):
        game, random = games.get(name), Random(seed)
        kinds = {verb.name: verb.event for verb in game.verbs}
        state: Any = game.start(game.rules[0], options)
        log: list[Action] = []
        events_of: dict[int, int] = {}  # place of an action → of its event in the story
        while pending := game.pending(state):
            if pending == CHANCE:
                action = game.chance(state, random.randrange)
            else:
                action = game.fill(random.choice(game.legal(state)), random.randrange)
            before = state.story
            state, events = game.apply(state, action)
            log.append(action)
            if state.story[: len(before)] != before:
                events_of = {}
            kind = kinds.get(action.verb)
            reporting = [event for event in events if event.kind == kind]
            assert len(reporting) <= 1, action
            if reporting:
                events_of[len(log) - 1] = (
                    len(state.story) - len(events) + events.index(reporting[0])
                )
            start = max(0, len(log) - STORY_ACTIONS)
            places = reports(game, state.story, log[start:])
            assert {start + place: at for place, at in places.items()} == events_of, (
                action,
                state.story,
            )
            if len(log) > 150:
                break


def test_only_forced_choices_of_the_present_story_are_marked() -> None:
    game = games.get("warp6")
    state = game.start("standard", {})
    view: Any = game.view(state)
    story = tuple(
        Event(kind, facts)
        for kind, facts in (
            ("moved", ("b6a", "9", "5")),
            ("rerolled", ("b6a", "2")),
            ("changed", ("y4a", "1", "2")),
            ("moved", ("b8a", "20", "12")),
        )
    )
    view = replace(view, story=story)
    lines = ("Y place y6a", "B move b6a", "* reroll b6a 2", "Y up y4a", "B move b8a")
    log = [Action.parse(line) for line in lines]
    for forced, places in (((), ()), ((1,), (0,)), ((3, 4), (2, 3)), ((0,), ()), ((2,), ())):
        for mark, other in ((Mark.FORCED, "foreseen"), (Mark.FORESEEN, "forced")):
            marks = [(action, mark if n in forced else None) for n, action in enumerate(log)]
            marked = with_marks(game, view, marks)
            assert getattr(marked, mark) == tuple(sorted(places))
            assert getattr(marked, other) == ()
            assert replace(marked, forced=(), foreseen=()) == view
