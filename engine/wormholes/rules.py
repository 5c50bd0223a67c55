"""Legal actions of Wormholes and their effects (W3–W8).

Read from `apply` downwards. An action changes a draft of the position together with all forced
consequences, until a player must decide, dice must be rolled, or the match is over. The phase of
the draft says which.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, count

from engine.dispatch import Handler, TurnRules, dispatch, wrong_actor
from engine.endings import apply_ending, is_ending, story_events
from engine.game import CHANCE, Action, Event, IllegalActionError
from engine.wormholes.actions import (
    DEAL_LIST,
    FIRST,
    JUMP,
    KEEP,
    LOT_LIST,
    MOVES,
    NO_DIE,
    NULL,
    PLACE,
    REACH,
    READY,
    ROLL_LISTS,
    ROLL_VALUES,
    ROLLOFF_LIST,
    ROLLS,
    SEND,
    SKIPS,
)
from engine.wormholes.board import BASES, DIRECTIONS, ENDS, FOR_COINS, FREE_FOR_COINS, INDEX, SPACES
from engine.wormholes.pieces import (
    AXES,
    COIN_AT,
    COINS,
    EMPTY,
    SEATS,
    SUIT_NAMES,
    SUIT_UP,
    SUITS,
    VALUES,
    owner,
)
from engine.wormholes.state import NOBODY, Draft, State

_SHIP = {suit: ship for ship, suit in enumerate(SUITS)}
_COIN = {name: coin for coin, name in enumerate(COINS)}


def pending(state: Draft) -> str:
    """See `Game.pending`."""
    phase = state.phase
    if phase in _ON_TURN:
        return SEATS[state.turn]
    if phase in _IN_FOCUS:
        return SEATS[owner(state.focus)]
    if phase == "lay":
        return "".join(SEATS[seat] for seat in (0, 1) if state.hand & _HANDS[seat])
    if phase == "study":
        return "".join(SEATS[seat] for seat in (0, 1) if not state.ready >> seat & 1)
    return CHANCE if phase != "over" else ""


def legal(state: State) -> tuple[Action, ...]:
    """See `Game.legal`; sorted by ship, then direction or space; placing: by coin, then space."""
    return _LISTS[state.phase](state)


def apply(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """See `Game.apply`."""
    draft = state.draft()
    if is_ending(action):
        return _leave(draft, action)
    pending_seats = pending(draft)
    if action.actor != pending_seats and action.actor not in tuple(pending_seats):
        raise wrong_actor(action, pending_seats, SEATS, _TURN_RULES)
    events = dispatch(draft, action, _HANDLERS)
    return draft.freeze(), events


def _leave(draft: Draft, action: Action) -> tuple[State, tuple[Event, ...]]:
    events = apply_ending(draft, SEATS, pending(draft), action, "W8.4")
    draft.story += story_events(events)
    if draft.result:
        draft.phase, draft.focus, draft.coming = "over", NOBODY, NOBODY
        draft.hand |= sum(1 << coin for coin, _ in draft.laid)
        draft.laid = ()
    return draft.freeze(), events


# Set-up: W3


def _rolloff(draft: Draft, action: Action) -> None:
    if not all(arg in faces for arg, faces in zip(action.args, _FACES, strict=True)):
        raise IllegalActionError("W3.2", "The opening roll shows all four dice, e.g. S3 M0 C5 A2.")
    values = [int(arg[1]) for arg in action.args]
    lead = values[0] + values[1] - values[2] - values[3]
    if not lead:
        draft.add_event("rolloff", *action.args, "-")
        return
    draft.turn = 0 if lead > 0 else 1
    draft.phase = _AFTER_ROLLOFF[draft.placing]
    winner = SEATS[draft.turn]
    draft.add_event("rolloff" if draft.phase == "first" else "opening", *action.args, winner)


def _first(draft: Draft, action: Action) -> None:
    choice = action.args[0]
    if choice not in ("place", "move"):
        raise IllegalActionError("W3.2", "Choose “place” or “move”.")
    draft.add_event("first", SEATS[draft.turn], choice)
    if choice == "move":
        draft.turn = 1 - draft.turn
    draft.phase, draft.story_is_old = "place", 1


def _place(draft: Draft, action: Action) -> None:
    coin, space = _coin_and_space(draft, action)
    draft.hand &= ~(1 << coin)
    if draft.phase == "lay":
        _lay(draft, coin, space)
        return
    _put_coin(draft, coin, space)
    draft.add_event("placed", COINS[coin][0], SPACES[space])
    draft.story_is_old = 1
    if not draft.hand:
        _begin_turn(draft, draft.turn)  # who placed second moves first (W3.2, W3.5)
    elif not (draft.hand & _HANDS[draft.turn]).bit_count() % _COINS_IN_A_ROW[draft.placing]:
        draft.turn = 1 - draft.turn


def _coin_and_space(draft: Draft, action: Action) -> tuple[int, int]:
    """Return the coin that a player places, and its space."""
    name, place = action.args
    coin = _COIN.get(name)
    space = INDEX.get(place)
    if coin is None or SEATS[coin // 12] != action.actor:
        raise IllegalActionError("W3.3", "{coin} is not one of your coins.", coin=name)
    if not draft.hand >> coin & 1:
        raise IllegalActionError("W3.3", "You have already placed {coin}.", coin=name)
    if space is None:
        raise _off_the_board("W3.3", place)
    if space in BASES[0] or space in BASES[1]:
        raise IllegalActionError(
            "W3.3", "{space} is a base: coins can't be placed there.", space=place
        )
    if draft.board[space] != EMPTY or space in laid_by(draft, coin // 12).values():
        raise IllegalActionError("W3.3", "There's already a coin on {space}.", space=place)
    return coin, space


def _put_coin(draft: Draft, coin: int, space: int) -> None:
    draft.board = _with_coin(draft.board, coin, space)


def _with_coin(board: str, coin: int, space: int) -> str:
    return board[:space] + SUIT_UP[coin] + board[space + 1 :]


def _off_the_board(rule: str, place: str) -> IllegalActionError:
    return IllegalActionError(rule, "“{space}” is not a space of the board.", space=place)


# Set-up in secret (W3.7)


def laid_by(state: Draft, seat: int) -> dict[int, int]:
    """Return coin → space, of the coins that a seat has placed in secret."""
    return {coin: space for coin, space in state.laid if coin // 12 == seat}


def _lay(draft: Draft, coin: int, space: int) -> None:
    draft.laid = tuple(sorted((*draft.laid, (coin, space))))
    draft.add_event("laid", SEATS[coin // 12])
    draft.story_is_old = 1
    if not draft.hand:
        draft.phase = "lot"


def _lot(draft: Draft, action: Action) -> None:
    """Reveal all coins; the seats keep the spaces that both have chosen in turn."""
    if action.args not in [(seat,) for seat in SEATS]:
        raise IllegalActionError("W3.7", "The random draw is between O and D.")
    mine, theirs = (
        {space: coin for coin, space in laid_by(draft, seat).items()} for seat in (0, 1)
    )
    contested = sorted(mine.keys() & theirs.keys())
    draft.laid = ()
    draft.add_event("revealed", str(len(contested)))
    for space in sorted(mine.keys() | theirs.keys()):
        if space not in contested:
            _put_coin(draft, mine.get(space, theirs.get(space, 0)), space)
    for number, space in enumerate(contested, SEATS.index(action.args[0])):
        kept, back = (mine, theirs) if number % 2 == 0 else (theirs, mine)
        _put_coin(draft, kept[space], space)
        draft.hand |= 1 << back[space]
        draft.add_event("returned", COINS[back[space]][0], SPACES[space])
    if draft.hand:
        draft.phase = "lay"
    else:
        _begin_turn(draft, draft.turn)


# Random set-up (W3.8)


def _deal(draft: Draft, action: Action) -> None:
    spaces = [INDEX.get(arg[2:], NOBODY) for arg in action.args]
    if [arg[:2] for arg in action.args] != list(COINS) or len(set(spaces)) < len(COINS):
        raise _bad_deal()
    for coin, space in enumerate(spaces):
        if space not in FREE_FOR_COINS:
            raise _bad_deal()
        _put_coin(draft, coin, space)
    draft.hand = 0
    draft.add_event("dealt")
    draft.story_is_old = 1
    if draft.notes:
        _begin_turn(draft, draft.turn)
    else:
        draft.phase = "study"


def _bad_deal() -> IllegalActionError:
    return IllegalActionError("W3.8", "The deal puts all 24 coins on different spaces.")


def _ready(draft: Draft, action: Action) -> None:
    draft.ready |= 1 << SEATS.index(action.actor)
    draft.add_event("ready", action.actor)
    draft.story_is_old = 1
    if not pending(draft):
        _begin_turn(draft, draft.turn)


# The turn (W4, W6.3, W8.2)


def _begin_turn(draft: Draft, seat: int) -> None:
    """Begin a turn: account for lost turns, ask about ships on bases, or roll the dice."""
    draft.turn = seat
    draft.number += 1
    draft.activated = draft.spent = 0
    lost = draft.owes >> 2 * seat & _BOTH
    draft.dice = _DICE_LEFT[lost]
    if lost:
        draft.owes &= ~(_BOTH << 2 * seat)
    if draft.landed and draft.rules == "0.6-long":
        _ask_to_roll(draft, 0)
    else:
        _roll_or_pass(draft)


def _ask_to_roll(draft: Draft, first: int) -> None:
    """Ask about the next ship, from die `first` on, that stands on a base it landed on (W8.2)."""
    for die in range(first, 2):
        ship = 2 * draft.turn + die
        if draft.landed >> ship & 1 and draft.dice[die] != NO_DIE:
            draft.phase, draft.focus = "declare", ship
            return
    draft.focus = NOBODY
    _roll_or_pass(draft)


def _roll_or_pass(draft: Draft) -> None:
    if draft.dice == _DICE_LEFT[_BOTH]:
        _pass_turn(draft, "lost")
    else:
        draft.phase = "roll"


def _pass_turn(draft: Draft, why: str) -> None:
    """End the turn; `why` is the reason if no move was possible (W4.8)."""
    if why:
        draft.add_event("passed", SEATS[draft.turn], why)
    draft.story_is_old = 1
    _begin_turn(draft, 1 - draft.turn)


def _declare(draft: Draft, action: Action) -> None:
    (suit,) = action.args
    ship = draft.focus
    if suit != SUITS[ship]:
        raise IllegalActionError(
            "W8.2", "Decide whether {ships} roll.", ships=SUIT_NAMES[SUITS[ship]]
        )
    draft.add_event("declared", suit, action.verb)
    die = ship & 1
    if action.verb == "skips":
        draft.dice = (draft.dice[0], NO_DIE) if die else (NO_DIE, draft.dice[1])
    _ask_to_roll(draft, die + 1)


def _roll(draft: Draft, action: Action) -> None:
    values = ROLL_VALUES[draft.turn, draft.dice].get(action.args)
    if values is None:
        raise IllegalActionError(
            "W4.1", "The roll must have the form {roll}.", roll=legal_roll(draft)
        )
    draft.dice = values
    draft.add_event("rolled", *action.args)
    _next_die(draft)


def legal_roll(draft: Draft) -> Action:
    """Return the form of the next roll, `?` for open values."""
    return ROLL_LISTS[draft.turn, draft.dice][0]


def _next_die(draft: Draft) -> None:
    """Wait for the use of a die, or pass the turn if none has a legal one (W4.5–W4.8)."""
    if draft.spent == _BOTH:
        _pass_turn(draft, "")
    elif is_usable(draft, 0) or is_usable(draft, 1):
        draft.phase = "act"
    elif draft.spent:
        _tell_lapsed(draft)
        _pass_turn(draft, "")
    else:
        _pass_turn(draft, "stuck")


def is_usable(draft: Draft, die: int) -> bool:
    """Return whether a die of the player on turn has a legal use (W4.5)."""
    value = draft.dice[die]
    if value < 0 or draft.spent >> die & 1:
        return False
    ship = 2 * draft.turn + die
    space = draft.ships[ship]
    if value:
        ends = REACH[value][space]
        return len(ends) > 1 or (bool(ends) and draft.ships[ship ^ 1] not in ends)
    return draft.board[space] != EMPTY and not draft.activated >> ship & 1


def _tell_lapsed(draft: Draft) -> None:
    for die, value in enumerate(draft.dice):
        if value >= 0 and not draft.spent >> die & 1:
            draft.add_event("lapsed", SUITS[2 * draft.turn + die], VALUES[value])


# Using a die (W4)


def _own_die(draft: Draft, suit: str) -> tuple[int, int]:
    """Return the ship of this suit and the value of its unused die."""
    ship = _SHIP.get(suit, NOBODY)
    if ship >> 1 != draft.turn:
        words = SUIT_NAMES.get(suit, suit)
        raise IllegalActionError("W4.1", "“{ship}” is not one of your ships.", ship=words)
    die = ship & 1
    value = draft.dice[die]
    if value < 0:
        raise IllegalActionError("W4.1", "{ships} get no die this turn.", ships=SUIT_NAMES[suit])
    if draft.spent >> die & 1:
        raise IllegalActionError(
            "W4.1", "The die of {ships} has already been used.", ships=SUIT_NAMES[suit]
        )
    return ship, value


def _move(draft: Draft, action: Action) -> None:
    suit, way = action.args
    ship, value = _own_die(draft, suit)
    if not value:
        raise IllegalActionError("W4.6", "A null does not move {ships}.", ships=SUIT_NAMES[suit])
    start = draft.ships[ship]
    end = ENDS[value][start].get(way)
    if end is None:
        if way not in DIRECTIONS:
            raise IllegalActionError(
                "W4.2", "I don't know the direction “{way}”. Try an arrow, such as ↓.", way=way
            )
        raise IllegalActionError(
            "W4.2",
            "“{text}” would leave the board: the die shows {number}.",
            text=action.notation,
            number=value,
        )
    if end == draft.ships[ship ^ 1]:
        raise IllegalActionError("W4.4", "{space} holds your own other ship.", space=SPACES[end])
    draft.spent |= 1 << (ship & 1)
    draft.add_event("moved", suit, SPACES[start], SPACES[end])
    draft.coming = ship
    _land(draft, ship, end)


def _null(draft: Draft, action: Action) -> None:
    (suit,) = action.args
    ship, value = _own_die(draft, suit)
    if value:
        raise IllegalActionError(
            "W4.6",
            "The die of {ships} doesn't show a null: they have to move.",
            ships=SUIT_NAMES[suit],
        )
    if draft.board[draft.ships[ship]] == EMPTY:
        raise IllegalActionError("W4.6", "There is no coin under {ships}.", ships=SUIT_NAMES[suit])
    if draft.activated >> ship & 1:
        raise IllegalActionError(
            "W5.5", "{ships} have already activated a coin this turn.", ships=SUIT_NAMES[suit]
        )
    draft.spent |= 1 << (ship & 1)
    _activate(draft, ship)


# Landing, sending away, activating: consequences of a move (W5–W8)


def _put(draft: Draft, ship: int, space: int) -> None:
    ships = list(draft.ships)
    ships[ship] = space
    draft.ships = tuple(ships)
    if draft.landed:
        draft.landed &= ~(1 << ship)


def _land(draft: Draft, ship: int, space: int) -> None:
    """Land a ship on a space after a move or jump (W7.1, W8)."""
    is_taken = space in draft.ships  # by an opponent: there is no way to the other ship's space
    _put(draft, ship, space)
    seat = ship >> 1
    if space in BASES[1 - seat]:
        draft.landed |= 1 << ship
        if draft.rules == "0.6" or draft.landed >> 2 * seat & _BOTH == _BOTH:
            _win(draft, seat)
            return
    if is_taken:
        draft.phase, draft.focus = "send", ship
    else:
        _settle(draft)


def _win(draft: Draft, seat: int) -> None:
    draft.phase, draft.focus, draft.coming = "over", NOBODY, NOBODY
    draft.result = f"{SEATS[seat]} base"
    draft.add_event("ended", SEATS[seat], "base")


def _settle(draft: Draft) -> None:
    """Activate the coin under the ship that moved by die, or continue with the next die (W7.2)."""
    ship, draft.focus = draft.coming, NOBODY
    if ship >= 0:
        draft.coming = NOBODY
        if draft.board[draft.ships[ship]] != EMPTY and not draft.activated >> ship & 1:
            _activate(draft, ship)
            return
    _next_die(draft)


def _activate(draft: Draft, ship: int) -> None:
    """Turn the coin under a ship and apply its effect; both its sides become known (W5)."""
    space = draft.ships[ship]
    board = draft.board
    letter = board[space]
    coin = COIN_AT[letter]
    suit, value = divmod(coin, 6)
    draft.board = board[:space] + letter.swapcase() + board[space + 1 :]
    draft.seen |= 1 << coin
    draft.activated |= 1 << ship
    up = "value" if letter in SUIT_UP else "suit"
    draft.add_event("turned", SUITS[suit], VALUES[value], SPACES[space], SUITS[ship], up)
    if not value:
        draft.owes |= 1 << ship
        draft.add_event("hole", SUITS[ship])
        _settle(draft)
        return
    ways = _jumps(draft, ship)
    if not ways:
        draft.add_event("stuck", SUITS[ship])
        _settle(draft)
    elif len(ways) == 1:
        _jump_to(draft, ship, ways[0])
    else:
        draft.phase, draft.focus = "jump", ship


def _jumps(draft: Draft, ship: int) -> list[str]:
    """Return the directions that the coin under a ship lets it jump (W5.3)."""
    space = draft.ships[ship]
    suit, value = divmod(COIN_AT[draft.board[space]], 6)
    ends = ENDS[value][space]
    other = draft.ships[ship ^ 1]
    return [way for way in AXES[suit] if ends.get(way, other) != other]


def _jump_to(draft: Draft, ship: int, way: str) -> None:
    space = draft.ships[ship]
    end = ENDS[COIN_AT[draft.board[space]] % 6][space][way]
    draft.add_event("jumped", SUITS[ship], SPACES[space], SPACES[end])
    _land(draft, ship, end)


def _jump(draft: Draft, action: Action) -> None:
    suit, way = action.args
    ship = draft.focus
    if suit != SUITS[ship]:
        raise IllegalActionError("W5.3", "{ships} have to jump now.", ships=SUIT_NAMES[SUITS[ship]])
    ways = _jumps(draft, ship)
    if way not in ways:
        first, second = ways
        raise IllegalActionError(
            "W5.3",
            "Choose “{one}” or “{other}”.",
            one=f"jump {suit} {first}",
            other=f"jump {suit} {second}",
        )
    _jump_to(draft, ship, way)


def landed_on(draft: Draft) -> int:
    """Return the ship that the ship in focus has landed on."""
    first, second = _ENEMIES[owner(draft.focus)]
    return first if draft.ships[first] == draft.ships[draft.focus] else second


def _send(draft: Draft, action: Action) -> None:
    suit, place = action.args
    target = _landed_on_named(draft, suit)
    space = INDEX.get(place)
    if space is None:
        raise _off_the_board("W7.1", place)
    if space in draft.ships:
        raise IllegalActionError("W7.1", "There is a ship on {space}.", space=place)
    draft.add_event("sent", SUITS[draft.focus], suit, SPACES[draft.ships[target]], place)
    _put(draft, target, space)
    if target == draft.coming:
        draft.coming = NOBODY
    if draft.board[space] != EMPTY and not draft.activated >> target & 1:
        _activate(draft, target)
    else:
        _settle(draft)


def _keep(draft: Draft, action: Action) -> None:
    (suit,) = action.args
    _landed_on_named(draft, suit)
    draft.add_event("kept", SUITS[draft.focus], suit)
    _settle(draft)


def _landed_on_named(draft: Draft, suit: str) -> int:
    target = landed_on(draft)
    if suit != SUITS[target]:
        raise IllegalActionError(
            "W7.1", "You have landed on {ships}.", ships=SUIT_NAMES[SUITS[target]]
        )
    return target


# Legal lists


def _list_place(state: State) -> tuple[Action, ...]:
    return tuple(_placings(state.hand, state.turn, state.board))


def _list_lay(state: State) -> tuple[Action, ...]:
    actions: list[Action] = []
    for seat in (0, 1):
        board = state.board
        for coin, space in laid_by(state, seat).items():
            board = _with_coin(board, coin, space)
        actions += _placings(state.hand, seat, board)
    return tuple(actions)


def _placings(hand: int, seat: int, board: str) -> list[Action]:
    """Return the placings of a seat's coins in hand on free spaces.

    Most spaces are free, so the others are deleted, the last one first.
    """
    spaces = "".join([board[part] for part in FOR_COINS]).encode()
    taken = list(compress(count(), spaces.translate(_IS_TAKEN)))[::-1]
    actions: list[Action] = []
    for coin in range(12 * seat, 12 * seat + 12):
        if hand >> coin & 1:
            placings = list(PLACE[coin])
            for number in taken:
                del placings[number]
            actions += placings
    return actions


def _list_act(state: State) -> tuple[Action, ...]:
    return _list_die(state, 0) + _list_die(state, 1)


def _list_die(state: State, die: int) -> tuple[Action, ...]:
    value = state.dice[die]
    if value < 0 or state.spent >> die & 1:
        return ()
    ship = 2 * state.turn + die
    space = state.ships[ship]
    if not value:
        return (NULL[ship],) if is_usable(state, die) else ()
    other = state.ships[ship ^ 1]
    if other not in REACH[value][space]:
        return MOVES[ship][value][space]
    ends = ENDS[value][space]
    return tuple([action for action in MOVES[ship][value][space] if ends[action[2][1]] != other])


def _list_jump(state: State) -> tuple[Action, ...]:
    return tuple(JUMP[state.focus][way] for way in _jumps(state, state.focus))


def _list_send(state: State) -> tuple[Action, ...]:
    target = landed_on(state)
    sends = SEND[target]
    options: tuple[Action, ...] = (KEEP[target],)
    start = 0
    for space in sorted(set(state.ships)):
        options += sends[start:space]
        start = space + 1
    return options + sends[start:]


_IS_TAKEN = bytes(chr(letter) != EMPTY for letter in range(256))
"""Translates the letter of a space on the board to 1 if there is a coin, else to 0."""

_COINS_IN_A_ROW = {"one": 1, "three": 3}
"""Option `placing` → coins that a player places before the other one does (W3.6)."""

_AFTER_ROLLOFF = {"one": "first", "three": "first", "secret": "lay", "random": "deal"}
"""Option `placing` → phase after the setup roll."""

_HANDS = ((1 << 12) - 1, (1 << 24) - (1 << 12))
"""Bits of the coins of each seat."""

_FACES = tuple([suit + value for value in VALUES] for suit in SUITS)
"""Faces of each suit's die in the notation."""

_BOTH = 3
"""Bits of both ships of a seat."""

_DICE_LEFT = ((0, 0), (NO_DIE, 0), (0, NO_DIE), (NO_DIE, NO_DIE))
"""Dice to roll, by the ships that lose the turn (bit 0: the first ship)."""

_ENEMIES = ((2, 3), (0, 1))
"""Seat → ships of the opponent."""

_ON_TURN = frozenset({"act", "place", "first", "declare"})
_IN_FOCUS = frozenset({"jump", "send"})
"""Phases where the seat on turn decides, and the owner of the ship in focus."""

_LISTS: dict[str, Callable[[State], tuple[Action, ...]]] = {
    "rolloff": lambda _: ROLLOFF_LIST,
    "first": lambda state: FIRST[state.turn],
    "place": _list_place,
    "lay": _list_lay,
    "lot": lambda _: LOT_LIST,
    "deal": lambda _: DEAL_LIST,
    "study": lambda state: tuple(READY[SEATS.index(seat)] for seat in pending(state)),
    "declare": lambda state: (ROLLS[state.focus], SKIPS[state.focus]),
    "roll": lambda state: ROLL_LISTS[state.turn, state.dice],
    "act": _list_act,
    "jump": _list_jump,
    "send": _list_send,
    "over": lambda _: (),
}

_HANDLERS: dict[str, Handler[Draft]] = {
    "rolloff": Handler(_rolloff, ("rolloff",), 4, "W3.2"),
    "first": Handler(_first, ("first",), 1, "W3.2"),
    "place": Handler(_place, ("place", "lay"), 2, "W3.3"),
    "lot": Handler(_lot, ("lot",), None, "W3.7"),
    "deal": Handler(_deal, ("deal",), len(COINS), "W3.8"),
    "ready": Handler(_ready, ("study",), 0, "W3.8"),
    "rolls": Handler(_declare, ("declare",), 1, "W8.2"),
    "skips": Handler(_declare, ("declare",), 1, "W8.2"),
    "roll": Handler(_roll, ("roll",), 2, "W4.1"),
    "move": Handler(_move, ("act",), 2, "W4.1"),
    "null": Handler(_null, ("act",), 1, "W4.6"),
    "jump": Handler(_jump, ("jump",), 2, "W5.3"),
    "send": Handler(_send, ("send",), 2, "W7.1"),
    "keep": Handler(_keep, ("send",), 1, "W7.1"),
}
"""By verb."""

_TURN_RULES = TurnRules(over="W8.1", chance="W4.1", players="W4.1", turn="W4.1")
