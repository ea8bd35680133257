"""Connections that are registered and idle: what each takes of the proxy and of the kernel."""
import os
import pathlib
import resource
import select
import socket
import sys
import time

import proxies
from processes import resident_bytes
from registrations import grown, live_classes
from runs import heading, say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import figures  # noqa: E402

A_SOURCE = 900
"""connections of one source address: the proxy takes at most 1,000"""
SPARE_FILES = 200
"""descriptors for all else that a process has open"""
AT_ONCE = 200
"""connections that wait for their 200 at a time"""
TRIES = 10
"""REGISTERs of a connection: where the processors are needed by others, the proxy refuses some, as its overload control shall"""
RETRY_SECONDS = 1
CONFIG = """\
listeners:
  - {name: udp, address: 127.0.0.1, port: {port}}
  - {name: tcp, transport: tcp, address: 127.0.0.1, port: {port}}
lanes: 2
open: true
domains: [example.com]
log: {level: off}
control: {socket: {folder}/control}
"""
REGISTER = """\
REGISTER sip:example.com SIP/2.0\r
Via: SIP/2.0/TCP {host}:{port};branch=z9hG4bK-idle-{number}-{sequence};rport\r
Max-Forwards: 70\r
From: <sip:idle{number}@example.com>;tag=i{number}\r
To: <sip:idle{number}@example.com>\r
Call-ID: idle-{number}@{host}\r
CSeq: {sequence} REGISTER\r
Contact: <sip:idle{number}@{host}:{port};transport=tcp>\r
Expires: 3600\r
Content-Length: 0\r
\r
"""


class Client:
    """A connection, and how often it asked to be registered."""
    def __init__(self, number, host):
        self.number = number
        self.host = host
        self.tries = 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT: connect chooses the port

    def connect(self, port):
        self.socket.bind((self.host, 0))
        self.socket.connect(("127.0.0.1", port))

    def register(self):
        self.tries += 1
        port = self.socket.getsockname()[1]
        self.socket.sendall(REGISTER.format(host=self.host, port=port, number=self.number, sequence=self.tries).encode())


class Clients:
    """Connections to the proxy from addresses of 127.0.0.0/8, each with a registration."""
    def __init__(self, port):
        self.port = port
        self.poll = select.epoll()
        self.waiting = {}
        self.open = []
        self.refused = []
        self.failed = 0
        self.first_error = ""

    def add(self, number):
        host = f"127.0.{1 + number // A_SOURCE // 200}.{1 + number // A_SOURCE % 200}"
        client = Client(number, host)
        try:
            client.connect(self.port)
        except OSError as e:
            self.fail(client, str(e))
            return
        self.ask(client)

    def ask(self, client):
        try:
            client.register()
        except OSError as e:
            self.fail(client, str(e))
            return
        self.waiting[client.socket.fileno()] = client
        self.poll.register(client.socket.fileno(), select.EPOLLIN)

    def fail(self, client, why):
        self.failed += 1
        self.first_error = self.first_error or why
        client.socket.close()

    def answers(self, down_to, seconds=20):
        """Waits until at most so many wait for their answer, or nothing came for so long."""
        while len(self.waiting) > down_to:
            ready = self.poll.poll(seconds)
            for fd, _ in ready:
                client = self.waiting.pop(fd)
                self.poll.unregister(fd)
                try:
                    said = client.socket.recv(4096)
                except OSError as e:
                    said = str(e).encode()
                if said.startswith(b"SIP/2.0 200"):
                    self.open.append(client.socket)
                elif said.startswith(b"SIP/2.0 503") and client.tries < TRIES:
                    self.refused.append(client)
                else:
                    self.fail(client, said.split(b"\r\n")[0].decode(errors="replace") or "closed by the proxy")
            if not ready:
                for client in self.waiting.values():
                    self.fail(client, f"no answer for {seconds} s")
                self.waiting.clear()

    def closed(self):
        """Those that the proxy has closed since, or sent something on."""
        count = 0
        for one in self.open:
            try:
                one.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
                count += 1
            except BlockingIOError:
                pass
            except OSError:
                count += 1
        return count

    def register(self, first, number):
        for one in range(first, first + number):
            self.add(one)
            if len(self.waiting) >= AT_ONCE:
                self.answers(AT_ONCE // 2)
        self.answers(0)
        while self.refused:
            time.sleep(RETRY_SECONDS)
            again, self.refused = self.refused, []
            for client in again:
                self.ask(client)
            self.answers(0)

    def stop(self):
        for one in [*self.open, *(client.socket for client in [*self.waiting.values(), *self.refused])]:
            one.close()
        self.open, self.waiting, self.refused = [], {}, []


def raise_files(number):
    """Lets this process and what it starts have so many files open; why not, where it may not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= number:
        return ""
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, max(number, hard)))
    except (ValueError, OSError):
        return (f"{number} open files are needed, and {hard} are the limit (ulimit -Hn), which this process may not raise "
                f"(CAP_SYS_RESOURCE); here, --registered {max(0, hard - SPARE_FILES)} is the most")
    return ""


def kernel_bytes():
    """What the kernel takes for an open TCP socket: its objects in the slab allocator; 0 where only root may look."""
    sizes = {}
    try:
        for line in pathlib.Path("/proc/slabinfo").read_text().splitlines()[2:]:
            fields = line.split()
            sizes[fields[0]] = int(fields[3])
    except OSError:
        return 0
    return sum(sizes.get(name, 0) for name in ("TCP", "sock_inode_cache", "filp", "dentry"))


def measure(runs, number):
    problem = raise_files(number + SPARE_FILES)
    if problem:
        sys.exit(f"connections: {problem}")
    folder = runs.folder
    proxy = runs.ends(proxies.configured(runs.asked.offhook, CONFIG))
    proxy.start(folder)
    pid = proxy.process.pid
    clients = runs.ends(Clients(proxy.port))
    # what the first ones load and touch is no connection
    clients.register(number, min(A_SOURCE, max(1, number // 20)))
    warm = len(clients.open)
    clients.stop()
    time.sleep(runs.asked.settle)
    resident, classes = resident_bytes(pid), live_classes(pid)
    resident = resident_bytes(pid)  # after the collection
    began = time.monotonic()
    clients.register(0, number)
    took = time.monotonic() - began
    say(f"{len(clients.open):,} of {number:,} registered in {took:.1f} s ({warm} before, to warm up) {clients.first_error}")
    time.sleep(runs.asked.settle)  # transactions of REGISTER end
    closed = clients.closed()
    after = live_classes(pid)
    count = max(1, len(clients.open) - closed)
    files = len(os.listdir(f"/proc/{pid}/fd"))
    return proxy, runs.record("connections", proxy.key, {
        "connections": number, "registered": len(clients.open), "failed": clients.failed, "closedSince": closed,
        "perSecond": round(number / took), "files": files, "firstError": clients.first_error,
        "heapBytes": round((sum(after.values()) - sum(classes.values())) / count),
        "residentBytes": round((resident_bytes(pid) - resident) / count), "kernelBytes": kernel_bytes(),
        "grownClasses": grown(classes, after)})


def report(runs, proxy, run):
    heap, resident, kernel = run["heapBytes"], run["residentBytes"], run["kernelBytes"]
    text = heading("Idle registered connections", f"TCP on loopback, one binding each, silent for {runs.asked.settle} s before "
                   "memory is read.", "connections", runs.asked)
    text += "\n\n" + figures.table(
        ["proxy", "connections", "failed", "closed by the proxy", "registered/s", "heap bytes", "resident bytes", "kernel bytes"], 1,
        [[f"{proxy.name} ({proxy.version})", f"{run['registered']:,}", str(run["failed"]), str(run["closedSince"]),
          f"{run['perSecond']:,}", f"{heap:,}", f"{resident:,}", f"{kernel:,}" if kernel else "only root may look"]])
    text += "\n\nHeap that grew most, bytes a connection: " + ", ".join(
        f"`{name}` {size / max(1, run['registered']):,.0f}" for name, size in run["grownClasses"].items())
    return text + (
        f"\n\nA million on paper: {heap / 1e3:,.2f} GB of live heap, so -Xmx{max(1, round(heap * 1.5 / 1e3)):d}g or more; "
        f"{kernel / 1e3:,.2f} GB in the kernel for sockets with empty queues; 1,000,000 file descriptors (LimitNOFILE, fs.nr_open "
        "1048576 by default, fs.file-max); clients at 1,000 source addresses or more, as the proxy takes 1,000 connections of a "
        "source (limits.connections-per-source); and limits.connections, which is 20,000 by default.")
