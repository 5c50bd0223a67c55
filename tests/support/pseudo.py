"""A made-up language: English with accents on every letter, longer, in brackets.

Text without brackets has not been through a catalogue; letters without accents in them
come from fields. It is as much longer than English as real languages are at their worst.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tools.catalogues import gathered

TAG = "fi"
"""Discord has no locale for tests, and the bot does not speak this one."""

LONGER = 0.4

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACCENTED = "áƀçđéƒğĥíĵķļɱñóþǫřšŧúṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŘŠŦÛṼŴẊÝŽ"
_ACCENTS = str.maketrans(PLAIN, ACCENTED)
_KEPT = re.compile(r"(\{[^}]*\}|`[^`]*`|<[^>]*>|https?://\S+)")
_LEAD = re.compile(r"(-# |\*\*)?(.*?)(\*\*)?", re.DOTALL)


def pseudo(text: str) -> str:
    """A text in this language; fields, commands and mentions stay, and so does bold.

    Example:
        >>> pseudo("**{name}: it is your turn.**")
        '**[{name}: íŧ íš ýóúř ŧúřñ.~~~~~~~]**'
    """
    lead_match = _LEAD.fullmatch(text)
    lead, body, tail = lead_match.groups(default="") if lead_match else ("", text, "")
    parts = _KEPT.split(body)
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    more = "~" * round(LONGER * sum(map(len, parts[::2])))
    return f"{lead}[{''.join(parts)}{more}]{tail}"


def write(folder: Path) -> None:
    """Put a catalogue of this language with all texts into a folder for catalogues."""
    catalogue = Catalog(locale=TAG, fuzzy=False)
    for message in gathered():
        if message.id:
            forms = [message.id] if isinstance(message.id, str) else message.id
            strings = [pseudo(form) for form in forms]
            one = strings[0] if isinstance(message.id, str) else strings
            catalogue.add(message.id, one, context=message.context)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    file = folder / TAG / "LC_MESSAGES" / "starpost.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled.getvalue())
