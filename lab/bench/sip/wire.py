"""The knobs of the network: sipp and Offhook in two namespaces, joined by veth, with Offhook's doctor beside each step."""
import json
import math
import os
import pathlib
import select
import shlex
import shutil
import subprocess
import sys
import time

import delay
import proxies
import sipp
from runs import say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import figures  # noqa: E402
from builds import ROOT, Missing  # noqa: E402
from namespaces import Network, interrupt, run  # noqa: E402

KNOBS = ("queue", "wire-buffer", "hold")
LEFT, RIGHT = "10.77.0.1", "10.77.0.2"
PORT = 5070
DOCTOR_SECONDS = 60
"""until its first check, at most: it is a Java machine that starts"""


class Wire(Network):
    """sipp's namespace and that of the proxy, with an address each."""
    def __enter__(self):
        super().__enter__()
        for name, device, address in zip(self.names, ("left", "right"), (LEFT, RIGHT)):
            run("ip", "-n", name, "address", "add", f"{address}/24", "dev", device)
            run("ip", "-n", name, "link", "set", "lo", "up")
        return self

    def ends(self):
        return ((self.names[0], "left", self.in_left), (self.names[1], "right", self.in_right))

    def shape(self, packets, mbit):
        """Queues of so many packets in front of a link; None for mbit: neither queue nor limit, as veth is by itself."""
        for _, device, within in self.ends():
            subprocess.run(within("tc", "qdisc", "del", "dev", device, "root"), stderr=subprocess.DEVNULL, check=False)
            # a class takes the length of its queue from the interface when it is made
            run(*within("ip", "link", "set", device, "txqueuelen", str(packets)))
            if mbit:
                run(*within("tc", "qdisc", "add", "dev", device, "root", "handle", "1:", "htb", "default", "1", "r2q", "10"))
                run(*within("tc", "class", "add", "dev", device, "parent", "1:", "classid", "1:1", "htb", "rate", f"{mbit}mbit",
                            "burst", "3000"))

    def queue_drops(self):
        """Packets that the queueing disciplines of both ends dropped."""
        drops = 0
        for _, device, within in self.ends():
            said = subprocess.run(within("tc", "-s", "-j", "qdisc", "show", "dev", device), capture_output=True, text=True,
                                  check=True).stdout
            drops += sum(one.get("drops", 0) for one in json.loads(said or "[]"))
        return drops

    def sent_bytes(self):
        """Of both ends, the larger."""
        sizes = []
        for _, device, within in self.ends():
            sizes.append(int(subprocess.run(within("cat", f"/sys/class/net/{device}/statistics/tx_bytes"), capture_output=True,
                                            text=True, check=True).stdout))
        return sizes


class Doctor:
    """`offhook doctor --watch` in one namespace, and the losses that it named."""
    def __init__(self, program, within, device, ports):
        self.device = device
        words = [*shlex.split(program), "doctor", "--watch", "--format", "json", "-i", device]
        for port in ports:
            words += ["--port", str(port)]
        self.process = subprocess.Popen(within(*words), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, start_new_session=True)

    def watches(self):
        """Waits for its first check."""
        ready, _, _ = select.select([self.process.stdout], [], [], DOCTOR_SECONDS)
        self.first = self.process.stdout.readline() if ready else ""
        if not self.first:
            self.stop()
            raise Missing(f"offhook doctor --watch did not begin: {self.process.stderr.read().strip()[:200]}")

    def stop(self):
        if self.process.poll() is None:
            interrupt(self.process)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def losses(self):
        """Ends it; packets lost by cause and subject."""
        interrupt(self.process)
        try:
            said, _ = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            said, _ = self.process.communicate()
        lost = {}
        for line in (self.first + said).splitlines():
            for loss in json.loads(line).get("losses", []):
                name = f"{loss['cause']} {loss['subject']}"
                lost[name] = lost.get(name, 0) + loss["grown"]
        return lost


def step(load, wire, proxy, rate, seconds, hold=0):
    """One run with a doctor on each side; what was counted, and what they named."""
    asked, doctors = load.asked, []
    pauses = asked.ring, asked.talk
    asked.talk = hold * 1000 or asked.talk

    def around(caller_port, callee_port):
        for (_, device, within), ports in zip(wire.ends(), ((caller_port, callee_port), (proxy.port,))):
            doctors.append(load.ends(Doctor(asked.offhook, within, device, ports)))
        for one in doctors:
            one.watches()
        before = wire.queue_drops(), wire.sent_bytes(), time.monotonic()

        def ended():
            time.sleep(1.5)  # a doctor looks each second
            took = time.monotonic() - before[2]
            sent = max(now - then for now, then in zip(wire.sent_bytes(), before[1]))
            return wire.queue_drops() - before[0], sent / took, took
        return ended
    try:
        result, (dropped, per_second, took) = load.observed(proxy, rate, seconds, around, times=True)
    finally:
        asked.ring, asked.talk = pauses
    named = {}
    for one in doctors:
        named |= {f"{one.device}: {name}": count for name, count in one.losses().items()}
    times = result["answerMs"]
    return result | {"named": named, "queueDrops": dropped, "bytesPerSecond": round(per_second), "took": round(took, 1),
                     "answerMs": {word: delay.percentile(times, part) if times else 0
                                  for word, part in (("p50", .5), ("p99", .99), ("p999", .999))}}


def record(load, proxy, knob, variant, result):
    named = ", ".join(f"{name} {count:,}" for name, count in result["named"].items()) or "nothing"
    say(f"{knob}: {variant}: {result['callsFailed']} failed, {result['retransmitted']} sent again, queue dropped "
        f"{result['queueDrops']}, sockets {result['drops']}; the doctors named {named}")
    load.record("wire", proxy.key, {"knob": knob, "variant": variant, **result})


def proxy_in(wire, asked, buffer="4MiB", options=""):
    one = proxies.configured(asked.offhook, proxies.relay_config(address=RIGHT, buffer=buffer), options=options, port=PORT,
                             enter=wire.in_right())
    one.warm_up = 0
    return one


def started(load, one):
    folder = load.folder / f"wire-{load.number}-{len(load.runs)}"
    folder.mkdir()
    load.ends(one).start(folder)
    load.calls(load.asked.wire_rate, load.asked.warm_up, one)
    return one


def queues(load, wire):
    """A link that carries a tenth more than the load needs, behind queues of several lengths."""
    asked = load.asked
    proxy = started(load, proxy_in(wire, asked))
    try:
        free = step(load, wire, proxy, asked.wire_rate, asked.seconds)
        record(load, proxy, "queue", "no limit of the link", free)
        # the doctors' start and the end of the calls are part of the time: count what the calls took
        mbit = max(1, math.ceil(free["bytesPerSecond"] * free["took"] / asked.seconds * 8 * 1.1 / 1e6))
        for packets in asked.queues:
            wire.shape(packets, mbit)
            record(load, proxy, "queue", f"txqueuelen {packets:,}, link {mbit} Mbit/s",
                   step(load, wire, proxy, asked.wire_rate, asked.seconds))
    finally:
        wire.shape(1000, None)
        proxy.stop()


def buffers(load, wire):
    asked = load.asked
    for size in asked.buffers:
        proxy = started(load, proxy_in(wire, asked, buffer=size))
        try:
            record(load, proxy, "wire-buffer", f"SO_RCVBUF {size}", step(load, wire, proxy, asked.wire_rate, asked.seconds))
        finally:
            proxy.stop()


def holds(load, wire, collectors):
    asked = load.asked
    for name, option in collectors.items():
        proxy = started(load, proxy_in(wire, asked, options=f"{option} -Xmx1g"))
        try:
            for hold in asked.holds:
                # long enough that all calls of the hold are there at once
                result = step(load, wire, proxy, asked.hold_rate, max(asked.seconds, hold + 5), hold)
                record(load, proxy, "hold", f"{hold} s, {name}", result)
        finally:
            proxy.stop()


# sipp's clock has milliseconds, and its wake-ups may be 4 ms apart: these times show queues, not the proxy
def on_veth(load, collectors, missing):
    wanted = [knob for knob in KNOBS if knob in load.asked.knobs]
    if not wanted:
        return
    if os.geteuid() or not (shutil.which("ip") and shutil.which("tc")):
        missing.update({knob: "needs root, ip and tc" for knob in wanted})
        return
    with Wire() as wire:
        load.place = sipp.Place(tuple(wire.in_left()), LEFT, RIGHT)
        makers = {"queue": lambda: queues(load, wire), "wire-buffer": lambda: buffers(load, wire),
                  "hold": lambda: holds(load, wire, collectors)}
        for knob in wanted:
            try:
                makers[knob]()
            except Missing as e:
                missing[knob] = str(e)
                say(f"{knob} is left out: {e}")
    load.place = sipp.LOOPBACK


def tables(load):
    text = ""
    for knob in dict.fromkeys(run["knob"] for run in load.of("wire")):
        cells = [[run["variant"], f"{run['callsPerSecond']:,.0f}", f"{run['cpuUs']:,.0f}", str(run["callsFailed"]),
                  str(run["retransmitted"]), *(f"{run['answerMs'][word]:,.1f}" for word in ("p50", "p99", "p999")),
                  f"{run['collections']}", f"{run['collectionMs']:,.0f}",
                  str(run["queueDrops"]), ", ".join(f"{name} {count}" for name, count in run["drops"].items() if count) or "0",
                  ", ".join(f"{name} {count:,}" for name, count in run["named"].items()) or "nothing"]
                 for run in load.of("wire") if run["knob"] == knob]
        text += f"\n\n{knob}, on veth:\n\n" + figures.table(
            ["variant", "calls/s", "CPU us/call", "failed", "sent again", "to 180, ms: p50", "p99", "p99.9", "collections",
             "ms of them", "dropped by queues", "dropped at sockets", "named by the doctors"], 1, cells)
    return text
