"""Malformed data of clicks, windows, commands and autocompletes, by construction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from discord.app_commands import Command

from bot.domain.ids import MatchId

Data = dict[str, Any]

FORMS = {
    "act": ("act:{m}:{v}:first move", "act:{m}:{v}:resign", "act:{m}:-:draw offer"),
    "pick": ("pick:{m}:{v}:0",),
    "typed": ("typed:{m}:{v}",),
    "form": ("form:{m}:{v}:set 1", "form:{m}:{v}:set"),
    "filled": ("filled:{m}:{v}:set", "filled:{m}:{v}:"),
    "part": ("part:{m}:{v}:0", "part:{m}:{v}:a"),
    "leaders": ("leaders:{m}:warp6/2", "leaders:{m}:{v}", "leaders:0:"),
    "listme": ("listme:{m}:warp6/2", "listme:1:{v}", "listme:1"),
    "ranks": ("ranks:{m}", "ranks:{m}:{v}"),
    "rank": ("rank:{m}", "rank:warp6/2", "rank"),
    "ranked": ("ranked:{m}:warp6/2", "ranked:{v}:{m}", "ranked:{m}"),
    "unrank": ("unrank:{m}", "unrank:warp6/2"),
    "menu": ("menu:{m}",),
    "overlay": ("overlay:{m}",),
    "hand": ("hand:{m}",),
    "text": ("text:{m}:{v}",),
    "since": ("since:{m}",),
    "planmeant": (
        "planmeant:{m}:0:{v}:1:0:place",
        "planmeant:{m}:0:{v}:1:-:S5",
        "planmeant:{m}:0:-:{v}:{v}:x",
        "planmeant:{m}",
    ),
    "plan": (
        "plan:{m}",
        "plan:{m}:edit",
        "plan:{m}:write:0",
        "plan:{m}:resume:1",
        "plan:{m}:suggest",
        "plan:{m}:board",
    ),
    "accept": ("accept:{m}",),
    "card": (
        *("card:send:{m}", "card:send:wormholes:x{v}", "card:who:warp6:{m}:{v}:{v}"),
        *("card:game:wormholes", "card:=notes:wormholes", "card:level:warp6", "card:more:{m}"),
        *("card:rounds:warp6::0:x", "card:words:tomtube::9:::T", "card:luck:warp6::9"),
    ),
    "challenge": ("challenge:{m}", "challenge:chess"),
    "computer": ("computer:{m}",),
    "show": ("show:{m}",),
    "games": ("games:{m}{v}", "games:-{m}", "games"),
    "hint": ("hint:{m}",),
    "now": ("now:{m}", "now:chess:{v}"),
    "seek": ("seek:{m}",),
    "decline": ("decline:{m}",),
    "withdraw": ("withdraw:{m}",),
    "more": ("more:{m}", "more:{m}:{v}"),
    "dice": ("dice:{m}", "dice:{m}:{v}"),
    "resign": ("resign:{m}", "resign:{m}:{v}"),
    "draw": ("draw:{m}:{v}",),
    "cancel": ("cancel:{m}",),
    "turn": ("turn:{m}:{v}", "turn:{m}"),
    "turned": ("turned:{m}:{v}", "turned:{m}"),
    "prefer": ("prefer:{m}", "prefer:language"),
    "preferences": ("preferences:{m}", "preferences:looks"),
    "preferred": ("preferred:{m}", "preferred"),
    "rematch": ("rematch:{m}", "rematch:{m}:{v}", "rematch:{m}:-:{v}"),
    "abandon": ("abandon:{m}", "abandon:{m}:{v}"),
    "notice": ("notice:{m}:O:{v}", "notice:{m}:*:{v}"),
    "claim": ("claim:{m}:O", "claim:{m}:O:{v}", "claim:{m}:{v}"),
    "agree": ("agree:{m}:{v}",),
    "undo": ("undo:{m}",),
    "standin": ("standin:{m}:O", "standin:{m}:{v}"),
    "back": ("back:{m}",),
    "snooze": ("snooze:{m}",),
    "nudge": ("nudge:{m}",),
    "notes": ("notes:{m}",),
    "notecopy": ("notecopy:{m}", "notecopy:{m}:place S4/15-18"),
    "noted": ("noted:{m}",),
    "ownplan": ("ownplan:{m}", "ownplan:{m}:publish", "ownplan:{m}:{v}"),
    "seatplan": ("seatplan:{m}:O", "seatplan:{m}:{v}", "seatplan:{m}"),
    "analyse": ("analyse:{m}",),
    "scorecard": ("scorecard:{m}",),
    "postscorecard": ("postscorecard:{m}",),
    "replay": ("replay:{m}:{v}", "replay:{m}:{v}:Next", "replay:{m}:{v}:reader:{m}"),
    "film": ("film:{m}",),
    "record": ("record:{m}",),
    "upload": ("upload:{m}", "upload"),
    "import": ("import:{v}", "import:{v}:Next"),
    "playon": ("playon:{v}", "playon:9{v}:{m}", "playon:9{v}:{m}:against"),
    "tryline": ("tryline:B:{v}", "tryline:{v}:{v}"),
    "trylineact": ("trylineact:B:{v}:nonsense", "trylineact:{v}:{v}::first"),
    "trylinepart": ("trylinepart:B:{v}:nonsense", "trylinepart::{v}:"),
    "playing": ("playing:{v}", "playing:9{v}:{m}"),
    "rules": ("rules:{m}:W1", "rules:wormholes:{v}", "rules:wormholes:{v}:show"),
    "find": ("find:{m}:{v}", "find:wormholes:{v}"),
    "learn": ("learn", "learn:{m}"),
    "howto": ("howto:{m}:{v}", "howto:wormholes:99{v}"),
    "tip": ("tip:{m}:{v}", "tip:wormholes:99{v}"),
    "try": ("try:{m}:{v}:first", "try:wormholes:{v}:nonsense"),
    "look": ("look:{m}:{v}:0", "look:wormholes:{v}:nonsense"),
    "cupjoin": ("cupjoin:{m}",),
    "cupleave": ("cupleave:{m}",),
    "cupwithdraw": ("cupwithdraw:{m}:{v}", "cupwithdraw:{m}"),
    "cupstart": ("cupstart:{m}",),
    "cupmine": ("cupmine:{m}",),
    "cupremove": ("cupremove:{m}", "cupremove:{m}:{v}"),
    "cupcancel": ("cupcancel:{m}", "cupcancel:{m}:1", "cupcancel:{m}:{v}"),
    "cupstatus": ("cupstatus:{m}",),
    "daily": ("daily:{m}",),
    "dailymonth": ("dailymonth:{m}",),
    "puzzle": ("puzzle:{m}", "puzzle:chess:{v}"),
    "puzzlepart": ("puzzlepart:{v}:", "puzzlepart:0123456789abcdef:nonsense"),
    "puzzletry": ("puzzletry:{v}:first", "puzzletry:0123456789abcdef:nonsense"),
    "answer": ("answer:{m}:{v}", "answer:{m}:nonsense"),
    "within": ("within:{m}:{v}", "within:{m}:nonsense"),
    "export": ("export:{m}",),
    "erase": ("erase:{m}", "erase:yes:{m}"),
    "move": ("move:{m}", "move:{m}:{v}"),
    "verify": ("verify:{m}", "verify:{m}:{v}"),
    "open": ("open:{m}", "open"),
    "doctor": ("doctor:{m}", "doctor"),
    "about": ("about:{m}", "about"),
    "server": ("server:{m}", "server:threads", "server:language", "server:daily"),
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

UNKNOWN = 999
"""Number of no match."""

SUB, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, NUMBER, FILE = 1, 3, 4, 5, 6, 7, 8, 10, 11
"""Types of options."""

OUT_OF_RANGE = (-(2**53), -1, 0, UNKNOWN, 2**53, 2**64)

WRONG: dict[int, tuple[Any, ...]] = {
    STRING: (1, True, None, ["x"], {"x": 1}),
    INTEGER: ("1", "", "x", True, 1.5, None, []),
    BOOLEAN: ("true", 1, None, []),
    USER: ("1", "0", "9" * 19, "x", "", None),
    CHANNEL: ("1", "0", "9" * 19, "x", "", None),
    FILE: ("1", "0", "9" * 19, "x", "", None),
}
"""Type of an option → values that are none of this type."""

OTHER_TYPES = {
    STRING: "x",
    INTEGER: 1,
    BOOLEAN: True,
    USER: "1",
    CHANNEL: "1",
    ROLE: "1",
    NUMBER: 1.5,
    9: "1",
    FILE: "1",
    99: "1",
}
"""Every type of option, and a value that it takes."""

WINDOWS: tuple[Any, ...] = (
    [],
    [{"type": 1, "components": []}],
    [{"type": 1, "components": [{"type": 4, "custom_id": "line"}]}],
    [{"type": 1, "components": [{"type": 4, "custom_id": "line", "value": "\u202e\x00"}]}],
    [{"type": 18, "component": {"type": 4, "custom_id": "line", "value": "9" * 4000}}],
    [{"type": 18, "component": {"type": 4, "custom_id": "gone", "value": "?"}} for _ in range(5)],
    [{"type": 18, "component": {"type": 3, "custom_id": "line", "values": ["?", "1"]}}],
    [{"type": 18}, {"type": 10, "content": "?"}],
)
"""Inputs of a form: too few, without a value, with controls, too many, others."""


def clicks(prefix: str, refused: Iterable[int], running: Iterable[int]) -> Iterator[Data]:
    """Yield all malformed clicks of a prefix.

    Args:
        prefix: how their custom_ids begin.
        refused: matches in which the senders can change nothing.
    """
    for form in FORMS[prefix]:
        for number in (*TEXTS, *map(str, refused), str(UNKNOWN)):
            yield _click(form.format(m=number, v="1"), "1")
        for match in running if "{v}" in form else ():
            for text in TEXTS:
                yield _click(form.format(m=match, v=text), text)


def looks(match_id: MatchId) -> Iterator[Data]:
    """Yield clicks that show a match as their sender may see it."""
    for form in ("hand:{}", "text:{}:0", "since:{}", "menu:{}", "resign:{}", "overlay:{}"):
        yield {"custom_id": form.format(match_id), "component_type": 2}


def _click(custom_id: str, value: str) -> Data:
    return {"custom_id": custom_id[:100], "component_type": 3, "values": [value]}


def windows(prefix: str, refused: Iterable[int], running: Iterable[int]) -> Iterator[Data]:
    """Yield windows with malformed custom_ids, and with inputs missing or too many."""
    for number, click in enumerate(clicks(prefix, refused, running)):
        inputs = WINDOWS[number % len(WINDOWS)]
        yield {"custom_id": click["custom_id"], "components": inputs}


def nested(command: Command[Any, ..., Any], options: list[Data], **resolved: Any) -> Data:
    """Return a command's data as Discord sends it."""
    name, *rest = command.qualified_name.split(" ")
    if rest:
        options = [{"name": rest[0], "type": SUB, "options": options}]
    return {"id": "1", "name": name, "type": 1, "options": options, "resolved": resolved}


def option(name: str, kind: int, value: Any) -> Data:
    """Return an option as Discord sends it."""
    return {"name": name, "type": kind, "value": value}


def commands(all_of_them: Iterable[Any], refused: Iterable[int], running: int) -> Iterator[Data]:
    """Yield every command in every malformed way: options missing, unknown, wrong, out of range.

    Args:
        refused: matches in which the senders can change nothing.
    """
    for command in all_of_them:
        if not isinstance(command, Command):
            yield {"id": "1", "name": command.qualified_name, "type": 1, "options": []}
            continue
        parameters = {parameter.name: parameter for parameter in command.parameters}
        needed = {
            parameter.name: option(parameter.name, STRING, "?") for parameter in parameters.values()
        }
        needed = {name: data for name, data in needed.items() if parameters[name].required}
        if needed:
            yield nested(command, [])
        yield nested(command, [*needed.values(), option("gone", STRING, "x")])
        yield {"id": "1", "name": command.qualified_name, "type": 1, "options": [{"type": SUB}]}
        if "match" in parameters:
            for number in (*refused, *OUT_OF_RANGE):
                yield nested(command, [*needed.values(), option("match", INTEGER, number)])
            needed.setdefault("match", option("match", INTEGER, running))
        for name, parameter in parameters.items():
            rest = [other for other in needed.values() if other["name"] != name]
            yield nested(command, [*rest, {"name": name, "type": parameter.type.value}])
            for kind, value in _malformed(parameter):
                yield nested(command, [*rest, option(name, kind, value)])


def _malformed(parameter: Any) -> Iterator[tuple[int, Any]]:
    """Yield types and values of an option that a command cannot take."""
    expected_kind = parameter.type.value
    for kind, value in OTHER_TYPES.items():
        if kind != expected_kind:
            yield kind, value
    for value in WRONG[expected_kind]:
        yield expected_kind, value
    if expected_kind == INTEGER and parameter.name != "match":
        low = -math.inf if parameter.min_value is None else parameter.min_value
        high = math.inf if parameter.max_value is None else parameter.max_value
        yield from ((expected_kind, value) for value in OUT_OF_RANGE if not low <= value <= high)
    if expected_kind == STRING and parameter.name not in FREE:
        allowed = {choice.value for choice in parameter.choices}
        yield from ((expected_kind, text) for text in TEXTS if text not in allowed)
    if expected_kind == STRING and parameter.max_value:
        yield from ((expected_kind, ""), (expected_kind, "x" * 4000))


FREE = {"luck"}
"""Options that take any words."""


def autocompletes(
    all_of_them: Iterable[Any], refused: Iterable[int], running: int
) -> Iterator[Data]:
    """Yield every command with each of its options focused and malformed."""
    for command in all_of_them:
        if not isinstance(command, Command):
            continue
        parameters = {parameter.name: parameter for parameter in command.parameters}
        yield nested(command, [{**option("gone", STRING, "x"), "focused": True}])
        yield nested(command, [])
        for name, parameter in parameters.items():
            for kind, value in (*_typed(parameter), *OTHER_TYPES.items()):
                yield nested(command, [{**option(name, kind, value), "focused": True}])
            beside = (*refused, running, UNKNOWN, "", "x", "1", None, 2**64, True)
            for number in beside if "match" in parameters and name != "match" else ():
                focused = {**option(name, parameter.type.value, ""), "focused": True}
                yield nested(command, [option("match", INTEGER, number), focused])


def _typed(parameter: Any) -> Iterator[tuple[int, Any]]:
    expected_kind = parameter.type.value
    yield from ((expected_kind, value) for value in (*TEXTS, *WRONG[expected_kind]))
