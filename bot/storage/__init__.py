"""The database: connections, schema, migrations and backups."""
