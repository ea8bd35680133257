"""How long a proxy keeps a message: from packets on the loopback interface, since sipp's clock counts milliseconds only."""
import re
import shutil
import signal
import struct
import subprocess
import time

FIRST_LINE = re.compile(rb"(?:SIP/2\.0 (\d{3})|([A-Z]+) )")
CALL_ID = re.compile(rb"\r\nCall-ID: ([^\r]+)\r", re.IGNORECASE)
CSEQ = re.compile(rb"\r\nCSeq: (\d+ [A-Z]+)\r", re.IGNORECASE)


class Capture:
    """tcpdump on lo, for the datagrams of a proxy. Needs tcpdump and the right to capture."""
    def __init__(self, file, port):
        self.file, self.port = file, port
        self.process = subprocess.Popen(
            ["tcpdump", "-i", "lo", "-n", "-B", "65536", "-s", "1500", "--time-stamp-precision=nano", "-w", str(file),
             f"udp port {port}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            start_new_session=True)
        time.sleep(1)
        if self.process.poll() is not None:
            raise RuntimeError(f"tcpdump does not capture on lo: {self.process.stderr.read().strip().splitlines()[-1]}")

    def end(self):
        """Ends it; how many packets it lost."""
        time.sleep(0.5)
        self.process.send_signal(signal.SIGINT)
        said = self.process.communicate(timeout=20)[1]
        found = re.search(r"(\d+) packets? dropped by kernel", said)
        return int(found[1]) if found else 0


def missing():
    """Why delays cannot be measured here; empty where they can."""
    return "" if shutil.which("tcpdump") else "tcpdump is not installed"


def datagrams(file):
    """Of each UDP datagram of a capture of Ethernet with IPv4: nanoseconds, ports of source and destination, payload."""
    with open(file, "rb") as capture:
        head = capture.read(24)
        order = "<" if head[:4] in (b"\x4d\x3c\xb2\xa1", b"\xd4\xc3\xb2\xa1") else ">"
        nanoseconds = 1 if head[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
        while len(record := capture.read(16)) == 16:
            seconds, part, length, _ = struct.unpack(order + "IIII", record)
            frame = capture.read(length)
            if len(frame) < 42 or frame[12:14] != b"\x08\x00" or frame[23] != 17:
                continue
            udp = 14 + (frame[14] & 15) * 4
            source, destination = struct.unpack_from(">HH", frame, udp)
            yield seconds * 1_000_000_000 + part * nanoseconds, source, destination, frame[udp + 8:]


def identity(payload):
    """What stays the same of a message from hop to hop; None for what is no message, and for 100, which is of each hop."""
    first, call, number = FIRST_LINE.match(payload), CALL_ID.search(payload), CSEQ.search(payload)
    if not (first and call and number) or first[1] == b"100":
        return None
    return call[1], number[1], first[1] or first[2]


def delays(file, port):
    """Nanoseconds between each message's first arrival at the proxy and its first departure, by kind; how many never left."""
    arrived, by_kind = {}, {}
    for at, source, destination, payload in datagrams(file):
        key = identity(payload)
        if key is None:
            continue
        if destination == port and source != port:
            arrived.setdefault(key, at)
        elif source == port and (since := arrived.get(key)) is not None and since >= 0:
            kind = key[2].decode() if not key[2].isdigit() else f"{key[2].decode()} {key[1].split()[1].decode()}"
            by_kind.setdefault(kind, []).append(at - since)
            arrived[key] = -1
    return by_kind, sum(since >= 0 for since in arrived.values())


def percentile(values, part):
    """The least value that at least this part of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -int(-part * len(ordered) // 1) - 1))]


def answers(file, caller_port):
    """Nanoseconds between the first departure of each INVITE at the caller and the first arrival of its 180."""
    left, took = {}, []
    for at, source, destination, payload in datagrams(file):
        key = identity(payload)
        if key is None:
            continue
        if source == caller_port and key[2] == b"INVITE":
            left.setdefault(key[0], at)
        elif destination == caller_port and key[2] == b"180" and (since := left.get(key[0])) is not None and since >= 0:
            took.append(at - since)
            left[key[0]] = -1
    return took


def percentiles(values):
    """Microseconds: the median, p99, p99.9 and the most; empty without values."""
    if not values:
        return {}
    return {"messages": len(values)} | {word: round(percentile(values, part) / 1000, 1) for word, part in
                                        (("p50Us", .5), ("p99Us", .99), ("p999Us", .999), ("maxUs", 1))}


def summary(by_kind):
    """Of all messages, and of the requests that begin calls."""
    everything = [value for values in by_kind.values() for value in values]
    named = {"all": everything, "INVITE": by_kind.get("INVITE", [])}
    return {name: percentiles(values) for name, values in named.items() if values}
