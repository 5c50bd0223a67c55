"""In a made-up language no English is left: every text has been through a catalogue."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import discord
import pytest

from bot.domain.ids import MatchId
from bot.features.rules import lesson_views as lessons
from bot.i18n import ENGLISH, catalogue, languages, refusal_text
from bot.rulebook import diagrams
from bot.rulebook.lessons import attempt, place, steps
from bot.views.images import Drawn
from engine import games
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import serve
from engine.computer.reasons import Reason
from engine.game import CHANCE, Action, IllegalActionError
from engine.record import Record
from render.hints import hint_text
from render.i18n import using
from render.renderer import DEFAULT_STYLE
from tests.support.driver import by_click, by_command, play_on, words_for
from tests.support.english import SHOWN, english, said, untranslated
from tests.support.everything import use_everything
from tests.support.harness import Stage, play, walk
from tests.support.limits import components
from tests.support.staged_cups import begun, post
from tests.support.staged_cups import play as play_cup
from tests.support.tiers import sampled
from tests.support.whole import any_action


def check(stage: Stage) -> None:
    """Assert that nothing that has been sent is English."""
    texts = {text for request in stage.env.http_requests for text in said(request)}
    covers = [cover for name in games.names() if (cover := diagrams.cover(name))]
    texts -= {cover.alt for cover in covers}  # the books have their own translations
    left = {text: english_words for text in texts if (english_words := english(text))}
    assert not left, "\n".join(
        f"{english_words}: {text[:300]}" for text, english_words in left.items()
    )
    assert any("[" in text for text in texts)


@pytest.fixture
async def foreign(stage: Stage, locales: dict[int, str], pseudo_language: str) -> Stage:
    """A stage whose players and server use the pseudo-language."""
    locales.update(dict.fromkeys(stage.people, pseudo_language))
    await stage.client.context.servers.choose(stage.guild.id, language=pseudo_language)
    return stage


@pytest.mark.slow
@pytest.mark.usefixtures("long_pauses")
async def test_commands_buttons_and_their_answers(foreign: Stage) -> None:
    await use_everything(foreign)
    check(foreign)


@pytest.mark.slow
@sampled(10, 20, 200)
@pytest.mark.parametrize("name", games.names())
async def test_a_match(foreign: Stage, name: str, samples: int) -> None:
    await play(foreign.ada, foreign.channel, game=name, opponent=foreign.bo)
    await foreign.click(foreign.bo, foreign.last(), "accept:")
    await play_on(
        foreign,
        MatchId(1),
        Random(5),
        ways=(by_click, by_command),
        strategy=partial(any_action, games.get(name)),
        limit=samples,
    )
    for actor in (foreign.ada, foreign.bo, foreign.eve):
        await actor.slash(foreign.channel, "board", match=1, text=True)
        await actor.slash(foreign.channel, "board", match=1)
    check(foreign)


@pytest.mark.slow
@sampled(12, 12, 100)
@pytest.mark.parametrize("language", [tag for tag in languages() if tag != ENGLISH])
@pytest.mark.parametrize("name", games.names())
async def test_a_match_in_a_language_by_clicks_and_words(
    stage: Stage, locales: dict[int, str], name: str, language: str, samples: int
) -> None:
    locales.update(dict.fromkeys(stage.people, language))
    await stage.client.context.servers.choose(stage.guild.id, language=language)
    await play(stage.ada, stage.channel, game=name, opponent=stage.bo)
    await stage.click(stage.bo, stage.last(), "accept:")
    typed: list[str] = []

    async def by_words(stage: Stage, match_id: MatchId, actor: Any, action: Action) -> Any:
        words = await words_for(stage, match_id, actor, action)
        if not words:
            return await by_click(stage, match_id, actor, action)
        typed.append(words)
        return await actor.slash(stage.channel, "do", action=words)

    ways = (by_click, by_words)
    await play_on(
        stage,
        MatchId(1),
        Random(5),
        ways=ways,
        strategy=partial(any_action, games.get(name)),
        limit=samples,
    )
    assert len(typed) >= samples // 4
    for actor in (stage.ada, stage.bo):
        await actor.slash(stage.channel, "board", match=1, text=True)
    for command in ("help", "games", "howto"):
        await stage.ada.slash(stage.channel, command)
    texts = {text for request in stage.env.http_requests for text in said(request)}
    assert len(texts) > 20
    assert not untranslated(texts, language)


def test_what_is_left_in_english_is_found() -> None:
    assert untranslated(["Hallo", "Ada may choose"], "de") == []
    assert untranslated(["Annehmen", "-# Green on the board: the better choice."], "de")
    assert untranslated(["Accept"], "de") == ["Accept"]


@pytest.mark.slow
async def test_what_people_decide_about_themselves_and_a_server(
    foreign: Stage, locales: dict[int, str], pseudo_language: str
) -> None:
    role = foreign.guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
    user = foreign.env.create_user("host", global_name="Host")
    host = foreign.guild.add_member(user, roles=[role])
    locales[host.id] = pseudo_language
    await host.slash(foreign.channel, "server")
    await foreign.begin(clock="3 days per turn")
    await foreign.ada.slash(foreign.channel, "vacation", days=3)
    await foreign.ada.slash(foreign.channel, "vacation", days=0)
    await foreign.ada.slash(foreign.channel, "howto")
    privacy = await foreign.ada.slash(foreign.channel, "privacy")
    await foreign.click(foreign.ada, privacy.response, "export")
    confirmation = await foreign.click(foreign.ada, privacy.response, "erase:ask")
    await foreign.click(foreign.ada, confirmation.response, "erase:yes")
    check(foreign)


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_guided_matches(name: str, pseudo_language: str) -> None:
    with using(catalogue(pseudo_language)):
        for number in range(len(steps(name))):
            decision = place(name, number)
            messages = [lessons.lesson(decision, Drawn(b"PNG", DEFAULT_STYLE))]
            for action in decision.view.legal[:: max(1, len(decision.view.legal) // 8)]:
                result = attempt(decision, action.notation)
                assert result
                messages.append(lessons.try_result(decision, result, Drawn(b"PNG", DEFAULT_STYLE)))
            for component in (part for message in messages for part in walk(components(message))):
                texts = (component.get(name, "") for name in SHOWN)
                assert not [word for text in texts for word in english(text or "")], component


@pytest.mark.slow
@sampled(1, 3, 200)
@pytest.mark.parametrize("name", games.names())
def test_hints(name: str, pseudo_language: str, samples: int) -> None:
    game, random = games.get(name), Random(1)
    head, count = {"Game": name, "Rules": game.rules[0]}, 0
    state = game.start(game.rules[0], {})
    record = Record(head, ())
    while (pending := game.pending(state)) and count < 40 * samples:
        if pending == CHANCE:
            action = game.chance(state, random.randrange)
        else:
            count += 1
            action = game.fill(random.choice(game.legal(state)), random.randrange)
            answer = hinted(record.redact_for_infostate(pending[0]), pending[0])
            with using(catalogue(pseudo_language)):
                choice = Action.parse(f"{pending[0]} {answer['line']}")
                reasons = [Reason(*reason) for reason in answer["reasons"]]
                text = hint_text(game.view(state, pending[0]), choice, reasons)
            assert not english(text), text
        state, _ = game.apply(state, action)
        record = Record(head, (*record.actions, action))
    assert count


def hinted(record: Record, seat: str) -> Any:
    """Return the answer of a computer player, as a worker sends it."""
    request = {"do": "choose", "seat": seat, "record": str(record), "nodes": 1}
    (answer,) = serve([json.dumps(request)], ComputerPlayer("admiral", b""))
    return json.loads(answer)


@pytest.mark.slow
@pytest.mark.usefixtures("long_pauses")
async def test_a_cup_from_the_sign_up_to_its_end(foreign: Stage) -> None:
    await begun(foreign)
    for actor in (foreign.ada, foreign.bo, foreign.eve):
        await actor.slash(foreign.channel, "cup status", cup=1)
        await foreign.click(actor, post(foreign), "cupstatus:")
    await foreign.click(foreign.eve, post(foreign), "cupmine:")
    await play_cup(foreign)
    check(foreign)


def refusals(name: str, limit: int) -> Iterator[IllegalActionError]:
    """Yield the refusals of actions that were legal earlier in a random match."""
    game, random = games.get(name), Random(3)
    state, earlier = game.start(game.rules[0], {}), dict[str, Action]()
    for _ in range(limit):
        pending = game.pending(state)
        if not pending:
            return
        if pending == CHANCE:
            action = game.chance(state, random.randrange)
        else:
            action = game.fill(random.choice(game.legal(state)), random.randrange)
            earlier[action.verb] = action
        state, _events = game.apply(state, action)
        for old in earlier.values():
            try:
                game.apply(state, old)
            except IllegalActionError as error:
                yield error


@sampled(1, 3, 20)
@pytest.mark.parametrize("name", games.names())
def test_refusals_of_the_rules(name: str, pseudo_language: str, samples: int) -> None:
    errors = [*refusals(name, 60 * samples)]
    assert len({error.reason for error in errors}) > 2
    with using(catalogue(pseudo_language)):
        for error in errors:
            text = re.sub("“[^”]*”", "", refusal_text(error, name))
            assert "[" in text
            assert not english(text), text


def test_english_is_found() -> None:
    assert english("[Ýóúř] turn, Ada") == ["turn"]
    assert not english("[Ýóúř ŧúřñ: {S4} e9 NE] Wormholes `/play` <@1>")
