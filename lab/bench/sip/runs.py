"""What the measurements of SIP share: JSON lines, a folder for their files, a time limit, and that all ends which was started."""
import contextlib
import json
import pathlib
import shlex
import shutil
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import figures  # noqa: E402


PACKAGES = {"sipp": "sip-tester", "ip": "iproute2", "tc": "iproute2"}
"""of Debian, where the name is another one"""


class OutOfTime(Exception):
    """The time of --minutes is over; the tables may be of what there is until then."""


class Runs:
    """The figures of the runs, and the folder that all of them share."""
    def __init__(self, asked, folder, lines):
        self.asked, self.folder, self.lines = asked, pathlib.Path(folder), lines
        self.number = 0
        self.runs = []
        self.stack = contextlib.ExitStack()

    def record(self, kind, peer, values):
        entry = {"kind": kind, "peer": peer, **values}
        self.runs.append(entry)
        if self.lines:
            print(json.dumps(entry), file=self.lines, flush=True)
        return entry

    def next_folder(self):
        self.number += 1
        folder = self.folder / f"run-{self.number}"
        folder.mkdir()
        return folder

    def ends(self, one):
        """Stops it when the measurement ends, however that comes about."""
        self.stack.callback(one.stop)
        return one

    def of(self, kind):
        return [run for run in self.runs if run["kind"] == kind]


def say(text):
    print(text, file=sys.stderr, flush=True)


def add_common(parser, minutes):
    parser.add_argument("--quick", action="store_true", help="tiny numbers, no figures; exit code 1 if anything did not run")
    parser.add_argument("--minutes", type=int, default=minutes, metavar="N",
                        help=f"give up after so many minutes, and end what was started ({minutes})")
    parser.add_argument("--json", metavar="FILE", help="each run as a JSON object a line")


@contextlib.contextmanager
def opened(asked, name, kind=Runs, needs=("sipp",)):
    """The runs of a script. A signal or the end of its time is left as Ctrl-C is: everything that was started ends."""
    for program in needs:
        if not shutil.which(program):
            sys.exit(f"{name}: {program} is not installed (Debian: apt-get install {PACKAGES.get(program, program)})")

    def too_long(*_):
        raise OutOfTime(f"not finished after {asked.minutes} minutes (--minutes)")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(asked.minutes * 60)
    with (tempfile.TemporaryDirectory(prefix=f"{name}-", ignore_cleanup_errors=True) as folder,
          open(asked.json, "w", encoding="utf-8") if asked.json else contextlib.nullcontext() as lines):
        runs = kind(asked, folder, lines)
        try:
            with runs.stack:
                yield runs
        except OutOfTime as e:
            sys.exit(f"{name}: {e}")
        finally:
            signal.alarm(0)


def heading(title, question, name, asked):
    facts = figures.machine() | {"command": shlex.join([f"lab/bench/{name}", *sys.argv[1:]])}
    if asked.quick:
        facts["numbers"] = "tiny (--quick): they show that everything runs, and are no figures"
    return figures.head(title, question, facts)


def ran_out(missing):
    return "\n\nLeft out: " + "; ".join(f"{key}: {why}" for key, why in missing.items()) if missing else ""


def left(asked, missing):
    """What --quick is for: its exit code is 1 if anything did not run. Figures without a peer are still figures."""
    if asked.quick and missing:
        sys.exit(1)
