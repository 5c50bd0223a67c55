"""docs/players/dice.md suffices to verify a record of each game, and agrees with the engine."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from engine import games
from engine.__main__ import main
from engine.game import Action
from engine.record import Record, play
from tests.support.described import PATTERNS, check, draws

ROOT = Path(__file__).parents[2]
SEED = b"described"
Choose = Callable[[tuple[Action, ...]], Action]


def played(*arguments: str) -> str:
    """The record that `starpost engine play` prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        main(["play", *arguments])
    return output.getvalue()


def made(name: str, salt: str, options: Mapping[str, str], choose: Choose, limit: int) -> Record:
    """A record whose dice are drawn by the description."""
    game = games.get(name)
    start = game.start(game.rules[0], options)
    _, actions = play(game, start, choose, lambda event: draws(SEED, salt, event), limit)
    headers = {"Game": name, "Dice": f"sha256:{sha256(SEED).hexdigest()}"}
    headers["Options"] = " ".join(f"{key}={value}" for key, value in options.items())
    return Record(headers | {"Salt": salt, "Seed": SEED.hex()}, actions)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "arguments",
    [
        ("wormholes",),
        ("wormholes", "--rules", "0.6-long"),
        ("warp6",),
        ("warp6", "--option", "seats=3"),
        ("warp6", "--option", "seats=3", "--option", "setup=secret"),
        ("tomtube",),
        ("tomtube", "--rules", "basic"),
    ],
)
def test_a_record_verifies_by_the_description(arguments: tuple[str, ...], seed: int) -> None:
    text = played(*arguments, "--seed", str(seed))
    noted = re.search("(?m)^Dice: (.*)$", text)
    if "\nSeed: " not in text:  # 2,000 lines were not enough
        text = text.replace("\nSalt:", f"\nSeed: {sha256(b'dice %d' % seed).hexdigest()}\nSalt:")
    assert noted
    assert check(text, noted[1]) == text.count("\n* ") > 0


@pytest.mark.parametrize("game", games.names())
def test_the_description_sees_each_changed_chance_line(game: str) -> None:
    record = Record.parse(played(game))
    changed = [place for place, action in enumerate(record.actions) if action.actor == "*"]
    for place in changed[:20]:
        action = record.actions[place]
        last = action.args[-1]
        other = {"T": "D", "D": "T", "1": "2"}.get(last[-1:], "1")
        other = "AB/AC" if "/" in last and last != "AB/AC" else last[:-1] + other
        line = action._replace(args=(*action.args[:-1], other))
        actions = (*record.actions[:place], line, *record.actions[place + 1 :])
        with pytest.raises(AssertionError):
            check(str(Record(record.headers, actions)), record.headers["Dice"])


def ones(legal: tuple[Action, ...]) -> Action:
    """The first choice, with all secret dice at 1."""
    return legal[0]._replace(args=tuple(arg.replace("?", "1") for arg in legal[0].args))


@pytest.mark.parametrize("seats", ["2", "3"])
def test_a_lot_after_a_tie_is_as_described(seats: str) -> None:
    lots = set()
    for salt in map(str, range(12)):
        options = {"seats": seats, "setup": "secret"}
        record = made("warp6", salt, options, ones, int(seats) + 1)
        assert record.verify() == check(str(record), record.headers["Dice"]) == 1
        lots.add(str(record.actions[-1]))
    assert lots == {f"* lot {seat}" for seat in "BYW"[: int(seats)]}


def test_a_lot_of_two_among_three_is_as_described() -> None:
    def choose(legal: tuple[Action, ...]) -> Action:
        (*_, last) = ones(legal).args or ("",)
        value = "1" if legal[0].actor == "B" else "2"
        args = tuple(arg.replace("?", value) for arg in legal[0].args)
        return legal[0]._replace(args=args) if last else legal[0]

    for salt in map(str, range(12)):
        record = made("warp6", salt, {"seats": "3", "setup": "secret"}, choose, 4)
        assert record.verify() == check(str(record), record.headers["Dice"]) == 1
        assert str(record.actions[-1]) in ("* lot Y", "* lot W")


def test_a_roll_after_a_complete_tie_is_as_described() -> None:
    random = Random(1)
    for salt in map(str, range(5000)):
        record = made("warp6", salt, {"seats": "3"}, random.choice, 2)
        if record.actions[1].actor == "*":
            break
    assert len(record.actions[1].args) == 12  # of two seats out of three
    assert record.verify() == check(str(record), record.headers["Dice"]) == 2


def test_the_page_lists_the_tiles_that_are_counted() -> None:
    page = (ROOT / "docs" / "players" / "dice.md").read_text("utf-8").split()
    start = page.index(PATTERNS[0])
    assert page[start : start + len(PATTERNS)] == PATTERNS


def test_the_page_describes_each_kind_of_chance_line() -> None:
    page = (ROOT / "docs" / "players" / "dice.md").read_text("utf-8")
    described = set(re.findall(r"\| (\w+) `\* (\w+) ", page))
    drawn = {("warp6", "lot")}
    for game in games.names():
        for action in Record.parse(played(game)).actions:
            if action.actor == "*":
                drawn.add((game, action.verb))
    assert described == drawn
