"""Typed choices: real moves varied as people would write them, and any other text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from hypothesis import given
from hypothesis import strategies as st

from bot import i18n
from bot.i18n import catalogue, languages
from bot.views.choices import panel
from bot.views.typed_choices import ChoiceReader, _common_words, _words_of, proposal
from engine import games
from engine.game import CHANCE, Action, View
from engine.notation import find_action
from engine.wormholes.board import DIRECTIONS
from hatch_build import compiled
from render import for_game
from render.i18n import using
from render.renderer import DEFAULT_STYLE, Style
from render.wormholes.buttons import ARROWS
from render.wormholes.layout import layout
from render.wormholes.vocabulary import COMPASS_NAMES
from render.wormholes.words import end_of
from tests.support.tiers import examples, sampled
from tests.support.typed_moves import STYLES, answer, check_refusal, decisions
from tests.support.wormholes.positions import position


@pytest.mark.first(test=1)
@pytest.mark.parametrize("name", games.names())
def test_what_a_button_says_can_be_typed(name: str) -> None:
    typed = set()
    for _state, view in islice(decisions(name, 1), 60):
        buttons = [choice for row in panel(view).rows for choice in row.choices if choice.line]
        labels = [choice.label for choice in buttons]
        for choice in buttons:
            if labels.count(choice.label) == 1:
                read = ChoiceReader(view, DEFAULT_STYLE).read(f" {choice.label.upper()}")
                action = find_action(games.get(name), view.legal, read.line)
                assert action, choice
                assert action.notation == choice.line
                typed.add(action.verb)
    assert typed


# Real moves, varied


def wormholes_words(view: Any, action: Action, style: Style, random: Random) -> Iterator[str]:
    ships = {
        "S": ("S", "s", "Suns", "suns", "sun", "SUNS", "the suns", "Sonnen", "Sonne", "my Suns"),
        "M": ("M", "m", "Moons", "moon", "MOONS", "the moons", "Monde", "meine Monde"),
        "C": ("C", "c", "Crowns", "crown", "my crowns", "Kronen", "die Krone"),
        "A": ("A", "a", "Arms", "arms", "my arms", "Wappen"),
    }
    compass = {
        "N": ("N", "n", "north", "North", "Norden", "nach Norden"),
        "NE": ("NE", "northeast", "north-east", "north east", "NO", "Nordosten"),
        "E": ("E", "east", "EAST", "Osten", "O"),
        "SE": ("SE", "southeast", "south-east", "Südosten", "suedosten"),
        "S": ("S", "south", "Süden", "nach Süden"),
        "SW": ("SW", "southwest", "south west", "Südwesten"),
        "W": ("W", "west", "Westen"),
        "NW": ("NW", "northwest", "north-west", "Nordwesten"),
    }
    arrows = {
        "↑": ("up", "UP", "upwards", "oben", "nach oben", "hoch", "⬆️", "↑"),
        "↗": ("up right", "up-right", "right up", "oben rechts", "rechts oben", "↗️"),
        "→": ("right", "rechts", "nach rechts", "➡️"),
        "↘": ("down right", "bottom right", "unten rechts", "↘"),
        "↓": ("down", "unten", "nach unten", "runter", "⬇"),
        "↙": ("down left", "lower left", "links unten", "↙️"),
        "←": ("left", "links", "⬅️"),
        "↖": ("up left", "upper-left", "oben links", "↖"),
    }
    if action.verb in ("move", "jump"):
        ship = random.choice(ships[action.args[0]])
        arrow = ARROWS[layout(style, view.seat).way(action.args[1])]
        space = space_words(end_of(view, action), random)
        upright = not for_game("wormholes").mapped_directions(view.seat, style)
        way = random.choice((*(compass[action.args[1]] if upright else ()), *arrows[arrow]))
        yield from (f"{ship} {way}", f"{ship} to {space}", f"{ship} → {space}", f"{ship}: {space}")
        yield from (f"move {ship} to {space}", f"{ship} - {way}", f"{ship}, {way}!")
        yield from (f"I move {ship} to {space}, please", f"{ship} go {way}")
        if len(way) > 2:  # an S is rather the Suns than the south
            yield f"{way} with {ship}"
        yield from (f"ich ziehe {ship} nach {space}", f"bitte {ship} {way}", f"{ship} {space}")
    elif action.verb == "place":
        suit, value = [*action.args[0]]
        name = random.choice(ships[suit][2:])
        number = {"0": "black hole", "1": "ace", "2": "two", "3": "three", "4": "four", "5": "five"}
        space = space_words(action.args[1], random)
        coin = random.choice((suit + value, f"{name} {value}", f"{name} {number[value]}"))
        yield from (f"{coin} on {space}", f"place {coin} at {space}", f"put {coin} {space} please")
        yield from (f"{space} {name} {value}", f"{value} of {ships[suit][2]} to {space}")
        yield from (f"{name} {value} auf {space} setzen", f"lege {name} {value} auf {space}")
    elif action.verb == "send":
        space = space_words(action.args[1], random)
        yield from (f"to {space}", f"send them to {space}", f"away to {space}", f"nach {space}")
    elif action.verb == "keep":
        yield from ("keep them", "leave them", "let them stay", "sie stehen lassen")
    elif action.verb == "first":
        words = {"place": ("place first", "first coin"), "move": ("move first", "I go first")}
        yield from words[action.args[0]]


def space_words(space: str, random: Random) -> str:
    letter, number = space[0], space[1:]
    digits = {"2": "two", "5": "five", "9": "nine", "12": "twelve"}
    return random.choice(
        (space, space.upper(), number + letter, f"{letter} {digits.get(number, number)}", space)
    )


def warp6_words(view: View, action: Action, style: Style, random: Random) -> Iterator[str]:
    die = action.args[0]
    name = random.choice((die, die[1:], die[1:].upper(), die[2] + die[1], f"{die[1]} {die[2]}"))
    side = {"B": "black", "Y": "yellow", "W": "white"}[view.seat]
    name = random.choice((name, f"the {name}", f"my {name}", f"{side} {die[1:]}"))
    words = {
        "place": ("place", "put", "setze", "lege"),
        "move": ("move", "I move", "go with", "ziehe", "zieh"),
        "up": ("up", "raise", "increase", "+1", "erhöhe", "plus"),
        "down": ("down", "lower", "decrease", "-1", "senke", "minus"),
    }
    verb = random.choice(words[action.verb])
    yield from (f"{verb} {name}", f"{name} {verb}", f"{verb}: {name}!", f"{name} - {verb}")
    yield from (f"please {verb} {name}", f"{verb} {name} bitte", f"OK, {verb} die {name}.")


def tomtube_words(view: View, action: Action, style: Style, random: Random) -> Iterator[str]:
    words = {
        "build": ("build", "I build", "build please", "bauen", "draw a rhomb", "BUILD!"),
        "exchange": ("exchange", "swap an alien counter", "tauschen", "trade"),
        "drift": ("drift to", "drift", "I drift to", "float to", "schwebe nach", "drifte nach"),
        "control": ("control", "pay control, drift to", "pay control to"),
        "jump": ("jump to", "jump", "pay energy, jump to", "hop to", "springe nach"),
        "rhomb": ("rhomb", "place the rhomb on", "tile on", "rhomb at"),
        "tube": ("tube", "fill", "tubes on"),
        "blank": ("blank", "blank on", "fill with a blank"),
        "pass": ("pass", "leave empty"),
    }
    place = " ".join(for_game("tomtube").written(view.seat, arg, style) for arg in action.args)
    place = random.choice(
        (place, place.upper(), place.replace("-", " "), place.replace("-", " - "))
    )
    if action.args and action.args[0] in ("base", "module1"):
        place = {"base": "home", "module1": "module one"}[action.args[0]]
    verb = random.choice(words[action.verb])
    yield from (f"{verb} {place}", f"{place} {verb}", f"{verb} {place} please", f"{verb}: {place}!")


WORDS: dict[str, Callable[[View, Action, Style, Random], Iterator[str]]] = {
    "wormholes": wormholes_words,
    "warp6": warp6_words,
    "tomtube": tomtube_words,
}


@pytest.mark.first(test=3)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", WORDS)
@sampled(60, 500, 5000)
def test_moves_are_read_as_people_write_them(name: str, language: str, samples: int) -> None:
    game, random = games.get(name), Random(f"{name} {language}")
    read, verbs = 0, set[str]()
    with using(catalogue(language)):
        for state, view in islice(decisions(name), samples):
            legal = [action for action in view.legal if not action.is_form]
            by_verb = {action.verb: action for action in random.sample(legal, len(legal))}
            if not by_verb:
                continue
            action = random.choice(list(by_verb.values()))
            style = random.choice(STYLES)
            text = random.choice([*WORDS[name](view, action, style, random), action.notation])
            result = answer(game, state, view, text, style)
            if isinstance(result, str):  # several legal choices fit, and it names some of them
                assert ChoiceReader(view, style).read(text).meanings, (text, str(action), result)
            else:
                assert result == action, (text, str(action), str(result))
                read, verbs = read + 1, verbs | {action.verb}
    assert read >= samples * 0.85
    assert verbs >= {*WORDS_NEEDED[name]}


WORDS_NEEDED = {
    "wormholes": ("move", "place"),
    "warp6": ("place", "move", "up", "down"),
    "tomtube": ("build", "drift", "rhomb"),
}


def turn(name: str, verb: str = "move") -> tuple[Any, View]:
    """A position in which a player has a choice of moves."""
    return next(
        (state, view)
        for state, view in decisions(name, 1)
        if len([action for action in view.legal if action.verb == verb]) > 2
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("S", "S"),
        ("suns please", "move S"),
        ("I move my moons", "move M"),
        ("nothing like it", "nothing like it"),
        ("move S to q77", "move S to q77"),
        ("I resign", "resign"),
        ("Ich gebe auf!", "resign"),
        ("offer a draw", "draw offer"),
    ],
)
def test_what_is_no_whole_choice_is_read_as_far_as_it_goes(text: str, line: str) -> None:
    seat, dice = "O", "S3 M4"
    state = position({"S": "f8", "M": "e8"}, dice=dice)
    reader = ChoiceReader(games.get("wormholes").view(state, seat), DEFAULT_STYLE)
    assert reader.read(text) == (line, ())


def test_a_choice_is_made_only_if_its_last_word_is_said() -> None:
    state = position({"S": "j1"}, {"j1": "A4"}, "S0 M-")
    view = games.get("wormholes").view(state, "O")
    assert [action.notation for action in view.legal] == ["null S"]
    reader = ChoiceReader(view, DEFAULT_STYLE)
    assert reader.read("activate please") == ("null", ())
    assert reader.read("activate suns") == ("null S", ())
    assert reader.read("offer").line == "offer"
    assert reader.ambiguous(reader.read("offer").meanings) == "That could mean “draw offer”."


def test_several_meanings_are_named_as_they_can_be_typed() -> None:
    state = position({"S": "f8", "M": "f10"}, dice="S1 M1")
    reader = ChoiceReader(games.get("wormholes").view(state, "O"), DEFAULT_STYLE)
    line, meanings = reader.read("up")
    assert line == "up"
    assert reader.ambiguous(meanings) == "That could mean “move S ↑” or “move M ↑”."
    state, view = turn("warp6")
    reader = ChoiceReader(view, DEFAULT_STYLE)
    many = reader.ambiguous(view.legal)
    assert many.startswith("That could mean many things, such as “move 8a”")
    assert many.count("“") == 3


def test_order_is_quoted_as_typed() -> None:
    game = games.get("wormholes")
    roll_off = Action(CHANCE, "rolloff", ("S5", "M0", "C5", "A4"))
    state, _events = game.apply(game.start("0.6", {}), roll_off)
    reader = ChoiceReader(game.view(state, "D"), DEFAULT_STYLE)
    line = reader.read_order("arms 9 h4")
    assert line == "A9 h4"
    assert reader.as_typed(line) == "arms 9 h4"


def test_unknown_word_is_left_out_of_a_guess() -> None:
    state = position({"S": "f8", "M": "f10"}, dice="S1 M1")
    reader = ChoiceReader(games.get("wormholes").view(state, "O"), DEFAULT_STYLE)
    guess = reader.guess("wibble suns up")
    assert guess
    unknown, meanings = guess
    assert (unknown, [action.notation for action in meanings]) == ("wibble", ["move S W"])
    question = reader.ambiguous(meanings, unknown)
    assert question == "I don't know “wibble” here. Did you mean “move S ↑”?"
    several = reader.guess("up wibble")
    assert several
    assert several.meanings == reader.read("up").meanings
    for text in ("wibble", "wibble wobble up", "suns up", "", "wibble suns to q77"):
        assert reader.guess(text) is None, text
    long = reader.ambiguous(meanings, "x" * 900)
    assert len(long) < 100


def test_words_for_one_verb_choose_no_other() -> None:
    """A text from `/wormholes place` is no *Place first*, whatever its arguments are."""
    game = games.get("wormholes")
    roll_off = Action(CHANCE, "rolloff", ("S5", "M0", "C5", "A4"))
    state, _events = game.apply(game.start("0.6", {}), roll_off)
    view = game.view(state, "D")
    reader = ChoiceReader(view, DEFAULT_STYLE)
    assert reader.read("place please .").line == "first place"
    assert reader.read("place please .", "place").line == "place please ."
    assert reader.read("place please .", "first").line == "first place"
    assert reader.read("place ?") == ("place ?", ())


@pytest.fixture
def _german_and_spanish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace the languages by German, where O is the east, and Spanish, where it is the west."""
    (tmp_path / "de").symlink_to(i18n.LOCALES / "de")
    spanish = Catalog(locale="es", fuzzy=False)
    spanish.add(COMPASS_NAMES["W"], "oeste, O")
    file = tmp_path / "es" / "LC_MESSAGES" / "starpost.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled(spanish))
    monkeypatch.setattr(i18n, "LOCALES", tmp_path)
    for words in (_words_of, _common_words):
        words.cache_clear()
    yield
    for words in (_words_of, _common_words):
        words.cache_clear()


UPRIGHT = Style(orientation="portrait")
"""A picture with the north at its top."""


@pytest.mark.parametrize(
    ("text", "lines", "question"),
    [
        ("suns north", ["move S N", "move S W"], "N means → on your picture. Did you mean → or ↑?"),
        ("s n", ["move S N", "move S W"], "N means → on your picture. Did you mean → or ↑?"),
        ("N", ["move S N", "move S W"], "N means → on your picture. Did you mean → or ↑?"),
        ("Sonnen nach Norden", ["move S N", "move S W"], "Did you mean → or ↑?"),
        ("M nw", ["move M SW", "move M NW"], "NW means ↗ on your picture. Did you mean ↗ or ↖?"),
        ("suns south", ["move S S"], "S means ← on your picture. Did you mean ←?"),
        ("suns east", ["move S N"], "E means ↓ on your picture. Did you mean →?"),
        ("suns north east", ["move S NE"], "NE means ↘ on your picture. Did you mean ↘?"),
    ],
)
def test_a_compass_word_asks_where_the_picture_is_turned(
    text: str, lines: list[str], question: str
) -> None:
    view = games.get("wormholes").view(turned_position(), "O")
    reader = ChoiceReader(view, DEFAULT_STYLE)
    _line, meanings = reader.read(text)
    assert [action.notation for action in meanings] == lines
    sentence = reader.compass_question(reader.compass(text), meanings).replace("\ufe0e", "")
    assert sentence.startswith("In records, ")
    assert sentence.endswith(question)
    upright = ChoiceReader(view, UPRIGHT)
    assert not upright.compass(text)
    record_line = upright.read(text)
    assert not [action for action in record_line.meanings if action.notation not in lines]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("suns up", "move S W"),
        ("S ↑", "S W"),
        ("S f11", "move S N"),
        ("move S N", "move S N"),
        ("move S", "move S"),
        ("s", "s"),
    ],
)
def test_words_without_compass_are_read_at_once(text: str, line: str) -> None:
    view = games.get("wormholes").view(turned_position(), "O")
    reader = ChoiceReader(view, DEFAULT_STYLE)
    assert reader.read(text) == (line, ())
    assert not reader.doubtful_direction(text)


def test_record_form_of_a_command_for_one_verb_asks() -> None:
    """In the field of `/wormholes move`, a direction is typed as a single letter."""
    view = games.get("wormholes").view(turned_position(), "O")
    reader = ChoiceReader(view, DEFAULT_STYLE)
    assert len(reader.read("move S N", "move").meanings) == 2
    assert reader.read("move S →", "move") == ("move S N", ())


def turned_position() -> Any:
    """A position in which both ships have several directions; Suns go 3 spaces, Moons 4."""
    return position({"S": "f8", "M": "g11"}, dice="S3 M4")


@pytest.mark.usefixtures("_german_and_spanish")
def test_words_are_those_of_the_readers_language_first() -> None:
    state = position({"S": "f8", "M": "f10"}, dice="S1 M1")
    view = games.get("wormholes").view(state, "O")
    lines = {}
    for language in ("de", "es", "en"):
        with using(catalogue(language)):
            lines[language] = ChoiceReader(view, UPRIGHT).read("moons O")
    assert lines["de"] == ("move M E", ())
    assert lines["es"] == ("move M W", ())
    assert {action.notation for action in lines["en"].meanings} == {"move M E", "move M W"}


@pytest.mark.parametrize("number", ["2", "dois", "duas"])
def test_a_number_is_read_in_each_of_its_forms(number: str) -> None:
    view = next(
        view
        for _, view in decisions("wormholes")
        if "place S2 e9" in [action.notation for action in view.legal]
    )
    with using(catalogue("pt_BR")):
        assert ChoiceReader(view, DEFAULT_STYLE).read(f"{number} de sóis em e9") == (
            "place S2 e9",
            (),
        )


def test_further_choices_follow_after_semicolons() -> None:
    state = position({"S": "f8", "M": "f10"}, dice="S1 M1")
    reader = ChoiceReader(games.get("wormholes").view(state, "O"), DEFAULT_STYLE)
    assert reader.read("suns up; moons left").line == "move S W; move M S"
    assert reader.read("suns up; hello").line == "move S W; hello"
    assert reader.read("up; moons left").meanings
    wide = "\uff1b"
    assert reader.read(f"太陽を上へ{wide}月を左へ").line == "move S W; move M S"


POSITIONS = {name: list(islice(decisions(name, 3), 40)) for name in games.names()}

REFUSED = {
    "wormholes": ("move S to d9", "move suns north 2", "move arms left down", "jump arms up left",
                  "move crowns down", "take back", "hint", "hello", "", "move", "S S S S"),
    "warp6": ("move 8a up", "move 4", "8a +9", "take back", "zieh 9z", "jump 8a now"),
    "tomtube": ("drift to z9", "drift", "jump e5 e6 e7", "move", "rhomb", "place it there"),
}  # fmt: skip


@pytest.mark.first(test=8)
@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in REFUSED.items() for t in texts])
def test_sentences_of_people_are_refused_with_a_legal_example(name: str, text: str) -> None:
    for state, view in POSITIONS[name][::5]:
        check_refusal(games.get(name), state, view, text, STYLES[len(text) % len(STYLES)])


# Any other text


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
@sampled(50, 300, 5000)
def test_salad_of_words_is_refused_with_a_legal_example(name: str, samples: int) -> None:
    game, random = games.get(name), Random(name)
    extra = [
        "d9",
        "S4",
        "8a",
        "72",
        "+1",
        "?",
        "b8a5",
        "e3-d1",
        "-1,2",
        "hello",
        "ƒ",
        ";",
        "\u202e",
    ]
    for state, view in islice(decisions(name, 9), samples):
        style = random.choice(STYLES)
        vocabulary = [*_words_of(name, view.seat, style, languages()).words, *extra]
        words = [
            *random.choices(vocabulary, k=random.randrange(1, 6)),
            *random.choice(view.legal)[1:2],
        ]
        random.shuffle(words)
        check_refusal(game, state, view, " ".join(words), style)


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
@examples(40, 300, 10_000)
@given(place=st.integers(0, 39), text=st.text(max_size=60), style=st.sampled_from(STYLES))
def test_any_text_is_refused_with_a_legal_example(
    name: str, place: int, text: str, style: Style
) -> None:
    state, view = POSITIONS[name][place]
    check_refusal(games.get(name), state, view, text, style)


@pytest.mark.parametrize("name", games.names())
def test_text_without_a_decision_is_refused_without_an_example(name: str) -> None:
    game, (state, view) = games.get(name), POSITIONS[name][-1]
    own_view = game.view(state, next(seat for seat in view.seats if seat not in view.pending))
    assert ChoiceReader(own_view, DEFAULT_STYLE).example("hello") == ""
    assert isinstance(answer(game, state, own_view, "hello", DEFAULT_STYLE), str)


@pytest.mark.parametrize(
    ("written", "label", "name"),
    [
        ("drift c6-b4", "c6-b4: drift to the sphere c6-b4", "c6-b4: drift to the sphere c6-b4"),
        ("build", "Build", "Build"),
        ("drift module2", "module 2: drift to it", "drift module2: module 2: drift to it"),
        ("S ↗", "Suns to d9", "S ↗: Suns to d9"),
    ],
)
def test_a_proposal_says_nothing_twice(written: str, label: str, name: str) -> None:
    assert proposal(written, label) == name


@pytest.mark.parametrize("name", games.names())
def test_choices_that_are_not_legal_yet_are_guessed_too(name: str) -> None:
    """Lines of plans are read with all possible choices, such as moves that leave the board."""
    text = {"wormholes": "wibble suns up", "warp6": "wibble 8a", "tomtube": "wibble build"}[name]
    guesses = 0
    for state, view in POSITIONS[name][-12:]:
        possible = tuple(games.get(name).plannable(state, view.seat))
        reader = ChoiceReader(replace(view, legal=possible), DEFAULT_STYLE, is_plan=True)
        guesses += reader.guess(text) is not None
        assert not reader.guess("wibble wobble")
    assert guesses or name == "wormholes"


@pytest.mark.parametrize("language", languages())
def test_words_for_arrows_of_a_plan_are_read_back(language: str) -> None:
    view = games.get("wormholes").view(position({"S": "e12"}, {}, "S1 M-"), "O")
    renderer = for_game("wormholes")
    lines = [
        f"{verb} {ship} {way}" for verb in ("move", "jump") for ship in "SM" for way in DIRECTIONS
    ]
    with using(catalogue(language)):
        for style in STYLES:
            reader = ChoiceReader(view, style)
            for line in lines:
                typed = renderer.spelled("O", line, style)
                assert not {*typed} & {*ARROWS.values()}
                assert not reader.doubtful_direction(typed)
                assert reader.read_order(typed) == line, typed
                assert ChoiceReader(view, style).as_typed(line) == typed
