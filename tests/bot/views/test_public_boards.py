"""Public messages: within Discord's limits everywhere, and free of secrets."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.days_off import DaysOff
from bot.domain.models import MatchStatus, Perspective, SeatClock
from bot.views import clocks, confirmations, inbox, private_boards, public_boards
from bot.views.choices import enter_nearest_area, narrow_view
from bot.views.images import Drawn
from bot.views.message import Message
from bot.views.public_boards import BoardState
from engine.game import Event, View
from engine.record import Record, play
from engine.wormholes.state import State
from render import for_game
from render.renderer import Style
from tests.support.harness import Stage, walk
from tests.support.limits import check_limits, components
from tests.support.tiers import examples
from tests.support.tomtube import positions as tomtube
from tests.support.warp6 import positions as warp6
from tests.support.wormholes.boards import NAMES, match_of
from tests.support.wormholes.games import random_match, wild_match
from tests.support.wormholes.positions import GAME, position

BO = f"<@{10**18 + 1}>"
ODD_NAMES = {"O": "**Æ" + "w" * 30, "D": "\u202eevil @everyone"}


def live_board(
    state: State, names: dict[str, str] | None = None, action_count: int = 120_000
) -> Message:
    """The public message."""
    match = match_of(state, names)
    legal: dict[str, View] = {seat: GAME.view(state, seat) for seat in match.decisions}
    table = Perspective(match, "", GAME.view(state))
    return public_boards.board(
        table, draw(table), legal, action_count, BoardState(live=True, reminder=True)
    )


def test_board_names_the_players_whose_moves_went_back() -> None:
    table = Perspective(match_of(early(), NAMES), "", GAME.view(early()))
    legal = {seat: GAME.view(early(), seat) for seat in table.match.decisions}
    names = table.match.names
    for seats, line in (
        ("O", f"{names['O']} took back the last move."),
        (
            "DO",
            f"{names['D']} took back their last move, and with it the answer by {names['O']}.",
        ),
    ):
        state = BoardState(live=True, taken_back=seats)
        page = str(components(public_boards.board(table, draw(table), legal, 9, state)))
        assert line in page
        assert page.count("took back") == 1


def test_end_says_whose_sides_a_rematch_has() -> None:
    two = match_of(early(), NAMES)
    three = replace(two, players={**two.players, "E": two.players["O"]})
    for match, line in (
        (two, "A rematch swaps the sides."),
        (three, "In a rematch, each player takes the next side."),
    ):
        table = Perspective(match, "", GAME.view(early()))
        for rematch in (True, False):
            page = public_boards.result(table, draw(table), Record({}, ()), 9, rematch=rematch)
            assert (line in str(components(page))) == rematch


def draw(perspective: Perspective) -> Drawn:
    """The picture, with marks where there are choices."""
    style = Style(own_side=bool(perspective.seat))
    legal = perspective.view.legal
    return Drawn(
        for_game("wormholes").picture(perspective.view, perspective.match.names, style, legal),
        style,
    )


def early() -> State:
    """A position after nine lines."""
    start = GAME.start("0.6", {})
    state: State = play(GAME, start, Random(1).choice, lambda _: Random(1).randrange, 9)[0]
    return state


def private(state: State, seat: str, names: dict[str, str] | None = None) -> list[Message]:
    """All that a seat can ask for."""
    perspective = Perspective(match_of(state, names), seat, GAME.view(state, seat))
    messages = [
        private_boards.board(perspective, draw(perspective)),
        inbox.hand(perspective),
        private_boards.text_board(perspective),
    ]
    messages.append(inbox.turn_dm(perspective))
    if perspective.view.legal:
        action = perspective.view.legal[-1]
        for typed in (action.verb, " ".join((action.verb, *action.args[:1]))):
            path = enter_nearest_area(perspective.view, typed)
            fewer = perspective._replace(view=narrow_view(perspective.view, path))
            messages.append(private_boards.board(perspective, draw(fewer), path=path))
    return messages


def content(message: Message) -> tuple[Any, ...]:
    """Everything of a message that reaches Discord."""
    files = [(f.filename, f.description, f.fp.read()) for f in message.files]
    return components(message), files, message.pings


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("source", [random_match, wild_match])
def test_every_message_of_a_match_keeps_to_the_limits(source: Any, seed: int) -> None:
    rules = ("0.6", "0.6-long", "0.5.2")[seed % 3]
    _, actions = source(rules, seed, limit=150)
    state = GAME.start(rules, {})
    for number, action in enumerate(actions):
        state, _ = GAME.apply(state, action)
        if number % 7 == seed and "*" not in GAME.pending(state):
            check_limits(live_board(state, ODD_NAMES))
            for seat in "OD":
                for message in private(state, seat, ODD_NAMES):
                    check_limits(message)


def test_names_of_players_neither_format_nor_ping() -> None:
    state = early()
    texts = [part.get("content", "") for part in walk(content(live_board(state, ODD_NAMES))[0])]
    assert any("\\@everyone" in text for text in texts)
    assert not any("@everyone" in text.replace("\\@everyone", "") for text in texts)
    assert not any("**Æ" in text.replace("\\*", "") for text in texts)


def test_live_board_names_the_aim() -> None:
    state = early()
    names = {"O": "Ada", "D": "Bo"}
    board = live_board(state, names, 4)
    live = " ".join(part.get("content", "") for part in walk(content(board)[0]))
    assert "Aim: land a ship on an opposing base; Ada on a17 or a18, Bo on j1 or j2." in live


def late_board(seat: str, names: dict[str, str], **fields: Any) -> Message:
    """The board of a match in which the time of a seat is over."""
    state = early()
    match = replace(match_of(state, names), times={seat: SeatClock(0.0, 1.0)})
    legal: dict[str, View] = {seat: GAME.view(state, seat) for seat in match.decisions}
    perspective = Perspective(match, "", replace(GAME.view(state), **fields))
    return public_boards.board(perspective, draw(perspective), legal, 9, BoardState(live=True))


def heading(board: Message, phrase: str) -> str:
    """The text of a board with this phrase."""
    texts: list[str] = [part.get("content", "") for part in walk(components(board))]
    return next(text for text in texts if phrase in text)


def test_claim_button_shows_the_name_unescaped() -> None:
    parts = walk(components(late_board("O", {"O": "A_b", "D": "C_d"})))
    assert "Claim on time: A_b" in [part.get("label") for part in parts]


def test_draw_offer_names_only_who_may_answer() -> None:
    board = late_board("D", NAMES, offer="O")
    assert f"Ada offers a draw. {BO} can accept" in heading(board, "offers a draw")
    board = late_board("D", NAMES, offer="O", departed="D")
    assert BO not in heading(board, "offers a draw")


def test_draw_offered_on_the_own_turn_leaves_nothing_to_play() -> None:
    offers = {seat: heading(late_board("D", NAMES, offer=seat), "offers a draw") for seat in "OD"}
    assert "can accept or decline." in offers.pop(GAME.pending(early()))
    (answered_by_playing,) = offers.values()
    assert "can accept, decline, or just play on." in answered_by_playing


def test_board_says_who_has_left_the_match() -> None:
    assert "Bo has left the match." in heading(late_board("O", NAMES, departed="D"), "left")


def test_deadline_of_several_players_is_given_once() -> None:
    state = GAME.start("0.6", {})
    times = {seat: SeatClock(86400.0, 0.0) for seat in "OD"}
    match = replace(match_of(state), times=times)
    assert clocks.time_left(match, "OD", "OD").count("Deadline") == 1
    assert "does not run" not in clocks.time_left(match, "OD", "OD")
    resting = replace(match, days_off={"O": DaysOff("03", "UTC")})
    lines = clocks.time_left(resting, "OD", "OD").strip().split("\n")
    assert lines[0] == (
        "-# Deadline: <t:172800:f>, <t:172800:R> (the clock does not run on Monday and Thursday)"
    )
    assert lines[1] == "-# Deadline: <t:86400:f>, <t:86400:R>"
    assert resting.deadline("OD") == 86400.0
    assert resting.deadline("O") == resting.clock_end("O") == 2 * 86400.0


@pytest.mark.parametrize(
    ("others", "agrees"), [(("Bo",), "Bo agrees"), (("Bo", "Cy"), "Bo and Cy agree")]
)
def test_question_about_an_end_fits_the_number(others: tuple[str, ...], agrees: str) -> None:
    names = dict(zip("OD" if len(others) == 1 else "ODX", ("Ada", *others), strict=True))
    match = match_of(GAME.start("0.6", {}), names)
    confirmation = confirmations.end(match, match.players["O"].user_id)
    assert agrees in heading(confirmation, "without a result")


@pytest.mark.parametrize("departed", ["", "D"])
def test_late_board_calls_only_who_may_claim(departed: str) -> None:
    board = late_board("O", NAMES, pending="O", departed=departed)
    assert (f"{BO} can claim the match" in heading(board, "out of time")) is not bool(departed)
    assert (10**18 + 1 in board.pings) is not bool(departed)


@examples(5, 30, 5000)
@given(
    seed=st.integers(0, 10**6),
    length=st.integers(20, 140),
    seat=st.sampled_from("OD"),
    wild=st.booleans(),
)
def test_w9_1_hidden_things_change_no_message(
    seed: int, length: int, seat: str, wild: bool
) -> None:
    """States that differ only in what a seat may not know: every id, label and byte is equal."""
    rules = ("0.6", "0.6-long", "0.5.2")[seed % 3]
    state, _ = (wild_match if wild and length < 60 else random_match)(rules, seed, limit=length)
    other = GAME.resample_view(state, seat, Random(seed).randrange)
    for first, second in zip(private(state, seat), private(other, seat), strict=True):
        assert content(first) == content(second)
    public = GAME.resample_view(state, "", Random(seed).randrange)
    if "*" not in GAME.pending(state):
        assert content(live_board(state)) == content(live_board(public))


@pytest.mark.parametrize(
    ("view", "verbs"),
    [
        (tomtube.GAME.view(tomtube.position(), "T"), {"build", "drift"}),
        (tomtube.GAME.view(tomtube.position(tom="1,2"), "T"), {"build", "drift", "jump"}),
        (tomtube.GAME.view(tomtube.laying("", "AB/CD"), "T"), set()),
        (warp6.GAME.view(warp6.position("b8a5@100"), "B"), {"move"}),
        (GAME.view(position({"S": "f8"}, dice="S1 M1"), "O"), {"move"}),
        (GAME.view(early(), GAME.pending(early())), set()),
    ],
    ids=["drift", "jump", "rhomb", "warp6", "move", "place"],
)
def test_public_picture_marks_moves(view: View, verbs: set[str]) -> None:
    public = replace(view, seat="", legal=())
    marked = public_boards.marks(public, {view.seat: view})
    assert {action.verb for action in marked} == verbs
    assert marked == tuple(action for action in view.legal if action.verb in verbs)
    assert public_boards.marks(public, {}) == (), "the board of the past"
    several = replace(public, pending="".join(view.seats))
    assert public_boards.marks(several, {view.seat: view}) == ()


@pytest.mark.slow
async def test_posted_board_has_the_marks(stage: Stage) -> None:
    match_id = await stage.begin(game="tomtube")
    perspective = await stage.perspective(match_id)
    plain = for_game("tomtube").picture(perspective.view, perspective.match.names)
    assert await stage.last().attachments[0].read() != plain


@pytest.mark.parametrize(
    ("turn", "action_count", "has_aim"),
    [(0, 1, True), (0, 4, True), (0, 5, False), (1, 27, True), (4, 99, True), (5, 99, False)],
)
def test_the_aim_is_told_in_the_first_turns_only(
    turn: int, action_count: int, has_aim: bool
) -> None:
    state = early()
    match, view = match_of(state), replace(GAME.view(state), turn=turn)
    legal: dict[str, View] = {seat: GAME.view(state, seat) for seat in match.decisions}
    table = Perspective(match, "", view)
    board = public_boards.board(table, draw(table), legal, action_count, BoardState(live=True))
    assert ("Aim: " in str(components(board))) is has_aim
    assert ("How it works" in str(components(board))) is has_aim


def told(count: int, *, over: bool = False) -> list[str]:
    """The lines of a board after many turns of a match."""
    state = position()
    view = GAME.view(state)
    views = [
        replace(view, turn=turn, story=(Event("stuck", (f"{'SC'[turn % 2]}",)),))
        for turn in range(1, count + 1)
    ]
    match = match_of(state)
    match = replace(match, status=MatchStatus.FINISHED) if over else match
    return public_boards.story_of(Perspective(match, "", views[-1], tuple(views[:-1]))).split("\n")


def test_six_turns_are_told_in_full() -> None:
    assert told(6) == ["Crowns could not jump.", "Suns could not jump."] * 3
    assert told(1) == ["Crowns could not jump."]


def test_newest_of_many_turns_are_told_the_others_counted() -> None:
    assert told(7) == [
        "-# 1 earlier move: *What happened?*",
        *told(6)[1:],
        "Crowns could not jump.",
    ]
    assert told(54)[0] == "-# 48 earlier moves: *What happened?*"
    assert told(54)[1:] == told(6)
    assert told(54, over=True)[0] == "-# 48 earlier moves."


def test_turns_of_one_player_alone_begin_with_a_summary() -> None:
    states = [tomtube.position(seat="D", faster=0)]
    for turn in range(9):
        states.append(tomtube.after(states[-1], f"D drift {('-1,-2', '-2,-1')[turn % 2]}"))
    match = replace(match_of(position(), {"T": "Ada", "D": "Bo"}), game="tomtube")
    views = [tomtube.GAME.view(state) for state in states[1:]]

    def lines(count: int) -> list[str]:
        table = Perspective(match, "", views[count - 1], tuple(views[: count - 1]))
        return public_boards.story_of(table).split("\n")

    assert lines(9)[:2] == [
        "Bo played 9 turns alone, each a bonus point for Ada.",
        "-# 3 earlier moves: *What happened?*",
    ]
    assert len(lines(9)) == 8
    assert len(lines(6)) == 6, "each is told"


def test_long_stories_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_boards, "STORY_LIMIT", 45)
    assert told(4) == ["-# 2 earlier moves: *What happened?*", *told(2)]
    monkeypatch.setattr(public_boards, "STORY_LIMIT", 7)
    assert told(2) == ["-# 1 earlier move: *What happened?*", "Suns c…"]
