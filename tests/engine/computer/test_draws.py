"""Computer players answer draw offers by what they expected at their latest decision."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import pytest

from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.players import ComputerPlayer, names
from engine.computer.situation import SCALE
from engine.dice import Dice
from engine.game import CHANCE, Action
from engine.record import Record, RecordError
from tests.support.warp6.positions import GAME as WARP6

TWO = "Game: wormholes\n\n* rolloff S5 M5 C0 A0\nO first place\n"
ADMIRAL = ComputerPlayer("admiral", b"seed")


def answer(text: str, seat: str, player: ComputerPlayer = ADMIRAL) -> str:
    return player.choose(Record.parse(text).redact_for_infostate(seat), seat).action.notation


@pytest.mark.parametrize("level", names())
def test_an_offer_is_answered_before_anything_else(level: str) -> None:
    player = ComputerPlayer(level, b"seed")
    assert answer(f"{TWO}D draw offer\n", "O", player) == "draw decline"


@pytest.mark.parametrize("level", names())
def test_an_offer_is_answered_without_another_decision(level: str) -> None:
    player = ComputerPlayer(level, b"seed")
    assert answer(f"{TWO}O draw offer\n", "D", player) == "draw decline"


def test_the_own_offer_needs_no_answer() -> None:
    assert answer(f"{TWO}O draw offer\n", "O").startswith("place ")
    with pytest.raises(RecordError, match="nothing to decide"):
        answer(f"{TWO}D draw offer\n", "D")


@cache
def warp6_match(levels: str, count: int) -> Record:
    """Return a match up to a decision after a number of actions; `r` plays at random."""
    seats = str(len(levels))
    players = {
        seat: {"a": "admiral", "r": "random"}[level]
        for seat, level in zip("BYW", levels, strict=False)
    }
    record = Record({"Game": "warp6", "Options": f"seats={seats}"}, ())
    dice, state = Dice(b"draws", ""), WARP6.start("standard", {"seats": seats})
    while (pending := WARP6.pending(state)) == CHANCE or len(record.actions) < count:
        if pending == CHANCE:
            action = WARP6.chance(state, dice.draw(len(record.actions)))
        else:
            player = ComputerPlayer(players[pending], b"seed")
            action = player.choose(record.redact_for_infostate(pending), pending).action
        state, _ = WARP6.apply(state, action)
        record = Record(record.headers, (*record.actions, action))
    return record


def after(record: Record, *lines: str) -> Record:
    return Record(record.headers, (*record.actions, *map(Action.parse, lines)))


@pytest.mark.slow
def test_a_losing_seat_accepts_and_a_winning_one_declines() -> None:
    record = warp6_match("ar", 60)
    assert answer(str(after(record, "B draw offer")), "Y") == "draw accept"
    assert answer(str(after(record, "Y draw offer")), "B") == "draw decline"


@pytest.mark.slow
def test_an_answer_repeats_the_choice_as_it_was_seen_then() -> None:
    record = warp6_match("ar", 60)
    latest = max(n for n, action in enumerate(record.actions) if action.actor == "Y")
    then = ADMIRAL.choose(Record(record.headers, record.actions[:latest]), "Y")
    again = ("B draw offer", "Y draw decline", "B draw offer")
    assert ADMIRAL.choose(after(record, *again), "Y").value == then.value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("levels", "before", "players"),
    [
        pytest.param("ar", (), 2, marks=pytest.mark.soak),
        ("aar", (), 3),
        ("arr", ("W leave",), 2),
    ],
)
def test_a_seat_accepts_below_half_of_an_even_share(
    levels: str, before: tuple[str, ...], players: int
) -> None:
    """Among three, an even score is a third. A seat that has left does not count."""
    seats, seen = "BYW"[: len(levels) - len(before)], set()
    for count in range(22, 100, 7):
        record = after(warp6_match(levels, count), *before)
        for seat, other in permutations(seats, 2):
            choice = ADMIRAL.choose(after(record, f"{other} draw offer"), seat)
            accepts = choice.action.notation == "draw accept"
            assert accepts is (choice.value * players * 2 < SCALE)
            seen.add((accepts, SCALE // 6 < choice.value < SCALE // 4))
    assert {(True, False), (False, False), (players == 2, True)} <= seen


@pytest.mark.slow
def test_a_seat_that_has_accepted_is_not_asked_again() -> None:
    """Among three, an offer stands until the third seat answers it."""
    record = after(warp6_match("rra", 100), "W draw offer")
    assert answer(str(record), "B") == "draw accept"
    record = after(record, "B draw accept")
    assert answer(str(record), "Y") == "draw decline"
    with pytest.raises(RecordError, match="nothing to decide"):
        answer(str(record), "B")
    assert after(record, "Y draw accept").replay().state.result == "- agreed"


def test_a_seat_that_has_left_is_not_asked() -> None:
    record = after(warp6_match("rra", 90), "B leave", "W draw offer")
    with pytest.raises(RecordError, match="nothing to decide"):
        ADMIRAL.choose(record, "B")


@pytest.mark.usefixtures("bids")
@pytest.mark.parametrize(
    ("seats", "left", "limit"), [("2", "", 2500), ("3", "", 1667), ("3", "C leave", 2500)]
)
def test_a_draw_is_accepted_below_half_of_an_even_share(
    monkeypatch: pytest.MonkeyPatch, seats: str, left: str, limit: int
) -> None:
    begin = ["* prize 1", *(["C bid 2"] if seats == "3" else []), "A bid 1", "B bid 3", "* prize 2"]
    lines = [*begin, *([left] if left else []), "B draw offer"]
    record = Record(
        {"Game": "bids", "Options": f"seats={seats}"}, tuple(map(Action.parse, lines))
    ).redact_for_infostate("A")
    for value, word in ((0, "accept"), (limit - 1, "accept"), (limit, "decline")):
        rated = COMPUTER_SUPPORT["bids"]._replace(
            rate=lambda situation, *_, v=value: [(v, situation.legal[0])]
        )
        monkeypatch.setitem(COMPUTER_SUPPORT, "bids", rated)
        choice = ADMIRAL.choose(record, "A")
        assert (choice.action.notation, choice.value) == (f"draw {word}", value)
