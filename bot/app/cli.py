"""The command `starpost`."""

from __future__ import annotations

import asyncio
import errno
import gc
import json
import sys
import time
from pathlib import Path

import click

from bot.domain.ids import ChannelId, GuildId
from bot.version import version

MAX_PORT = 65535

EXIT_CONFIGURATION, EXIT_TRY_LATER = 78, 75
"""Exit codes, as in sysexits.h: fix something before starting again; try again later."""

WINDOWS = (
    "Starpost runs on Linux and macOS; on Windows, use it in WSL (wsl --install) or in Docker."
)

EXIT_INTERRUPTED = 130
"""Exit code after Ctrl+C, as shells have it."""

NEW_GAME = """\
{package} has a whole game. Install it beside Starpost, check it, and play it:

    {python} -m pip install --editable {package}
    starpost engine check {name}
    starpost sandbox

On the page, type /play and choose {title}. Games with a computer have a button there, too.
Then change it into yours; docs/developers/own-game.md says what a game can have."""


INITIALISED = """\
{file} holds the token. Add other settings there (docs/hosts/hosting.md#settings). Next:

    starpost{option} check --online
    starpost{option} run

Invite the bot to your server: {link}"""


def entry() -> None:
    """Run a command; an expected error is one line and an exit code, never a traceback."""
    if sys.platform == "win32":
        _fail(WINDOWS, EXIT_CONFIGURATION)
    from bot.app.settings import SettingsError
    from bot.storage.file_lock import DatabaseError, DatabaseUnavailableError, InUseError

    try:
        main()
    except (SettingsError, DatabaseError) as error:
        _fail(str(error), EXIT_CONFIGURATION)
    except (DatabaseUnavailableError, InUseError) as error:
        _fail(str(error), EXIT_TRY_LATER)


def _fail(sentence: str, code: int) -> None:
    print(f"starpost: {sentence}", file=sys.stderr)
    sys.exit(code)


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Show the version, which is only read for that."""
    if wanted:
        print(f"starpost, version {version()}")
        context.exit()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.option(
    "--env-file",
    type=click.Path(path_type=Path),
    help="Read the settings from this file instead of .env.",
)
@click.pass_context
def main(context: click.Context, env_file: Path | None) -> None:
    """Starpost, a Discord bot for space board games that are played over days."""
    context.obj = env_file


@main.command()
@click.pass_obj
def run(env_file: Path | None) -> None:
    """Run the bot, with the settings from the environment or a file .env."""
    # Imports create no garbage, but looking for it would take a tenth of the start.
    gc.disable()
    from bot.app.run import run as begin
    from bot.app.settings import load
    from bot.logs import set_up_logs

    settings = load(env_file)
    set_up_logs(settings.log_level, settings.log_format)
    begin(settings)


@main.command()
@click.pass_obj
def init(env_file: Path | None) -> None:
    """Ask for the token, and write it to a file that only you can read.

    The file is .env in this folder, where `starpost run` finds it.
    """
    from bot.app.env_file import DEFAULT_FILE, create
    from bot.app.invite import application_id, link
    from bot.app.settings import Settings

    file = env_file or DEFAULT_FILE
    typed = click.prompt("The bot's token (it stays hidden)", hide_input=sys.stdin.isatty())
    token = Settings(discord_token=typed).token()
    number = application_id(token)
    create(file, {"DISCORD_TOKEN": token})
    option = f" --env-file {env_file}" if env_file else ""
    print(INITIALISED.format(file=file, option=option, link=link(number)))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print all results as JSON.")
@click.option("--online", is_flag=True, help="Ask Discord as well whether it accepts the token.")
@click.pass_obj
def check(env_file: Path | None, as_json: bool, online: bool) -> None:
    """Check for problems; safe while the bot runs.

    Prints one line for each fault and exits with 1, or prints ok and notes.
    """
    from bot.app.self_check import run_checks

    checks = run_checks(env_file, online=online)
    if as_json:
        print(json.dumps(checks.report(), indent=2))
    else:
        print("\n".join(checks.lines()))
    sys.exit(bool(checks.faults))


@main.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.pass_obj
def backup(env_file: Path | None, file: Path | None) -> None:
    """Back up the database, also while the bot is running, and verify the copy.

    Without FILE, the backup goes into BACKUP_FOLDER (or `backups` beside the database); the
    newest BACKUP_KEEP backups are kept.
    """
    from bot.app.settings import backups_of, load
    from bot.storage.backup import copy

    settings = load(env_file)
    if file:
        copy(settings.database_file, file)
    print(file or backups_of(settings).make())


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def restore(env_file: Path | None, file: Path) -> None:
    """Replace the database with a backup; the old one is kept. Stop the bot first."""
    from bot.app.settings import load
    from bot.storage import backup

    database = load(env_file).database_file
    former = backup.restore(file, database)
    print(f"{database} is restored" + (f"; the previous database is {former}" if former else ""))


@main.group()
def db() -> None:
    """Manage databases."""


@db.command("copy")
@click.argument("source")
@click.argument("target")
def db_copy(source: str, target: str) -> None:
    """Copy the database at one URL into an empty one at another.

    Addresses are written as in DATABASE_URL. Stop the bot before. Prints for each table how many
    rows were compared and the beginning of their common SHA-256.
    """
    from bot.app.settings import database_address
    from bot.storage.copy import copy

    tables = asyncio.run(copy(database_address(source), database_address(target)))
    for table in tables:
        print(f"{table.table}: {table.rows} {table.digest[:12]}")
    print("Copied and verified; the source is unchanged.")


@main.command()
@click.option("--write", is_flag=True, help="Store the ratings where they differ.")
@click.pass_obj
def ratings(env_file: Path | None, write: bool) -> None:
    """Compute all ratings again from the results, and compare. Stop the bot first.

    Prints what differs and exits with 1 unless it is stored.
    """
    from bot.app.recompute import recompute
    from bot.app.settings import load

    count, differences = asyncio.run(recompute(load(env_file).database_url, write=write))
    for difference in differences:
        where = f"match {difference.match_id} {difference.seat}"
        print(f"{where}: {difference.stored} is {difference.computed}")
    summary = "all stored ratings follow from them"
    if differences:
        summary = f"{len(differences)} ratings differ"
    print(f"results: {count}; {summary}" + (", now stored" if differences and write else ""))
    sys.exit(bool(differences) and not write)


@main.command()
@click.option("--id", "application", type=int, help="Application ID, instead of the token.")
@click.pass_obj
def invite(env_file: Path | None, application: int | None) -> None:
    """Print the links that install the bot.

    The one for a server asks for only the permissions that the bot needs, the one for a user for
    none.
    """
    from bot.app.invite import application_id, link, user_link
    from bot.app.settings import load

    number = application or application_id(load(env_file).token())
    print(f"For a server: {link(number)}\nFor a user: {user_link(number)}")


@main.command()
@click.option("--yes", is_flag=True, help="Change without asking.")
@click.option(
    "--only",
    "fields",
    multiple=True,
    metavar="FIELD",
    help="Look at this field only: description, tags, icon, cover or installation.",
)
@click.option("--pictures", is_flag=True, help="Replace an icon and cover that are not Starpost's.")
@click.pass_obj
def portal(env_file: Path | None, yes: bool, fields: tuple[str, ...], pictures: bool) -> None:
    """Show and set the application's entry in the developer portal.

    Shows the difference between the portal and Starpost's description, tags, pictures and
    installation links, and asks before it changes anything. Exits with 1 if Discord refuses a
    change.
    """
    from bot.app.portal import FIELDS, set_up_portal
    from bot.app.settings import load

    if unknown := [field for field in fields if field not in FIELDS]:
        raise click.BadParameter(f"there is no {unknown[0]}; write one of {', '.join(FIELDS)}.")
    token = load(env_file).token()

    def confirm(count: int) -> bool:
        return yes or click.confirm(f"Change {count} of the portal's entries?")

    done = asyncio.run(
        set_up_portal(token, fields or FIELDS, confirm, print, replaces_pictures=pictures)
    )
    sys.exit(not done)


@main.command()
@click.argument("guild_id", type=int)
@click.argument("channel_id", type=int, required=False)
@click.pass_obj
def doctor(env_file: Path | None, guild_id: GuildId, channel_id: ChannelId | None) -> None:
    """List missing permissions per channel, and whether the commands are registered.

    GUILD_ID is the server, and CHANNEL_ID one of its channels; without that all of them. Exits
    with 1 if a match cannot be played in one of them.
    """
    from bot.app.run import diagnose_server
    from bot.app.settings import load

    diagnosis = asyncio.run(diagnose_server(load(env_file).token(), guild_id, channel_id))
    print("\n".join(diagnosis.lines))
    sys.exit(not diagnosis.healthy)


@main.command()
@click.option("--server", "guild_id", type=int, required=True, help="ID of the server.")
@click.option("--channel", "channel_id", type=int, help="ID of the text channel to post in.")
@click.option(
    "--save",
    "file",
    type=click.Path(path_type=Path),
    help="Save Discord's answers in this file, without ids and names.",
)
@click.option("--alone", is_flag=True, help="Ask nothing; so it is without a terminal.")
@click.pass_obj
def smoke(
    env_file: Path | None,
    guild_id: GuildId,
    channel_id: ChannelId | None,
    file: Path | None,
    alone: bool,
) -> None:
    """Try out on a server what matches need, and delete all of it again.

    Prints a line for each kind of thing with Discord's answer, and then asks for what needs a
    second person. Exits with 1 if anything goes wrong or is left behind.
    """
    from bot.app.settings import load
    from bot.app.smoke import Host, Results, walk_through
    from bot.app.smoke import smoke as try_out

    def look(channel: str) -> None:
        """Wait for a key."""
        click.pause(f"Look at #{channel}. Press any key, and everything is deleted.")

    def ask(item: str) -> str:
        """Ask whether an item works."""
        return str(click.prompt(item, type=click.Choice(["yes", "no", "skip"]), default="skip"))

    alone = alone or not sys.stdin.isatty()
    token, results = load(env_file).token(), Results()
    host = Host(print) if alone else Host(print, look)
    try:
        asyncio.run(try_out(token, guild_id, channel_id, host, results))
        if not alone:
            print("With a second person, while the bot runs (docs/hosts/first-server.md):")
            walk_through(ask, results)
    except KeyboardInterrupt:
        _fail("interrupted.", EXIT_INTERRUPTED)
    finally:
        if file:
            results.save(file)
    sys.exit(not results.healthy)


@main.command()
@click.pass_obj
def health(env_file: Path | None) -> None:
    """Exit with 0 if the running bot has been alive in the last minute."""
    from bot.app.settings import load
    from bot.storage.file_lock import HEARTBEAT_MAX_AGE_SECONDS, last_touched

    settings = load(env_file)
    if settings.on_file:
        beat = last_touched(settings.database_file)
    else:
        from bot.storage.heartbeats import last_heartbeat

        beat = asyncio.run(last_heartbeat(settings.database_url, settings.shards))
    if beat is None or time.time() - beat > HEARTBEAT_MAX_AGE_SECONDS:
        _fail("the bot has had no heartbeat for a minute.", 1)


@main.command()
@click.option(
    "--port",
    type=click.IntRange(0, MAX_PORT),
    default=8787,
    show_default=True,
    help="Port of the page; 0 for any free one.",
)
def sandbox(port: int) -> None:
    """Play on a local page as up to three players, without Discord."""
    try:
        from bot.app.sandbox import sandbox as show
    except ModuleNotFoundError:
        _fail("the sandbox is not installed: install starpost[sandbox] instead of starpost.", 1)
    try:
        asyncio.run(show(port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        alternatives = f"--port {port + 1} or `make play PORT={port + 1}`"
        _fail(f"port {port} is in use; choose another one, e.g. {alternatives}.", 1)


@main.command("new-game")
@click.argument("name")
def new_game(name: str) -> None:
    """Write a package with a small game, the beginning of another one.

    NAME is its name in commands. The package is written into the folder starpost-NAME.
    """
    from bot.app.new_game import NewGameError, write

    try:
        package = write(name, Path())
    except (NewGameError, OSError) as error:
        _fail(str(error), 1)
    words = {"package": package, "name": name, "title": name.title(), "python": sys.executable}
    print(NEW_GAME.format_map(words))


@main.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def engine(arguments: tuple[str, ...]) -> None:
    """Play, replay, check and verify match records without the bot."""
    from engine.__main__ import main as run

    sys.exit(run(list(arguments)))
