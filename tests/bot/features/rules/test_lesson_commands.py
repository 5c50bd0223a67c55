"""`/howto` as people use it, on a simulated Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.features.rules.lesson_commands import _opened
from bot.i18n import sides
from bot.rulebook.lessons import Place, attempt, lesson, place, right_choices, steps
from bot.views.choices import enter_nearest_area, narrow_view
from bot.views.shortcuts import shortcuts_of
from engine import games
from engine.notation import SEPARATOR
from render import for_game
from tests.support.driver import lists
from tests.support.harness import Stage, ids, words

FIRST = place("wormholes", 0)


async def solve(stage: Stage, page: Any, place: Place, line: str) -> Any:
    """Make a choice in a step, by buttons and lists, and return the answer."""
    prefix = f"try:{place.game}:{place.number}:"
    beginnings = [line.rsplit(" ", cut)[0] for cut in range(line.count(" ") + 1)]
    buttons = {prefix + begun: begun for begun in beginnings if prefix + begun in ids(page)}
    for custom_id, begun in buttons.items():
        page = (await stage.ada.click(page, custom_id=custom_id)).response
        return page if begun == line else await solve(stage, page, place, line)
    for custom_id in ids(page):
        if custom_id.startswith(f"{prefix}{line}{SEPARATOR}"):  # with what it isolates
            return (await stage.ada.click(page, custom_id=custom_id)).response
        name, *fields = custom_id.split(":", 3)
        if name == "look" and line in leads(place, fields[2]):
            page = (await stage.ada.click(page, custom_id=custom_id)).response
            return await solve(stage, page, place, line)
    raise AssertionError(f"no way to {line} in {ids(page)}")


def leads(place: Place, path: str) -> list[str]:
    """The lines to which a path leads."""
    return [action.notation for action in narrow_view(place.view, path).legal]


def right(place: Place) -> str:
    """A choice that solves a step."""
    for action in reversed(place.view.legal):
        tried = attempt(place, action.notation)
        if tried and tried.right:
            return action.notation
    raise AssertionError(place)


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
async def test_a_guided_match_from_the_first_choice_to_the_end(stage: Stage, game: str) -> None:
    page = (await stage.ada.slash(stage.channel, "howto", game=game)).response
    count, puzzles = len(steps(game)), lesson(game).puzzles
    assert f"**The aim:** {lesson(game).aim}" in words(page)
    for number in range(count):
        named = f"step {number + 1} of {count - puzzles}"
        if number >= count - puzzles:
            named = f"puzzle {number - count + puzzles + 1} of {puzzles}"
        assert named in words(page)
        assert ("The aim" in words(page)) == (not number)
        assert len(page.attachments) == 1
        step_place = place(game, number)
        page = await solve(stage, page, step_place, right(step_place))
        assert page.attachments
        assert ("That's it" in words(page)) == (number + 1 == count - puzzles)
        assert ("such as `if " in words(page)) == ("last puzzle" in words(page))
        if number + 1 < count:
            page = (await stage.click(stage.ada, page, f"howto:{game}:{number + 1}")).response
    assert "last puzzle" in words(page)
    assert not stage.public()
    again = (await stage.ada.slash(stage.channel, "howto", game=game)).response
    assert f"step 1 of {count - puzzles}" in words(again)


@pytest.mark.parametrize("is_solved", [False, True])
async def test_board_opens_a_summary_with_the_rule_of_the_turn(
    stage: Stage, is_solved: bool
) -> None:
    """Neither a puzzle nor, after the last one, the first step: both have a board of their own."""
    match_id = await stage.begin(game="warp6")
    number = len(steps("warp6")) if is_solved else place("warp6", 0).first_puzzle
    preferences = stage.client.context.preferences
    await preferences.set_lesson_step(UserId(stage.ada.id), "warp6", number)
    summary = (await stage.click(stage.ada, stage.board(match_id), "howto:")).response
    assert "You've reached the puzzles" in words(summary)
    assert not summary.attachments
    view = (await stage.perspective(match_id)).view
    rule = await stage.click(stage.ada, summary, f"rules:warp6:{for_game('warp6').rule(view)}:")
    assert "Rules for this turn" in words(summary)
    assert "###" in words(rule.response)


@pytest.mark.slow
async def test_end_of_the_steps_has_a_tip_and_leads_to_the_rules(stage: Stage) -> None:
    number = len(steps("warp6")) - lesson("warp6").puzzles - 1
    page = await open_step(stage, "warp6", number)
    page = await solve(stage, page, place("warp6", number), right(place("warp6", number)))
    assert f"first match: {lesson('warp6').tip}" in words(page)
    opened = await stage.click(stage.ada, page, "rules:warp6:strategy:open")
    assert "Look for chains first" in words(opened.response)
    opened = await stage.click(stage.ada, page, "rules:warp6:about:open")
    assert "Two or three fleets of dice" in words(opened.response)
    assert not [
        custom_id for custom_id in ids(page) if custom_id in ("now:warp6:B", "howto:warp6:0")
    ]


@pytest.mark.slow
async def test_steps_are_skipped_gone_back_to_and_listed(stage: Stage) -> None:
    page = (await stage.ada.slash(stage.channel, "howto", game="warp6")).response
    page = (await stage.click(stage.ada, page, "howto:warp6:1")).response
    assert "step 2" in words(page)
    page = (await stage.click(stage.ada, page, "howto:warp6:0")).response
    assert "step 1" in words(page)
    (contents,) = (entry for entry in lists(page).items() if entry[0] == "howto:warp6")
    assert contents[1] == [str(number) for number in range(len(steps("warp6")))]
    page = (await stage.ada.select(page, ["4"], custom_id="howto:warp6")).response
    assert "step 5" in words(page)
    again = (await stage.ada.slash(stage.channel, "howto", game="warp6")).response
    assert "step 5" in words(again)


@pytest.mark.slow
async def test_lessons_and_challenges_begin_with_the_game_used_last(stage: Stage) -> None:
    await stage.ada.slash(stage.channel, "howto", game="tomtube")
    page = (await stage.ada.slash(stage.channel, "howto")).response
    assert "Tom Tube, step 1" in words(page)
    assert "learn" not in lists(page)
    lesson = (await stage.click(stage.ada, page, "learn:warp6")).response
    assert lesson.id == page.id
    assert "Warp 6, step 1" in words(lesson)
    assert "### Warp 6" in words((await stage.ada.slash(stage.channel, "play")).response)


async def test_lesson_of_a_newcomer_begins_with_the_choice_of_a_game(stage: Stage) -> None:
    page = (await stage.ada.slash(stage.channel, "howto")).response
    assert ids(page) == ["learn:wormholes", "learn:warp6", "learn:tomtube"]
    assert "Which game would you like to learn?" in words(page)
    page = (await stage.click(stage.ada, page, "learn:warp6")).response
    assert "Warp 6, step 1" in words(page)
    assert ids(page)[-3:-1] == ["learn:wormholes", "learn:tomtube"], "below the choices"


@pytest.mark.slow
async def test_lesson_begins_with_the_game_of_the_last_match(stage: Stage) -> None:
    challenge = await stage.challenge(game="warp6")
    await stage.click(stage.bo, challenge, "accept:")
    page = (await stage.bo.slash(stage.channel, "howto")).response
    assert "Warp 6, step 1" in words(page)


@pytest.mark.slow
async def test_lesson_ends_with_a_challenge_in_its_game(stage: Stage) -> None:
    await stage.ada.slash(stage.channel, "play", game="wormholes")
    number = len(steps("tomtube")) - lesson("tomtube").puzzles - 1
    page = await open_step(stage, "tomtube", number)
    page = await solve(stage, page, place("tomtube", number), right(place("tomtube", number)))
    card = (await stage.click(stage.ada, page, "challenge:tomtube")).response
    assert "### Tom Tube" in words(card)
    assert "Against: anyone here who joins" in words(card)


@pytest.mark.slow
async def test_task_and_picture_stay_while_a_choice_is_made(stage: Stage) -> None:
    page = (await stage.ada.slash(stage.channel, "howto", game="wormholes")).response
    coin = next(
        custom_id for custom_id in ids(page) if custom_id.startswith("look:wormholes:0:place ")
    )
    page = (await stage.click(stage.ada, page, coin)).response
    assert "Choose an area, a coin and a space." in words(page)
    assert "Chosen: " in words(page)
    assert page.attachments


@pytest.mark.slow
async def test_wrong_choice_in_a_puzzle_says_what_it_costs(stage: Stage) -> None:
    number = len(steps("warp6")) - lesson("warp6").puzzles
    puzzle = place("warp6", number)
    (best, value), _, (wrong, less), *_others = puzzle.step.values
    page = await open_step(stage, "warp6", number)
    page = await solve(stage, page, puzzle, wrong)
    cost = f"about {less} of 100 matches from here, and {value} of 100 after the best choice"
    assert cost in words(page)
    assert f"howto:warp6:{number + 1}" not in ids(page)
    solved = (await stage.click(stage.ada, page, f"try:warp6:{number}:{best}")).response
    assert "**Right: " in words(solved)
    assert puzzle.step.answers[0].text in words(solved)
    assert f"howto:warp6:{number + 1}" in ids(solved)


@pytest.mark.slow
async def test_hint_in_a_puzzle_does_not_name_the_choice(stage: Stage) -> None:
    number = len(steps("warp6")) - 1
    page = await open_step(stage, "warp6", number)
    reply = (await stage.click(stage.ada, page, f"tip:warp6:{number}")).response
    assert "This is true of one of the choices" in words(reply)
    assert "My choice:" not in words(reply)


async def open_step(stage: Stage, game: str, number: int) -> Any:
    """Choose a step from the list, and return it."""
    page = (await stage.ada.slash(stage.channel, "howto", game=game)).response
    return (await stage.ada.select(page, [str(number)], custom_id=f"howto:{game}")).response


@pytest.mark.slow
async def test_a_challenge_leads_in_private_to_the_lesson_of_its_game(stage: Stage) -> None:
    challenge = await stage.challenge(game="warp6")
    first = await stage.click(stage.bo, challenge, "howto:warp6")
    assert first.ephemeral
    assert "Warp 6, step 1" in words(first.response)
    puzzle = place("warp6", 0)
    await stage.bo.click(first.response, custom_id=f"try:warp6:0:{right(puzzle)}")
    again = await stage.click(stage.bo, challenge, "howto:warp6")
    assert "step 2" in words(again.response)
    first_puzzle = place("warp6", 0).first_puzzle
    await stage.bo.select(again.response, [f"{first_puzzle}"], custom_id="howto:warp6")
    summary = (await stage.click(stage.bo, challenge, "howto:warp6")).response
    assert lesson("warp6").aim in words(summary)
    assert not summary.attachments, "a puzzle would be a second board beside that of the match"
    page = (await stage.click(stage.bo, summary, f"howto:warp6:{first_puzzle}")).response
    assert "puzzle 1" in words(page)
    assert page.attachments


@pytest.mark.slow
async def test_a_wrong_choice_is_explained_and_can_be_made_again(stage: Stage) -> None:
    page = await open_step(stage, "wormholes", 2)
    wrong = await solve(stage, page, place("wormholes", 2), "move S W")
    assert "still at number 1" in words(wrong)
    assert "Try again" in words(wrong)
    page = (await stage.click(stage.ada, wrong, "howto:wormholes:2")).response
    assert "step 3" in words(page)


@pytest.mark.slow
async def test_a_lesson_goes_on_where_it_was_even_after_a_restart(stage: Stage) -> None:
    page = (await stage.ada.slash(stage.channel, "howto", game="wormholes")).response
    await solve(stage, page, FIRST, right(FIRST))
    await stage.restart()
    page = (await stage.ada.slash(stage.channel, "howto", game="wormholes")).response
    assert "step 2" in words(page)
    first = await stage.click(stage.ada, page, "howto:wormholes:0")
    assert "step 1" in words(first.response)
    assert "step 1" in words(
        (await stage.bo.slash(stage.channel, "howto", game="wormholes")).response
    )


async def test_a_lesson_offers_the_rule_beside_it(stage: Stage) -> None:
    page = (await stage.ada.slash(stage.channel, "howto", game="wormholes")).response
    opened = await stage.click(stage.ada, page, "rules:wormholes:W3.3:open")
    assert opened.ephemeral
    assert "Placing the coins" in words(opened.response)


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
async def test_hint_in_a_lesson_leaves_the_choices(stage: Stage, game: str) -> None:
    page = (await stage.ada.slash(stage.channel, "howto", game=game)).response
    before = {custom_id for custom_id in ids(page) if custom_id.startswith("try:")}
    reply = (await stage.click(stage.ada, page, f"tip:{game}:0")).response
    assert "My choice: **" in words(reply)
    assert before == {custom_id for custom_id in ids(reply) if custom_id.startswith("try:")}
    assert f"tip:{game}:0" not in ids(reply)


async def test_step_opens_in_the_area_of_its_task(stage: Stage) -> None:
    """The goal of the second step, a17 and a18, is far from the nearest area."""
    page = (await stage.ada.slash(stage.channel, "howto", game="wormholes")).response
    page = (await stage.ada.click(page, label="Skip ▶")).response
    page = (await stage.ada.click(page, custom_id="look:wormholes:1:place M1/15-18")).response
    assert "try:wormholes:1:place M1 b17" in ids(page)
    assert "try:wormholes:1:place M1 j4" not in ids(page)


def test_area_of_a_puzzle_tells_nothing_of_its_solution() -> None:
    for number, step in enumerate(steps("wormholes")):
        step_place = place("wormholes", number)
        if step.values:
            assert _opened(step_place) == enter_nearest_area(step_place.view)


async def test_building_is_taught_with_the_numbers_of_a_match(stage: Stage) -> None:
    build = place("tomtube", 3)
    page = await open_step(stage, "tomtube", build.number)
    assert "You're Tom, orange. Rings: your gates." in words(page)
    numbered = [custom_id for custom_id in ids(page) if custom_id.startswith("try:tomtube:3:rhomb")]
    right_ids = [f"try:tomtube:3:{action.notation}" for action in right_choices(build)]
    assert len(numbered) > 5
    assert {*numbered} & {*right_ids}, "a gate of the base is among them"
    ghosts = shortcuts_of(build.view).ghosts
    picture = for_game("tomtube").picture(build.view, sides("tomtube"), ghosts=ghosts)
    assert await page.attachments[-1].read() == picture
    section = next(custom_id for custom_id in ids(page) if custom_id.startswith("look:tomtube:3:"))
    page = (await stage.ada.click(page, custom_id=section)).response
    assert "Choose a number on the picture:" in words(page)
    placings = narrow_view(build.view, section.split(":", 3)[3]).legal
    offered = {custom_id.partition(SEPARATOR)[0] for custom_id in ids(page)}
    assert {f"try:tomtube:3:{action.notation}" for action in placings} <= offered
