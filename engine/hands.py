"""Games in which each seat has a hand that others cannot see: cards, dice under a cup, coins.

A game says which pieces a hand can have (`pieces`) and who sees a hand (`sees`). Views, worlds,
redacted records, and the outcomes of chance are made of these two.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from engine.game import CHANCE, OPEN_VALUE, Action, RandomSource, View
from engine.plain import PlainGame, PlainState


@dataclass(frozen=True, kw_only=True)
class HandsState(PlainState):
    """A position.

    Attributes:
        hands: hand of each seat, with a character for each piece; empty before there is one.
    """

    hands: tuple[str, ...] = ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsView(View):
    """A view.

    Attributes:
        hands: hand of each seat; a piece that the viewer may not know is `?`.
    """

    hands: tuple[str, ...]


HS = TypeVar("HS", bound=HandsState)
HV = TypeVar("HV", bound=HandsView)


class HandsGame(PlainGame[HS, HV]):
    """A game with hands, which come by chance or are chosen by their owners.

    - An outcome of chance names all pieces of all hands, in the order of seats: `* deal 3 5`.
    - A choice by a secret verb names all pieces of its player's hand: `L hold 2`.

    A hand stays as it is until all may see it. A game where it can lose or gain pieces before
    overrides `redact` and `fill_redacted`.
    """

    @abstractmethod
    def pieces(self, dealt: Sequence[str]) -> Sequence[str]:
        """Return the pieces that the next place in a hand can have, all equally likely.

        Args:
            dealt: the pieces in other places, as far as they are known, or else `?`. They matter
                if no piece is there twice, as with cards.
        """

    def sees(self, state: HS, seat: str, owner: str) -> bool:
        """Return whether a seat, or the public, may see the hand of its owner.

        By default its owner does, and after the end all do.
        """
        return seat == owner or bool(state.result)

    def seen_hands(self, state: HS, seat: str) -> tuple[str, ...]:
        """Return the hands as a seat sees them."""
        return tuple(
            hand if self.sees(state, seat, owner) else OPEN_VALUE * len(hand)
            for owner, hand in zip(self.sides, state.hands, strict=True)
        )

    def shown_fields(self, state: HS, seat: str) -> dict[str, Any]:
        """Return the fields of the game's view; see `PlainGame.shown_fields`."""
        return super().shown_fields(state, seat) | {"hands": self.seen_hands(state, seat)}

    def is_legal(self, state: HS, action: Action) -> bool:
        """Return whether a choice is legal, or pieces can be dealt; see `PlainGame.is_legal`."""
        if action.actor != CHANCE:
            return super().is_legal(state, action)
        (form,) = self.legal(state)
        return (
            action.verb == form.verb
            and len(action.args) == len(form.args)
            and all(piece in self.pieces(others) for piece, others in _places(action.args))
        )

    def chance(self, state: HS, draw: RandomSource) -> Action:
        """Deal the hands; see `Game.chance`."""
        (form,) = self.legal(state)
        return form._replace(args=self._filled(form.args, draw))

    def _filled(self, pieces: Sequence[str], draw: RandomSource) -> tuple[str, ...]:
        """Return pieces with others in place of `?`."""
        filled = list(pieces)
        for place, piece in enumerate(pieces):
            if piece == OPEN_VALUE:
                free = self.pieces(filled)
                filled[place] = free[draw(len(free))]
        return tuple(filled)

    def resample_view(self, state: HS, seat: str, draw: RandomSource) -> HS:
        """Draw the hidden pieces again; see `Game.resample_view`."""
        pieces = iter(self._filled("".join(self.seen_hands(state, seat)), draw))
        hands = tuple("".join(next(pieces) for _ in hand) for hand in state.hands)
        return replace(state, hands=hands)

    def redact(self, state: HS, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """Return the actions as the seat may see them: of hidden hands, the latest line hides."""
        hands = dict(zip(self.sides, self.seen_hands(state, seat), strict=True))
        hands[CHANCE] = "".join(hands.values())
        secret = {verb.name for verb in self.verbs if verb.secret}
        redacted = list(actions)
        for place in reversed(range(len(actions))):
            actor, verb, _ = actions[place]
            if (actor == CHANCE or verb in secret) and (hand := hands.pop(actor, "")):
                redacted[place] = Action(actor, verb, tuple(hand))
        return tuple(redacted)

    def fill_redacted(
        self, options: Mapping[str, str], actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        """Return the actions with pieces in place of `?`; see `Game.fill_redacted`."""
        return tuple(
            action._replace(args=self._filled(action.args, lambda _: 0))
            if OPEN_VALUE in action.args
            else action
            for action in actions
        )


def _places(pieces: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each piece, and the pieces in other places."""
    for place, piece in enumerate(pieces):
        yield piece, [*pieces[:place], *pieces[place + 1 :]]
