"""Data about users: its overview, export, deletion and expiry."""

from bot.feature import Delivery, Feature, Foundation, ScheduledJob, StartStep
from bot.features.privacy import commands
from bot.features.privacy.exports import Exports
from bot.features.privacy.retention import RETENTION_DUE, Retention
from bot.features.privacy.service import ERASURES_DUE, SCRUB_DUE, Privacy
from bot.interactions.context import Context


def _services(foundation: Foundation) -> list[object]:
    database, leases, personal = foundation.database, foundation.leases, foundation.personal
    return [
        Privacy(database, foundation.core.matches, leases, personal),
        Exports(database, personal),
        Retention(database, leases, foundation.clock),
    ]


def _jobs(delivery: Delivery) -> list[ScheduledJob]:
    context = delivery.context
    privacy, retention = context.of(Privacy), context.of(Retention)

    async def finish_erasures() -> None:
        """Finish deletions that were interrupted, by an error or the end of another process."""
        if await privacy.resume():
            context.clear_caches()

    return [
        ScheduledJob("purging deleted data", privacy.scrub, SCRUB_DUE),
        ScheduledJob("finishing deletions of data", finish_erasures, ERASURES_DUE),
        ScheduledJob("deleting expired data", retention.delete_expired, RETENTION_DUE),
    ]


def _first_steps(context: Context) -> list[StartStep]:
    privacy = context.of(Privacy)
    return [privacy.resume, privacy.erase_again]


FEATURE = Feature(
    "privacy",
    is_required=True,
    services=_services,
    commands=commands.commands,
    jobs=_jobs,
    first_steps=_first_steps,
    stores_nothing=commands.is_about_privacy,
)
