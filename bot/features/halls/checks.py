"""The needs of a hall on a server, and its check in `/server`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.features.halls.service import hall_of, hall_role_of
from bot.features.halls.views import tag_names
from bot.interactions.channel_checks import missing_in, name_of
from bot.interactions.context import Context
from bot.interactions.invocation import Person
from bot.interactions.permissions import (
    START_PERMISSIONS,
    TAG_PERMISSIONS,
    THREAD_PERMISSIONS,
    missing,
)
from bot.interactions.server_options import Finding
from bot.services.servers import ServerSettings
from render.i18n import N_, _, format_list, quoted

MAX_TAGS = 20
"""Maximum number of tags of a forum, by Discord."""

HALL_PERMISSIONS = {
    name: words for name, words in START_PERMISSIONS.items() if name != "attach_files"
}
"""Permissions for the list of a hall in a channel."""

FORUM_PERMISSIONS = (
    START_PERMISSIONS
    | {"send_messages": N_("Create Posts")}
    | {"send_messages_in_threads": THREAD_PERMISSIONS["send_messages_in_threads"]}
)
"""Permissions for a hall in a forum, where matches are played."""

MENTION_PERMISSIONS = {
    "mention_everyone": N_("Mention @everyone, @here, and All Roles"),
}
"""Permission to call a role that not everyone may mention."""


async def check_hall(
    context: Context, me: discord.Member, channel_id: ChannelId | None
) -> Sequence[Finding]:
    """Check the hall of a server."""
    settings = await context.servers.settings(GuildId(me.guild.id))
    hall_id = hall_of(settings)
    if not hall_id or channel_id not in (None, hall_id):
        return ()
    channel = me.guild.get_channel(hall_id)
    works = _("{channel}: the hall works.").format(channel=name_of(channel) if channel else "")
    problems = [Finding(text) for text in hall_problems(me, settings)]
    return problems or [Finding(works, problem=False)]


def hall_problems(me: discord.Member, settings: ServerSettings) -> Iterator[str]:
    """Yield the problems of the hall of a server."""
    channel = me.guild.get_channel(hall_of(settings))
    role = me.guild.get_role(hall_role_of(settings))
    if not isinstance(channel, discord.TextChannel | discord.ForumChannel):
        yield _("The hall was deleted, or I can't see it; choose another one with `/server`.")
        return
    is_forum, allowed = isinstance(channel, discord.ForumChannel), channel.permissions_for(me)
    needs = {
        N_("{channel}: there is no list in the hall; I need {permissions}."): (
            FORUM_PERMISSIONS if is_forum else HALL_PERMISSIONS
        ),
        N_("{channel}: posts keep their tags, and the list isn't pinned; I need {permissions}."): (
            TAG_PERMISSIONS if is_forum else {}
        ),
        N_("{channel}: I can't ping the hall's role; I need {permissions}."): (
            MENTION_PERMISSIONS if role and not role.mentionable else {}
        ),
    }
    for sentence, needed in needs.items():
        if lacking := missing_in(allowed, needed) if needed else "":
            yield _(sentence).format(channel=name_of(channel), permissions=lacking)
    if hall_role_of(settings) and role is None:
        yield _("The role that I ping in the hall was deleted.")
    if isinstance(channel, discord.ForumChannel):
        yield from _forum_problems(channel, allowed, me)


def _forum_problems(
    forum: discord.ForumChannel, allowed: discord.Permissions, me: discord.Member
) -> Iterator[str]:
    """Yield the problems of the tags and the pinned post of a forum."""
    name = name_of(forum)
    if forum.is_media():
        yield _(
            "{channel}: it is a media channel, whose posts need a picture or a film; choose a forum"
            " with `/server`."
        ).format(channel=name)
    if tags := _missing_tags(forum):
        sentence = _("{channel}: for tags on the posts of matches, add {tags}.")
        if len(forum.available_tags) + len(tags) > MAX_TAGS:
            sentence = _(
                "{channel}: for tags on the posts of matches, delete some tags (a forum can have"
                " {most}) and add {tags}."
            )
        yield sentence.format(channel=name, tags=format_list(tags), most=MAX_TAGS)
    reserved = [tag for tag in forum.available_tags if tag.moderated and not allowed.manage_threads]
    names = {tag.lower() for tag in tag_names()}
    if reserved_names := [quoted(tag.name) for tag in reserved if tag.name.lower() in names]:
        sentence = _(
            "{channel}: the tags {tags} are for moderators; let everyone apply them, or give me"
            " {permissions}."
        )
        words = missing(discord.Permissions.none(), TAG_PERMISSIONS)
        yield sentence.format(channel=name, tags=format_list(reserved_names), permissions=words)
    if forum.flags.require_tag and len(reserved) == len(forum.available_tags):
        yield _(
            "{channel}: each post needs a tag, and there is none that I may apply; add one, or let"
            " members post without."
        ).format(channel=name)
    if any(post.flags.pinned and post.owner_id != me.id for post in forum.threads):
        yield _("{channel}: another post is pinned, so my list isn't; unpin it.").format(
            channel=name
        )


def _missing_tags(forum: discord.ForumChannel) -> list[str]:
    """Return the names of the tags that a forum lacks, in this language."""
    existing = {tag.name.lower() for tag in forum.available_tags}
    return [quoted(name) for name in tag_names() if name.lower() not in existing]


def mention_problem(user: Person, role: discord.Role) -> str:
    """Return a sentence refusing to mention a role for a user, or an empty string."""
    if not isinstance(user, discord.Member):
        return _("Only members who can manage this server can change that.")
    if role.mentionable or user.guild_permissions.mention_everyone:
        return ""
    sentence = _("You can't mention {role} yourself. Ask a member with {permissions}.")
    permissions = format_list([_(words) for words in MENTION_PERMISSIONS.values()])
    return sentence.format(role=role.mention, permissions=permissions)
