"""What the kernel says of a proxy: the processor time of its processes and threads, and its memory."""
import os
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
from namespaces import HERTZ, tree  # noqa: E402


def processor_seconds(pid):
    """User and system seconds of a process, all its threads and its children, those included that it has waited for."""
    user = system = 0
    for one in tree(pid):
        try:
            fields = pathlib.Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        user += int(fields[11]) + int(fields[13])
        system += int(fields[12]) + int(fields[14])
    return user / HERTZ, system / HERTZ


def compiler_seconds(pid):
    """What the compilers of a JVM have taken of that, in its children, too; 0 for other programs."""
    ticks = 0
    for one in tree(pid):
        for stat in pathlib.Path(f"/proc/{one}/task").glob("*/stat"):
            try:
                name, _, fields = stat.read_text().partition("(")[2].rpartition(")")
            except OSError:
                continue
            if re.match(r"C[12] Compiler", name):
                ticks += sum(map(int, fields.split()[11:13]))
    return ticks / HERTZ


def resident_bytes(pid):
    """Of a process and its children, where pages that several share count once (PSS)."""
    total = 0
    for one in tree(pid):
        try:
            for line in pathlib.Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        except OSError:
            continue
    return total


def java_of(pid):
    """The Java machine among a process and its children; None where there is none."""
    for one in tree(pid):
        try:
            if os.path.basename(os.readlink(f"/proc/{one}/exe")) == "java":
                return one
        except OSError:
            pass
    return None


GROUPS = pathlib.Path("/sys/fs/cgroup")


class CoreShare:
    """
    Holds a process and its children to a part of one core, by a control group: so many percent of each 10 ms. What they
    start later is held, too. Needs root; raises OSError where there are no control groups for it.
    """
    PERIOD_US = 10_000

    def __init__(self, pid, percent):
        is_unified = (GROUPS / "cgroup.controllers").exists()
        if is_unified:
            (GROUPS / "cgroup.subtree_control").write_text("+cpu")
        self.folder = (GROUPS if is_unified else GROUPS / "cpu") / f"offhook-bench-{pid}"
        self.folder.mkdir()
        quota = self.PERIOD_US * percent // 100
        if is_unified:
            (self.folder / "cpu.max").write_text(f"{quota} {self.PERIOD_US}")
        else:
            (self.folder / "cpu.cfs_period_us").write_text(str(self.PERIOD_US))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))
        for one in tree(pid):
            (self.folder / "cgroup.procs").write_text(str(one))

    def stop(self):
        """Removes the group; processes that are in it still are not held any more."""
        if not self.folder.exists():
            return
        for one in (self.folder / "cgroup.procs").read_text().split():
            try:
                (self.folder.parent / "cgroup.procs").write_text(one)
            except ProcessLookupError:
                pass
        until = time.monotonic() + 10
        while True:
            try:
                return self.folder.rmdir()
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
