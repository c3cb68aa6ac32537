"""How a tournament is played, in lines for people."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from arena.rpc.plain import plain
from euchre_sdk.game import PRESETS, STANDARD, RuleSet, Session
from euchre_sdk.game.rules import OPTIONS
from euchre_sdk.wire_values import read_duration, read_format, read_rules


def counted(number: int, what: str) -> str:
    """Return a number of things.

    >>> counted(1, "cycle"), counted(2000, "cycle")
    ('1 cycle', '2,000 cycles')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def plan_lines(plan: Any) -> list[str]:
    """Return who meets, what is played by which rules, and the clock. Raises `EuchreError`."""
    rules, format = read_rules(plan.rules), read_format(plan.format)
    played = (
        f"sessions of {counted(format.hands, 'hand')}"
        if isinstance(format, Session)
        else f"games to {rules.target}"
    )
    meet = plain(plan)["schedule"].replace("_", " ")
    apart = "never meet" if plan.owners_apart else "may meet"
    cycles = _length(plan)
    if plan.HasField("schedule_seed") or not plan.blind:
        cycles += f", seed {plan.schedule_seed}"
    blind = ["blind: names are told at the end"] if plan.blind else []
    duel = [_duel(plan.duel)] if plan.HasField("duel") else []
    return [
        f"{meet}, {cycles}; bots of one author {apart}",
        *duel,
        *blind,
        f"{played}; {_rules(rules)}",
        _clock(plan.time_control),
        *_conduct(plan.conduct),
    ]


def _length(plan: Any) -> str:
    match plain(plan)["schedule"]:
        case "ladder":
            return counted(plan.blocks, "block") if plan.HasField("blocks") else "no end"
        case "swiss":
            return counted(plan.cycles, "round")
        case "gauntlet":
            return f"of {plan.newcomer}, {counted(plan.cycles, 'cycle')}"
        case _:
            return counted(plan.cycles, "cycle")


def _duel(terms: Any) -> str:
    sure = f"α {terms.alpha:g}, β {terms.beta:g}, at most {counted(terms.cap, 'block')}"
    lead = f"by {terms.points1:.3g} points a hand and not {terms.points0:.3g}"
    return f"duel: is {terms.first} stronger than {terms.second} {lead}? {sure}"


def _rules(rules: RuleSet) -> str:
    for name, preset in PRESETS.items():
        if rules == preset:
            return f"{name} rules"
    changed = [
        f"{option.name} {_plain(getattr(rules, option.name))}"
        for option in OPTIONS
        if getattr(rules, option.name) != getattr(STANDARD, option.name)
    ]
    return f"standard rules but {', '.join(changed)}"


def _plain(value: object) -> object:
    value = getattr(value, "value", value)
    return str(value).lower() if isinstance(value, bool) else value


def _clock(control: Any) -> str:
    longest = f"{_seconds(read_duration(control.decision_duration))} for a decision at most"
    if not control.HasField("bank_duration"):
        return f"no clocks, {longest}"
    bank = _seconds(read_duration(control.bank_duration))
    increment = _seconds(read_duration(control.increment_duration))
    return f"clock: {bank} and {increment} more for each decision, {longest}"


def _conduct(conduct: Any) -> list[str]:
    lost = _seconds(read_duration(conduct.lost_duration))
    house = _seconds(read_duration(conduct.house_limit_duration))
    hands = counted(conduct.fault_hands, "hand")
    forfeits = f"{counted(conduct.faults, 'fault')} for each {hands} begun, {lost} without a"
    forfeits += f" connection, {counted(conduct.misses, 'missed offer')} in a block"
    quarantine = f"{counted(conduct.forfeits, 'forfeit')} in a row"
    return [
        f"forfeit: {forfeits}",
        f"quarantine: {quarantine}; a house bot's answer is computed after {house}",
    ]


def _seconds(time: timedelta) -> str:
    return f"{time.total_seconds():g} s"
