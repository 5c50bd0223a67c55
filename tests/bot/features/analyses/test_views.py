"""The words of an analysis, for each of its readers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.computer_players import TITLE_OF_LEVEL
from bot.domain.ids import COMPUTER_USER_ID, MatchId
from bot.domain.models import Perspective, Player, Rated
from bot.features.analyses.service import Progress
from bot.features.analyses.views import (
    AS_GOOD_AS,
    ENDINGS,
    MAX_STORY,
    MIN_LUCK,
    DecisionWithBoard,
    costly_decisions,
    curve_of,
    failed,
    is_order,
    page,
    replaced,
    seat_shown,
    unfinished,
    with_answer,
    working,
)
from bot.i18n import catalogue
from bot.views.computers import advice_note
from bot.views.images import Drawn
from engine import games
from engine.computer.analysis import Analysis, Decision, Parts, Roll
from engine.computer.reasons import Reason
from engine.computer.situation import SCALE
from engine.computer.wormholes.reasons import explain
from engine.game import Action
from render import for_game
from render.charts import RollMark
from render.i18n import using
from render.renderer import DEFAULT_STYLE
from tests.support.english import english
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.matches import BO
from tests.support.reasons import situation
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import GAME, after, position

UNIT = SCALE // 100

MOVE = Action("O", "move", ("S", "N"))
STATE = position({"S": "e12"}, {"e13": "C1"}, "S1 M-", seen=1 << 12)


def analysis(level: str = "admiral", ending: str = "resign", loss: int = 0) -> Analysis:
    """An analysis in which the first seat decided once, then ended the match."""
    left = SCALE // 2 - loss
    curve = ((SCALE // 2, SCALE // 2), (0, SCALE))
    parts = (Parts(0, 0, (-loss, 0), (-left, 0)), Parts(0, 0, (loss, 0), (left, 0)))
    decisions = (Decision(0, "O", MOVE, MOVE, loss),)
    return Analysis("OD", curve, parts, decisions, (), (level, ""), (ending, ""))


def mistake(line: str, *reasons: Reason) -> tuple[DecisionWithBoard, ...]:
    """A costly decision of the first seat, with what speaks for a better choice."""
    decision = Decision(0, "O", Action.parse(line), Action.parse(line), 800, reasons)
    return (DecisionWithBoard(decision, GAME.view(STATE, "O"), Drawn(b"PNG", DEFAULT_STYLE)),)


def text_of(
    analysed: Analysis,
    mistakes: tuple[DecisionWithBoard, ...] = (),
    reader: str = "O",
    visible: str = "OD",
    **of_match: Any,
) -> str:
    """The text of the page of an analysis; further values are those of the match."""
    match = replace(match_of(STATE), **{"rated": Rated.CASUAL, **of_match})
    perspective = Perspective(match, reader, GAME.view(after(STATE, "D resign"), reader))
    components_of_page = walk(components(page(perspective, analysed, b"PNG", mistakes, visible)))
    return "\n".join(
        component["content"] for component in components_of_page if "content" in component
    )


def test_legend_says_what_followed_a_mistake() -> None:
    (row,) = mistake("O move S N")
    assert "-# Green on the board: the better choice." in text_of(analysis(), (row,)).splitlines()
    answer = GAME.view(after(STATE, "O move S N"), "O")
    lines = text_of(analysis(), (row._replace(answer=answer),)).splitlines()
    begins = "-# On the board, green is the better choice, white what followed: Suns e12 → "
    assert any(line.startswith(begins) for line in lines)


def test_answer_is_not_drawn_where_the_choice_needs_the_story() -> None:
    """The value of a coin that a ship has turned is in the story alone."""
    before = after(STATE, "O move S N")
    answered = GAME.view(after(before, "O jump S SE"), "O")
    for state, line, is_drawn in ((STATE, "O move S N", True), (before, "O jump S SE", False)):
        action, view = Action.parse(line), GAME.view(state, "O")
        decision = Decision(0, "O", action, action, 800)
        answer = replace(answered, story=())
        board, drawn = with_answer(decision, view, answer)
        assert (drawn == answer) is is_drawn
        assert board == (replace(view, story=()) if is_drawn else view)
        words = for_game("wormholes").describe_choice(board, action, {"O": "Ada"}).advice
        assert words == for_game("wormholes").describe_choice(view, action, {"O": "Ada"}).advice
        assert for_game("wormholes").picture(board, {"O": "Ada", "D": "Bo"}, ghosts=(action,))
    assert with_answer(decision, view, None) == (view, None)


def test_story_of_an_answer_is_one_short_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(for_game("wormholes")), "story", lambda *_: "One.\n" + "x" * 400)
    (row,) = mistake("O move S N")
    lines = text_of(analysis(), (row._replace(answer=row.view),)).splitlines()
    (line,) = [line for line in lines if "what followed" in line]
    story = line.partition("followed: ")[2]
    assert story.startswith("One. xxx")
    assert len(story) == MAX_STORY


@pytest.mark.parametrize(("level", "named"), [("cadet", "a Cadet"), ("admiral", "an Admiral")])
def test_decisions_are_compared_with_a_level(level: str, named: str) -> None:
    text = text_of(analysis(level, loss=SCALE // 25))
    assert f"-# Ada: about as good as {named} (1 decision)" in text
    assert "- Play: **−4** for Ada (−4 from mistakes by Ada, 0 from mistakes by Bo)" in text
    assert "-# Bo" not in text, "Bo has decided nothing"


def test_computer_is_compared_with_no_level() -> None:
    cadet = Player(COMPUTER_USER_ID, "Cadet", "cadet")
    text = text_of(analysis(), players={"O": cadet, "D": Player(BO, "Bo")})
    assert "about as good as" not in text
    assert "weakest first" not in text


def test_every_level_has_its_words() -> None:
    assert {*AS_GOOD_AS} == {*TITLE_OF_LEVEL}


def test_luck_and_play_are_two_lines_that_add_up() -> None:
    before, after = SCALE // 2, SCALE
    parts = (
        Parts(-40 * UNIT, 65 * UNIT, (-5 * UNIT, 30 * UNIT), (0, 0)),
        Parts(0, 0, (0, 0), (0, 0)),
    )
    played = replace(analysis(ending=""), curve=((before, before), (after, 0)), parts=parts)
    lines = text_of(played).splitlines()
    assert lines[1:5] == [
        "Ada's chances: **50 → 100** of 100",
        "- Luck: **+25** (lucky)",
        "- Play: **+25** for Ada (−5 from mistakes by Ada, +30 from mistakes by Bo)",
        "-# + raised Ada's chances, − lowered them. Mistakes of others raise them.",
    ]


@pytest.mark.parametrize(
    ("visible", "mistakes"),
    [
        ("OD", " for Ada (−5 from mistakes by Ada, +30 from mistakes by Bo)"),
        ("D", " for Ada (+30 from mistakes by Bo, −5 from mistakes by Ada)"),
        ("", ""),
    ],
)
def test_mistakes_are_split_for_readers_who_may_see_any(visible: str, mistakes: str) -> None:
    """Those of the other player follow from the sum; with none in sight, the sum is alone."""
    parts = (Parts(25 * UNIT, 0, (-5 * UNIT, 30 * UNIT), (0, 0)), Parts(0, 0, (0, 0), (0, 0)))
    curve = ((SCALE // 2, SCALE // 2), (SCALE, 0))
    played = replace(analysis(ending=""), curve=curve, parts=parts)
    assert f"- Play: **+25**{mistakes}" in text_of(played, visible=visible).splitlines()


@pytest.mark.parametrize(
    ("ending", "sentence"),
    [
        ("resign", "Ada resigned"),
        ("leave", "Ada left the match"),
        ("flag", "Ada lost on time"),
        ("draw", "Ada agreed to a draw"),
    ],
)
def test_ending_has_its_own_line(ending: str, sentence: str) -> None:
    lines = text_of(analysis(ending=ending, loss=SCALE // 25)).splitlines()
    assert lines[-7:-4] == [
        "- Luck: **0** (little luck either way)",
        "- Play: **−4** for Ada (−4 from mistakes by Ada, 0 from mistakes by Bo)",
        f"- {sentence}: **−46**",
    ]


def test_levels_are_listed_where_one_is_named() -> None:
    note = "-# The computer's levels, weakest first: Cadet, Navigator, Captain, Admiral."
    advice = "-# These numbers include decisions that *Suggest* gave."
    assert text_of(analysis()).splitlines()[-2:] == [note, advice]
    assert text_of(analysis(), rated=Rated.RATED).splitlines()[-1] == note, "there are no hints"
    assert note not in text_of(replace(analysis(), decisions=()))


@pytest.mark.parametrize(
    ("game", "alone", "advice"),
    [
        ("wormholes", True, "*Hint* or *Suggest*"),
        ("wormholes", False, "*Suggest*"),
        ("tomtube", True, "*Hint*"),
        ("tomtube", False, ""),
    ],
)
def test_only_advice_that_a_match_has_is_named(game: str, alone: bool, advice: str) -> None:
    """Tom Tube has no setup to suggest, and a match between people has no hints."""
    rules, seats = games.get(game).rules[0], games.get(game).seats({})
    match = replace(match_of(STATE), game=game, rules=rules, rated=Rated.CASUAL)
    players = dict(zip(seats, match.players.values(), strict=True))
    if alone:
        players[seats[1]] = Player(COMPUTER_USER_ID, "Cadet", "cadet")
    line = f"-# These numbers include decisions that {advice} gave." if advice else ""
    assert advice_note(replace(match, players=players)) == line


def test_readers_see_their_own_mistakes_first() -> None:
    point = SCALE // 100
    losses = [("O", 5 * point), ("D", 9 * point), ("D", 8 * point), ("O", point), ("O", point - 1)]
    played = replace(
        analysis(),
        decisions=tuple(
            Decision(place, seat, MOVE, MOVE, loss) for place, (seat, loss) in enumerate(losses)
        ),
    )
    places = {
        (seats, reader): [d.place for d in costly_decisions(played, seats, reader)]
        for seats, reader in (("OD", "O"), ("OD", "D"), ("O", "O"), ("OD", ""), ("D", ""))
    }
    assert places == {
        ("OD", "O"): [0, 3, 1],
        ("OD", "D"): [1, 2, 0],
        ("O", "O"): [0, 3],
        ("OD", ""): [1, 2, 0],
        ("D", ""): [1, 2],
    }


def test_decisions_that_cost_no_whole_point_are_left_out() -> None:
    half = SCALE // 200
    losses = [("O", 3 * half), ("D", half - 1), ("D", half + 1)]
    played = replace(
        analysis(),
        decisions=tuple(
            Decision(place, seat, MOVE, MOVE, loss) for place, (seat, loss) in enumerate(losses)
        ),
    )
    assert [row.place for row in costly_decisions(played, "OD", "")] == [0, 2]


@pytest.mark.parametrize(("reader", "seats"), [("O", "OD"), ("D", "DO"), ("", "OD")])
def test_curve_goes_up_for_its_reader(reader: str, seats: str) -> None:
    played = replace(
        analysis(),
        curve=((SCALE // 2, SCALE // 2), (SCALE, 0)),
        rolls=(Roll(0, (-MIN_LUCK, MIN_LUCK)), Roll(1, (1 - MIN_LUCK, MIN_LUCK - 1))),
    )
    ended = GAME.view(after(STATE, "D resign"), reader)
    first = seat_shown(Perspective(match_of(STATE), reader, ended), played)
    curve = curve_of(played, (0, 1), played.decisions, first)
    assert curve.seats == seats
    assert curve.scores == [[0.5, 0.5], [1, 0] if seats == "OD" else [0, 1]]
    assert curve.rolls == [RollMark(0, "D")]
    assert [(mark.place, mark.seat) for mark in curve.decisions] == [(0, "O")]


def test_match_that_was_played_to_its_end_has_no_such_line() -> None:
    assert "resigned" not in text_of(analysis(ending=""))
    assert text_of(analysis(ending="")).count("\n- ") == 2


@pytest.mark.parametrize(
    ("reader", "sentence"),
    [
        ("O", "your opponent's coin on e13 cannot be a black hole"),
        ("D", "Bo's coin on e13 cannot be a black hole"),
        ("", "Bo's coin on e13 cannot be a black hole"),
    ],
)
def test_reasons_address_only_the_player_who_decided(reader: str, sentence: str) -> None:
    (reason,) = (
        candidate
        for candidate in explain(situation(GAME, STATE), MOVE)
        if candidate.named and "black hole" in candidate.template
    )
    assert f"– {sentence}." in text_of(analysis(), mistake("O move S N", reason), reader)


PROGRESS = Progress(), Progress(34, 95)
"""Before the first report, and later."""


@pytest.mark.parametrize("ending", ENDINGS)
def test_analysis_has_no_english_in_another_language(ending: str, pseudo_language: str) -> None:
    reason = explain(situation(GAME, STATE), MOVE)[0]
    (row,) = mistake("O move S N", reason)
    answered = row._replace(
        answer=GAME.view(after(STATE, "O move S N"), "O"), is_foreseen=True, is_order=True
    )
    with using(catalogue(pseudo_language)):
        for visible in ("OD", "D", ""):
            for decision in (row, answered):
                played = analysis(ending=ending, loss=SCALE // 25)
                text = text_of(played, (decision,), "D", visible)
                assert "[" in text
                assert not english(text), text
        for message in (
            *[working(progress) for progress in (*PROGRESS, Progress(attempt=2))],
            *[unfinished(MatchId(1), progress) for progress in PROGRESS],
            replaced(),
            *[failed(MatchId(1), progress) for progress in PROGRESS],
        ):
            parts = [part.get("content", "") for part in walk(components(message))]
            assert not english("\n".join(parts))


@pytest.mark.parametrize(
    ("reader", "seats", "is_told"),
    [
        ("O", "OD", True),
        ("D", "DO", True),
        ("O", "OO", False),
        ("D", "OO", False),
        ("", "OD", False),
    ],
)
def test_order_of_mistakes_is_told_if_not_by_cost(reader: str, seats: str, is_told: bool) -> None:
    (row,) = mistake("O move S N")
    rows = tuple(
        row._replace(decision=row.decision._replace(seat=seat, place=place))
        for place, seat in enumerate(seats)
    )
    assert ("your own first:" in text_of(analysis(), rows, reader)) is is_told


def test_decision_is_told_in_a_sentence() -> None:
    text = text_of(analysis(), mistake("O move S NW"))
    assert "**1.** Ada moved Suns from e12 to d13 (turn 1). That cost **8** of 100." in text
    assert "\nBetter: **move Suns to d13**." in text


@pytest.mark.parametrize(
    ("turns", "later", "is_late"),
    [
        ((3, 3, 3), "O move M E", True),
        ((3, 3, 4), "O move M E", False),
        ((3, 3, 3), "O move M W", False),
        ((3, 3, 3), "D move M E", False),
        ((0, 0, 0), "O move M E", False),
    ],
)
def test_better_choice_made_later_in_the_turn_is_about_order(
    turns: tuple[int, ...], later: str, is_late: bool
) -> None:
    best = Action.parse("O move M E")
    decision = Decision(0, "O", MOVE, best, 800)
    actions = (MOVE, Action.parse("* roll"), Action.parse(later))
    assert is_order(decision, actions, turns) is is_late
    (row,) = mistake("O move S N")
    text = text_of(analysis(), (row._replace(is_order=is_late),))
    assert ("Ada did that too, but later in the turn" in text) is is_late


@pytest.mark.parametrize(
    ("is_foreseen", "when"), [(False, "(turn 1)"), (True, "(turn 1, foreseen in a plan)")]
)
def test_mistake_says_that_a_plan_made_it(is_foreseen: bool, when: str) -> None:
    (row,) = mistake("O move S N")
    text = text_of(analysis(), (row._replace(is_foreseen=is_foreseen),))
    assert f" {when}. That cost" in text
