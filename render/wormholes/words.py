"""Wormholes in words: stories, prompts, labels and the text board."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import CHANCE, Action, Event
from engine.wormholes.board import BASES, ENDS, INDEX, SPACES, XY
from engine.wormholes.pieces import SEATS, VALUES
from engine.wormholes.view import UNKNOWN, Coin, Die, Ship, WormholesView
from render.i18n import N_, _, format_clauses, format_list, ngettext, titled
from render.renderer import Names
from render.wormholes.story import OWNERS, event_text
from render.wormholes.terms import SUITS, coin_words, number_name, suit_name, value_name


def text_board(view: WormholesView, names: Names) -> str:
    """Return the whole position in lines."""
    lines = [
        _("Turn {number}.").format(number=view.turn) if view.turn else _("Setup."),
        _("Ships: {ships}.").format(
            ships=format_clauses(_ship(ship, names) for ship in view.ships)
        ),
    ]
    if view.dice:
        lines.append(_("Dice: {dice}.").format(dice=format_clauses(_die(die) for die in view.dice)))
    if any(view.left):
        left = [f"{suit_name(suit)} {n}" for suit, n in zip(SUITS, view.left, strict=True)]
        lines.append(_("Coins in hand: {coins}.").format(coins=format_list(left, style="commas")))
    lines += _coins(view)
    lines.append(_("Bases: OrthogonAliens j1, j2; DiagonAliens a17, a18."))
    return "\n".join(lines)


def _ship(ship: Ship, names: Names) -> str:
    states = [
        word
        for word, true in (
            (_("lose their next turn"), ship.owes),
            (_("have used a coin this turn"), ship.activated),
            (_("have landed on the base"), ship.landed),
        )
        if true
    ]
    words = _("{ship} of {name} on {space}").format(
        ship=suit_name(ship.suit), name=names[ship.seat], space=ship.space
    )
    return f"{words} ({format_list(states)})" if states else words


def _coins(view: WormholesView) -> list[str]:
    """List coins by their upper side, with the known lower side in brackets."""
    suits = {
        _(name): [_spot(coin, value_name(coin.value)) for coin in _up(view, "suit", suit)]
        for suit, name in SUITS.items()
    }
    values = {
        value_name(value): [_spot(coin, _(SUITS.get(coin.suit, ""))) for coin in coins]
        for value in VALUES
        if (coins := _up(view, "value", value))
    }
    lines = (
        (_("Coins with the suit up: {coins}."), suits),
        (_("Coins with the value up: {coins}."), values),
    )
    return [
        text.format(
            coins=format_clauses(
                f"{name} {format_list(at, style='commas')}" for name, at in spots.items() if at
            )
        )
        for text, spots in lines
        if any(spots.values())
    ]


def _up(view: WormholesView, side: str, face: str) -> list[Coin]:
    """Return the coins on the board that show this suit or value."""
    return [coin for coin in view.coins if (coin.up, getattr(coin, side)) == (side, face)]


def _spot(coin: Coin, lower_side: str) -> str:
    """Return a coin's space, and in brackets its lower side if the viewer knows it."""
    hidden = coin.value if coin.up == "suit" else coin.suit
    return coin.space if hidden == UNKNOWN else f"{coin.space} ({lower_side})"


def _die(die: Die) -> str:
    suit, value, spent, stuck = die
    words = _("{ship} {number} (used)") if spent else "{ship} {number}"
    words = _("{ship} {number} (no legal move)") if stuck else words
    words = _("{ship} not rolled yet") if value == UNKNOWN else words
    words = _("{ship} none") if value == "-" else words
    return words.format(ship=suit_name(suit), number=number_name(value))


def prompt(view: WormholesView, names: Names) -> str:
    """Return the pending decision, or the result."""
    if not view.pending:
        return event_text(Event("ended", tuple(view.result.split())), names)
    if view.pending == CHANCE:
        return _("The dice are rolling.")
    prompt = _(_PROMPTS[view.phase]).format(
        name=format_list([names[seat] for seat in view.pending]),
        ship=suit_name(view.focus) if view.focus else "",
        other=suit_name(view.target) if view.target else "",
    )
    return " ".join((prompt, *map(_stuck, filter(_is_stuck, view.dice))))


def margin(view: WormholesView, names: Names) -> str:
    """Return the distance of the loser's nearest ship from its goal, where one had to land."""
    winner, reason = view.result.split()
    if reason != "base" or view.rules != "0.6":
        return ""
    loser = SEATS.index(winner) ^ 1
    far = min(
        max(abs(x - goal_x), abs(y - goal_y))
        for ship in view.ships
        if OWNERS[ship.suit] != winner
        for x, y in [XY[INDEX[ship.space]]]
        for goal_x, goal_y in [XY[space] for space in BASES[loser ^ 1]]
    )
    sentence = ngettext(
        "{name} was {count} space from winning.", "{name} was {count} spaces from winning.", far
    )
    return sentence.format(name=names[SEATS[loser]], count=far) if far else ""


def _is_stuck(die: Die) -> bool:
    return die.stuck


def _stuck(die: Die) -> str:
    """Explain that a die has no use now; otherwise the player would look for its buttons."""
    words = _("({ship} {number}: no legal move now)")
    return words.format(ship=suit_name(die.suit), number=number_name(die.value))


def aim(view: WormholesView, names: Names) -> str:
    """Return the bases that each player's ships have to reach."""
    words = _("Aim: land a ship on an opposing base; {O} on a17 or a18, {D} on j1 or j2.")
    if view.rules != "0.6":
        words = _("Aim: both ships on opposing bases; {O} on a17 and a18, {D} on j1 and j2.")
    return words.format_map(names)


_PROMPTS = {
    "first": N_(
        "{name}: place the first coin, or make the first move after the setup? The opponent does "
        "the other; the one who moves first places the last coin."
    ),
    "place": N_("{name}: place a coin"),
    "lay": N_("{name}: place your coins in secret"),
    "study": N_("{name}: look at your coins, then say that you are ready"),
    "declare": N_("{name}: do {ship} take a die?"),
    "act": N_("{name}: use your dice"),
    "jump": N_("{name}: which way do {ship} jump?"),
    "send": N_("{name}: {ship} landed on {other}: send them away or leave them?"),
}
"""The prompt of each phase."""


def hand(view: WormholesView) -> str:
    """List the coins in hand, and with notes the placed coins with both sides known.

    Coins that may be looked at only for a while are left out, because messages stay (W3.7, W3.8).
    """
    values = {
        name: [value_name(coin[1]) for coin in view.hand if coin[0] == suit]
        for suit, name in SUITS.items()
    }
    lines = [
        titled(_(name), format_list(names, style="commas"))
        for name, names in values.items()
        if names
    ]
    head = _("Your coins still to place:") if lines else _("All your coins are placed.")
    lines.insert(0, head)
    if view.phase in ("lay", "study") and ("notes", "off") in view.options:
        while_placing = _(
            "Your board shows the coins that you have placed, until all are revealed."
        )
        ready = _("Your board shows your coins until you are ready.")
        return "\n".join((*lines, while_placing if view.phase == "lay" else ready))
    known_coins = [
        f"{coin.space} {coin_words(coin.suit + coin.value)}"
        for coin in view.coins
        if UNKNOWN not in (coin.suit, coin.value)
    ]
    if known_coins:
        words = _("On the board: {coins}.") if view.result else _("You have seen: {coins}.")
        lines.append(words.format(coins=format_clauses(known_coins)))
    elif not view.hand and ("notes", "off") in view.options:
        lines.append(
            _(
                "This match is played from memory: after the first turns, only your notes say "
                "which coins you have placed where."
            )
        )
    return "\n".join(lines)


def memory_note(view: WormholesView) -> str:
    """Return a reminder to note one's coins, in a match that is played from memory."""
    if ("notes", "off") not in view.options:
        return ""
    return _("Remember these coins: this match is played from memory.")


def memory_limit(view: WormholesView) -> str:
    """Return that a placed coin is listed until the next, while the viewer places coins (W3.4)."""
    if view.phase != "place" or not view.hand or ("notes", "off") not in view.options:
        return ""
    return _(
        "Each coin that you place is listed only until the next one: copy it to your notes first."
    )


def memory_line(view: WormholesView, action: Action) -> str:
    """Return the coin that an action places, and where, in a match that is played from memory."""
    if action.verb != "place" or ("notes", "off") not in view.options:
        return ""
    return label(view, action)


def label(view: WormholesView, action: Action) -> str:
    """Return the name of an action or of its beginning: a way is named by its end."""
    args = action.args
    if action.verb == "first":
        return _("Place first") if args[0] == "place" else _("Move first")
    if action.verb == "place":
        coin = coin_words(args[0])
        return _("{coin} on {space}").format(coin=coin, space=args[1]) if args[1:] else coin
    if action.verb == "ready":
        return _("Ready: I've seen my coins")
    ship = suit_name(args[0]) if args else ""
    if not args[1:]:
        return _(_LABELS.get(action.verb, "{ship}")).format(ship=ship)
    end = args[1] if action.verb == "send" else end_of(view, action)
    words = N_("{ship} jump to {end}") if action.verb == "jump" else "{ship} → {end}"
    return _(words).format(ship=ship, end=end)


def done(view: WormholesView, action: Action, after: WormholesView | None) -> str:
    """Return an action that is done: its label, and the spaces of jumps that followed from it.

    Args:
        view: before the action.
        action: the action.
        after: the view after it; None to leave jumps out.
    """
    followed = _jumps(view, action, after) if after and action.verb in _SHIP_VERBS else ()
    return " → ".join((label(view, action), *followed))


_SHIP_VERBS = {"move", "jump", "null", "send"}
"""Verbs that end on a space, where a coin can throw the ship on."""


def _jumps(view: WormholesView, action: Action, after: WormholesView) -> Iterator[str]:
    """Yield the ends of the jumps of an action's ship, from the action's end on."""
    before = len(view.story)
    events = after.story[before:] if after.story[:before] == view.story else after.story
    at = action.args[1] if action.verb == "send" else end_of(view, action)
    for event in events:
        if event.kind == "jumped" and event.facts[:2] == (action.args[0], at):
            at = event.facts[2]
            yield at


_LABELS = {
    "rolls": N_("{ship}: take the die"),
    "skips": N_("{ship}: stay"),
    "null": N_("{ship}: use the null"),
    "keep": N_("{ship}: leave them"),
}
"""The labels of a ship's buttons."""


def end_of(view: WormholesView, action: Action) -> str:
    """Return the end of a ship's move or jump; its own space if it stays.

    A jump has the value of the coin that the ship has just turned, which only the story tells: with
    the story of another turn, the ship's own space is returned.
    """
    suit, *way = action.args
    start = next(ship.space for ship in view.ships if ship.suit == suit)
    if not way:
        return start
    if action.verb == "move":
        value = next(die.value for die in view.dice if die.suit == suit)
    else:
        turned = [event.facts for event in last_events(view, "turned")]
        values = [facts[1] for facts in turned if facts[2:4] == (start, suit)]
        if not values:
            return start
        value = values[-1]
    return SPACES[ENDS[int(value)][INDEX[start]][way[0]]]


def last_events(view: WormholesView, *kinds: str) -> list[Event]:
    """Return the story's events of these kinds."""
    return [event for event in view.story if event.kind in kinds]
