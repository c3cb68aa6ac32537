"""Which services the health service calls unhealthy, and when."""

from __future__ import annotations

from arena.health import Health, Part
from arena.rpc.roles import RULES
from arena.rpc.serving import ALL, NEEDS, PLAY_SERVICE, serving


def test_every_service_says_what_it_needs():
    services = {method.split("/")[1] for method in RULES if "/euchre." in method}
    assert set(NEEDS) == services | {PLAY_SERVICE, ALL}


def test_all_services_work_while_all_is_well():
    assert set(serving(Health()).values()) == {True}


def test_records_can_be_read_while_nothing_can_be_stored():
    health = Health()
    health.report(Part.DATABASE, "the disk is full")
    works = [name for name, works in serving(health).items() if works]
    assert works == ["euchre.v1.ArenaService", "euchre.v1.MatchService"]


def test_nothing_works_when_the_arena_stops():
    health = Health()
    health.report(Part.STOPPING, "the arena is stopping")
    assert set(serving(health).values()) == {False}
