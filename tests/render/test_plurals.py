"""Texts with counts have the form of their number in languages with one, two and three forms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.i18n import refusal_text
from engine.computer.reasons import Reason
from engine.game import Event, IllegalActionError
from engine.i18n import NP_
from render.hints import reasons_text
from render.i18n import format_list, ngettext, translated, using
from render.narration import sentence
from tests.support.plurals import NUMBERS, SHAPES, shaped
from tools.catalogues import gathered

POINTS = NP_("it is worth one point at once", "it is worth {count} points at once")
CHANGES = NP_(
    "After {count} change in a row you have to move one of your dice.",
    "After {count} changes in a row you have to move one of your dice.",
)
SPACES = NP_(
    "All coins are revealed; both players had chosen one space.",
    "All coins are revealed; both players had chosen {count} spaces.",
)


def of_refusal(count: int) -> str:
    """Return a refusal of the engine."""
    return refusal_text(IllegalActionError("X3.4", CHANGES, count=count), "warp6")


def of_reason(count: int) -> str:
    """Return a reason of the computer."""
    return reasons_text("tomtube", [Reason(POINTS, {"count": count})])


def of_story(count: int) -> str:
    """Return the sentence about an event."""
    event = Event("revealed", (str(count),))
    return sentence(event, ("count",), {"revealed": SPACES}, lambda _name, fact: fact)


@pytest.mark.first(test=5)
@pytest.mark.parametrize("tag", SHAPES)
@pytest.mark.parametrize("text", [of_refusal, of_reason, of_story])
def test_form_is_that_of_the_number(tag: str, text: Callable[[int], str]) -> None:
    with using(shaped(tag)):
        texts = [text(number) for number in NUMBERS]
    for words, number, form in zip(texts, NUMBERS, SHAPES[tag], strict=True):
        assert words.startswith(f"[{form}] ")
        assert f" {number} " in words


@pytest.mark.parametrize("tag", SHAPES)
def test_every_message_with_a_count_has_all_forms(tag: str) -> None:
    with using(shaped(tag)):
        for message in gathered():
            if message.id and not isinstance(message.id, str):
                one, many = message.id
                forms = [ngettext(one, many, number).partition("]")[0] for number in NUMBERS]
                assert forms == [f"[{form}" for form in SHAPES[tag]], message.id


def test_english_reason_has_the_form_of_its_number() -> None:
    reasons = [str(Reason(POINTS, {"count": count})) for count in (1, 2)]
    assert reasons == ["it is worth one point at once", "it is worth 2 points at once"]


def test_count_may_be_a_text() -> None:
    assert translated(NP_("{count} line", "{count} lines"), {"count": "2"}) == "2 lines"


@pytest.mark.parametrize(
    ("tag", "lists"),
    [
        ("de", ["a", "a und b", "a, b und c", "a, b oder c", "a, b, c"]),
        ("pl", ["a", "a i b", "a, b i c", "a, b lub c", "a, b, c"]),
        ("ja", ["a", "a、b", "a、b、c", "a、b、またはc", "a、b、c"]),
    ],
)
def test_lists_are_those_of_the_language(tag: str, lists: list[str]) -> None:
    words = ["a", "b", "c"]
    with using(shaped(tag)):
        assert [format_list(words[:count]) for count in (1, 2, 3)] == lists[:3]
        assert [format_list(words, style="or"), format_list(words, style="commas")] == lists[3:]
        assert format_list([], style="commas") == format_list([]) == ""
