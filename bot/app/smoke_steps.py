"""The steps of `starpost smoke`: requests to Discord, one kind of thing each."""

from __future__ import annotations

import asyncio
import io
import os
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import aiohttp
import discord

from bot.app import listing
from bot.app.client import Starpost
from bot.app.command_sync import command_payloads
from bot.app.emojis import all_emoji_images
from bot.app.run import open_database
from bot.domain.ids import UserId
from bot.views import ui
from bot.views.message import Layout, gallery, layout_of

T = TypeVar("T")

MARK = "Starpost tries this server out. This message is deleted at the end."

INVALID_FORM, TOO_LARGE, ARCHIVED = 50035, 40005, 50083
"""Discord's codes for a form beyond a limit, a file beyond a limit, and an archived thread."""

KIB, MIB = 2**10, 2**20
SIZES = ((KIB, "1 KiB"), (MIB, "1 MiB"), (8 * MIB, "8 MiB"), (10 * MIB, "10 MiB"))
"""Sizes of files in bytes; 10 MiB is Discord's limit on a server without boosts."""

COMPONENTS, LETTERS, ROWS, IN_ROW, OPTIONS = 40, 4000, 5, 5, 25
LABEL, CUSTOM_ID, OPTION, ALT_TEXT, THREAD_NAME, FILES = 80, 100, 100, 1024, 100, 10
"""Discord's limits for a message."""

LINES = 100
"""Maximum number of messages in which Discord's lines about one are looked for."""

GLOBAL_ONLY = ("contexts", "integration_types")
"""Fields of a command that Discord takes for commands on all servers only."""


class SkippedError(Exception):
    """A step cannot be tried here; the text says why."""


class UnexpectedError(Exception):
    """Discord's answer is another one than Starpost relies on; the text says which."""


class Cleanup:
    """Things made on Discord, and how they are deleted again.

    Args:
        tell: gets a line for each thing that cannot be deleted.
    """

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell
        self._things: list[tuple[str, Callable[[], Awaitable[object]]]] = []

    async def make(
        self,
        name: str,
        request: Coroutine[Any, Any, T],
        undo: Callable[[T], Awaitable[object]],
    ) -> T:
        """Make a thing; a request under way is awaited even if the program is interrupted.

        Args:
            name: words for the thing.
            request: makes it.
            undo: deletes it.
        """
        task = asyncio.ensure_future(request)
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            await asyncio.wait({task})
            raise
        finally:
            if task.done() and not task.cancelled() and not task.exception():
                thing = task.result()
                self._things.append((name, lambda: undo(thing)))
        return task.result()

    async def delete_all(self) -> int:
        """Delete everything, the newest first; return the number of things left behind."""
        left = 0
        while self._things:
            name, undo = self._things.pop()
            try:
                await undo()
            except discord.NotFound:
                pass
            except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError) as error:
                left += 1
                self._tell(f"LEFT BEHIND  {name}: delete it by hand ({error})")
        return left


@dataclass
class Place:
    """The place where steps are tried.

    Attributes:
        channel: a text channel in which the bot may play.
        forum: a forum in which the bot may post; None if there is none.
        owner: the user who is notified: the owner of the application.
        message, in_thread: the messages that later steps use.
    """

    client: discord.Client
    guild: discord.Guild
    me: discord.Member
    channel: discord.TextChannel
    forum: discord.ForumChannel | None
    owner: UserId
    cleanup: Cleanup
    message: discord.Message | None = None
    in_thread: discord.Message | None = None

    @property
    def permissions(self) -> discord.Permissions:
        """The bot's permissions in the channel."""
        return self.channel.permissions_for(self.me)

    def posted(self) -> discord.Message:
        """Return the message that later steps use.

        Raises:
            SkippedError: it was refused.
        """
        if not self.message:
            raise SkippedError("there is no message to try it with")
        return self.message

    def posted_in_thread(self) -> discord.Message:
        """Return the message in the thread.

        Raises:
            SkippedError: it was refused.
        """
        if not self.in_thread:
            raise SkippedError("there is no thread to try it with")
        return self.in_thread

    async def thread(self) -> discord.Thread:
        """Return the thread as it is now."""
        thread = await self.client.fetch_channel(self.posted_in_thread().channel.id)
        assert isinstance(thread, discord.Thread)  # noqa: S101 - it is the one that was started
        return thread

    async def post(
        self, view: Layout, where: discord.abc.Messageable | None = None, **options: Any
    ) -> discord.Message:
        """Post a message silently, which is deleted at the end.

        Args:
            where: by default the channel.
            options: see discord.py's `Messageable.send`.
        """
        options = {"silent": True} | options
        request = (where or self.channel).send(view=view, **options)
        return await self.cleanup.make("a message", request, lambda message: message.delete())


class Step(NamedTuple):
    """A step.

    Attributes:
        name: words for the subject of the trial.
        run: tries it; returns Discord's answer in words.
        optional: whether the bot can do without, so that a refusal is no fault.
    """

    name: str
    run: Callable[[Place], Awaitable[str]]
    optional: bool = False


async def register_commands(place: Place) -> str:
    """Register all commands on this server only."""
    application, http = place.client.application_id or 0, place.client.http
    if await http.get_guild_commands(application, place.guild.id):
        raise SkippedError("the application has commands of its own on this server")
    with TemporaryDirectory(prefix="starpost-") as folder:
        async with open_database(f"sqlite+aiosqlite:///{folder}/smoke.db") as database:
            payloads = await command_payloads(Starpost(database).tree)
    wanted = [
        {name: value for name, value in payload.items() if name not in GLOBAL_ONLY}
        for payload in payloads
    ]
    registered = await place.cleanup.make(
        "the commands of this server",
        http.bulk_upsert_guild_commands(application, place.guild.id, wanted),
        lambda _: http.bulk_upsert_guild_commands(application, place.guild.id, []),
    )
    if len(registered) != len(wanted):
        raise UnexpectedError(f"{len(registered)} of {len(wanted)} commands registered")
    return f"{len(registered)} commands"


async def post(place: Place) -> str:
    """Post a message without a notification."""
    place.message = await place.post(layout_of(ui.TextDisplay(MARK)))
    return "silent" if place.message.flags.silent else "not silent"


async def edit(place: Place) -> str:
    """Edit that message."""
    edited = await place.posted().edit(view=layout_of(ui.TextDisplay(f"{MARK} (edited)")))
    return "edited" if edited.edited_at else "edited, without a time"


async def repeat_nonce(place: Place) -> str:
    """Post twice with one nonce, as after a lost answer."""
    nonce, view = secrets.randbits(48), layout_of(ui.TextDisplay(MARK))
    first, second = [await place.post(view, nonce=nonce) for _ in range(2)]
    if first.id != second.id:
        raise UnexpectedError("a repeated nonce makes a second message")
    return "one message for one nonce"


async def post_picture(place: Place) -> str:
    """Post a picture with a long description, and edit the text above it."""
    alt = "a" * ALT_TEXT
    file = discord.File(listing.COVER, "board.png", description=alt)
    view = layout_of(ui.TextDisplay(MARK), gallery(file))
    message = await place.post(view, file=file)
    kept = ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description=alt))
    await message.edit(
        view=layout_of(ui.TextDisplay(f"{MARK} (edited)"), kept), attachments=message.attachments
    )
    edited = await place.channel.fetch_message(message.id)
    if len(edited.attachments) != 1:
        raise UnexpectedError(f"{len(edited.attachments)} pictures after an edit")
    return "the picture is still there after an edit"


def post_file(size: int) -> Callable[[Place], Awaitable[str]]:
    """Return the step that posts a file of so many bytes."""

    async def run(place: Place) -> str:
        attachment = (await _post_files(place, size)).attachments[0]
        if attachment.size != size:
            raise UnexpectedError(f"{attachment.size:,} of {size:,} bytes")
        return f"{attachment.size:,} bytes"

    return run


async def _post_files(place: Place, *sizes: int) -> discord.Message:
    files = [
        discord.File(io.BytesIO(os.urandom(size)), f"{number}.match")
        for number, size in enumerate(sizes)
    ]
    view = layout_of(ui.TextDisplay(MARK), *(ui.File(file) for file in files))
    return await place.post(view, files=files)


async def post_many_files(place: Place) -> str:
    """Post as many files as a message may have."""
    message = await _post_files(place, *[KIB] * FILES)
    return f"{len(message.attachments)} files"


async def post_too_large_file(place: Place) -> str:
    """Post a file of a byte more than the server's limit."""
    size = place.guild.filesize_limit + 1
    return await _refused(_post_files(place, size), TOO_LARGE, f"{size:,} bytes")


async def _refused(request: Awaitable[object], code: int, thing: str) -> str:
    """Return the words for a refusal with this code.

    Raises:
        UnexpectedError: Discord accepts it.
    """
    try:
        await request
    except discord.HTTPException as error:
        if error.code != code:
            raise
        return f"{thing} refused, as it should be ({error.status}, {code})"
    raise UnexpectedError(f"{thing} accepted")


async def post_texts(place: Place) -> str:
    """Post as many components and characters as a message may have."""
    each_letters = LETTERS // COMPONENTS
    texts = [ui.TextDisplay("a" * each_letters) for _ in range(COMPONENTS)]
    message = await place.post(layout_of(*texts))
    return f"{len(message.components)} components, {each_letters * COMPONENTS:,} characters"


async def post_too_many_texts(place: Place) -> str:
    """Post a component more than a message may have; discord.py itself would refuse it."""
    route = discord.http.Route(
        "POST", "/channels/{channel_id}/messages", channel_id=place.channel.id
    )
    texts = [{"type": discord.ComponentType.text_display.value, "content": "a"}] * (COMPONENTS + 1)
    flags = discord.MessageFlags(components_v2=True, suppress_notifications=True)
    request = place.cleanup.make(
        "a message",
        place.client.http.request(route, json={"flags": flags.value, "components": texts}),
        lambda message: place.client.http.delete_message(place.channel.id, int(message["id"])),
    )
    return await _refused(request, INVALID_FORM, f"{COMPONENTS + 1} components")


async def post_controls(place: Place) -> str:
    """Post rows of buttons and a menu with the longest labels, all disabled."""
    rows = [
        ui.ActionRow(
            *(
                ui.Button(
                    label="a" * LABEL,
                    custom_id=f"{row}{number}".ljust(CUSTOM_ID, "a"),
                    disabled=True,
                )
                for number in range(IN_ROW)
            )
        )
        for row in range(ROWS)
    ]
    options = [
        discord.SelectOption(label="a" * OPTION, value=f"{number:02}".ljust(OPTION, "a"))
        for number in range(OPTIONS)
    ]
    menu = ui.Select(custom_id="menu", options=options, disabled=True)
    await place.post(layout_of(ui.TextDisplay(MARK), *rows, ui.ActionRow(menu)))
    return f"{ROWS} rows of {IN_ROW} buttons, a menu of {OPTIONS}"


async def upload_emoji(place: Place) -> str:
    """Upload an emoji of the application, and post it on a button."""
    _, png = next(iter(all_emoji_images()))
    name = f"smoke_{secrets.token_hex(4)}"
    emoji = await place.cleanup.make(
        f"the emoji {name}",
        place.client.create_application_emoji(name=name, image=png),
        lambda emoji: emoji.delete(),
    )
    button = ui.Button(label="1", emoji=emoji, custom_id="emoji", disabled=True)
    await place.post(layout_of(ui.TextDisplay(MARK), ui.ActionRow(button)))
    return "on a button"


async def start_thread(place: Place) -> str:
    """Start a thread below the message, and post in it."""
    if not place.permissions.manage_threads:
        raise SkippedError("without Manage Threads and Posts the bot could not delete the thread")
    message = place.posted()

    async def delete(thread: discord.Thread) -> None:
        await thread.delete()
        await _delete_lines(place, message)

    thread = await place.cleanup.make(
        "a thread",
        message.create_thread(name="a" * THREAD_NAME, auto_archive_duration=60),
        delete,
    )
    place.in_thread = await place.post(layout_of(ui.TextDisplay(MARK)), thread)
    return f"a name of {len(thread.name)} characters"


async def edit_in_archived_thread(place: Place) -> str:
    """Archive the thread and edit its message."""
    message = place.posted_in_thread()
    thread = await place.thread()
    await thread.edit(archived=True)
    change = message.edit(view=layout_of(ui.TextDisplay(f"{MARK} (edited)")))
    return await _refused(change, ARCHIVED, "an edit")


async def wake_thread(place: Place) -> str:
    """Post in the archived thread."""
    place.posted_in_thread()
    await place.post(layout_of(ui.TextDisplay(MARK)), await place.thread())
    if (await place.thread()).archived:
        raise UnexpectedError("it is still archived")
    return "it is no longer archived"


async def start_post(place: Place) -> str:
    """Start a post in a forum, with a tag, and change its name."""
    forum = place.forum
    if not forum:
        raise SkippedError("there is no forum in which the bot may post and delete posts")
    tags = [tag for tag in forum.available_tags if not tag.moderated][:1]
    started = await place.cleanup.make(
        "a forum post",
        forum.create_thread(
            name="a" * THREAD_NAME, view=layout_of(ui.TextDisplay(MARK)), applied_tags=tags
        ),
        lambda started: started.thread.delete(),
    )
    await started.thread.edit(name="Starpost")
    return f"{len(started.thread.applied_tags)} of {len(tags)} tags, renamed"


async def pin(place: Place) -> str:
    """Pin the message."""
    message = place.posted()

    async def unpin(_: object) -> None:
        await message.unpin()
        await _delete_lines(place, message)

    await place.cleanup.make("a pin", message.pin(), unpin)
    return "pinned"


async def _delete_lines(place: Place, message: discord.Message) -> None:
    """Delete the lines that Discord has written about a message: that it was pinned, or a thread.

    A thread below a message has the id of the message.
    """
    async for line in place.channel.history(limit=LINES, after=message):
        about = line.reference
        if line.is_system() and about and message.id in {about.message_id, about.channel_id}:
            await line.delete()


def notify(*, silent: bool) -> Callable[[Place], Awaitable[str]]:
    """Return the step that mentions the owner, silently or not."""

    async def run(place: Place) -> str:
        how = "silent" if silent else "with a notification"
        owner = discord.Object(place.owner)
        await place.post(
            layout_of(ui.TextDisplay(f"<@{place.owner}> {MARK} ({how})")),
            silent=silent,
            allowed_mentions=discord.AllowedMentions(users=[owner]),
        )
        return how

    return run


async def write_directly(place: Place) -> str:
    """Send the owner a direct message."""
    user = await place.client.fetch_user(place.owner)
    await place.post(layout_of(ui.TextDisplay(MARK)), user)
    return "delivered"


async def read_history(place: Place) -> str:
    """Find the message in the channel's history."""
    message, count = place.posted(), 0
    async for earlier in place.channel.history(limit=50, after=discord.Object(message.id - 1)):
        count += 1
        if earlier.id == message.id:
            return "the message is found"
    raise UnexpectedError(f"the message is not among {count} in the history")


STEPS = (
    Step("commands on this server", register_commands),
    Step("a silent message", post),
    Step("an edit", edit),
    Step("a message sent twice", repeat_nonce),
    Step("a picture", post_picture),
    *(Step(f"a file of {name}", post_file(size)) for size, name in SIZES),
    Step(f"{FILES} files", post_many_files),
    Step("a file above the limit", post_too_large_file),
    Step("texts at the limits", post_texts),
    Step("texts above the limits", post_too_many_texts),
    Step("buttons and a menu at the limits", post_controls),
    Step("an emoji of the application", upload_emoji),
    Step("a thread", start_thread),
    Step("an edit in the archived thread", edit_in_archived_thread),
    Step("a message in the archived thread", wake_thread),
    Step("a forum post", start_post),
    Step("a pin", pin, optional=True),
    Step("the history", read_history),
    Step("a silent mention of the owner", notify(silent=True)),
    Step("a mention of the owner", notify(silent=False)),
    Step("a direct message to the owner", write_directly, optional=True),
)
"""All steps, in order."""
