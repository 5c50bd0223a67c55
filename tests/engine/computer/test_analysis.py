"""The analysis of a match: exact parts, judged by what each seat knew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import games
from engine.computer.analysis import Analysis
from engine.computer.analyst import analyse, dice_luck, level_like
from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.levels import LEVELS
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_of, serve
from engine.computer.shares import damped, mean, scaled
from engine.computer.situation import SCALE
from engine.dice import computer_seed
from engine.game import CHANCE, Action
from engine.record import Record, RecordError
from tests.support.tiers import by_tier

TERMS = [
    ("wormholes", "0.6", {"placing": "random"}),
    ("wormholes", "0.6-long", {"placing": "three"}),
    ("warp6", "standard", {"seats": "2"}),
    ("warp6", "standard", {"seats": "3"}),
    ("tomtube", "standard", {}),
]
ENDINGS = ("resign", "flag", "draw")


def match(terms: tuple[str, str, dict[str, str]], seed: int, count: int, ending: str) -> Record:
    """A match of so many random actions, which ends in one way or, before that, by itself."""
    name, rules, options = terms
    game, random = games.get(name), Random(seed)
    state, actions = game.start(rules, options), list[Action]()
    headers = {"Game": name, "Rules": rules, "Version": str(game.version)}
    headers["Options"] = " ".join(f"{key}={value}" for key, value in options.items())

    def do(action: Action) -> None:
        nonlocal state
        state, _ = game.apply(state, action)
        actions.append(action)

    while (pending := game.pending(state)) and (len(actions) < count or pending == CHANCE):
        if pending == CHANCE:
            do(game.chance(state, random.randrange))
        else:
            do(game.fill(random.choice(game.legal(state)), random.randrange))
    for action in _ends(game.pending(state), game.seats(options), ending):
        if game.pending(state) and game.pending(state) != CHANCE:
            do(action)
    return Record(headers, tuple(actions))


def _ends(pending: str, seats: str, ending: str) -> Iterator[Action]:
    if ending == "draw":
        yield Action(seats[0], "draw", ("offer",))
        yield from (Action(seat, "draw", ("accept",)) for seat in seats[1:])
    elif len(seats) > 2:
        yield from (Action(seat, "leave" if ending == "resign" else ending) for seat in seats[1:])
    elif pending:
        yield Action(pending[0], ending)


@pytest.mark.slow
@pytest.mark.samples
@pytest.mark.parametrize("terms", TERMS)
def test_parts_add_up_to_the_result(terms: Any) -> None:
    for seed in range(by_tier(1, 1, 300)):
        ending = ENDINGS[(TERMS.index(terms) + seed) % len(ENDINGS)]
        count = Random(seed).randrange(12, by_tier(20, 50, 2000))
        record = match(terms, seed, count, ending)
        analysis = analyse(record)
        assert len(analysis.curve) == len(record.actions) + 1
        assert all(sum(shares) == SCALE for shares in analysis.curve)
        for seat, parts in enumerate(analysis.parts):
            assert parts.total == analysis.curve[-1][seat] - analysis.curve[0][seat]
        assert sum(parts.dice for parts in analysis.parts) == 0
        assert dice_luck(record) == tuple(parts.dice for parts in analysis.parts)
        for seat in range(len(analysis.seats)):
            assert sum(parts.errors[seat] for parts in analysis.parts) == 0
            assert sum(parts.endings[seat] for parts in analysis.parts) == 0
            judged = sum(decision.loss for decision in analysis.of(analysis.seats[seat]))
            assert analysis.parts[seat].errors[seat] == -judged
            assert analysis.parts[seat].endings[seat] <= 0


@pytest.mark.slow
@pytest.mark.parametrize("terms", [TERMS[0], TERMS[2], TERMS[4]])
def test_hints_are_no_errors(terms: Any) -> None:
    """The first seat follows hints, the others choose at random."""
    name, rules, options = terms
    game, seed, random = games.get(name), bytes(range(32)), Random(1)
    player, actions = ComputerPlayer("admiral", computer_seed(seed)), list[Action]()
    headers = {"Game": name, "Rules": rules, "Version": str(game.version)}
    headers["Options"] = " ".join(f"{key}={value}" for key, value in options.items())
    state, seats = game.start(rules, options), game.seats(options)
    while len(actions) < by_tier(30, 30, 400) or game.pending(state) == CHANCE:
        pending = game.pending(state)
        if pending == CHANCE:
            action = game.chance(state, random.randrange)
        elif seats[0] in pending:
            visible_actions = game.redact_for_infostate(state, seats[0], actions)
            action = player.advise(Record(headers, visible_actions), seats[0]).action
        else:
            legal = [option for option in game.legal(state) if option.actor == pending[0]]
            action = game.fill(random.choice(legal), random.randrange)
        state, _ = game.apply(state, action)
        actions.append(action)
    actions += _ends(seats[1], seats, "resign")
    analysis = analyse(Record(headers | {"Seed": seed.hex()}, tuple(actions)))
    assert {decision.loss for decision in analysis.of(seats[0])} == {0}
    assert {decision.loss for decision in analysis.of(seats[1])} != {0}


@pytest.mark.parametrize("terms", TERMS)
def test_luck_of_all_outcomes_is_zero(terms: Any) -> None:
    game, values = games.get(terms[0]), COMPUTER_SUPPORT[terms[0]].values
    record = match(terms, 3, 300, "resign")
    judged = [
        position
        for position in record.positions()
        if game.pending(position.state) == CHANCE and any(values.outcomes(position.state))
    ]
    for position in judged[: by_tier(2, 5, 50)]:
        outcomes = list(values.outcomes(position.state))
        after = [
            values.expected_scores(game.apply(position.state, outcome)[0]) for outcome in outcomes
        ]
        for seat, expected in enumerate(mean(after)):
            assert abs(sum(shares[seat] - expected for shares in after)) <= 2 * len(after)
        drawn = game.chance(position.state, Random(1).randrange)
        assert drawn in outcomes
    assert judged


@pytest.mark.slow
def test_hidden_coins_of_the_opponent_change_no_judgement() -> None:
    record = match(("wormholes", "0.6", {"placing": "random"}), 5, 40, "resign")
    state = list(record.positions())[-2].state
    (place,) = (number for number, action in enumerate(record.actions) if action.verb == "deal")
    dealt = list(record.actions[place].args)
    crowns = [n for n in range(12, 18) if not state.seen >> n & 1]
    one, two = crowns[:2]
    dealt[one], dealt[two] = dealt[one][:2] + dealt[two][2:], dealt[two][:2] + dealt[one][2:]
    changed = list(record.actions)
    changed[place] = record.actions[place]._replace(args=tuple(dealt))
    before, after = analyse(record), analyse(Record(record.headers, tuple(changed)))
    assert before.of("O") == after.of("O") != ()
    assert before.curve != after.curve


@pytest.mark.slow
def test_resigning_costs_what_the_seat_expected() -> None:
    record = match(("warp6", "standard", {"seats": "2"}), 1, 60, "resign")
    analysis, seat = analyse(record), record.actions[-1].actor
    number = analysis.seats.index(seat)
    judged = sum(decision.loss for decision in analysis.of(seat))
    assert -analysis.parts[number].errors[number] == judged
    assert analysis.parts[number].endings[number] < 0
    assert analysis.endings[number] == "resign"
    assert analysis.endings.count("") == 1
    assert analysis.curve[-1][number] == 0


@pytest.mark.slow
def test_seat_that_has_left_agrees_to_no_draw() -> None:
    record = match(("warp6", "standard", {"seats": "3"}), 2, 60, "resign")
    *actions, last = record.actions
    offer, accept = (
        Action(seat, "draw", (word,)) for seat, word in (("B", "offer"), (last.actor, "accept"))
    )
    analysis = analyse(Record(record.headers, (*actions, offer, accept)))
    assert sorted(analysis.endings) == ["draw", "draw", "leave"]


@pytest.mark.slow
def test_analysis_survives_json() -> None:
    record = match(("warp6", "standard", {"seats": "3"}), 2, 60, "draw")
    analysis = analyse(record)
    text = json.dumps(analysis.to_json())
    assert Analysis.from_json(json.loads(text)) == analysis
    with pytest.raises(ValueError, match="version"):
        Analysis.from_json(json.loads(text) | {"version": 0})


@pytest.mark.slow
def test_worker_analyses_a_record() -> None:
    record = match(("warp6", "standard", {"seats": "2"}), 2, 40, "resign")
    asked = json.dumps({"do": "analyse", "record": str(record)})
    (answer,) = serve([asked], ComputerPlayer("cadet", seed_of(0)))
    assert Analysis.from_json(json.loads(answer)) == analyse(record)
    (answer,) = serve(['{"do": "analyse"}'], ComputerPlayer("cadet", seed_of(0)))
    assert "needs “record”" in json.loads(answer)["error"]


def test_only_whole_records_of_ended_matches_are_analysed() -> None:
    record = match(TERMS[0], 2, 30, "resign")
    with pytest.raises(RecordError, match="not over"):
        analyse(Record(record.headers, record.actions[:-1]))
    running = Record(record.headers, record.actions[:-1]).redact("O")
    hidden = Record(record.headers, (*running.actions, record.actions[-1]))
    with pytest.raises(RecordError):
        analyse(hidden)


@pytest.mark.slow
def test_worst_decisions_are_those_of_the_seats_asked_for() -> None:
    analysis = analyse(match(("warp6", "standard", {"seats": "2"}), 4, 80, "resign"))
    worst = analysis.worst("B", 3)
    assert [decision.loss for decision in worst] == sorted(
        (decision.loss for decision in worst), reverse=True
    )
    assert {decision.seat for decision in worst} == {"B"}
    assert worst[0].loss == max(decision.loss for decision in analysis.of("B"))
    assert worst[0].reasons or worst[0].best.verb != "move"


@pytest.mark.parametrize("name", games.names())
def test_error_rates_lead_back_to_their_levels(name: str) -> None:
    rates = COMPUTER_SUPPORT[name].error_rates
    assert [level_like(rate, rates) for rate in rates] == list(LEVELS)
    assert [level_like(rate, rates) for rate in (0.0, 1.0)] == ["admiral", "cadet"]


def test_damping_keeps_the_best_action() -> None:
    one, two = Action("B", "move", ("b8a",)), Action("B", "move", ("b8b",))
    assert damped([(100, one), (60, two)], 75) == [(100, one), (70, two)]
    assert damped([], 75) == []
    assert sum(scaled((1, 1, 1))) == SCALE
