"""The `euchre` command as its users meet it: real processes, real files."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")
pytest.importorskip("pexpect")
pytest.importorskip("pyte")

import pexpect
import pyte
from click.testing import CliRunner

from euchre_sdk.cli import euchre
from euchre_sdk.cli_group import COMMANDS, run

pytestmark = pytest.mark.cli

BOTS = str(Path(__file__).with_name("some_bots.py"))
LOT, MODEST, DIVIDES = f"{BOTS}:Lot", f"{BOTS}:Modest", f"{BOTS}:Divides"


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window of the usual width, without colour."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


def command(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "euchre_sdk", *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=cwd,
    )


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(arguments)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_play_prints_a_table_that_fits_eighty_columns() -> None:
    done = command("play", LOT, MODEST, LOT, "--hands", "600", "--seed", "7")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith(" standard rules · 600 hands · all six seatings · seed 7 · ")
    assert max(map(len, lines)) <= 80
    heads = lines[2].split("  ")
    assert [head.strip() for head in heads if head.strip()] == [
        *("bot", "points/hand", "± 95 %", "made", "march", "euchred", "alone", "1st/2nd/3rd"),
    ]
    assert {line.split()[0] for line in lines[3:6]} == {"Lot", "Modest", "Lot#2"}
    assert "superiority" in done.stdout


@pytest.mark.parametrize("width", [30, 40, 50, 60])
def test_a_narrow_terminal_gets_fewer_columns_and_whole_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    code, printed, _ = output(capsys, "play", LOT, MODEST, LOT, "--hands", "120")
    assert code == 0
    table = printed.split("\n\n")[1].splitlines()
    assert len(table) == 4
    for line in table:
        assert len(line) <= width
        assert "…" not in line[11:]


def test_games_are_judged_by_wins() -> None:
    done = command("play", LOT, MODEST, DIVIDES, "--games", "55", "--jobs", "2")
    assert "standard rules · 60 games to 10 ·" in done.stdout
    assert "won ± 95 % points/hand" in " ".join(done.stdout.split())
    assert "Divides · hand " in done.stdout
    assert max(map(len, done.stdout.splitlines()[:10])) <= 80
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("amount", "is_shown"),
    [
        (("--games", "18"), False),
        (("--games", "24"), True),
        (("--hands", "6", "--session", "1"), False),
        (("--hands", "24", "--session", "1"), True),
    ],
)
def test_an_interval_is_shown_from_four_blocks_on(
    capsys: pytest.CaptureFixture[str], amount: tuple[str, ...], *, is_shown: bool
) -> None:
    code, printed, _ = output(capsys, "play", LOT, MODEST, LOT, *amount)
    assert code == 0
    rows = [line.removesuffix("%").replace(" %", "%").split() for line in printed.splitlines()]
    cells = [row[2] for row in rows if row and row[0] in ("Lot", "Modest", "Lot#2")][:3]
    assert len(cells) == 3
    assert [cell != "–" for cell in cells] == [is_shown] * 3
    said = "too few for an interval, which is shown from 4 blocks on"
    assert (said in " ".join(printed.split())) is not is_shown


def test_nothing_but_the_result_is_printed_where_no_terminal_is() -> None:
    done = command("play", LOT, f"{BOTS}:Chatty", MODEST, "--hands", "60", "--json")
    assert json.loads(done.stdout)["schema"] == "euchre-play/1"
    assert set(done.stderr.splitlines()) == {"I am thinking"}


def test_json_does_not_depend_on_the_number_of_processes() -> None:
    outputs = {
        command("play", LOT, DIVIDES, MODEST, "--hands", "120", "--json", "--jobs", jobs).stdout
        for jobs in ("1", "2", "0")
    }
    assert len(outputs) == 1


def test_a_fault_is_reported_with_its_traceback_and_position() -> None:
    done = command("play", LOT, DIVIDES, MODEST, "--hands", "60")
    assert done.returncode == 0
    assert " Divides · hand 1 of game 1 · seat 1" in done.stdout
    assert "you are seat 1" in done.stdout
    assert "in weigh" in done.stdout
    assert "act raised ZeroDivisionError" in done.stdout
    assert "was played instead." in " ".join(done.stdout.split())
    assert "faults in all, the first 3 are shown." in done.stdout
    assert "local.py" not in done.stdout


def test_strict_stops_there_with_exit_code_one() -> None:
    done = command("play", LOT, DIVIDES, MODEST, "--hands", "60000", "--strict")
    assert done.returncode == 1
    assert "Stopped at a fault, with 0 of 1,000 blocks complete." in done.stdout
    assert "in weigh" in done.stdout


def test_ctrl_c_shows_what_there_is_and_leaves_no_traceback(tmp_path: Path) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text(
        "import os, signal\n"
        "from euchre_sdk import BotBase\n"
        "class Slow(BotBase):\n"
        "    games = 0\n"
        "    def game_started(self, start):\n"
        "        Slow.games += 1\n"
        "        if Slow.games == 20: os.kill(os.getpid(), signal.SIGINT)\n"
    )
    done = command("play", LOT, str(bot), MODEST, "--hands", "600000")
    assert done.returncode == 130
    assert done.stderr == ""
    assert "Stopped by Ctrl-C, with 3 of 10,000 blocks complete." in done.stdout
    assert "points/hand" in done.stdout


def alive_in_group(group: int) -> list[str]:
    """Return the processes of a group that still run; they get five seconds to end."""
    end = time.monotonic() + 5
    while True:
        listed = subprocess.run(
            ["ps", "-eo", "pgid=,stat=,args="], check=True, capture_output=True, text=True
        )
        fields = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
        alive = [args for pgid, stat, args in fields if pgid == str(group) and stat[0] != "Z"]
        if not alive or time.monotonic() > end:
            return alive


def test_ctrl_c_ends_the_other_processes_at_once(tmp_path: Path) -> None:
    bot = tmp_path / "sleepy.py"
    bot.write_text(
        "import time\n"
        "from pathlib import Path\n"
        "class Sleepy:\n"
        "    def act(self, view):\n"
        "        (Path(__file__).parent / 'awake').touch()\n"
        "        time.sleep(100)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "euchre_sdk", "play", LOT, str(bot), MODEST, "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (tmp_path / "awake").exists():
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "")
    assert "with 0 of 20 blocks complete" in out
    assert alive_in_group(process.pid) == []


def test_a_bar_moves_in_a_terminal_and_gives_way_to_the_table() -> None:
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)
    arguments = ["-m", "euchre_sdk", "play", LOT, MODEST, LOT, "--hands", "6000"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("COLUMNS")
    terminal = pexpect.spawn(
        sys.executable, arguments, dimensions=(24, 80), env=environment, timeout=60
    )
    shown = terminal.logfile_read = io.BytesIO()
    terminal.expect_exact("hands · ".encode())
    terminal.expect(pexpect.EOF)
    stream.feed(shown.getvalue())
    terminal.close()
    assert terminal.exitstatus == 0
    lines = [line.rstrip() for line in screen.display]
    assert lines[0].startswith(" standard rules · 6,000 hands")
    assert not any("left" in line or "━" in line for line in lines)


def test_an_authors_import_error_is_shown_with_the_sentence(tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text("import nothing_like_this\n")
    done = command("play", "my_bot.py", LOT, LOT, cwd=tmp_path)
    assert done.returncode == 1
    assert 'my_bot.py", line 1, in <module>' in done.stderr
    assert done.stderr.endswith(
        "my_bot.py does not import: ModuleNotFoundError: No module named 'nothing_like_this'\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["play", LOT], 2, "three bots play, not 1: euchre play A B C. Help: euchre play --help"),
        (
            ["play", LOT, LOT, LOT, "--hands", "0"],
            2,
            (
                "invalid value for '--hands': expected a whole number from 1 on, not '0'. "
                "Help: euchre play --help"
            ),
        ),
        (
            ["play", LOT, LOT, LOT, "--hands", "6", "--games", "6"],
            2,
            "say --hands or --games, not both. Help: euchre play --help",
        ),
        (["play", LOT, LOT, "nobody.py"], 1, f"there is no file nobody.py in {Path.cwd()}."),
        (
            ["play", LOT, LOT, LOT, "--rules", "pubb"],
            1,
            (
                'no rule set "pubb": expected one of standard, lone-bonus, pub, british, short '
                '(did you mean "pub"?), or a TOML or JSON file.'
            ),
        ),
        (["replay", "nothing.jsonl"], 1, "cannot read nothing.jsonl: No such file or directory."),
        (["rules", "nothing"], 1, 'no rule set "nothing": expected one of '),
        (["rules", ""], 1, 'no rule set "": expected one of '),
        (
            ["play", LOT, LOT, LOT, "--hands", "9" * 5000],
            2,
            "invalid value for '--hands': expected a whole number of at most 15 digits.",
        ),
        (["play", ":Bot", LOT, LOT], 1, "no bot ':Bot': expected a built-in bot, a file such as"),
        (["play", ".near:Bot", LOT, LOT], 1, "no bot '.near:Bot': expected a built-in bot, a file"),
        (["play", "x" * 300, LOT, LOT], 1, "no bot 'xxxxxx"),
        (["play", "x" * 300 + ".py", LOT, LOT], 1, "there is no file xxxxxx"),
        (["play", "\x1b[2J", LOT, LOT], 1, r"no bot '\x1b[2J': expected"),
        (["replay", "/dev/zero"], 1, "zero does not replay: line 1 of the record: it is no JSON"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, sentence: str
) -> None:
    returned, printed, said = output(capsys, *arguments)
    assert (returned, printed) == (code, "")
    assert said.startswith(sentence)
    assert said.count("\n") == 1


def test_a_record_is_replayed_hand_by_hand(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "records"
    code, *_ = output(capsys, "play", LOT, MODEST, LOT, "--games", "6", "--record", str(folder))
    assert code == 0
    code, whole, _ = output(capsys, "replay", str(folder / "game-3.jsonl"))
    assert code == 0
    assert whole.count("\nhand ") > 2
    assert "Modest" in whole
    code, one, _ = output(capsys, "replay", str(folder / "game-3.jsonl"), "--hand", "2")
    assert one.count("\nhand ") == 1
    assert "\nhand 2 · " in one
    code, _, said = output(capsys, "replay", str(folder / "game-3.jsonl"), "--hand", "999")
    assert code == 1
    assert said.startswith("game-3.jsonl: the record has no hand 999: it has hands 1 to ")


def test_names_and_reasons_in_a_record_cannot_drive_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output(capsys, "play", LOT, MODEST, LOT, "--hands", "1", "--record", str(tmp_path / "r"))
    header, hand, *rest = (tmp_path / "r" / "game-1.jsonl").read_text().splitlines()
    nasty = "\x1b[2J\nhand 77 [bold]"
    told = {
        **json.loads(hand),
        "forced": [[0, nasty]],
        "faults": [[0, nasty, 0, nasty]],
    }
    named = {**json.loads(header), "names": [nasty] * 3}
    record = tmp_path / "nasty.jsonl"
    record.write_text("\n".join([json.dumps(named), json.dumps(told), *rest]) + "\n")
    code, story, _ = output(capsys, "replay", str(record))
    assert code == 0
    assert "\x1b" not in story
    assert story.count(r"\x1b[2J\nhand 77 [bold]") > 6
    assert "\nhand 77" not in story


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    "arguments", [["rules"], ["rules", "pub", "--toml"], ["play", LOT, LOT, LOT, "--hands", "1"]]
)
def test_a_full_disk_is_said_in_a_sentence(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "euchre_sdk", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr == "the output cannot be written: No space left on device.\n"


def test_a_terminal_of_few_letters_gets_the_table_all_the_same() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "euchre_sdk", "play", LOT, LOT, LOT, "--hands", "1"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "points/hand" in ended.stdout


def test_a_record_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    play = ["play", LOT, LOT, LOT, "--hands", "1", "--record", "r"]
    without_files = ["sh", "-c", 'ulimit -f 0 && exec "$@"', "sh"]
    ended = subprocess.run(
        [*without_files, sys.executable, "-m", "euchre_sdk", *play],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "no record r/game-1.jsonl: File too large.\n"
    assert list((tmp_path / "r").iterdir()) == []


def test_a_rule_file_may_have_any_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "a[" / "b].toml"
    file.parent.mkdir()
    file.write_text("target = 5")
    code, printed, _ = output(capsys, "play", LOT, LOT, LOT, "--hands", "1", "--rules", str(file))
    assert code == 0
    assert f"{file} rules · " in printed


def test_cards_are_coloured_where_the_terminal_can(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output(capsys, "play", LOT, MODEST, LOT, "--games", "6", "--record", str(tmp_path / "r"))
    record = str(tmp_path / "r" / "game-1.jsonl")
    _, plain, _ = output(capsys, "replay", record)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    _, coloured, _ = output(capsys, "replay", record)
    assert "\x1b[" not in plain
    assert "\x1b[31m" in coloured


def test_a_broken_record_is_refused_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "broken.jsonl").write_text("{}\n")
    code, _, said = output(capsys, "replay", str(tmp_path / "broken.jsonl"))
    assert code == 1
    assert said.startswith("broken.jsonl does not replay: line 1 of the record: ")


def test_rules_written_can_be_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for form in ("toml", "json"):
        _, written, _ = output(capsys, "rules", "pub", f"--{form}")
        file = tmp_path / f"mine.{form}"
        file.write_text(written)
        code, report, _ = output(
            capsys, "play", LOT, LOT, MODEST, "--hands", "1", "--json", "--rules", str(file)
        )
        assert code == 0
        assert json.loads(report)["rules"]["stick_the_dealer"] is True


def test_rules_show_the_presets_and_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    _, presets, _ = output(capsys, "rules")
    assert "points_alone_march 4" in presets
    assert max(map(len, presets.splitlines())) <= 80
    _, options, _ = output(capsys, "rules", "british")
    assert ["joker", "true", "false"] in [line.split() for line in options.splitlines()]


def test_every_command_is_listed_without_being_loaded() -> None:
    code = (
        "import sys\nsys.argv = ['euchre', '--help']\n"
        "from euchre_sdk.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = ('rich', 'grpc', 'euchre_sdk.series')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    for name, command in COMMANDS.items():
        assert f"  {name}" in done.stdout
        assert command.help in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_help_of_play_names_every_option() -> None:
    result = CliRunner().invoke(euchre, ["play", "--help"])
    assert result.exit_code == 0
    options = ("hands", "games", "session", "rules", "seed", "jobs", "record", "strict", "json")
    assert all(f"--{option}" in result.output for option in options)


def test_a_command_that_cannot_be_loaded_disturbs_no_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "euchre_sdk.cli_watch", None)
    monkeypatch.setitem(euchre.commands._loaded, "watch", None)  # type: ignore[attr-defined]
    monkeypatch.delitem(euchre.commands._loaded, "watch")  # type: ignore[attr-defined]
    code, _, said = output(capsys, "watch", "localhost:50051", "--anything")
    assert code == 1
    assert said.startswith("euchre watch cannot be loaded: ")
    assert output(capsys, "rules")[0] == 0


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_without_the_extra_the_command_says_what_to_install(missing: str) -> None:
    code = f"import sys\nsys.modules[{missing!r}] = None\nfrom euchre_sdk.cli import main\nmain()\n"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ('the euchre command needs its extra: pip install "euchre-sdk[cli]"\n')
