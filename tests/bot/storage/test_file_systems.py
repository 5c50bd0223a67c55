"""File systems on which SQLite is not safe are named, at the start as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.storage import file_systems
from bot.storage.file_systems import unsafe_text

LINE = "36 35 98:0 / {folder} rw,noatime master:1 - {kind} source rw\n"


@pytest.mark.parametrize(
    "kind", ["nfs4", "fuse.shfs", "fakeowner", "fuse.grpcfuse", "vboxsf", "fuse.mergerfs"]
)
def test_a_shared_file_system_is_named(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts, folder = tmp_path / "mounts", tmp_path / "on it"
    folder.mkdir()
    point = str(folder).replace(" ", "\\040")
    lines = (LINE.format(folder="/", kind="ext4"), LINE.format(folder=point, kind=kind))
    mounts.write_text("".join(lines))
    monkeypatch.setattr(file_systems, "MOUNTS", mounts)
    assert unsafe_text(folder).startswith(
        f"{folder} is on a network or shared file system ({kind})"
    )
    assert unsafe_text(tmp_path) == ""


def test_without_a_list_of_mounts_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_systems, "MOUNTS", tmp_path / "none")
    assert unsafe_text(tmp_path) == ""
