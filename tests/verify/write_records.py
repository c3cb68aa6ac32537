"""Writes tests/data/records: whole records to try a verification on, in any language.

Run it as `python -m tests.verify.write_records` when the format of records has gained a field.
"""

from __future__ import annotations

from pathlib import Path

from euchre_sdk.game import GameRecord, RuleSet, Session, ToTarget, write_record
from euchre_sdk.game.rules import FirstDealer
from tests.verify.table_records import played_game

DIRECTORY = Path(__file__).parents[1] / "data" / "records"


def records() -> dict[str, GameRecord]:
    """Every record by the name of its file."""
    drawn = RuleSet(lowest_rank=7, joker=True, first_dealer=FirstDealer.DRAW_LOW, target=3)
    return {
        "faults_and_void_hands": played_game(4, trouble=0.12),
        "two_starts_of_the_arena": played_game(3, format=Session(3), stopped_after=1),
        "forfeited": played_game(2, format=ToTarget(), trouble=0.12),
        "drawn_dealer_33_cards": played_game(5, rules=drawn, format=ToTarget(), trouble=0.0),
        "house_bots_only": played_game(1, house=(True, True, True), trouble=0.0),
    }


if __name__ == "__main__":
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    for name, record in records().items():
        (DIRECTORY / f"{name}.jsonl").write_text(write_record(record), encoding="utf-8")
