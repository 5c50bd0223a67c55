"""Slash commands: from decorated functions, or from data for the commands of each game."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple

import discord
from discord import app_commands
from discord.app_commands import (
    AppCommandContext,
    AppInstallationType,
    Choice,
    Command,
    ContextMenu,
    Group,
    TranslationContextLocation,
    locale_str,
)

from bot.i18n import ENGLISH, NAME_LIMIT, catalogue, command_name, negotiate_locale
from bot.interactions.option_validation import fits
from bot.interactions.replies import (
    OTHER_COMMAND,
    Interaction,
    error_boundary,
    no_proposals,
    reject,
)
from bot.views.choices import MENU_LIMIT

log = logging.getLogger(__name__)

Callback = Callable[..., Coroutine[Any, Any, None]]
Proposals = list[Choice[Any]]
Autocomplete = Callable[[Interaction, str], Coroutine[Any, Any, Proposals]]


class Availability(NamedTuple):
    """Where Discord offers a command.

    Attributes:
        contexts: servers, DMs with the bot, and other DMs.
        installs: whether a server or a user has to have installed the bot.
    """

    contexts: AppCommandContext
    installs: AppInstallationType


WITH_THE_BOT = Availability(
    AppCommandContext(guild=True, dm_channel=True, private_channel=False),
    AppInstallationType(guild=True, user=False),
)
"""The default."""

IN_SERVERS = Availability(AppCommandContext(guild=True), WITH_THE_BOT.installs)
"""For commands about a server or its members."""

EVERYWHERE = Availability(
    AppCommandContext(guild=True, dm_channel=True, private_channel=True),
    AppInstallationType(guild=True, user=True),
)
"""For commands with only private replies: users can install them for their own accounts."""

NAME_LOCATIONS = frozenset(
    {
        TranslationContextLocation.command_name,
        TranslationContextLocation.group_name,
        TranslationContextLocation.parameter_name,
    }
)
"""Locations where Discord accepts only lower case without spaces."""

TEXT_LIMIT = 100
"""Maximum length of a text that is no name."""


def text(template: str, **fields: str) -> locale_str:
    """Return a description with fields, translated as a whole with the words in them."""
    return locale_str(template.format(**fields), template=template, fields=fields)


class CheckedCommand(Command[Any, ..., Any]):
    """A command that validates its options and always replies."""

    async def _do_call(self, interaction: Interaction, params: dict[str, Any]) -> None:
        """Run the callback if the options match the command as currently registered."""
        parameters = {parameter.name: parameter for parameter in self.parameters}
        if vars(interaction.namespace).keys() - parameters.keys() or not all(
            fits(parameters[option], value) for option, value in params.items()
        ):
            log.info("command signature mismatch: /%s", self.qualified_name)
            await reject(interaction, OTHER_COMMAND)
            return
        async with error_boundary(interaction):
            await self.run(interaction, **params)

    async def run(self, interaction: Interaction, **options: Any) -> None:
        """Run the callback with checked options."""
        callback: Any = self.callback
        await callback(interaction, **options)

    async def _invoke_autocomplete(
        self, interaction: Interaction, name: str, namespace: app_commands.Namespace
    ) -> None:
        """Propose values; discord.py would log every error raised here with a traceback.

        Options that are still incomplete count as not given.
        """
        values = vars(namespace)
        for parameter in self.parameters:
            if parameter.name != name and not fits(parameter, values.get(parameter.name)):
                values.pop(parameter.name, None)
        try:
            await super()._invoke_autocomplete(interaction, name, namespace)
        except Exception as error:  # noqa: BLE001 - no_proposals logs unknown errors
            await no_proposals(interaction, error)


def command(
    *, name: str, description: str | locale_str, offered: Availability = WITH_THE_BOT
) -> Callable[[Callback], CheckedCommand]:
    """Turn a coroutine function into a command, as `discord.app_commands.command` does.

    discord.py's decorator cannot create a subclass of `Command`.
    """

    def decorate(callback: Callback) -> CheckedCommand:
        checked = CheckedCommand(name=name, description=description, callback=callback)
        checked.allowed_contexts, checked.allowed_installs = offered
        return checked

    return decorate


def group(
    name: str,
    description: str | locale_str,
    offered: Availability = WITH_THE_BOT,
) -> Group:
    """Return a group of commands, which are offered together."""
    return Group(
        name=name,
        description=description,
        allowed_contexts=offered.contexts,
        allowed_installs=offered.installs,
    )


def menu(name: str, callback: Callable[..., Coroutine[Any, Any, None]]) -> ContextMenu:
    """Return a context menu; its kind follows from the last parameter of its callback."""
    context_menu = ContextMenu(name=name, callback=callback)
    is_on_person = context_menu.type is discord.AppCommandType.user
    context_menu.allowed_contexts, context_menu.allowed_installs = (
        IN_SERVERS if is_on_person else EVERYWHERE
    )
    return context_menu


def choices_of(values: Mapping[str, str]) -> list[Choice[str]]:
    """Convert a mapping of words → value to the choices of an option."""
    return [Choice(name=words, value=value) for words, value in values.items()]


def proposals(propose: Autocomplete) -> Autocomplete:
    """Decorate an autocomplete to receive text and propose no more than Discord accepts."""

    async def run(interaction: Interaction, current: str) -> Proposals:
        return (await propose(interaction, str(current)))[:MENU_LIMIT]

    return run


class Option(NamedTuple):
    """An option of a command made from data.

    Attributes:
        name: name of the callback's parameter.
        required: whether it must be given.
        choices: words → value, if only these are possible.
        autocomplete: proposes values while a user types.
    """

    name: str
    description: str | locale_str
    value_type: Any = str
    required: bool = False
    choices: Mapping[str, str] | None = None
    autocomplete: Autocomplete | None = None

    @property
    def parameter(self) -> inspect.Parameter:
        """Return the parameter of the callback."""
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if self.required else None,
            annotation=self.value_type if self.required else self.value_type | None,
        )


def command_from_data(
    name: str, description: str | locale_str, callback: Callback, options: Sequence[Option]
) -> CheckedCommand:
    """Return a command whose options come from data, not from the signature of its callback.

    Args:
        callback: takes the options as keywords; each command needs its own.
        options: the options in the order that Discord shows.
    """
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([first, *(option.parameter for option in options)])
    callback.__signature__ = signature  # type: ignore[attr-defined]
    choices = {option.name: choices_of(option.choices) for option in options if option.choices}
    completed = {option.name: option.autocomplete for option in options if option.autocomplete}
    app_commands.describe(**{option.name: option.description for option in options})(callback)
    app_commands.choices(**choices)(callback)
    app_commands.autocomplete(**completed)(callback)
    return command(name=name, description=description)(callback)


class CommandTranslator(app_commands.Translator):
    """Translates commands, options and choices into each user's language.

    Text typed in `/do` and the values of choices are notation and stay untranslated.
    """

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return a name or description as Discord accepts it; None to keep the English one."""
        if negotiate_locale(locale.value) == ENGLISH:
            return None
        translated = catalogue(locale.value).gettext
        template = string.extras.get("template", string.message)
        fields = {name: translated(word) for name, word in string.extras.get("fields", {}).items()}
        words = translated(template).format(**fields)
        if isinstance(context.data, app_commands.ContextMenu):
            words = words[:NAME_LIMIT]  # its name is shown as words, not typed as a command
        elif context.location in NAME_LOCATIONS:
            words = command_name(words)
        return None if words == string.message else words[:TEXT_LIMIT]
