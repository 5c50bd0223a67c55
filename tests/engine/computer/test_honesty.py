"""Matches that look alike to a seat: its worlds and choices are the same, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.computer.baselines import choose_greedily
from engine.computer.players import ComputerPlayer, names
from engine.computer.situation import Situation, situation_of
from engine.dice import Dice, commitment
from engine.endings import draw_answers
from engine.game import CHANCE, OPEN_VALUE, Action, AnyGame, RandomSource
from engine.games import get
from engine.record import Record, play
from tests.support.tiers import sampled

OPTIONS = {
    "wormholes": [("0.6", "notes=off"), ("0.6", "notes=on"), ("0.6-long", ""), ("0.5.2", "")],
    "warp6": [
        ("standard", f"seats={n} setup={how}")
        for n in "23"
        for how in ("secret", "secret", "rolled")
    ],
    "tomtube": [("standard", ""), ("basic", "")],
}
LIMITS = {"wormholes": 80, "warp6": 4, "tomtube": 50}
"""Most positions are early: later, less is hidden."""

NODES = 20
MANY = 100

Pair = tuple[Record, Record, str]


def pair(name: str, random: Random) -> Pair:
    """Return two matches that look alike to a seat which has to decide, and that seat."""
    game = get(name)
    rules, options = random.choice(OPTIONS[name])
    head = {"Game": name, "Rules": rules, "Options": options}
    state, actions = play(
        game,
        game.start(rules, Record(head, ()).options()),
        lambda legal: game.fill(random.choice(legal), random.randrange),
        lambda _: random.randrange,
        random.randrange(LIMITS[name]),
    )
    while game.pending(state) == CHANCE:
        actions = (*actions, game.chance(state, random.randrange))
        state, _ = game.apply(state, actions[-1])
    if game.result(state):
        return pair(name, random)
    if random.random() < 0.1:
        seats = game.seats(Record(head, ()).options())
        offer = Action(random.choice(seats), "draw", ("offer",))
        state, actions = game.apply(state, offer)[0], (*actions, offer)
        asked = "".join(seat for seat in seats if draw_answers(game, state, seat))
    else:
        asked = game.pending(state)
    seat = random.choice(asked)
    other = twin(game, head, game.recall(state, seat, actions), random)
    return Record(head | secret(random), actions), Record(head | secret(random), other), seat


def secret(random: Random) -> dict[str, str]:
    """Return headers with a seed that no player knows during the match."""
    seed = random.randbytes(32)
    return {"Seed": seed.hex(), "Dice": commitment(seed), "Salt": f"{random.randrange(100)}"}


def twin(
    game: AnyGame, head: dict[str, str], known: tuple[Action, ...], random: Random
) -> tuple[Action, ...]:
    """Return actions with random values in place of those that a seat does not know."""
    forms = {form.actor: form for form in game.legal(game.start(head["Rules"], options_of(head)))}
    named = {action.args[0] for action in known if action.verb == "place"}
    coins = {s: [s + v for v in "012345" if s + v not in named] for s in "SMCA"}
    for each in coins.values():
        random.shuffle(each)

    def filled(action: Action) -> Action:
        if action.verb == "set" and OPEN_VALUE in action.args:
            return game.fill(forms[action.actor], random.randrange)
        if action.verb == "place" and action.args[0].endswith(OPEN_VALUE):
            return action._replace(args=(coins[action.args[0][0]].pop(), action.args[1]))
        return action

    return tuple(map(filled, known))


def options_of(head: dict[str, str]) -> dict[str, str]:
    return Record(head, ()).options()


Choose = Callable[[ComputerPlayer, Record, str], str]
"""Returns what a player chooses for a seat of a match, as text."""


def honest(player: ComputerPlayer, record: Record, seat: str) -> str:
    """Return the choice, its value, and a world that fits."""
    known = record.recall(seat)
    choice, situation = player.choose(known, seat), situation_of(known, seat)
    world = situation.draw_world(Dice(player.seed, seat).draw("world"))
    return f"{choice} {situation.game.dump(world)}"


def handed_the_state(player: ComputerPlayer, record: Record, seat: str) -> str:
    """Draw from what is hidden, too."""
    game, state = record.replay()
    peeking = replace(player, seed=player.seed + game.dump(state).encode())
    return str(peeking.choose(record.recall(seat), seat))


class TrueSituation(Situation):
    """A situation in which all worlds are the true one."""

    __slots__ = ()

    def draw_world(self, draw: RandomSource) -> Any:
        return self.world


def handed_true_worlds(player: ComputerPlayer, record: Record, seat: str) -> str:
    """Choose as greedily as an honest player, but in the true world."""
    game, state = record.replay()
    legal = tuple(action for action in game.legal(state) if action.actor == seat)
    if not legal:
        return ""
    draw = Dice(player.seed, seat).draw(len(record.actions))
    return str(choose_greedily(TrueSituation(game, seat, legal, state), draw, NODES))


def handed_the_dice(player: ComputerPlayer, record: Record, seat: str) -> str:
    """Look up the seed of the dice, from which all rolls follow."""
    peeking = replace(player, seed=bytes.fromhex(record.headers["Seed"]))
    return str(peeking.choose(record.recall(seat), seat))


def equal_pairs(choose: Choose, name: str, count: int) -> int:
    """Return the number of pairs before the first one in which the choices differ."""
    for number in range(count):
        random = Random(f"{name} {number}")
        one, other, seat = pair(name, random)
        assert one.recall(seat).actions == other.recall(seat).actions
        player = ComputerPlayer(random.choice(names()), random.randbytes(32), NODES)
        if choose(player, one, seat) != choose(player, other, seat):
            return number
    return count


@pytest.mark.parametrize("name", OPTIONS)
@sampled(6, 25, 10_000)
def test_choices_and_worlds_are_equal_where_a_seat_sees_the_same(name: str, samples: int) -> None:
    assert equal_pairs(honest, name, samples) == samples


@pytest.mark.parametrize(
    ("peek", "name"),
    [
        (handed_the_state, "wormholes"),
        (handed_the_state, "warp6"),
        (handed_true_worlds, "wormholes"),
        *((handed_the_dice, name) for name in OPTIONS),
    ],
)
def test_a_player_that_peeks_is_found(peek: Choose, name: str) -> None:
    assert equal_pairs(peek, name, MANY) < MANY
