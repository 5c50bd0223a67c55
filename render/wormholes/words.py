"""Wormholes in words: stories, prompts, labels and the text board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.game import CHANCE, Action, Event
from engine.wormholes.board import ENDS, INDEX, SPACES, XY
from engine.wormholes.view import UNKNOWN, Coin, Ship, WormholesView
from render.language import _, later
from render.renderer import Names

SUITS = {"S": later("Suns"), "M": later("Moons"), "C": later("Crowns"), "A": later("Arms")}
VALUES = "012345"
AXES = {"S": "north–south", "M": "east–west", "C": "NW–SE", "A": "NE–SW"}
REASONS = {
    "base": "has landed on an opposing base",
    "resign": "wins by resignation",
    "time": "wins on time",
}


def value_name(value: str) -> str:
    """A coin's value as players say it: a null coin is a black hole."""
    return {"0": "black hole", "1": "ace", UNKNOWN: "unknown value"}.get(value, value)


def coin_words(name: str) -> str:
    """An own coin, e.g. `S0`, as players say it."""
    return f"{SUITS[name[0]]} {value_name(name[1])}"


def text_board(view: WormholesView, names: Names) -> str:
    """The whole position in lines."""
    lines = [
        f"Turn {view.turn}." if view.turn else "Set-up.",
        "Ships: " + "; ".join(_ship(ship, names) for ship in view.ships) + ".",
    ]
    if view.dice:
        lines.append("Dice: " + "; ".join(_die(die) for die in view.dice) + ".")
    if any(view.left):
        left = (f"{SUITS[suit]} {n}" for suit, n in zip(SUITS, view.left, strict=True))
        lines.append("Coins in hand: " + ", ".join(left) + ".")
    lines += _coins(view)
    lines.append("Bases: OrthogonAliens j1, j2; DiagonAliens a17, a18.")
    return "\n".join(lines)


def _ship(ship: Ship, names: Names) -> str:
    states = [
        word
        for word, true in (
            ("loses its next turn", ship.owes),
            ("has used a coin this turn", ship.activated),
            ("has landed on the base", ship.landed),
        )
        if true
    ]
    more = f" ({', '.join(states)})" if states else ""
    return f"{SUITS[ship.suit]} of {names[ship.seat]} on {ship.space}{more}"


def _coins(view: WormholesView) -> list[str]:
    """Coins by what lies on top; what the viewer knows of the other side stands in brackets."""
    suits = {
        _(name): [_spot(coin, value_name(coin.value)) for coin in _up(view, "suit", suit)]
        for suit, name in SUITS.items()
    }
    values = {
        value_name(value): [_spot(coin, _(SUITS.get(coin.suit, ""))) for coin in found]
        for value in VALUES
        if (found := _up(view, "value", value))
    }
    lines = (
        (_("Coins with the suit up: {coins}."), suits),
        (_("Coins with the value up: {coins}."), values),
    )
    return [
        text.format(coins="; ".join(f"{name} {', '.join(at)}" for name, at in found.items() if at))
        for text, found in lines
        if any(found.values())
    ]


def _up(view: WormholesView, side: str, shown: str) -> list[Coin]:
    """The coins on the board that show this suit or value."""
    return [coin for coin in view.coins if (coin.up, getattr(coin, side)) == (side, shown)]


def _spot(coin: Coin, known: str) -> str:
    """A coin's space, and in brackets what the viewer knows of its lower side."""
    hidden = coin.value if coin.up == "suit" else coin.suit
    return coin.space if hidden == UNKNOWN else f"{coin.space} ({known})"


def _die(die: tuple[str, str, bool]) -> str:
    suit, value, spent = die
    if value == "-":
        return f"{SUITS[suit]} none"
    if value == UNKNOWN:
        return f"{SUITS[suit]} not rolled yet"
    return f"{SUITS[suit]} {'null' if value == '0' else value}{' (used)' if spent else ''}"


def story(view: WormholesView, names: Names) -> str:
    """The last turn, one sentence an event."""
    return " ".join(_TELL[event.kind](event.facts, names) for event in view.story)


def _turned(facts: Sequence[str], _: Names) -> str:
    suit, value, space, ship, up = facts
    shown = f"{SUITS[suit]} {value_name(value)}"
    return f"{SUITS[ship]} turned the coin on {space}: {shown}, now {up} up."


def _ended(facts: Sequence[str], names: Names) -> str:
    winner, reason = facts
    return (
        "The players agreed on a draw." if winner == "-" else f"{names[winner]} {REASONS[reason]}."
    )


def _rolloff(facts: Sequence[str], names: Names) -> str:
    *dice, winner = facts
    rolled = ", ".join(map(_rolled, dice))
    if winner == "-":
        return _("Set-up roll: {dice}; a tie, so it is rolled again.").format(dice=rolled)
    return _("Set-up roll: {dice}; {name} may choose.").format(dice=rolled, name=names[winner])


def _rolled(die: str) -> str:
    """A die of the story, e.g. `S3` or `M0`, as players say it."""
    shown = {"0": _("null"), "-": _("none")}
    return f"{_(SUITS[die[0]])} {shown.get(die[1], die[1])}"


_WHY = {"lost": "no ship gets a die", "stuck": "no die can be used"}

_TELL: dict[str, Callable[[Sequence[str], Names], str]] = {
    "rolloff": _rolloff,
    "first": lambda f, n: f"{n[f[0]]} chose to {f[1]} first.",
    "placed": lambda f, _: f"A coin of the {SUITS[f[0]]} was placed on {f[1]}.",
    "declared": lambda f, _: f"{SUITS[f[0]]} {'take the die' if f[1] == 'rolls' else 'stay'}.",
    "rolled": lambda f, _n: _("Rolled: {dice}.").format(dice=", ".join(map(_rolled, f))),
    "moved": lambda f, _: f"{SUITS[f[0]]} {f[1]} → {f[2]}.",
    "turned": _turned,
    "hole": lambda f, _: f"{SUITS[f[0]]} lose their owner's next turn.",
    "jumped": lambda f, _: f"{SUITS[f[0]]} jumped {f[1]} → {f[2]}.",
    "stuck": lambda f, _: f"{SUITS[f[0]]} could not jump.",
    "sent": lambda f, _: f"{SUITS[f[0]]} sent {SUITS[f[1]]} {f[2]} → {f[3]}.",
    "kept": lambda f, _: f"{SUITS[f[0]]} left {SUITS[f[1]]} alone.",
    "lapsed": lambda f, _: f"The {f[1]} of {SUITS[f[0]]} lapsed.",
    "passed": lambda f, n: f"{n[f[0]]}'s turn passed: {_WHY[f[1]]}.",
    "ended": _ended,
}


def prompt(view: WormholesView, names: Names) -> str:
    """Who must decide what."""
    if not view.pending:
        winner, reason = view.result.split()
        return _ended((winner, reason), names)
    if view.pending == CHANCE:
        return "The dice are rolling."
    ship, target = SUITS.get(view.focus, ""), SUITS.get(view.target, "")
    what = {
        "first": "place the first coin, or move first?",
        "place": "place a coin",
        "declare": f"does {ship} take a die?",
        "act": "use your dice",
        "jump": f"which way does {ship} jump?",
        "send": f"{ship} landed on {target}: send it away or leave it?",
    }[view.phase]
    return f"{names[view.pending]}: {what}"


def hand(view: WormholesView) -> str:
    """The own coins that are left, and with notes every placed coin whose both sides are known."""
    lines = [
        f"{name}: {', '.join(value_name(coin[1]) for coin in view.hand if coin[0] == suit)}"
        for suit, name in SUITS.items()
        if any(coin[0] == suit for coin in view.hand)
    ]
    lines = ["Your coins still to place:", *lines] if lines else ["All your coins are placed."]
    known = [
        f"{coin.space} {coin_words(coin.suit + coin.value)}"
        for coin in view.coins
        if UNKNOWN not in (coin.suit, coin.value)
    ]
    if known:
        lines.append(_("You have seen: {coins}.").format(coins="; ".join(known)))
    return "\n".join(lines)


def question(verb: str, starts: Sequence[Sequence[str]]) -> str:
    """What a list asks for; spaces are in the order of their rows, twenty-five a list."""
    space = INDEX.get(starts[0][-1])
    if space is None:
        return _("Which coin?")
    asked = _("Where to send it?") if verb == "send" else _("Where to place it?")
    first, last = (XY[INDEX[each[-1]]][1] for each in (starts[0], starts[-1]))
    rows = _("Row {first}") if first == last else _("Rows {first} to {last}")
    return f"{asked} {rows.format(first=first, last=last)}"


def label(view: WormholesView, action: Action) -> str:
    """A button's words."""
    args = action.args
    if action.verb == "first":
        return "Place first" if args[0] == "place" else "Move first"
    if action.verb == "place":
        return f"{coin_words(args[0])} on {args[1]}"
    suit = SUITS[args[0]]
    if action.verb == "move":
        return f"{suit} {args[1]} → {end_of(view, action)}"
    if action.verb == "jump":
        return f"{suit} jump {args[1]} → {end_of(view, action)}"
    words = {"rolls": "take the die", "skips": "stay", "null": "use the null", "keep": "leave it"}
    return f"{suit}: {words[action.verb]}" if action.verb in words else f"{suit} → {args[1]}"


def end_of(view: WormholesView, action: Action) -> str:
    """Where a ship would end: by its die, or by a coin that all have seen; here if it stays."""
    suit, *way = action.args
    start = next(ship.space for ship in view.ships if ship.suit == suit)
    if not way:
        return start
    if action.verb == "move":
        value = next(die.value for die in view.dice if die.suit == suit)
    else:
        value = last_events(view, "turned")[-1].facts[1]
    return SPACES[ENDS[int(value)][INDEX[start]][way[0]]]


def last_events(view: WormholesView, *kinds: str) -> list[Event]:
    """The story's events of these kinds."""
    return [event for event in view.story if event.kind in kinds]
