"""A plan in words: the newest of its choices, and the line that was not possible."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.computer_players import computer_player
from bot.domain.ids import Version
from bot.domain.models import Perspective
from bot.services.automatic_moves import StopReason
from bot.services.plans import OwnPlan
from bot.views import plans
from engine.game import Action, Event, View
from engine.plans import load_plan
from render.renderer import DEFAULT_STYLE
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.wormholes.boards import match_of
from tests.support.wormholes.positions import GAME, position

STATE = position({"S": "e12"}, {}, "S1 M-")
VIEW = GAME.view(STATE, "O")


def text_of(orders: str, stopped: StopReason | None = None, played: int = 0) -> str:
    """The text of a plan of Ada."""
    own_plan = OwnPlan(
        Perspective(match_of(STATE), "O", VIEW), load_plan("O", orders), Version(1), stopped
    )
    done: list[tuple[View, Action]] = [
        (VIEW, Action("O", "place", ("S0", f"a{number}"))) for number in range(1, played + 1)
    ]
    message = plans.plan(
        own_plan, DEFAULT_STYLE, forced=False, suggests=plans.Suggesting.NO, played=done
    )
    return "\n".join(item["content"] for item in walk(components(message)) if "content" in item)


def test_stopped_plan_names_the_line_that_was_not_possible() -> None:
    text = text_of("move S NE\nmove M S", StopReason.ILLEGAL)
    assert "I've stopped playing it: line 1, “Suns" in text
    assert "”, wasn't possible." in text


def test_line_after_conditions_may_be_another_one() -> None:
    text = text_of("if S5: move S NE\nmove M S", StopReason.ILLEGAL)
    assert "I've stopped playing it: the next line wasn't possible." in text
    assert "line 1," not in text


@pytest.mark.parametrize("reason", [StopReason.TAKEBACK, StopReason.CONDITION])
def test_other_reasons_name_no_line(reason: StopReason) -> None:
    assert plans.STOPPED[reason] in text_of("move S NE", reason)


def test_suggested_plan_says_when_it_is_played() -> None:
    assert "-# *Use this plan*: I play line 1 now, and one more line at each" in text_of(
        "move S NE", StopReason.SUGGESTED
    )
    waiting = "*Use this plan*: I play one line at each of your turns, beginning with line 1."
    assert waiting not in text_of("move S NE", StopReason.SUGGESTED)
    state = position({"C": "e12"}, {}, "C1 A-", seat="D")
    perspective = Perspective(match_of(state), "O", GAME.view(state, "O"))
    suggested = OwnPlan(perspective, load_plan("O", "move S NE"), stopped=StopReason.SUGGESTED)
    message = plans.plan(suggested, DEFAULT_STYLE, forced=False, suggests=plans.Suggesting.YES)
    assert any(waiting in item.get("content", "") for item in walk(components(message)))


@pytest.mark.parametrize(
    ("forced", "state", "label"),
    [
        (True, "I make it for you, so that you needn't click.", "Let me make it myself"),
        (False, "I wait until you make it.", "Make my only move for me"),
    ],
)
def test_switch_says_its_effect_below_a_line_with_its_state(
    forced: bool, state: str, label: str
) -> None:
    own_plan = OwnPlan(Perspective(match_of(STATE), "O", VIEW), load_plan("O", "move S NE"))
    message = plans.plan(own_plan, DEFAULT_STYLE, forced=forced, suggests=plans.Suggesting.NO)
    items = list(walk(components(message)))
    words = [item.get("content") or item.get("label", "") for item in items]
    line = words.index(f"-# If only one move is possible, {state}")
    assert words.index(label) > line


THEIRS = position({"C": "e12"}, {}, "C1 A-", seat="D")
STOP = "I've stopped playing it"
NEXT = "When it's your move, I "


@pytest.mark.parametrize("orders", ["move S NE", "if S5: move S NE\nmove M S", ""])
@pytest.mark.parametrize("reason", [None, *StopReason])
@pytest.mark.parametrize("is_mine", [True, False])
def test_answer_says_what_is_played_and_when(
    orders: str, reason: StopReason | None, is_mine: bool
) -> None:
    state = STATE if is_mine else THEIRS
    perspective = Perspective(match_of(state), "O", GAME.view(state, "O"))
    own_plan = OwnPlan(perspective, load_plan("O", orders), Version(1), reason)
    message = plans.plan(own_plan, DEFAULT_STYLE, forced=False, suggests=plans.Suggesting.NO)
    *texts, _switch = (
        item["content"].split("-# ")[1]
        for item in walk(components(message))
        if "-# " in item.get("content", "")
    )
    text = "\n".join(texts)
    if not orders:
        when = (
            "when you send the form, I play its first line at once"
            if is_mine
            else "at each of your turns, I make one"
        )
    elif reason:
        name = "*Use this plan*" if reason is StopReason.SUGGESTED else "*Continue*"
        assert (STOP in text) == (reason is not StopReason.SUGGESTED)
        when = "I play line 1 now" if is_mine else "beginning with line 1."
        assert name in text
    elif is_mine:
        when = "make this move yourself. At your next one, I try line 1."
    else:
        when = f"{NEXT}make the first of these" if "if" in orders else f"{NEXT}play line 1."
        assert "I stop and you choose. *Clear* ends the plan; `/takeback` takes" in text
    assert when in text


def test_newest_choices_are_named_whole() -> None:
    assert "Done: " not in text_of("move S NE")
    done = next(line for line in text_of("", played=5).splitlines() if line.startswith("Done"))
    assert [f"a{number}" in done for number in range(1, 6)] == [True] * 5
    assert "…" not in done
    done = next(line for line in text_of("", played=40).splitlines() if line.startswith("Done"))
    assert done.startswith("Done: …; ")
    assert done.endswith("a40.")
    assert done.count(";") == 5
    assert "a35" not in done
    assert "a36" in done


def test_choices_are_named_with_the_jumps_before_the_next_choice() -> None:
    thrown = Event("jumped", ("S", "e13", "c13"))
    views = [replace(VIEW, story=(thrown,)[:count]) for count in (0, 1)]
    move = Action("O", "move", ("S", "N"))
    own_plan = OwnPlan(
        Perspective(match_of(STATE), "O", views[1]), load_plan("O", ""), Version(1), None
    )
    for played, words in (
        ([(views[0], move)], "Done: Suns → e13 → c13."),
        ([(views[0], move), (views[1], move)], "Done: Suns → e13 → c13; Suns → e13."),
    ):
        message = plans.plan(
            own_plan, DEFAULT_STYLE, forced=False, suggests=plans.Suggesting.NO, played=played
        )
        assert any(words in item.get("content", "") for item in walk(components(message)))


@pytest.mark.parametrize("is_person", [True, False])
def test_suggestion_against_a_person_may_be_guessed(is_person: bool) -> None:
    match = match_of(STATE)
    opponent = match.players["D"] if is_person else computer_player("cadet")
    players = {**match.players, "D": opponent}
    own_plan = OwnPlan(
        Perspective(replace(match, players=players), "O", VIEW),
        load_plan("O", "move S NE"),
        Version(1),
        StopReason.SUGGESTED,
    )
    warning = "may guess your strongest coins"
    message = plans.plan(own_plan, DEFAULT_STYLE, forced=False, suggests=plans.Suggesting.NO)
    texts = "".join(item["content"] for item in walk(components(message)) if "content" in item)
    assert (warning in texts) == is_person
    assert warning not in text_of("move S NE", StopReason.TAKEBACK)
