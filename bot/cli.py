"""The command `starpost`."""

from __future__ import annotations

import asyncio
import sys

import click

CONFIGURATION, IN_USE = 78, 75
"""Exit codes, as in sysexits.h: do not start again before something is mended; try again later."""


def entry() -> None:
    """Run a command; an expected error is one line and an exit code, never a traceback."""
    from bot.settings import SettingsError
    from bot.storage.database import DatabaseError, InUseError

    try:
        main()
    except SettingsError as error:
        _fail(str(error), CONFIGURATION)
    except DatabaseError as error:
        _fail(str(error), CONFIGURATION)
    except InUseError as error:
        _fail(str(error), IN_USE)


def _fail(sentence: str, code: int) -> None:
    print(f"starpost: {sentence}", file=sys.stderr)
    sys.exit(code)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="starpost")
def main() -> None:
    """Starpost: slow-burn space board games, played by post in Discord."""


@main.command()
def run() -> None:
    """Be the bot on Discord, with the settings from the environment or a file .env."""
    from bot.run import serve, set_up_logs
    from bot.settings import load

    settings = load()
    set_up_logs(settings.log_level)
    asyncio.run(serve(settings))


@main.command()
@click.option("--port", default=8787, show_default=True, help="Port of the page; 0: any free one.")
def sandbox(port: int) -> None:
    """Play on a local page as two players, without Discord."""
    try:
        from bot.sandbox import sandbox as show
    except ModuleNotFoundError as missing:
        raise SystemExit(f"The sandbox needs simcord: {missing}.") from None
    asyncio.run(show(port))


@main.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def engine(arguments: tuple[str, ...]) -> None:
    """Play, replay, check and verify match records without the bot."""
    from engine.__main__ import main as run

    sys.exit(run(list(arguments)))
