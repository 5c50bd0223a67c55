"""The choices of all players in some positions: they change with the version only."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from engine.computer.players import VERSION, ComputerPlayer, names
from engine.dice import Dice
from engine.game import CHANCE, Action
from engine.games import get
from engine.record import Record, play

FILE = Path(__file__).with_name("choices.txt")

MATCHES = (
    ("wormholes", "0.6", "notes=off", (1, 2, 13, 60)),
    ("wormholes", "0.6-long", "notes=on", (45,)),
    ("warp6", "standard", "seats=2", (7, 70)),
    ("warp6", "standard", "seats=2 setup=secret", (0, 1)),
    ("warp6", "standard", "seats=3", (60,)),
    ("tomtube", "standard", "launch_T=1", (1, 23, 60)),
)
"""Game, rules, options, and after how many actions of a random match the players choose."""


def position(game: str, rules: str, options: str, count: int) -> tuple[Record, str]:
    """Return a position of a random match in which a seat decides, and that seat."""
    head = {"Game": game, "Rules": rules, "Options": options}
    dice = Dice(b"choices", "")
    draw = dice.draw("actions")
    state, actions = play(
        get(game),
        get(game).start(rules, Record(head, ()).options()),
        lambda legal: get(game).fill(legal[draw(len(legal))], draw),
        dice.draw,
        count,
    )
    while (seat := get(game).pending(state)[0]) == CHANCE:
        actions = (*actions, get(game).chance(state, draw))
        state, _ = get(game).apply(state, actions[-1])
    return Record(head, actions), seat


def with_offer(record: Record, seat: str) -> Record:
    """Return the record with a draw offer by another seat."""
    other = next(
        candidate for candidate in record.game().seats(record.options()) if candidate != seat
    )
    return Record(record.headers, (*record.actions, Action(other, "draw", ("offer",))))


def choices() -> str:
    """Return the choice and its value for each player and position, as the file has them."""
    lines = [f"version {VERSION}"]
    seed = hashlib.sha256(b"choices").digest()
    for game, rules, options, counts in MATCHES:
        for count in counts:
            record, seat = position(game, rules, options, count)
            for variant in (record, with_offer(record, seat)):
                for level in names():
                    choice = ComputerPlayer(level, seed).choose(
                        variant.redact_for_infostate(seat), seat
                    )
                    after = f"{game} {rules} {options} {len(variant.actions)}"
                    lines.append(f"{after}: {level}: {choice.action} {choice.value}")
    return "\n".join([*lines, ""])


@pytest.mark.slow
def test_choices_change_with_the_version_only() -> None:
    assert choices() == FILE.read_text("utf-8"), (
        "Players choose differently. If they should, raise VERSION in engine/computer/players.py: "
        "otherwise finished matches would fail their audit. Then write the new choices with "
        "python -m tests.engine.computer.test_version"
    )


if __name__ == "__main__":
    FILE.write_text(choices(), "utf-8")
