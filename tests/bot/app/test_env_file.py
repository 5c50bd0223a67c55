"""The file with the settings: one line for each fault in it, and hints for misspelt names."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.app.cli import main
from bot.app.env_file import SettingsError, read
from bot.app.settings import SETTINGS, Settings, load
from tests.support.command import APPLICATION, TOKEN, run

pytestmark = pytest.mark.usefixtures("home")

CONTENT = f"DISCORD_TOKEN={TOKEN}\nCONTACT=Grüße\n"


@pytest.mark.first(test=2)
@pytest.mark.parametrize("command", ["run", "check", "invite"])
@pytest.mark.parametrize(
    ("encoding", "reported"),
    [
        ("utf-16", "UTF-16 text: save it as UTF-8"),
        ("utf-16-le", "UTF-16 text: save it as UTF-8"),
        ("latin-1", "line 2 is not UTF-8 text: save it as UTF-8"),
        ("", "cannot be read"),
    ],
)
def test_unreadable_file_is_one_line(
    home: Path, command: str, encoding: str, reported: str
) -> None:
    if encoding:
        (home / ".env").write_bytes(CONTENT.encode(encoding))
        (home / ".env").chmod(0o600)
    else:
        (home / ".env").mkdir()  # as Docker makes one for a mount without a source
    result = run(home, command)
    output = result.stdout + result.stderr
    assert result.returncode == (1 if command == "check" else 78)
    assert output.count("\n") == 1
    assert reported in output


@pytest.mark.parametrize("line", ["DISCORD_TOKEN: x", "export LOG_LEVEL: INFO"])
def test_a_colon_for_an_equals_sign_is_named(home: Path, line: str) -> None:
    (home / ".env").write_text(f"CONTACT=a: b\n{line}\n", "utf-8")
    with pytest.raises(SettingsError) as caught:
        load()
    name = line.removeprefix("export ").partition(":")[0]
    assert str(caught.value) == f".env, line 2: write {name}=… with an equals sign."


def test_byte_order_mark_is_ignored(home: Path) -> None:
    (home / ".env").write_text(CONTENT, "utf-8-sig")
    settings = load()
    assert (settings.token(), settings.contact) == (TOKEN, "Grüße")


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_empty_setting_means_the_default(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name.upper(), " ")
    assert load() == Settings()


def test_misspelt_name_is_reported_with_the_nearest(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["DISCORD_TOKN=x", "LOGLEVEL=INFO", "BACKUPS_FOLDER=x", "POSTGRES_PASSWORD=x"]
    (home / ".env").write_text("\n".join([*lines, "contact=x"]), "utf-8")
    monkeypatch.setenv("METRICS_ADRESS", "9464")
    monkeypatch.setenv("LOGNAME", "ada")
    assert load().hints == [
        "DISCORD_TOKN in .env is not a setting; did you mean DISCORD_TOKEN?",
        "LOGLEVEL in .env is not a setting; did you mean LOG_LEVEL?",
        "BACKUPS_FOLDER in .env is not a setting; did you mean BACKUP_FOLDER?",
        "METRICS_ADRESS in the environment is not a setting; did you mean METRICS_ADDRESS?",
    ]


def test_check_names_a_misspelt_setting(home: Path) -> None:
    (home / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nCONTAKT=x\n", "utf-8")
    result = run(home, "check")
    assert result.returncode == 1
    assert "did you mean CONTACT?" in result.stdout


def test_other_file_is_read_instead(home: Path) -> None:
    (home / ".env").write_text("DISCORD_TOKEN=x\n", "utf-8")
    (home / "settings").write_text(f"DISCORD_TOKEN={TOKEN}\n", "utf-8")
    result = run(home, "--env-file", "settings", "invite")
    assert result.returncode == 0, result.stderr
    missing = run(home, "--env-file", "home", "invite")
    assert (missing.returncode, missing.stderr.count("\n")) == (78, 1)


def test_database_address_is_read_from_a_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = "postgresql+asyncpg://starpost:hush@db/starpost"
    (home / "address").write_text(f"{address}\n", "utf-8")
    monkeypatch.setenv("DATABASE_URL_FILE", str(home / "address"))
    assert load().database_url == address
    monkeypatch.setenv("DATABASE_URL", "sqlite+aiosqlite:///own.db")
    assert load().database_url == "sqlite+aiosqlite:///own.db"
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("DATABASE_URL_FILE", str(home / "missing"))
    with pytest.raises(SettingsError, match=r"DATABASE_URL_FILE: .* cannot be read"):
        load()


@pytest.mark.parametrize("password", ["hu@sh", "hu@sh/x", "hu@1:x/sh", "h@u@s@h"])
def test_password_that_splits_the_address_says_how_to_write_it(
    password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql+asyncpg://starpost:{password}@db/starpost")
    with pytest.raises(SettingsError, match="@ as %40") as caught:
        load()
    assert "hu" not in str(caught.value)


@pytest.mark.parametrize("password", ["h%40u%2Fs%23h", "hu#sh", "hu/sh"])
def test_password_that_is_well_written_is_taken(
    password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql+asyncpg://starpost:{password}@db/starpost")
    assert load().database_url.endswith("@db/starpost")


def initialise(*options: str, typed: str = TOKEN) -> Result:
    return CliRunner().invoke(main, [*options, "init"], input=f"{typed}\n")


def test_init_writes_a_file_that_only_its_owner_reads(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    result = initialise()
    assert read(home / ".env") == {"DISCORD_TOKEN": TOKEN}
    assert (home / ".env").stat().st_mode & 0o777 == 0o600
    assert f"client_id={APPLICATION}" in result.output
    assert "starpost check --online" in result.output
    assert run(home, "invite").returncode == 0


def test_init_leaves_a_file_that_exists(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    (home / ".env").write_text("CONTACT=me\n")
    result = initialise()
    assert "exists already" in str(result.exception)
    assert (home / ".env").read_text() == "CONTACT=me\n"


@pytest.mark.parametrize("typed", ["abc", "a.b.c", '"x"'])
def test_init_refuses_what_is_no_token(home: Path, typed: str) -> None:
    file = home / "settings"
    result = initialise("--env-file", str(file), typed=typed)
    assert isinstance(result.exception, SettingsError)
    assert typed not in str(result.exception)
    assert not file.exists()


def test_init_names_the_file_in_its_commands(home: Path) -> None:
    file = home / "settings"
    assert f"starpost --env-file {file} run" in initialise("--env-file", str(file)).output
    assert initialise("--env-file", str(home / "no" / "settings")).exception
