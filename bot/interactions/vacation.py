"""`/vacation`: begin or end a vacation."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Range

from bot.domain.clocks import DAY
from bot.domain.computer_players import LEVEL_TITLES
from bot.interactions.command import CheckedCommand, choices_of, command
from bot.interactions.context import Context
from bot.interactions.permissions import require_computers_at_all
from bot.interactions.replies import Interaction, UserError, reply, user_id_of
from bot.services.vacation import ALLOWANCE_DAYS, NotAwayError, TooLongError
from bot.views import vacation
from bot.views.message import note
from render.i18n import N_, _

Days = Range[int, 0, ALLOWANCE_DAYS]

NO_STAND_IN = "none"

STAND_INS = {**LEVEL_TITLES, N_("No: my matches wait"): NO_STAND_IN}
"""Title → level, or `NO_STAND_IN`."""


def _vacation(context: Context) -> CheckedCommand:
    @command(
        name=N_("vacation"),
        description=N_("Pause your clocks while you're away; other players see it"),
    )
    @app_commands.describe(
        days=N_("Number of days; 0 when you're back; leave it out to see how many you have left"),
        computer=N_("Let the computer play for you while you're away, if the other players agree"),
    )
    @app_commands.choices(computer=choices_of(STAND_INS))
    async def take_vacation(
        interaction: Interaction, days: Days | None = None, computer: str | None = None
    ) -> None:
        user_id = user_id_of(interaction)
        stand_in = "" if computer == NO_STAND_IN else computer
        if stand_in:
            require_computers_at_all(context)
        if days or (stand_in is not None and days is None):
            until = context.clock() + days * DAY if days else None
            try:
                leave = await context.vacations.begin(user_id, until, stand_in)
            except NotAwayError:
                raise UserError(_("You're not on vacation; choose `days:` as well.")) from None
            except TooLongError as error:
                raise UserError(vacation.too_long(error.days)) from None
            answer = vacation.vacation(leave)
        elif days is None:
            answer = vacation.vacation(await context.vacations.balance(user_id))
        elif await context.vacations.end(user_id):
            answer = note(_("Welcome back! Your clocks are running again."))
        else:
            raise UserError(_("You're not on vacation; nothing has changed."))
        await reply(interaction, answer)

    return take_vacation


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_vacation(context)]
