"""Wormholes matches in Portable Piecepack Notation (PPN), which other programs show and animate.

The R package ppn reads it. Its setup *Wormholes* has the tiles, and the ships as pawns on their
bases. Coins and dice are put on the board by moves:

- `S4cb@e9` puts a coin on a space, suit side up; `+?S4c` turns it over;
- `?Sp-f7` moves a ship;
- `S3d@(12,1)` puts a die beside the board, `?Sd~n` turns it to a number.

Each line of the record is a move of the same number, with the line as its comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.game import Action, Event
from engine.wormholes.board import SPACES
from engine.wormholes.pieces import COIN_AT, COINS, EMPTY, SEATS
from engine.wormholes.rules import apply
from engine.wormholes.state import State

RANKS = "na2345"
"""The values of coins and dice as PPN writes them: null, ace, 2 … 5."""

DICE_PLACES = {"S": "(12,1)", "M": "(12,2)", "C": "(-1,17)", "A": "(-1,18)"}
"""Where each die lies beside the board: next to the base of its ship."""

TITLE = "Wormholes"


def export(headers: Mapping[str, str], start: State, actions: Sequence[Action]) -> str:
    """Return a match in PPN.

    Args:
        headers: headers of the record.
        start: the first position.
        actions: that followed, without anything hidden.

    Raises:
        IllegalActionError: an action is not legal.
    """
    lines = ["---", *_metadata(headers), "..."]
    state, rolled = start, set[str]()
    for number, action in enumerate(actions, 1):
        before, (state, events) = state, apply(state, action)
        moves = [
            *_put(before, state),
            *_dice(action, rolled),
            *(move for event in events for move in _moved(event)),
        ]
        lines.append(" ".join([f"{number}.", *moves, f"{{ {action} }}"]))
    if state.result:
        lines.append(f"{{ Result: {state.result} }}")
    return "\n".join([*lines, ""])


def _metadata(headers: Mapping[str, str]) -> Iterator[str]:
    """Yield the metadata: a YAML dictionary, each value a text in quotes."""
    yield f"GameType: {_quoted(TITLE)}"
    for seat, name in zip(SEATS, ("OrthogonAliens", "DiagonAliens"), strict=True):
        if player := headers.get(f"Seat {seat}"):
            yield f"{name}: {_quoted(player)}"
    for key in ("Rules", "Options", "Date", "Result"):
        if value := headers.get(key):
            yield f"{key}: {_quoted(value)}"


def _plain(text: str) -> str:
    """Return a text without characters that YAML does not allow."""
    return "".join(character if character.isprintable() else " " for character in text)


def _quoted(text: str) -> str:
    escaped = _plain(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _put(before: State, after: State) -> Iterator[str]:
    """Yield the coins that were put on the board, by space."""
    for space, at in enumerate(after.board):
        if at != before.board[space] and before.board[space] == EMPTY:
            yield f"{_coin(COINS[COIN_AT[at]])}b@{SPACES[space]}"


def _coin(name: str) -> str:
    return f"{name[0]}{RANKS[int(name[1])]}c"


def _dice(action: Action, rolled: set[str]) -> Iterator[str]:
    """Yield the dice that were rolled; those not yet there are put beside the board."""
    if action.verb not in ("rolloff", "roll"):
        return
    for arg in action.args:
        suit, value = arg[0], arg[1]
        if value == "-":
            continue
        rank = RANKS[int(value)]
        yield f"?{suit}d~{rank}" if suit in rolled else f"{suit}{rank}d@{DICE_PLACES[suit]}"
        rolled.add(suit)


def _moved(event: Event) -> Iterable[str]:
    """Return the effects of an event on ships and coins."""
    if event.kind in ("moved", "jumped", "sent"):
        *_, ship, _start, end = event.facts
        return (f"?{ship}p-{end}",)
    if event.kind == "turned":
        suit, value = event.facts[:2]
        return (f"+?{_coin(suit + value)}",)
    return ()
