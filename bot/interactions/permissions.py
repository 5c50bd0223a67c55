"""Permissions of the bot on a server, and checks whether users may play there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import aiohttp
import discord

from bot.domain.ids import ChannelId, GuildId
from bot.domain.models import Match
from bot.guilds import Guilds, is_dangerous
from bot.interactions.context import Context
from bot.interactions.invocation import Invocation, Person, parent_of
from bot.interactions.replies import Interaction, UserError, user_id_of
from bot.interactions.server_options import ServerOptions
from bot.sanitize import clean, clean_name, escape
from engine import games
from engine.endings import FORFEIT_REASONS
from render.i18n import N_, _, format_list

START_PERMISSIONS = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "attach_files": N_("Attach Files"),
    "read_message_history": N_("Read Message History"),
}
"""Permissions required to begin a match: discord.py's names → Discord's words.

The history is read to find messages of the bot whose delivery is unconfirmed.
"""

PLAY_PERMISSIONS = START_PERMISSIONS | {"embed_links": N_("Embed Links")}
"""Permissions for all messages of the bot in a channel."""

THREAD_PERMISSIONS = {
    "create_public_threads": N_("Create Public Threads"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
}
"""Permissions to create a thread for each match."""

VOICE_PERMISSIONS = {"connect": N_("Connect")}
"""Permission for the text of a voice or stage channel."""

TAG_PERMISSIONS = {"manage_threads": N_("Manage Threads and Posts")}
"""Permission to change the tags of posts, and to pin the list."""

ROLE_PERMISSIONS = {"manage_roles": N_("Manage Roles")}
"""Permission to give roles for ranks, needed only where a server has chosen some."""

LOOKUP_TIMEOUT_SECONDS = 1.5
"""Timeout for looking up the other players: a command must be answered within 3 s."""

NOT_CHECKED = N_(
    "I couldn't check whether all players can see this channel; please try again in a moment."
)

NOT_ON_SERVER = N_(
    "All players must be on this server, and {players} would be missing. Invite them, or choose a "
    "channel of a server you share."
)

CHANNEL_HIDDEN = N_(
    "All players must see the channel of a match, and this one is hidden from {players}. Ask a "
    "moderator to give them *View Channel*, or choose another channel."
)


def require_startable(place: Invocation, opponents: Sequence[Person] = ()) -> None:
    """Check that the bot can play here and that the opponents are members of this server.

    Raises:
        UserError: a match is not possible here, or not with these opponents.
    """
    if any(opponent.bot for opponent in opponents):
        raise UserError(_("Other bots can't play; challenge a person, or me."))
    if place.guild_id is None:
        raise UserError(
            _(
                "Challenge a player in a channel of a server you share; after that you can play "
                "from here, too."
            )
        )
    absent = [person for person in opponents if not isinstance(person, discord.Member)]
    if absent:
        names = format_list([escape(clean_name(person.display_name)) for person in absent])
        sentence = _(
            "All players must be on this server, and {players} would be missing. Invite them, or "
            "start the match on a server you share."
        )
        raise UserError(sentence.format(players=names))
    needed = dict(START_PERMISSIONS)
    if isinstance(place.channel, discord.Thread):
        name = "send_messages_in_threads"
        needed[name] = THREAD_PERMISSIONS[name]
    if lacking := missing(place.app_permissions, needed):
        sentence = _("I can't play here; I'm missing: {permissions}.")
        raise UserError(sentence.format(permissions=lacking))


def is_self(place: Invocation, person: Person) -> bool:
    """Return whether a chosen opponent is this bot."""
    return place.client.user is not None and person.id == place.client.user.id


def require_computers(context: Context, game: str) -> None:
    """Check that the computer can play a game.

    Raises:
        UserError: the host has switched it off, or the game has no computer players.
    """
    require_computers_at_all(context)
    if not context.can_play(game):
        sentence = _("I can't play {game} myself; it's a game for people.")
        raise UserError(sentence.format(game=games.get(game).title))


def require_computers_at_all(context: Context) -> None:
    """Check that the computer can play some game.

    Raises:
        UserError: the host has switched it off.
    """
    if not context.computers:
        raise UserError(_("The computer is turned off on this bot."))


def missing(allowed: discord.Permissions, needed: Mapping[str, str]) -> str:
    """Return the missing permissions, in Discord's words."""
    lacking = [_(words) for name, words in needed.items() if not getattr(allowed, name)]
    return format_list(lacking, style="commas")


def managed_guild_id(interaction: Interaction) -> GuildId:
    """Return the ID of the server if this user may manage it.

    Raises:
        UserError: they may not, or it is no server.
    """
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise UserError(_("Only members who can manage this server can change that."))
    return GuildId(interaction.guild_id)


def rank_problem(me: discord.Member, role: discord.Role) -> str:
    """Return a sentence refusing a role for a rank, or an empty string."""
    name = escape(clean(role.name))
    if role.is_default() or role.managed:
        return _("{role} can't be a role for a rank, because members can't get it.").format(
            role=name
        )
    if is_dangerous(role):
        sentence = _(
            "{role} can't be a role for a rank, because it lets its members manage or moderate, or "
            "mention everyone."
        )
        return sentence.format(role=name)
    if lacking := missing(me.guild_permissions, ROLE_PERMISSIONS):
        sentence = _("I can't grant roles for ranks yet: I need {permissions} on this server.")
        return sentence.format(permissions=lacking)
    if role >= me.top_role:
        sentence = _("I can't grant {role}: in the list of roles, move mine above it.")
        return sentence.format(role=name)
    return ""


def giver_problem(user: Person, role: discord.Role) -> str:
    """Return a sentence refusing to grant a role for a user, or an empty string.

    The bot grants for a user only roles that they could grant themselves.
    """
    guild = role.guild
    if not isinstance(user, discord.Member):
        return _("Only members who can manage this server can change that.")
    may_give = user.guild_permissions.manage_roles and role < user.top_role
    if user.id == guild.owner_id or may_give:
        return ""
    sentence = _(
        "You can't grant {role} yourself. Ask a member who can manage roles and whose "
        "highest role is above it."
    )
    return sentence.format(role=escape(clean(role.name)))


def require_permissions(
    channel: discord.abc.GuildChannel | None, needed: Mapping[str, str], sentence: str
) -> None:
    """Check that the bot has permissions in a channel, if one is selected.

    Raises:
        UserError: some are missing.
    """
    if channel is None or channel.guild.me is None:
        return
    if lacking := missing(channel.permissions_for(channel.guild.me), needed):
        raise UserError(sentence.format(channel=channel.mention, permissions=lacking))


def require_may_reply_to_all(interaction: Interaction) -> None:
    """Check that a user may write in the channel, before a reply that everyone there sees.

    Raises:
        UserError: they may not.
    """
    allowed = interaction.permissions
    if isinstance(interaction.channel, discord.Thread):
        may = allowed.send_messages_in_threads
    else:
        may = allowed.send_messages
    if interaction.guild_id is not None and not may:
        raise UserError(_("You can't post in this channel, so I don't post here for you."))


def require_may_write(interaction: Interaction, channel: discord.abc.GuildChannel | None) -> None:
    """Check that the user can write in the channel that they make the bot write in.

    Raises:
        UserError: they cannot.
    """
    user = interaction.user
    if channel is None or not isinstance(user, discord.Member):
        return
    if not channel.permissions_for(user).send_messages:
        sentence = _("You can't write in {channel} yourself; choose a channel where you can.")
        raise UserError(sentence.format(channel=channel.mention))


async def require_playable(
    context: Context, place: Invocation, opponents: Sequence[Person] = ()
) -> None:
    """Check the server's settings for the channels of matches and for the players.

    Args:
        opponents: the other players, as far as known.

    Raises:
        UserError: a match is not possible here, or not with these opponents.
    """
    if place.guild_id is None:
        return
    settings = await context.servers.settings(GuildId(place.guild_id))
    playable = {*settings.channels, *context.of(ServerOptions).playable(settings)}
    if settings.channels and not _places(place) & playable:
        channels = format_list([f"<#{channel}>" for channel in settings.channels])
        raise UserError(
            _("On this server, matches start in {there}; try it there.").format(there=channels)
        )
    people = (place.user, *opponents)
    lacking = [person.mention for person in people if not _has(person, settings.role)]
    if settings.role and lacking:
        sentence = _(
            "On this server, only members with the role {role} can play; {people} would need it."
        )
        raise UserError(sentence.format(role=f"<@&{settings.role}>", people=format_list(lacking)))


async def require_all_see(context: Context, interaction: Interaction, match: Match) -> None:
    """Check that all active players of a match can see the channel of an interaction.

    Raises:
        UserError: some of them cannot see it, or the check failed.
    """
    lines = (await context.queries.record(match.id)).actions
    forfeited = {action.actor for action in lines if action.verb in FORFEIT_REASONS}
    staying = [player for seat, player in match.people.items() if seat not in forfeited]
    names = {player.user_id: escape(player.name) for player in staying}
    user_ids = names.keys() - {user_id_of(interaction)}
    location = GuildId(interaction.guild_id or 0), ChannelId(interaction.channel_id or 0)
    try:
        async with asyncio.timeout(LOOKUP_TIMEOUT_SECONDS):
            absent = await Guilds(interaction.client).absent(*location, user_ids)
    except (TimeoutError, discord.DiscordException, aiohttp.ClientError):
        raise UserError(_(NOT_CHECKED)) from None
    for users, sentence in ((absent.outside, NOT_ON_SERVER), (absent.blind, CHANNEL_HIDDEN)):
        if users:
            players = format_list([names[user] for user in sorted(users)])
            raise UserError(_(sentence).format(players=players))


async def has_left_server(interaction: Interaction, match: Match, seat: str) -> bool:
    """Return whether the player of a seat has left the server of a match.

    Raises:
        UserError: the check failed.
    """
    player = match.people.get(seat)
    if match.guild_id is None or player is None:
        return False
    try:
        async with asyncio.timeout(LOOKUP_TIMEOUT_SECONDS):
            return await Guilds(interaction.client).has_left(match.guild_id, player.user_id)
    except (TimeoutError, discord.DiscordException, aiohttp.ClientError):
        sentence = _("I couldn't check whether {name} has left; please try again in a moment.")
        raise UserError(sentence.format(name=escape(player.name))) from None


def _places(place: Invocation) -> set[int | None]:
    """Return the ID of the channel, and its parent's if it is a thread."""
    return {place.channel_id, parent_of(place)}


def _has(person: Person, role: int) -> bool:
    return isinstance(person, discord.Member) and person.get_role(role) is not None
