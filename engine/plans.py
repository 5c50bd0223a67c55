r"""Plans: a player's decisions in advance, as an ordered list of orders.

An order is a line of text, `[if WORDS:] ACTION [or ACTION]…`, with actions in the notation of
records, without the actor. At a decision the first orders up to the first one without a condition
are the candidates; the first candidate whose condition holds is carried out, with the first of its
actions that is legal. If none holds, or no action is legal, the plan does not fit.

A condition holds if each of its words occurs in the lines of chance and of other players since the
player last had to wait, as the player may see them. So `if S5:` stands for a roll, and `if y8a:`
for a move of the other player.

An order that is carried out is removed, with those before it. The orders with a condition that
follow it belong to the same turn: they are removed when the player has had to wait again.

Example:
    >>> from engine import games
    >>> game = games.get("wormholes")
    >>> state, _ = game.apply(game.start("0.6", {}), Action.parse("* rolloff S3 M0 C5 A2"))
    >>> plan = parse_plan(game, state, "D", "if C5: first move\nFIRST place")
    >>> print(plan)
    if C5: first move
    first place
    >>> step = next_step(game, state, "D", plan, [Action.parse("* rolloff S3 M0 C5 A2")])
    >>> str(step.action)
    'D first move'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Any, NamedTuple

from engine.endings import DRAW_WORDS, ENDING_VERBS
from engine.game import Action, AnyGame, IllegalActionError
from engine.i18n import N_, NP_
from engine.notation import Readings, find_listed

MAX_ORDERS = 50
"""Maximum number of orders of a plan; the longest setup needs 12."""

MAX_ALTERNATIVES = 12
"""Maximum number of actions of an order."""

MAX_CHARACTERS = 3000
"""Maximum length of a plan, typed or printed."""

ORDER = re.compile(r"(?:if\s+(?P<words>[^:]*):)?(?P<actions>.*)", re.IGNORECASE)
"""An order: the words of its condition, if it has one, and its actions."""

ALTERNATIVES = re.compile(r"(\s+or\s+)", re.IGNORECASE)
"""Between the actions of an order."""


class PlanError(Exception):
    """A plan that cannot be accepted: the number of the line, from 1, and why."""

    def __init__(self, line: int, error: IllegalActionError) -> None:
        super().__init__(f"line {line}: {error}")
        self.line = line
        self.error = error


class Order(NamedTuple):
    """Alternative actions: the first legal one is carried out, if a condition holds.

    Attributes:
        actions: alternatives, the preferred one first.
        condition: words that must all occur since the player's last wait; empty: always holds.
    """

    actions: tuple[Action, ...]
    condition: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Print the order as a line of a plan."""
        condition = f"if {' '.join(self.condition)}: " if self.condition else ""
        return condition + " or ".join(action.notation for action in self.actions)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a player has decided in advance.

    Attributes:
        orders: the orders, the next one first.
        turn: if the orders with a condition at the beginning belong to the turn of one that has
            been carried out: where that turn began, see `turn_of`; else 0.
    """

    orders: tuple[Order, ...]
    turn: int = 0

    def __str__(self) -> str:
        """Print the plan, one order a line."""
        return "\n".join(map(str, self.orders))

    def at(self, turn: int) -> Plan:
        """Return the plan at a decision of this turn: without the rest of an earlier one."""
        if self.turn in (0, turn):
            return self
        return Plan(self.orders[len(_conditional(self.orders)) :])


class Step(NamedTuple):
    """An action that a plan carries out, the position after it, and the remaining plan."""

    action: Action
    after: Any
    rest: Plan


class Misfit(StrEnum):
    """Why a plan does not fit."""

    CONDITION = "condition"
    """No condition holds."""
    ILLEGAL = "illegal"
    """The order whose condition holds has no legal action."""


def turn_of(actions: Sequence[Action], seat: str) -> int:
    """Return the start of a seat's turn: the number of lines before those that led to it, plus one.

    A draw that is offered and declined neither begins nor ends a turn.

    Args:
        actions: the actions of the record so far.
        seat: the seat that decides now.
    """
    place = len(actions)
    while place and (actions[place - 1].actor == seat or actions[place - 1].verb == "draw"):
        place -= 1
    while place and (actions[place - 1].actor != seat or actions[place - 1].verb == "draw"):
        place -= 1
    return place + 1


def next_step(
    game: AnyGame, state: Any, seat: str, plan: Plan, actions: Sequence[Action]
) -> Step | Misfit | None:
    """Return the step of a plan at a decision, or the misfit; None if the plan is finished.

    Args:
        game: the game's rules.
        state: the position.
        seat: the seat that decides.
        plan: the seat's plan.
        actions: the actions of the record so far.
    """
    turn = turn_of(actions, seat)
    orders = plan.at(turn).orders
    if not orders:
        return None
    words = _words(game.redact_for_infostate(state, seat, actions[turn - 1 :]), seat)
    candidates = len(_conditional(orders)) + 1
    for place, order in enumerate(orders[:candidates], 1):
        if words.issuperset(map(str.lower, order.condition)):
            remaining = Plan(orders[place:], turn if order.condition else 0)
            return _carried_out(game, state, order, remaining)
    return Misfit.CONDITION


def _words(happened: Sequence[Action], seat: str) -> set[str]:
    """Return the words of what others and chance have done."""
    return {
        word.lower()
        for action in happened
        if action.actor != seat
        for word in (action.verb, *action.args)
    }


def _carried_out(game: AnyGame, state: Any, order: Order, remaining: Plan) -> Step | Misfit:
    for action in order.actions:
        with suppress(IllegalActionError):
            return Step(action, game.apply(state, action)[0], remaining)
    return Misfit.ILLEGAL


def _conditional(orders: Sequence[Order]) -> list[Order]:
    """Return the orders before the first one without a condition."""
    return list(takewhile(lambda order: order.condition, orders))


def forced_action(game: AnyGame, state: Any, seat: str) -> Action | None:
    """Return the only legal action of a seat that has to decide; None if it has a choice.

    Whether there is a choice is public: no list of legal actions depends on hidden information.
    """
    legal = [action for action in game.legal(state) if action.actor == seat]
    if len(legal) != 1 or legal[0].is_form:
        return None
    acknowledges = {verb.name for verb in game.verbs if verb.acknowledges}
    return None if legal[0].verb in acknowledges else legal[0]


SUGGESTED_ALTERNATIVES = 6
"""Number of actions of a suggested order, in case that another player is quicker."""


def order_like(game: AnyGame, state: Any, action: Action, orders: Sequence[Order]) -> Order:
    """Return an order for an action, with those like it: with the same piece, the nearest first.

    Args:
        game: the game's rules.
        state: a position where the action is legal.
        action: the action.
        orders: the orders before, which already use other arguments.
    """
    used_args = {order.actions[0].args[1:] for order in orders}
    like = [
        option
        for option in game.legal(state)
        if (option.actor, option.verb, option.args[:1])
        == (action.actor, action.verb, action.args[:1])
        and option.args[1:] not in used_args
    ]
    if action not in like:
        return Order((action,))
    place = like.index(action)
    near = sorted(like, key=lambda option: abs(like.index(option) - place))
    return Order(tuple(near[:SUGGESTED_ALTERNATIVES]))


# Reading plans


def load_plan(seat: str, text: str, turn: int = 0) -> Plan:
    """Return the plan that `str` printed."""
    orders = (_split(line) for line in text.splitlines())
    return Plan(tuple(_order(seat, words, actions) for words, actions in orders), turn)


def _order(seat: str, words: Sequence[str], actions: Sequence[str]) -> Order:
    return Order(tuple(Action.parse(f"{seat} {action}") for action in actions), tuple(words))


def _split(line: str) -> tuple[list[str], list[str]]:
    """Split a line into the words of its condition and its actions."""
    match = ORDER.fullmatch(" ".join(line.split()))
    words, actions = match.group("words", "actions") if match else (None, line)
    if words is not None and not words.split():
        raise IllegalActionError("notation", N_("Say what happens between “if” and the colon."))
    return (words or "").split(), [
        alternative.strip() for alternative in ALTERNATIVES.split(actions)[::2]
    ]


def parse_plan(game: AnyGame, state: Any, seat: str, text: str, stored: Plan | None = None) -> Plan:
    """Return the plan that a player typed; case does not matter, verbs can be left out.

    If several verbs are possible, the first one of `Game.plannable` is meant. Actions of the stored
    plan that can't happen any more are left out where an alternative remains, and whole lines whose
    pieces can do nothing of the kind any more: the player has placed them without the plan.

    Args:
        game: the game's rules.
        state: the position; read is only what the seat may know.
        seat: the player's.
        text: one order a line; empty lines are skipped.
        stored: the seat's plan so far, if it has one.

    Raises:
        PlanError: a line is no order, or can certainly not be carried out.
    """
    reader = _Reader(game, state, seat, stored or Plan(()))
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, line in lines:
        try:
            reader.read(line)
        except IllegalActionError as error:
            raise PlanError(number, error) from error
    return Plan(tuple(reader.orders))


class _Reader:
    """Reads the lines of a plan one after the other."""

    def __init__(self, game: AnyGame, state: Any, seat: str, stored: Plan) -> None:
        self._game = game
        self._state = state
        self._seat = seat
        self._possible = game.plannable(state, seat)
        self._listed = frozenset(self._possible)
        self._pieces = frozenset(map(_piece, self._possible))
        stored_actions = {action for order in stored.orders for action in order.actions}
        self._past = stored_actions - self._listed
        self._readings = Readings(game, self._possible)
        self._read: dict[str, Action | None] = {}
        self._once = {verb.name: verb.once for verb in game.verbs}
        self._used: set[tuple[str, int, str]] = set()
        self.orders: list[Order] = []

    def read(self, line: str) -> None:
        """Add the order of a line; none if its pieces can do nothing of the kind any more.

        Raises:
            IllegalActionError: it is no order, or can certainly not be carried out.
        """
        words, action_texts = _split(line)
        _check_sizes(len(self.orders), action_texts)
        _check_words(self._game, words)
        actions = self._actions(action_texts)
        if not actions:
            return
        certain = set.intersection(*map(self._values, actions))
        if all(self._values(action) & self._used for action in actions):
            raise IllegalActionError(
                "notation",
                N_("“{action}” can't follow: an earlier line uses the same piece or space."),
                action=actions[0].notation,
            )
        if not words:
            self._used |= certain
        self.orders.append(Order(actions, tuple(words)))
        if len(str(Plan(tuple(self.orders)))) > MAX_CHARACTERS:
            reason = NP_(
                "A plan has at most {count} character.", "A plan has at most {count} characters."
            )
            raise IllegalActionError("notation", reason, count=MAX_CHARACTERS)

    def _values(self, action: Action) -> set[tuple[str, int, str]]:
        """Return the values of an action that no other action can use."""
        values = action.args[: self._once.get(action.verb, 0)]
        return {(action.verb, place, value) for place, value in enumerate(values)}

    def _actions(self, texts: Sequence[str]) -> tuple[Action, ...]:
        """Return alternatives; the first words can be left out if they are those before.

        It is empty if all are of the stored plan, with pieces that can do nothing of the kind.

        Raises:
            IllegalActionError: a text denotes no action that may become legal.
        """
        actions: list[Action] = []
        past: list[Action] = []
        for text in texts:
            before = actions[-1].notation.split() if actions else []
            repeated = " ".join([*before[: max(0, len(before) - len(text.split()))], text])
            if action := self._action(repeated) or self._action(text):
                actions.append(action)
            elif action := find_listed(self._seat, self._past, text):
                past.append(action)
            else:
                self._refuse(text)
        if not actions and not self._pieces.isdisjoint(map(_piece, past)):
            self._refuse(texts[0])
        return tuple(dict.fromkeys(actions))

    def _action(self, text: str) -> Action | None:
        """Return the action that a text denotes, the first one if the verb is left out.

        Raises:
            IllegalActionError: it gives a form values that the rules refuse.
        """
        if text not in self._read:
            self._read[text] = self._understand(text)
        return self._read[text]

    def _understand(self, text: str) -> Action | None:
        if listed := find_listed(self._seat, self._listed, text):
            return listed
        meanings = self._readings.meanings(text)
        if meanings and meanings[0] not in self._listed:
            self._game.apply(self._state, meanings[0])
        return meanings[0] if meanings else None

    def _refuse(self, text: str) -> Action:
        """Refuse a text that denotes no action.

        Raises:
            IllegalActionError: always.
        """
        if text.partition(" ")[0].lower() in ENDING_VERBS:
            reason = N_("A plan can't resign, leave, or offer or answer a draw.")
            raise IllegalActionError("notation", reason)
        if text and (completions := self._readings.completions(text)):
            reason = N_("“{text}” is incomplete; write it like “{example}”.")
            example = completions[0].notation
            raise IllegalActionError("notation", reason, text=text, example=example)
        reason = N_("I can't read “{text}”, or it can't happen in this match any more.")
        if example := self._example(text):
            reason = N_(
                "I can't read “{text}”, or it can't happen in this match any more. Try “{example}”."
            )
        raise IllegalActionError("notation", reason, text=text, example=example)

    def _example(self, text: str) -> str:
        """Return an action that may become legal, of the verb in a text if it has one."""
        words = text.lower().split()
        of_verb = [action for action in self._possible if action.verb in words]
        lines = [action.notation for action in of_verb or self._possible if not action.is_form]
        return lines[0] if lines else ""


def _piece(action: Action) -> tuple[str, ...]:
    """Return the kind of an action with its piece, the first argument."""
    return (action.verb, *action.args[:1])


def _check_sizes(count: int, actions: Sequence[str]) -> None:
    """Refuse an order that makes the plan too long.

    Raises:
        IllegalActionError: so it is.
    """
    if count == MAX_ORDERS:
        raise IllegalActionError(
            "notation",
            NP_("A plan has at most {count} line.", "A plan has at most {count} lines."),
            count=MAX_ORDERS,
        )
    if len(actions) > MAX_ALTERNATIVES:
        reason = NP_(
            "A line has at most {count} alternative.", "A line has at most {count} alternatives."
        )
        raise IllegalActionError("notation", reason, count=MAX_ALTERNATIVES)


def _check_words(game: AnyGame, words: Sequence[str]) -> None:
    """Refuse a condition with a word that no record of the game has.

    Raises:
        IllegalActionError: so it is.
    """
    for word in unknown_words(game, words)[:1]:
        reason = N_("“{word}” can't happen in {game}.")
        raise IllegalActionError("notation", reason, word=word, game=game.title)


def unknown_words(game: AnyGame, words: Sequence[str]) -> list[str]:
    """Return the words of a condition that no record of the game has."""
    verbs = {*(verb.name for verb in game.verbs), *ENDING_VERBS, *DRAW_WORDS}
    return [
        word
        for word in words
        if word.lower() not in verbs and not game.words.fullmatch(word.lower())
    ]
