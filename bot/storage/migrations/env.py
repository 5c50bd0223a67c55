"""Alembic's entry point; bot.storage.migrate provides the connection."""

from alembic import context

from bot.storage.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
