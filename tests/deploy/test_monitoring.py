"""What Prometheus and Grafana are told to ask for is there."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY

from bot import metrics
from tests.bot.command import ROOT

DEPLOY = ROOT / "deploy"
NAME = re.compile(r"\b(?:starpost|process|python)_\w+|\bup\b")


def names() -> set[str]:
    """All names that Prometheus can get; it makes `up` by itself."""
    made = {"up"}
    for family in REGISTRY.collect():
        made.add(family.name)
        ends = {"counter": ("_total",), "info": ("_info",), "histogram": HISTOGRAM}
        made |= {family.name + end for end in ends.get(family.type, ())}
    return made


HISTOGRAM = ("_bucket", "_count", "_sum")


def queries() -> list[str]:
    """Every expression of the dashboard and of the alarms."""
    dashboard: Any = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
    alerts: Any = yaml.safe_load((DEPLOY / "prometheus-alerts.yml").read_text("utf-8"))
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    return shown + [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]


@pytest.mark.parametrize("query", queries())
def test_a_query_names_metrics_that_exist(query: str) -> None:
    asked = set(NAME.findall(query))
    assert asked
    assert asked <= names()
    assert query.count("(") == query.count(")")


def test_every_metric_of_our_own_is_shown() -> None:
    shown = " ".join(queries())
    ours = [name for name in metrics.__dict__ if name.isupper()]
    families = {
        family.name
        for name in ours
        if hasattr(each := getattr(metrics, name), "describe")
        for family in each.describe()
    }
    assert len(families) >= 12
    assert not [family for family in families if family not in shown]


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
    assert f"METRICS_ADDRESS={port}" in (ROOT / "docs" / "HOSTING.md").read_text("utf-8")
    assert all((DEPLOY / name).exists() for name in scrape["rule_files"])
    jobs = set(re.findall(r'job="(\w+)"', " ".join(queries())))
    assert jobs == {job["job_name"]}
