"""Instances of bots that can keep nothing: the only ones that may be shown a deal twice.

`fresh` says what such an instance is, and is all that others need; `launcher` makes them on Linux.
"""
