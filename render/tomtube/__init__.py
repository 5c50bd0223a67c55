"""Tom Tube as pictures and words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.game import Action
from engine.tomtube.view import TomTubeView
from engine.wording import Trait
from render.choice_text import ChoiceText
from render.i18n import _
from render.renderer import DEFAULT_STYLE, Group, Names, Renderer, Row, Shortcuts, Style
from render.tomtube import (
    buttons,
    choice_text,
    planned,
    story,
    terms,
    vocabulary,
    words,
)
from render.tomtube.invitation import AIM, DECISION_RULES, INVITATION
from render.tomtube.layout import layout

if TYPE_CHECKING:
    from PIL import Image

    from render.themes import Theme


class TomTubeRenderer(Renderer[TomTubeView]):
    """See `Renderer`."""

    invitation = INVITATION
    decision_rules = DECISION_RULES
    plan_note = planned.NOTE
    draws_rhombs = True
    shortcut_verbs = frozenset({"rhomb"})
    public_verbs = frozenset({"build", "drift", "control", "jump"})
    command_verbs = ("build", "rhomb", "drift", "jump")
    revelations = story.REVELATIONS

    @property
    def themes(self) -> Mapping[str, Theme]:
        """Return the themes, with the colours of the painted sprites."""
        from render.tomtube.colours import THEMES

        return THEMES

    def picture(
        self,
        view: TomTubeView,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        """Return the station as far as it is built, and around it each player's supplies."""
        from render.tomtube import picture

        return picture.draw(view, names, style, actions, ghosts=ghosts)

    def ghost_numbers(self, ghosts: Sequence[Action]) -> Sequence[str]:
        """Return numbers, the same for a rhomb and for it turned around, which has a sign, too."""
        from render.tomtube.ghosts import numbers

        return numbers(ghosts)

    def frame(self, view: TomTubeView, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        """Return the same picture, smaller."""
        from render.tomtube import picture

        return picture.page(view, names, style, small=True)

    def text_board(self, view: TomTubeView, names: Names) -> str:
        """List players, counters, complete knots, and every tile with the knots that it joins."""
        return words.text_board(view, names)

    def story(self, view: TomTubeView, names: Names) -> str:
        """Return one sentence for each event."""
        return story.story(view, names)

    def run_story(self, views: Sequence[TomTubeView], names: Names) -> str:
        """Return the turns that the slower player has alone (T5.1), and the counters taken."""
        return story.run_story(views, names)

    def prompt(self, view: TomTubeView, names: Names) -> str:
        """Return one sentence; after the end also the points."""
        return words.prompt(view, names)

    def handicap(self, before: Mapping[str, str], after: Mapping[str, str], names: Names) -> str:
        """Return the change of launch energy."""
        return words.handicap(before, after, names)

    def aim(self, view: TomTubeView, names: Names) -> str:
        """Return one sentence."""
        return _(AIM)

    def margin(self, view: TomTubeView, names: Names) -> str:
        """Return the difference of points."""
        return words.margin(view, names)

    def hand(self, view: TomTubeView) -> str:
        """Return nothing: only the stack is secret, and no seat knows it."""
        return ""

    def label(self, view: TomTubeView, action: Action) -> str:
        """Return the text of the mark, then the action."""
        return words.label(view, action)

    def drawn_label(self, view: TomTubeView, action: Action, names: Names | None = None) -> str:
        """Return an action in words that name the tile, outline or arrow on the picture."""
        return words.drawn_label(view, action, names)

    def ghost_label(self, view: TomTubeView, action: Action) -> str:
        """Return the place of a rhomb, and where the tubes on it lead, if it has been drawn."""
        return words.ghost_label(view, action)

    def hint_ghosts(
        self, view: TomTubeView, action: Action, reasons: Sequence[Mapping[str, object]]
    ) -> Sequence[Action]:
        """Return the place for a rhomb that the reasons for building name."""
        places = [str(fields["place"]) for fields in reasons if "place" in fields]
        rhombs = [Action(action.actor, "rhomb", (place,)) for place in places if ">" in place]
        return rhombs[:1] if action.verb == "build" and rhombs else (action,)

    def done(self, view: TomTubeView, action: Action, after: TomTubeView | None = None) -> str:
        """Return a rhomb with its place, without the number of its turn, and others as labels."""
        return words.done(view, action)

    def describe_choice(self, view: TomTubeView, action: Action, names: Names) -> ChoiceText:
        """Return a choice with the names of pieces and places."""
        return choice_text.describe_choice(view, action, names)

    def notation(self, seat: str, text: str, style: Style | None = None) -> str:
        """Return places that are named as on the picture as the notation has them."""
        return terms.notation(text)

    def names(self, seat: str, style: Style) -> Iterable[tuple[str, Trait]]:
        """Return names of moves and places."""
        return vocabulary.names()

    def traits(self, view: TomTubeView, action: Action) -> Iterable[Trait]:
        """Return the sign of a choice on the picture, and the turn of a rhomb."""
        return vocabulary.traits(view, action)

    def written(self, seat: str, text: str, style: Style) -> str:
        """Return places with the names on the picture."""
        return terms.written(text)

    def opening(self, words: str) -> str:
        """Return the kinds of the first turns."""
        return terms.opening(words)

    def name(self, word: str, names: Names | None = None) -> str:
        """Return the name of a place."""
        return terms.name(word)

    def rows(
        self, view: TomTubeView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Row, ...]:
        """Return moves below their kind."""
        return buttons.rows(view, actions)

    def planned(self, view: TomTubeView, action: Action, style: Style = DEFAULT_STYLE) -> str:
        """Return an action without what depends on the position."""
        return planned.planned(view, action)

    def plan_example(self, view: TomTubeView) -> str:
        """Return orders with the viewer's own pieces."""
        return planned.example(view)

    def groups(
        self, view: TomTubeView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Group, ...]:
        """Return the area of a rhomb, then its place; how it is turned is left."""
        return buttons.groups(view, actions, layout(style, view.seat))

    def shortcuts(
        self, view: TomTubeView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> Shortcuts:
        """Return the turns with the drawn rhomb that look best, or those at its place."""
        from render.tomtube import shortcuts

        return shortcuts.shortcuts(view, actions, layout(style, view.seat))

    def quick_shortcuts(
        self, view: TomTubeView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> Shortcuts:
        """Return the nearest places for the drawn rhomb."""
        from render.tomtube import shortcuts

        return shortcuts.nearest(view, actions, layout(style, view.seat))

    def alt_text(self, view: TomTubeView, names: Names) -> str:
        """Describe the position without single tiles, which are in the text board."""
        return words.alt_text(view, names)
