"""Reasons follow from what a seat knows, and change no choice."""

from __future__ import annotations

import json
import re
from random import Random
from string import Formatter

import pytest

from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.levels import LEVELS
from engine.computer.reasons import Amount, Reason
from engine.computer.situation import MAX_REASONS, Situation, situation_of
from engine.game import CHANCE, Action
from engine.games import get, names
from engine.i18n import NP_, english_of
from engine.record import Record
from tests.support.tiers import sampled

OPTIONS = {
    "wormholes": ("notes=off", "notes=on"),
    "warp6": ("seats=2", "seats=3 setup=secret"),
    "tomtube": ("",),
}
AMOUNT = Amount("a little", NP_("about one roll", "about {count} rolls"))


def situations(name: str, seed: int) -> list[Situation]:
    """Return decisions of random matches, each as its seat knows it."""
    game, situations_in_match = get(name), []
    for number, options in enumerate(OPTIONS[name]):
        random = Random(seed * 10 + number)
        headers = {"Game": name, "Rules": game.rules[0], "Options": options}
        record = Record(headers, ())
        state = game.start(game.rules[0], record.options())
        limit = random.randrange(1, 120)
        while (pending := game.pending(state)) and len(record.actions) < limit:
            if pending == CHANCE:
                action = game.chance(state, random.randrange)
            else:
                action = game.fill(random.choice(game.legal(state)), random.randrange)
            state, _ = game.apply(state, action)
            record = Record(headers, (*record.actions, action))
        if (pending := game.pending(state)) not in ("", CHANCE):
            situations_in_match.append(
                situation_of(record.redact_for_infostate(pending[0]), pending[0])
            )
    return situations_in_match


@sampled(5, 12, 500)
@pytest.mark.parametrize("name", names())
def test_reasons_are_equal_in_all_worlds(name: str, samples: int) -> None:
    explain, checked = COMPUTER_SUPPORT[name].explain, 0
    for seed in range(samples):
        for situation in situations(name, seed):
            world = situation.determinize(Random(seed).randrange)
            there = Situation(situation.game, situation.seat, situation.legal, world)
            for action in situation.legal[:: max(1, len(situation.legal) // 20)]:
                checked += 1
                assert explain(situation, action) == explain(there, action), str(action)
    assert checked


@sampled(5, 12, 500)
@pytest.mark.parametrize("name", names())
def test_reasons_have_all_their_fields_and_are_json(name: str, samples: int) -> None:
    for situation in (situation for seed in range(samples) for situation in situations(name, seed)):
        for action in situation.legal[:: max(1, len(situation.legal) // 20)]:
            for reason in COMPUTER_SUPPORT[name].explain(situation, action):
                assert "{" not in str(reason)
                assert json.loads(json.dumps(reason)) == [
                    *reason[:1],
                    dict(reason.fields),
                    reason.named,
                ]
                wanted = {field for _, field, _, _ in Formatter().parse(reason.template) if field}
                assert wanted <= set(reason.fields)
                fields = {**reason.fields, "player": "Ada", "opponent": "Bo"}
                text = english_of(reason.named or reason.template, fields)
                assert not re.search(r"\byou", text), text
                assert "{" not in text


@sampled(2, 10, 200)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", names())
def test_choice_is_the_same_without_reasons(
    name: str, level: str, samples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions = [situation for seed in range(samples) for situation in situations(name, seed)]

    def choices() -> list[tuple[object, int, int]]:
        draws = [Random(number) for number, _ in enumerate(decisions)]
        chosen_actions = [
            LEVELS[level].choose(situation, draw.randrange, 10)
            for situation, draw in zip(decisions, draws, strict=True)
        ]
        assert all(len(choice.reasons) <= MAX_REASONS for choice in chosen_actions)
        ends = [draw.randrange(1 << 30) for draw in draws]
        return [(*choice[:2], end) for choice, end in zip(chosen_actions, ends, strict=True)]

    expected = choices()
    silent = COMPUTER_SUPPORT[name]._replace(explain=lambda *_: [])
    monkeypatch.setitem(COMPUTER_SUPPORT, name, silent)
    assert choices() == expected


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (-900, []),
        (249, []),
        (250, ["a little"]),
        (499, ["a little"]),
        (500, ["about one roll"]),
        (1499, ["about one roll"]),
        (1500, ["about 2 rolls"]),
    ],
)
def test_amounts_are_rounded(amount: int, expected: list[str]) -> None:
    assert [str(reason) for reason in AMOUNT.reasons(amount, 1000)] == expected


def test_fields_are_filled_in() -> None:
    assert str(Reason("{ships} on {space}", {"ships": "Suns", "space": "d9"})) == "Suns on d9"


@pytest.mark.parametrize(
    ("level", "values", "expected"),
    [
        ("admiral", [5000, 4990], "other moves are as good"),
        ("admiral", [5000, 4900], "it looks best"),
        ("admiral", [5000], "nothing else is possible"),
        ("cadet", [5000, 5001], "other moves are as good"),
        ("cadet", [4000, 4999], ""),
    ],
)
def test_choice_without_reasons_is_compared(
    level: str, values: list[int], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The draw makes each level choose the first action, however good it is."""
    actions = tuple(Action("O", "first", (str(number),)) for number, _ in enumerate(values))
    rated = list(zip(values, actions, strict=True))
    knowledge = COMPUTER_SUPPORT["wormholes"]._replace(rate=lambda *_: rated, explain=lambda *_: [])
    monkeypatch.setitem(COMPUTER_SUPPORT, "wormholes", knowledge)
    situation = Situation(get("wormholes"), "O", actions, None)
    choice = LEVELS[level].choose(situation, lambda _: 0, 1)
    assert (choice.action, choice.value, choice.reason) == (actions[0], values[0], expected)
