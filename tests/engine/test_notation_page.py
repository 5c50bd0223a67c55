"""docs/notation.md describes the records that the engine reads and writes."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from engine import games
from engine.computer.choosers import choosers_of
from engine.endings import ENDING_VERBS as EXITS
from engine.endings import FORFEIT_REASONS
from engine.game import CHANCE, Action
from engine.record import MAX_RECORD_CHARACTERS, MAX_RECORD_LINES, Record
from tests.support.tomtube import positions as tomtube
from tests.support.warp6 import positions as warp6
from tests.support.wormholes import positions as wormholes

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")
COMMON = "Verbs of all games"
EXAMPLE = next(
    textwrap.dedent(block).strip() + "\n"
    for block in re.findall(r"(?:^(?: {4}.*)?\n)+", PAGE, re.MULTILINE)
    if "Game:" in block
)


def section(name: str) -> str:
    """Return the text below a heading."""
    return re.split(r"^## ", PAGE.partition(f"\n## {name}\n")[2], flags=re.MULTILINE)[0]


def first_cells(name: str) -> list[str]:
    """Return the first column of the table below a heading."""
    return re.findall(r"^\| `(.+?)` \|", section(name), re.MULTILINE)


def laid() -> Any:
    """Return a position in which both players have placed all their coins in secret."""
    game = wormholes.GAME
    state = wormholes.after(game.start("0.6", {"placing": "secret"}), "* rolloff S3 M0 C5 A2")
    while game.pending(state) != CHANCE:
        state, _ = game.apply(state, game.legal(state)[0])
    return state


def of_wormholes() -> dict[str, Any]:
    """Return each line of the page with a position in which it is legal."""
    at, after = wormholes.position, wormholes.after
    start = wormholes.GAME.start("0.6", {})
    rolled = after(start, "* rolloff S3 M0 C5 A2")
    far = {"C": "f8", "A": "e8"}
    before_roll = at({"S": "a17", **far}, None, "C1 A-", "D", rules="0.6-long", landed=1)
    asked = after(before_roll, "D move C N")
    beside = at({"S": "e8", "C": "e9"}, {"f9": "S1"}, "S1 M1")
    landed = after(beside, "O move S N")
    (deal,) = (line for line in first_cells("wormholes") if line.startswith("* deal "))
    dealt = after(wormholes.GAME.start("0.6", {"placing": "random"}), "* rolloff S3 M0 C5 A2")
    return {
        "* rolloff S3 M0 C5 A2": start,
        "D first place": rolled,
        "D place C4 e9": after(rolled, "D first place"),
        "* lot O": laid(),
        deal: dealt,
        "O ready": after(dealt, deal),
        "* roll S3 M-": after(at(far, None, "C1 A-", "D", owes=2), "D move C N"),
        "O rolls S": asked,
        "O skips S": asked,
        "O move S NE": beside,
        "O null S": at({"S": "e8"}, {"e8": "C3"}, "S0 M-"),
        "O jump S N": after(beside, "O move S NE"),
        "O send C f7": landed,
        "O keep C": landed,
    }


def of_warp6() -> dict[str, Any]:
    """Return each line of the page with a position in which it is legal."""
    record, start = Record.parse(EXAMPLE), warp6.GAME.start("standard", {})
    secret = warp6.GAME.start("standard", {"setup": "secret"})
    black = "B set b8a8 b8b7 b6a6 b6b5 b6c4 b4a4 b4b3 b4c2 b4d1"
    yellow = black.replace("B", "Y").replace(" b", " y")
    play = warp6.position("b8a3@100")
    roll = next(line for line in first_cells("warp6") if line.startswith("* roll "))
    return {
        roll: start,
        black: secret,
        "* lot Y": warp6.after(secret, black, yellow),
        "B place b8a": warp6.after(start, str(record.actions[0])),
        "B move b8a": play,
        "* reroll b8a 3": warp6.after(warp6.position(), "B move b8a"),
        "B up b8a": play,
        "B down b8a": play,
    }


def of_tomtube() -> dict[str, Any]:
    """Return each line of the page with a position in which it is legal."""
    at, after = tomtube.position, tomtube.after
    start = tomtube.GAME.start("standard", {})
    began = after(start, "* first T")
    row = tomtube.filled("0,0/1,0/0,1", "0,0/0,1/-1,1", "-1,0/0,0/-1,1")
    isolate = ("T build", "* draw AB/AB", "T rhomb 1,0>-1,1")
    fields: dict[str, Any] = {"fills": row, "tom": "1,2", "dave": "-2,-1"}
    near = tomtube.around(
        *("0,0", "1,0", "0,1", "-1,0", "0,-1", "-1,1"),
        tubes="0,0/1,0/0,1",
        dave="0,0/-1,0/0,-1",
    )
    return {
        "* first T": start,
        "T build": began,
        "* draw AB/CD+": after(began, "T build"),
        "T rhomb 1,0>0,2": after(began, "T build", "* draw AB/CD+"),
        "T tube -1,0/0,0/-1,1": after(at(**fields), *isolate),
        "T blank -1,0/0,0/-1,1": after(at(**fields), *isolate),
        "D pass -1,0/0,0/-1,1": after(at(**fields, tubes=(0, 6), blanks=(0, 3)), *isolate),
        "T drift 1,2": began,
        "T control -1,0": at(fills=near, tom="1,0", hands=tomtube.hands(control=(1, 0))),
        "T jump 2,1": after(began, "T drift 1,2", "D drift -2,-1"),
        "T exchange": at(hands=tomtube.hands(alien=(1, 0))),
    }


POSITIONS = {"wormholes": of_wormholes(), "warp6": of_warp6(), "tomtube": of_tomtube()}


def test_the_page_shows_a_line_of_each_verb_in_a_known_position() -> None:
    for name in games.names():
        assert first_cells(name) == list(POSITIONS[name])
        verbs = {line.split()[1] for line in POSITIONS[name] if not line.startswith("*")}
        assert verbs == {verb.name for verb in games.get(name).verbs}


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name in POSITIONS for line in POSITIONS[name]]
)
def test_each_line_of_the_page_is_legal(name: str, line: str) -> None:
    game, state = games.get(name), POSITIONS[name][line]
    action = Action.parse(line)
    listed = game.legal(state)
    assert action in listed or any(
        re.fullmatch(re.escape(str(form)).replace(r"\?", "[^ ]+"), line) for form in listed
    )
    game.apply(state, action)


@pytest.mark.parametrize("name", games.names())
def test_each_form_of_the_page_is_listed(name: str) -> None:
    forms = re.findall(r"`([^`|]*\?[^`|]*)`", section(name).partition("Forms: ")[2])
    listed = {
        str(form) for state in POSITIONS[name].values() for form in games.get(name).legal(state)
    }
    if name == "wormholes":
        listed.add(str(wormholes.GAME.legal(wormholes.position())[0]))
    assert forms
    for form in forms:
        assert any(line.startswith(form.removesuffix(" …")) for line in listed), form


def test_the_common_verbs_of_the_page_are_those_of_the_engine() -> None:
    assert {line.split()[1] for line in first_cells(COMMON)} == EXITS
    two, three = POSITIONS["wormholes"]["O move S NE"], warp6.position(seats=3)
    offered = wormholes.after(two, "O draw offer")
    for line in first_cells(COMMON):
        if line.startswith("W "):
            warp6.after(three, line)
        else:
            wormholes.after(offered if line.startswith("D draw") else two, line)


OPTIONAL = {"Dice stored", "Computer", "Taken over", "Taken over from"}
"""Headers that the example does not have."""


def test_the_example_is_read_verified_and_written_as_it_stands() -> None:
    record = Record.parse(EXAMPLE)
    assert str(record) == EXAMPLE
    assert record.verify() == 1
    assert {*record.headers, *OPTIONAL} == {
        *first_cells("Headers"),
        "Seat Y",
    }


def test_the_example_of_computer_players_is_read() -> None:
    (text,) = re.findall(r"^    Computer: (.+)$", PAGE, re.MULTILINE)
    record = Record({"Game": "wormholes", "Computer": text}, (Action("O", "null", ("S",)),) * 90)
    choosers = choosers_of(record)
    assert min(choosers) == 2
    assert max(choosers) == 89
    assert choosers[41] == "random/1"
    assert set(choosers.values()) == {"random/1", "admiral/1"}


def test_redacted_lines_read_as_on_the_page() -> None:
    lines = [
        Action.parse(line) for line in ("* rolloff S3 M0 C5 A2", "D first place", "D place C4 e9")
    ]
    record = Record({"Game": "wormholes"}, tuple(lines))
    (*_, placed) = record.redact("O").actions
    secret = Record(
        {"Game": "warp6", "Options": "setup=secret"}, (Action.parse(first_cells("warp6")[1]),)
    )
    (set_dice,) = secret.redact("Y").actions
    for line in (placed, set_dice):
        assert f"`{line}`" in PAGE


def test_the_page_names_each_game_rule_set_option_and_reason() -> None:
    for name in games.names():
        game = games.get(name)
        text = section(name).partition("\n|")[0]
        for word in (*game.rules, *game.options):
            assert word in text, (name, word)
    reasons = re.findall(r"`(\w+)`", section("Headers").partition("| `Result` |")[2].split("|")[0])
    assert set(reasons) == {
        "base",
        "dice",
        "points",
        "stranded",
        "agreed",
        *FORFEIT_REASONS.values(),
    }


def test_the_page_states_the_limits_of_a_record() -> None:
    assert f"{MAX_RECORD_CHARACTERS // 1024} kB and {MAX_RECORD_LINES:,} lines" in PAGE
