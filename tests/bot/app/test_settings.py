"""Settings are checked before all else, and a wrong one is one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.app.env_file import SettingsError
from bot.app.run import startup_line
from bot.app.settings import database_address, file_name, load
from tests.support.command import TOKEN

pytestmark = pytest.mark.usefixtures("home")


def test_defaults_need_no_file() -> None:
    assert load().database_url == "sqlite+aiosqlite:///starpost.db"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", "all"),
        (" ALL ", "all"),
        ("none", "none"),
        ("Daily", "daily"),
        ("daily, daily", "daily"),
    ],
)
def test_features_are_chosen_by_name(monkeypatch: pytest.MonkeyPatch, text: str, read: str) -> None:
    monkeypatch.setenv("FEATURES", text)
    assert load().features == read


def test_a_token_from_the_environment_a_file_or_dot_env(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".env").write_text("DISCORD_TOKEN=from-dot-env\n", "utf-8")
    assert load().token() == "from-dot-env"
    monkeypatch.setenv("DISCORD_TOKEN", ' "from-environment" ')
    assert load().token() == "from-environment"
    monkeypatch.setenv("DISCORD_TOKEN", "")
    (home / "secret").write_text("from-file\n", "utf-8")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(home / "secret"))
    assert load().token() == "from-file"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "starpost.db"),
        ("DATABASE_URL", "mysql://host/name"),
        ("DATABASE_URL", "sqlite+aiosqlite://"),
        ("DATABASE_URL", "sqlite+aiosqlite:///:memory:"),
        ("DATABASE_URL", "redis://host/name"),
        ("DATABASE_URL", "postgres"),
        ("SHARD_COUNT", "two"),
        ("DATABASE_URL", "postgresql+asyncpg://host"),
        ("SHARD_COUNT", "0"),
        ("SHARD_IDS", "one"),
        ("SHARD_IDS", "1"),
        ("BACKUP_KEEP", "0"),
        ("COMPUTER_WORKERS", "-1"),
        ("DRAWING_WORKERS", "-1"),
        ("LOG_LEVEL", "LOUD"),
        ("FEATURES", "dayly"),
        ("FEATURES", "all,daily"),
        ("LOG_FORMAT", "xml"),
        ("METRICS_ADDRESS", "localhost"),
        ("METRICS_ADDRESS", "localhost:http"),
        ("METRICS_ADDRESS", "127.0.0.1:65536"),
    ],
)
def test_a_malformed_setting_is_named(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as caught:
        load()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("postgres://ada:pw@host/name", "postgresql+asyncpg://ada:pw@host/name"),
        ("postgresql://host:5432/name", "postgresql+asyncpg://host:5432/name"),
        ("POSTGRES://host/Name", "postgresql+asyncpg://host/Name"),
        ("postgresql+psycopg2://host/name", "postgresql+asyncpg://host/name"),
        ("postgres://host/name?sslmode=require", "postgresql+asyncpg://host/name?ssl=require"),
        ("postgres://ada:sslmode=@host/name", "postgresql+asyncpg://ada:sslmode=@host/name"),
        ("sqlite:///starpost.db", "sqlite+aiosqlite:///starpost.db"),
        (" sqlite+aiosqlite:////srv/a.db\n", "sqlite+aiosqlite:////srv/a.db"),
        ('"sqlite:///a.db"', "sqlite+aiosqlite:///a.db"),
        ("'sqlite:///a b.db'", "sqlite+aiosqlite:///a b.db"),
        ("“sqlite:///a.db”", "sqlite+aiosqlite:///a.db"),
    ],
)
def test_database_address_is_read_as_hosts_write_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, text: str, read: str
) -> None:
    assert database_address(text) == read
    monkeypatch.setenv("DATABASE_URL", text)
    assert load().database_url == read
    monkeypatch.delenv("DATABASE_URL")
    (home / "url").write_text(f"{text}\n", "utf-8")
    monkeypatch.setenv("DATABASE_URL_FILE", str(home / "url"))
    assert load().database_url == read


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("log_level", "debug", "DEBUG"),
        ("log_format", '"JSON"', "json"),
        ("shard_count", " '2' ", 2),
        ("backup_keep", "“3”", 3),
        ("contact", ' "Ada\'s" ', "Ada's"),
        ("contact", '"a" and "b', '"a" and "b'),
        ("contact", '"', '"'),
        ("contact", "''", ""),
        ("metrics_address", '"9090"', "9090"),
    ],
)
def test_setting_is_read_without_quotation_marks_around_it(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, read: str | int
) -> None:
    monkeypatch.setenv(name.upper(), text)
    monkeypatch.setenv("DATABASE_URL", "postgres://host/name")
    assert getattr(load(), name) == read


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("BACKUP_KEEP", "seven", "write a whole number in digits, such as 1"),
        ("BACKUP_KEEP", "0", "write a number from 1 to 10,000"),
        ("SHARD_COUNT", "0", "write a number from 1 to 100,000"),
        ("COMPUTER_WORKERS", "-1", "write a number from 0 to 256"),
        ("DRAWING_WORKERS", "-1", "write a number from 0 to 256"),
        ("COMPUTER_WORKERS", "9999", "write a number from 0 to 256"),
        ("LOG_LEVEL", "LOUD", "write DEBUG, INFO, WARNING or ERROR"),
        ("LOG_FORMAT", "xml", "write text or json"),
        ("CONTACT", "x" * 201, "write at most 200 characters"),
        ("METRICS_ADDRESS", "http", "use PORT or HOST:PORT"),
        ("SHARD_IDS", "1", "SHARD_COUNT=1 has the shards 0 to 0"),
    ],
)
def test_malformed_setting_says_what_to_write(
    name: str, text: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(SettingsError) as caught:
        load()
    assert str(caught.value) == f"{name}: {reason}."


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("BACKUP_KEEP", "1", 1),
        ("SHARD_COUNT", "1", 1),
        ("COMPUTER_WORKERS", "0", 0),
        ("DRAWING_WORKERS", "0", 0),
        ("COMPUTER_WORKERS", "256", 256),
        ("CONTACT", "x" * 200, "x" * 200),
        ("METRICS_ADDRESS", "65535", "65535"),
        ("BACKUP_FOLDER", "copies", Path("copies")),
    ],
)
def test_setting_may_have_its_least_or_greatest_value(
    name: str, text: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, text)
    assert getattr(load(), name.lower()) == value


@pytest.mark.parametrize(
    "url",
    [
        "sqlite+aiosqlite:///starpost.db",
        "sqlite+aiosqlite:////srv/a b.db",
        "sqlite+aiosqlite:///a%20b.db?timeout=5",
        "sqlite+aiosqlite://host/a.db",
    ],
)
def test_file_of_a_url_is_the_one_that_is_opened(url: str) -> None:
    assert file_name(url) == make_url(url).database


@pytest.mark.parametrize("token", ["", "   ", "two words", "“half", '"half', "naïve"])
def test_what_cannot_be_a_token_is_refused_without_repeating_it(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    with pytest.raises(SettingsError, match="DISCORD_TOKEN") as caught:
        load().token()
    assert not token.strip() or token not in str(caught.value)


def test_a_token_file_that_cannot_be_read_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(home / "missing"))
    with pytest.raises(SettingsError, match="DISCORD_TOKEN_FILE"):
        load().token()


def test_a_printed_setting_hides_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "very-secret")
    assert "very-secret" not in repr(load())


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", None),
        ("9464", ("127.0.0.1", 9464)),
        ("example.org:9464", ("example.org", 9464)),
        ("[::1]:9464", ("::1", 9464)),
    ],
)
def test_a_port_alone_is_for_this_machine(
    text: str, where: tuple[str, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_ADDRESS", text)
    assert load().metrics_at == where


SERVER = "postgresql+asyncpg://starpost:hush@db/starpost"


def test_several_processes_share_a_server_and_never_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHARD_COUNT", "4")
    monkeypatch.setenv("SHARD_IDS", "2-3")
    with pytest.raises(SettingsError, match=r"SHARD_IDS.*PostgreSQL"):
        load()
    monkeypatch.setenv("DATABASE_URL", SERVER)
    assert load().shards.ids == (2, 3)


@pytest.mark.parametrize(
    ("count", "ids", "least"),
    [("50", "7", 0), ("51", "7", 2), ("51", "7-8", 0), ("100", "0-1", 0), ("101", "0-1", 3)],
)
def test_each_process_has_a_share_of_the_requests(
    monkeypatch: pytest.MonkeyPatch, count: str, ids: str, least: int
) -> None:
    monkeypatch.setenv("DATABASE_URL", SERVER)
    monkeypatch.setenv("SHARD_COUNT", count)
    monkeypatch.setenv("SHARD_IDS", ids)
    if not least:
        assert load().shards.count == int(count)
        return
    with pytest.raises(SettingsError, match=f"SHARD_IDS: .* at least {least} of {count} shards"):
        load()


def test_the_password_of_the_database_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", SERVER)
    settings = load()
    assert "hush" not in repr(settings)
    assert "hush" not in startup_line(settings, TOKEN)
    assert "starpost:***@db" in startup_line(settings, TOKEN)
    with pytest.raises(SettingsError, match="pg_dump") as caught:
        _ = settings.database_file
    assert "hush" not in str(caught.value)
