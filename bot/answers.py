"""Answering an interaction: the only place that does.

Everything is answered in private. The public story is a message of its own, sent by the outbox.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.messages import Message, note
from bot.tables import NoMatchError
from engine.game import Refused

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]


class UnclearError(Exception):
    """What was asked for cannot be done; the text is the friendly sentence why."""


async def whisper(interaction: Interaction, message: Message) -> None:
    """Answer so that only this user sees it."""
    await interaction.response.send_message(
        view=message.layout, files=message.files, ephemeral=True
    )


async def rewrite(interaction: Interaction, message: Message) -> None:
    """Put something else in place of the private message that was clicked on."""
    await interaction.response.edit_message(view=message.layout, attachments=message.files)


async def accept(interaction: Interaction) -> None:
    """Answer a click with nothing: what it did is seen in the channel."""
    await interaction.response.defer()


@asynccontextmanager
async def answering(interaction: Interaction) -> AsyncIterator[None]:
    """Whatever goes wrong inside, the user gets an answer."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - apologise logs what it does not know
        await apologise(interaction, error)


async def apologise(interaction: Interaction, error: BaseException) -> None:
    """Say in one sentence why something did not work; what is not the user's doing is logged."""
    if isinstance(error, discord.HTTPException) and error.code in GONE:
        log.info("interaction %s came to nothing: %s", interaction.id, error.code)
        return
    if (sentence := _sentence(error)) is None:
        log.error("interaction %s failed", interaction.id, exc_info=error)
        sentence = "Something went wrong on my side; nothing has changed. Please try again."
    if not interaction.response.is_done():
        try:
            await whisper(interaction, note(sentence))
        except discord.HTTPException as late:
            log.info("interaction %s cannot be answered: %s", interaction.id, late.code)


GONE = frozenset({10062, 40060})
"""Discord's codes for an interaction that is dead or answered already."""


def _sentence(error: BaseException) -> str | None:
    if isinstance(error, UnclearError | Refused):
        return str(error)
    if isinstance(error, NoMatchError):
        return "There is no such match."
    if isinstance(error, SQLAlchemyError):
        log.error("the database does not answer", exc_info=error)
        return "I cannot reach my memory just now; nothing has changed. Please try again."
    return None
