"""Steps of lessons and puzzles: within Discord's limits, and every button leads somewhere."""

from __future__ import annotations

import pytest

from bot.features.rules import lesson_views as lessons
from bot.rulebook.book import titles
from bot.rulebook.lessons import attempt, lesson, place, right_choices, steps
from bot.views.choices import enter_nearest_area
from bot.views.images import Drawn
from bot.views.message import Message
from render.renderer import ORIENTATIONS, Style
from tests.support.harness import walk
from tests.support.limits import check_buttons, components

BOARDS = [Drawn(b"\x89PNG", Style(orientation=orientation)) for orientation in ORIENTATIONS]
STEPS = [(game, number) for game in titles() for number in range(len(steps(game)))]


def texts_of(page: Message) -> str:
    """Return all texts of a page."""
    return "\n".join(part["content"] for part in walk(components(page)) if "content" in part)


@pytest.mark.parametrize(
    ("game", "number", "is_new"),
    [
        ("wormholes", 0, False),
        ("wormholes", 1, True),
        ("wormholes", 3, True),
        ("wormholes", 4, True),
        ("wormholes", 5, False),
        ("wormholes", 9, False),
        ("warp6", 1, True),
        ("tomtube", 3, True),
    ],
)
def test_step_says_that_its_position_is_new(game: str, number: int, is_new: bool) -> None:
    text = "-# A new position, not the one you've just left."
    assert (text in texts_of(lessons.lesson(place(game, number), BOARDS[0]))) == is_new


def test_list_of_steps_shows_the_current_step() -> None:
    # Discord keeps the selection of a list with the same ID.
    pages = [lessons.lesson(place("tomtube", number), BOARDS[0]) for number in (0, 1, 0)]
    lists = [
        part
        for page in pages
        for part in walk(components(page))
        if part.get("custom_id") == "howto:tomtube"
    ]
    selected = [[o["value"] for o in part["options"] if o.get("default")] for part in lists]
    assert selected == [["0"], ["1"], ["0"]]
    assert len({part["id"] for part in lists}) == 3


def test_tom_tube_explains_what_decides_most_turns() -> None:
    texts = [" ".join(step.texts) for step in steps("tomtube")]
    for number, words in (
        (0, "straight ahead"),
        (0, "you can't stop, but you can turn"),
        (0, "An *energy sphere*, with a **+**"),
        (0, "end where you take a counter"),
        (1, "The two spheres beside a station are its *gates*"),
        (2, "Each *tile*, rhomb or triangle, has parts of rings at its corners."),
        (2, "the knot is *complete* and gets a sphere. Until then it is *unfinished*"),
        (2, "Knots on the rim keep half a ring"),
        (2, "Only a rhomb across the line between two knots bars a jump"),
        (2, "one that a single tube reaches a control counter"),
        (2, "through tubes of every colour"),
        (3, "closed until it is complete; one on the rim stays closed"),
        (4, "their own supply: with tubes in their colour, or blank"),
        (5, "with or without his solar counters"),
    ):
        assert words in texts[number], words


def test_tom_tube_begins_without_moves_that_need_an_explanation() -> None:
    verbs = {action.verb for action in place("tomtube", 0).view.legal}
    assert verbs == {"drift", "build"}


@pytest.mark.parametrize(
    ("space", "words"), [("g14", "your black hole"), ("g11", "a coin there is activated")]
)
def test_sent_ship_is_answered_by_what_happens_on_its_space(space: str, words: str) -> None:
    tried = attempt(place("wormholes", 7), f"send C {space}")
    assert tried
    assert tried.right
    assert words in tried.text


@pytest.mark.parametrize("computers", [False, True])
def test_end_of_the_steps_offers_a_match_on_the_taught_side(computers: bool) -> None:
    last = place("wormholes", len(steps("wormholes")) - lesson("wormholes").puzzles - 1)
    (action,) = right_choices(last)
    tried = attempt(last, action.notation)
    assert tried
    page = lessons.try_result(last, tried, BOARDS[0], computers=computers)
    source = str(components(page))
    assert ("now:wormholes:O" in source) == computers
    assert "rules:wormholes:strategy:open" in source
    assert len(texts_of(page).split()) < 75


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_every_step_keeps_to_the_limits(game: str, number: int) -> None:
    step_place = place(game, number)
    for drawn in BOARDS:
        check_buttons(lessons.lesson(step_place, drawn))
    for action in step_place.view.legal[:: max(1, len(step_place.view.legal) // 20)]:
        tried = attempt(step_place, action.notation)
        assert tried
        check_buttons(lessons.try_result(step_place, tried, BOARDS[0]))
    for action in {action.args[:1]: action for action in step_place.view.legal}.values():
        if len(action.args) > 1:
            path = enter_nearest_area(step_place.view, f"{action.verb} {action.args[0]}")
            check_buttons(lessons.lesson(step_place, BOARDS[0], path=path))
