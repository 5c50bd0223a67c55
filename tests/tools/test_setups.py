"""Information in set-ups for a reader who knows the others: the measure itself, small samples."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from engine.computer.protocol import seed_in_match
from engine.computer.situation import situation_of
from engine.games import get
from engine.record import Record
from engine.wormholes.pieces import VALUES
from tests.support.tiers import by_tier
from tools import setups
from tools.pairs import Scored
from tools.setups import (
    Book,
    ByTheBook,
    Piece,
    Player,
    Reader,
    SetUp,
    figures,
    main,
    named,
    reading,
    strength,
)

SPACES = ("e6", "f5", "g4", "h3", "i2", "d7")
HEAD = {"Game": "wormholes", "Rules": "0.6"}


def made(values: Sequence[str]) -> SetUp:
    """Return a set-up that has these values of a suit on the same spaces as all others."""
    pairs = enumerate(zip(SPACES, values, strict=True))
    return tuple(Piece("C", space, order, value, 6) for order, (space, value) in pairs)


def dice(numbers: Sequence[int]) -> SetUp:
    return tuple(Piece(f"b{n}a", "", n, str(number), 8) for n, number in enumerate(numbers))


def test_a_book_is_named_and_a_mixture_is_not() -> None:
    random = Random(1)
    mixture = [made(random.sample(VALUES, 6)) for _ in range(60)]
    for ordered in (False, True):
        assert named([made(VALUES)] * 20, ordered=ordered) == 1.0
        assert named(mixture, ordered=ordered) < 0.27


def test_the_set_up_that_is_named_is_left_out() -> None:
    assert named([made("012345"), made("501234")], ordered=False) == 0.0


def test_an_order_that_tells_values_is_read() -> None:
    random, setups = Random(2), list[SetUp]()
    for _ in range(60):
        spaces = random.sample(SPACES, 6)
        pairs = enumerate(zip(spaces, VALUES, strict=True))
        setups.append(tuple(Piece("C", space, 2 * n, value, 6) for n, (space, value) in pairs))
    assert named(setups, ordered=False) < 0.35
    assert named(setups, ordered=True) > 0.8


def test_dice_are_named_by_their_most_frequent_number() -> None:
    random = Random(3)
    assert named([dice([8, 8, 3])] * 5, ordered=False) == 1.0
    mixture = [dice([random.randrange(8) + 1 for _ in range(3)]) for _ in range(100)]
    assert named(mixture, ordered=False) < 0.25


def test_settings_of_dice_in_secret_vary() -> None:
    shares = figures("warp6", "admiral", 24, 1)
    assert shares.chance == pytest.approx((2 / 8 + 3 / 6 + 4 / 4) / 9)
    assert max(shares.by_place, shares.by_order) < 0.75


@pytest.mark.soak
def test_an_admirals_coins_lie_in_different_places() -> None:
    shares = figures("wormholes", "admiral", by_tier(4, 4, 200), 1)
    assert shares.chance == pytest.approx(1 / 6)
    assert max(shares.by_place, shares.by_order) < 0.9, "the book is named by all its places"


@pytest.mark.slow
def test_the_book_is_read() -> None:
    shares = figures("wormholes", "book", by_tier(4, 10, 50), 1)
    assert shares.by_place > 0.8


def test_a_reader_takes_sure_coins_for_known() -> None:
    game = get("wormholes")
    lines = "* rolloff S5 M5 C0 A0", "O first move", "D place C5 e6"
    record = Record.parse("Game: wormholes\n\n" + "\n".join(lines) + "\n").redact_for_infostate("O")
    piece = Piece("C", "e6", 0, "5", 6)
    for earlier, seen in (([(piece,)] * 9, True), ([], False)):
        reader = Reader(seed_in_match(1, 0), {"D": Book.of(earlier), "O": Book()})
        read = reader.situation(record, "O")
        assert bool(read.sampled_state.seen) is seen
        assert game.view(read.sampled_state, "O").legal == situation_of(record, "O").legal


@pytest.mark.slow
def test_a_reader_of_nothing_plays_as_before() -> None:
    record = Record.parse("Game: wormholes\n\n* rolloff S5 M5 C0 A0\nO first move\nD place C5 e6\n")
    reader = Reader(seed_in_match(1, 0), {"D": Book(), "O": Book()})
    recalled = record.redact_for_infostate("O")
    assert reader.choose(recalled, "O") == Player(seed_in_match(1, 0)).choose(recalled, "O")


def test_the_book_places_second_and_each_coin_at_its_best() -> None:
    player = ByTheBook(seed_in_match(1, 0))
    lines = ["* rolloff S5 M5 C0 A0"]
    for expected in ("O first move", "D place C5 e6"):
        record = Record.parse("Game: wormholes\n\n" + "\n".join(lines) + "\n")
        action = player.choose(record.redact_for_infostate(expected[0]), expected[0])
        assert str(action) == expected
        lines.append(expected)


def test_each_pair_of_matches_has_other_dice_and_set_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs: list[tuple[bytes, bytes, int]] = []

    def play(players: Sequence[Player], seed: int) -> Scored:
        first, second = players
        pairs.append((first.player.seed, second.player.seed, seed))
        return Scored(0.5, 0.6 if isinstance(first, Reader) else 0.4)

    monkeypatch.setattr(setups, "scored", play)
    for seed in (1, 2):
        strength("admiral", 3, seed)
    assert [len(set(column)) for column in zip(*pairs, strict=True)] == [6, 6, 6]
    pairs.clear()
    monkeypatch.setattr(setups, "books", lambda *_: {"O": Book(), "D": Book()})
    assert reading("admiral", 1, 3, 1) == pytest.approx((0.2, 0.0))
    assert pairs[::2] == pairs[1::2], "a reader and a player that has not read, with equal dice"
    assert len(set(pairs)) == 3


@pytest.mark.soak
def test_the_tool_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    main(["name", "--level", "book", "--set-ups", "1"])
    main(["match", "--level", "cadet", "--set-ups", "1", "--matches", "2"])
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.endswith("0.167 by chance")
    assert "against the book" in second
    assert "with the luck of the dice" in second
    assert "reading wins" in third
