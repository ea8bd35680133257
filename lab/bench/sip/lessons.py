#!/usr/bin/env python3
"""The old advice about SIP proxies in Java, one knob at a time against the same load.

    lab/bench/sip-lessons.sh [--knobs log,collector,buffer,threads] [--rate 1000] [--ramp 2000,3000,4000]
    sudo lab/bench/sip-lessons.sh --knobs queue,wire-buffer,hold      # on veth, sender and receiver apart

On loopback, each variant is started, warmed up, and has a run at --rate (CPU a call; with tcpdump and root, p99.9 of the time
that a message stays in the proxy), then runs of --ramp until one is not clean: the last clean one is what was reached. Rates
that sipp alone does not do cleanly are left out.

  log        Offhook: off, and sip=debug to a file. A small relay: no log statement; level asked first (guarded); message built,
             then level asked (unguarded); written to a file before the message goes on
  collector  Offhook, and the small relay, which allocates for each message: Serial, Parallel, G1, Z
  buffer     the receive buffer that the proxy asks for
  threads    Offhook: a loop a core, and one loop. The small relay: two loops; a platform thread a message; a virtual thread a
             message. JAIN SIP: 16 threads; a thread a message. A thread a message reorders 180 and 200: failed calls are part
             of the lesson

The small relay is sip/threads/RelayThreads.java. On veth, sipp is in one network namespace and Offhook in another one, and
`offhook doctor --watch --port` runs in both, beside each step: the table has what it named, and what the kernel counted.

  queue        txqueuelen of both ends, with a link that carries a tenth more than the load needs on average (htb)
  wire-buffer  the receive buffer that the proxy asks for, at --wire-rate
  hold         calls held for --holds seconds, with each collector

Needs sipp (Debian: sip-tester) and a built Offhook; Maven for JAIN SIP; root, ip and tc for what is on veth.
"""
import argparse
import dataclasses
import pathlib
import subprocess
import sys
import typing

import delay
import proxies
import sipp
import wire
from load import Load
from processes import java_of, processor_seconds
from runs import OutOfTime, add_common, heading, left, opened, ran_out, say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import builds  # noqa: E402
import figures  # noqa: E402
from builds import Missing  # noqa: E402

COLLECTORS = {"Serial": "-XX:+UseSerialGC", "Parallel": "-XX:+UseParallelGC", "G1": "-XX:+UseG1GC", "Z": "-XX:+UseZGC"}
DEBUG_LOG = "{level: off, levels: {sip: debug}, file: {folder}/proxy.log, lines-per-second: 1000000}"


@dataclasses.dataclass
class Variant:
    """A knob in one position: what makes the proxy, which may be Missing."""
    knob: str
    name: str
    make: typing.Callable[[], proxies.Proxy]


def variants(asked):
    """Those of the knobs on loopback, in the order of the tables."""
    def ours(name, options="", **config):
        return lambda: proxies.configured(asked.offhook, proxies.relay_config(**config), name=name, options=options)

    def relay(name, kind="loops", **more):
        return lambda: proxies.relay_threads(kind, "relay", name, **more)

    def jain(threads):
        return lambda: proxies.jain(None, threads, 0)
    result = [Variant("log", "Offhook, off", ours("Offhook")),
              Variant("log", "Offhook, sip=debug to a file", ours("Offhook", log=DEBUG_LOG))]
    result += [Variant("log", f"relay, {word}", relay("relay", log=word)) for word in ("off", "guarded", "unguarded", "written")]
    for name in asked.collectors:
        option = COLLECTORS[name]
        result.append(Variant("collector", f"Offhook, {name}", ours("Offhook", f"{option} -Xmx1g")))
        result.append(Variant("collector", f"relay, {name}", relay("relay", options=f"{option} -Xmx1g")))
    result += [Variant("buffer", f"Offhook, {size or 'that of the system'}", ours("Offhook", buffer=size or "0B"))
               for size in asked.buffers]
    result += [Variant("threads", "Offhook, a loop a core", ours("Offhook")),
               Variant("threads", "Offhook, one loop", ours("Offhook", lanes=1)),
               Variant("threads", "relay, two loops", relay("relay")),
               Variant("threads", "relay, a thread a message", relay("relay", "threads")),
               Variant("threads", "relay, a virtual thread a message", relay("relay", "virtual")),
               Variant("threads", "JAIN SIP, 16 threads", jain(16)),
               Variant("threads", "JAIN SIP, a thread a message", jain(-1))]
    return [one for one in result if one.knob in asked.knobs]


def collections(pid):
    """Collections and their milliseconds since the start of a Java machine, by jstat; None where there is none."""
    java = java_of(pid)
    if java is None:
        return None
    done = subprocess.run([str(builds.jdk25() / "jstat"), "-gc", str(java)], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    if len(lines) < 2:
        return None
    row = dict(zip(lines[0].split(), lines[1].split()))
    number = sum(float(row.get(name, "0").replace("-", "0").replace(",", ".")) for name in ("YGC", "FGC", "CGC"))
    return round(number), float(row.get("GCT", "0").replace(",", ".")) * 1000


class Lessons(Load):
    """Variants, one after the other."""
    def observed(self, proxy, rate, seconds, around=None, **more):
        """A run at a rate: CPU a call, collections, and what `around` observed."""
        pid = proxy.process.pid

        def both(*ports):
            also = around(*ports) if around else None
            cpu, before = sum(processor_seconds(pid)), collections(pid)

            def ended():
                used, after = sum(processor_seconds(pid)) - cpu, collections(pid)
                number, ms = (after[0] - before[0], after[1] - before[1]) if after and before else (0, 0)
                return used, {"collections": number, "collectionMs": round(ms, 1)}, also() if also else None
            return ended
        run, (used, pauses, seen) = self.calls(rate, seconds, proxy, both, **more)
        cpu_us = round(used * 1e6 / max(1, run["callsMade"]), 1)
        return run | pauses | {"clean": sipp.is_clean(run), "cpuUs": cpu_us}, seen

    def steady(self, proxy, rate, seconds):
        """The run for CPU, with how long messages stay in the proxy where tcpdump may look."""
        if delay.missing():
            return self.observed(proxy, rate, seconds)[0] | {"stays": {}}
        file = self.folder / "steady.pcap"
        run, lost = self.observed(proxy, rate, seconds, lambda *_: delay.Capture(file, proxy.port).end)
        stays = delay.summary(delay.delays(file, proxy.port)[0]).get("all", {})
        file.unlink()
        return run | {"captureLost": lost, "stays": stays}

    def reached(self, proxy, ramp):
        """The calls a second of the last clean run of growing rates; 0 without one."""
        best = 0
        for rate in ramp:
            run, _ = self.calls(rate, self.asked.ramp_seconds, proxy)
            if not (sipp.is_clean(run) and proxy.is_running()):
                break
            best = run["callsPerSecond"]
        return best

    def variant(self, one, ramp):
        proxy = self.ends(one.make())
        folder = self.folder / f"variant-{len(self.runs)}"
        folder.mkdir()
        proxy.start(folder)
        try:
            self.calls(self.asked.rate, self.asked.warm_up, proxy)
            run = self.steady(proxy, self.asked.rate, self.asked.seconds)
            rates = [self.asked.rate, *ramp] if run["clean"] else []
            run["reached"] = (self.reached(proxy, ramp) or run["callsPerSecond"]) if rates else 0
        finally:
            proxy.stop()
        say(f"{one.knob}: {one.name}: {run['reached']:.0f}/s reached, {run['cpuUs']} us a call, {run['callsFailed']} failed")
        return self.record("lesson", proxy.key, {"knob": one.knob, "variant": one.name, **run})


def on_loopback(load, missing):
    asked = load.asked
    todo = variants(asked)
    if not todo:
        return
    ramp = []
    for rate in asked.ramp:
        run, _ = load.calls(rate, asked.ramp_seconds)
        run["clean"] = sipp.is_clean(run)
        load.record("direct", "none", run)
        if not run["clean"]:
            say(f"sipp alone is not clean at {rate}/s: the ramp ends before")
            break
        ramp.append(rate)
    for one in todo:
        try:
            load.variant(one, ramp)
        except Missing as e:
            missing[one.name] = str(e)
            say(f"{one.name} is left out: {e}")


def report(load, missing):
    asked = load.asked
    text = heading("One knob at a time", f"INVITE 180 200 ACK BYE 200 by sipp, UDP; CPU and delay at {asked.rate:,} calls/s, "
                   f"ramp {', '.join(map(str, asked.ramp))}; {asked.ring} ms between 180 and 200, {asked.talk} ms between ACK "
                   "and BYE.", "sip-lessons.sh", asked)
    for knob in dict.fromkeys(run["knob"] for run in load.of("lesson")):
        cells = [[run["variant"], f"{run['reached']:,.0f}" if run["reached"] else f"under {run['rate']:,}", f"{run['cpuUs']:,.0f}",
                  *(f"{run['stays'][word]:,.0f}" if run["stays"] else "" for word in ("p99Us", "p999Us")),
                  str(run["callsFailed"]), str(run["retransmitted"]), f"{run['collections']}", f"{run['collectionMs']:,.0f}"]
                 for run in load.of("lesson") if run["knob"] == knob]
        text += f"\n\n{knob}:\n\n" + figures.table(
            ["variant", "calls/s reached", "CPU us/call", "p99, us", "p99.9, us", "failed", "sent again", "collections", "ms of them"],
            1, cells)
    return text + wire.tables(load) + ran_out(missing)


def arguments():
    parser = argparse.ArgumentParser(prog="sip-lessons.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--knobs", default="log,collector,buffer,threads", help="with commas (%(default)s)")
    parser.add_argument("--rate", type=int, default=1000, help="calls a second of the run for CPU and delay (1000)")
    parser.add_argument("--seconds", type=int, default=10, help="of that run (10)")
    parser.add_argument("--warm-up", type=int, default=10, help="seconds of calls before it (10)")
    parser.add_argument("--ramp", default="2000,3000,4000", help="calls a second, growing (%(default)s)")
    parser.add_argument("--ramp-seconds", type=int, default=5, help="of each run of the ramp (5)")
    parser.add_argument("--ring", type=int, default=50, metavar="MS", help="between 180 and 200 (50)")
    parser.add_argument("--talk", type=int, default=50, metavar="MS", help="between ACK and BYE (50)")
    parser.add_argument("--buffers", default="16KiB,208KiB,4MiB", help="receive buffers of the proxy (%(default)s)")
    parser.add_argument("--queues", default="10,1000,50000", help="txqueuelen (%(default)s)")
    parser.add_argument("--wire-rate", type=int, default=1000, help="calls a second on veth (1000)")
    parser.add_argument("--holds", default="0,30,180", help="seconds that calls are held (%(default)s)")
    parser.add_argument("--hold-rate", type=int, default=200, help="calls a second that are held (200)")
    parser.add_argument("--collectors", default=",".join(COLLECTORS), help="with commas (%(default)s)")
    parser.add_argument("--offhook", default="./offhook", metavar="PROGRAM", help="Offhook (%(default)s)")
    add_common(parser, 60)
    asked = parser.parse_args()
    if asked.quick:
        asked.rate, asked.seconds, asked.warm_up, asked.ramp, asked.ramp_seconds = 20, 1, 1, "30", 1
        asked.wire_rate, asked.hold_rate, asked.holds, asked.collectors = 20, 20, "0,2", "Serial,G1"
        asked.queues, asked.buffers = "10,1000", "16KiB"
    for name in ("ramp", "queues", "holds"):
        try:
            setattr(asked, name, [int(word) for word in getattr(asked, name).split(",")])
        except ValueError:
            parser.error(f"--{name} {getattr(asked, name)} are not numbers with commas")
    asked.buffers, asked.knobs, asked.collectors = (words.split(",") for words in (asked.buffers, asked.knobs, asked.collectors))
    known = ("log", "collector", "buffer", "threads", *wire.KNOBS)
    for word, among in [(word, known) for word in asked.knobs] + [(word, COLLECTORS) for word in asked.collectors]:
        if word not in among:
            parser.error(f"there is no {word}; there are {', '.join(among)}")
    asked.caller_cores = asked.callee_cores = None
    return asked


def main():
    asked = arguments()
    with opened(asked, "sip-lessons", Lessons) as load:
        missing = {}
        try:
            on_loopback(load, missing)
            wire.on_veth(load, {name: COLLECTORS[name] for name in asked.collectors}, missing)
        except OutOfTime as e:
            missing["the rest"] = str(e)
        print(report(load, missing))
        left(asked, missing)


if __name__ == "__main__":
    main()
