"""Files of exports: JSON while it is small, then an archive of it."""

from __future__ import annotations

import io
import json
from typing import Any
from zipfile import ZipFile

import pytest

from bot.features.privacy import export_files
from bot.features.privacy.export_files import ExportFile

HEAD = {"about": "Ärger", "user_id": 7}


def small() -> ExportFile:
    """Return a file with three sections, the second one empty."""
    file = ExportFile(HEAD)
    for section, rows in (("a", []), ("a", [{"n": 1}, {"n": 2}]), ("a", [{"n": "ä"}])):
        file.add(section, rows)
    file.add("b", [])
    file.add("c", [])
    file.add("c", [{}])
    return file


CONTENT: dict[str, Any] = {**HEAD, "a": [{"n": 1}, {"n": 2}, {"n": "ä"}], "b": [], "c": [{}]}


def test_small_file_is_json() -> None:
    name, content = small().close()
    assert name == "starpost.json"
    assert json.loads(content) == CONTENT
    assert list(json.loads(content)) == list(CONTENT)
    assert "Ärger" in content.decode()
    assert json.loads(ExportFile(HEAD).close().content) == HEAD


def test_large_file_is_an_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(small().close().content)
    monkeypatch.setattr(export_files, "MAX_JSON_BYTES", size)
    assert small().close().name == "starpost.json"
    monkeypatch.setattr(export_files, "MAX_JSON_BYTES", size - 1)
    name, content = small().close()
    assert name == "starpost.zip"
    with ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == ["starpost.json"]
        assert json.loads(archive.read("starpost.json")) == CONTENT
    assert small().close() == (name, content), "no time of the day in it"


def test_archive_is_much_smaller_than_its_content() -> None:
    file = ExportFile(HEAD)
    file.add("a", [{"line": f"O move {number}"} for number in range(60_000)])
    assert len(file.close().content) < export_files.MAX_JSON_BYTES / 4


def test_next_file_begins_like_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    file, full = small(), list[bool]()
    size = file._archive.tell()
    for limit in (size + 1, size):
        monkeypatch.setattr(export_files, "FULL_BYTES", limit)
        full.append(file.is_full)
    assert full == [False, True]
    following = file.next()
    following.add("c", [{"n": 3}])
    name, content = following.close()
    assert name == "starpost-2.json"
    assert json.loads(content) == {**HEAD, "c": [{"n": 3}]}
    assert following.next().close().name == "starpost-3.json"


def test_full_file_fits_into_a_message() -> None:
    assert export_files.MAX_JSON_BYTES < export_files.FULL_BYTES < 9 * 2**20
