"""Try the bot out on a real server: `starpost smoke`.

It posts, edits and deletes on Discord what matches need, and tells Discord's answers. Everything is
deleted again, after an error or an interruption as well.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import discord

from bot.app.env_file import SettingsError
from bot.app.remote import logged_in
from bot.app.smoke_answers import Answers
from bot.app.smoke_steps import STEPS, Cleanup, Place, SkippedError, Step, UnexpectedError
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.interactions.permissions import PLAY_PERMISSIONS
from bot.version import version

CHECKLIST = (
    "`starpost run` connects, and the server offers `/play`",
    "A challenge pings only the challenged player.",
    "The board is shown in the message, on the phone too, and has a description (ALT).",
    "When the next board is posted, the previous one keeps its picture and loses its buttons.",
    "On the phone the nine buttons of a ship form three rows of three, with readable labels.",
    "The buttons of a ship show the emoji of its suit.",
    "*My coins* is visible only to you; the other account sees nothing.",
    (
        "After the last choice on a board that only you can see, such as a *Hint*, that message "
        "disappears."
    ),
    "Open *My coins*, then *Plan*: the first of the two private messages disappears.",
    "After a click on a choice of the public board, its buttons go at once.",
    "Hidden information arrives by DM; with DMs closed the match begins anyway.",
    "`/board` and `/do` work in a thread and in a DM with the bot.",
    "After a restart of the bot during a match, existing buttons still work.",
    (
        "With Discord in German, `/spielen` is offered and replies are in German; the other "
        "account still gets English."
    ),
)
"""What needs a second person: the beginnings of the items of docs/hosts/first-server.md."""


@dataclass
class Results:
    """The results of a run.

    Attributes:
        faults: names of steps that went wrong.
        left: number of things that could not be deleted.
        checked: item of the checklist → the host's answer.
    """

    faults: list[str] = field(default_factory=list)
    left: int = 0
    checked: dict[str, str] = field(default_factory=dict)
    answers: Answers = field(default_factory=Answers)

    @property
    def healthy(self) -> bool:
        """Whether everything works and nothing is left behind."""
        return not self.faults and not self.left and "no" not in self.checked.values()

    def save(self, file: Path) -> None:
        """Write all answers as JSON, without ids and names."""
        data = {
            "version": version(),
            "faults": self.faults,
            "checklist": self.checked,
            "answers": self.answers.report(),
        }
        file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Host:
    """The host at the terminal.

    Attributes:
        tell: gets each line.
        look: called when everything is posted, before it is deleted.
    """

    tell: Callable[[str], object]
    look: Callable[[str], object] = lambda _: None


async def smoke(
    token: str, guild_id: GuildId, channel_id: ChannelId | None, host: Host, results: Results
) -> None:
    """Try everything out that a bot can do alone.

    Args:
        channel_id: text channel to post in; without it the first one in which the bot can play.
        results: filled on the way, so that they are there after an interruption, too.

    Raises:
        SettingsError: Discord does not accept the token, cannot be reached, or the bot cannot play
            on this server.
    """
    async with logged_in(token) as client, results.answers.kept(client.http):
        await try_out(client, guild_id, channel_id, host, results)


async def try_out(
    client: discord.Client,
    guild_id: GuildId,
    channel_id: ChannelId | None,
    host: Host,
    results: Results,
    *,
    steps: Sequence[Step] = STEPS,
) -> None:
    """Take all steps with a client that is logged in, and delete all that they make.

    Args:
        channel_id: see `smoke`.

    Raises:
        SettingsError: the bot cannot play on this server.
    """
    cleanup = Cleanup(host.tell)
    results.answers.step = "the server"
    place = await _place(client, guild_id, channel_id, cleanup)
    host.tell(f"Trying #{place.channel.name}; everything is deleted at the end.")
    try:
        for step in steps:
            results.answers.step = step.name
            await _take(step, place, host, results)
        host.look(place.channel.name)
    finally:
        results.answers.step = "the end"
        results.left = await cleanup.delete_all()
        host.tell("Everything is deleted." if not results.left else "Not everything is deleted.")


async def _take(step: Step, place: Place, host: Host, results: Results) -> None:
    """Take a step and tell Discord's answer in a line."""
    begin = time.monotonic()
    try:
        mark, answer = "ok", await step.run(place)
    except SkippedError as reason:
        mark, answer = "skipped", str(reason)
    except UnexpectedError as reason:
        mark, answer = "WRONG", str(reason)
    except discord.HTTPException as error:
        mark = "refused" if step.optional else "WRONG"
        answer = f"{error.status}, {error.code}: {' '.join(error.text.split())}"
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        mark, answer = "WRONG", str(error) or type(error).__name__
    if mark == "WRONG":
        results.faults.append(step.name)
    seconds = time.monotonic() - begin
    host.tell(f"{mark:8} {step.name}: {answer} ({seconds:.1f} s)")


async def _place(
    client: discord.Client, guild_id: GuildId, channel_id: ChannelId | None, cleanup: Cleanup
) -> Place:
    """Look for a channel and a forum that the bot can use.

    Raises:
        SettingsError: there is no such channel, or the bot is not on the server.
    """
    try:
        guild = await client.fetch_guild(guild_id, with_counts=False)
        me = await guild.fetch_member(client.user.id if client.user else 0)
        channels = sorted(await guild.fetch_channels(), key=lambda channel: channel.position)
    except (discord.Forbidden, discord.NotFound):
        raise SettingsError(
            f"The bot is not on the server {guild_id}: starpost invite prints the link."
        ) from None
    info = await client.application_info()
    owner = info.team.owner_id if info.team and info.team.owner_id else info.owner.id
    wanted = discord.Permissions(**dict.fromkeys(PLAY_PERMISSIONS, True))

    def can_play(channel: discord.abc.GuildChannel) -> bool:
        return channel.permissions_for(me) >= wanted

    texts = [
        channel
        for channel in channels
        if isinstance(channel, discord.TextChannel) and channel_id in (None, channel.id)
    ]
    usable = next(filter(can_play, texts), None)
    if not usable:
        where = f"in the channel {channel_id}" if channel_id else "in any text channel"
        raise SettingsError(
            f"The bot cannot play {where} of this server: starpost doctor {guild_id} says why."
        )
    forum = next(
        (
            channel
            for channel in channels
            if isinstance(channel, discord.ForumChannel)
            and can_play(channel)
            and channel.permissions_for(me).manage_threads
        ),
        None,
    )
    return Place(client, guild, me, usable, forum, UserId(owner), cleanup)


def walk_through(ask: Callable[[str], str], results: Results) -> None:
    """Ask for each item of the checklist, which a second person has to try.

    Args:
        ask: gets an item and returns yes, no or skip.
    """
    for item in CHECKLIST:
        results.checked[item] = ask(item)
