"""What the tests of the SDK share."""

from __future__ import annotations

import pytest

from euchre_sdk.testing import ScriptedReferee


@pytest.fixture
def referee():
    with ScriptedReferee() as scripted:
        yield scripted
