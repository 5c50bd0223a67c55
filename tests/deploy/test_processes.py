"""The files for several processes: each shard is served once, by a process that may do little."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml

from bot.app.client import Starpost
from bot.app.health import health_server
from bot.app.run import open_database
from bot.app.runtime import DRAIN_TIMEOUT_SECONDS
from bot.app.settings import SETTINGS, Settings, read
from tests.support.command import ROOT, TOKEN
from tests.support.dockerfile import stages, the

DEPLOY = ROOT / "deploy"

INVENTED = {"DISCORD_TOKEN": TOKEN, "POSTGRES_PASSWORD": "made-up", "LOG_LEVEL": "INFO"}


def settings(environment: dict[str, Any]) -> Settings:
    """What the bot makes of an environment, its variables filled in as compose does."""
    filled = {
        name: re.sub(
            r"\$\{(\w+):[^}]*\}", lambda variable: INVENTED.get(variable[1], ""), str(value)
        )
        for name, value in environment.items()
    }
    assert {name.lower() for name in filled} <= set(SETTINGS)
    given = {name.lower(): value for name, value in filled.items() if value}  # as `load` does
    return read(given)


@pytest.fixture
def composed() -> dict[str, Any]:
    """The services of the compose file."""
    read = yaml.safe_load((DEPLOY / "compose.postgres.yaml").read_text("utf-8"))
    assert set(read["volumes"]) == {"database"}
    return dict(read["services"])


@pytest.fixture
def bots(composed: dict[str, Any]) -> list[dict[str, Any]]:
    """The processes of the bot in it."""
    return [service for name, service in composed.items() if name.startswith("starpost")]


@pytest.fixture
def kubernetes() -> dict[str, dict[str, Any]]:
    """The objects of the Kubernetes file, by kind."""
    text = (DEPLOY / "kubernetes" / "starpost.yaml").read_text("utf-8")
    return {document["kind"]: document for document in yaml.safe_load_all(text)}


def test_composed_processes_serve_each_shard_once(bots: list[dict[str, Any]]) -> None:
    shards = [settings(bot["environment"]).shards for bot in bots]
    (count,) = {process.count for process in shards}
    assert sorted(shard for process in shards for shard in process.ids) == list(range(count))
    assert len(bots) == 2


def test_composed_processes_share_the_server_that_is_composed(
    composed: dict[str, Any], bots: list[dict[str, Any]]
) -> None:
    server = composed["postgres"]
    address = "postgresql+asyncpg://{POSTGRES_USER}:made-up@postgres/{POSTGRES_DB}"
    for bot in bots:
        url = settings(bot["environment"]).database_url
        assert url == address.format(**server["environment"])
        assert bot["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert server["volumes"] == ["database:/var/lib/postgresql/data"]
    assert server["healthcheck"]["test"][1] == "pg_isready"
    assert not server.get("ports"), "nobody outside needs it"


def test_composed_processes_get_the_settings_of_the_host(bots: list[dict[str, Any]]) -> None:
    text = (DEPLOY / "compose.postgres.yaml").read_text("utf-8")
    per_process = {"discord_token", "database_url", "shard_count", "shard_ids"}
    unused = {"discord_token_file", "database_url_file", "backup_folder", "backup_keep"}
    for bot in bots:
        passed = {name for name, value in bot["environment"].items() if value == f"${{{name}:-}}"}
        assert {name.lower() for name in passed} == set(SETTINGS) - per_process - unused
    assert yaml.safe_load(text)["name"] == "starpost-postgres"


def test_composed_processes_can_write_to_nothing(bots: list[dict[str, Any]]) -> None:
    for bot in bots:
        assert bot["read_only"] is True
        assert bot["cap_drop"] == ["ALL"]
        assert bot["security_opt"] == ["no-new-privileges:true"]
        assert not bot.get("volumes")
        assert float(bot["stop_grace_period"].removesuffix("s")) > DRAIN_TIMEOUT_SECONDS
        assert (DEPLOY / bot["build"]["context"]).resolve() == ROOT


def test_pods_serve_each_shard_once(kubernetes: dict[str, dict[str, Any]]) -> None:
    spec = kubernetes["StatefulSet"]["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    environment = {variable["name"]: variable["value"] for variable in container["env"]}
    served: list[int] = []
    for pod in range(spec["replicas"]):
        script = container["args"][0].replace("exec starpost run", "printenv SHARD_IDS")
        assert "starpost run" not in script
        completed = subprocess.run(
            [*container["command"], script],
            env=environment | {"HOSTNAME": f"starpost-{pod}", "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
        shared = {"DATABASE_URL": "postgresql+asyncpg://starpost@db/starpost"}
        shard_settings = {
            "SHARD_COUNT": environment["SHARD_COUNT"],
            "SHARD_IDS": completed.stdout.strip(),
        }
        served += settings(shared | shard_settings).shards.ids
    assert served == list(range(int(environment["SHARD_COUNT"])))


def test_pods_may_do_nothing_but_talk(kubernetes: dict[str, dict[str, Any]]) -> None:
    pod = kubernetes["StatefulSet"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    (_, final) = stages()
    user = re.search(r"--uid (\d+)", the(final, "RUN"))
    assert user
    assert pod["securityContext"]["runAsUser"] == int(user[1])
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["terminationGracePeriodSeconds"] > DRAIN_TIMEOUT_SECONDS


@pytest.mark.slow
async def test_probes_ask_for_what_the_bot_answers(
    kubernetes: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    (container,) = kubernetes["StatefulSet"]["spec"]["template"]["spec"]["containers"]
    environment = {variable["name"]: variable["value"] for variable in container["env"]}
    (port,) = container["ports"]
    shared = {"DATABASE_URL": "postgresql+asyncpg://starpost@db/starpost"}
    address = settings(shared | {"METRICS_ADDRESS": environment["METRICS_ADDRESS"]}).metrics_at
    assert address == ("0.0.0.0", port["containerPort"])  # noqa: S104 - pods have their own net
    async with (
        open_database(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}") as database,
        Starpost(database) as client,
        health_server(client, ("127.0.0.1", 0)) as health_port,
        aiohttp.ClientSession() as session,
    ):
        for probe, answer in (("startup", 200), ("liveness", 200), ("readiness", 503)):
            asked = container[f"{probe}Probe"]["httpGet"]
            assert asked["port"] == port["name"]
            async with session.get(f"http://127.0.0.1:{health_port}{asked['path']}") as answered:
                assert answered.status == answer


def test_the_objects_fit_together(kubernetes: dict[str, dict[str, Any]]) -> None:
    assert set(kubernetes) == {"Service", "StatefulSet", "PodDisruptionBudget", "NetworkPolicy"}
    service, pods = kubernetes["Service"], kubernetes["StatefulSet"]["spec"]
    assert pods["serviceName"] == service["metadata"]["name"]
    labels = pods["template"]["metadata"]["labels"]
    assert labels == pods["selector"]["matchLabels"] == service["spec"]["selector"]
    (spread,) = pods["template"]["spec"]["topologySpreadConstraints"]
    assert labels == spread["labelSelector"]["matchLabels"]
    assert labels == kubernetes["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]
    assert labels == kubernetes["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]
    (container,) = pods["template"]["spec"]["containers"]
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in pods["template"]["spec"]["volumes"]}


def test_the_network_of_pods_is_metrics_in_and_three_ports_out(
    kubernetes: dict[str, dict[str, Any]],
) -> None:
    policy = kubernetes["NetworkPolicy"]["spec"]
    (container,) = kubernetes["StatefulSet"]["spec"]["template"]["spec"]["containers"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    incoming, outgoing = (
        {port["port"] for rule in policy[way] for port in rule["ports"]}
        for way in ("ingress", "egress")
    )
    assert incoming == {port["name"] for port in container["ports"]}
    assert outgoing == {53, 443, 5432}  # names, Discord, PostgreSQL
