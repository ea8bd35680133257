"""One run of sipp against sipp, with a proxy between them or without one, and what both counted."""
import csv
import dataclasses
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
BUFFER_BYTES = 4 << 20
"""of each socket of sipp, as far as net.core.rmem_max lets it: with the usual 208 KB, sipp loses messages before a proxy"""

MOST_CALLS = 100_000
"""at once: beyond, a run is lost anyway"""

@dataclasses.dataclass(frozen=True)
class Place:
    """Where sipp and the proxy are: what leads into sipp's network namespace, and the addresses of both."""
    enter: tuple = ()
    address: str = "127.0.0.1"
    proxy: str = "127.0.0.1"
    buffer_bytes: int = BUFFER_BYTES


LOOPBACK = Place()

NO_PAUSE = '<pause milliseconds="0"/>'
"""a place of a scenario where a run may wait; sipp would leave the line at a pause of 0, so that it is taken out then"""


def free_port():
    """A UDP port of 127.0.0.1 that nobody has at the moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def is_bound(port, pid="self"):
    """Whether a process has this UDP port, in the network of process pid."""
    wanted = f":{port:04X}"
    for table in (f"/proc/{pid}/net/udp", f"/proc/{pid}/net/udp6"):
        try:
            lines = pathlib.Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        if any(line.split()[1].endswith(wanted) for line in lines):
            return True
    return False


def socket_drops(port, pid="self"):
    """Datagrams that the kernel dropped at the sockets of this port, because their buffers were full."""
    wanted, drops = f":{port:04X}", 0
    try:
        lines = pathlib.Path(f"/proc/{pid}/net/udp").read_text().splitlines()[1:]
    except OSError:
        return 0  # the process has ended
    for line in lines:
        fields = line.split()
        if fields[1].endswith(wanted):
            drops += int(fields[-1])
    return drops


def last_row(path):
    """The last line of a file that sipp wrote, by column; empty where there is none."""
    try:
        rows = list(csv.reader(path.read_text(errors="replace").splitlines(), delimiter=";"))
    except OSError:
        return {}
    return dict(zip(rows[0], rows[-1])) if len(rows) > 1 else {}


def messages(counts):
    """Retransmissions sent, repeated messages received, and unexpected ones, of a file of counts of each message."""
    sent = repeated = unexpected = 0
    for name, value in counts.items():
        match = re.fullmatch(r"(\d+)_(\w+)_(Retrans|Unexp)", name)
        if not match or not value.strip().isdigit():
            continue
        number, message, kind = match.groups()
        if kind == "Unexp":
            unexpected += int(value)
        elif f"{number}_{message}_Sent" in counts:
            sent += int(value)
        else:
            repeated += int(value)
    return sent, repeated, unexpected


def refused(counts):
    """Calls that were answered 503, of a file of counts of a scenario that takes this for an answer."""
    return sum(int(value) for name, value in counts.items() if re.fullmatch(r"\d+_503_Recv", name) and value.strip().isdigit())


class Sipp:
    """A sipp process in a folder of its own."""
    def __init__(self, folder, name, words, cores=None, pause_ms=0, place=LOOPBACK):
        self.folder = pathlib.Path(folder, name)
        self.folder.mkdir(parents=True)
        pause = NO_PAUSE.replace("0", str(pause_ms)) if pause_ms else ""
        scenario = (HERE / f"{name}.xml").read_text().replace(NO_PAUSE, pause)
        (self.folder / "scenario.xml").write_text(scenario)
        command = [*place.enter, *(("taskset", "-c", cores) if cores else ()), "sipp", "-sf", "scenario.xml",
                   "-i", place.address, "-nostdin", "-buff_size", str(place.buffer_bytes), "-trace_stat",
                   "-stf", "statistics.csv", "-fd", "1", "-trace_counts", "-trace_err", "-error_file", "errors.log", *map(str, words)]
        self.process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)

    def finish(self, seconds):
        """Waits until it ends by itself; ends it after so many seconds. Whether it ended by itself."""
        try:
            self.process.wait(timeout=seconds)
            return True
        except subprocess.TimeoutExpired:
            self.stop()
            return False

    def stop(self):
        """Asks it to finish its calls and write its counts; ends it if it does not within some seconds."""
        for sign, seconds in ((signal.SIGUSR1, 8), (signal.SIGTERM, 2), (signal.SIGKILL, 5)):
            if self.process.poll() is not None:
                return
            self.process.send_signal(sign)
            try:
                self.process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                pass

    def statistics(self):
        return last_row(self.folder / "statistics.csv")

    def counts(self):
        found = sorted(self.folder.glob("*_counts.csv"))
        return last_row(found[0]) if found else {}

    def answer_times(self):
        """Milliseconds until each first answer, as -trace_rtt writes them, in order of time taken."""
        found = sorted(self.folder.glob("*_rtt.csv"))
        lines = found[0].read_text(errors="replace").splitlines() if found else []
        fields = [line.split(";") for line in lines[1:]]
        return sorted(float(one[1]) for one in fields if len(one) >= 3 and one[2].strip() in ("1", "rtd1"))

    def first_error(self):
        """The first thing that sipp complained of; empty where there was nothing."""
        try:
            return complaint((self.folder / "errors.log").read_text(errors="replace"))
        except OSError:
            return ""


def complaint(log):
    """The first entry of a log of sipp, each of which has its time in front, and no end of line behind."""
    said = re.split(r"\d{4}-\d\d-\d\d\t[\d:.]+\t[\d.]+: ", log)[1:]
    # that many calls would need many files if they had media, which they have not
    said = [one for one in said if not one.startswith("Maximum number of open sockets")]
    return said[0].strip().splitlines()[0][:200] if said and said[0].strip() else ""


def whole(row, name):
    value = row.get(name, "0").strip()
    return int(value) if value.isdigit() else 0


def settled(port, seconds=20, pid="self"):
    """Waits until a process has the port."""
    until = time.monotonic() + seconds
    while not is_bound(port, pid):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def calls(folder, rate, seconds, proxy=None, cores=(None, None), pauses=(0, 0), around=None, place=LOOPBACK,
          proxy_pid="self", scenarios=("caller", "callee"), times=False):
    """
    Calls at a rate for so many seconds, through the proxy at a port, or without one. The pauses, in milliseconds, are
    between 180 and 200, and between ACK and BYE. `around` is called with the ports
    of caller and callee before the first call, and returns a function that is called after the last one. With `times`,
    the caller writes down how long each first answer took. What was counted, and what that function returned.
    """
    total = rate * seconds
    held = sum(pauses) / 1000
    callee_port, caller_port = free_port(), free_port()
    while caller_port == callee_port:
        caller_port = free_port()
    callee = Sipp(folder, scenarios[1], ["-p", callee_port], cores[1], pauses[0], place)
    caller = ended = None
    try:
        if not settled(callee_port, pid=callee.process.pid):
            raise RuntimeError(f"sipp as callee did not open UDP port {callee_port}: {callee.first_error() or 'no word'}")
        ended = around(caller_port, callee_port) if around else None
        most = min(MOST_CALLS, max(1000, int(rate * (40 + held))))
        words = ["-p", caller_port, "-r", rate, "-m", total, "-l", most,
                 "-timeout", f"{int(seconds + held + 45)}s", f"{place.address}:{callee_port}"]
        if proxy:
            words += ["-rsa", f"{place.proxy}:{proxy}"]
        if times:
            words = ["-trace_rtt", *words]
        caller = Sipp(folder, scenarios[0], words, cores[0], pauses[1], place)
        ports = {"caller": (caller_port, caller.process.pid), "callee": (callee_port, callee.process.pid)}
        if proxy:
            ports["proxy"] = (proxy, proxy_pid)
        by_itself, drops = watch(caller, seconds + held + 60, ports)
        observed, ended = ended() if ended else None, None
    finally:
        if ended:  # interrupted: what `around` has started ends, too
            ended()
        if caller:
            caller.stop()
        callee.stop()
    result = counted(caller, callee, rate, total, drops, held) | {"endedByItself": by_itself}
    return (result | {"answerMs": caller.answer_times()} if times else result), observed


def watch(caller, seconds, ports):
    """Until the caller ends: what the kernel dropped at each socket, which nobody can ask after it is closed."""
    began = {name: socket_drops(*where) for name, where in ports.items()}
    drops = dict.fromkeys(began, 0)
    until = time.monotonic() + seconds
    while caller.process.poll() is None:
        if time.monotonic() > until:
            caller.stop()
            return False, drops
        for name, before in began.items():
            drops[name] = max(drops[name], socket_drops(*ports[name]) - before)
        time.sleep(0.2)
    return True, drops


def counted(caller, callee, rate, total, drops, held=0):
    here, there = caller.statistics(), callee.statistics()
    sent = repeated = unexpected = 0
    for side in (caller, callee):
        of_side = messages(side.counts())
        sent, repeated, unexpected = sent + of_side[0], repeated + of_side[1], unexpected + of_side[2]
    good = whole(here, "SuccessfulCall(C)")
    reached = float(here.get("CallRate(C)") or 0)
    if reached and total / reached > held:
        reached = total / (total / reached - held)  # sipp divides by all of its time, in which the last calls were only held
    return {
        "rate": rate,
        "callsAsked": total,
        "callsMade": whole(here, "TotalCallCreated"),
        "callsGood": good,
        "callsFailed": total - good,
        "callsFailedAtCallee": whole(there, "FailedCall(C)"),
        "callsPerSecond": round(reached, 1),
        "retransmitted": sent,
        "repeated": repeated,
        "unexpected": unexpected,
        "refused": refused(caller.counts()),
        "outOfCall": sum(whole(side, name) for side in (here, there) for name in ("OutOfCallMsgs(C)", "DeadCallMsgs(C)")),
        "drops": drops,
        "firstError": caller.first_error() or callee.first_error(),
    }


def is_clean(run):
    """No call failed, nothing was sent twice by anybody, and the calls came at the rate asked."""
    return (run["callsGood"] == run["callsAsked"] and run["callsFailedAtCallee"] == 0 and run["retransmitted"] == 0
            and run["repeated"] == 0 and run["callsPerSecond"] >= 0.97 * run["rate"])
