"""The settings of a player."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice

from bot.domain.time_zones import zones
from bot.i18n import catalogue
from bot.interactions.command import EVERYWHERE, CheckedCommand, Proposals, command, proposals
from bot.interactions.components import BUTTON_GONE, component, filled_in, selected
from bot.interactions.context import Context
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_reply,
    open_window,
    reply,
    user_id_of,
)
from bot.services.preferences import language_of
from bot.views import preferences
from bot.views.custom_ids import PreferencesChosenId, PreferencesId, PreferId, UnblockAllId
from render.i18n import N_, _, using


@component(PreferId)
async def _prefer(context: Context, interaction: Interaction, id: PreferId) -> None:
    """Change one of the user's settings."""
    try:
        changed = await context.preferences.set(
            user_id_of(interaction), id.name, selected(interaction)
        )
    except KeyError:
        raise UserError(_(BUTTON_GONE)) from None
    await _show(interaction, changed)


@component(PreferencesId)
async def _open(context: Context, interaction: Interaction, id: PreferencesId) -> None:
    """Open a window with a group of settings."""
    values = await context.preferences.preferences(user_id_of(interaction))
    try:
        window = preferences.window(values, id.group)
    except KeyError:
        raise UserError(_(BUTTON_GONE)) from None
    await open_window(interaction, window)


@component(PreferencesChosenId)
async def _choose(context: Context, interaction: Interaction, _id: PreferencesChosenId) -> None:
    """Store the settings chosen in a window."""
    fields = filled_in(interaction)
    choices = {name: values[0] for name, values in fields.items() if values}
    try:
        changed = await context.preferences.set_all(user_id_of(interaction), choices)
    except KeyError:
        raise UserError(_(BUTTON_GONE)) from None
    await _show(interaction, changed)


async def _show(interaction: Interaction, changed: dict[str, str]) -> None:
    """Show changed settings, in the language that is now chosen."""
    with using(catalogue(language_of(changed), interaction.locale.value)):
        await edit_reply(interaction, preferences.settings(changed))


@component(UnblockAllId)
async def _unblock_all(context: Context, interaction: Interaction, _id: UnblockAllId) -> None:
    """Unblock all players."""
    values = await context.preferences.unblock_all(user_id_of(interaction))
    await edit_reply(interaction, preferences.settings(values))


def _settings(context: Context) -> CheckedCommand:
    @proposals
    async def propose(_interaction: Interaction, current: str) -> Proposals:
        typed = current.strip().replace(" ", "_").lower()
        return [Choice(name=zone, value=zone) for zone in zones() if typed in zone.lower()]

    @command(
        name=N_("settings"),
        description=N_("Choose your reminders, your language and how your boards look"),
        offered=EVERYWHERE,
    )
    @app_commands.describe(zone=N_("Your time zone, for quiet hours and days off"))
    @app_commands.autocomplete(zone=propose)
    async def settings(interaction: Interaction, zone: str | None = None) -> None:
        user_id = user_id_of(interaction)
        try:
            values = await context.preferences.set_time_zone(user_id, zone) if zone else None
        except KeyError:
            raise UserError(
                _("I don't know this time zone; choose one from the list, such as Europe/Berlin.")
            ) from None
        await reply(
            interaction,
            preferences.settings(values or await context.preferences.preferences(user_id)),
        )

    return settings


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_settings(context)]
