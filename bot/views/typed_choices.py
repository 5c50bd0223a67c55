"""Typed choices: read as people write them, or refused with a legal example."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain, filterfalse
from typing import NamedTuple

from bot.domain.models import Match
from bot.i18n import ENGLISH, catalogue, current_language, languages
from bot.sanitize import escape_sentence
from bot.views.choices import BUTTON_LIMIT, fill_form, path_to, typed_blanks
from bot.views.controls import button, rows_of
from bot.views.custom_ids import ActId
from bot.views.message import Message, note
from engine import games
from engine.endings import DRAW_ANSWERS
from engine.game import Action, View
from engine.notation import SEPARATOR, Readings, completions, find_action, find_listed
from engine.plans import unknown_words
from engine.wording import (
    ANSWER,
    COMPASS,
    DIRECTION,
    VERB,
    Trait,
    Traits,
    Vocabulary,
    determines,
    find_meant,
    nearest,
    spell,
    traits_by_action,
    traits_of,
)
from render import for_game
from render.i18n import N_, _, format_list, quoted, truncate, using
from render.renderer import ORIENTATIONS, Style
from render.vocabulary import common_names, fillers, numbers, shared_names

LABEL = "label"
"""Name of the trait that has an action's notation as its value, and its labels as names."""

NAMED_MEANINGS = 3
"""Number of possible meanings that a question names."""

MEANING_BUTTONS = 12
"""Maximum number of possible meanings with a button."""

WORD_LIMIT = 40
"""Maximum number of characters of an unknown word that is quoted."""

CONDITION_LIMIT = 40
"""Maximum number of characters of a condition that is asked for: a custom_id holds it."""

LOGICAL_WORDS = frozenset({"not", "or"})
"""Words of a condition without which it means something else."""

_ASKS = "?\uff1f¿ "
"""What begins or ends a question."""

_QUESTION_ENDS = ("?", "\uff1f", "か", "か。")
"""How a question ends; in Japanese, a word can say that it is one."""

_WIDE_SEPARATOR = "\uff1b"
"""The separator of choices on Japanese keyboards."""

TAKEBACK, HINT = REQUESTS = ("takeback", "hint")
"""What players can type besides actions of a record."""


class TypedChoice(NamedTuple):
    """The meaning of a typed text.

    Attributes:
        line: the choice in notation; as typed if it means no legal choice, or several.
        meanings: the legal choices that it can mean, if they are several without a common start.
    """

    line: str
    meanings: tuple[Action, ...] = ()


class Guess(NamedTuple):
    """What a text with an unknown word can mean.

    Attributes:
        unknown: the word.
        meanings: the legal choices that the other words can mean.
    """

    unknown: str
    meanings: tuple[Action, ...]


class ConditionGuess(NamedTuple):
    """What a condition with unknown words can mean.

    Attributes:
        unknown: the unknown words.
        condition: the other words, in notation.
    """

    unknown: str
    condition: str


class ChoiceReader:
    """Reads typed texts of a player: notation, or words in any order.

    Args:
        view: with all legal actions of its seat.
        style: style of the player's picture, which arrows and words like “up” refer to.
        is_plan: whether the actions of the view may become legal later; only their notation and
            `Renderer.planned` name them then, as the position may not allow them.
    """

    def __init__(self, view: View, style: Style, *, is_plan: bool = False) -> None:
        self._is_plan = is_plan
        self._view = view
        self._style = style
        self._game = games.get(view.game)
        self._renderer = for_game(view.game)
        self._texts: dict[str, str] = {}

    def read(self, text: str, verb: str = "") -> TypedChoice:
        """Read a typed choice; after semicolons, further choices of a turn may follow.

        Args:
            verb: the only verb that the first choice can have; empty if it can have any.
        """
        first, *more = text.replace(_WIDE_SEPARATOR, SEPARATOR).split(SEPARATOR)
        choice = self._read_one(first, verb)
        if choice.meanings or not more:
            return choice
        lines = (choice.line, *map(self.read_order, more))
        return TypedChoice(f"{SEPARATOR} ".join(lines))

    def _read_one(self, text: str, verb: str = "") -> TypedChoice:
        line = self.in_notation(text)
        choice = self._read_notation(line) or self._read_words(text, verb) or TypedChoice(line)
        if labelled := self._labelled(text, choice.meanings):
            choice = TypedChoice(labelled)
        elif self.compass(text) and (verb or not self.is_of_records(text)):
            choice = self._by_compass(text, verb) or choice
        self._texts[choice.line.strip()] = text.strip()
        return choice

    def _read_notation(self, line: str) -> TypedChoice | None:
        """Read a text in notation; None if no legal choice begins like this."""
        legal = self._view.legal
        if find_listed(self._view.seat, legal, line):
            return TypedChoice(line)
        meanings = self._legal.meanings(line)
        if len(meanings) > 1:
            return TypedChoice(line, meanings)
        return TypedChoice(line) if self._legal.completions(line) else None

    def in_notation(self, text: str) -> str:
        """Return a text with the names of pieces, places and directions as notation has them.

        Letters and digits of full width are the same as others.
        """
        plain = unicodedata.normalize("NFKC", text)
        return self._renderer.notation(self._view.seat, plain, self._style)

    def _read_words(self, text: str, verb: str = "") -> TypedChoice | None:
        """Read words in any order; None if they do not name all of a choice, legal or not.

        They are those of one language, besides English; the player's goes first. “O” is the east in
        German and the west in Spanish, and to others it can mean both.
        """
        if choice := self._read_in(self._own_words, text, verb):
            return choice
        readings = (self._read_in(words, text, verb) for words in self._other_words)
        choices = [*dict.fromkeys(choice for choice in readings if choice)]
        listed = {action.notation: action for action in self._actions}
        meanings = dict.fromkeys(
            action
            for choice in choices
            for action in (*choice.meanings, listed.get(choice.line))
            if action
        )
        if len(choices) < 2 or not meanings:
            return choices[0] if choices else None
        first, *more = meanings
        return TypedChoice(text, tuple(meanings)) if more else TypedChoice(first.notation)

    def _read_in(self, vocabulary: Vocabulary, text: str, verb: str) -> TypedChoice | None:
        game, view, actions = self._game, self._view, self._actions
        is_no_move = _is_no_move(vocabulary, text)
        text = text.strip(_ASKS) if is_no_move else text
        if not vocabulary.readings(text):
            return None
        verbs = {verb} if verb else {action.verb for action in view.legal}
        if verb:
            actions = {a: traits for a, traits in actions.items() if a.verb == verb}
        if is_no_move:
            verbs = set()
            moves = {move.name for move in game.verbs}
            actions = {a: traits for a, traits in actions.items() if a.verb not in moves}
        named, meanings = find_meant(game, vocabulary, actions, text)
        if not meanings:
            line = spell(game, vocabulary, verbs, text) if verbs else ""
            return TypedChoice(line) if line else None
        if len(meanings) == 1 and determines(game, meanings[0], named):
            return TypedChoice(meanings[0].notation)
        words = path_to(meanings).split()
        words = words[:-1] if len(meanings) == 1 else words
        line = " ".join(words)
        if words and (
            named <= traits_of(game, Action(view.seat, words[0], tuple(words[1:])))
            or meanings == self._legal.completions(line)
        ):
            return TypedChoice(line)
        return TypedChoice(text, meanings)

    def _by_compass(self, text: str, verb: str) -> TypedChoice | None:
        """Return the question what a direction of the compass means; None if there is none.

        It means that of the records, or that of the picture with the north at its top.
        """
        for vocabularies in ([self._own_words], self._other_words):
            sets = {
                traits
                for words in vocabularies
                for traits in self._by_both_compasses(words.ranked_readings(text))
            }
            meanings = tuple(
                action
                for action, traits in self._actions.items()
                if verb in ("", action.verb) and any(map(traits.issuperset, sets))
            )
            if meanings:
                return TypedChoice(text, meanings)
        return None

    def _by_both_compasses(self, readings: Sequence[tuple[int, Traits]]) -> Iterator[Traits]:
        """Yield readings with the direction of records, and of the picture, for the compass.

        Args:
            readings: those of a text, each after the number of its fillers.
        """
        for count, traits in readings:
            named = dict(traits)
            letter = named.pop(COMPASS, "")
            if letter and DIRECTION not in named and count == readings[0][0]:
                for way in (letter, self._mapped[letter]):
                    yield frozenset({*named.items(), (DIRECTION, way)})

    def compass(self, text: str) -> str:
        """Return the direction that a text names by the compass; empty if the picture has it too.

        In `S d9`, S is the Suns rather than the south.
        """
        if not self._mapped:
            return ""
        action = find_action(self._game, self._view.legal, self.in_notation(text))
        of_action = dict(self._actions.get(action, ())) if action else {}
        for vocabulary in (self._own_words, *self._other_words):
            readings = [dict(traits) for traits in vocabulary.readings(text)]
            letters = [r[COMPASS] for r in readings if COMPASS in r and DIRECTION not in r]
            if letters and (
                of_action.get(DIRECTION) in letters
                or all(COMPASS in reading or DIRECTION in reading for reading in readings)
            ):
                return letters[0]
        return ""

    def compass_note(self, letter: str) -> str:
        """Return the sentence about what a direction of the compass means on the picture."""
        return _("In records, {direction} means {arrow} on your picture.").format(
            direction=letter, arrow=self._arrow(letter)
        )

    def compass_question(self, letter: str, meanings: Iterable[Action] = ()) -> str:
        """Return the question which direction is meant.

        Args:
            letter: the direction that was typed, see `compass`.
            meanings: the choices that can be meant; empty if all directions can.
        """
        legal = {value for a in meanings for name, value in self._actions[a] if name == DIRECTION}
        ways = [way for way in (letter, self._mapped[letter]) if not legal or way in legal]
        return _("{sentence} Did you mean {arrows}?").format(
            sentence=self.compass_note(letter),
            arrows=format_list([*map(self._arrow, ways)], style="or"),
        )

    def planned(self, action: Action) -> str:
        """Return a choice with directions as arrows of the picture."""
        return self._renderer.planned(self._view, action, self._style)

    def _arrow(self, way: str) -> str:
        return self._renderer.with_arrows(self._view.seat, f"{{{way}}}", self._style)

    def doubtful_direction(self, *texts: str) -> str:
        """Return the first direction that some texts name by the compass; empty if there is none.

        Whole choices as records have them count as certain.
        """
        uncertain = filterfalse(self.is_of_records, texts)
        return next(filter(None, map(self.compass, uncertain)), "")

    def is_of_records(self, text: str) -> bool:
        """Return whether a text is a whole choice as records have it, like `move S NE`."""
        name, *args = text.split() or [""]
        return any(
            verb.name == name
            and len(verb.parameters) == len(args)
            and all(p.spell(arg) == arg for p, arg in zip(verb.parameters, args, strict=True))
            for verb in self._game.verbs
        )

    def _labelled(self, text: str, meanings: Sequence[Action]) -> str:
        """Return the line of the only meaning with this text on its button; empty if none."""
        vocabularies = (self._own_words, *self._other_words) if meanings else ()
        readings = chain.from_iterable(words.readings(text) for words in vocabularies)
        named = {trait for traits in readings if len(traits) == 1 for trait in traits}
        lines = [
            line for line in (action.notation for action in meanings) if (LABEL, line) in named
        ]
        return lines[0] if len(lines) == 1 else ""

    def read_order(self, text: str) -> str:
        """Return a choice that may become legal later in notation, as far as its words say it."""
        line = self._order(text)
        self._texts[line.strip()] = text.strip()
        return line

    def _order(self, text: str) -> str:
        game, line = self._game, self.in_notation(text)
        verbs = [verb.name for verb in game.verbs]
        if all(word in verbs or game.words.fullmatch(word) for word in line.lower().split()):
            return line
        choice = self._read_words(text)
        if choice and not choice.meanings:
            return choice.line
        vocabularies = (self._own_words, *self._other_words)
        spelled = (spell(game, words, verbs, text) for words in vocabularies)
        return next(filter(None, spelled), line)

    def move_towards(self, text: str) -> str | None:
        """Return the planned move to the space that a text names; see `Renderer.move_towards`."""
        readings = self._own_words.readings(self.in_notation(text))
        lines = (self._renderer.move_towards(self._view, dict(traits)) for traits in readings)
        line = next((line for line in lines if line is not None), None)
        if line:
            self._texts[line] = text.strip()
        return line

    def example(self, text: str) -> str:
        """Return the typed form of a legal choice similar to a text; empty if there is none."""
        view = self._view
        if not view.legal:
            return ""
        form = view.legal[0]
        if form.is_form:
            line = fill_form(form, typed_blanks(view.game, form, {}))
            return self.written(line)
        legal = {action: self._actions[action] for action in view.legal if not action.is_form}
        action = nearest(self._own_words, legal, text)
        words = self._renderer.typed(view, action, self._style)
        if find_action(self._game, view.legal, self._read_one(words).line) == action:
            return words
        return self.written(action.notation)

    def is_readable(self, text: str) -> bool:
        """Return whether all words of a text are known, so that only the position is against it."""
        return any(words.readings(text) for words in (self._own_words, *self._other_words))

    def guess(self, text: str) -> Guess | None:
        """Return the meanings of a text without its only unknown word; None if there are none."""
        words = text.split()
        actions = [*self._actions]
        for place, word in enumerate(words):
            others = " ".join((*words[:place], *words[place + 1 :]))
            if others and not self.is_readable(word):
                line, meanings = self.read(others)
                if action := find_action(self._game, actions, line):
                    meanings = (action,)
                if meanings:
                    return Guess(word, meanings)
        return None

    def guess_condition(self, text: str) -> ConditionGuess | None:
        """Return the meaning of a plan's condition without its unknown words; None if none."""
        words = self.in_notation(text).split()
        unknown = unknown_words(self._game, words)
        condition = " ".join(word for word in words if word not in unknown)
        if not unknown or not condition or len(condition) > CONDITION_LIMIT:
            return None
        if not LOGICAL_WORDS.isdisjoint(map(str.lower, unknown)):
            return None
        return ConditionGuess(" ".join(unknown), condition)

    def is_legal(self, text: str) -> bool:
        """Return whether a text is, begins or can mean a legal choice."""
        line, meanings = self.read(text.partition(SEPARATOR)[0])
        return bool(meanings or completions(self._game, self._view.legal, line))

    def as_typed(self, line: str) -> str:
        """Return a line of notation as the player typed it, or else would type it."""
        spelled = self._renderer.spelled(self._view.seat, line, self._style)
        return self._texts.get(line.strip()) or spelled

    def ambiguous(self, meanings: Iterable[Action], unknown: str = "") -> str:
        """Return the question about a text that can have these meanings, each as it can be typed.

        Args:
            unknown: the word without which it can have them; empty if all words are known.
        """
        lines = [quoted(self.written(action.notation)) for action in meanings]
        alternatives = format_list(lines[:NAMED_MEANINGS], style="or")
        if unknown:
            return question_about(unknown, alternatives)
        if lines[NAMED_MEANINGS:]:
            return _("That could mean many things, such as {lines}.").format(lines=alternatives)
        return _("That could mean {lines}.").format(lines=alternatives)

    def written(self, line: str) -> str:
        """Return a line of notation as the player types it."""
        return self._renderer.written(self._view.seat, line, self._style)

    @cached_property
    def has_directions(self) -> bool:
        """Whether some legal choices differ by their direction."""
        return any(DIRECTION in dict(traits) for traits in self._actions.values())

    @cached_property
    def _mapped(self) -> Mapping[str, str]:
        """See `Renderer.mapped_directions`."""
        return self._renderer.mapped_directions(self._view.seat, self._style)

    @cached_property
    def _legal(self) -> Readings:
        """The legal choices, read in notation."""
        return Readings(self._game, self._view.legal)

    @cached_property
    def _actions(self) -> dict[Action, Traits]:
        """A player's legal choices without forms, each with its traits."""
        game, labelled = self._game, {*chain.from_iterable(self._few)}

        def more(action: Action) -> Iterable[Trait]:
            traits = () if self._is_plan else self._renderer.traits(self._view, action)
            return (*traits, (LABEL, action.notation)) if action in labelled else traits

        legal = traits_by_action(game, self._choices, more)
        return legal | traits_by_action(game, _shared(self._view))

    @cached_property
    def _choices(self) -> tuple[Action, ...]:
        """The legal choices without forms."""
        return tuple(action for action in self._view.legal if not action.is_form)

    @cached_property
    def _few(self) -> list[list[Action]]:
        """The choices of each verb that has few enough for buttons."""
        kinds: dict[str, list[Action]] = {}
        for action in self._choices:
            kinds.setdefault(action.verb, []).append(action)
        return [actions for actions in kinds.values() if len(actions) <= BUTTON_LIMIT]

    @cached_property
    def _own_words(self) -> Vocabulary:
        """The words of the player's language, and of English."""
        return self._words_in(tuple(dict.fromkeys((ENGLISH, current_language()))))

    @cached_property
    def _other_words(self) -> list[Vocabulary]:
        """The words of each other language: players type in more than the one of their Discord."""
        others = [tag for tag in languages() if tag not in (ENGLISH, current_language())]
        return [self._words_in((ENGLISH, tag)) for tag in others]

    def _words_in(self, tags: tuple[str, ...]) -> Vocabulary:
        """Return the words of the game in some languages, and those of the position."""
        words = _words_of(self._view.game, self._view.seat, self._style, tags)
        return words.joined(self._words_of_position)

    @cached_property
    def _words_of_position(self) -> Vocabulary:
        """All values of traits, and the labels of the buttons."""
        values = frozenset[Trait]().union(*self._actions.values())
        named = [(value, (name, value)) for name, value in values if name != LABEL]
        return Vocabulary((*named, *self._labels()))

    def _labels(self) -> Iterator[tuple[str, Trait]]:
        """Yield the labels of the actions that are few enough for buttons, at once or by verb."""
        view, few = self._view, self._few
        together = list(chain.from_iterable(few))
        label = self.planned if self._is_plan else partial(self._renderer.label, view)
        for action in together:
            yield label(action), (LABEL, action.notation)
        if self._is_plan:
            return
        for actions in (together, *few):
            for row in self._renderer.rows(view, actions, self._style):
                for choice in row.buttons:
                    if choice.action in actions:
                        yield choice.label, (LABEL, choice.action.notation)


def question_about(unknown: str, alternatives: str) -> str:
    """Return the question about an unknown word.

    Args:
        unknown: the word; or several.
        alternatives: the possible meanings, quoted.
    """
    words = _("I don't know “{word}” here. Did you mean {lines}?")
    return words.format(word=truncate(unknown, WORD_LIMIT), lines=alternatives)


def _shared(view: View) -> Iterator[Action]:
    """Yield the actions of every game: ends, draw offers, takebacks and hints.

    The last two are no actions of a record; see `bot.interactions.typed_requests`.
    """
    if view.seat not in view.playing or view.result:
        return
    yield Action(view.seat, "resign" if len(view.seats) == 2 else "leave")
    answers = DRAW_ANSWERS if view.seat in view.answering else ("offer",)
    yield from (Action(view.seat, "draw", (answer,)) for answer in answers)
    yield from (Action(view.seat, verb) for verb in REQUESTS)


def _is_no_move(vocabulary: Vocabulary, text: str) -> bool:
    """Return whether a text is a question, or an answer such as “no”, also German northeast."""
    if text.rstrip().endswith(_QUESTION_ENDS):
        return True
    is_word = len(text.split()) == 1
    return is_word and any({*dict(traits)} == {ANSWER} for traits in vocabulary.readings(text))


def takes_back(text: str) -> bool:
    """Return whether a typed text asks for a takeback, whatever the game."""
    readings = _shared_words(languages()).readings(text.strip(_ASKS))
    return bool(readings) and (VERB, TAKEBACK) in readings[0]


@lru_cache(4)
def _shared_words(tags: tuple[str, ...]) -> Vocabulary:
    """Return the words for what players do in every game, in all languages."""
    names: list[tuple[str, Trait]] = []
    without_meaning: set[str] = set()
    for tag in tags:
        with using(catalogue(tag)):
            names += shared_names()
            without_meaning |= fillers()
    return Vocabulary(names, without_meaning)


def proposal(written: str, label: str) -> str:
    """Return the name of a proposed choice: its label, after the line as it is typed.

    A label that begins with the place of the line, or says the same, stands alone: phones show
    about 40 letters.
    """
    place = written.rsplit(maxsplit=1)[-1]
    if label.startswith(place + ":") or label.lower() == written.lower():
        return label
    return f"{written}: {label}"


def question(
    match: Match,
    view: View,
    sentence: str,
    meanings: Sequence[Action],
    label: Callable[[Action], str] | None = None,
) -> Message:
    """Ask which of several choices a text means, with a button for each.

    Args:
        sentence: see `ChoiceReader.ambiguous`.
        label: returns the label of a choice of the game; None for the usual one.
    """
    decision = match.decisions.get(view.seat)
    buttons = []
    for action in meanings[:MEANING_BUTTONS]:
        if action in view.legal:
            words = label(action) if label else for_game(view.game).label(view, action)
            of_decision = decision
        else:
            words, of_decision = _(_SHARED_LABELS.get(action.notation, action.notation)), None
        buttons.append(button(words, ActId(match.id, of_decision, action.notation)))
    return note(escape_sentence(sentence), *rows_of(buttons))


_SHARED_LABELS = {"draw offer": N_("Offer a draw"), "resign": N_("Resign"), "leave": N_("Leave")}
"""Notation of what players can do in every game → label of its button."""


@lru_cache(256)
def _words_of(name: str, seat: str, style: Style, tags: tuple[str, ...]) -> Vocabulary:
    """Return the words for moves of a game in some languages."""
    common, vocabulary = _common_words(name, tags)
    return vocabulary.joined(Vocabulary(_names_of(name, seat, style, tags) - common))


@lru_cache(32)
def _common_words(
    name: str, tags: tuple[str, ...]
) -> tuple[frozenset[tuple[str, Trait]], Vocabulary]:
    """Return the names that all seats and styles have: nearly all, and they take much memory."""
    common = frozenset[tuple[str, Trait]].intersection(
        *(
            _names_of(name, seat, Style(orientation=orientation, own_side=own_side), tags)
            for seat in games.get(name).sides
            for orientation in ORIENTATIONS
            for own_side in (False, True)
        )
    )
    without_meaning: set[str] = set()
    digits: dict[str, str] = {}
    for tag in tags:
        with using(catalogue(tag)):
            without_meaning |= fillers()
            digits |= numbers()
    kinds = {
        (VERB, verb.name): (VERB, verb.kind_of) for verb in games.get(name).verbs if verb.kind_of
    }
    return common, Vocabulary(common, without_meaning, digits, kinds)


def _names_of(
    name: str, seat: str, style: Style, tags: tuple[str, ...]
) -> frozenset[tuple[str, Trait]]:
    names: list[tuple[str, Trait]] = []
    for tag in tags:
        with using(catalogue(tag)):
            names += [*common_names(games.get(name)), *for_game(name).names(seat, style)]
    return frozenset(names)
