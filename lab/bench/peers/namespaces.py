"""Two network namespaces joined by a veth pair, and what the kernel says of the processes in them. Needs root."""
import os
import pathlib
import signal
import subprocess

HERTZ = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def run(*words):
    subprocess.run(words, check=True)


class Network:
    """Two namespaces, joined."""
    def __init__(self):
        self.names = [f"offhook-sniff-{side}-{os.getpid()}" for side in "lr"]

    def __enter__(self):
        left, right = self.names
        for name in self.names:
            run("ip", "netns", "add", name)
            # nothing but the stream
            run("ip", "netns", "exec", name, "sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1")
        run("ip", "-n", left, "link", "add", "left", "type", "veth", "peer", "name", "right", "netns", right)
        run("ip", "-n", left, "link", "set", "left", "up")
        run("ip", "-n", right, "link", "set", "right", "up")
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)

    def in_left(self, *words):
        return ["ip", "netns", "exec", self.names[0], *words]

    def in_right(self, *words):
        return ["ip", "netns", "exec", self.names[1], *words]


def tree(pid):
    """A process and what it started: the launcher's shell, and what it became."""
    found = [pid]
    for one in found:
        try:
            found += map(int, pathlib.Path(f"/proc/{one}/task/{one}/children").read_text().split())
        except OSError:
            pass
    return found


def interrupt(process):
    """Ctrl-C to a process and what it started."""
    for one in reversed(tree(process.pid)):
        try:
            os.kill(one, signal.SIGINT)
        except ProcessLookupError:
            pass


def usage(pid):
    """Seconds of a core, and resident bytes, of a process and its children."""
    seconds = memory = 0
    for one in tree(pid):
        try:
            fields = pathlib.Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        seconds += (int(fields[11]) + int(fields[12])) / HERTZ
        memory += int(fields[21]) * PAGE
    return seconds, memory


def processor_ns(pid):
    """Of all threads of a process and its children. Finer than the clock ticks of stat, which short bursts escape."""
    ns = 0
    for one in tree(pid):
        for thread in pathlib.Path(f"/proc/{one}/task").glob("*/schedstat"):
            try:
                ns += int(thread.read_text().split()[0])
            except OSError:
                pass
    return ns
