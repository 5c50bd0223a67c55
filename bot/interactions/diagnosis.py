"""Find what prevents matches on a server: missing permissions, missing commands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import discord

from bot.interactions.permissions import (
    FORUM_PERMISSIONS,
    HALL_PERMISSIONS,
    MENTION_PERMISSIONS,
    PLAY_PERMISSIONS,
    START_PERMISSIONS,
    TAG_PERMISSIONS,
    THREAD_PERMISSIONS,
    missing,
    rank_problem,
)
from bot.sanitize import clean
from bot.services.servers import ServerSettings
from bot.views.halls import tag_names
from bot.views.servers import Diagnosis
from render.i18n import N_, _, format_list

MAX_TAGS = 20
"""Maximum number of tags of a forum, by Discord."""


class GuildSetup(NamedTuple):
    """A server as the bot sees it.

    Attributes:
        me: the bot as a member of it.
        channels: where matches could be played.
        wanted: names of the commands that should be registered; empty if unknown.
        registered: names of the commands that Discord has.
        threads: whether each match gets a thread of its own.
        settings: the settings of the server, to check its hall and its position of the day;
            None to skip these checks.
        ranks: IDs of the roles that the server gives for ratings.
    """

    me: discord.Member
    channels: Sequence[discord.TextChannel]
    wanted: Collection[str]
    registered: Collection[str]
    threads: bool = True
    settings: ServerSettings | None = None
    ranks: Collection[int] = ()


def diagnose(setup: GuildSetup) -> Diagnosis:
    """Check the commands, and each channel."""
    faults = [*_commands(setup)]
    lines = faults or [_("All commands are registered.")]
    if not setup.channels:
        faults.append(_("There is no channel where matches may start."))
        lines.append(faults[-1])
    for channel in setup.channels:
        allowed = channel.permissions_for(setup.me)
        lacking = _missing(allowed, PLAY_PERMISSIONS)
        if lacking:
            fault = _("{channel}: matches can't be played here; I need {permissions}.")
            faults.append(fault)
            lines.append(fault.format(channel=_name(channel), permissions=lacking))
        elif setup.threads and (lacking := _missing(allowed, THREAD_PERMISSIONS)):
            line = _("{channel}: matches stay in the channel; for threads I need {permissions}.")
            lines.append(line.format(channel=_name(channel), permissions=lacking))
        else:
            lines.append(_("{channel}: everything works.").format(channel=_name(channel)))
    if setup.settings and setup.settings.hall:
        lines += _hall(setup.me, setup.settings)
    if setup.settings and setup.settings.daily:
        lines.append(_daily(setup.me, setup.settings.daily))
    if setup.ranks:
        lines += _ranks(setup.me, setup.ranks)
    return Diagnosis(lines, not faults)


def _ranks(me: discord.Member, ranks: Collection[int]) -> Iterator[str]:
    """Yield sentences about the problems of roles for ranks, or that they work."""
    problems = [rank_problem(me, role) for role_id in ranks if (role := me.guild.get_role(role_id))]
    problems = [each for each in problems if each]
    deleted = sum(me.guild.get_role(role_id) is None for role_id in ranks)
    if deleted:
        problems.append(_("{count} of the roles for ranks were deleted.").format(count=deleted))
    yield from dict.fromkeys(problems or [_("The roles for ranks work.")])


def _hall(me: discord.Member, chosen: ServerSettings) -> Iterator[str]:
    """Yield sentences about the problems of the hall, or that it works."""
    channel = me.guild.get_channel(chosen.hall)
    role = me.guild.get_role(chosen.hall_role)
    if not isinstance(channel, discord.TextChannel | discord.ForumChannel):
        yield _("The hall was deleted, or I can't see it; choose another one with `/server`.")
        return
    is_forum, name = isinstance(channel, discord.ForumChannel), _name(channel)
    allowed, found = channel.permissions_for(me), False
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
        if lacking := _missing(allowed, needed) if needed else "":
            found = True
            yield _(sentence).format(channel=name, permissions=lacking)
    if chosen.hall_role and role is None:
        found = True
        yield _("The role that is called in the hall was deleted.")
    if isinstance(channel, discord.ForumChannel) and (tags := _missing_tags(channel)):
        found = True
        sentence = _("{channel}: for tags on the posts of matches, add {tags}.")
        if len(channel.available_tags) + len(tags) > MAX_TAGS:
            sentence = _(
                "{channel}: for tags on the posts of matches, delete some tags (a forum can have"
                " {count}) and add {tags}."
            )
        yield sentence.format(channel=name, tags=format_list(tags), count=MAX_TAGS)
    if not found:
        yield _("{channel}: the hall works.").format(channel=name)


def _daily(me: discord.Member, channel_id: int) -> str:
    """Return a sentence about the problem of positions of the day, or that they work."""
    channel = me.guild.get_channel(channel_id)
    if not isinstance(channel, discord.TextChannel):
        return _(
            "The channel of the position of the day was deleted, or I can't see it; choose another"
            " one with `/server`."
        )
    sentence = _("{channel}: the position of the day works.")
    if lacking := _missing(channel.permissions_for(me), START_PERMISSIONS):
        sentence = _("{channel}: there is no position of the day; I need {permissions}.")
    return sentence.format(channel=_name(channel), permissions=lacking)


def _missing_tags(forum: discord.ForumChannel) -> list[str]:
    """Return the names of the tags that a forum lacks, in this language."""
    known = {tag.name.lower() for tag in forum.available_tags}
    return [f"“{name}”" for name in tag_names() if name.lower() not in known]


def _commands(setup: GuildSetup) -> Iterator[str]:
    if not setup.registered:
        yield _("No commands are registered with Discord; I register them when I start.")
    elif missing := sorted(set(setup.wanted) - set(setup.registered)):
        names = ", ".join(f"/{name}" for name in missing)
        yield _("These commands are not registered with Discord: {names}.").format(names=names)


def _missing(allowed: discord.Permissions, needed: Mapping[str, str]) -> str:
    """Return the permissions that a channel lacks; for a hidden one only *View Channel*."""
    if not allowed.view_channel:
        needed = {"view_channel": PLAY_PERMISSIONS["view_channel"]}
    return missing(allowed, needed)


def _name(channel: discord.TextChannel | discord.ForumChannel) -> str:
    return f"#{clean(channel.name)}"
