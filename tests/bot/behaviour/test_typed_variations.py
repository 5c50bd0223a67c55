"""Legal moves of random positions, varied: read as the same move, or refused with an example."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest

from bot.i18n import catalogue
from bot.views.typed_choices import ChoiceReader
from engine import games
from engine.game import Action, View
from render import for_game
from render.i18n import using
from render.renderer import Style
from tests.support.tiers import sampled
from tests.support.typed_moves import STYLES, answer, check_refusal, decisions

Variation = Callable[[str, Random], str]

_DIGITS = {"1": "one", "2": "zwei", "3": "three", "4": "vier", "5": "five", "6": "sechs"}
_EMOJIS = {"↑": "⬆️", "→": "➡️", "↓": "⬇️", "←": "⬅️", "↗": "↗️"}


def without_verb(text: str, random: Random) -> str:
    return " ".join(text.split()[1:]) or text


def shuffled(text: str, random: Random) -> str:
    words = text.split()
    return " ".join(random.sample(words, len(words)))


def in_other_case(text: str, random: Random) -> str:
    return random.choice((text.upper(), text.lower(), text.title(), text.swapcase()))


def politely(text: str, random: Random) -> str:
    words = (
        "{} please",
        "please {}",
        "I'd like to {}",
        "ok, {}!",
        "bitte {}",
        "ich will {}, danke",
    )
    return random.choice(words).format(text)


def punctuated(text: str, random: Random) -> str:
    return random.choice(("{}.", "{}!!", "  {}  ", "({})", "“{}”", "{} …", "> {}")).format(text)


def with_commas(text: str, random: Random) -> str:
    return text.replace(" ", random.choice((", ", "  ", " - ", ": ", " … ")))


def with_numbers_in_words(text: str, random: Random) -> str:
    return " ".join(_DIGITS.get(word, word) for word in text.split())


def with_emojis(text: str, random: Random) -> str:
    return "".join(_EMOJIS.get(letter, letter) for letter in text)


def with_a_typo(text: str, random: Random) -> str:
    place = random.randrange(len(text))
    return text[:place] + random.choice("xq7?") + text[place + 1 :]


VARIATIONS: tuple[Variation, ...] = (
    *(without_verb, shuffled, in_other_case, politely, punctuated, with_commas),
    *(with_numbers_in_words, with_emojis),
)
"""They keep the meaning of a move, or leave some of it out."""


def typed_forms(view: View, action: Action, style: Style) -> tuple[str, ...]:
    """Return a move in notation, as refusals write it, and as buttons and plans say it."""
    renderer = for_game(view.game)
    written = renderer.written(view.seat, action.notation, style)
    return (action.notation, written, renderer.planned(view, action, style))


def free_move(action: Action) -> Action | None:
    """Return the drift that the place of a jump means without a verb, where one is free."""
    return action._replace(verb="drift") if action.verb == "jump" else None


@pytest.mark.parametrize("name", games.names())
@sampled(40, 120, 5000)
def test_varied_moves_are_read_as_the_same_or_refused(name: str, samples: int) -> None:
    game, random, read = games.get(name), Random(name), 0
    for state, view in islice(decisions(name, 21), samples):
        legal = [action for action in view.legal if not action.is_form]
        if not legal:
            continue
        action, style = random.choice(legal), random.choice(STYLES)
        with using(catalogue(random.choice(("en", "de")))):
            text = random.choice(typed_forms(view, action, style))
            variations = random.sample(VARIATIONS, random.randrange(1, 4))
            for vary in variations:
                text = vary(text, random)
            result = answer(game, state, view, text, style)
            if isinstance(result, Action):
                is_free = without_verb in variations and result == free_move(action)
                assert result == action or is_free, (text, str(action))
                read += 1
            elif meanings := ChoiceReader(view, style).read(text).meanings:
                assert action in meanings, (text, str(action))
            else:
                check_refusal(game, state, view, text, style)
    assert read >= samples * 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
@sampled(20, 120, 5000)
def test_moves_with_a_typo_are_answered(name: str, samples: int) -> None:
    game, random = games.get(name), Random(name)
    for state, view in islice(decisions(name, 22), samples):
        style = random.choice(STYLES)
        text = with_a_typo(random.choice(typed_forms(view, view.legal[0], style)), random)
        check_refusal(game, state, view, text, style)
