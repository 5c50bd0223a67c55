"""Actions of a simulation's users around a match, which leave its position as it is."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from bot.features.replays.views import READER
from bot.services.positions import ALL_REVEALED
from tests.support.fake_discord import until
from tests.verification.kills.imports import play_on
from tests.verification.kills.payloads import Upload, tells
from tests.verification.kills.published_plans import publish_plan
from tests.verification.kills.table import Table

POOL = "wormholes/2"

ACTIVE_HOURS = "{name} usually answers between {start} and {end}, your time."

SETTINGS = {
    "turns": ("on", "off"),
    "forced": ("on", "off"),
    "remind": ("24", "48", "off"),
    "quiet": ("off", "22-8", "23-7"),
    "days_off": ("off", "45", "56"),
    "analysis": ("on", "off"),
    "profile": ("off", "met", "everyone"),
    "language": ("discord", "en", "de"),
    "turned": ("on", "off"),
    "active_hours": ("on", "off"),
}
"""Preferences that users change, and their values."""

READING_SECONDS = 30.0
"""Seconds that a user waits for a record to be read; the bot may crash in that time."""


async def be_away(table: Table, _match: int) -> None:
    """Go on vacation, or come back from it."""
    user = table.random.choice(table.users)
    away = bool(table.rows("SELECT 1 FROM absences WHERE user_id=?", user))
    await _go(table, user, 0 if away else 1)
    table.count("returns" if away else "vacations")


async def be_late(table: Table, match: int) -> None:
    """Go on vacation right after the own time is over, before the bot has noticed that.

    Then both players do nothing for a while.
    """
    query = (
        "SELECT user_id, clock_started_at + seconds_left FROM seats WHERE match_id=?"
        " AND seconds_left > 0 AND clock_started_at > 0 AND user_id > 0 AND days_off IS NULL"
        " ORDER BY 2 LIMIT 1"
    )
    for user, end in table.rows(query, match):
        left = end - table.simulation.wall.now()
        if left < table.simulation.day:
            await table.simulation.wait(max(0.0, left))
            await _go(table, user, 1, at_once=True)
            table.count("vacations after the end of a time")
            await table.simulation.wait(table.simulation.day / 2)


async def start_vacation(table: Table, user: int, computer: str) -> None:
    """Go on vacation; the computer of this level may stand in if the other player agrees."""
    await _go(table, user, 1, computer)
    table.count("vacations with a stand-in")


async def _go(
    table: Table, user: int, days: int, computer: str = "none", *, at_once: bool = False
) -> None:
    since = table.simulation.now()
    table.simulation.absences.forget(user)
    table.simulation.clocks.away(user)
    await table.command(user, "vacation", at_once=at_once, days=days, computer=computer)
    table.simulation.absences.gone(user, since, days)


async def move(table: Table, match: int, *, at_once: bool = False) -> None:
    """Go on in another channel."""
    rooms = [room for room in table.rooms if room not in table.simulation.fake.deleted]
    place = table.place._replace(channel_id=table.random.choice(rooms))
    table.open(place)
    expected = table.expected(match)
    expected.channels.add(place.channel_id)
    user = table.random.choice(table.users)
    click = partial(table.simulation.click, user, place, f"move:{match}")
    answer = await table.simulation.do(click, at_once=at_once)
    moved = tells(answer, "{game} #{match} continues here.")
    expected.moved = place.channel_id if moved else 0 if answer["doubtful"] else expected.moved
    table.count("moves" if moved else "moves refused")


async def look(table: Table, match: int, *, by: int = 0) -> None:
    """Have any player, or this user, look at something, which changes nothing."""
    user = by or table.random.choice(table.users)
    what = table.random.choice(("hand", "text", "since", "menu", "overlay", "board", "games"))
    if what == "games":
        await table.command(user, what)
    elif what == "board":
        await table.command(user, what, match=match)
    else:
        await table.click(user, f"{what}:{match}")
    table.count("looks")


async def ask_for_figures(table: Table, _match: int) -> None:
    """Look at the own profile or a leaderboard, or be listed on those of the server, or not."""
    user = table.random.choice(table.users)
    what = table.random.choice(("profile", "leaderboard", "listme:1", "listme:0"))
    if what in ("profile", "leaderboard"):
        answer = await table.command(user, what)
    else:
        answer = await table.click(user, f"{what}:{POOL}")
    answered = tells(answer, "Profile of {name}", "## Leaderboard of this server: {pool}")
    table.count("figures" if answered else "figures refused")


async def be_listed(table: Table, _match: int) -> None:
    """List both players on the leaderboards of the server, which give them a role for a rank."""
    for user in table.users:
        await table.click(user, f"listme:1:{POOL}")
    table.count("listed")


async def snooze(table: Table, match: int) -> None:
    """Put a reminder off."""
    await table.click(table.random.choice(table.users), f"snooze:{match}")
    table.count("snoozes")


async def nudge(table: Table, match: int, *, by: int = 0) -> None:
    """Have any player, or this user, nudge the other one, who may be on turn or not."""
    answer = await table.click(by or table.random.choice(table.users), f"nudge:{match}")
    nudged = tells(answer, "Nudge sent; quiet hours may delay it.")
    table.count("nudges" if nudged else "nudges refused")


async def change_settings(table: Table, _match: int) -> None:
    """Choose another value of a setting, such as a DM at each turn."""
    name = table.random.choice(sorted(SETTINGS))
    value = table.random.choice(SETTINGS[name])
    await table.click(table.random.choice(table.users), f"prefer:{name}", value)
    table.count("settings")


async def show_hours(table: Table, match: int) -> None:
    """Show the other player the hours between the own quiet hours, who looks at the card."""
    user = table.random.choice(table.users)
    for name, value in (("quiet", "22-8"), ("active_hours", "on")):
        await table.click(user, f"prefer:{name}", value)
    card = await table.click(table.other(user), f"more:{match}")
    table.count("hours shown" if tells(card, ACTIVE_HOURS) else "hours not shown")
    await table.click(user, "prefer:quiet", "off")


async def change_name(table: Table, _match: int) -> None:
    """Take another name; the next click shows it to the bot."""
    user = table.random.choice(table.users)
    table.simulation.rename(user)
    await table.command(user, "games")
    if not table.simulation.over.is_set():
        table.count("new names")


async def ask_computer(table: Table, match: int) -> None:
    """Ask the computer for a hint, or for a plan of the set-up."""
    user = table.random.choice(table.users)
    custom_id = table.random.choice((f"hint:{match}", f"plan:{match}:suggest"))
    await table.click(user, custom_id)
    table.count("hints")


async def export(table: Table, _match: int) -> None:
    """Download the own data."""
    await table.click(table.random.choice(table.users), "export")
    table.count("exports")


async def watch_again(table: Table, match: int) -> None:
    """Step through a finished match, watch it, analyse or upload it, publish a plan of it."""
    dice, user = table.random.random(), table.random.choice(table.users)
    if dice < 0.3:
        await table.click(user, f"replay:{match}:0")
        table.count("replays")
        seats = table.rows("SELECT seat FROM seats WHERE match_id=? ORDER BY seat", match)
        reader = table.random.choice([ALL_REVEALED, *(seat for (seat,) in seats)])
        await table.click(user, f"replay:{match}:0:{READER}", reader)
        table.count("replays through one pair of eyes")
    if dice < 0.1:
        await table.click(user, f"film:{match}")
        table.count("films")
    if dice > 0.8:
        await table.click(user, f"analyse:{match}")
        table.count("analyses")
    if 0.25 < dice < 0.5:
        await _upload(table, user, match)
    if dice > 0.4:
        await publish_plan(table, match)


async def _upload(table: Table, user: int, match: int) -> None:
    """Download the record of a match, upload it, and step through it."""
    sent = await table.click(user, f"record:{match}")
    if not sent["files"]:
        table.count("records refused")
        return
    interaction = await table.command(user, "replay", record=Upload(sent["files"][0]))
    edits = table.simulation.fake.edits
    with suppress(TimeoutError):
        async with asyncio.timeout(READING_SECONDS):
            await until(partial(edits.__contains__, interaction["token"]))
    message = edits.get(interaction["token"], interaction)
    if tells(message, "**{game}** from a record: {step}"):
        step = await table.click(user, "import:1", files=message["files"])
        assert tells(step, "**{game}** from a record: {step}"), step
        table.count("records opened")
        await play_on(table, user, match, message)
    else:
        table.count("records not opened")
