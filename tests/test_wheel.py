"""The wheel has every file of the packages, and the same bytes wherever it is built."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from email import message_from_bytes
from email.message import Message
from gettext import GNUTranslations
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.command import ROOT

PACKAGES = ("bot", "engine", "render")
BUILT_FROM = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
COMMIT_FILE = "bot/commit.txt"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


def build(source: Path, folder: Path) -> Path:
    """Build the wheel of a tree, as `make wheel` does."""
    command = (sys.executable, "-m", "hatchling", "build", "--target", "wheel")
    subprocess.run(
        [*command, "--directory", folder], cwd=source, check=True, capture_output=True, timeout=60
    )
    (built,) = folder.glob("*.whl")
    return built


def files_of_packages() -> set[str]:
    """The files of the packages that git does not ignore."""
    command = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--")
    listed = subprocess.run([*command, *PACKAGES], cwd=ROOT, check=True, capture_output=True)
    return {name for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file()}


def shipped(name: str) -> str:
    """The file that the wheel has instead: a compiled catalogue, or none (empty)."""
    return "" if name.endswith(".pot") else re.sub(r"\.po$", ".mo", name)


def head() -> str:
    """Return the commit that is checked out."""
    command = ("git", "rev-parse", "--short=12", "HEAD")
    return (
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().strip()
    )


@pytest.mark.slow
def test_wheel_has_exactly_the_files_of_the_packages(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith(PACKAGES)}
        assert packed == {*filter(None, map(shipped, files_of_packages())), COMMIT_FILE}
        assert archive.read(COMMIT_FILE).decode().strip() == head()
        packed.remove(COMMIT_FILE)
        assert all(archive.read(name) == (ROOT / name).read_bytes() for name in packed)


@pytest.mark.slow
def test_wheel_has_every_kind_of_data(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        kinds = {Path(name).suffix for name in archive.namelist() if name.startswith(PACKAGES)}
    assert kinds >= {".py", ".mako", ".mo", ".md", ".toml", ".json", ".ttf", ".otf", ".png"}


@pytest.mark.slow
def test_wheel_built_from_a_copy_has_equal_bytes(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_COMMIT", head())  # a copy has no history
    copy = tmp_path / "elsewhere"
    for name in (*files_of_packages(), *BUILT_FROM):
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)  # now, and not when it was checked out
        target.chmod((ROOT / name).stat().st_mode & 0o700)
    again = build(copy, tmp_path / "dist")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


@pytest.mark.slow
def test_wheel_of_a_tree_has_the_catalogues_of_its_texts(tmp_path: Path) -> None:
    """Whatever was compiled in the tree before."""
    clone = tmp_path / "clone"
    command = ("git", "clone", "--quiet", str(ROOT), str(clone))
    subprocess.run(command, check=True, capture_output=True)
    file = clone / "bot" / "locale" / "de" / "LC_MESSAGES" / "starpost.po"
    file.with_suffix(".mo").write_bytes(b"of another day")
    file.write_text(file.read_text("utf-8").replace('"Annehmen"', '"Topp"'), "utf-8")
    wheel = build(clone, tmp_path / "dist")
    with ZipFile(wheel) as archive, archive.open("bot/locale/de/LC_MESSAGES/starpost.mo") as binary:
        assert GNUTranslations(binary).gettext("Accept") == "Topp"


@pytest.mark.slow
def test_wheel_of_two_clones_has_equal_bytes(tmp_path: Path) -> None:
    wheels = []
    for name, mask in (("here", 0o022), ("there", 0o077)):
        command = f"umask {mask:o} && git clone --quiet '{ROOT}' {name}"
        subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True, capture_output=True)
        wheels.append(build(tmp_path / name, tmp_path / f"dist-{name}"))
    one, other = wheels
    assert one.name == other.name
    assert one.read_bytes() == other.read_bytes()


def metadata_of(wheel: Path) -> Message:
    """Return the metadata of a wheel, which a package index shows."""
    with ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        return message_from_bytes(archive.read(name))


@pytest.mark.slow
def test_wheel_has_the_extras_and_the_version(wheel: Path) -> None:
    metadata = metadata_of(wheel)
    assert metadata["Version"] == version("starpost")
    extras = {"openspiel": "open-spiel", "postgres": "asyncpg", "sandbox": "simcord"}
    assert metadata.get_all("Provides-Extra") == [*extras]
    for extra, package in extras.items():
        required = metadata.get_all("Requires-Dist") or []
        (requirement,) = [line for line in required if line.startswith(package)]
        assert requirement.endswith(f"extra == '{extra}'")


RELATIVE = re.compile(r"\]\((?!https?://)")


@pytest.mark.slow
def test_description_has_no_relative_link(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = metadata_of(wheel)
    assert plain.get_all("Project-URL") is None
    monkeypatch.setenv("SOURCE_URL", "https://a.test/starpost/")
    linked = metadata_of(build(ROOT, tmp_path))
    urls = dict(line.split(", ") for line in linked.get_all("Project-URL") or ())
    assert urls["Source"] == "https://a.test/starpost"
    assert urls["First match (en)"].endswith("/docs/players/first-match.md")
    tag = f"v{version('starpost')}"
    assert urls["Changelog"] == f"https://a.test/starpost/blob/{tag}/CHANGELOG.md"
    readme = (ROOT / "README.md").read_text("utf-8")
    assert RELATIVE.search(readme)
    for metadata in (plain, linked):
        text = metadata.get_payload()
        assert isinstance(text, str)
        assert not RELATIVE.search(text)
    pictures = re.findall(r"!\[[^]]*\]\((.+?)\)", str(linked.get_payload()))
    assert pictures
    assert all(url.startswith(f"https://a.test/starpost/raw/{tag}/docs/") for url in pictures)


@pytest.mark.slow
def test_wheel_says_that_it_has_types(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        assert {f"{package}/py.typed" for package in PACKAGES} <= set(archive.namelist())
    assert "Typing :: Typed" in (metadata_of(wheel).get_all("Classifier") or ())


def test_hosting_names_the_file_that_is_built(wheel: Path) -> None:
    text = (ROOT / "docs" / "hosts" / "hosting.md").read_text("utf-8")
    assert set(re.findall(r"dist/([\w.-]+\.whl)", text)) == {wheel.name}
