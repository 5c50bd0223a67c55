"""The link asks for what the bot does, and for nothing else."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.app.env_file import SettingsError
from bot.app.invite import application_id, link, user_link
from bot.interactions.permissions import START_PERMISSIONS
from tests.support.command import APPLICATION, TOKEN

THREADS = {"create_public_threads", "send_messages_in_threads"}
READING = {"embed_links", "read_message_history"}


def test_the_link_has_both_scopes_and_the_needed_permissions() -> None:
    query = parse_qs(urlsplit(link(APPLICATION)).query)
    assert query["client_id"] == [str(APPLICATION)]
    assert query["scope"] == ["bot applications.commands"]
    permissions = {name for name, on in discord.Permissions(int(query["permissions"][0])) if on}
    view = {"read_messages" if name == "view_channel" else name for name in START_PERMISSIONS}
    assert permissions == view | THREADS | READING


def test_the_link_for_a_user_asks_for_commands_only() -> None:
    query = parse_qs(urlsplit(user_link(APPLICATION)).query)
    assert query == {
        "client_id": [str(APPLICATION)],
        "scope": ["applications.commands"],
        "integration_type": ["1"],
    }


def test_the_application_is_the_first_part_of_the_token() -> None:
    assert application_id(TOKEN) == APPLICATION


@pytest.mark.parametrize(
    "token", ["", "x", "a.b", "a.b.c", "%.b.c", "Ym90.b.c", f"{TOKEN}.d", "é.b.c"]
)
def test_what_is_no_token_is_refused_without_repeating_it(token: str) -> None:
    with pytest.raises(SettingsError, match="is not a bot token") as caught:
        application_id(token)
    assert not token or token not in str(caught.value).split()
