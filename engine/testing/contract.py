"""Rules for each position of a game, apart from its secrets; see `engine.game.Game`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from random import Random

from engine.game import CHANCE, PUBLIC, Action, IllegalActionError
from engine.notation import Complete, parse
from engine.record import Record
from engine.testing.matches import MOST_ACTIONS, Played, begun, described, wrong_actions
from engine.testing.worlds import resampling_fault

RECORDS_SHARE = 0.05
"""Share of the positions whose records are replayed, which takes longest."""

WRITTEN = 4
"""Number of legal actions of a position that are read again as a player types them."""

Check = Callable[[Played, Random], Iterator[str]]


def faults(name: str, matches: int, more: tuple[Check, ...] = ()) -> dict[str, str]:
    """Play random matches: return check → an example of a fault.

    Args:
        name: name of an installed game.
        matches: number of matches to play.
        more: checks of positions beside those of the rules.
    """
    examples: dict[str, str] = {}
    for seed in range(matches):
        random = Random(f"contract {name} {seed}")
        match = begun(name, random)
        while not match.is_over and len(match.actions) < MOST_ACTIONS:
            _collect(match, random, examples, seed, more)
            try:
                match = match.after(match.any_action(random))
            except Exception as error:  # noqa: BLE001 - other people's code may raise anything
                examples.setdefault("play", f"{described(error)} (match {seed})")
                break
        _collect(match, random, examples, seed, more)
    return examples


def _collect(
    match: Played, random: Random, examples: dict[str, str], seed: int, more: tuple[Check, ...]
) -> None:
    """Add the faults of a position; whatever a check raises is one."""
    for check in CHECKS + more:
        try:
            texts = list(check(match, random))
        except Exception as error:  # noqa: BLE001 - other people's code may raise anything
            texts = [described(error)]
        for text in texts[:1]:
            last = f" after “{match.actions[-1]}”" if match.actions else ""
            name = check.__name__.removeprefix("_")
            examples.setdefault(name, f"{text}{last} (match {seed})")


def _pending(match: Played, _random: Random) -> Iterator[str]:
    """Yield faults of the seats that decide, and of the actions they have."""
    game, state = match.game, match.state
    pending, legal = game.pending(state), game.legal(state)
    if match.is_over == bool(pending):
        yield "a match is over if no seat is pending, and only then"
    if pending != CHANCE and not set(pending) <= set(match.seats):
        yield f"“{pending}” are not all seats"
    if pending and {action.actor for action in legal} != set(pending):
        yield f"“{pending}” are pending, but not each has a legal action, or others have one"
    if len(set(legal)) < len(legal):
        yield "a legal action is listed twice"
    parameters = {verb.name: len(verb.parameters) for verb in game.verbs}
    for action in (action for action in legal if action.actor != CHANCE):
        count = parameters.get(action.verb)
        if count is None:
            yield f"“{action.verb}” is none of the verbs"
        elif len(action.args) < count or (action.args and not count):
            yield f"“{action}” has {len(action.args)} arguments, and its verb {count} parameters"


def _same_again(match: Played, random: Random) -> Iterator[str]:
    """Yield differences between two runs of the same code."""
    game, state = match.game, match.state
    if game.legal(state) != game.legal(state):
        yield "the legal actions have no fixed order"
    if not match.is_over:
        action, before = match.any_action(random), game.dump(state)
        if match.after(action) != match.after(action):
            yield f"“{action}” leads to two positions"
        if game.dump(state) != before:
            yield f"“{action}” changes the position before it"


def _text(match: Played, _random: Random) -> Iterator[str]:
    """Yield faults of the position as text."""
    game, state = match.game, match.state
    text = game.dump(state)
    if len(text.splitlines()) > 1:
        yield "a position is more than one line"
    if game.load(text) != state:
        yield f"the position read from “{text}” is another one"
    if game.dump(game.load(text)) != text:
        yield f"“{text}” is not printed again"


def _refusals(match: Played, random: Random) -> Iterator[str]:
    """Yield illegal actions that are not refused, and refusals that change something."""
    game, state = match.game, match.state
    before, seat = game.dump(state), random.choice(match.seats)
    for action in (*wrong_actions(match, seat), Action("?", match.game.verbs[0].name)):
        try:
            game.apply(state, action)
        except IllegalActionError as error:
            str(error)
        else:
            yield f"“{action}” is legal"
    if game.dump(state) != before:
        yield "a refusal changes the position"


def _notation(match: Played, random: Random) -> Iterator[str]:
    """Yield actions that are not read again as they are written."""
    game, state = match.game, match.state
    seats = game.pending(state)
    if not seats:
        return
    legal = game.legal(state)
    for form in random.sample(legal, min(WRITTEN, len(legal))):
        if form.actor == CHANCE:
            action = game.chance(state, random.randrange)
        else:
            action = game.fill(form, random.randrange)
            if action.is_form:
                yield f"“{form}” is filled with “{action}”"
            reading = parse(game, state, action.actor, action.notation)
            if reading != Complete(action):
                yield f"“{action}”, typed by its player, is read as {reading}"
        if Action.parse(str(action)) != action:
            yield f"“{action}” is read again as “{Action.parse(str(action))}”"
        if not all(game.words.fullmatch(word.lower()) for word in action.args):
            yield f"“{action}” has words that are none of the game's"


def _events(match: Played, _random: Random) -> Iterator[str]:
    """Yield events that the game does not declare."""
    for event in match.events:
        names = match.game.events.get(event.kind)
        if names is None:
            yield f"the event “{event.kind}” is not declared"
        elif len(names) != len(event.facts):
            yield f"the event “{event}” has {len(event.facts)} facts, not {len(names)}"
        elif type(event).parse(str(event)) != event:
            yield f"the event “{event}” cannot be read again"


def _views(match: Played, random: Random) -> Iterator[str]:
    """Yield faults of views, and of worlds drawn for them."""
    for seat in (PUBLIC, *match.seats):
        view = match.game.view(match.state, seat)
        if (view.seat, view.seats, view.game) != (seat, match.seats, match.game.name):
            yield f"the view of “{seat}” names another seat, other seats or another game"
        if any(action.actor != seat for action in view.legal):
            yield f"the view of “{seat}” has actions of others"
        if more := getattr(view, "__dict__", {}).keys() - {field.name for field in fields(view)}:
            yield f"the view of “{seat}” carries {', '.join(sorted(more))}, which are no fields"
        if text := resampling_fault(match.game, match.state, seat, random.randrange(1000)):
            yield text


def _records(match: Played, random: Random) -> Iterator[str]:
    """Yield redacted records that do not fit the match."""
    if not match.is_over and random.random() > RECORDS_SHARE:
        return
    game, state = match.game, match.state
    for seat in (PUBLIC, *match.seats):
        redacted = game.redact(state, seat, match.actions)
        if [action[:2] for action in redacted] != [action[:2] for action in match.actions]:
            yield f"the record for “{seat}” has other actors or verbs"
            continue
        replayed = game.start(match.headers["Rules"], match.options)
        for action in game.fill_redacted(match.options, redacted):
            replayed, _ = game.apply(replayed, action)
        if game.pending(replayed) != game.pending(state):
            yield f"the filled record for “{seat}” leads elsewhere"
    again = Record.parse(str(match.record)).replay()
    if again.state != state:
        yield "the record, printed and read again, leads elsewhere"


CHECKS: tuple[Check, ...] = (
    _pending,
    _same_again,
    _text,
    _refusals,
    _notation,
    _events,
    _views,
    _records,
)
