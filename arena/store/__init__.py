"""The database: where it lies, its schema, and the one writer all changes go through."""

from arena.store.errors import StoreError, StoreReason
from arena.store.store import Store, open_store

__all__ = ["Store", "StoreError", "StoreReason", "open_store"]
