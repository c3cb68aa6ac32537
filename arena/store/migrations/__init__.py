"""Alembic's environment and the revisions, oldest first; one file a revision."""
