"""What the kernel says of a proxy: the processor time of its processes and threads, and its memory."""
import os
import pathlib
import sys

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
