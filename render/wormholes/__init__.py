"""Wormholes as pictures and words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.game import Action
from engine.wording import Trait
from engine.wormholes.view import WormholesView
from render.choice_text import ChoiceText
from render.i18n import N_
from render.renderer import DEFAULT_STYLE, Group, Names, Renderer, Row, Style
from render.wormholes import (
    areas,
    buttons,
    choice_text,
    planned,
    story,
    terms,
    vocabulary,
    words,
)
from render.wormholes.invitation import DECISION_RULES, INVITATION

if TYPE_CHECKING:
    from PIL import Image

    from render.themes import Theme

PAINTED = Path(__file__).parent / "painted"


class WormholesRenderer(Renderer[WormholesView]):
    """See `Renderer`."""

    hand_name = N_("coins")
    invitation = INVITATION
    decision_rules = DECISION_RULES
    plan_note = planned.NOTE
    suggestion_note = planned.SUGGESTION_NOTE
    public_verbs = frozenset({"move", "jump", "null"})
    command_verbs = ("place", "move", "jump", "send")
    area_note = areas.NOTE
    revelations = story.REVELATIONS

    @property
    def themes(self) -> Mapping[str, Theme]:
        """Return the themes, with the colours of the painted sprites."""
        from render.wormholes.colours import THEMES

        return THEMES

    def picture(
        self,
        view: WormholesView,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        """Return the galaxy; landscape has row 1 on the left and column a at the top."""
        from render.wormholes import picture

        return picture.draw(view, names, style, actions, ghosts=ghosts)

    def frame(self, view: WormholesView, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        """Return the same picture, smaller."""
        from render.wormholes import picture

        return picture.page(view, names, style, small=True)

    def text_board(self, view: WormholesView, names: Names) -> str:
        """List ships, dice, coins in hand, coins on the board, and bases."""
        return words.text_board(view, names)

    def story(self, view: WormholesView, names: Names) -> str:
        """Return one sentence for each event."""
        return story.story(view, names)

    def setup_story(self, views: Sequence[WormholesView], names: Names) -> str:
        """Return one sentence for all that was placed."""
        return story.setup_story(views, names)

    def prompt(self, view: WormholesView, names: Names) -> str:
        """Return one sentence."""
        return words.prompt(view, names)

    def aim(self, view: WormholesView, names: Names) -> str:
        """Return one sentence."""
        return words.aim(view, names)

    def margin(self, view: WormholesView, names: Names) -> str:
        """Return the distance of the loser's ships from their goal."""
        return words.margin(view, names)

    def hand(self, view: WormholesView) -> str:
        """Return the coins in hand, and with notes the coins this player has seen."""
        return words.hand(view)

    def memory_note(self, view: WormholesView) -> str:
        """Return that coins have to be remembered, unless the match shows them."""
        return words.memory_note(view)

    def memory_limit(self, view: WormholesView) -> str:
        """Return that a placed coin is listed until the next, in a match from memory."""
        return words.memory_limit(view)

    def memory_line(self, view: WormholesView, action: Action) -> str:
        """Return the coin and its space, in a match that is played from memory."""
        return words.memory_line(view, action)

    def label(self, view: WormholesView, action: Action) -> str:
        """Return ship, direction and, for a move by die, the target space."""
        return words.label(view, action)

    def done(self, view: WormholesView, action: Action, after: WormholesView | None = None) -> str:
        """Return an action with the spaces that coins threw its ship on to."""
        return words.done(view, action, after)

    def notation(self, seat: str, text: str, style: Style | None = None) -> str:
        """Return arrows and ships as the notation has them; without a style, no arrows."""
        return planned.notation(seat, text, style)

    def with_arrows(self, seat: str, text: str, style: Style) -> str:
        """Return a text whose directions are arrows."""
        return planned.with_arrows(seat, text, style)

    def names(self, seat: str, style: Style) -> Iterable[tuple[str, Trait]]:
        """Return names of ships, coins, spaces, and directions by compass and picture."""
        return vocabulary.names(seat, style)

    def mapped_directions(self, seat: str, style: Style) -> Mapping[str, str]:
        """Return directions of the notation with what lies there on a turned picture."""
        return vocabulary.mapped(seat, style)

    def traits(self, view: WormholesView, action: Action) -> Iterable[Trait]:
        """Return the start and end of a move, and the suit and value of a coin."""
        return vocabulary.traits(view, action)

    def written(self, seat: str, text: str, style: Style) -> str:
        """Return directions as arrows."""
        return planned.written(seat, text, style)

    def spelled(self, seat: str, text: str, style: Style) -> str:
        """Return directions as words such as “up right”: phones have no keys for arrows."""
        return planned.spelled(seat, text, style)

    def planned(self, view: WormholesView, action: Action, style: Style = DEFAULT_STYLE) -> str:
        """Return an action without what depends on the position."""
        return planned.planned(view, action, style)

    def move_towards(self, view: WormholesView, traits: Mapping[str, str]) -> str | None:
        """Return the move of a ship in the direction of a space."""
        return planned.move_towards(view, traits)

    def typed(self, view: WormholesView, action: Action, style: Style = DEFAULT_STYLE) -> str:
        """Return an action with the space at its end: phones have no keys for arrows."""
        return words.label(view, action).replace(" → ", " ")

    def plan_example(self, view: WormholesView) -> str:
        """Return orders with the viewer's own pieces."""
        return planned.example(view)

    def describe_choice(self, view: WormholesView, action: Action, names: Names) -> ChoiceText:
        """Return a choice with the names of pieces and places."""
        return choice_text.describe_choice(view, action, names)

    def opening(self, words: str) -> str:
        """Return the first coin placed, and where."""
        return terms.opening(words)

    def name(self, word: str, names: Names | None = None) -> str:
        """Return a coin by its suit and value."""
        return terms.name(word)

    def rows(
        self, view: WormholesView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Row, ...]:
        """Return a die's directions, arranged as on the board."""
        return buttons.rows(view, actions, style)

    def window(
        self, view: WormholesView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Row, ...]:
        """Return the moves of both ships."""
        return buttons.window(view, actions, style)

    def groups(
        self, view: WormholesView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Group, ...]:
        """Return the areas of many spaces: the numbers at the edge of the board."""
        return areas.groups(view, actions)

    def emoji_images(self) -> Mapping[str, bytes]:
        """Return the emblems of the suits."""
        names = map(buttons.emoji_name, terms.SUITS)
        return {name: (PAINTED / f"{name}.png").read_bytes() for name in names}
