"""What an arena says cannot take over the terminal of who looks on."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from euchre.v1 import bots_pb2, play_pb2, tournaments_pb2
from euchre_sdk.client import run
from euchre_sdk.client_errors import ConnectError
from euchre_sdk.testing import ScriptedReferee, goodbye
from euchre_sdk.wire_text import make_printable
from tests.sdk.scripted import First

ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202e"


def row(name):
    entry = tournaments_pb2.Entry(name=name, version_label=name)
    return tournaments_pb2.RankingRow(entry=entry, rank=1)


@given(st.text(max_size=50))
def test_whatever_a_message_says_is_printable_afterwards(text):
    text = text.encode(errors="ignore").decode()
    said = tournaments_pb2.Rankings(tournament=text, rows=[row(text)])
    make_printable(said)
    for told in (said.tournament, said.rows[0].entry.name):
        assert told.isprintable()
        assert told == text or not text.isprintable()
    assert said.rows[0].rank == 1


def test_every_kind_of_field_is_looked_into():
    many = tournaments_pb2.CreateTournamentRequest(name=ESCAPES, bots=["lynx", ESCAPES])
    assert all(each.isprintable() for each in make_printable(many).bots)
    listed = bots_pb2.ListBotsResponse(bots=[bots_pb2.Bot(name=ESCAPES, author=ESCAPES)])
    (bot,) = make_printable(listed).bots
    assert bot.name.isprintable()
    assert bot.author.isprintable()


def test_a_greeting_and_a_goodbye_of_a_hostile_arena_are_told_in_plain_signs(caplog):
    with ScriptedReferee() as referee, caplog.at_level(logging.INFO):
        referee.expect("a hello", lambda part: isinstance(part, play_pb2.Hello))
        limits = play_pb2.Limits(games_at_once=1)
        referee.send(
            play_pb2.PlayResponse(
                welcome=play_pb2.Welcome(bot_name=ESCAPES, link_id="link", limits=limits)
            )
        )
        last = goodbye(play_pb2.GOODBYE_REASON_QUARANTINED)
        last.goodbye.message = ESCAPES
        referee.send(last)
        with pytest.raises(ConnectError) as caught:
            run(First, arena=referee.address, token="t")
    assert str(caught.value).isprintable()
    assert all(record.getMessage().isprintable() for record in caplog.records)
