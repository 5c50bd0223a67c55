"""Analysis of a match step by step: a game of secret bids with values that can be added up."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice

import pytest

from engine.computer.analysis import Analysis, Parts, Step
from engine.computer.analyst import Analyst, analyse, dice_luck, level_like
from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.levels import LEVELS
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import serve
from engine.computer.reasons import Reason
from engine.computer.shares import Shares, scaled, won_by
from engine.computer.situation import MAX_REASONS, Situation
from engine.dice import Dice
from engine.game import CHANCE, Action, RandomSource
from engine.record import Record, RecordError
from tests.support import bids as support
from tests.support.bids import State

pytestmark = pytest.mark.usefixtures("bids")

SEEN: list[tuple[str, str, int]] = []
"""Decisions that were weighed: the seat, the bids in the position that it knows, a drawn number."""


class Values:
    """A card is worth 1,000 times its number, and a prize belongs to the first seat until won."""

    def expected_scores(self, state: State) -> Shares:
        if state.result:
            return won_by(state.seats, state.result.partition(" ")[0])
        first, *others = (
            0 if seat in state.left else 1 + points
            for seat, points in zip(state.seats, state.points, strict=True)
        )
        return scaled((first + state.prize, *others))

    def outcomes(self, state: State) -> Iterable[Action]:
        return [Action(CHANCE, "prize", (value,)) for value in "123"]

    def score_choices(
        self, situation: Situation, played: Action, draw: RandomSource, nodes: int
    ) -> list[tuple[int, Action]]:
        assert played in situation.legal
        assert nodes == LEVELS["admiral"].nodes
        SEEN.append((situation.seat, situation.sampled_state.bids, draw(1 << 30)))
        return [(1000 * int(action.args[0]), action) for action in situation.legal]


def explain(_situation: Situation, action: Action) -> list[Reason]:
    return [Reason(f"{action} is best")] * (MAX_REASONS + 1)


@pytest.fixture(autouse=True)
def _values(monkeypatch: pytest.MonkeyPatch) -> None:
    SEEN.clear()
    changed = COMPUTER_SUPPORT["bids"]._replace(
        values=Values(), explain=explain, error_rates=(0.3, 0.2, 0.1, 0.0)
    )
    monkeypatch.setitem(COMPUTER_SUPPORT, "bids", changed)


def record(*lines: str, seats: str = "2") -> Record:
    headers = {"Game": "bids", "Rules": "plain", "Version": "1", "Options": f"seats={seats}"}
    return Record(headers, tuple(map(Action.parse, lines)))


RESIGNED = ("* prize 3", "B bid 4", "A bid 2", "* prize 1", "A bid 4", "B resign")


def losses(analysis: Analysis) -> list[tuple[int, str, str, str, int]]:
    """The place, seat, choice, best choice and loss of each decision."""
    return [
        (
            decision.place,
            decision.seat,
            decision.choice.args[0],
            decision.best.args[0],
            decision.loss,
        )
        for decision in analysis.decisions
    ]


def test_each_step_of_a_match_is_judged() -> None:
    analysis = analyse(record(*RESIGNED))
    assert [shares[0] for shares in analysis.curve] == [7389, 8000, 8000, 4206, 3333, 3333, 10_000]
    assert [(roll.place, roll.luck) for roll in analysis.rolls] == [
        (0, (8000 - 7389, 7389 - 8000)),
        (3, (3333 - 4206, 4206 - 3333)),
    ]
    assert losses(analysis) == [
        (1, "B", "4", "4", 0),
        (2, "A", "2", "4", 2000),
        (4, "A", "4", "4", 0),
    ]
    assert [len(decision.reasons) for decision in analysis.decisions] == [0, MAX_REASONS, 0]
    assert analysis.endings == ("", "resign")
    assert analysis.levels == ("captain", "admiral"), "A has lost a tenth of a win at each decision"
    one, other = analysis.parts
    assert one == Parts(8000 - 7389 + 3333 - 4206, 873, (-2000, 0), (0, 4000))
    assert other == Parts(-one.dice, -873, (2000, 0), (0, -4000))
    assert one.total == 10_000 - 7389
    assert dice_luck(record(*RESIGNED)) == (one.dice, other.dice)


def test_decision_is_judged_by_what_its_seat_knew() -> None:
    analyse(record(*RESIGNED))
    assert [call[:2] for call in SEEN] == [("B", "--"), ("A", "-1"), ("A", "--")], "B bid 4"
    assert [call[2] for call in SEEN] == [
        Dice(bytes(32), seat).draw(place)(1 << 30) for seat, place in (("B", 1), ("A", 2), ("A", 4))
    ]


def test_header_of_the_computer_is_not_judged() -> None:
    whole = record(*RESIGNED)
    with_computer = Record({**whole.headers, "Computer": "2 B admiral/1"}, whole.actions)
    assert analyse(with_computer) == analyse(whole)


def test_loss_goes_to_those_who_gain_by_it() -> None:
    """A wins the prize alone because B did not bid 4; C gains nothing by that."""
    analysis = analyse(
        record(
            "* prize 3",
            "A bid 4",
            "C bid 1",
            "B bid 3",
            "* prize 1",
            "B leave",
            "C leave",
            seats="3",
        )
    )
    assert losses(analysis)[1:] == [(2, "C", "1", "4", 3000), (3, "B", "3", "4", 1000)]
    assert [parts.errors for parts in analysis.parts] == [
        (0, 1000, 1500),
        (0, -1000, 1500),
        (0, 0, -3000),
    ]


@pytest.mark.parametrize(
    ("ends", "endings"),
    [
        (("C leave", "A draw offer", "B draw accept"), ("draw", "draw", "leave")),
        (("A draw offer", "B draw accept", "C draw accept"), ("draw", "draw", "draw")),
        (("B flag", "A leave"), ("leave", "flag", "")),
    ],
)
def test_each_ending_is_counted_once_for_its_seat(
    ends: tuple[str, ...], endings: tuple[str, ...]
) -> None:
    begin = ("* prize 3", "A bid 2", "C bid 3", "B bid 4", "* prize 1")
    analysis = analyse(record(*begin, *ends, seats="3"))
    assert analysis.endings == endings
    for seat, ending in enumerate(endings):
        loss = analysis.parts[seat].endings[seat]
        assert loss <= 0
        assert sum(parts.endings[seat] for parts in analysis.parts) == 0
        if not ending:
            assert loss == 0


def test_leaving_costs_what_the_latest_decision_expected() -> None:
    begin = ("* prize 3", "A bid 2", "C bid 3", "B bid 4", "* prize 1")
    analysis = analyse(record(*begin, "C leave", "A draw offer", "B draw accept", seats="3"))
    assert [parts.endings for parts in analysis.parts] == [
        (0, 333, 999),
        (0, 3333 - 4000, 2001),
        (0, 334, -3000),
    ], "A expected less than the draw gives"


def test_last_card_is_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "CARDS", "123")
    rounds = (("1", "2"), ("2", "3"), ("3", "1"))
    lines = [
        line for one, other in rounds for line in ("* prize 1", f"A bid {one}", f"B bid {other}")
    ]
    analysis = analyse(record(*lines))
    assert [decision.place for decision in analysis.decisions] == [1, 2, 4, 5]
    assert analysis.curve[-1] == (0, 10_000)
    assert analysis.endings == ("", "")


def test_choice_as_good_as_the_best_is_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    def score_choices(_self: Values, situation: Situation, *_: object) -> list[tuple[int, Action]]:
        return [(5000, action) for action in situation.legal]

    monkeypatch.setattr(Values, "score_choices", score_choices)
    analysis = analyse(record(*RESIGNED))
    assert [decision.best == decision.choice for decision in analysis.decisions] == [True] * 3
    assert analysis.levels == ("admiral", "admiral")


def test_values_beyond_a_win_or_a_loss_count_as_these(monkeypatch: pytest.MonkeyPatch) -> None:
    def score_choices(_self: Values, situation: Situation, *_: object) -> list[tuple[int, Action]]:
        return [(30_000 * int(action.args[0]) - 60_000, action) for action in situation.legal]

    monkeypatch.setattr(Values, "score_choices", score_choices)
    analysis = analyse(record(*RESIGNED))
    assert [decision.loss for decision in analysis.decisions] == [0, 10_000, 0]


def test_match_is_replayed_by_its_own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, start = list[str](), support.Bids.start

    def start_and_note(self: support.Bids, rules: str, options: Mapping[str, str]) -> State:
        begun.append(rules)
        return start(self, rules, options)

    monkeypatch.setattr(support.Bids, "rules", ("plain", "odd"))
    monkeypatch.setattr(support.Bids, "start", start_and_note)
    whole = record(*RESIGNED)
    analyse(Record({**whole.headers, "Rules": "odd"}, whole.actions))
    assert {*begun} == {"odd"}


def test_analysis_goes_on_from_the_steps_of_an_earlier_one() -> None:
    whole = record(*RESIGNED)
    for count in range(len(RESIGNED) + 1):
        steps = [*islice(Analyst(whole).steps(), count)]
        again = [Step.from_json(json.loads(json.dumps(step.to_json()))) for step in steps]
        analyst = Analyst(whole)
        SEEN.clear()
        rest = [*analyst.steps(count)]
        assert len(SEEN) == sum("bid" in line for line in RESIGNED[count:])
        assert analyst.add_up([*again, *rest]) == analyse(whole)
    with pytest.raises(RecordError, match="one judgement an action"):
        analyst.add_up(rest)


def test_worker_reports_each_step_if_it_is_to_go_on() -> None:
    request = {"do": "analyse", "record": str(record(*RESIGNED))}
    player = ComputerPlayer("cadet", bytes(32))
    (whole,) = map(json.loads, serve([json.dumps(request)], player))
    *reports, answer = map(json.loads, serve([json.dumps(request | {"steps": []})], player))
    assert answer == whole
    assert len(reports) == len(RESIGNED)
    steps = [report["step"] for report in reports[:4]]
    *rest, answer = map(json.loads, serve([json.dumps(request | {"steps": steps})], player))
    assert (rest, answer) == (reports[4:], whole)
    for nonsense in ([1], [[1, 2]], 7, [*reports, 1]):
        (refusal,) = map(json.loads, serve([json.dumps(request | {"steps": nonsense})], player))
        assert "error" in refusal


def test_running_match_is_refused() -> None:
    with pytest.raises(RecordError, match="not over"):
        analyse(record(*RESIGNED[:-1]))


def test_level_is_the_nearest_in_proportion() -> None:
    rates = (0.08, 0.04, 0.02, 0.0)
    assert [level_like(rate, rates) for rate in (0.058, 0.056, 0.029, 0.027)] == [
        "cadet",
        "navigator",
        "navigator",
        "captain",
    ]


@pytest.mark.parametrize(("seed", "loss"), [("07" * 32, 0), ("", 2000), ("no seed", 2000)])
def test_advised_choice_is_no_error(monkeypatch: pytest.MonkeyPatch, seed: str, loss: int) -> None:
    """A hint follows from the seed and from what the seat knew, so it is given again."""

    def rate(situation: Situation, *_: object) -> list[tuple[int, Action]]:
        return [(9000 * (action.args == ("2",)), action) for action in situation.legal]

    changed = COMPUTER_SUPPORT["bids"]._replace(rate=rate)
    monkeypatch.setitem(COMPUTER_SUPPORT, "bids", changed)
    whole = record(*RESIGNED)
    analysis = analyse(Record({**whole.headers, "Seed": seed}, whole.actions))
    by_computer = {"Seed": seed, "Computer": "3 A cadet/1"}
    assert losses(analyse(Record({**whole.headers, **by_computer}, whole.actions)))[1][-1] == 2000
    best = "4" if loss else "2"
    assert losses(analysis)[1] == (2, "A", "2", best, loss)
    for seat, parts in enumerate(analysis.parts):
        assert parts.total == analysis.curve[-1][seat] - analysis.curve[0][seat]
        assert parts.errors == ((-loss, 0), (loss, 0))[seat]
