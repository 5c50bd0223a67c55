"""Matches that look alike to a seat: its worlds and choices are the same, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.computer.baselines import choose_greedily
from engine.computer.players import ComputerPlayer, names
from engine.computer.situation import Situation, situation_of
from engine.dice import Dice, commitment
from engine.endings import draw_answers
from engine.game import CHANCE, Action, IllegalActionError, RandomSource
from engine.record import Record
from engine.testing.matches import Played, played
from engine.testing.secrecy import fits
from tests.support.any_game import NAMES, WITH_SECRETS
from tests.support.bids import Bids
from tests.support.tiers import sampled

pytestmark = pytest.mark.usefixtures("bids")

LIMITS = (4, 4, 80, 80)
"""Maximum numbers of actions before a decision: most are early, because later less is hidden."""

TRIES = 20
"""Maximum number of attempts to redraw hidden choices until they fit the view."""

NODES = 20
MANY = 100

Pair = tuple[Record, Record, str]


def pair(name: str, random: Random) -> Pair:
    """Return two matches that look alike to a seat which has to decide, and that seat."""
    while True:
        match = played(name, random, random.choice(LIMITS))
        while match.game.pending(match.state) == CHANCE:
            match = match.after(match.any_action(random))
        if match.is_over:
            continue
        deciding = match.game.pending(match.state)
        if random.random() < 0.1:
            match = match.after(Action(random.choice(match.seats), "draw", ("offer",)))
            answers = (seat for seat in match.seats if draw_answers(match.game, match.state, seat))
            deciding = "".join(answers)
        seat = random.choice(deciding)
        other = twin(
            match, match.game.redact_for_infostate(match.state, seat, match.actions), random
        )
        if other:
            return with_dice(match.record, random), with_dice(other.record, random), seat


def with_dice(record: Record, random: Random) -> Record:
    """Return a record with a seed that no player knows during the match."""
    seed = random.randbytes(32)
    dice = {"Seed": seed.hex(), "Dice": commitment(seed), "Salt": f"{random.randrange(100)}"}
    return Record({**record.headers, **dice}, record.actions)


def twin(match: Played, recalled: Sequence[Action], random: Random) -> Played | None:
    """Return a match with other choices in place of those that a seat does not know."""
    start = match.game.start(match.headers["Rules"], match.options)
    completed = match.game.fill_redacted(match.options, recalled)
    for _ in range(TRIES):
        other = Played(match.game, match.headers, start)
        try:
            for number, hidden in enumerate(recalled):
                is_open = hidden.actor == CHANCE or hidden == match.actions[number]
                later = recalled[number + 1 :]
                action = completed[number] if is_open else chosen(other, hidden, later, random)
                other = other.after(action)
        except IllegalActionError:
            continue
        return other
    return None


def chosen(match: Played, hidden: Action, later: Sequence[Action], random: Random) -> Action:
    """Return a legal action that fits a hidden one and uses up nothing that is needed later.

    Raises:
        IllegalActionError: there is none.
    """
    needed = {
        (place, arg)
        for action in later
        if action[:2] == hidden[:2]
        for place, arg in enumerate(action.args)
    }
    once = next(verb.once for verb in match.game.verbs if verb.name == hidden.verb)
    forms = [form for form in match.game.legal(match.state) if form[:2] == hidden[:2]]
    random.shuffle(forms)
    for form in forms:
        action = match.game.fill(form, random.randrange)
        if fits(action, hidden) and needed.isdisjoint(enumerate(action.args[:once])):
            return action
    raise IllegalActionError("", "Nothing fits.")


Choose = Callable[[ComputerPlayer, Record, str], str]
"""Returns what a player chooses for a seat of a match, as text."""


def honest(player: ComputerPlayer, record: Record, seat: str) -> str:
    """Return the choice, its value, and a world that fits."""
    recalled = record.redact_for_infostate(seat)
    choice, situation = player.choose(recalled, seat), situation_of(recalled, seat)
    world = situation.determinize(Dice(player.seed, seat).draw("world"))
    return f"{choice} {situation.game.dump(world)}"


def handed_the_state(player: ComputerPlayer, record: Record, seat: str) -> str:
    """Draw from hidden values, too."""
    game, state = record.replay()
    peeking = replace(player, seed=player.seed + game.dump(state).encode())
    return str(peeking.choose(record.redact_for_infostate(seat), seat))


class TrueSituation(Situation):
    """A situation in which all worlds are the true one."""

    __slots__ = ()

    def determinize(self, draw: RandomSource) -> Any:
        return self.sampled_state


def handed_true_worlds(player: ComputerPlayer, record: Record, seat: str) -> str:
    """Choose as greedily as an honest player, but in the true world."""
    game, state = record.replay()
    legal = tuple(action for action in game.legal(state) if action.actor == seat)
    if not legal:
        return ""
    draw = Dice(player.seed, seat).draw(len(record.actions))
    return str(choose_greedily(TrueSituation(game, seat, legal, state), draw, NODES))


def handed_the_dice(player: ComputerPlayer, record: Record, seat: str) -> str:
    """Look up the seed of the dice, which determines all rolls."""
    peeking = replace(player, seed=bytes.fromhex(record.headers["Seed"]))
    return str(peeking.choose(record.redact_for_infostate(seat), seat))


def equal_pairs(choose: Choose, name: str, count: int) -> int:
    """Return the number of pairs before the first one in which the choices differ."""
    for number in range(count):
        random = Random(f"{name} {number}")
        one, other, seat = pair(name, random)
        assert one.redact_for_infostate(seat).actions == other.redact_for_infostate(seat).actions
        player = ComputerPlayer(random.choice(names()), random.randbytes(32), NODES)
        if choose(player, one, seat) != choose(player, other, seat):
            return number
    return count


@pytest.mark.parametrize("name", NAMES)
@sampled(6, 25, 10_000)
def test_choices_and_worlds_are_equal_where_a_seat_sees_the_same(name: str, samples: int) -> None:
    assert equal_pairs(honest, name, samples) == samples


@pytest.mark.parametrize(
    ("peek", "name"),
    [
        *((handed_the_state, name) for name in WITH_SECRETS),
        (handed_true_worlds, "wormholes"),
        (handed_true_worlds, Bids.name),
        *((handed_the_dice, name) for name in NAMES),
    ],
)
def test_a_player_that_peeks_is_found(peek: Choose, name: str) -> None:
    assert equal_pairs(peek, name, MANY) < MANY
