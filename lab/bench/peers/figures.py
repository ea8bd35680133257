"""Runs peers in alternation, each in processes of its own, refuses figures whose counts do not agree, and writes the rest
down: Markdown to print, JSON to keep."""
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
from typing import Callable

from builds import Missing

ALL = 10**12


class Refused(Exception):
    """What was counted is not what must be counted: there are no figures."""


@dataclasses.dataclass
class Peer:
    """A program that prints a line a round: what it counted, packets first, and nanoseconds last."""
    key: str
    name: str
    build: Callable[[], tuple[list[str], list[str]]]
    version: Callable[[], str]
    rounds: int
    """of a process, of which the best one counts: the first ones warm up"""
    most: int = ALL
    """packets that it reads of the file: fewer where it is slow"""


@dataclasses.dataclass
class Built:
    peer: Peer
    version: str
    program: list[str]
    arguments: list[str]
    most: int
    processes: list[list[list[int]]] = dataclasses.field(default_factory=list)
    """of each process its rounds, as printed"""

    def counted(self):
        return self.processes[0][0][:-1]

    def best_ns(self):
        """of each process, ns a packet"""
        return [min(line[-1] / line[0] for line in rounds) for rounds in self.processes]


def pick(peers, wanted):
    """Those whose keys are named, with commas; all without names. A name that nobody has is a ValueError."""
    if not wanted:
        return peers
    keys = [word.strip() for word in wanted.split(",") if word.strip()]
    unknown = [key for key in keys if key not in {peer.key for peer in peers}]
    if unknown:
        raise ValueError(f"there is no peer {', '.join(unknown)}; there are {', '.join(peer.key for peer in peers)}")
    return [peer for peer in peers if peer.key in keys]


def build(peers, scale=1.0):
    """Those that can be built here, and what is missing for each other, which is told at once."""
    built, missing = [], {}
    for peer in peers:
        print(f"building {peer.name}", file=sys.stderr)
        try:
            program, arguments = peer.build()
            most = ALL if peer.most == ALL else max(1, int(peer.most * scale))
            built.append(Built(peer, peer.version(), program, arguments, most))
        except Missing as e:
            missing[peer.name] = str(e)
            print(f"{peer.name} is left out: {e}", file=sys.stderr)
    return built, missing


def process(words, name):
    """Runs a process to its end; the lines of numbers that it printed, all of the same length."""
    done = subprocess.run(words, capture_output=True, text=True, errors="replace")
    if done.returncode:
        said = (done.stderr.strip() or "nothing").splitlines()[-1]
        raise Refused(f"{name} ended with {done.returncode} and said: {said}")
    lines = [list(map(int, line.split())) for line in done.stdout.splitlines() if re.fullmatch(r"\d+( \d+)+", line)]
    if not lines or len({len(line) for line in lines}) > 1:
        raise Refused(f"{name} did not print a line of counts a round")
    return lines


def rounds_of(built, factor):
    return max(1, round(built.peer.rounds * factor))


def alternate(built, file, processes, factor, run=process):
    """So many processes of each, A B C A B C, so that what changes in the machine changes for all."""
    for number in range(processes):
        for one in built:
            print(f"{number + 1}/{processes} {one.peer.name}", file=sys.stderr)
            words = [*one.program, file, str(rounds_of(one, factor)), str(one.most), *one.arguments]
            lines = run(words, one.peer.name)
            if len(lines) != rounds_of(one, factor):
                raise Refused(f"{one.peer.name} printed {len(lines)} rounds, not {rounds_of(one, factor)}")
            one.processes.append(lines)


def hold_steady(built):
    """Each round of each process of a peer counts the same, or there are no figures."""
    for one in built:
        different = {tuple(line[:-1]) for rounds in one.processes for line in rounds}
        if len(different) > 1:
            raise Refused(f"{one.peer.name} counted differently from round to round: {sorted(different)}")
        if one.counted()[0] == 0:
            raise Refused(f"{one.peer.name} saw no packet")


def hold_alike(built, count):
    """
    Each counts what count(packets), the reference, does in as many packets as the peer had to read.

    A peer that stops early is caught too: how many there are to read says the reference, not the peer.
    """
    for one in built:
        expected = count(one.most)
        if one.counted() != expected:
            raise Refused(f"{one.peer.name} counted {one.counted()}, the reference {expected}")


def ratios(one, base):
    """Of the processes that ran one after the other: what one takes in the time of the other."""
    return [mine / theirs for mine, theirs in zip(one.best_ns(), base.best_ns())]


def spread(values, format):
    return f"{min(values):{format}} to {max(values):{format}}"


def machine():
    """On what the figures were measured."""
    return {
        "measured at": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": field("/proc/cpuinfo", "model name") or platform.processor() or "unknown",
        "processors": str(os.cpu_count()),
        "memory": memory(),
        "system": f"{distribution()}{platform.system()} {platform.release()} {platform.machine()}",
    }


def field(file, name):
    try:
        for line in pathlib.Path(file).read_text().splitlines():
            if line.startswith(name):
                return re.sub(r"^[^:=]*[:=]\s*", "", line).strip('"')
    except OSError:
        pass  # another system: it has no such file
    return ""


def distribution():
    name = field("/etc/os-release", "PRETTY_NAME")
    return f"{name}, " if name else ""


def memory():
    kilobytes = field("/proc/meminfo", "MemTotal").split()
    return f"{int(kilobytes[0]) / 2**20:.0f} GiB" if kilobytes else "unknown"


def table(header, right, rows):
    """A Markdown table whose columns from the right-th on are numbers."""
    lines = ["| " + " | ".join(header) + " |"]
    lines.append("|" + "|".join("---:" if i >= right else "---" for i in range(len(header))) + "|")
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def head(title, question, facts):
    rows = [[name, value] for name, value in facts.items()]
    return f"# {title}\n\n{question}\n\n" + table(["", ""], 2, rows)


def left_out(missing):
    return "".join(f"\n- left out: {name}: {why}" for name, why in missing.items())


def keep(folder, name, text, data):
    """Prints the report, and where a folder was asked for, leaves it there with the figures of every round."""
    print(text)
    if folder:
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text(text + "\n")
        (folder / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n")


def as_data(built):
    return [{"peer": one.peer.name, "version": one.version, "rounds": one.processes} for one in built]
