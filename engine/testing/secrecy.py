"""Check that a game hides its secrets: two matches that look alike to a reader, side by side.

At random decisions a match is continued twice, with choices that a reader cannot tell apart: the
record hides the difference, or others choose at the same time. Everything that the reader can know
has to be equal, and to stay equal, until the record reveals the choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from random import Random
from typing import Any, NamedTuple

from engine import games
from engine.game import CHANCE, OPEN_VALUE, PUBLIC, Action, IllegalActionError
from engine.testing.matches import Played, played, wrong_actions

LENGTHS = (1, 3, 12, 60)
"""Maximum numbers of actions before a choice that is made twice: more is hidden early."""

SEARCHED = 12
"""Number of actions in which such a choice is looked for."""

FOLLOWED = 6
"""Number of actions that follow it."""

ENDING_SHARE = 0.3
"""Share of these actions that offer a draw, answer one, or give up."""

DEALT = 12
"""Number of outcomes of chance among which one is looked for that looks the same."""

TRIED = 8
"""Number of actions that a reader tries, to read refusals."""

DRAWN = 2
"""Number of pairs whose pictures are drawn for the public, and for a seat."""

Facts = Callable[[Played, str, bool], dict[str, Any]]
"""Returns place → what a reader can know there; pictures only if asked for."""

Offers = Callable[[Played], Sequence[str]]
"""Returns the secret verbs whose arguments are offered to all players."""


class Pair(NamedTuple):
    """Two matches that differ in one choice.

    Attributes:
        reader: the seat, or the public, that cannot know the difference.
        waiting: seats that have had to choose since before the choice was made.
    """

    one: Played
    two: Played
    reader: str
    waiting: str

    @property
    def is_alike(self) -> bool:
        """Whether the reader still cannot know the difference."""
        game, (one, two) = self.one.game, self[:2]
        if one.is_over or two.is_over:
            return False
        records = [game.redact(match.state, self.reader, match.actions) for match in (one, two)]
        return bool(self.waiting) or records[0] == records[1]


def leaks(name: str, samples: int, tell: Facts, offers: Offers = lambda _: ()) -> dict[str, str]:
    """Find leaks: return place where a game shows a hidden choice → an example.

    Args:
        samples: number of matches to play.
        tell: returns all that a reader can know of a match; see `facts`.
        offers: returns the secret verbs whose arguments all players can see.
    """
    examples: dict[str, str] = {}
    pairs, differs = Counter[bool](), False
    for seed in range(samples):
        random = Random(f"{name} {seed}")
        match = played(name, random, random.choice(LENGTHS))
        for verb in offers(match):
            examples.setdefault("public board", f"offers “{verb}” (match {seed})")
        for _ in range(SEARCHED):
            if match.is_over:
                break
            match, pair = _choice(match, random, examples)
            differs = differs or (not match.is_over and _differs_by_seat(match))
            if pair:
                is_seat = bool(pair.reader)
                for where, text in _differences(pair, random, tell, drawn=pairs[is_seat] < DRAWN):
                    examples.setdefault(where, f"{text} (match {seed})")
                pairs[is_seat] += 1
                break
    secret = [verb.name for verb in games.get(name).verbs if verb.secret and verb.parameters]
    if secret and not pairs:
        examples["verb"] = f"{secret} are secret, but the record hides none of them"
    if secret and not differs:
        examples["views"] = f"{secret} are secret, but all seats have equal views"
    return examples


def _differs_by_seat(match: Played) -> bool:
    """Return whether the position looks different to two seats, apart from what they can do."""
    views = [match.game.view(match.state, seat) for seat in match.seats]
    names = {field.name for field in fields(views[0])} - {"seat", "legal"}
    return any(getattr(views[0], name) != getattr(view, name) for name in names for view in views)


def _choice(match: Played, random: Random, examples: dict[str, str]) -> tuple[Played, Pair | None]:
    """Return the match after a choice, and beside it one after a choice that looks the same.

    Args:
        match: the match before.
        examples: collects faults of the choice itself.
    """
    game, action = match.game, match.any_action(random)
    after = match.after(action)
    if not action.args or after.is_over:
        return after, None
    if action.actor == CHANCE:
        return after, _other_deal(match, after, random, examples)
    others = match.seats.replace(action.actor, "")
    reader = random.choice((PUBLIC, *others))
    redacted = game.redact(after.state, reader, after.actions)[-1]
    pending = set(game.pending(match.state)) & set(game.pending(after.state)) - {action.actor}
    waiting = "".join(sorted(pending))
    hidden = any(OPEN_VALUE in arg for arg in redacted.args)
    if not (hidden or waiting):
        return after, None
    verb = next(verb for verb in game.verbs if verb.name == action.verb)
    if not verb.secret:
        why = "the record hides it" if hidden else "others choose at the same time"
        examples.setdefault("verb", f"{verb.name} is not marked secret, but {why}: {action}")
    if not hidden:
        examples.setdefault("record", f"{redacted} while {waiting} have to choose")
    pattern = redacted if hidden else Action(action.actor, action.verb, (OPEN_VALUE,))
    other = other_choice(match, action, pattern, random)
    if other is None:
        return after, None
    return after, Pair(after, match.after(other), reader, waiting)


def _other_deal(
    match: Played, after: Played, random: Random, examples: dict[str, str]
) -> Pair | None:
    """Return a match beside another one in which chance hides something else from a reader.

    Args:
        match: the match before.
        after: the match after the outcome.
        examples: collects faults of the record.
    """
    game, seats = match.game, (PUBLIC, *match.seats)
    reader = random.choice(seats)
    redacted = game.redact(after.state, reader, after.actions)
    is_hidden = any(OPEN_VALUE in arg for arg in redacted[-1].args)
    for _ in range(DEALT):
        other = match.after(match.any_action(random))
        if other.actions[-1] == after.actions[-1]:
            continue
        if game.redact(other.state, reader, other.actions) == redacted:
            return Pair(after, other, reader, "")
        hides = [game.view(other.state, seat) == game.view(after.state, seat) for seat in seats]
        if not is_hidden and hides[seats.index(reader)] and not all(hides):
            outcomes = f"“{after.actions[-1]}” or “{other.actions[-1]}”"
            examples.setdefault("record", f"shows {outcomes}, which views hide")
    return None


def other_choice(match: Played, action: Action, pattern: Action, random: Random) -> Action | None:
    """Return another legal action that a redacted one may be; None if there is none."""
    forms = [form for form in match.game.legal(match.state) if form[:2] == action[:2]]
    random.shuffle(forms)
    for form in forms:
        filled = match.game.fill(form, random.randrange)
        if filled != action and fits(filled, pattern):
            return filled
    return None


def fits(action: Action, redacted: Action) -> bool:
    """Return whether an action may be the one that a record shows in part.

    Example:
        >>> fits(Action("O", "place", ("S4", "e9")), Action("O", "place", ("S?", "e9")))
        True
    """
    if action[:2] != redacted[:2]:
        return False
    if redacted.args == (OPEN_VALUE,):
        return True
    return len(action.args) == len(redacted.args) and all(
        arg.startswith(form[:-1]) if form.endswith(OPEN_VALUE) else arg == form
        for arg, form in zip(action.args, redacted.args, strict=True)
    )


def _differences(
    pair: Pair, random: Random, tell: Facts, *, drawn: bool
) -> Iterator[tuple[str, str]]:
    """Yield the differences that the reader sees until the choice is revealed."""
    number = len(pair.one.actions)
    for step in range(FOLLOWED):
        one, two = (tell(match, pair.reader, drawn and not step) for match in pair[:2])
        since = "; ".join(map(str, pair.one.actions[number - 1 :]))
        reader = f"seat {pair.reader}" if pair.reader else "the public"
        yield from (
            (where, f"to {reader} after {since}") for where in one if one[where] != two[where]
        )
        pair = _continued(pair, random)
        if not pair.is_alike:
            break


def _continued(pair: Pair, random: Random) -> Pair:
    """Return both matches after the same action; as they are if it is not legal in both."""
    ends = random.random() < ENDING_SHARE
    action = pair.one.any_ending(random) if ends else pair.one.any_action(random)
    try:
        one, two = pair.one.after(action), pair.two.after(action)
    except IllegalActionError:
        return pair
    pending = one.game.pending(one.state)
    chooser = "" if ends else action.actor
    waiting = "".join(seat for seat in pair.waiting if seat in pending and seat != chooser)
    return Pair(one, two, pair.reader, waiting)


def facts(match: Played, reader: str) -> dict[str, Any]:
    """Return all that a seat, or the public, can know of a match in progress by its rules."""
    game, state = match.game, match.state
    view = game.view(state, reader)
    facts_by_place: dict[str, Any] = {
        "event": match.events,
        **{f"view: {field.name}": getattr(view, field.name) for field in fields(view)},
        "record": game.redact(state, reader, match.actions),
        "resampling": game.dump(game.resample_view(state, reader, Random(1).randrange)),
        "refusal": _refusals(match, reader),
    }
    if reader:
        facts_by_place |= {
            "memory": game.redact_for_infostate(state, reader, match.actions),
            "redealing": game.dump(game.resample_infostate(state, reader, Random(1).randrange)),
            "plan": game.plannable(state, reader),
        }
    return facts_by_place


def _refusals(match: Played, reader: str) -> list[str]:
    """Return the refusals of actions that may be legal later, or were before."""
    game, random, answers = match.game, Random(1), list[str]()
    earlier = [action for action in match.actions if action.actor == reader]
    forms = [*game.plannable(match.state, reader), *earlier] if reader else []
    tried = [
        game.fill(form, random.randrange) for form in random.sample(forms, min(TRIED, len(forms)))
    ]
    for action in (*tried, *(wrong_actions(match, reader) if reader else ())):
        try:
            match.after(action)
        except IllegalActionError as error:
            answers.append(f"{error} [{error.rule}]")
        else:
            answers.append("legal")
    return answers
