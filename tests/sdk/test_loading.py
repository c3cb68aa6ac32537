"""Every way to name a bot, and what is said when it is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from euchre_sdk.loading import BotLoadError, bot_name, load_bot

BOT = "class Careful:\n    def act(self, view):\n        return view.legal[0]\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of an author's own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def refusal(spec: str) -> str:
    with pytest.raises(BotLoadError) as caught:
        load_bot(spec)
    return str(caught.value)


def test_a_file_with_one_bot_needs_no_class(here: Path) -> None:
    (here / "my_bot.py").write_text(BOT)
    assert type(load_bot("my_bot.py")()).__name__ == "Careful"
    assert type(load_bot(str(here / "my_bot.py"))()).__name__ == "Careful"


def test_every_call_makes_a_fresh_bot(here: Path) -> None:
    (here / "my_bot.py").write_text(BOT)
    make = load_bot("my_bot.py")
    assert make() is not make()


def test_a_class_of_a_module_is_found_in_the_current_directory(here: Path) -> None:
    (here / "package_of_bots").mkdir()
    (here / "package_of_bots" / "careful.py").write_text(BOT)
    assert type(load_bot("package_of_bots.careful:Careful")()).__name__ == "Careful"


def test_a_file_may_import_its_neighbours(here: Path) -> None:
    (here / "neighbour_of_bot.py").write_text("FIRST = 0\n")
    (here / "my_bot.py").write_text("from neighbour_of_bot import FIRST\n" + BOT)
    assert callable(load_bot("my_bot.py")().act)


def test_a_file_named_like_a_library_hides_nothing(here: Path) -> None:
    (here / "random.py").write_text(BOT)
    load_bot("random.py")
    import random  # noqa: PLC0415 - the point of the test

    assert random.Random(1).random() > 0


def test_two_files_of_one_name_are_two(here: Path) -> None:
    for folder in ("one", "two"):
        (here / folder).mkdir()
        (here / folder / "my_bot.py").write_text(f"NAME = {folder!r}\n" + BOT)
    one, two = load_bot("one/my_bot.py"), load_bot("two/my_bot.py")
    assert [sys.modules[made.__module__].NAME for made in (one, two)] == ["one", "two"]


def test_a_function_may_make_the_bot(here: Path) -> None:
    (here / "my_bot.py").write_text(BOT + "def make_bot():\n    return Careful()\n")
    assert type(load_bot("my_bot.py:make_bot")()).__name__ == "Careful"


def test_a_class_that_begins_with_an_underscore_is_no_candidate(here: Path) -> None:
    (here / "my_bot.py").write_text(BOT.replace("Careful", "_Base") + "\n" + BOT)
    assert type(load_bot("my_bot.py")()).__name__ == "Careful"


def test_what_a_file_imports_is_no_candidate(here: Path) -> None:
    (here / "my_bot.py").write_text("from euchre_sdk import Bot, BotBase\n" + BOT)
    assert type(load_bot("my_bot.py")()).__name__ == "Careful"


def test_a_file_that_is_not_there_is_named_with_what_is(here: Path) -> None:
    (here / "my_bot.py").write_text(BOT)
    assert refusal("my_bto.py") == (
        f"there is no file my_bto.py in {here}. Did you mean my_bot.py?"
    )
    assert refusal("nowhere/bot.py") == f"there is no file nowhere/bot.py in {here}."


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import nothing_like_this\n", "ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("def act(:\n", "SyntaxError"),
        ("x = 1\ny = x / 0\n", "ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit('goodbye')\n", "SystemExit: goodbye"),
    ],
)
def test_a_file_that_does_not_import_shows_its_authors_frames_only(
    here: Path, code: str, error: str
) -> None:
    (here / "my_bot.py").write_text(code)
    with pytest.raises(BotLoadError, match=r"^my_bot.py does not import: ") as caught:
        load_bot("my_bot.py")
    assert error in str(caught.value)
    assert str(here / "my_bot.py") in caught.value.traceback
    assert "importlib" not in caught.value.traceback
    assert "loading.py" not in caught.value.traceback
    load_path = [name for name in sys.modules if name.startswith("_bot_my_bot")]
    assert all(sys.modules[name].__file__ != str(here / "my_bot.py") for name in load_path)


def test_a_module_that_fails_inside_shows_its_traceback(here: Path) -> None:
    (here / "broken_bots.py").write_text("import nothing_like_this\n")
    with pytest.raises(BotLoadError, match="broken_bots does not import") as caught:
        load_bot("broken_bots:Careful")
    assert "broken_bots.py" in caught.value.traceback


@pytest.mark.usefixtures("here")
def test_a_module_that_is_not_there_is_named() -> None:
    assert refusal("no_such_bots:Careful") == (
        "there is no module no_such_bots, here or installed."
    )


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (
            "class Helper:\n    pass\n",
            (
                "my_bot.py has no bot: expected a class with a method act(self, view). "
                "Found: class Helper (no act)."
            ),
        ),
        (
            "",
            (
                "my_bot.py has no bot: expected a class with a method act(self, view). "
                "Found: no class."
            ),
        ),
        (
            "def act(view):\n    return view.legal[0]\n",
            (
                "my_bot.py has no bot: expected a class with a method act(self, view). "
                "Found: function act (outside of a class)."
            ),
        ),
        (
            BOT + BOT.replace("Careful", "Bold"),
            "my_bot.py holds several bots: Careful, Bold. Choose one, as in my_bot.py:Careful.",
        ),
        (
            BOT + "    def __init__(self, depth, *, seed):\n        pass\n",
            (
                "Careful in my_bot.py cannot be made without arguments (depth, seed). A fresh bot "
                "is made for every game: give them defaults, or name a function that makes the "
                "bot, as in my_bot.py:make_bot."
            ),
        ),
        (
            BOT.replace("def", "async def"),
            "Careful in my_bot.py has an async act: expected a plain method act(self, view).",
        ),
        (
            BOT.replace("self, view", "self"),
            "Careful in my_bot.py has act(self): expected act(self, view).",
        ),
        (
            BOT.replace("self, view", "self, view, depth"),
            "Careful in my_bot.py has act(self, view, depth): expected act(self, view).",
        ),
        (
            BOT + "    def __init__(self):\n        raise OSError('no model file')\n",
            "Careful in my_bot.py cannot be made: OSError: no model file",
        ),
    ],
)
def test_a_file_without_a_usable_bot_says_what_is_expected(
    here: Path, code: str, sentence: str
) -> None:
    (here / "my_bot.py").write_text(code)
    assert refusal("my_bot.py") == sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Bold", "my_bot.py has no Bold. Bots in it: Careful."),
        (
            "Helper",
            (
                "Helper in my_bot.py is no bot: expected a method act(self, view). "
                "Found: class Helper (no act)."
            ),
        ),
        (
            "DEPTH",
            (
                "DEPTH in my_bot.py is no bot: expected a class with a method act(self, view), or "
                "a function that makes one. Found: 3."
            ),
        ),
        (
            "make_nothing",
            (
                "make_nothing in my_bot.py makes no bot: expected something with a method "
                "act(self, view). Found: NoneType."
            ),
        ),
    ],
)
def test_a_name_that_is_no_bot_says_what_is_expected(here: Path, name: str, sentence: str) -> None:
    (here / "my_bot.py").write_text(
        BOT + "class Helper: pass\nDEPTH = 3\ndef make_nothing(): return None\n"
    )
    assert refusal(f"my_bot.py:{name}") == sentence


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("heuristic", "heuristic"),
        ("heuristic@1", "heuristic@1"),
        ("my_bot.py", "my_bot"),
        ("bots/my_bot.py", "my_bot"),
        ("bots/my_bot.py:Careful", "Careful"),
        ("bots.careful:Careful", "Careful"),
    ],
)
def test_a_bot_is_shown_under_a_short_name(spec: str, name: str) -> None:
    assert bot_name(spec) == name


def test_built_in_bots_are_found_by_name() -> None:
    assert hasattr(load_bot("random")(), "act")
    assert hasattr(load_bot("heuristic@1")(), "act")


def test_an_unknown_name_lists_the_built_in_bots(here: Path) -> None:
    assert refusal("heuristc").endswith("Did you mean heuristic?")
    assert "Built in: " in refusal("nothing")
    (here / "my_bot.py").write_text(BOT)
    assert refusal("my_bot").endswith("Did you mean my_bot.py?")
    (here / "folder").mkdir()
    assert refusal("folder").startswith("folder is a directory: expected a built-in bot")


@pytest.mark.parametrize(
    ("method", "said"),
    [
        pytest.param(
            "def game_started(self): ...",
            "has game_started(self): expected game_started(self, start).",
            id="a hook without its argument",
        ),
        pytest.param(
            "def hand_ended(self, result, score): ...",
            "has hand_ended(self, result, score): expected hand_ended(self, result).",
            id="a hook with one too many",
        ),
        pytest.param(
            "async def game_ended(self, end): ...",
            "has an async game_ended: expected a plain method game_ended(self, end).",
            id="a hook that would have to be awaited",
        ),
        pytest.param(
            "hand_ended = False",
            "has hand_ended = False: expected a method hand_ended(self, result).",
            id="a field with the name of a hook",
        ),
        pytest.param(
            "def play_alone(self, view): ...",
            "has play_alone(self, view): expected play_alone(self, view, trump).",
            id="a part of a BotBase",
        ),
    ],
)
def test_a_method_that_could_not_be_called_is_refused_before_a_game_needs_it(
    here: Path, method: str, said: str
) -> None:
    (here / "my_bot.py").write_text(
        "from euchre_sdk import BotBase\n"
        f"class Careful(BotBase):\n    {method}\n"
        "    def act(self, view):\n        return view.legal[0]\n"
    )
    assert refusal("my_bot.py") == f"Careful in my_bot.py {said}"


def test_hooks_may_have_arguments_of_their_own_if_those_have_defaults(here: Path) -> None:
    (here / "my_bot.py").write_text(
        BOT + "    def hand_ended(self, result, *more, quietly=True): ...\n"
        "    def play_alone(self): ...  # of no BotBase, so it is the author's own\n"
    )
    load_bot("my_bot.py")
