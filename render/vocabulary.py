"""Words that people use for moves of any game, in the current language and in English.

Lists of words are texts with commas, so that each language has its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.game import AnyGame
from engine.wording import ANSWER, VERB, Trait
from render.i18n import N_, _

OF = N_("of, of the")
"""Words between the name of a kind and that of one piece."""

Names = Iterator[tuple[str, Trait]]
"""Names of traits; see `engine.wording`."""


def spoken(text: str) -> set[str]:
    """Return the words of a list, in the current language and in English."""
    return {word.strip() for words in (text, _(text)) for word in words.split(",")}


def names_of(trait: str, lists: Mapping[str, str]) -> Names:
    """Yield the names of a trait's values.

    Args:
        trait: name of the trait.
        lists: value → its names as a list, see `spoken`.
    """
    for value, text in lists.items():
        yield value, (trait, value)
        for name in spoken(text):
            yield name, (trait, value)


def common_names(game: AnyGame) -> Names:
    """Yield the names of a game's verbs, and of what all games share."""
    yield from names_of(VERB, {verb.name: verb.name for verb in game.verbs})
    yield from shared_names()


def shared_names() -> Names:
    """Yield the names of what players do in every game besides moves."""
    yield from names_of(VERB, _SHARED)
    yield from names_of(ANSWER, _ANSWERS)


def fillers() -> set[str]:
    """Return the words without a separate meaning that people add to a move."""
    return {"→", *spoken(_FILLERS)}


def numbers() -> dict[str, str]:
    """Return the numbers from 0 to 20 in words → in digits.

    A number can have several forms, with spaces between them: dois duas.
    """
    lists = [words.split(",") for words in (_NUMBERS, _(_NUMBERS))]
    return {
        form: f"{number}"
        for words in lists
        for number, forms in enumerate(words)
        for form in forms.split()
    }


# Several values share words such as “leave”; the legal actions tell them apart.

_SHARED = {
    "resign": N_("resign, give up, concede, surrender, quit"),
    "leave": N_("leave, leave the match, quit"),
    "draw": N_("draw, a draw"),
    "takeback": N_(
        "take back, takeback, take it back, take that back, take my move back, back, go back, "
        "undo, undo that, undo my move, revert, oops"
    ),
    "hint": N_(
        "hint, tip, help, help me, advice, suggest, suggestion, suggest a move, what should i do, "
        "what now, what next, best move"
    ),
}

_ANSWERS = {
    "offer": N_("offer, propose, suggest, ask for"),
    "accept": N_("accept, agree, agree to, yes"),
    "decline": N_("decline, refuse, reject, no"),
}

_FILLERS = N_(
    "please, pls, plz, i, i'd, i'll, i'm, we, you, me, my, mine, our, your, the, a, an, this, "
    "that, it, its, them, to, on, onto, in, into, at, by, of, for, with, from, towards, toward, "
    "and, then, now, next, first, so, just, want, would, like, will, let, let's, lets, can, "
    "could, should, try, make, do, use, using, take, choose, pick, play, move, number, piece, "
    "pieces, field, space, square, spot, place, way, direction, ship, ships, die, dice, coin, "
    "coins, hi, hello, hey, ok, okay, thanks, thank, am, think, guess, going, gonna, spaces, "
    "fields, squares, steps, step, give, show"
)

_NUMBERS = N_(
    "zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, "
    "fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty"
)
