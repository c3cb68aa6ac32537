"""Finds a bot by what an author types: a built-in name, `module:Class`, or a file."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from euchre_sdk.author_traceback import author_traceback
from euchre_sdk.bot import HOOKS, Bot, BotBase, BotFactory
from euchre_sdk.errors import EuchreError
from euchre_sdk.text import said_by, shown

WAYS = "a built-in bot, a file such as my_bot.py or my_bot.py:Class, or module:Class"


class BotLoadError(EuchreError):
    """No bot can be made of what was named; the text says why and what would do."""

    def __init__(self, sentence: str, *, traceback: str = "") -> None:
        super().__init__(sentence)
        self.traceback = traceback
        """The traceback in the author's own code that led here, empty if there is none."""


def load_bot(spec: str) -> BotFactory:
    """Return what makes the bot named by `spec`, after making one to see that it can be made.

    `spec` is a built-in name (`heuristic`, `heuristic@1`), a file (`my_bot.py`, and
    `my_bot.py:Class` if it holds several bots) or `module:Class`. Instead of a class there may be
    any function without arguments that returns a bot. Raises `BotLoadError`.
    """
    path, _, name = spec.partition(".py:")
    if name or spec.endswith(".py"):
        file = Path(path if not name else path + ".py")
        return _made(file.name, _from_file(file), name)
    module, _, name = spec.partition(":")
    if name and all(part.isidentifier() for part in module.split(".")):
        return _made(module, _import_module(module), name)
    if spec in _built_in():
        return _built_in()[spec]
    raise BotLoadError(_unknown(spec))


def bot_name(spec: str) -> str:
    """Return the name a bot is shown under: `my_bot` for `bots/my_bot.py`, the class if chosen.

    >>> bot_name("bots/my_bot.py"), bot_name("my_bot.py:Bold"), bot_name("heuristic@1")
    ('my_bot', 'Bold', 'heuristic@1')
    """
    place, _, name = spec.rpartition(":")
    return name if place and name.isidentifier() else Path(spec).name.removesuffix(".py")


def _built_in() -> dict[str, Callable[[], Bot]]:
    from euchre_sdk.bots import BUILT_IN  # noqa: PLC0415 - the bots are built on this package

    return BUILT_IN


def _unknown(spec: str) -> str:
    names = list(_built_in())
    sentence = f"no bot {spec!r}: expected {WAYS}. Built in: {', '.join(names)}."
    if spec and _is(Path.is_dir, Path(spec)):
        return f"{spec} is a directory: expected {WAYS}. Built in: {', '.join(names)}."
    if _is(Path.is_file, Path(f"{spec}.py")):
        return f"{sentence} Did you mean {spec}.py?"
    close = get_close_matches(spec, names, 1)
    return f"{sentence} Did you mean {close[0]}?" if close else sentence


def _is(what: Callable[[Path], bool], path: Path) -> bool:
    """Ask about a path, which may be one that no file can have or that one may not look at."""
    try:
        return what(path)
    except (OSError, ValueError):
        return False


def _from_file(file: Path) -> ModuleType:
    if not _is(Path.is_file, file):
        if _is(Path.exists, file):
            raise BotLoadError(f"{file} is no file to read a bot from.")
        near = [p.name for p in file.parent.glob("*.py")] if _is(Path.is_dir, file.parent) else []
        close = get_close_matches(file.name, near, 1)
        meant = f" Did you mean {file.with_name(close[0])}?" if close else ""
        where = "" if file.is_absolute() else f" in {Path.cwd()}"
        raise BotLoadError(f"there is no file {file}{where}.{meant}")
    folder = str(file.resolve().parent)
    if folder not in sys.path:  # files beside it; last, so that none of them hides a library
        sys.path.append(folder)
    name = f"_bot_{file.stem}"
    while name in sys.modules:
        name += "_"
    spec = importlib.util.spec_from_file_location(name, file.resolve())
    assert spec is not None  # a .py file always has a loader
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise _does_not_import(str(file), error) from error
    return module


def _import_module(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise BotLoadError(f"there is no module {error.name}, here or installed.") from None
        raise _does_not_import(name, error) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _does_not_import(name, error) from error


def _does_not_import(what: str, error: BaseException) -> BotLoadError:
    sentence = f"{what} does not import: {_reason(error)}"
    return BotLoadError(sentence, traceback=author_traceback(error))


def _reason(error: BaseException) -> str:
    text = said_by(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _made(place: str, module: ModuleType, name: str) -> BotFactory:
    """Return the factory called `name`, or the only bot class of the module."""
    if name:
        found = getattr(module, name, None)
        if found is None:
            there = ", ".join(_bot_classes(module)) or "none"
            raise BotLoadError(f"{place} has no {name}. Bots in it: {there}.")
        return _checked(place, name, found)
    bots = _bot_classes(module)
    if not bots:
        raise BotLoadError(_no_bot(place, module))
    if len(bots) > 1:
        raise BotLoadError(
            f"{place} holds several bots: {', '.join(bots)}. "
            f"Choose one, as in {place}:{next(iter(bots))}."
        )
    ((only, made),) = bots.items()
    return _checked(place, only, made)


def _own_classes(module: ModuleType) -> dict[str, type]:
    return {
        name: thing
        for name, thing in vars(module).items()
        if inspect.isclass(thing) and thing.__module__ == module.__name__
    }


def _bot_classes(module: ModuleType) -> dict[str, type]:
    return {
        name: cls
        for name, cls in _own_classes(module).items()
        if not name.startswith("_") and callable(getattr(cls, "act", None))
    }


def _no_bot(place: str, module: ModuleType) -> str:
    found = [f"class {name} (no act)" for name in _own_classes(module)]
    if "act" in vars(module):
        found.append("function act (outside of a class)")
    return (
        f"{place} has no bot: expected a class with a method act(self, view). "
        f"Found: {', '.join(found) or 'no class'}."
    )


def _checked(place: str, name: str, found: object) -> BotFactory:
    """Return `found` as a factory once one bot has been made by it and looks like a bot."""
    if not callable(found):
        raise BotLoadError(
            f"{name} in {place} is no bot: expected a class with a method act(self, view), "
            f"or a function that makes one. Found: {shown(found)}."
        )
    if isinstance(found, type) and not hasattr(found, "act"):
        raise BotLoadError(
            f"{name} in {place} is no bot: expected a method act(self, view). "
            f"Found: class {name} (no act)."
        )
    needed = _arguments_needed(found)
    if needed:
        raise BotLoadError(
            f"{name} in {place} cannot be made without arguments ({', '.join(needed)}). "
            "A fresh bot is made for every game: give them defaults, or name a function that "
            f"makes the bot, as in {place}:make_bot."
        )
    try:
        bot = found()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BotLoadError(
            f"{name} in {place} cannot be made: {_reason(error)}",
            traceback=author_traceback(error),
        ) from error
    _check_act(place, name, bot)
    factory: BotFactory = found
    return factory


def _arguments_needed(found: Callable[..., object]) -> list[str]:
    try:
        parameters = inspect.signature(found).parameters.values()
    except (ValueError, TypeError):  # a callable of C code tells nothing
        return []
    return [
        p.name
        for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]


def _check_act(place: str, name: str, bot: object) -> None:
    if not callable(getattr(bot, "act", None)):
        raise BotLoadError(
            f"{name} in {place} makes no bot: expected something with a method act(self, view). "
            f"Found: {type(bot).__name__}."
        )
    _check_method(place, name, bot, "act", ("view",))
    for method, arguments in _METHODS.items():
        is_asked = method in HOOKS or isinstance(bot, BotBase)
        if is_asked and getattr(bot, method, None) is not None:
            _check_method(place, name, bot, method, arguments)


_METHODS = {
    "game_started": ("start",),
    "hand_ended": ("result",),
    "game_ended": ("end",),
    "order_up": ("view",),
    "name_trump": ("view",),
    "exchange": ("view",),
    "play_alone": ("view", "trump"),
    "keep_five": ("view",),
    "defend_alone": ("view",),
    "play_card": ("view",),
}
"""What a bot may have beside `act`, and what it is called with: hooks, and parts of a `BotBase`."""


def _check_method(
    place: str, name: str, bot: object, method: str, arguments: tuple[str, ...]
) -> None:
    """Refuse a method that cannot be called with these arguments, before a game depends on it."""
    found = getattr(bot, method)
    expected = f"{method}({', '.join(('self', *arguments))})"
    if not callable(found):
        raise BotLoadError(
            f"{name} in {place} has {method} = {shown(found)}: expected a method {expected}."
        )
    if inspect.iscoroutinefunction(found):
        raise BotLoadError(
            f"{name} in {place} has an async {method}: expected a plain method {expected}."
        )
    try:
        inspect.signature(found).bind(*arguments)
    except ValueError:  # a callable of C code tells nothing
        return
    except TypeError:
        signature = inspect.signature(getattr(type(bot), method, found))
        raise BotLoadError(
            f"{name} in {place} has {method}{signature}: expected {expected}."
        ) from None
