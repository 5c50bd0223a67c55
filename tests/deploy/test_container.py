"""The container's files, as far as they can be judged without a container daemon."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml

from bot.app.cli import main
from bot.app.runtime import DRAIN_TIMEOUT_SECONDS
from bot.app.settings import SETTINGS
from tests.support.command import ROOT
from tests.support.dockerfile import stages, the


@pytest.fixture
def service() -> dict[str, Any]:
    """The bot in the compose file."""
    read = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    assert set(read["volumes"]) == {"data"}
    return dict(read["services"]["starpost"])


@pytest.mark.parametrize("name", ["compose.yaml", "compose.postgres.yaml"])
def test_no_name_is_given_twice(name: str) -> None:
    """Docker refuses such a file; PyYAML takes the last one."""

    def repeated(node: yaml.Node | None) -> list[str]:
        if not isinstance(node, yaml.CollectionNode):
            return []
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        names = [key.value for key, _ in pairs]
        parts = [part for pair in pairs for part in pair] or node.value
        return [
            *(key for key in names if names.count(key) > 1),
            *(key for part in parts for key in repeated(part)),
        ]

    text = (ROOT / "deploy" / name).read_text("utf-8")
    assert repeated(yaml.compose(text)) == []
    assert repeated(yaml.compose(f"{text}\nservices: []\n")) == ["services"] * 2


def test_what_is_built_and_what_runs_have_the_same_slim_base() -> None:
    build, final = stages()
    assert the(build, "FROM") == f"{the(final, 'FROM')} AS build"
    assert re.fullmatch(r"python:3\.\d+-slim", the(final, "FROM"))


def test_requirements_are_installed_by_hash() -> None:
    (build, _) = stages()
    installs = [arguments for name, arguments in build if "pip install" in arguments]
    assert all("--require-hashes" in install or "--no-deps" in install for install in installs)


def test_what_is_copied_is_there_and_not_ignored() -> None:
    (build, _) = stages()
    copied = {
        source for name, arguments in build if name == "COPY" for source in arguments.split()[:-1]
    }
    assert all((ROOT / source).exists() for source in copied)
    ignore = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert "*" in ignore
    assert {line[1:] for line in ignore if line.startswith("!")} == copied


def test_the_bot_is_not_root_and_has_a_folder_of_its_own() -> None:
    (_, final) = stages()
    assert the(final, "USER") == "starpost"
    assert the(final, "WORKDIR") == the(final, "VOLUME") == "/data"
    names = [name for name, _ in final]
    assert names.index("USER") < names.index("ENTRYPOINT")


def test_container_runs_and_checks_health_by_real_commands() -> None:
    (_, final) = stages()
    assert json.loads(the(final, "ENTRYPOINT")) == ["starpost"]
    assert json.loads(the(final, "CMD"))[0] in main.commands
    program, command = json.loads(the(final, "HEALTHCHECK").partition("CMD ")[2])
    assert program == "starpost"
    assert command in main.commands


def test_the_composed_bot_can_write_to_nothing_but_its_volume(service: dict[str, Any]) -> None:
    (_, final) = stages()
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]  # noqa: S108 - the container's own
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["volumes"] == [f"data:{the(final, 'VOLUME')}"]
    assert not service.get("privileged")
    assert not service.get("ports")


def test_the_composed_bot_is_built_from_this_file(service: dict[str, Any]) -> None:
    context = (ROOT / "deploy" / service["build"]["context"]).resolve()
    assert context == ROOT
    assert (context / service["build"]["dockerfile"]).is_file()


def test_the_composed_settings_are_settings(service: dict[str, Any]) -> None:
    assert {name.lower() for name in service["environment"]} <= set(SETTINGS)
    assert service["environment"]["DISCORD_TOKEN"].startswith("${DISCORD_TOKEN:?")


def test_composed_bot_gets_the_settings_of_the_host(service: dict[str, Any]) -> None:
    fixed = {"discord_token", "backup_folder"}
    elsewhere = {"discord_token_file", "database_url", "database_url_file", "shard_ids"}
    given = service["environment"].items()
    passed = {name.lower() for name, value in given if value == f"${{{name}:-}}"}
    assert passed == set(SETTINGS) - fixed - elsewhere


def test_composed_projects_have_names_of_their_own() -> None:
    files = [ROOT / "deploy" / name for name in ("compose.yaml", "compose.postgres.yaml")]
    names = [yaml.safe_load(path.read_text("utf-8"))["name"] for path in files]
    assert names == ["starpost", "starpost-postgres"]


def test_the_bot_has_time_to_end_what_it_is_doing(service: dict[str, Any]) -> None:
    assert float(service["stop_grace_period"].removesuffix("s")) > DRAIN_TIMEOUT_SECONDS
