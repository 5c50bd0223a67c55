"""The units of systemd: locked up, understood by systemd, and of one mind with the program."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import pytest

from bot.app.cli import EXIT_CONFIGURATION, main
from bot.app.runtime import DRAIN_TIMEOUT_SECONDS
from tests.support.command import APPLICATION, ROOT, TOKEN

DEPLOY = ROOT / "deploy"
SERVICES = ("starpost.service", "starpost-backup.service")
PROGRAM = "/opt/starpost/venv/bin/starpost"
EXPOSURE = 15
"""Tenths: 1.5 of 10."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def section(name: str, part: str) -> dict[str, str]:
    """Return a section of a unit file; the last value wins."""
    parser = RawConfigParser(strict=False, delimiters="=")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((DEPLOY / name).read_text("utf-8"))
    return dict(parser[part])


@needs_systemd
@pytest.mark.parametrize("unit", SERVICES)
def test_a_service_is_locked_up(unit: str) -> None:
    result = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSURE}", DEPLOY / unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout.splitlines()[-1:]


@needs_systemd
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    units = [*SERVICES, "starpost-backup.timer"]
    for unit in units:
        text = (DEPLOY / unit).read_text("utf-8").replace(PROGRAM, shutil.which("true") or "")
        (tmp_path / unit).write_text(text, "utf-8")
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(tmp_path / unit for unit in units)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("unit", SERVICES)
def test_a_service_runs_a_command_that_there_is(unit: str) -> None:
    program, command = section(unit, "Service")["ExecStart"].split()
    assert program == PROGRAM
    assert command in main.commands


def test_the_bot_may_lower_the_priority_of_workers() -> None:
    text = (DEPLOY / "starpost.service").read_text("utf-8")
    filters = re.findall("^SystemCallFilter=(.+)$", text, re.MULTILINE)
    assert filters.index("setpriority") > filters.index("~@privileged @resources")


def test_backups_are_made_by_the_same_user_in_the_same_folder() -> None:
    bot, backup = (section(unit, "Service") for unit in SERVICES)
    for name in ("User", "DynamicUser", "StateDirectory", "WorkingDirectory", "EnvironmentFile"):
        assert bot[name] == backup[name]


@pytest.mark.slow
@pytest.mark.parametrize("settings", ["LOG_LEVEL=LOUD", "LOG_LEVEL=INFO", None])
def test_command_uses_the_token_and_settings_of_the_service(
    settings: str | None, tmp_path: Path
) -> None:
    bot = section("starpost.service", "Service")
    token = bot["LoadCredential"].partition(":")[2]
    folders = {
        PROGRAM: f"{sys.executable} -m bot",
        token: str(tmp_path / "token"),
        bot["EnvironmentFile"].removeprefix("-"): str(tmp_path / "settings"),
        f"/var/lib/{bot['StateDirectory']}": str(tmp_path),
    }
    script = (DEPLOY / "starpost.sh").read_text("utf-8")
    for there, local in folders.items():
        assert there in script
        script = script.replace(there, local)
    (tmp_path / "token").write_text(f"{TOKEN}\n", "utf-8")
    if settings is not None:
        (tmp_path / "settings").write_text(f"{settings}\n", "utf-8")
    (tmp_path / "command").write_text(script, "utf-8")
    result = subprocess.run(
        ["sh", tmp_path / "command", "invite"],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if settings == "LOG_LEVEL=LOUD":
        assert (result.returncode, "LOG_LEVEL" in result.stderr) == (78, True)
    else:
        assert (result.returncode, str(APPLICATION) in result.stdout) == (0, True), result.stderr


def test_a_configuration_error_is_not_tried_again() -> None:
    bot = section("starpost.service", "Service")
    assert bot["RestartPreventExitStatus"] == str(EXIT_CONFIGURATION)
    assert bot["Restart"] == "on-failure"


def test_the_bot_has_time_to_end_what_it_is_doing() -> None:
    assert float(section("starpost.service", "Service")["TimeoutStopSec"]) > DRAIN_TIMEOUT_SECONDS


def test_systemd_hears_of_the_start_and_watches() -> None:
    service = section("starpost.service", "Service")
    assert (service["Type"], service["WatchdogSec"]) == ("notify", "2min")
    assert "AF_UNIX" in service["RestrictAddressFamilies"].split()
