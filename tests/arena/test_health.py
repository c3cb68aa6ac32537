"""Health: who reports, who is told, and what still works."""

from __future__ import annotations

from structlog.testing import capture_logs

from arena.health import Health, Part


def test_an_arena_is_well_until_a_part_reports_trouble():
    health = Health()
    assert not health.troubles
    assert health.allows(Part)
    health.report(Part.DATABASE, "the disk is full")
    assert dict(health.troubles) == {Part.DATABASE: "the disk is full"}
    assert not health.allows({Part.DATABASE, Part.STOPPING})
    assert health.allows({Part.EDGE})


def test_trouble_that_is_over_is_forgotten():
    health = Health()
    health.report(Part.DATABASE, "the disk is full")
    health.report(Part.DATABASE, None)
    assert health.allows(Part)


def test_listeners_are_told_of_changes_only():
    health, told = Health(), []
    health.listen(lambda: told.append(dict(health.troubles)))
    health.report(Part.DATABASE, None)
    health.report(Part.DATABASE, "the disk is full")
    health.report(Part.DATABASE, "the disk is full")
    health.report(Part.DATABASE, "the database is locked")
    health.report(Part.DATABASE, None)
    assert told == [
        {Part.DATABASE: "the disk is full"},
        {Part.DATABASE: "the database is locked"},
        {},
    ]


def test_a_change_is_one_line_in_the_log():
    with capture_logs() as lines:
        health = Health()
        health.report(Part.DATABASE, "the disk is full")
        health.report(Part.DATABASE, "the disk is full")
        health.report(Part.DATABASE, None)
    assert [(line["event"], line["log_level"], line["trouble"]) for line in lines] == [
        ("health_changed", "warning", "the disk is full"),
        ("health_changed", "info", None),
    ]
