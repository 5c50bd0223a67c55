"""Records that hide actions of the seat itself: the player remembers what it chose."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tracemalloc
from collections import OrderedDict
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer import memory
from engine.computer.memory import Memory, remember
from engine.computer.players import ComputerPlayer, names
from engine.computer.protocol import seed_of
from engine.computer.situation import Choice, Situation
from engine.game import CHANCE, Action, AnyGame
from engine.games import get
from engine.record import Record
from tests.support.tiers import by_tier, examples, sampled

TERMS = [
    ("wormholes", "0.6", "notes=off"),
    ("wormholes", "0.6", "notes=on"),
    ("wormholes", "0.6-long", "notes=off"),
    ("wormholes", "0.5.2", "notes=off"),
    ("wormholes", "0.6", "notes=off placing=three"),
    ("wormholes", "0.6", "notes=off placing=secret"),
    ("warp6", "standard", "seats=2 setup=secret"),
    ("warp6", "standard", "seats=3 setup=secret"),
    ("warp6", "standard", "seats=2"),
    ("tomtube", "standard", ""),
    ("tomtube", "basic", ""),
]
SEEDS = st.integers(0, 10**6)
SEED = b"memory"
MAX_CACHE_BYTES = 2 * 1024 * 1024


class Match:
    """A match that goes on action by action."""

    def __init__(self, name: str, rules: str, options: str, seed: int) -> None:
        self.game: AnyGame = get(name)
        self.record = Record({"Game": name, "Rules": rules, "Options": options}, ())
        self.state = self.game.start(rules, self.record.options())
        self._draw = Random(seed).randrange

    def seat(self) -> str:
        """Resolve chance; return the seat that decides, empty after the end."""
        while (pending := self.game.pending(self.state)) == CHANCE:
            self.apply(self.game.chance(self.state, self._draw))
        return pending[:1]

    def apply(self, action: Action) -> None:
        self.state, _ = self.game.apply(self.state, action)
        self.record = Record(self.record.headers, (*self.record.actions, action))

    def apply_any(self) -> None:
        """Let a person choose, who takes any legal action."""
        seat = self.seat()
        legal = [action for action in self.game.legal(self.state) if action.actor == seat]
        self.apply(self.game.fill(legal[self._draw(len(legal))], self._draw))

    def redacted(self, seat: str) -> Record:
        """Return the record that the seat may see, read from text as a program gets it."""
        return Record.parse(str(self.record.redact(seat)))

    def offered(self, seat: str) -> Match:
        """Return the same match in which another seat has offered a draw."""
        other = next(s for s in self.game.seats(self.record.options()) if s != seat)
        match = object.__new__(Match)
        match.__dict__.update(self.__dict__)
        match.apply(Action(other, "draw", ("offer",)))
        return match


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch) -> OrderedDict[bytes, Action]:
    """An empty cache of earlier choices."""
    empty = OrderedDict[bytes, Action]()
    monkeypatch.setattr(memory, "_cached_choices", empty)
    return empty


@pytest.mark.slow
@sampled(1, 1, 20)
@pytest.mark.parametrize(("name", "rules", "options"), TERMS)
def test_redacted_records_give_the_same_choices(
    name: str, rules: str, options: str, samples: int
) -> None:
    """Each seat has another level; draw offers come in between."""
    limit = by_tier(12, 20, 20) if name == "tomtube" else by_tier(26, 40, 40)
    for number in range(samples):
        match, levels = Match(name, rules, options, number), names()
        while (seat := match.seat()) and len(match.record.actions) < limit:
            turn = number + match.game.seats(match.record.options()).index(seat)
            player = ComputerPlayer(levels[-1 - turn % len(levels)], SEED, 20)
            choice = player.choose(match.record.redact_for_infostate(seat), seat)
            assert player.choose(match.redacted(seat), seat) == choice
            if len(match.record.actions) % 7 == 0:
                offer = match.offered(seat)
                answer = player.choose(offer.record.redact_for_infostate(seat), seat)
                assert player.choose(offer.redacted(seat), seat) == answer
            match.apply(choice.action)


def test_only_wormholes_without_notes_hides_own_actions() -> None:
    for name, rules, options in TERMS:
        match = Match(name, rules, options, 1)
        hidden = False
        while (seat := match.seat()) and len(match.record.actions) < 30:
            seat_actions = (
                action for action in match.redacted(seat).actions if action.actor == seat
            )
            hidden |= any("?" in str(action) for action in seat_actions)
            match.apply_any()
        assert hidden is options.startswith("notes=off")


@pytest.mark.slow
def test_choices_do_not_depend_on_the_cache(cache: OrderedDict[bytes, Action]) -> None:
    """Another player, who remembers other choices, uses the same cache."""
    match, player = Match("wormholes", "0.6", "notes=off", 2), ComputerPlayer("greedy", SEED, 20)
    while (seat := match.seat()) and len(match.record.actions) < 26:
        choice = player.choose(match.record.redact_for_infostate(seat), seat)
        ComputerPlayer("greedy", b"other", 20).choose(match.redacted(seat), seat)
        assert player.choose(match.redacted(seat), seat) == choice
        cache.clear()
        assert player.choose(match.redacted(seat), seat) == choice
        match.apply(choice.action)
    assert cache


@pytest.mark.parametrize("level", names())
@examples(1, 4, 200)
@given(seed=SEEDS)
def test_other_players_actions_end_in_a_legal_answer(level: str, seed: int) -> None:
    """In the set-up, a coin of a suit that is still complete in the hand is certainly legal."""
    match = Match("wormholes", "0.6", "notes=off", seed)
    for _ in range(seed % 60):
        if match.seat():
            match.apply_any()
    if seat := match.seat():
        action = ComputerPlayer(level, SEED, 10).choose(match.redacted(seat), seat).action
        placed = [action for action in match.record.actions if action.verb == "place"]
        suits = [action.args[0][0] for action in placed if action.actor == seat]
        if action.verb != "place" or set(suits) != {"O": set("SM"), "D": set("CA")}[seat]:
            match.apply(action)
        else:
            assert suits.count(action.args[0][0]) < 6
            assert action.args[1] not in {placing.args[1] for placing in placed}


@pytest.mark.first(test=2)
@sampled(1, 2, 2)
@pytest.mark.parametrize("suits", ["SSSSSM", "MMMMMS", "SSSSSS", "SSSM", "MMMS"])
def test_the_likeliest_coin_is_placed_if_none_is_certain(suits: str, samples: int) -> None:
    """Of the suit that another player placed less often, more coins are left, or all."""
    text = "Game: wormholes\n\n* rolloff S5 M5 C0 A0\nO first place\n"
    pairs = ("c16 c15", "d16 d15", "e16 e15", "f16 f15", "c10 c9", "d10 d9")
    for suit, pair in zip(suits, pairs, strict=False):
        mine, yours = pair.split()
        text += f"O place {suit}? {mine}\nD place C? {yours}\n"
    likeliest = min("SM", key=suits.count)
    for level in names():
        for seed in (b"1", b"2")[:samples]:
            choice = ComputerPlayer(level, seed, 10).choose(Record.parse(text), "O")
            assert choice.action.args[0][0] == likeliest


def remembered(match: Match, player: ComputerPlayer, seat: str) -> Memory:
    return remember(match.redacted(seat), seat, repr(player), player._decide)


@sampled(1, 5, 50)
def test_own_choices_are_remembered_beside_wrong_guesses(samples: int) -> None:
    """A person places the first coins, and others for which the player gives no legal answer.

    Coins that are turned over later, and contradict the guesses, change nothing about the rest.
    """
    player, wrong = ComputerPlayer("random", SEED), False
    for number in range(samples):
        match, people = Match("wormholes", "0.6", "notes=off", number), set[int]()
        while (seat := match.seat()) and len(match.record.actions) < 90:
            action = player.choose(match.redacted(seat), seat).action
            before = match.record.actions
            if action in match.game.legal(match.state) and len(before) > 6:
                match.apply(action)
            else:
                people.add(len(before))
                match.apply_any()
            remembered_actions = remembered(match, player, seat).record.actions
            for place, (mine, truth) in enumerate(
                zip(remembered_actions, match.record.actions, strict=True)
            ):
                if mine.actor == seat and place not in people:
                    assert mine == truth
                wrong |= mine.actor == seat and mine != truth
    assert wrong


def test_an_action_that_is_shown_is_taken_as_it_is() -> None:
    """A host may know some of the own coins: what the player would have chosen does not count."""
    text = "Game: wormholes\n\n* rolloff S5 M5 C0 A0\nO first place\n"
    text += "O place S4 c9\nD place C? d9\nO place S? e9\nD place C? f9\n"
    spaces = {2: "c9", 4: "e9"}

    def decide(_: Situation, number: int) -> Choice:
        return Choice(Action("O", "place", ("S4", spaces[number])))

    remembered_match = remember(Record.parse(text), "O", "p", decide)
    placings = [
        action
        for action in remembered_match.record.actions
        if (action.actor, action.verb) == ("O", "place")
    ]
    assert placings[0] == Action("O", "place", ("S4", "c9"))
    assert placings[1].args[0] != "S4"
    assert remembered_match.record.actions[3] == Action("D", "place", ("C?", "d9"))


@pytest.mark.parametrize(
    "rules",
    [
        get("wormholes").rules[0],
        *(pytest.param(rules, marks=pytest.mark.slow) for rules in get("wormholes").rules[1:]),
    ],
)
def test_a_match_needs_each_choice_twice_at_most(
    rules: str, cache: OrderedDict[bytes, Action]
) -> None:
    """A player chooses, and chooses again once to remember it: the cost of a match is linear."""
    match, player = Match("wormholes", rules, "notes=off", 1), ComputerPlayer("random", SEED)
    again: list[tuple[str, int]] = []

    def decide(situation: Situation, number: int) -> Choice:
        again.append((situation.seat, number))
        return player._decide(situation, number)

    while (seat := match.seat()) and len(match.record.actions) < 150:
        remember(match.redacted(seat), seat, repr(player), decide)
        match.apply(player.choose(match.record.redact_for_infostate(seat), seat).action)
    assert len(again) == len(set(again)) == len(cache) == 24


def test_the_cache_is_small(cache: OrderedDict[bytes, Action]) -> None:
    tracemalloc.start()
    for number in range(memory.MAX_CACHED_CHOICES + 100):
        key = hashlib.sha256(b"%d" % number).digest()
        memory._cache(key, Action.parse(f"O place S{number} e9"))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(cache) == memory.MAX_CACHED_CHOICES
    assert size < MAX_CACHE_BYTES


@pytest.mark.parametrize("level", ["greedy", pytest.param("cadet", marks=pytest.mark.slow)])
def test_a_program_plays_from_redacted_records(level: str) -> None:
    """The same answers as to a player that has never left the table, from another process."""
    match, player = Match("wormholes", "0.6", "notes=off", 4), ComputerPlayer(level, seed_of(7))
    command = [sys.executable, "-m", "engine", "seat", "--level", level, "--seed", "7"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as worker:
        assert worker.stdin
        assert worker.stdout
        while (seat := match.seat()) and len(match.record.actions) < 32:
            choice = player.choose(match.record.redact_for_infostate(seat), seat)
            request = {"do": "choose", "seat": seat, "record": str(match.record.redact(seat))}
            print(json.dumps(request), file=worker.stdin, flush=True)
            answer = json.loads(worker.stdout.readline())
            assert answer["line"] == choice.action.notation
            match.apply(choice.action)
        worker.stdin.close()
