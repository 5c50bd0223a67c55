"""*Share the result* at the end of a match."""

from __future__ import annotations

from functools import partial

from bot.domain.ids import MatchId
from bot.domain.models import Match, Perspective
from bot.features.scorecards import views
from bot.features.scorecards.ids import PostScorecardId, ScorecardId
from bot.features.scorecards.service import AlreadyPostedError, Scorecards
from bot.i18n import catalogue
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.invocation import guild_id_of
from bot.interactions.permissions import require_may_reply_to_all
from bot.interactions.replies import Interaction, UserError, reply, show_to_all, user_id_of
from bot.interactions.visibility import require_finished
from bot.sanitize import clean_name, escape
from engine.endings import ABANDONED
from render import pictures
from render.charts import ResultCard
from render.i18n import _, using
from render.renderer import DEFAULT_STYLE


@component(ScorecardId)
async def _show(context: Context, interaction: Interaction, id: ScorecardId) -> None:
    """Show the picture of a finished match in private."""
    perspective = await _result(context, interaction, id.match_id)
    match = perspective.match
    style = await context.preferences.style(user_id_of(interaction), match.guild_id)
    content, picture = await _drawn(context, perspective, style.theme)
    can_post = _is_place_of(interaction, match)
    await reply(interaction, views.page(perspective, content, picture, can_post=can_post))


@component(PostScorecardId)
async def _post(context: Context, interaction: Interaction, id: PostScorecardId) -> None:
    """Post the picture in the channel of the match, once."""
    perspective = await _result(context, interaction, id.match_id)
    if not _is_place_of(interaction, perspective.match):
        raise UserError(_("I post a result only where the match was played; save the picture."))
    require_may_reply_to_all(interaction)
    try:
        with context.of(Scorecards).posting(id.match_id):
            await _post_to_all(context, interaction, perspective)
    except AlreadyPostedError:
        raise UserError(_("The result of this match is already posted here.")) from None


async def _post_to_all(
    context: Context, interaction: Interaction, perspective: Perspective
) -> None:
    """Post the picture in the language of the server."""
    guild_id, locale = guild_id_of(interaction), interaction.guild_locale or interaction.locale
    with using(catalogue(await context.servers.language(guild_id, locale))):
        content, picture = await _drawn(context, perspective, DEFAULT_STYLE.theme)
        shower = escape(clean_name(interaction.user.display_name))
        await show_to_all(interaction, views.public_page(perspective, content, picture, shower))


async def _result(context: Context, interaction: Interaction, match_id: MatchId) -> Perspective:
    """Return a finished match as the public sees it, also to players.

    Raises:
        UserError: it is not finished, or has no result.
        NoMatchError: there is no such match for this user.
    """
    await require_finished(context, interaction, match_id)
    perspective = await context.queries.view(match_id)
    if perspective.view.result == ABANDONED:
        raise UserError(_("This match ended without a result, so there is nothing to share."))
    return perspective


async def _drawn(
    context: Context, perspective: Perspective, theme: str
) -> tuple[ResultCard, bytes]:
    """Return the texts of a picture, and the picture."""
    match, view = perspective.match, perspective.view
    content = views.card(match, view, await context.of(Scorecards).seconds(match.id))
    draw = partial(pictures.result, content, view, match.names, theme)
    return content, await context.images.draw(draw)


def _is_place_of(interaction: Interaction, match: Match) -> bool:
    """Return whether an interaction is in the channel of a match on a server."""
    return match.guild_id is not None and interaction.channel_id == match.channel_id
