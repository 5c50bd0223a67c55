"""Words in pictures: in the language that is spoken, as far as the typeface knows its letters."""

from __future__ import annotations

import re
from gettext import NullTranslations
from random import Random
from typing import Any

import pytest
from PIL import ImageDraw

from bot.i18n import catalogue, languages, sides
from engine import games
from engine.record import play
from render import cards, for_game
from render.i18n import NC_, format_change, format_span, full_stop, quoted, using
from render.text import drawable, drawable_translation, text_sprite
from tools.messages import fields_of


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """All that is written into pictures, those included that are usually kept."""
    texts: set[str] = set()
    draw = ImageDraw.ImageDraw.text

    def text(self: Any, xy: Any, text: str, *args: Any, **kwargs: Any) -> None:
        texts.add(text)
        draw(self, xy, text, *args, **kwargs)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    for kept in (text_sprite, cards.card):
        kept.cache_clear()
    return texts


def draw_match(name: str) -> None:
    """Draw random matches with the first and with the last values of options, now and then."""
    for place in (0, -1):
        _draw_match(name, place)


def _draw_match(name: str, place: int) -> None:
    game, random = games.get(name), Random(7)
    options = {option: values[place] for option, values in game.options.items()}

    def choose(legal: Any) -> Any:
        return game.fill(random.choice(legal), random.randrange)

    for length in (0, 2, 11, 30, 31, 32, 150, 2000):
        state, _ = play(
            game, game.start(game.rules[0], options), choose, lambda _: random.randrange, length
        )
        for_game(name).picture(game.view(state), sides(name))


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", games.names())
def test_the_typeface_has_every_letter_of_every_language(
    name: str, language: str, written: set[str]
) -> None:
    with using(catalogue(language)):
        draw_match(name)
    assert any(len(text) > 2 for text in written)
    assert not {text for text in written if drawable(f"a{text}a", "") != f"a{text}a"}


@pytest.mark.slow
def test_pictures_speak(written: set[str]) -> None:
    with using(catalogue("de")):
        draw_match("wormholes")
    assert {"Aufstellung", "legt", "★ gewinnt"} <= written
    assert not {"Set-up", "to place", "wins"} & written


class Marked(NullTranslations):
    """Every text is its fields and a letter that English lacks."""

    def gettext(self, message: str) -> str:
        return "".join(("Ž", *(f"{{{field}}}" for field in fields_of(message))))

    def pgettext(self, _context: str, message: str) -> str:
        return self.gettext(message)

    def ngettext(self, _one: str, many: str, _number: int) -> str:
        return self.gettext(many)


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_nothing_in_pictures_is_english(name: str, written: set[str]) -> None:
    with using(Marked()):
        draw_match(name)
    words = {text for text in written if re.search("[A-Za-z]{3}", text)}
    assert any("Ž" in text for text in written)
    assert words <= {*games.get(name).sides.values()}


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["+3.1", "−1,234", "5 days 3 hrs", "1 min"]),
        ("de", ["+3,1", "−1.234", "5 Tg. 3 Std.", "1 Min."]),
        ("pl", ["+3,1", "−1 234", "5 dni 3 godz.", "1 min"]),
        ("ja", ["+3.1", "−1,234", "5 日 3 時間", "1 分"]),
    ],
)
def test_changes_and_times_are_those_of_the_language(language: str, texts: list[str]) -> None:
    with using(catalogue(language)):
        changes = [format_change(3.14, 1), format_change(-1234)]
        times = [format_span(5 * 86_400 + 3 * 3_600 + 50), format_span(61)]
    plain = [" ".join(text.split()) for text in (*changes, *times)]
    assert plain == texts


def test_text_in_letters_that_the_typeface_lacks_is_english() -> None:
    class Strange(type(catalogue("en"))):  # type: ignore[misc]
        def pgettext(self, context: str, message: str) -> str:
            return {"wins": "გამარჯვება", "draw": "Žrębie"}.get(message, message)

    with using(Strange()):
        assert drawable_translation(NC_("result", "wins")) == "wins"
        assert drawable_translation(NC_("result", "draw")) == "Žrębie"


@pytest.mark.parametrize("name", games.names())
def test_sentences_of_a_story_end_as_in_the_language(name: str) -> None:
    game, random = games.get(name), Random(7)

    def choose(legal: Any) -> Any:
        return game.fill(random.choice(legal), random.randrange)

    assert full_stop() == "."
    with using(catalogue("ja")):
        for length in (40, 80, 2000):
            start = game.start(game.rules[0], {})
            state, _ = play(game, start, choose, lambda _: random.randrange, length)
            view = game.view(state)
            words = for_game(name).story(view, sides(name))
            words += for_game(name).prompt(view, sides(name))
            assert full_stop() in words
            assert "." not in words


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "“up 5”"), ("de", "„up 5“"), ("es", "«up 5»"), ("ja", "「up 5」")],
)
def test_quotation_marks_are_those_of_the_language(language: str, expected: str) -> None:
    with using(catalogue(language)):
        assert quoted("up 5") == expected
