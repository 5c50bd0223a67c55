"""Vacations: to begin and to end one."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Range

from bot.interactions.command import CheckedCommand, command
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, UserError, reply
from bot.services.clocks import DAY
from bot.services.vacation import ALLOWANCE_DAYS, TooLongError
from bot.views import vacation
from bot.views.message import note
from render.i18n import N_, _

Days = Range[int, 0, ALLOWANCE_DAYS]


def _vacation(context: Context) -> CheckedCommand:
    @command(
        name=N_("vacation"),
        description=N_("Pause your clocks while you're away; other players see it"),
    )
    @app_commands.describe(
        days=N_("Number of days; 0 when you're back; leave it out to see how many you have left")
    )
    async def take_vacation(interaction: Interaction, days: Days | None = None) -> None:
        user_id = interaction.user.id
        if days is None:
            await reply(interaction, vacation.vacation(await context.vacations.balance(user_id)))
            return
        if days:
            try:
                leave = await context.vacations.begin(user_id, context.clock() + days * DAY)
            except TooLongError as error:
                raise UserError(vacation.too_long(error.days)) from None
            answer = vacation.vacation(leave)
        elif await context.vacations.end(user_id):
            answer = note(_("Welcome back! Your clocks are running again."))
        else:
            raise UserError(_("You're not on vacation; nothing has changed."))
        await reply(interaction, answer)

    return take_vacation


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_vacation(context)]
