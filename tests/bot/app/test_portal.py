"""`starpost portal` shows the difference to the developer portal, asks, and sets it."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from bot.app import listing
from bot.app.invite import PERMISSIONS, permissions
from bot.app.portal import FIELDS, set_up_portal
from bot.app.settings import SettingsError
from tests.support.command import ROOT, TOKEN, run
from tests.support.fake_discord import FakeDiscord


async def set_up(
    *, agree: bool = True, pictures: bool = False, fields: tuple[str, ...] = FIELDS
) -> tuple[bool, list[str], list[int]]:
    """Return whether all changes were accepted, all lines, and the counts that were asked about."""
    lines: list[str] = []
    counts: list[int] = []

    def confirm(count: int) -> bool:
        counts.append(count)
        return agree

    accepted = await set_up_portal(TOKEN, fields, confirm, lines.append, replaces_pictures=pictures)
    return accepted, lines, counts


async def test_portal_is_filled_and_a_second_run_changes_nothing(fake_discord: FakeDiscord) -> None:
    accepted, lines, counts = await set_up()
    assert accepted
    assert counts == [len(FIELDS)]
    assert lines[-len(FIELDS) :] == [f"{field}: set" for field in FIELDS]
    assert fake_discord.application["description"] == listing.description()
    assert fake_discord.application["tags"] == [*listing.TAGS]
    assert fake_discord.application["icon"]
    assert fake_discord.application["cover_image"]
    links = fake_discord.application["integration_types_config"]
    assert links["0"]["oauth2_install_params"] == {
        "scopes": ["bot", "applications.commands"],
        "permissions": permissions().value,
    }
    assert links["1"]["oauth2_install_params"] == {
        "scopes": ["applications.commands"],
        "permissions": 0,
    }
    _, lines, counts = await set_up()
    assert lines[: len(FIELDS)] == [f"{field}: as it should be" for field in FIELDS]
    assert counts == []


async def test_difference_is_shown_before_the_question(fake_discord: FakeDiscord) -> None:
    fake_discord.application |= {"description": "My bot", "tags": ["chess"]}
    before = dict(fake_discord.application)
    accepted, lines, counts = await set_up(agree=False)
    text = "\n".join(lines)
    assert f"description:\n  - My bot\n  + {listing.description()}" in text
    assert f"tags:\n  - chess\n  + {', '.join(sorted(listing.TAGS))}" in text
    assert "icon:\n  - (nothing)\n  + Starpost's icon" in text
    assert f"+ server: applications.commands bot with {len(PERMISSIONS)} permissions" in text
    assert accepted
    assert counts == [len(FIELDS)]
    assert fake_discord.application == before


async def test_a_picture_of_the_hosts_is_replaced_only_if_wanted(fake_discord: FakeDiscord) -> None:
    fake_discord.application |= {"icon": "mine", "cover_image": "mine"}
    await set_up()
    assert (fake_discord.application["icon"], fake_discord.application["cover_image"]) == (
        "mine",
        "mine",
    )
    await set_up(pictures=True, fields=("icon",))
    assert (fake_discord.application["icon"], fake_discord.application["cover_image"]) == (
        "hash-of-icon",
        "mine",
    )


async def test_a_refused_field_prevents_no_other(fake_discord: FakeDiscord) -> None:
    fake_discord.field_refusals["icon"] = (400, 50035)
    accepted, lines, _ = await set_up()
    assert not accepted
    assert lines[-3:] == [
        "icon: Discord refuses it (400, 50035: no)",
        "cover: set",
        "installation: set",
    ]


async def test_missing_policies_and_a_private_bot_are_noted(fake_discord: FakeDiscord) -> None:
    fake_discord.application["bot_public"] = False
    _, lines, _ = await set_up(agree=False)
    notes = "\n".join(lines[-3:])
    for word in ("terms of service", "privacy policy", "“Public Bot”"):
        assert word in notes
    fake_discord.application |= {"terms_of_service_url": "https://a.test", "bot_public": True}
    fake_discord.application["privacy_policy_url"] = "https://a.test"
    _, lines, _ = await set_up(agree=False)
    assert not [line for line in lines if "terms of service" in line or "Public Bot" in line]


async def test_a_refused_token_is_one_sentence(fake_discord: FakeDiscord) -> None:
    fake_discord.login_refusals = [401]
    with pytest.raises(SettingsError, match="does not accept this token"):
        await set_up()


async def test_an_outage_is_one_sentence(fake_discord: FakeDiscord) -> None:
    fake_discord.application_refusals = [403]
    with pytest.raises(SettingsError, match="cannot be reached"):
        await set_up()


@pytest.mark.slow
async def test_the_command_asks_and_sets_one_field(
    fake_discord: FakeDiscord, tmp_path: Path
) -> None:
    async def portal(*options: str, typed: str = "") -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.support.against_fake", str(fake_discord.port)),
            *("portal", "--only", "tags", *options),
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": TOKEN},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await process.communicate(typed.encode())
        return process.returncode or 0, out.decode()

    code, out = await portal(typed="n\n")
    assert code == 0
    assert "Change 1 of the portal's entries? [y/N]" in out
    assert "tags" not in fake_discord.application
    code, out = await portal("--yes")
    assert (code, out.splitlines()[-1]) == (0, "tags: set")
    assert fake_discord.application["tags"] == [*listing.TAGS]


def test_an_unknown_field_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    refused = run(tmp_path, "portal", "--only", "name", DISCORD_TOKEN=TOKEN)
    assert refused.returncode == 2
    assert refused.stderr.endswith(f"there is no name; write one of {', '.join(FIELDS)}.\n")
