#!/usr/bin/env python3
"""SIP proxies under load, with sipp as caller and callee on 127.0.0.1: CPU a call, failures, added delay.

    lab/bench/sip-load.sh [--rates 1000,2000,3000] [--peers offhook,kamailio,jain] [--seconds 15] [--json FILE]
    lab/bench/sip-load.sh --search                 # and the highest rate at which each stays clean
    lab/bench/sip-load.sh --registrations 100000   # registrars instead: bindings, refreshes, memory
    lab/bench/sip-load.sh --overload               # more calls than a proxy can serve: what is refused, what stays

A call is INVITE 180 200 ACK BYE 200, where ACK and BYE follow the recorded route. First sipp against sipp without a proxy
at each rate: unless that is clean, figures of that rate say nothing about proxies, and the rate is left out. Then the proxies
in turn, each started once and warmed up. Clean is: all calls good, nothing sent twice by anybody, and the rate reached.
CPU is that of the proxy's process, its threads and its children, from /proc. The added delay is measured at the rate of
--delay-rate, from packets on lo between a message's arrival at the proxy and its departure; that needs tcpdump and root.

Needs sipp (Debian: sip-tester), and what a peer needs: kamailio; Maven for JAIN SIP; a built Offhook. What is missing is
reported, and the others run. Without --ring and --talk, 180 and 200 leave the callee back to back, and so do ACK and BYE
the caller: a proxy whose workers take them from one socket may reorder them, and the call fails. With some milliseconds
between them, that is not measured, and capacity is.

Each sipp is one thread and wants a core of its own: give it one by --caller-cores and --callee-cores, and the proxy others
by --proxy-cores; on two cores all share. A quiet machine, please.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import sys
import tempfile
import time

import delay
import proxies
import sipp
from overload import measure_overload, overload_cells
from processes import processor_seconds, resident_bytes
from registrations import measure_registrations

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import figures  # noqa: E402
from builds import Missing  # noqa: E402

PEERS = ("offhook", "offhook-unprotected", "kamailio", "jain")
MOST_RATE = 40_000


class Load:
    """The runs, their JSON lines, and the folder that all of them share."""
    def __init__(self, asked, folder, lines):
        self.asked, self.folder, self.lines = asked, pathlib.Path(folder), lines
        self.number = 0
        self.runs = []

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

    def calls(self, rate, seconds, proxy=None, around=None, scenario="caller"):
        cores = (self.asked.caller_cores, self.asked.callee_cores)
        folder = self.next_folder()
        try:
            return sipp.calls(folder, rate, seconds, proxy.port if proxy else None, cores,
                              (self.asked.ring, self.asked.talk), around, scenario)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def direct(self, rate):
        """sipp against sipp: what the scenario and the machine allow without a proxy."""
        run, _ = self.calls(rate, self.asked.seconds)
        return self.record("direct", "none", run | {"clean": sipp.is_clean(run)})

    def through(self, proxy, rate, seconds=None):
        """A run through a proxy, with its processor time; restarts the proxy where it died or is left with a backlog."""
        self.ready(proxy)
        pid = proxy.process.pid

        def around(*_):
            user, system = processor_seconds(pid)

            def ended():
                later = processor_seconds(pid)
                return max(0, later[0] - user), max(0, later[1] - system), resident_bytes(pid)
            return ended
        run, (user, system, resident) = self.calls(rate, seconds or self.asked.seconds, proxy, around)
        made = max(1, run["callsMade"])
        clean = sipp.is_clean(run) and proxy.is_running()
        if not proxy.is_running():
            run["firstError"] = f"the proxy ended: {proxy.said()}"
        entry = self.record("calls", proxy.key, run | {
            "clean": clean, "userUs": round(user * 1e6 / made, 1), "systemUs": round(system * 1e6 / made, 1),
            "cpuUs": round((user + system) * 1e6 / made, 1), "residentMB": round(resident / 1e6)})
        say(f"{proxy.name}, {rate}/s: {run['callsGood']} of {run['callsAsked']} good, {run['retransmitted']} sent again, "
            f"{run['repeated']} repeated, {entry['cpuUs']} us CPU a call{'' if clean else ', not clean ' + run['firstError']}")
        if not clean:
            proxy.stop()  # what it still has to do must not count for the next run
        return entry

    def ready(self, proxy):
        if proxy.is_running():
            return
        proxy.start(self.folder)
        if proxy.warm_up:
            say(f"{proxy.name}: {proxy.warm_up} s of calls to warm up")
            self.calls(min(self.asked.rates), proxy.warm_up, proxy)

    def delays(self, proxy):
        """The delay that the proxy adds to a message, from packets on lo."""
        self.ready(proxy)
        file = self.folder / "delay.pcap"

        def around(*_):
            capture = delay.Capture(file, proxy.port)
            return capture.end
        run, lost = self.calls(self.asked.delay_rate, self.asked.seconds, proxy, around)
        by_kind, never_left = delay.delays(file, proxy.port)
        file.unlink()
        say(f"{proxy.name}: delay of {sum(map(len, by_kind.values()))} messages, {lost} packets lost by tcpdump")
        return self.record("delay", proxy.key, {
            "rate": self.asked.delay_rate, "clean": sipp.is_clean(run), "captureLost": lost, "neverLeft": never_left,
            **delay.summary(by_kind)})

    def search(self, proxy, least):
        """The highest rate that is clean: upwards by a quarter from one that is, then between the last two to 5 %."""
        clean, unclean = least, None
        while (unclean is None or unclean > clean * 1.05) and clean < MOST_RATE:
            rate = round((clean + unclean) / 2 if unclean else clean * 1.25, -1 if clean < 2000 else -2)
            rate = int(rate)
            if rate in (clean, unclean):
                break
            if not self.direct(rate)["clean"]:
                say(f"sipp alone is not clean at {rate}/s: no higher rate can be measured here")
                unclean = rate
                continue
            if self.through(proxy, rate, self.asked.search_seconds)["clean"]:
                clean = rate
            else:
                unclean = rate
        return self.record("highest", proxy.key, {"cleanRate": clean, "uncleanRate": unclean})


def say(text):
    print(text, file=sys.stderr, flush=True)


def peers(asked):
    """Those that are asked for and that can be built; what the others lack."""
    wanted = [word for word in asked.peers.split(",") if word]
    unknown = [word for word in wanted if word not in PEERS]
    if unknown:
        raise SystemExit(f"sip-load: there is no peer {', '.join(unknown)}; there are {', '.join(PEERS)}")
    makers = {
        "offhook": lambda: proxies.offhook(asked.offhook, asked.offhook_port, asked.proxy_cores, asked.warm_up),
        "offhook-unprotected": lambda: proxies.offhook(
            asked.offhook, asked.offhook_port, asked.proxy_cores, asked.warm_up, is_protected=False),
        "kamailio": lambda: proxies.kamailio(
            "kamailio-registrar.cfg" if asked.registrations else "kamailio-relay.cfg", asked.proxy_cores, asked.children),
        "jain": lambda: proxies.jain(asked.proxy_cores, asked.jain_threads, asked.warm_up),
    }
    found, missing = [], {}
    for key in wanted:
        if key == "jain" and asked.registrations:
            continue
        try:
            found.append(makers[key]())
        except Missing as e:
            missing[key] = str(e)
            say(f"{key} is left out: {e}")
    return found, missing


def measure(load, found, missing):
    asked = load.asked
    rates = []
    for rate in asked.rates:
        run = load.direct(rate)
        say(f"no proxy, {rate}/s: {run['callsGood']} of {run['callsAsked']} good, {run['retransmitted']} sent again")
        if run["clean"]:
            rates.append(rate)
        else:
            say(f"sipp alone is not clean at {rate}/s ({run['firstError'] or 'rate not reached'}): this rate is left out")
    for _ in range(asked.turns):
        for rate in rates:
            for proxy in list(found):
                try:
                    load.through(proxy, rate)
                except Missing as e:
                    missing[proxy.key] = str(e)
                    found.remove(proxy)
                    say(f"{proxy.key} is left out: {e}")
    why = delay.missing()
    if why:
        say(f"no delays: {why}")
    elif asked.delay_rate:
        for proxy in found:
            try:
                load.delays(proxy)
            except RuntimeError as e:
                say(f"no delays: {e}")
                break
    if asked.search and rates:
        for proxy in found:
            good = [run["rate"] for run in load.runs if run["kind"] == "calls" and run["peer"] == proxy.key and run["clean"]]
            load.search(proxy, max(good, default=min(rates) // 2))


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def report(load, found, missing):
    """The tables, in Markdown."""
    asked, names = load.asked, {one.key: f"{one.name} ({one.version})" for one in found}
    facts = figures.machine() | {
        "command": shlex.join(["lab/bench/sip-load.sh", *sys.argv[1:]]),
        "cores": ", ".join(f"{who} {cores or 'any'}" for who, cores in (
            ("caller", asked.caller_cores), ("callee", asked.callee_cores), ("proxy", asked.proxy_cores))),
    }
    question = (f"INVITE 180 200 ACK BYE 200, sipp on both sides, UDP on loopback; {asked.ring} ms between 180 and 200, "
                f"{asked.talk} ms between ACK and BYE.")
    if asked.registrations:
        question = "REGISTER by sipp, UDP on loopback."
    text = figures.head("SIP proxies", question, facts)
    rows = []
    for run in load.runs:
        if run["kind"] == "direct":
            key = ("none", run["rate"])
        elif run["kind"] == "calls":
            key = (run["peer"], run["rate"])
        else:
            continue
        if key not in [row[0] for row in rows]:
            rows.append((key, []))
        next(row for row in rows if row[0] == key)[1].append(run)
    cells = []
    for (peer, rate), runs in rows:
        cells.append([names.get(peer, "no proxy"), f"{rate:,}", f"{sum(r['callsMade'] for r in runs):,}",
                      str(sum(r["callsFailed"] for r in runs)), str(sum(r["callsFailedAtCallee"] for r in runs)),
                      str(sum(r["unexpected"] for r in runs)), str(sum(r["retransmitted"] for r in runs)),
                      str(sum(r["repeated"] for r in runs)), f"{median([r['callsPerSecond'] for r in runs]):,.0f}",
                      *([f"{median([r[k] for r in runs]):,.0f}" for k in ("userUs", "systemUs", "cpuUs", "residentMB")]
                        if peer != "none" else [""] * 4),
                      str(sum(sum(r["drops"].values()) for r in runs))])
    if cells:
        text += "\n\n" + figures.table(
            ["proxy", "asked/s", "calls", "failed", "failed at callee", "out of order", "sent again", "repeated", "calls/s",
             "user us/call", "system us/call", "CPU us/call", "MB", "dropped"], 1, cells)
    cells = [[names[run["peer"]], part, f"{values['messages']:,}", *(f"{values[k]:,.0f}" for k in
                                                                      ("p50Us", "p99Us", "p999Us", "maxUs"))]
             for run in load.runs if run["kind"] == "delay" for part in ("all", "INVITE") if (values := run.get(part))]
    if cells:
        text += f"\n\nDelay that a proxy adds to a message, at {asked.delay_rate:,} calls/s, in microseconds:\n\n"
        text += figures.table(["proxy", "messages", "number", "p50", "p99", "p99.9", "most"], 2, cells)
    cells = [[names[run["peer"]], f"{run['cleanRate']:,}", f"{run['uncleanRate'] or 0:,}"]
             for run in load.runs if run["kind"] == "highest"]
    if cells:
        text += f"\n\nHighest clean rate, in runs of {asked.search_seconds} s:\n\n"
        text += figures.table(["proxy", "clean calls/s", "not clean"], 1, cells)
    cells = [[names[run["peer"]], f"{run['bindings']:,}", f"{run['failed']}", f"{run['retransmitted']}",
              f"{run['registerCpuUs']:,.0f}", f"{run['refreshCpuUs']:,.0f}", f"{run['bytesPerBinding']:,.0f}",
              f"{run['heapBytesPerBinding']:,.0f}" if run["heapBytesPerBinding"] is not None else ""]
             for run in load.runs if run["kind"] == "registrations"]
    if cells:
        text += f"\n\nRegistrations, then refreshes at {asked.refresh_rate:,}/s:\n\n"
        text += figures.table(["registrar", "bindings", "failed", "sent again", "CPU us/registration", "CPU us/refresh",
                               "resident bytes/binding", "heap bytes/binding"], 1, cells)
    cells = overload_cells(load.runs, names)
    if cells:
        text += "\n\nMore calls than the proxy can serve; good calls a second until the last one was over:\n\n"
        text += figures.table(["proxy", "capacity", "asked/s", "good/s", "of capacity", "refused/s", "failed", "sent again",
                               "CPU us/call", "dropped"], 1, cells)
    if missing:
        text += "\n\nLeft out: " + "; ".join(f"{key}: {why}" for key, why in missing.items())
    return text


def arguments():
    parser = argparse.ArgumentParser(prog="sip-load.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="offhook,kamailio,jain",
                        help=f"which of {', '.join(PEERS)}, with commas (%(default)s)")
    parser.add_argument("--rates", default="1000,2000,3000", help="calls a second, with commas (1000,2000,3000)")
    parser.add_argument("--seconds", type=int, default=15, help="of each run (15)")
    parser.add_argument("--ring", type=int, default=0, metavar="MS", help="between 180 and 200 (0)")
    parser.add_argument("--talk", type=int, default=0, metavar="MS", help="between ACK and BYE (0)")
    parser.add_argument("--turns", type=int, default=1,
                        help="runs of each peer at each rate (1); the table has medians and sums")
    parser.add_argument("--warm-up", type=int, default=20,
                        help="seconds of calls before the first run of a peer in Java (20)")
    parser.add_argument("--delay-rate", type=int, default=1000,
                        help="calls a second for the added delay (1000); 0: none")
    parser.add_argument("--search", action="store_true", help="find the highest clean rate of each peer, too")
    parser.add_argument("--search-seconds", type=int, default=10, help="of each run of the search (10)")
    parser.add_argument("--offhook", default="./offhook proxy --config samples/proxy-relay.yaml", metavar="COMMAND",
                        help="Offhook's command line, run at the root of the repository (%(default)s)")
    parser.add_argument("--offhook-port", type=int, default=5070, help="the UDP port that its configuration names (5070)")
    parser.add_argument("--children", type=int, default=2, help="of Kamailio (2)")
    parser.add_argument("--jain-threads", type=int, default=16, help="of JAIN SIP (16)")
    parser.add_argument("--registrations", type=int, default=0, metavar="N",
                        help="measure registrars with so many bindings instead")
    parser.add_argument("--register-rate", type=int, default=3000, help="first registrations a second (3000)")
    parser.add_argument("--refresh-rate", type=int, default=1000, help="refreshes a second (1000)")
    parser.add_argument("--overload", action="store_true",
                        help="measure with multiples of the capacity instead; --peers offhook,offhook-unprotected has"
                             " Offhook with and without its overload control")
    parser.add_argument("--capacity", type=int, default=0, metavar="RATE",
                        help="calls a second that the proxies can serve; 0: the highest clean rate, searched for (0)")
    parser.add_argument("--factors", default="0.8,1.2,2", metavar="LIST", help="multiples of the capacity (%(default)s)")
    for who in ("caller", "callee", "proxy"):
        parser.add_argument(f"--{who}-cores", metavar="LIST", help=f"cores of the {who}, as taskset takes them (any)")
    parser.add_argument("--json", metavar="FILE", help="each run as a JSON object a line")
    asked = parser.parse_args()
    try:
        asked.rates = [int(word) for word in asked.rates.split(",")]
    except ValueError:
        parser.error(f"--rates {asked.rates} are not numbers with commas")
    try:
        asked.factors = [float(word) for word in asked.factors.split(",")]
    except ValueError:
        parser.error(f"--factors {asked.factors} are not numbers with commas")
    for rate in asked.rates:
        if not 1 <= rate <= MOST_RATE:
            parser.error(f"--rates {rate} is not within 1 and {MOST_RATE}")
    if asked.seconds < 1 or asked.turns < 1:
        parser.error("--seconds and --turns are at least 1")
    return asked


def main():
    asked = arguments()
    if not shutil.which("sipp"):
        sys.exit("sip-load: sipp is not installed (Debian: apt-get install sip-tester)")
    # ended by a signal is left as Ctrl-C is: everything that was started ends
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sip-load-"))
        lines = stack.enter_context(open(asked.json, "w", encoding="utf-8")) if asked.json else None
        found, missing = peers(asked)
        every = list(found)
        stack.callback(lambda: [one.stop() for one in every])
        load = Load(asked, folder, lines)
        began = time.monotonic()
        if asked.registrations:
            measure_registrations(load, found, missing, say)
        elif asked.overload:
            measure_overload(load, found, missing, say)
        else:
            measure(load, found, missing)
        say(f"took {time.monotonic() - began:.0f} s")
        print(report(load, every, missing))


if __name__ == "__main__":
    os.umask(0o077)
    main()
