"""What prevents the bot from using a channel: its permissions and its settings, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import discord

from bot.features.halls.views import tag_names
from bot.interactions.permissions import (
    FORUM_PERMISSIONS,
    HALL_PERMISSIONS,
    MENTION_PERMISSIONS,
    PLAY_PERMISSIONS,
    TAG_PERMISSIONS,
    THREAD_PERMISSIONS,
    VOICE_PERMISSIONS,
    missing,
)
from bot.sanitize import clean
from bot.services.servers import ServerSettings
from render.i18n import N_, _, format_list

MAX_TAGS = 20
"""Maximum number of tags of a forum, by Discord."""

Place = discord.abc.GuildChannel | discord.Thread
"""A channel, or a thread or post in one."""

_SPEAKING = (discord.VoiceChannel, discord.StageChannel)

_WITH_POSTS = (discord.ForumChannel, discord.Thread)


def place_problems(place: Place, me: discord.Member) -> Iterator[str]:
    """Yield why no match can be played in a channel, a thread, or the posts of a forum."""
    allowed = place.permissions_for(me)
    needed = PLAY_PERMISSIONS
    if isinstance(place, _WITH_POSTS):
        needed = {name: words for name, words in needed.items() if name != "send_messages"}
        needed |= {"send_messages_in_threads": THREAD_PERMISSIONS["send_messages_in_threads"]}
    if isinstance(place, _SPEAKING):
        needed = needed | VOICE_PERMISSIONS
    if lacking := missing_in(allowed, needed):
        sentence = _("{channel}: matches can't be played here; I need {permissions}.")
        yield sentence.format(channel=name_of(place), permissions=lacking)
    if isinstance(place, discord.Thread) and place.locked and not allowed.manage_threads:
        sentence = _("{channel}: it is locked; unlock it, or give me {permissions}.")
        words = missing(discord.Permissions.none(), TAG_PERMISSIONS)
        yield sentence.format(channel=name_of(place), permissions=words)
    everyone = _allowed_to_everyone(place)
    if everyone.view_channel and not everyone.use_application_commands:
        sentence = _("{channel}: members can't use commands here; allow {permissions}.")
        words = _("Use Application Commands")
        yield sentence.format(channel=name_of(place), permissions=words)


def thread_problem(place: Place, me: discord.Member) -> str:
    """Return why matches in a channel get no threads; empty if they do."""
    if not isinstance(place, discord.TextChannel):
        return _("{channel}: matches stay here; threads are for text channels.").format(
            channel=name_of(place)
        )
    lacking = missing_in(place.permissions_for(me), THREAD_PERMISSIONS)
    line = _("{channel}: matches stay in the channel; for threads I need {permissions}.")
    return line.format(channel=name_of(place), permissions=lacking) if lacking else ""


def hall_problems(me: discord.Member, settings: ServerSettings) -> Iterator[str]:
    """Yield the problems of the hall of a server."""
    channel = me.guild.get_channel(settings.hall)
    role = me.guild.get_role(settings.hall_role)
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
        N_("{channel}: I can't call the role of the hall; I need {permissions}."): (
            MENTION_PERMISSIONS if role and not role.mentionable else {}
        ),
    }
    for sentence, needed in needs.items():
        if lacking := missing_in(allowed, needed) if needed else "":
            yield _(sentence).format(channel=name_of(channel), permissions=lacking)
    if settings.hall_role and role is None:
        yield _("The role that is called in the hall was deleted.")
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
                " {count}) and add {tags}."
            )
        yield sentence.format(channel=name, tags=format_list(tags), count=MAX_TAGS)
    reserved = [tag for tag in forum.available_tags if tag.moderated and not allowed.manage_threads]
    wanted = {tag.lower() for tag in tag_names()}
    if reserved_names := [f"“{tag.name}”" for tag in reserved if tag.name.lower() in wanted]:
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


def cup_problem(me: discord.Member, name: str, channel_id: int) -> str:
    """Return the problem of the channel of a cup; empty if there is none."""
    place = me.guild.get_channel_or_thread(channel_id)
    if place is None:
        sentence = _("The channel of the cup “{cup}” was deleted, archived, or hidden from me.")
        return sentence.format(cup=name)
    problems = place_problems(place, me)
    sentence = _("The cup “{cup}” is not kept up to date. {problem}")
    return next((sentence.format(cup=name, problem=problem) for problem in problems), "")


def _missing_tags(forum: discord.ForumChannel) -> list[str]:
    """Return the names of the tags that a forum lacks, in this language."""
    existing = {tag.name.lower() for tag in forum.available_tags}
    return [f"“{name}”" for name in tag_names() if name.lower() not in existing]


def _allowed_to_everyone(place: Place) -> discord.Permissions:
    """Return what members without a role may do in a place."""
    role = place.guild.default_role
    if not isinstance(place, discord.Thread):
        return place.permissions_for(role)
    return place.parent.permissions_for(role) if place.parent else discord.Permissions.all()


def missing_in(allowed: discord.Permissions, needed: Mapping[str, str]) -> str:
    """Return the permissions that a channel lacks; for a hidden one only *View Channel*."""
    if not allowed.view_channel:
        needed = {"view_channel": PLAY_PERMISSIONS["view_channel"]}
    return missing(allowed, needed)


def name_of(place: Place) -> str:
    """Return the name of a channel as its members know it."""
    return f"#{clean(place.name)}"
