"""Choices follow from the redacted record, the player and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from engine.computer.audit import audit
from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.players import VERSION, ComputerPlayer, names
from engine.computer.situation import Choice, PlayerError, Situation
from engine.dice import Dice, commitment
from engine.game import CHANCE, Action, AnyGame, RandomSource
from engine.games import get
from engine.record import Record
from tests.support.bids import Bids, State

TERMS = [
    ("wormholes", "0.6", {"notes": "off"}),
    ("wormholes", "0.6-long", {"notes": "on"}),
    ("wormholes", "0.5.2", {}),
    ("wormholes", "0.6", {"placing": "three"}),
    ("wormholes", "0.6", {"placing": "secret"}),
    ("wormholes", "0.6", {"placing": "random"}),
    ("warp6", "standard", {"seats": "2"}),
    ("warp6", "standard", {"seats": "3", "setup": "secret"}),
    ("tomtube", "standard", {}),
]


class Relay:
    """Let one level after another choose."""

    def choose(self, record: Record, seat: str) -> Choice:
        level = names()[len(record.actions) % len(names())]
        return ComputerPlayer(level, b"seed", 20).choose(record, seat)


def headers(game: str, rules: str, options: dict[str, str]) -> dict[str, str]:
    words = " ".join(f"{name}={value}" for name, value in options.items())
    return {"Game": game, "Rules": rules, "Options": words}


def play(
    game: AnyGame, head: dict[str, str], player: ComputerPlayer | Relay, seed: int, limit: int
) -> Record:
    """Let a player choose for all seats, each by its own record; every choice is legal."""
    random, record = Random(seed), Record(head, ())
    state = game.start(head["Rules"], record.options())
    while (pending := game.pending(state)) and len(record.actions) < limit:
        if pending == CHANCE:
            action = game.chance(state, random.randrange)
        else:
            action = player.choose(record.redact_for_infostate(pending[0]), pending[0]).action
        state, _ = game.apply(state, action)
        record = Record(head, (*record.actions, action))
    return record


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "game", "rules", "options"),
    [
        pytest.param(level, *terms, marks=[pytest.mark.soak] if (row + column) % 3 else [])
        for row, terms in enumerate(TERMS)
        for column, level in enumerate(names())
    ],
)
def test_every_choice_is_legal(level: str, game: str, rules: str, options: dict[str, str]) -> None:
    player = ComputerPlayer(level, b"seed", 40)
    assert play(get(game), headers(game, rules, options), player, 1, 30).actions


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rules", "options"), TERMS)
def test_choices_of_the_best_level_are_legal(
    game: str, rules: str, options: dict[str, str]
) -> None:
    player = ComputerPlayer("admiral", b"seed", 20)
    assert play(get(game), headers(game, rules, options), player, 1, 15).actions


@pytest.mark.slow
def test_players_can_take_over_a_seat_at_any_time() -> None:
    """Coins in hand are known though notes are off and another player has placed the rest."""
    game, head = get("wormholes"), headers("wormholes", "0.6", {"notes": "off"})
    record = play(game, head, Relay(), 3, 40)
    placed = {action.args[0] for action in record.actions if action.verb == "place"}
    assert len(placed) == 24


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(PlayerError, match="no player"):
        ComputerPlayer("commodore", b"")


@pytest.fixture
def asked(bids: None, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, int]]:
    """The decisions for which bids were rated: the seat, the bids it knows, and a drawn number."""
    noted: list[tuple[str, str, int]] = []

    def rate(situation: Situation, draw: RandomSource, _nodes: int) -> list[tuple[int, Action]]:
        noted.append((situation.seat, situation.sampled_state.bids, draw(1 << 30)))
        return [(5000, situation.legal[0])]

    monkeypatch.setitem(COMPUTER_SUPPORT, "bids", COMPUTER_SUPPORT["bids"]._replace(rate=rate))
    return noted


def bids_of(*lines: str, **headers: str) -> Record:
    return Record({"Game": "bids", **headers}, tuple(map(Action.parse, lines)))


def test_numbers_are_drawn_for_the_seat_and_the_decision(asked: list[tuple[str, str, int]]) -> None:
    player = ComputerPlayer("admiral", b"seed")
    whole = bids_of("* prize 1", "A bid 1", "B bid 3", "* prize 2")
    for count, seat in ((1, "A"), (1, "B"), (4, "A")):
        asked.clear()
        player.choose(Record(whole.headers, whole.actions[:count]).redact_for_infostate(seat), seat)
        drawn = Dice(b"seed", seat).draw(count)(1 << 30)
        assert asked[-1] == (seat, "--", drawn)


def test_choice_depends_on_the_rules_of_its_match(
    asked: list[tuple[str, str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, start = list[str](), Bids.start

    def start_and_note(self: Bids, rules: str, options: Mapping[str, str]) -> State:
        begun.append(rules)
        return start(self, rules, options)

    monkeypatch.setattr(Bids, "rules", ("plain", "odd"))
    monkeypatch.setattr(Bids, "start", start_and_note)
    ComputerPlayer("admiral", b"rules").choose(bids_of("* prize 1", Rules="odd"), "A")
    assert {*begun} == {"odd"}
    assert len(asked) == 1


def test_audit_chooses_by_what_the_seat_knew(asked: list[tuple[str, str, int]]) -> None:
    lines = ("* prize 1", "B bid 4", "A bid 1", "* prize 1", "B resign")
    seed = bytes(32)
    headers = {"Computer": f"3 A admiral/{VERSION}", "Seed": seed.hex(), "Dice": commitment(seed)}
    record = bids_of(*lines, **headers)
    assert audit(record) == (1, 0)
    assert [call[:2] for call in asked] == [("A", "-1")], "B bid 4"
