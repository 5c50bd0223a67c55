"""The contract between a game's drawings and words and everything that shows them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar
from unicodedata import category

from engine.game import OPEN_VALUE, Action, Verb, View
from engine.wording import Trait
from render.choice_text import ChoiceText
from render.i18n import titled, truncate
from render.invitation import Invitation
from render.themes import THEMES, Theme
from render.turns import turns

if TYPE_CHECKING:
    from PIL import Image

V = TypeVar("V", bound=View)

Names = Mapping[str, str]
"""Seat letter → the player's display name."""

ORIENTATIONS = ("landscape", "portrait")
"""Shapes of a picture: wider than high, or higher than wide."""

MAX_ALT_CHARACTERS = 1000
"""Maximum length of an alt text; Discord accepts 1,024."""

BUTTONS_PER_ROW = 3
"""Maximum number of choices in a row, which fit side by side on a phone; Discord accepts five."""

NUMBERS_PER_ROW = 5
"""Maximum number of choices in a row that are numbers on the picture."""

ROW_LENGTHS, LABEL_LENGTH = {BUTTONS_PER_ROW: 24, NUMBERS_PER_ROW: 15}, 12
"""Width that fits on a phone in a row, by number of labels; characters of each of two labels."""

EITHER = "|"
"""Joins verbs in the beginning of actions of any of them."""

TEXT_VARIATION = "\ufe0e"
"""Makes clients draw an arrow as a letter; without it some show a coloured square."""


class Button(NamedTuple):
    """An action, or its beginning, as a button with a label and optionally an emoji.

    The label has at most 80 characters. Without an action it is a disabled placeholder.

    Attributes:
        action: its action, or the beginning of one.
        label: text of the button.
        emoji: name of its emoji, if it has one.
        more: the player's next actions, done at once if they fit.
    """

    action: Action | None
    label: str
    emoji: str = ""
    more: tuple[Action, ...] = ()


class Row(NamedTuple):
    """Buttons side by side: at most three, or five numbers.

    Attributes:
        heading: a line above them; may be empty.
        buttons: from left to right; none below a line about the buttons that follow.
        emoji: precedes the heading; may be empty.
        is_minor: whether the buttons are grey.
    """

    heading: str
    buttons: tuple[Button, ...]
    emoji: str = ""
    is_minor: bool = False


class Shortcuts(NamedTuple):
    """A few of many actions.

    Attributes:
        rows: their buttons; a button can do several actions, such as a whole turn.
        ghosts: the actions to draw on the picture, in the order of the numbers on the buttons; see
            `Renderer.ghost_numbers`.
    """

    rows: tuple[Row, ...] = ()
    ghosts: tuple[Action, ...] = ()


class Group(NamedTuple):
    """Actions that a player narrows down to before choosing one of them.

    Attributes:
        name: a word without spaces or slashes, unique among its neighbours; it is on the picture.
        label: label for a button (≤ 80 characters).
        actions: at least one.
        distance: distance from the piece that they are about, or from the player's base.
    """

    name: str
    label: str
    actions: tuple[Action, ...]
    distance: float = 0


class Overlay(NamedTuple):
    """Something that can be shown on the board when a viewer asks for it.

    Attributes:
        name: name as players type it, without spaces.
        label: label for a menu (≤ 100 characters).
    """

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Style:
    """A player's preferences for pictures.

    Attributes:
        theme: `dark`, `light` or `contrast`.
        orientation: `landscape` or `portrait`.
        own_side: turn the board so that the viewer's side is at the left or at the bottom.

    Raises:
        ValueError: there is no such theme or orientation.
    """

    theme: str = "dark"
    orientation: str = "landscape"
    own_side: bool = False

    def __post_init__(self) -> None:
        if self.theme not in THEMES:
            raise ValueError(f"The themes are {', '.join(THEMES)}.")
        if self.orientation not in ORIENTATIONS:
            raise ValueError(f"The orientations are {', '.join(ORIENTATIONS)}.")


TURN_MS, SET_UP_MS = 1200, 400
"""Duration of a turn in an animation, and of an action of the setup."""

STEP_MS = 1000
"""Duration of a step of the last turn in its animation; nothing changes more than once a second."""

MIN_STEPS, MAX_STEPS = 3, 6
"""Number of pictures of the last turn in its animation."""

DEFAULT_STYLE = Style()
"""Dark and landscape."""


def rows_of(
    buttons: Sequence[Button], heading: str = "", emoji: str = "", most: int = BUTTONS_PER_ROW
) -> tuple[Row, ...]:
    """Return buttons in as many rows as they need; the heading is above the first.

    Args:
        buttons: the buttons.
        heading: words above them.
        emoji: name of the heading's emoji.
        most: the maximum number of buttons in a row, a key of `ROW_LENGTHS`.
    """
    return tuple(
        Row("" if number else heading, line, "" if number else emoji)
        for number, line in enumerate(_lines_of(buttons, most))
    )


def minor_rows_of(buttons: Sequence[Button], heading: str = "") -> tuple[Row, ...]:
    """Return rows of buttons that are grey: beside choices that are made more often."""
    return tuple(row._replace(is_minor=True) for row in rows_of(buttons, heading))


def width_of(label: str) -> int:
    """Return the width of a label in characters; arrows and shapes are as wide as two digits."""
    return len(label) + sum(category(character).startswith("S") for character in label)


def _lines_of(buttons: Sequence[Button], most: int) -> Iterator[tuple[Button, ...]]:
    """Yield buttons in lines of `most`, or of one less where only these fit on a phone.

    Longer labels fit in no such line; three of them save components of a message.
    """
    start = 0
    while line := tuple(buttons[start : start + most]):
        widths = [width_of(button.label) for button in line]
        if (
            sum(widths) > ROW_LENGTHS[most]
            and max(len(button.label) for button in line) <= LABEL_LENGTH
        ):
            line = line[: most - 1]
        yield line
        start += len(line)


class Renderer(ABC, Generic[V]):
    """Pictures and words for one game, made from views only."""

    hand_name: ClassVar[str] = ""
    """Name of the pieces that only their owner knows, e.g. `coins`; empty if there are none."""
    invitation: ClassVar[Invitation] = Invitation()
    """The game in a sentence, and its options in words."""
    decision_rules: ClassVar[Mapping[str, str]] = {}
    """Phase of a view → number of the rule about the decision."""
    shortcut_verbs: ClassVar[frozenset[str]] = frozenset()
    """Verbs whose actions are so many that a few are shown first, as `shortcuts`."""
    public_verbs: ClassVar[frozenset[str]] = frozenset()
    """Verbs whose choices are marked on the public picture too, above their public buttons."""
    command_verbs: ClassVar[Sequence[str]] = ()
    """Verbs with a command of their own, the most frequent ones; `/do` takes all verbs."""
    draws_rhombs: ClassVar[bool] = False
    """Whether luck is in drawn rhombs, not in dice."""
    suggestion_note: ClassVar[str] = ""
    """What a player should know about a suggested plan against people, in a sentence."""
    plan_note: ClassVar[str] = ""
    """What the words in a plan mean, in a sentence."""
    area_note: ClassVar[str] = ""
    """What the labels of `groups` mean, in a sentence."""
    revelations: ClassVar[Mapping[str, str]] = {}
    """Verb of a line that shows something new, or whose hidden values became known → the event.

    The event begins a sentence, such as “Dice have been rolled since”."""
    overlay_verb: ClassVar[Verb | None] = None
    """The command that shows an overlay; its one parameter is the overlay's name."""
    overlay_label: ClassVar[str] = ""
    """The label of the button that lists the overlays."""

    @property
    def themes(self) -> Mapping[str, Theme]:
        """The colours of its pictures."""
        return THEMES

    def rule(self, view: V) -> str:
        """Return the number of the rule about the pending decision; empty if there is none."""
        return self.decision_rules.get(getattr(view, "phase", ""), "")

    def handicap(self, before: Mapping[str, str], after: Mapping[str, str], names: Names) -> str:
        """Return the difference of a rematch with other options (≤ 40 characters without names).

        Args:
            before: options of the match that has ended.
            after: one of the game's `handicaps`.
            names: the players' names in that match.

        Raises:
            ValueError: this game has no handicaps.
        """
        raise ValueError(f"{type(self).__name__} has no handicaps")

    @abstractmethod
    def picture(
        self,
        view: V,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        """Return the board as a PNG: the same view gives the same bytes, every view the same size.

        Args:
            view: all that the picture may show.
            names: the players' names.
            style: the viewer's.
            actions: the viewer's choices to mark on the board, the same as on the buttons.
            ghosts: choices, or planned actions, to draw as if they were done, in the colour of
                choices: a piece on its new space, or the arrow of a move. Several have numbers in
                this order. What shows nowhere on the board is left out, but counted.
        """

    def ghost_numbers(self, ghosts: Sequence[Action]) -> Sequence[str]:
        """Return the number that each of several ghosts has on the picture."""
        return [str(number) for number in range(1, len(ghosts) + 1)]

    @abstractmethod
    def frame(self, view: V, names: Names, style: Style = DEFAULT_STYLE) -> Image.Image:
        """Return the board for animations: smaller, a page of palette indexes."""

    def animation(self, views: Iterable[V], names: Names, style: Style = DEFAULT_STYLE) -> bytes:
        """Return a match as an animated GIF of its turns.

        Args:
            views: after the start and after each action, of one viewer; they are read as they
                are drawn, so that the caller can report progress.
            names: the players' names.
            style: the viewer's.
        """
        pages = (
            (self.frame(view, names, style), TURN_MS if view.turn else SET_UP_MS)
            for view in turns(views)
        )
        return self._gif(pages, style)

    def last_turn(self, views: Sequence[V], names: Names, style: Style = DEFAULT_STYLE) -> bytes:
        """Return the latest turn as an animated GIF: the board before it, its steps, its end.

        Args:
            views: before the turn, and after each of its steps, of one viewer; at least one.
            names: the players' names.
            style: the viewer's.
        """
        steps = list(views)
        if len(steps) > MAX_STEPS:
            last = len(steps) - 1
            steps = [steps[last * place // (MAX_STEPS - 1)] for place in range(MAX_STEPS)]
        while len(steps) < MIN_STEPS:
            steps.insert(-1, replace(steps[-1], story=()))
        return self._gif(((self.frame(view, names, style), STEP_MS) for view in steps), style)

    def _gif(self, pages: Iterable[tuple[Image.Image, int]], style: Style) -> bytes:
        """Return an animated GIF of pages, each with its duration in milliseconds."""
        from render.animation import Frame, gif
        from render.palette import palette

        return gif((Frame(*page) for page in pages), palette(self.themes[style.theme]).flat)

    @abstractmethod
    def text_board(self, view: V, names: Names) -> str:
        """Return the position in plain lines, complete enough to play from."""

    @abstractmethod
    def story(self, view: V, names: Names) -> str:
        """Return the story of the last turn, or of the current one so far."""

    def spoken_story(self, view: V, names: Names) -> str:
        """Return the story with pieces named as on the text board; by default, as it is."""
        return self.story(view, names)

    def setup_story(self, views: Sequence[V], names: Names) -> str:
        """Return the stories of several decisions of a set-up in one sentence or two.

        By default, all of them.
        """
        return "\n".join(filter(None, (self.story(view, names) for view in views)))

    def run_story(self, views: Sequence[V], names: Names) -> str:
        """Return the turns that one player had in a row in a sentence or two; empty if none.

        By default, empty: told where a message has no room for the story of each turn.

        Args:
            views: the views of all turns that the message reports, each with its whole story.
            names: the players' names.
        """
        return ""

    @abstractmethod
    def prompt(self, view: V, names: Names) -> str:
        """Return the pending decision in one sentence."""

    def aim(self, view: V, names: Names) -> str:
        """Return the aim of the players in a match in progress (≤ 150 characters and names)."""
        return ""

    def margin(self, view: V, names: Names) -> str:
        """Return the margin of a win in a sentence; empty if it says nothing about the match."""
        return ""

    @abstractmethod
    def hand(self, view: V) -> str:
        """Return the secrets of the viewer; empty if there are none."""

    def memory_note(self, view: V) -> str:
        """Return a reminder to note what cannot be shown again; empty if all can."""
        return ""

    def memory_limit(self, view: V) -> str:
        """Return a sentence about when a listed choice vanishes; empty if none will."""
        return ""

    def memory_line(self, view: V, action: Action) -> str:
        """Return a line about an action that cannot be shown again; empty if it can."""
        return ""

    @abstractmethod
    def label(self, view: V, action: Action) -> str:
        """Return the name of an action, or of its beginning, for a button (≤ 80 characters)."""

    def drawn_label(self, view: V, action: Action, names: Names | None = None) -> str:
        """Return the name of an action beside a picture on which it is drawn.

        It has at most 80 characters without the players' names, if there are any.
        """
        return self.label(view, action)

    def ghost_label(self, view: V, action: Action) -> str:
        """Return the words for a drawn action, for people who do not see the picture."""
        return self.label(view, action)

    def hint_ghosts(
        self, view: V, action: Action, reasons: Sequence[Mapping[str, object]]
    ) -> Sequence[Action]:
        """Return the actions drawn beside a hint: its own, or one that its reasons name.

        Args:
            view: view of the seat that decides.
            action: the choice of the hint.
            reasons: the fields of its reasons, see `Reason`.
        """
        return (action,)

    def done(self, view: V, action: Action, after: V | None = None) -> str:
        """Return an action in a sentence that says that it is done.

        Args:
            view: before the action.
            action: the action.
            after: the view after it, to add where it led; None to leave that out.
        """
        return self.label(view, action)

    def describe_choice(self, view: V, action: Action, names: Names) -> ChoiceText:
        """Return a choice in words, after it was made.

        Args:
            view: view of the seat that decided, before the choice.
            action: one of several that were legal then.
            names: the players' names.
        """
        label = self.label(view, action)
        return ChoiceText(titled(names[action.actor], label), label)

    def notation(self, seat: str, text: str, style: Style | None = None) -> str:
        """Return typed words, named as on the picture (of this style, if given), in notation."""
        return text

    def written(self, seat: str, text: str, style: Style) -> str:
        """Return words in notation as a player would type them; `notation` reads them back."""
        return text

    def spelled(self, seat: str, text: str, style: Style) -> str:
        """Return words in notation as `written` does, but without signs that phones cannot type."""
        return self.written(seat, text, style)

    def with_arrows(self, seat: str, text: str, style: Style) -> str:
        """Return a text whose directions, such as `{NE}`, are arrows on a picture of this style."""
        return text

    def names(self, seat: str, style: Style) -> Iterable[tuple[str, Trait]]:
        """Return words for moves, in the current language and in English; see `engine.wording`.

        Args:
            seat: the player's; empty for spectators.
            style: style of the player's pictures.
        """
        return ()

    def mapped_directions(self, seat: str, style: Style) -> Mapping[str, str]:
        """Return directions of the notation that words such as “north” do not name for certain.

        Args:
            seat: the player's.
            style: style of the player's picture.

        Returns:
            Each with the direction that lies there on the picture, with the north at its top.
        """
        return {}

    def traits(self, view: V, action: Action) -> Iterable[Trait]:
        """Return traits that identify an action besides verb and arguments, such as its end."""
        return ()

    def planned(self, view: V, action: Action, style: Style = DEFAULT_STYLE) -> str:
        """Describe an action that may become legal later, beside a picture of this style."""
        return self.label(view, action)

    def move_towards(self, view: V, traits: Mapping[str, str]) -> str | None:
        """Return the move towards a space, in notation: plans name directions only.

        Args:
            traits: those that a text names.

        Returns:
            None if they name no ship and space only; empty if no direction leads there.
        """
        return None

    def typed(self, view: V, action: Action, style: Style = DEFAULT_STYLE) -> str:
        """Return a legal action in words that are easy to type on a phone."""
        return self.planned(view, action, style)

    def plan_example(self, view: V) -> str:
        """Return two orders that the viewer could write, one a line, as `Plan` prints them."""
        return ""

    def opening(self, words: str) -> str:
        """Return the words for a player's opening, see `Game.opening`."""
        return words

    def name(self, word: str, names: Names | None = None) -> str:
        """Return a word of the notation as the picture names it, for rules and conditions.

        Args:
            word: the word.
            names: the players' names, for pieces that are named with their player.
        """
        return word

    def rows(
        self, view: V, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Row, ...]:
        """Lay out a few actions, or beginnings, as buttons beside a picture of this style."""
        return rows_of([Button(action, self.label(view, action)) for action in actions])

    def groups(
        self, view: V, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Group, ...]:
        """Group actions of one verb by areas of the board; empty if they are few enough.

        Their labels go with a picture of this style. A group may be divided again. `picture` marks
        the groups of the actions that it is given, so that board and buttons agree at each step; it
        shows a single action as if it were done. The groups are public: nothing in them is secret.
        """
        return ()

    def shortcuts(
        self, view: V, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> Shortcuts:
        """Return a few of many actions in groups, to be chosen without a way through the groups.

        This can take long, so it is never called in the event loop; and only for views with
        actions of `shortcut_verbs`.

        Args:
            view: the view, with all legal actions of its seat.
            actions: all of them, or those of a group.
            style: style of the picture.
        """
        return Shortcuts()

    def quick_shortcuts(
        self, view: V, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> Shortcuts:
        """Find other shortcuts in the event loop, within 3 ms, because `shortcuts` are late."""
        return Shortcuts()

    def window(
        self, view: V, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Row, ...]:
        """Return choices of a turn that can be made together, in the order of making them.

        Of each row one button is chosen; there are at most five rows of two to ten.
        """
        return ()

    def emoji_images(self) -> Mapping[str, bytes]:
        """Return small pictures (PNG) for texts and buttons, by name.

        A name is of letters and underscores, at most 20, and begins with the game's.
        """
        return {}

    def blank(self, form: Action, place: int) -> str:
        """Return the name of an open argument of a form."""
        return form.args[place].removesuffix(OPEN_VALUE)

    def overlays(self, view: V) -> tuple[Overlay, ...]:
        """Return at most 25 overlays that are useful to the viewer; others can be typed."""
        return ()

    def has_overlays(self, view: V) -> bool:
        """Return whether there are `overlays`; override it if their labels take time."""
        return bool(self.overlays(view))

    def overlay(self, view: V, name: str) -> str:
        """Describe an overlay in words.

        Raises:
            ValueError: there is no overlay of this name.
        """
        raise ValueError(f"no overlay {name}")

    def overlaid(self, view: V, names: Names, style: Style, name: str) -> bytes:
        """Return the board with an overlay as a PNG; for arguments see `overlay` and `picture`.

        Raises:
            ValueError: there is no overlay of this name.
        """
        raise ValueError(f"no overlay {name}")

    def alt_text(self, view: V, names: Names) -> str:
        """Describe the picture in at most 1,000 characters: story, prompt, then the position."""
        story, prompt = self.spoken_story(view, names), self.prompt(view, names)
        parts = (story, prompt, self.text_board(view, names))
        text = "\n".join(part for part in parts if part)
        return truncate(text, MAX_ALT_CHARACTERS)
