"""The Dockerfile, read as Docker reads it."""

from __future__ import annotations

from tests.support.command import ROOT

Stage = list[tuple[str, str]]


def stages() -> list[Stage]:
    """The instructions of each stage, with their arguments."""
    text = (ROOT / "deploy" / "Dockerfile").read_text("utf-8").replace("\\\n", "")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    parsed: list[Stage] = []
    for name, arguments in lines:
        if name == "FROM":
            parsed.append([])
        parsed[-1].append((name, arguments))
    return parsed


def the(stage: Stage, name: str) -> str:
    """The arguments of the only instruction of this name."""
    (arguments,) = [arguments for instruction, arguments in stage if instruction == name]
    return arguments
