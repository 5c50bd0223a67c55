"""`starpost engine verify`: one clear line for whatever it is given, never a traceback."""

from __future__ import annotations

import contextlib
import io
import sys
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import games
from engine.__main__ import main
from engine.dice import Dice
from engine.record import Record, play
from tests.support.described import check
from tests.support.tiers import examples

Capture = pytest.CaptureFixture[str]


@cache
def example(game: str = "wormholes") -> bytes:
    """A finished random record."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        main(["play", game, "--seed", "5"])
    return output.getvalue().encode()


def verify(data: bytes, *options: str) -> tuple[int, str, str]:
    """Exit code, output and errors for a record on standard input."""
    out, err = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["verify", "-", *options])
    return code, out.getvalue(), err.getvalue()


def refused(data: bytes, *options: str) -> str:
    """The one line that says why a record does not verify."""
    code, out, err = verify(data, *options)
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    return err


def line_number(data: bytes, start: bytes) -> int:
    """The number of the first line that begins like this."""
    return [line.startswith(start) for line in data.split(b"\n")].index(True) + 1


@pytest.mark.parametrize("game", games.names())
def test_a_chance_line_out_of_turn_is_one_line(game: str) -> None:
    lines = example(game).split(b"\n")
    last = len(lines) - 1
    chance = next(line for line in lines if line.startswith(b"* "))
    assert f"line {last + 1}: {chance.decode()}" in refused(b"\n".join([*lines[:last], chance]))


@pytest.mark.parametrize("game", games.names())
def test_a_choice_for_a_chance_line_is_one_line(game: str) -> None:
    data = example(game)
    number = line_number(data, b"* ")
    lines = data.split(b"\n")
    assert f"line {number}: " in refused(b"\n".join([*lines[: number - 1], *lines[number:]]))


@pytest.mark.parametrize("header", [b"Salt", b"Dice", b"Seed"])
def test_bytes_that_are_no_utf8_name_their_line(header: bytes) -> None:
    data = example()
    number = line_number(data, header)
    assert f"line {number}: " in refused(data.replace(header + b": ", header + b": \xff", 1))


def test_bytes_in_a_file_that_are_no_utf8_name_their_line(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "latin-1.match"
    path.write_bytes(example().replace(b"Salt: ", b"Salt: \xe9", 1))
    assert main(["verify", str(path)]) == 1
    assert f"line {line_number(example(), b'Salt')}: " in capsys.readouterr().err


def header(data: bytes, name: str) -> str:
    """The value of a header."""
    start = f"{name}: ".encode()
    return next(line for line in data.split(b"\n") if line.startswith(start))[len(start) :].decode()


@pytest.mark.parametrize("spelt", ["{}", "{}\n", "SHA256:{}", "sha256:{}", " {}"])
def test_a_noted_commitment_is_compared_with_the_seed(spelt: str) -> None:
    data = example()
    noted = header(data, "Dice").removeprefix("sha256:").upper()
    code, out, _ = verify(data, "--commitment", spelt.format(noted))
    assert code == 0
    assert "behind the commitment that you noted" in out


def test_a_record_with_another_seed_fails_against_a_note() -> None:
    """A host that exchanges the seed can make everything fit but what a player noted."""
    noted = header(example(), "Dice")
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        main(["play", "wormholes", "--seed", "6"])
    other = output.getvalue().encode()
    assert verify(other)[0] == 0
    assert "that you noted" in refused(other, "--commitment", noted)
    assert "that you noted" in refused(other, "--seal", noted)


@pytest.mark.parametrize("noted", ["sha256:", "0" * 63, "0" * 65, "g" * 64, "sha256:sha256:"])
def test_a_commitment_that_is_no_hash_is_refused(noted: str) -> None:
    assert "64 hexadecimal digits" in refused(example(), "--commitment", noted)


def test_a_commitment_that_was_stored_late_is_named() -> None:
    late = example().replace(b"\nSalt:", b"\nDice stored: at an upgrade\nSalt:")
    assert "upgrade" in verify(late)[1]
    assert "upgrade" not in verify(late, "--commitment", header(late, "Dice"))[1]
    assert "upgrade" not in verify(example())[1]


def seated(sides: str) -> bytes:
    """The record of three with this order of seats."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        main(["play", "warp6", "--option", "seats=3", "--seed", "5"])
    return output.getvalue().replace("\nDice:", f"\nSides: {sides}\nDice:").encode()


@pytest.mark.slow
def test_seats_that_were_drawn_are_drawn_again() -> None:
    orders = map(" ".join, permutations("BYW"))
    assert sum(verify(seated(order))[0] == 0 for order in orders) == 1
    assert verify(seated("Y! W! B!"))[0] == 0
    results = [verify(seated(order))[0] for order in ("W! B Y", "W! Y B")]
    assert sorted(results) == [0, 1]


@pytest.mark.parametrize("sides", ["B", "B Y X", "B Y W B", "B! B! B!", "! ! !"])
def test_sides_that_are_not_the_seats_are_refused(sides: str) -> None:
    assert f"Sides: {sides}" in refused(seated(sides))


def test_line_ends_and_mark_of_another_system_are_read() -> None:
    data = b"\xef\xbb\xbf" + example().replace(b"\n", b"\r\n")
    assert verify(data)[0] == 0


LINE = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"", b"* roll S3 M-", b"* draw AB/CD+", b"* lot Y", b"*", b"* ", b"O resign"]),
    st.builds(b"%b: %b".__mod__, st.tuples(st.sampled_from([b"Salt", b"Dice", b"Seed", b"Version",
        b"Options", b"Rules", b"Result", b"Points"]), st.binary(max_size=20))),
)  # fmt: skip


@examples(20, 120, 3000)
@given(game=st.sampled_from(games.names()), data=st.data())
def test_a_damaged_record_is_one_line(game: str, data: st.DataObject) -> None:
    lines = example(game).split(b"\n")[:60]
    for place in data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=3)):
        if data.draw(st.booleans()):
            lines[place] = data.draw(LINE)
        else:
            lines.insert(place, data.draw(st.sampled_from(lines)))
    code, out, err = verify(b"\n".join(lines))
    assert (code, (out + err).count("\n")) in ((0, 1), (1, 1)), err
    assert bool(out) is not bool(err)


@examples(30, 120, 3000)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_one_line(data: bytes) -> None:
    refused(data)


@pytest.mark.parametrize("game", games.names())
def test_lines_taken_over_have_other_dice(game: str) -> None:
    """Lines that a match takes over from a record are legal, but not drawn from its seed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        main(["play", game, "--seed", "6"])
    other = Record.parse(output.getvalue())
    before = other.actions[: len(other.actions) // 3]
    rules = games.get(game)
    *_, (_, state) = Record(other.headers, before).positions()
    headers = {**Record.parse(example(game).decode()).headers, "Taken over": str(len(before))}
    dice = Dice(bytes.fromhex(headers["Seed"]), headers["Salt"])
    random = Random(1)
    _, after = play(
        rules,
        state,
        lambda legal: rules.fill(random.choice(legal), random.randrange),
        dice.draw,
        40,
    )
    for key in ("Result", "Points", "Computer", "Sides"):
        headers.pop(key, None)
    record = Record(headers, (*before, *after))
    code, out, _ = verify(str(record).encode())
    assert code == 0
    drawn = sum(action.actor == "*" for action in after)
    assert f"All {drawn} chance lines" in out
    assert f"The first {len(before)} lines were taken over" in out
    assert check(str(record), headers["Dice"]) == drawn
    assert "the seed gives" in refused(str(record).replace("Taken over", "X").encode())


@pytest.mark.parametrize("number", ["-1", "x", "99999", "9" * 5000, "\u0661"])
def test_lines_taken_over_are_a_number_in_the_record(number: str) -> None:
    head, lines = example().decode().split("\n\n", 1)
    refusal = refused(f"{head}\nTaken over: {number}\n\n{lines}".encode())
    assert "not a number of actions" in refusal
