"""The kit finds the faults of a game, and none in honest ones."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from PIL import Image

from engine.__main__ import main
from engine.game import PUBLIC, Action, Event, IllegalActionError, Verb
from engine.testing import check, contract, findings, game_test
from engine.testing.drawn import checks_of
from render import for_game
from render.renderer import DEFAULT_STYLE, Names, Style
from tests.support.any_game import NAMES, install
from tests.support.bids import Bids, BidsView, State
from tests.support.bids_drawn import BidsRenderer
from tests.support.bids_plants import PLANTS, KeptView, Plant
from tests.support.tiers import by_tier

pytestmark = pytest.mark.usefixtures("bids")

OF_THE_BOT = ("custom_id", "button", "animation")
"""Places that only the bot's messages have; see `tests/test_secrecy.py`."""

SAMPLES = 40


class Double(Bids):
    """The list of legal actions has each one twice."""

    def legal(self, state: State) -> tuple[Action, ...]:
        return super().legal(state) * 2


class Random(Bids):
    """The order of legal actions changes."""

    numbers = count()

    def legal(self, state: State) -> tuple[Action, ...]:
        return super().legal(state)[:: 1 if next(self.numbers) % 2 else -1]


class Forgetful(Bids):
    """The text of a position leaves out the points."""

    def load(self, text: str) -> State:
        state = super().load(text)
        return replace(state, points=(0,) * len(state.seats))


class Tolerant(Bids):
    """Unknown verbs change nothing."""

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        try:
            return super().apply(state, action)
        except IllegalActionError:
            return state, ()


class Undeclared(Bids):
    """A bid has an argument, but its verb no parameter."""

    verbs = (Verb("bid", "Bid a card", (), secret=True),)


class Broken(Bids):
    """Counting the points fails."""

    def pending(self, state: State) -> str:
        return super().pending(state) if state.number < 2 else self.next_prize(state)

    def next_prize(self, state: State) -> str:
        return str(state.points[9])


class Wordy(Bids):
    """Events have more facts than the game declares."""

    def bid_event(self, action: Action) -> Event:
        return Event("bid", (action.actor, "once"))


class Mixed(Bids):
    """Views show the actions of others."""

    def view(self, state: State, seat: str = PUBLIC) -> BidsView:
        return replace(super().view(state, seat), legal=self.legal(state))


class Renamed(Bids):
    """Records for others name another verb."""

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        redacted = super().redact(state, seat, actions)
        return tuple(action._replace(verb="offer") for action in redacted)


class Peeking(Bids):
    """Worlds for a seat keep what it cannot see."""

    def resample_view(self, state: State, seat: str, draw: Any) -> State:
        return replace(super().resample_view(state, seat, draw), spent=("9",) * len(state.seats))


class Changing(Bids):
    """Applying an action changes the position before it."""

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        after = super().apply(state, action)
        object.__setattr__(state, "number", state.number + 1)
        return after


class Misspelt(Bids):
    """The words of records are not those that the game declares."""

    words = re.compile("[a-z]+")


class Carrying(Bids):
    """Views carry more than their fields."""

    def view(self, state: State, seat: str = PUBLIC) -> BidsView:
        view = KeptView(
            **{
                name: getattr(super(Carrying, self).view(state, seat), name)
                for name in BidsView.__dataclass_fields__
            }
        )
        view.__dict__["more"] = 1
        return view


class Silent(BidsRenderer):
    """There is no text board."""

    def text_board(self, view: BidsView, names: Names) -> str:
        return " "


class Garrulous(BidsRenderer):
    """Labels are too long for buttons."""

    def label(self, view: BidsView, action: Action) -> str:
        return "x" * 81


class Unreadable(BidsRenderer):
    """What players read is not what they can type."""

    def written(self, seat: str, text: str, style: Style) -> str:
        return text.upper()


class Huge(BidsRenderer):
    """Pictures are as wide as a wall."""

    def frame(self, view: BidsView, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        return Image.new("L", (2001, 100))


class Heavy(BidsRenderer):
    """Pictures take more than 120,000 bytes."""

    def picture(self, *args: Any, **_: Any) -> bytes:
        return BidsRenderer().picture(*args) + bytes(120_000)


class Growing(BidsRenderer):
    """Pictures are higher after the end."""

    def frame(self, view: BidsView, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        return Image.new("L", (200, 120 if view.result else 100))


class Painted(BidsRenderer):
    """Pictures are no PNG."""

    def picture(self, *args: Any, **_: Any) -> bytes:
        return b"GIF89a" + bytes(100)


@pytest.mark.parametrize(
    ("renderer", "place", "text"),
    [
        (Silent(), "words", "the text board of “” is empty"),
        (Garrulous(), "words", "has 81 characters"),
        (Unreadable(), "words", "is written “BID "),
        (Huge(), "pictures", "2001 × 100 pixels, not 16 to 2000"),
        (Heavy(), "pictures", "bytes, more than 120000"),
        (Growing(), "pictures", "pictures have (200, 100) and (200, 120) pixels"),
        (Painted(), "pictures", "a picture is no PNG"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BidsRenderer) else "",
)
@pytest.mark.slow
def test_a_faulty_renderer_is_found(renderer: BidsRenderer, place: str, text: str) -> None:
    assert text in contract.faults(Bids.name, SAMPLES, checks_of(renderer))[place]


def test_a_line_of_pytest_fails_with_the_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    game_test("tomtube", 0)()
    install(monkeypatch, Wordy(), BidsRenderer())
    with pytest.raises(AssertionError, match=r"^bids has faults:\nerror: \w+: "):
        game_test(Bids.name)()


def test_a_game_that_is_not_installed_is_a_finding() -> None:
    assert findings("chess", 1) == [
        ("package", "“chess” is not installed: there are wormholes, warp6, tomtube, bids")
    ]


@pytest.mark.first(test=2)
@pytest.mark.parametrize(
    ("game", "place"),
    [
        (Changing(), "same_again"),
        (Misspelt(), "notation"),
        (Carrying(), "views"),
        (Double(), "pending"),
        (Random(), "same_again"),
        (Forgetful(), "text"),
        (Tolerant(), "refusals"),
        (Undeclared(), "pending"),
        (Wordy(), "events"),
        (Mixed(), "views"),
        (Renamed(), "records"),
        (Peeking(), "views"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Bids) else value,
)
def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch, game: Bids, place: str) -> None:
    install(monkeypatch, game, BidsRenderer())
    assert contract.faults(Bids.name, SAMPLES)[place]


def test_an_error_has_the_line_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, Broken(), BidsRenderer())
    text = contract.faults(Bids.name, 1)["pending"]
    assert re.match(r"IndexError: tuple .* \(tests\.engine\.test_testing, line \d+\)", text)


def test_honest_bids_have_no_faults() -> None:
    assert check(Bids.name, BidsRenderer(), 10) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_installed_games_have_no_faults(name: str) -> None:
    assert check(name, for_game(name), by_tier(12, 12, 200)) == []


@pytest.mark.first(check=9)
@pytest.mark.slow
@pytest.mark.parametrize(
    "plant",
    [plant for plant in PLANTS.values() if plant.where not in OF_THE_BOT],
    ids=[name for name, plant in PLANTS.items() if plant.where not in OF_THE_BOT],
)
def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch, plant: Plant) -> None:
    install(monkeypatch, plant.game, plant.renderer)
    texts = dict(check(Bids.name, plant.renderer, SAMPLES))
    assert plant.text in texts[f"secrets: {plant.where}"]


def test_command_prints_findings_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "tomtube", "--matches", "0"]) == 0
    assert capsys.readouterr().out == "ok\n"
    assert main(["check", "tomtube", "--matches", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    install(monkeypatch, Wordy(), BidsRenderer())  # whose renderer is no reference
    with pytest.raises(SystemExit) as caught:
        main(["check", Bids.name])
    assert caught.value.code == 1
    assert capsys.readouterr().out.startswith("error: ")
