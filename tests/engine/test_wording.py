"""Words for moves: how texts are split, which words count, and what they say."""

from __future__ import annotations

import pytest

from engine import games
from engine.game import Action
from engine.wording import (
    MAX_WORDS,
    Trait,
    Vocabulary,
    determines,
    find_meant,
    nearest,
    spell,
    split_words,
    traits_of,
)

GAME = games.get("wormholes")
SUNS, MOONS, CROWNS = ("ship", "S"), ("ship", "M"), ("ship", "C")
NORTH, SOUTH, SPACE = ("direction", "N"), ("direction", "S"), ("space", "d9")
NAMES = [
    ("suns", SUNS), ("S", SUNS), ("moons", MOONS), ("crowns", CROWNS), ("up", NORTH), ("N", NORTH),
    ("S", SOUTH), ("d9", SPACE), ("go up", ("verb", "move")), ("move", ("verb", "move")),
    ("take the 4", ("value", "4")),
]  # fmt: skip
WORDS = Vocabulary(NAMES, {"please", "s", "the"}, {"nine": "9", "four": "4"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Suns – D9, please!", ("suns", "d9", "please")),
        ("suns-north", ("suns", "north")),
        ("S➡️d9", ("s", "→", "d9")),
        ("8a −1, +1", ("8a", "-1", "+1")),
        ("drift −1,2", ("drift", "-1,2")),
        ("I’ll go", ("i'll", "go")),
        ("Ｓüden", ("süden",)),  # noqa: RUF001 - a letter of full width
        ("🦑 – …!", ()),
        ("up?", ("up", "?")),
        ("up\x04", ("up", "\x04")),
        ("太陽を↑へ", ("太", "陽", "を", "↑", "へ")),
        ("コインD9", ("こ", "い", "ん", "d9")),
        ("8aをー1 6aを+1に", ("8a", "を", "-1", "6a", "を", "+1", "に")),
        ("ｉ６ーｈ４ コーン", ("i6", "h4", "こ", "ー", "ん")),
    ],
)
def test_texts_are_split_into_words(text: str, words: tuple[str, ...]) -> None:
    assert split_words(text) == words


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("suns up", {SUNS, NORTH}),
        ("up suns suns", {SUNS, NORTH}),
        ("moons d nine", {MOONS, SPACE}),
        ("moons 9d", {MOONS, SPACE}),
        ("moons +up", {MOONS, NORTH}),
        ("please take the four", {("value", "4")}),
    ],
)
def test_words_name_traits(text: str, traits: set[tuple[str, str]]) -> None:
    assert WORDS.readings(text)[0] == traits


@pytest.mark.parametrize("text", ["suns moons", "suns over", "please", "", "4"])
def test_contradictory_unknown_or_empty_texts_have_no_reading(text: str) -> None:
    assert WORDS.readings(text) == []


@pytest.mark.parametrize("text", ["太陽を北に", "太陽を d9 までお願い", "北 太陽", "太陽、北へ！"])  # noqa: RUF001
def test_text_without_spaces_names_traits(text: str) -> None:
    names = [("太陽", SUNS), ("北", NORTH), ("d9", SPACE)]
    vocabulary = Vocabulary(names, {"を", "に", "へ", "まで", "お願い"})
    assert vocabulary.readings(text) == [{SUNS, SPACE if "d9" in text else NORTH}]
    assert not vocabulary.readings(f"{text}か")


def test_known_words_can_be_typed_without_a_space_between_them() -> None:
    spaces = Vocabulary([("d9", SPACE), ("f8", ("from", "f8"))])
    assert spaces.readings("F8D9") == [{SPACE, ("from", "f8")}]
    assert not spaces.readings("f8d10")


def test_words_are_rather_names_than_fillers() -> None:
    assert [sorted(traits) for traits in WORDS.readings("moons S")] == [
        [SOUTH, MOONS], [MOONS]
    ]  # fmt: skip


def test_a_name_comes_before_the_variant_of_another() -> None:
    both = WORDS.joined(Vocabulary([("9d", ("coin", "9d"))]))
    assert both.readings("9d") == [{("coin", "9d")}]
    assert WORDS.readings("9d") == [{SPACE}]


def test_a_long_text_is_no_move() -> None:
    assert WORDS.readings("suns " * MAX_WORDS)
    assert not WORDS.readings("suns " * (MAX_WORDS + 1))


def test_mentioned_traits_need_no_whole_text() -> None:
    assert WORDS.mentioned("suns or moons over there") == {SUNS, MOONS}


MOVES = [Action("O", "move", args) for args in (("S", "N"), ("S", "S"), ("M", "N"), ("M", "S"))]
TRAITS = {action: traits_of(GAME, action) for action in MOVES} | {
    MOVES[1]: traits_of(GAME, MOVES[1]) | {SPACE},
    MOVES[3]: traits_of(GAME, MOVES[3]) | {SPACE},
}


@pytest.mark.parametrize(
    ("text", "named", "meant"),
    [
        ("S d9", {SUNS, SPACE}, (MOVES[1],)),
        ("d9", {SPACE}, (MOVES[1], MOVES[3])),
        ("moons S", {MOONS, SOUTH}, (MOVES[3],)),
        ("crowns", set(), ()),
    ],
)
def test_an_ambiguous_word_is_rather_the_first_argument(
    text: str, named: set[Trait], meant: tuple[Action, ...]
) -> None:
    assert find_meant(GAME, WORDS, TRAITS, text) == (frozenset(named), meant)


def test_a_choice_needs_its_last_argument_or_its_end() -> None:
    assert determines(GAME, MOVES[0], frozenset({NORTH}))
    assert determines(GAME, MOVES[0], frozenset({SUNS, SPACE}))
    assert not determines(GAME, MOVES[0], frozenset({SUNS, ("verb", "move")}))
    assert determines(GAME, Action("O", "ready"), frozenset({("verb", "ready")}))
    offer, offered = Action("O", "draw", ("offer",)), ("answer", "offer")
    assert determines(GAME, offer, frozenset({("verb", "draw"), offered}))
    assert not determines(GAME, offer, frozenset({offered}))


def test_what_is_not_legal_can_be_spelled() -> None:
    assert spell(GAME, WORDS, {"move"}, "crowns up") == "move C N"
    assert spell(GAME, WORDS, {"jump"}, "crowns up") == "jump C N"
    assert spell(GAME, WORDS, {"jump"}, "move crowns up") == "move C N"
    assert spell(GAME, WORDS, {"move"}, "crowns") == ""
    assert spell(GAME, WORDS, {"move"}, "crowns up d9") == ""


def test_the_nearest_action_shares_most_words() -> None:
    assert nearest(WORDS, TRAITS, "moons or something") == MOVES[2]
    assert nearest(WORDS, TRAITS, "the moons, d9") == MOVES[3]
    assert nearest(WORDS, TRAITS, "hello") == MOVES[0]


def test_accents_can_be_left_out_or_added() -> None:
    words = Vocabulary([("süd", SOUTH), ("żółte", SUNS), ("up", NORTH)], {"él"}, {"três": "3"})
    for text in ("sud", "zolte", "úp", "zolte el"):
        assert words.readings(text) == words.readings(text.replace("ú", "u")) != []
    assert words.readings("zolte") == [{SUNS}]
    kana = Vocabulary([("が", SUNS), ("か", MOONS)])
    assert kana.readings("か") == [{MOONS}]


def test_words_for_a_kind_and_its_special_case_mean_the_latter() -> None:
    control, drift = ("verb", "control"), ("verb", "drift")
    names = [("pay", control), ("drift", drift), ("jump", ("verb", "jump"))]
    words = Vocabulary(names, kinds={control: drift})
    assert words.readings("pay drift") == words.readings("drift pay drift") == [{control}]
    assert words.readings("drift") == [{drift}]
    assert not words.readings("pay jump")


def test_an_elided_word_counts_as_its_parts_unless_it_is_known() -> None:
    words = Vocabulary([("move", ("verb", "move")), ("l'up", SOUTH), ("up", NORTH)], {"j", "l"})
    assert words.readings("j’move l’up") == [{("verb", "move"), SOUTH}]
    assert words.readings("j'up") == [{NORTH}]
    assert not words.readings("k'up")
