"""Direct messages are in the language of their receivers, all others in that of the server."""

from __future__ import annotations

from bot.domain.ids import ChannelId, UserId
from bot.domain.outbox import OutboxKind, OutboxMessage, SentCopy, Target
from bot.guilds import Guilds
from bot.outbox.languages import Languages
from bot.services.deliveries import Deliveries
from bot.services.preferences import PreferenceKey, Preferences
from bot.services.servers import Servers
from tests.support.deliveries import CHANNEL, DeliveryFixture, ask
from tests.support.fake_objects import GUILD, dm
from tests.support.matches import ADA, BO


async def test_language_is_the_receivers_or_the_servers(delivery: DeliveryFixture) -> None:
    env, languages = delivery.env, Languages(Guilds(delivery.client))
    match_id = await ask(delivery)
    await Preferences(env.database).set(ADA, PreferenceKey.LANGUAGE, "de")
    for server, receiver, language in [
        ("en", 0, "en"),
        ("en", ADA, "de"),
        ("de", 0, "de"),
        ("de", BO, "en"),
    ]:
        await Servers(env.database).choose(GUILD, language=server)
        kind, target = OutboxKind.POST_CHALLENGE, Target(UserId(receiver))
        queued = OutboxMessage(1, match_id, target, kind, {}, 1, env.now, "key")
        read = await Deliveries(env.database, env.queries).read(queued)
        copy = SentCopy(UserId(receiver), ChannelId(dm(receiver) if receiver else CHANNEL), 7)
        assert await languages.of_queued(queued, read) == language
        assert await languages.of_copy(copy, read) == language
