"""What Alembic runs: the migrations, on the connection it is given."""

from alembic import context

from salient.server.tables import META

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=META, render_as_batch=True)
context.run_migrations()
