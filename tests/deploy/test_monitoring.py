"""The metrics that Prometheus and Grafana query exist."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY

from bot import metrics
from tests.support.command import ROOT

DEPLOY = ROOT / "deploy"
NAME = re.compile(r"\b(?:starpost|process|python)_\w+|\bup\b")


def names() -> set[str]:
    """All names that Prometheus can get; it makes `up` by itself."""
    series = {"up"}
    for family in REGISTRY.collect():
        series.add(family.name)
        ends = {"counter": ("_total",), "info": ("_info",), "histogram": HISTOGRAM}
        series |= {family.name + end for end in ends.get(family.type, ())}
    return series


HISTOGRAM = ("_bucket", "_count", "_sum")


RULES = DEPLOY / "prometheus-alerts.yml"
RULE_TESTS = ROOT / "tests" / "deploy" / "alerts.test.yml"

UNTESTED = {"StarpostSlow", "StarpostRefusedByDiscord", "StarpostReconnecting"}
"""Alerts that are tested for silence in a rolling restart only."""

needs_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None,
    reason="promtool is not installed (apt-get install prometheus)",
)


def rules() -> list[dict[str, Any]]:
    """Every alert."""
    groups: Any = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def shown_queries() -> list[str]:
    """Every expression of the dashboard."""
    dashboard: Any = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


def queries() -> list[str]:
    """Every expression of the dashboard and of the alerts."""
    return shown_queries() + [rule["expr"] for rule in rules()]


IMPATIENT = sorted(
    {rule["alert"] for rule in rules() if "for" in rule} - UNTESTED - {"StarpostNoBackup"}
)
"""Alerts that fire too early without their `for`."""


SLOW_CASE = "there has been no backup for two days"
"""It evaluates all rules over two days, which takes seconds of the processor."""


def promtool(rule_file: Path, folder: Path, without: str = "") -> subprocess.CompletedProcess[str]:
    """Run the tests of the alerts on a rule file, in a folder, perhaps without one case."""
    tests = yaml.safe_load(RULE_TESTS.read_text("utf-8"))
    assert [(RULE_TESTS.parent / name).resolve() for name in tests["rule_files"]] == [RULES]
    tests["tests"] = [case for case in tests["tests"] if case["name"] != without]
    copied = folder / "alerts.test.yml"
    copied.write_text(yaml.safe_dump(tests | {"rule_files": [str(rule_file)]}), "utf-8")
    return subprocess.run(
        ["promtool", "test", "rules", copied], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@needs_promtool
@pytest.mark.parametrize("without", [SLOW_CASE, pytest.param("", marks=pytest.mark.slow)])
def test_alerts_fire_when_they_should(tmp_path: Path, without: str) -> None:
    result = promtool(RULES, tmp_path, without)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.first(check=3)
@pytest.mark.slow
@needs_promtool
@pytest.mark.parametrize("alert", IMPATIENT)
def test_impatient_alert_is_caught(alert: str, tmp_path: Path) -> None:
    changed = [rule for rule in rules() if rule["alert"] == alert]
    for rule in changed:
        del rule["for"]
    others = [rule for rule in rules() if rule["alert"] != alert]
    groups = {"groups": [{"name": "changed", "rules": others + changed}]}
    path = tmp_path / "rules.yml"
    path.write_text(yaml.safe_dump(groups), "utf-8")
    assert "FAILED" in promtool(path, tmp_path, SLOW_CASE).stderr


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule["alert"]))
def test_an_alert_has_a_severity_and_a_section_of_the_page(rule: dict[str, Any]) -> None:
    name = rule["alert"]
    assert rule["labels"]["severity"] in {"critical", "warning"}
    assert set(rule["annotations"]) == {"summary", "description", "runbook"}
    assert "{{ $" in rule["annotations"]["description"]
    assert rule["annotations"]["runbook"] == f"docs/hosts/alerts.md#{name.lower()}"
    assert f"\n## {name}\n" in (ROOT / "docs" / "hosts" / "alerts.md").read_text("utf-8")


def test_every_alert_is_tested() -> None:
    tests = yaml.safe_load(RULE_TESTS.read_text("utf-8"))["tests"]
    names = {rule["alert"] for rule in rules()}
    cases = [(test["name"], case) for test in tests for case in test["alert_rule_test"]]
    assert {case["alertname"] for _, case in cases if case["exp_alerts"]} == names - UNTESTED
    restart = [case for name, case in cases if name.startswith("a rolling restart")]
    assert {case["alertname"] for case in restart} == names
    assert not any(case["exp_alerts"] for case in restart)


@pytest.mark.parametrize("query", queries())
def test_a_query_names_metrics_that_exist(query: str) -> None:
    asked = set(NAME.findall(query))
    assert asked
    assert asked <= names()
    assert query.count("(") == query.count(")")


def test_every_metric_of_our_own_is_shown() -> None:
    queries = " ".join(shown_queries())
    ours = [name for name in metrics.__dict__ if name.isupper()]
    families = {
        family.name
        for name in ours
        if hasattr(metric := getattr(metrics, name), "describe")
        for family in metric.describe()
    }
    assert len(families) >= 12
    assert not [family for family in families if family not in queries]


def test_panels_do_not_lie_over_each_other() -> None:
    dashboard: Any = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
    cells = [
        (x, y)
        for panel in dashboard["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


def test_prometheus_reads_where_hosting_says_the_bot_answers() -> None:
    scrape: Any = yaml.safe_load((DEPLOY / "prometheus.yml").read_text("utf-8"))
    (job,) = scrape["scrape_configs"]
    (target,) = job["static_configs"][0]["targets"]
    port = target.rpartition(":")[2]
    assert f"METRICS_ADDRESS={port}" in (ROOT / "docs" / "hosts" / "hosting.md").read_text("utf-8")
    assert all((DEPLOY / name).exists() for name in scrape["rule_files"])
    jobs = set(re.findall(r'job="(\w+)"', " ".join(queries())))
    assert jobs == {job["job_name"]}
