"""How Alembic runs our revisions: on the connection it is given, one immediate transaction each."""

from alembic import context

from arena.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
