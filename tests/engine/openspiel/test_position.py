"""The games as OpenSpiel sees them, without OpenSpiel."""

from __future__ import annotations

import copy
import json
import pickle
import tomllib
from pathlib import Path
from random import Random

import pytest

from engine import games
from engine.game import CHANCE, PUBLIC, Action
from engine.openspiel.position import TERMINAL, Position, Terms, terms_of
from engine.record import Record
from tests.support.spiel import TERMS, at_random, chosen
from tests.support.tiers import by_tier

COUNTS = (1, 12, 30, 47, 90)
MAX_CHOICES = 400

ROOT = Path(__file__).parents[3]


def record_of(position: Position) -> Record:
    terms = position.terms
    options = " ".join(f"{name}={value}" for name, value in terms.options)
    headers = {"Game": terms.name, "Rules": terms.rules, "Options": options}
    return Record(headers, position.actions)


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("count", COUNTS)
def test_other_worlds_look_the_same_to_the_seat(terms: Terms, count: int) -> None:
    position, random = at_random(terms, count), Random(1)
    for seat in terms.seats:
        worlds = [position.world(seat, random.randrange) for _ in range(5)]
        assert {world.information(seat) for world in worlds} == {position.information(seat)}
        assert {world.pending for world in worlds} == {position.pending}
        if seat == position.pending:
            assert {tuple(world.legal) for world in worlds} == {tuple(position.legal)}


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("count", COUNTS)
def test_a_world_is_a_match_that_could_have_been(terms: Terms, count: int) -> None:
    position, random = at_random(terms, count), Random(2)
    for seat in terms.seats:
        world = position.world(seat, random.randrange)
        assert record_of(world).replay().state == world.state


def test_worlds_differ_where_something_is_hidden() -> None:
    for terms in TERMS:
        position, random = at_random(terms, 9), Random(3)
        worlds = [
            {str(position.world(seat, random.randrange)) for _ in range(10)} for seat in terms.seats
        ]
        hidden = terms.name == "wormholes" or ("setup", "secret") in terms.options
        assert (max(map(len, worlds)) > 1) == hidden


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_each_number_is_an_action_and_leads_to_the_end(terms: Terms) -> None:
    random, position = Random(4), terms.start()
    limited = Terms(terms.name, terms.rules, terms.options, MAX_CHOICES)
    position = limited.start()
    while position.pending:
        if position.pending == CHANCE:
            assert sum(part for _, part in position.outcomes.values()) == pytest.approx(1)
            assert max(position.outcomes) < terms.support.max_outcomes
        else:
            assert list(position.legal) == sorted(position.legal)
            labels = {position.label(number) for number in position.legal}
            assert len(labels) == len(position.legal)
        position = position.after(chosen(position, random))
    assert position.player == TERMINAL
    assert sum(position.returns()) == pytest.approx(0)
    result = position.game.result(position.state)
    assert max(position.returns()) == (1 if result and result[0] in terms.seats else 0)
    assert position.choices <= MAX_CHOICES
    assert record_of(position).replay().state == position.state


@pytest.mark.parametrize("name", games.names())
def test_no_two_actions_have_the_same_number(name: str) -> None:
    assert len(terms_of(name).numbers) == len(terms_of(name).notations)


@pytest.mark.samples
@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_a_position_survives_pickling_and_copying(terms: Terms) -> None:
    random, position = Random(5), terms.start()
    for _ in range(by_tier(20, 60, 400)):
        again = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own
        assert again == position
        assert copy.deepcopy(position) is position
        position = position.after(chosen(position, random))


def test_a_draw_has_the_probabilities_of_the_engine() -> None:
    tomtube = at_random(terms_of("tomtube"), 1)
    position = tomtube.after(tomtube.terms.numbers["build"])
    assert position.pending == CHANCE
    drawn = dict(position.outcomes.values())
    assert set(drawn.values()) == {1 / len(drawn)}
    state = position.game.apply(position.state, Action(CHANCE, "draw", ("AB/AB+",)))[0]
    assert "AB/AB+" in drawn
    assert position.game.pending(state) != CHANCE


def test_dice_are_rolled_one_by_one_and_unseen_until_all_lie() -> None:
    position = terms_of("wormholes").start()
    labels = []
    for number in (3, 0, 5):
        labels.append(position.label(number))
        position = position.after(number)
        assert position.pending == CHANCE
        assert position.information("O") == ""
    assert labels == ["rolloff S3", "rolloff M0", "rolloff C5"]
    assert position.after(2).information("O") == "* rolloff S3 M0 C5 A2"


def test_a_secret_set_up_is_chosen_die_by_die() -> None:
    position = terms_of("warp6", options={"setup": "secret"}).start()
    actions = position.terms.numbers
    for value in "876":
        position = position.after(actions[value] if value != "7" else actions["8"])
        assert position.pending == "B"
    assert position.information("B") == "B 8 8 6 …"
    assert position.information("Y") == ""
    assert json.loads(position.observation("B"))["values"] == ["8", "8", "6"]
    assert "values" not in json.loads(position.observation("Y"))
    for _ in range(6):
        position = position.after(actions["1"])
    assert position.pending == "Y"
    assert position.information("B") == "B set b8a8 b8b8 b6a6 b6b1 b6c1 b4a1 b4b1 b4c1 b4d1"
    assert position.information("Y") == "B set ?"


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_an_observation_is_the_view_of_the_seat(terms: Terms) -> None:
    position = at_random(terms, 47)
    for seat in (*terms.seats, PUBLIC):
        observation = json.loads(position.observation(seat))
        assert observation["seat"] == seat
        assert observation["game"] == terms.name
        assert "legal" not in observation


def test_a_match_that_is_too_long_is_a_draw() -> None:
    random, position = Random(1), Terms("warp6", "standard", (), 3).start()
    while position.pending:
        position = position.after(chosen(position, random))
    assert position.choices == 3
    assert position.returns() == [0, 0]


def test_make_installs_the_version_of_the_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (required,) = project["optional-dependencies"]["openspiel"]
    assert required.replace("-", "_") in (ROOT / "Makefile").read_text("utf-8")
