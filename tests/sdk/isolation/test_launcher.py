"""Instances of this machine: what they cannot keep, what becomes of them, where there are none."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from euchre_sdk.game import STANDARD
from euchre_sdk.game.rules_file import rules_to_fields
from euchre_sdk.isolation import seated, trial
from euchre_sdk.isolation.fresh import WAYS, NotIsolatedError
from euchre_sdk.isolation.launcher import InstanceEndedError, LocalLauncher
from tests.sdk.isolation import elephant

ELEPHANT = Path(__file__).with_name("elephant.py")


def job(*bots: str, hands: int = 3) -> str:
    return json.dumps(
        {
            "bots": bots,
            "names": ["a", "b", "c"],
            "rules": rules_to_fields(STANDARD),
            "hands": hands,
            "deals": 5,
            "bot_seeds": [1, 2, 3],
            "first_dealer": 0,
        }
    )


@pytest.fixture
def launcher() -> Iterator[LocalLauncher]:
    try:
        made = LocalLauncher()
    except NotIsolatedError as error:
        pytest.skip(f"nothing can be shut in here: {error}")
    with made:
        yield made


def test_an_instance_plays_what_it_would_play_anywhere(launcher: LocalLauncher) -> None:
    asked = job("heuristic", "random", "heuristic", hands=30)
    with launcher.launch() as instance:
        assert instance.ask(asked) == seated.answer(asked)


SPY = """
import glob, os
from euchre_sdk.bots import BUILT_IN

class Spy(BUILT_IN["random"]):
    def __init__(self):
        super().__init__()
        seen = {**os.environ}
        places = [*glob.glob("/proc/*/environ"), "/proc/self/environ"]
        places += [f"/proc/{number}/environ" for number in (1, os.getppid(), PARENT)]
        for place in places:
            try:
                seen[place] = open(place, "rb").read().decode(errors="replace")
            except OSError:
                pass
        raise RuntimeError(f"seen {sorted(seen.items())}")
"""


def test_a_bot_that_is_shut_in_sees_no_secret_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = tmp_path / "spy.py"
    bot.write_text(SPY.replace("PARENT", str(os.getpid())))
    names = ("EUCHRE_TOKEN", "ARENA_TOKEN", "AWS_SECRET_ACCESS_KEY", "PYTHONSTARTUP", "EUCHRE_CA")
    for name in names:
        monkeypatch.setenv(name, "hidden-from-bots")
    try:
        launcher = LocalLauncher()
    except NotIsolatedError as error:
        pytest.skip(f"nothing can be shut in here: {error}")
    with launcher, launcher.launch() as instance:
        played = json.loads(instance.ask(job(f"{bot}:Spy", "random", "random")))
    told = played["error"] + played["traceback"]
    assert "seen [('" in told, "it was to tell what it sees"
    assert "'PATH'" in told
    assert "hidden-from-bots" not in told
    assert "/environ'" not in told, "there is no /proc to read it from"
    assert not [name for name in names if name in told]


@pytest.mark.slow
def test_a_bot_that_remembers_by_any_way_does_not_between_instances(
    launcher: LocalLauncher, tmp_path: Path
) -> None:
    bot = tmp_path / "elephant.py"
    bot.write_text(ELEPHANT.read_text())
    asked = job(f"{bot}:Elephant", "random", "random")
    for _ in range(3):
        with launcher.launch() as instance:
            played = json.loads(instance.ask(asked))
        assert played["faults"] == [0, 0, 0], played["described"]


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_the_same_bot_does_remember_between_ordinary_processes(tmp_path: Path) -> None:
    bot = tmp_path / "elephant.py"
    bot.write_text(ELEPHANT.read_text())
    code = "import sys; from euchre_sdk.isolation import seated; print(seated.answer(sys.argv[1]))"
    start = [sys.executable, "-c", code, job(f"{bot}:Elephant", "random", "random")]
    home = {"HOME": str(tmp_path), "PATH": ""}
    first, second = (
        json.loads(
            subprocess.run(start, cwd=tmp_path, env=home, capture_output=True, check=True).stdout
        )
        for _ in range(2)
    )
    remembered = second["described"][0][2]
    assert first["faults"] == [0, 0, 0], first["described"]
    for way in ("file", "folder", "shared_memory", "queue", "socket_of_a_child"):
        assert way in remembered


@pytest.fixture
def nothing_left() -> Iterator[None]:
    forget()
    yield
    forget()


def forget() -> None:
    """Remove what the bot and the trial have left on this machine."""
    for place in elephant._places():
        with suppress(OSError):
            (place / elephant.NOTE).unlink()
        with suppress(OSError):
            (place / f"{elephant.NOTE}.d").rmdir()
    library = ctypes.CDLL(None)
    elephant.drop_key()
    for key in (elephant.KEY, trial.MARK):
        library.shmctl(library.shmget(key, ctypes.c_size_t(0), 0o600), 0, None)
        library.msgctl(library.msgget(key, 0o600), 0, None)


@pytest.mark.usefixtures("nothing_left")
def test_an_ordinary_process_fails_every_trial(tmp_path: Path) -> None:
    code = (
        "import json; from euchre_sdk.isolation import trial; print(json.dumps(trial.everything()))"
    )
    start = [sys.executable, "-c", code]
    _, second = (
        subprocess.run(start, cwd=tmp_path, capture_output=True, check=True) for _ in range(2)
    )
    tried = json.loads(second.stdout)
    assert set(tried) == set(WAYS)
    kept = {way for way, what in tried.items() if what}
    assert kept >= set(WAYS) - {"a new namespace", "the keys of the kernel"}  # some systems refuse
    for left in tmp_path.iterdir():
        assert left.name.startswith(".euchre-")


def test_a_bot_that_crashes_its_process_is_said_so(launcher: LocalLauncher, tmp_path: Path) -> None:
    bot = tmp_path / "crash.py"
    bot.write_text("import os\n\nclass Crash:\n    def act(self, view):\n        os._exit(3)\n")
    with pytest.raises(InstanceEndedError, match="a bot crashed it"), launcher.launch() as instance:
        instance.ask(job(str(bot), "random", "random"))
    with launcher.launch() as another:  # the launcher goes on
        assert json.loads(another.ask(job("random", "random", "random")))["hands"] == 3


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("open('/tmp/x', 'w')", "cannot be made: OSError: [Errno 30] Read-only file system"),
        ("1 / 0", "cannot be made: ZeroDivisionError: division by zero"),
    ],
)
def test_a_bot_that_cannot_be_made_in_an_instance_is_an_error_in_words(
    launcher: LocalLauncher, tmp_path: Path, body: str, error: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        f"class Bot:\n    def __init__(self):\n        {body}\n    def act(self, view):\n"
        "        return view.legal[0]\n"
    )
    with launcher.launch() as instance:
        answer = json.loads(instance.ask(job(str(bot), "random", "random")))
    assert error in answer["error"]
    assert body in answer["traceback"]


def test_what_an_instance_has_started_ends_with_it(launcher: LocalLauncher, tmp_path: Path) -> None:
    bot = tmp_path / "parent.py"
    bot.write_text(
        "import os, time\n\nclass Parent:\n    def __init__(self):\n        if os.fork() == 0:\n"
        "            os.setsid()\n            time.sleep(60)\n"
        "    def act(self, view):\n        return view.legal[0]\n"
    )
    before = processes()
    with launcher.launch() as instance:
        assert json.loads(instance.ask(job(str(bot), "random", "random")))["hands"] == 3
    assert processes() <= before


def test_launchers_that_are_killed_at_any_moment_leave_nothing(launcher: LocalLauncher) -> None:
    before = processes()
    for delay in range(12):  # in ms: while instances are being started
        with LocalLauncher() as other:
            timer = threading.Timer(delay / 1000, other.kill)
            timer.start()
            with pytest.raises((InstanceEndedError, NotIsolatedError)):
                launch_for_ever(other)
            timer.join()
    with launcher.launch():  # by now the others have been reaped
        assert len(processes() - before) <= 2


TRACES = """
import errno
import mmap
import os
import resource
from pathlib import Path

HERE = Path(__file__).parent


PUT_OUT = 21


def tried(what, *numbers):
    try:
        what()
    except OSError as error:
        assert not numbers or error.errno in numbers, what.__name__
        return
    raise AssertionError(what.__name__)


def a_pipe_that_somebody_reads():
    os.close(os.open(HERE / "pipe", os.O_WRONLY | os.O_NONBLOCK))


def what_is_in_memory_of_a_file():
    with (HERE / "old").open("rb") as file:
        os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)


def how_often_a_page_was_not_in_memory():
    resource.getrusage(resource.RUSAGE_SELF)


def how_often_that_was_so_of_a_child():
    child = os.fork()
    if child == 0:
        os._exit(0)
    try:
        os.wait4(child, 0)
    finally:
        assert os.waitpid(child, 0) == (child, 0)


def a_file_put_out_of_memory():
    with (HERE / "old").open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def pages_put_out_of_memory():
    with (HERE / "old").open("rb") as file, mmap.mmap(file.fileno(), 1, prot=1) as pages:
        pages.madvise(mmap.MADV_DONTNEED)  # allowed: it is everyday
        pages.madvise(PUT_OUT)


class Tries:
    def act(self, view):
        tried(a_pipe_that_somebody_reads)
        tried(what_is_in_memory_of_a_file)
        tried(how_often_a_page_was_not_in_memory, errno.EPERM)
        tried(how_often_that_was_so_of_a_child, errno.EPERM)
        tried(a_file_put_out_of_memory, errno.EPERM)
        tried(pages_put_out_of_memory, errno.EINVAL)
        assert (HERE / "old").read_text() == "x"  # would change when it was read
        return view.legal[0]
"""


def test_an_instance_leaves_no_trace_that_others_could_read(
    launcher: LocalLauncher, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(TRACES)
    old = tmp_path / "old"
    old.write_text("x")
    os.utime(old, (1e9, 1e9))
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        with launcher.launch() as instance:
            played = json.loads(instance.ask(job(str(tmp_path / "bot.py"), "random", "random")))
    finally:
        os.close(reader)
    assert played["faults"] == [0, 0, 0], played["described"]
    assert old.stat().st_atime == 1e9


@pytest.mark.cli
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_a_duel_of_a_bot_that_never_answers(tmp_path: Path, jobs: str) -> None:
    bot = tmp_path / "sleepy.py"
    began = tmp_path / "state"
    bot.write_text(
        "import time\n\nclass Sleepy:\n    def act(self, view):\n        time.sleep(60)\n"
    )
    before = processes()
    command = [sys.executable, "-m", "euchre_sdk", "duel", str(bot), "random", "--deals", "same"]
    with subprocess.Popen(
        [*command, "--jobs", jobs, "--state", str(began)], stdout=subprocess.PIPE
    ) as process:
        while process.poll() is None and len(processes() - before) < 3 * int(jobs):
            pass
        if process.poll() is not None:
            pytest.skip("nothing can be shut in here")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130
    assert processes() <= before


def launch_for_ever(launcher: LocalLauncher) -> None:
    while True:
        with launcher.launch():
            pass


def processes() -> set[str]:
    """Return the processes whose program starts instances."""
    found = set()
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if b"euchre_sdk.isolation.spawner" in (each / "cmdline").read_bytes():
                found.add(each.name)
    return found


def test_a_kernel_that_gives_no_namespaces_is_said_so() -> None:
    code = (
        "from euchre_sdk.isolation.fresh import NotIsolatedError\n"
        "from euchre_sdk.isolation.launcher import LocalLauncher\n"
        "try:\n    LocalLauncher()\nexcept NotIsolatedError as error:\n    print(error)\n"
    )
    shell = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'  # in a namespace of its own
    start = ["unshare", "--user", "--map-root-user", "sh", "-c", shell, "sh", sys.executable]
    try:
        ran = subprocess.run([*start, "-c", code], capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the kernel cannot be made to refuse: {error}")
    assert ran.stdout == ("this system does not allow user namespaces (No space left on device)\n")


def test_other_systems_are_said_to_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(NotIsolatedError, match="on Linux only, not on darwin"):
        LocalLauncher()
