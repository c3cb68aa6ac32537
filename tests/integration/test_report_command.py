"""`arena tournament report` on a tournament that was really played."""

from __future__ import annotations

import json
from pathlib import Path

from arena.rpc.client import ArenaClient
from euchre_sdk.game import STANDARD, Session
from tests.integration.served import served
from tests.integration.test_annul_commands import said

FIELD = ("lynx", "puma", "ocelot", "serval")


def four_bots(client: ArenaClient) -> None:
    client.create_tournament(
        "spring",
        bots=FIELD,
        policy="all-trios",
        cycles=4,
        rules=STANDARD,
        format=Session(3),
        owners_apart=False,
    )


async def test_the_report_tells_who_scores_beside_whom_and_how_fast_bots_answer(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, **dict.fromkeys(FIELD, 2)) as arena:
        await arena.ask(four_bots)
        empty = await said(arena, "tournament", "report", "spring")
        assert "Nothing can be said yet" in empty.output
        await arena.ask(lambda c: c.start_tournament("spring"))
        await arena.ask(lambda c: list(c.watch_rankings("spring")))
        told = await said(arena, "tournament", "report", "spring")
        assert told.exit_code == 0, told.output
        assert "of 12 looked at" in told.output
        known = json.loads((await said(arena, "tournament", "report", "spring", "--json")).output)
        assert len(known["partner_effects"]) == 12
        assert {line["blocks"] for line in known["partner_effects"]} == {8}
        missing = await said(arena, "tournament", "report", "autumn")
        assert missing.exit_code == 1
        assert "there is no tournament named 'autumn'" in missing.output
