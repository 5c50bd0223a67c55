"""Notes in their window, beside the boards of their owner, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from bot.features.notes import commands, views
from bot.features.notes.service import NOTES_LIMIT
from bot.features.privacy.service import Privacy
from bot.interactions.replies import edit_reply
from bot.storage.schema import match_notes, opponent_notes
from tests.support.harness import Stage, ids, words
from tests.support.interactions import fire, payload, sentence
from tests.support.match_card import card_of
from tests.support.notes import notes_window, write_notes

pytestmark = pytest.mark.slow

SECRET, ABOUT_BO = "Suns 9 lies on c5", "never looks at the moons"


async def begun(stage: Stage) -> tuple[int, dict[str, str]]:
    """Begin a match in which Ada writes notes; return its number, and her notes on Bo."""
    match_id = await stage.begin()
    on_bo = {str(stage.bo.id): ABOUT_BO}
    await write_notes(stage, stage.ada, match_id, SECRET, **on_bo)
    return match_id, on_bo


async def board_of(stage: Stage, actor: Any, match_id: int) -> str:
    board = await actor.slash(stage.channel, "board", match=match_id)
    assert board.ephemeral
    return words(board.response)


def fields(window: Any) -> dict[str, Any]:
    """Return custom_id → label of the window."""
    return {label["component"]["custom_id"]: label for label in window.modal["components"]}


async def test_window_has_fields_that_state_their_limit(stage: Stage) -> None:
    window = fields(await notes_window(stage, stage.ada, await stage.begin()))
    assert list(window) == ["text", str(stage.bo.id)]
    assert [label["label"] for label in window.values()] == [
        "This match",
        "Bo, in all your matches",
    ]
    for label in window.values():
        assert label["description"] == "Only you see them. At most 1000 characters."
        field = label["component"]
        assert (field["max_length"], field["required"]) == (NOTES_LIMIT, False)
        assert not field.get("value")


async def test_notes_stand_beside_the_board_of_their_owner_alone(stage: Stage) -> None:
    match_id = await stage.begin()
    saved = await write_notes(stage, stage.ada, match_id, SECRET, **{str(stage.bo.id): ABOUT_BO})
    assert saved.response.ephemeral
    text = words(saved.response)
    assert text.index("Your notes are saved.") < text.index("**Your notes**\n")
    assert f"**Your notes**\n{SECRET}" in await board_of(stage, stage.ada, match_id)
    assert f"**Your notes on Bo**\n{ABOUT_BO}" in await board_of(stage, stage.ada, match_id)
    for actor in (stage.bo, stage.eve):
        text = await board_of(stage, actor, match_id)
        assert SECRET not in text
        assert ABOUT_BO not in text
        assert "Your notes" not in text
    assert SECRET not in "".join(words(message) for message in stage.public())


async def test_window_shows_the_notes_again_even_after_a_restart(stage: Stage) -> None:
    match_id, _on_bo = await begun(stage)
    card = await card_of(stage, stage.ada, stage.channel, match_id)
    await stage.restart()
    window = await stage.click(stage.ada, card.response, "notes:")
    values = {name: label["component"]["value"] for name, label in fields(window).items()}
    assert values == {"text": SECRET, str(stage.bo.id): ABOUT_BO}
    window = fields(await notes_window(stage, stage.bo, match_id))
    assert not any(label["component"].get("value") for label in window.values())


async def test_window_that_was_open_at_a_restart_is_stored(stage: Stage) -> None:
    match_id = await stage.begin()
    window = await notes_window(stage, stage.ada, match_id)
    await stage.restart()
    await stage.ada.submit_modal(window, {"text": SECRET})
    assert SECRET in await board_of(stage, stage.ada, match_id)


async def test_answer_comes_after_the_notes_are_stored(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: list[str] = []

    async def read_first(*answer: Any) -> None:
        async with stage.database.read() as connection:
            for table in (match_notes, opponent_notes):
                stored.extend((await connection.execute(select(table.c.text))).scalars())
        await edit_reply(*answer)

    monkeypatch.setattr(commands, "edit_reply", read_first)
    await begun(stage)
    assert stored == [SECRET, ABOUT_BO]


async def test_notes_on_an_opponent_show_when_a_new_match_begins(stage: Stage) -> None:
    await begun(stage)
    match_id = await stage.begin()
    first = await board_of(stage, stage.ada, match_id)
    assert ABOUT_BO in first
    assert SECRET not in first
    assert ABOUT_BO not in await board_of(stage, stage.bo, match_id)


async def test_notes_are_read_and_changed_after_the_end(stage: Stage) -> None:
    match_id, on_bo = await begun(stage)
    confirmation = await stage.bo.slash(stage.channel, "resign")
    await stage.click(stage.bo, confirmation.response, "resign:")
    for actor, is_owner in ((stage.ada, True), (stage.bo, False), (stage.eve, False)):
        page = words((await actor.slash(stage.channel, "replay", match=match_id)).response)
        assert (SECRET in page) == (ABOUT_BO in page) == is_owner
    saved = await write_notes(stage, stage.ada, match_id, "Won with it", "replay", **on_bo)
    assert words(saved.response).startswith("Your notes are saved.\n**Your notes**\nWon with it")
    assert any(custom_id.startswith("more:") for custom_id in ids(saved.response))


async def test_markdown_and_mentions_are_shown_as_typed(stage: Stage) -> None:
    match_id = await stage.begin()
    typed = f"# **c5** ||f7||\n@everyone <@{stage.bo.id}>\n[x](https://a.example)"
    saved = words((await write_notes(stage, stage.ada, match_id, typed)).response)
    for written in (
        "\\# \\*\\*c5\\*\\*",
        "\\|\\|f7",
        "\n\\@everyone \\<\\@",
        "\\[x\\]\\(https\\://a",
    ):
        assert written in saved, written


async def test_window_outlives_the_data_of_an_opponent(stage: Stage) -> None:
    """The notes on the match are stored; those on the player are not, and the answer says so."""
    match_id, _on_bo = await begun(stage)
    window = await notes_window(stage, stage.ada, match_id)
    await stage.client.context.of(Privacy).erase(stage.bo.id)
    saved = await stage.ada.submit_modal(window, {"text": SECRET, str(stage.bo.id): ABOUT_BO})
    text = words(saved.response)
    assert "An opponent's data has been deleted" in text
    assert "Your notes are saved." not in text
    assert SECRET in text
    assert ABOUT_BO not in text
    async with stage.database.read() as connection:
        assert not (await connection.execute(select(opponent_notes))).all()
    (label,) = fields(await stage.click(stage.ada, saved.response, "notes:")).values()
    assert label["component"]["value"] == SECRET
    window = await stage.click(stage.ada, saved.response, "notes:")
    saved = await stage.ada.submit_modal(window, {"text": "won"})
    assert words(saved.response).startswith("Your notes are saved.\n**Your notes**\nwon")


async def test_emptied_notes_are_gone(stage: Stage) -> None:
    match_id, _on_bo = await begun(stage)
    await write_notes(stage, stage.ada, match_id, "", **{str(stage.bo.id): ""})
    assert "Your notes" not in await board_of(stage, stage.ada, match_id)


async def test_who_watches_has_no_notes(stage: Stage) -> None:
    match_id = await stage.begin()
    card = await card_of(stage, stage.eve, stage.channel, match_id)
    assert not [custom_id for custom_id in ids(card.response) if custom_id.startswith("not")]
    for custom_id in (f"notes:{match_id}", f"noted:{match_id}"):
        answer = await fire(stage, payload(stage, stage.eve, stage.last(), "", custom_id))
        assert "Only the players of a match" in sentence(answer)
    async with stage.database.read() as connection:
        assert not (await connection.execute(select(match_notes))).all()


async def test_challenge_has_no_notes(stage: Stage) -> None:
    message = await stage.challenge()
    card = await stage.click(stage.bo, message, "more:")
    assert not [custom_id for custom_id in ids(card.response) if custom_id.startswith("notes:")]


async def test_notes_that_are_too_long_change_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, _on_bo = await begun(stage)
    longest = "x" * NOTES_LIMIT
    with monkeypatch.context() as patch:  # as a client could that ignores the limit
        patch.setattr(views, "NOTES_LIMIT", NOTES_LIMIT + 1)
        refused = await write_notes(stage, stage.ada, match_id, f"{longest}x")
    assert "at most 1000 characters" in words(refused.response)
    assert SECRET in await board_of(stage, stage.ada, match_id)
    await write_notes(stage, stage.ada, match_id, longest)
    assert longest in await board_of(stage, stage.ada, match_id)


async def test_notes_speak_german(stage: Stage, locales: dict[int, str]) -> None:
    locales[stage.ada.id] = "de"
    match_id = await stage.begin()
    window = await notes_window(stage, stage.ada, match_id)
    labels = [label["label"] for label in fields(window).values()]
    assert labels == ["Diese Partie", "Bo, in allen deinen Partien"]
    saved = await stage.ada.submit_modal(window, {"text": SECRET, str(stage.bo.id): ABOUT_BO})
    for text in ("gespeichert", "**Deine Notizen**", "**Deine Notizen zu Bo**"):
        assert text in words(saved.response)
