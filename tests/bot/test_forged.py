"""Forged clicks, windows and autocompletes: every handler and option there is, by construction.

Nothing changes, nothing is logged as an error, and everything is answered in private.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
import simcord
from discord.app_commands import Command
from simcord import interactions

from bot.presses import PRESSES
from tests.bot.stage import words
from tests.bot.test_bad_input import payload
from tests.bot.test_malformed import ABROAD, BATCH, Hall, hall

__all__ = ["hall"]

CLICK, AUTOCOMPLETE, WINDOW = 3, 4, 5
"""Types of interactions."""

FORMS = {
    "act": ("act:{m}:{v}:first move", "act:{m}:{v}:resign", "act:{m}:-:draw offer"),
    "pick": ("pick:{m}:{v}:0",),
    "typed": ("typed:{m}:{v}",),
    "form": ("form:{m}:{v}:0:set 1", "form:{m}:{v}:99:set"),
    "part": ("part:{m}:{v}:0", "part:{m}:{v}:a"),
    "menu": ("menu:{m}",),
    "overlay": ("overlay:{m}",),
    "hand": ("hand:{m}",),
    "text": ("text:{m}:{v}",),
    "since": ("since:{m}",),
    "accept": ("accept:{m}",),
    "decline": ("decline:{m}",),
    "withdraw": ("withdraw:{m}",),
    "resign": ("resign:{m}", "resign:{m}:{v}"),
    "draw": ("draw:{m}:{v}",),
    "cancel": ("cancel:{m}",),
    "prefer": ("prefer:{m}", "prefer:language"),
    "rematch": ("rematch:{m}", "rematch:{m}:{v}"),
    "claim": ("claim:{m}:O", "claim:{m}:O:{v}", "claim:{m}:{v}"),
    "agree": ("agree:{m}:{v}",),
    "snooze": ("snooze:{m}",),
    "replay": ("replay:{m}:{v}", "replay:{m}:{v}:Next"),
    "film": ("film:{m}",),
    "rules": ("rules:{m}:W1", "rules:wormholes:{v}", "rules:wormholes:{v}:show"),
    "find": ("find:{m}:{v}", "find:wormholes:{v}"),
    "howto": ("howto:{m}:{v}", "howto:wormholes:9{v}"),
    "try": ("try:{m}:{v}:first", "try:wormholes:{v}:nonsense"),
    "look": ("look:{m}:{v}:0", "look:wormholes:{v}:nonsense"),
    "export": ("export:{m}",),
    "erase": ("erase:{m}", "erase:yes:{m}"),
    "server": ("server:{m}", "server:threads", "server:language"),
    "luck": ("luck:{m}",),
    "lucky": ("lucky:{m}:{v}", "lucky:{m}:{v}:1", "lucky:{m}"),
    "block": ("block:{m}",),
    "resume": ("resume:{m}:{v}", "resume:do:{v}", 'resume:board:{{"text":{v}}}'),
}
"""Prefix → forms of its custom_ids; `m` is the number of a match, `v` a version or another one."""

TEXTS = (
    *("", "0", "-1", "9" * 18, "9" * 40, "1.5", "0x1", "1e3", "x", "O", "*", "null", "[]"),
    *("\xb2", "\u0661\u0662", "\uff11", "\u2167", "\u202e1", "1\x00", "\x1b[31m1", "@everyone"),
    *("`**`", "\ufeff1", "\u202e\u061c"),
)
"""Where a number is meant: none, too small, too large, digits of other scripts, controls, bidi."""

FOREIGN = ("2", "3", "4", "999")
"""Matches of another server (running, not begun, over), and one that there is not."""


def forged(prefix: str) -> Iterator[tuple[str, list[str]]]:
    """All forged clicks of a prefix."""
    for form in FORMS[prefix]:
        for number in (*TEXTS, *FOREIGN):
            yield form.format(m=number, v="1")[:100], ["1"]
        for number in TEXTS if "{v}" in form else ():
            yield form.format(m="1", v=number)[:100], [number]


def test_every_handler_has_a_forged_form() -> None:
    assert set(FORMS) == set(PRESSES)


async def speak(hall: Hall, language: str) -> None:
    """Have the three use Discord in another language, as the bot notes it."""
    stage = hall.stage
    for who in (stage.ada, stage.bo, stage.eve):
        await stage.client.players.language(who.id, language)


async def send(hall: Hall, kind: int, language: str, given: list[dict[str, Any]]) -> None:
    """Send what is given, one after the other by Ada, Bo and Eve; check the answers."""
    stage, people = hall.stage, (hall.stage.ada, hall.stage.bo, hall.stage.eve)
    before, made = await hall.written(), []
    for number, data in enumerate(given):
        who = people[number % 3]
        if kind in (CLICK, WINDOW):
            record, sent = payload(stage, who, stage.last(), "", data["custom_id"])
            record.type = sent["type"] = kind
            sent["data"] |= data
        else:
            record, sent = interactions.base_payload(
                stage.env.backend,
                type=kind,
                channel_id=stage.channel.id,
                guild_id=stage.guild.id,
                user_id=who.id,
                data=data,
            )
        sent["locale"] = language
        made.append((record, data))
        stage.env.backend.emit("INTERACTION_CREATE", sent)
    await stage.env.settle()
    for record, data in made:
        result = simcord.InteractionResult(stage.env, record)
        assert result.acknowledged, data
        if kind == AUTOCOMPLETE:
            continue
        assert result.ephemeral, data
        said = words(result.response)
        assert said, data
        assert not any(name in said for name in ABROAD), data
    assert await hall.written() == before


async def in_batches(hall: Hall, kind: int, language: str, given: list[dict[str, Any]]) -> None:
    await speak(hall, language)
    for start in range(0, len(given), BATCH):
        await send(hall, kind, language, given[start : start + BATCH])


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.mark.parametrize("language", ["en-US", "de"])
@pytest.mark.parametrize("prefix", sorted(FORMS))
def test_forged_clicks_change_nothing(
    hall: Hall, caplog: pytest.LogCaptureFixture, prefix: str, language: str
) -> None:
    given = [
        {"custom_id": custom_id, "component_type": 3, "values": values}
        for custom_id, values in forged(prefix)
    ]
    hall.runner.run(in_batches(hall, CLICK, language, given))
    assert not errors(caplog)


WINDOWS: tuple[Any, ...] = (
    [],
    [{"type": 1, "components": []}],
    [{"type": 1, "components": [{"type": 4, "custom_id": "line", "value": "\u202e\x00"}]}],
    [{"type": 18, "component": {"type": 4, "custom_id": "line", "value": "9" * 4000}}],
)
"""What comes from a window: nothing, an empty row, controls, too much."""


@pytest.mark.parametrize("language", ["en-US", "de"])
def test_forged_windows_change_nothing(
    hall: Hall, caplog: pytest.LogCaptureFixture, language: str
) -> None:
    given = [
        {"custom_id": custom_id, "components": components}
        for prefix in sorted(FORMS)
        for custom_id, _ in list(forged(prefix))[:: len(TEXTS) // 3]
        for components in WINDOWS
    ]
    hall.runner.run(in_batches(hall, WINDOW, language, given))
    assert not errors(caplog)


STRING, INTEGER, BOOLEAN, USER, CHANNEL = 3, 4, 5, 6, 7
"""Types of options."""

OUT_OF_RANGE = (-(2**53), -1, 999, 2**53)
FOREIGN_MATCHES = (*OUT_OF_RANGE, 0, *map(int, FOREIGN))


def values(name: str, kind: int) -> tuple[Any, ...]:
    """Return what can be sent for an option."""
    if kind == INTEGER:
        return FOREIGN_MATCHES if name == "match" else OUT_OF_RANGE
    return {BOOLEAN: (True,), STRING: TEXTS}.get(kind, ("0", "9" * 19))


def commands(hall: Hall) -> Iterator[dict[str, Any]]:
    """Every command with each of its options forged, one at a time, beside a foreign match."""
    for command in hall.stage.client.tree.walk_commands():
        if not isinstance(command, Command):
            continue
        for option in command.parameters:
            for value in values(option.name, option.type.value):
                given = [
                    {
                        "name": option.name,
                        "type": option.type.value,
                        "value": value,
                        "focused": True,
                    }
                ]
                if option.name != "match" and any(o.name == "match" for o in command.parameters):
                    given.append({"name": "match", "type": INTEGER, "value": 2})
                yield nested(command, given)


def nested(command: Command[Any, ..., Any], options: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a command's data as Discord sends it."""
    name, *rest = command.qualified_name.split(" ")
    if rest:
        options = [{"name": rest[0], "type": 1, "options": options}]
    return {"id": "1", "name": name, "type": 1, "options": options}


@pytest.mark.parametrize("language", ["en-US", "de"])
def test_forged_autocompletes_change_nothing(
    hall: Hall, caplog: pytest.LogCaptureFixture, language: str
) -> None:
    given = list(commands(hall))
    assert len(given) > 100
    hall.runner.run(in_batches(hall, AUTOCOMPLETE, language, given))
    assert not errors(caplog)
