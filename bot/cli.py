"""The command `starpost`."""

from __future__ import annotations

import sys

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="starpost")
def main() -> None:
    """Starpost: slow-burn space board games, played by post in Discord."""


@main.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def engine(arguments: tuple[str, ...]) -> None:
    """Play, replay, check and verify match records without the bot."""
    from engine.__main__ import main as run

    sys.exit(run(list(arguments)))
