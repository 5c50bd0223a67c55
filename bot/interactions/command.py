"""Slash commands whose options are data and not the signature of a function."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Command, TranslationContextLocation, locale_str

from bot.i18n import ENGLISH, catalogue, negotiate_locale
from bot.interactions.option_checks import fits
from bot.interactions.replies import (
    OTHER_COMMAND,
    Interaction,
    error_boundary,
    no_proposals,
    reject,
)
from bot.views.choices import MENU_LIMIT

log = logging.getLogger(__name__)

Callback = Callable[..., Awaitable[None]]
Completion = Callable[[Interaction, str], Awaitable[list[Choice[Any]]]]

NAME_LOCATIONS = frozenset(
    {
        TranslationContextLocation.command_name,
        TranslationContextLocation.group_name,
        TranslationContextLocation.parameter_name,
    }
)
"""Where Discord takes lower case without spaces only."""

_NOT_IN_NAMES = re.compile(r"[^\w-]+")
"""What Discord does not take in a name."""

NAME_LIMIT, TEXT_LIMIT = 32, 100
"""Characters of a name, and of everything else."""


def text(template: str, **fields: str) -> locale_str:
    """A description with fields, to be translated as a whole; words among the fields are, too."""
    return locale_str(template.format(**fields), template=template, fields=fields)


class Option:
    """One option of a command: what discord.py wants to know, in one place.

    Args:
        name: as the callback gets it.
        description: for players.
        value_type: type of the value.
        required: whether it must be given.
        choices: name → value, if only these are possible.
        autocomplete: proposes values while a user types.
    """

    def __init__(
        self,
        name: str,
        description: str | locale_str,
        value_type: Any = str,
        *,
        required: bool = False,
        choices: dict[str, str] | None = None,
        autocomplete: Completion | None = None,
    ) -> None:
        self.name = name.lower()
        self.description = description
        self.choices = choices
        self.autocomplete = autocomplete
        default = inspect.Parameter.empty if required else None
        self.parameter = inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=value_type if required else value_type | None,
        )


class CompletedCommand(Command[Any, ..., Any]):
    """A command whose autocomplete ends quietly when it cannot be answered."""

    async def _invoke_autocomplete(
        self, interaction: Interaction, name: str, namespace: app_commands.Namespace
    ) -> None:
        """Propose values; discord.py logs each error of this as one with a traceback.

        Other options that are not yet typed to the end count as not given.
        """
        given = vars(namespace)
        for each in self.parameters:
            if each.name != name and not fits(each, given.get(each.name)):
                given.pop(each.name, None)
        try:
            await super()._invoke_autocomplete(interaction, name, namespace)
        except Exception as error:  # noqa: BLE001 - no_proposals logs what it does not know
            await no_proposals(interaction, error)


def command(
    name: str, description: str | locale_str, callback: Callback, options: Sequence[Option] = ()
) -> Command[Any, ..., Any]:
    """A command whose options are data and not the signature of a function."""

    async def run(interaction: Interaction, **values: Any) -> None:
        known = {each.name: each for each in made.parameters}
        if vars(interaction.namespace).keys() - known.keys() or not all(
            fits(known[option], value) for option, value in values.items()
        ):
            log.info("a command does not fit: /%s", made.qualified_name)
            await reject(interaction, OTHER_COMMAND)
            return
        async with error_boundary(interaction):
            await callback(interaction, **values)

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([first, *(option.parameter for option in options)])
    run.__signature__ = signature  # type: ignore[attr-defined]
    app_commands.describe(**{option.name: option.description for option in options})(run)
    made = CompletedCommand(name=name, description=description, callback=run)
    made.extras["run"] = callback
    for option in options:
        parameter = made._params[option.name]  # noqa: SLF001 - the decorators do the same
        if option.choices:
            parameter.choices = [
                Choice(name=locale_str(name), value=value) for name, value in option.choices.items()
            ]
        if option.autocomplete:
            made.autocomplete(option.name)(_completion(option.autocomplete))
    return made


def _completion(complete: Completion) -> Any:
    async def run(interaction: Interaction, current: str) -> list[Choice[Any]]:
        return (await complete(interaction, str(current)))[:MENU_LIMIT]

    return run


class CommandTranslator(app_commands.Translator):
    """Translates commands, options and choices into each user's language.

    What is typed in `/do`, and what choices stand for, is notation and stays as it is.
    """

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """A name or a description as Discord takes it; None where the English one stays."""
        if negotiate_locale(locale.value) == ENGLISH:
            return None
        translated = catalogue(locale.value).gettext
        template = string.extras.get("template", string.message)
        fields = {name: translated(word) for name, word in string.extras.get("fields", {}).items()}
        words = translated(template).format(**fields)
        if context.location in NAME_LOCATIONS:
            words = _NOT_IN_NAMES.sub("-", words.lower()).strip("-")[:NAME_LIMIT]
        return None if words == string.message else words[:TEXT_LIMIT]
