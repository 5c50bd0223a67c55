"""A fourth game, to show what a new game needs: its rules and a renderer, and nothing in bot/."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import ClassVar

from PIL import Image, ImageDraw

from engine.endings import ENDING_EVENTS, apply_ending, is_ending
from engine.game import (
    CHANCE,
    PUBLIC,
    Action,
    Event,
    Game,
    IllegalActionError,
    Parameter,
    RandomSource,
    Verb,
    View,
)
from render.palette import palette
from render.png import encode
from render.renderer import DEFAULT_STYLE, Names, Renderer, Style

SEATS = "AB"
MAX_STICKS = 3
"""Sticks that can be taken at once."""


@dataclass(frozen=True)
class State:
    """A heap of sticks, 0 before it is made; whose turn it is, and its number."""

    sticks: int = 0
    turn: int = 0
    number: int = 0
    offer: str = ""
    result: str = ""
    story: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NimView(View):
    """All is open."""

    sticks: int


class Nim(Game[State, NimView]):
    """The player who takes the last stick wins."""

    name = "nim"
    title = "Nim"
    version = 1
    rules = ("last",)
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    verbs = (Verb("take", "Take sticks", (Parameter("sticks", "How many"),)),)
    events: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "made": ("sticks",),
        "took": ("seat", "sticks"),
        **ENDING_EVENTS,
    }
    sides: ClassVar[Mapping[str, str]] = {"A": "First", "B": "Second"}

    def seats(self, options: Mapping[str, str]) -> str:
        return SEATS

    def start(self, rules: str, options: Mapping[str, str]) -> State:
        return State()

    def pending(self, state: State) -> str:
        return "" if state.result else SEATS[state.turn] if state.number else CHANCE

    def result(self, state: State) -> str:
        return state.result

    def legal(self, state: State) -> tuple[Action, ...]:
        if not state.number:
            return (Action(CHANCE, "heap", ("?",)),)
        most = 0 if state.result else min(MAX_STICKS, state.sticks)
        return tuple(Action(SEATS[state.turn], "take", (str(n + 1),)) for n in range(most))

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        if is_ending(action):
            draft = SimpleNamespace(offer=state.offer, result=state.result)
            new_story = apply_ending(draft, SEATS, self.pending(state), action, "N3")
            return replace(
                state, offer=draft.offer, result=draft.result, story=new_story
            ), new_story
        if not state.number and action.verb == "heap":
            sticks = int(action.args[0])
            story: tuple[Event, ...] = (Event("made", (str(sticks),)),)
            return State(sticks, 0, 1, story=story), story
        if action not in self.legal(state):
            raise IllegalActionError("N2", "You take one to three sticks.")
        left = state.sticks - int(action.args[0])
        story = (Event("took", (action.actor, action.args[0])),)
        result = "" if left else f"{action.actor} last"
        if result:
            story += (Event("ended", (action.actor, "last")),)
        return State(left, 1 - state.turn, state.number + 1, "", result, story), story

    def chance(self, state: State, draw: RandomSource) -> Action:
        return Action(CHANCE, "heap", (str(12 + draw(4)),))

    def view(self, state: State, seat: str = PUBLIC) -> NimView:
        return NimView(
            game=self.name,
            rules=self.rules[0],
            options=(),
            seats=SEATS,
            seat=seat,
            pending=self.pending(state),
            turn=state.number,
            legal=self.legal(state) if seat and seat == self.pending(state) else (),
            story=state.story,
            offer=state.offer,
            result=state.result,
            sticks=state.sticks,
        )

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        return state

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        return tuple(actions)

    def dump(self, state: State) -> str:
        story = " ".join(map(str, state.story))
        return f"{state.sticks};{state.turn};{state.number};{state.offer};{state.result};{story}"

    def load(self, text: str) -> State:
        sticks, turn, number, offer, result, events = text.split(";")
        story = tuple(map(Event.parse, events.split()))
        return State(int(sticks), int(turn), int(number), offer, result, story)


class NimRenderer(Renderer[NimView]):
    """Sticks side by side."""

    command_verbs = ("take",)

    def picture(
        self,
        view: NimView,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        theme = self.themes[style.theme]
        return encode(self.frame(view, names, style), palette(theme).flat)

    def frame(self, view: NimView, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        page = Image.new("L", (400, 200))
        for stick in range(view.sticks):
            ImageDraw.Draw(page).line((20 + 20 * stick, 40, 20 + 20 * stick, 160), 1, 6)
        return page

    def text_board(self, view: NimView, names: Names) -> str:
        return f"{view.sticks} sticks are left."

    def story(self, view: NimView, names: Names) -> str:
        took = [event.facts for event in view.story if event.kind == "took"]
        return "".join(f"{names[seat]} took {sticks}." for seat, sticks in took)

    def prompt(self, view: NimView, names: Names) -> str:
        if view.result:
            return f"{names.get(view.result[0], 'No player')} wins."
        return f"{names[view.pending]}: take sticks" if view.pending in SEATS else "A heap is made."

    def hand(self, view: NimView) -> str:
        return ""

    def label(self, view: NimView, action: Action) -> str:
        return f"Take {action.args[0]}"
