#!/usr/bin/env python3
"""SIP proxies under load, with sipp as caller and callee on 127.0.0.1: CPU a call, failures, added delay.

    lab/bench/sip-load.sh [--rates 1000,2000,3000] [--peers offhook,kamailio,jain] [--seconds 15] [--json FILE]
    lab/bench/sip-load.sh --search                 # and the highest rate at which each stays clean
    lab/bench/sip-load.sh --overload               # more calls than a proxy can serve: what is refused, what stays

A call is INVITE 180 200 ACK BYE 200, where ACK and BYE follow the recorded route. First sipp against sipp without a proxy
at each rate: unless that is clean, figures of that rate say nothing about proxies, and the rate is left out. Then the proxies
in turn, each started once and warmed up. Clean is: all calls good, nothing sent twice by anybody, and the rate reached.
CPU is that of the proxy's process, its threads and its children, from /proc. The added delay is measured at the rate of
--delay-rate, from packets on lo, in two ways: the time between a message's arrival at the proxy and its departure, and the
time in which the caller has the first answer to its INVITE, less that of sipp against sipp without a proxy; of the
difference, each way through the proxy is half. That needs tcpdump and root.

Needs sipp (Debian: sip-tester), and what a peer needs: kamailio; Maven for JAIN SIP; a built Offhook. What is missing is
reported, and the others run. Without --ring and --talk, 180 and 200 leave the callee back to back, and so do ACK and BYE
the caller: a proxy whose workers take them from one socket may reorder them, and the call fails. With some milliseconds
between them, that is not measured, and capacity is.

Each sipp is one thread and wants a core of its own: give it one by --caller-cores and --callee-cores, and the proxy others
by --proxy-cores; on two cores all share. A quiet machine, please.
"""
import argparse
import functools
import pathlib
import shutil
import sys
import time

import delay
import proxies
import sipp
from overload import measure_overload, overload_cells
from processes import processor_seconds, resident_bytes
from runs import OutOfTime, Runs, add_common, heading, left, opened, ran_out, say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import figures  # noqa: E402
from builds import Missing  # noqa: E402

PEERS = (*proxies.OFFHOOKS, "kamailio", "jain")
MOST_RATE = 40_000


class Load(Runs):
    """The runs of calls, and what is started for them."""
    place = sipp.LOOPBACK

    def calls(self, rate, seconds, proxy=None, around=None, **more):
        cores = (self.asked.caller_cores, self.asked.callee_cores)
        folder = self.next_folder()
        try:
            return sipp.calls(folder, rate, seconds, proxy.port if proxy else None, cores,
                              (self.asked.ring, self.asked.talk), around,
                              place=self.place, proxy_pid=proxy.process.pid if proxy else "self", **more)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def direct(self, rate, kind="direct"):
        """sipp against sipp: what the scenario and the machine allow without a proxy."""
        run, _ = self.calls(rate, self.asked.seconds)
        return self.record(kind, "none", run | {"clean": sipp.is_clean(run)})

    def through(self, proxy, rate, seconds=None, kind="calls"):
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
        entry = self.record(kind, proxy.key, run | {
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
        folder = self.folder / proxy.key
        folder.mkdir(exist_ok=True)
        self.ends(proxy).start(folder)
        if proxy.warm_up:
            say(f"{proxy.name}: {proxy.warm_up} s of calls to warm up")
            self.calls(min(proxy.warm_up_rate, *self.asked.rates), proxy.warm_up, proxy)

    def delays(self, proxy, rate=None):
        """The delay that the proxy adds to a message, from packets on lo; without a proxy, only when the answer came."""
        if proxy:
            self.ready(proxy)
        rate = rate or self.asked.delay_rate
        file = self.folder / "delay.pcap"
        ports = []

        def around(caller_port, _):
            ports.append(caller_port)
            return delay.Capture(file, proxy.port if proxy else caller_port).end
        run, lost = self.calls(rate, self.asked.seconds, proxy, around)
        values = {"rate": rate, "clean": sipp.is_clean(run), "captureLost": lost,
                  "answer": delay.percentiles(delay.answers(file, ports[0]))}
        if proxy:
            by_kind, never_left = delay.delays(file, proxy.port)
            values |= {"neverLeft": never_left, **delay.summary(by_kind)}
        file.unlink()
        name = proxy.name if proxy else "no proxy"
        say(f"{name}: delays at {rate}/s, {lost} packets lost by tcpdump")
        return self.record("delay", proxy.key if proxy else "none", values)

    def is_clean_through(self, proxy, rate):
        """Whether one of two runs is clean: something else on the machine may spoil one."""
        return any(self.through(proxy, rate, self.asked.search_seconds, "search")["clean"] for _ in range(2))

    def search(self, proxy, known, lowest):
        """
        The highest rate that is clean: upwards by a quarter from one that is known to be, then between the last two to 5 %.
        Without a known one, downwards by halves from the lowest of the rates first, to an eighth of it; 0 where none is.
        """
        clean, unclean, is_sipp = known, None, False
        while not clean and (rate := (unclean or lowest) // 2) >= max(1, lowest // 8):
            clean, unclean = (rate, unclean) if self.is_clean_through(proxy, rate) else (0, rate)
        while clean and (unclean is None or unclean > clean * 1.05) and clean < self.asked.most_rate:
            rate = (clean + unclean) / 2 if unclean else clean * 1.25
            rate = int(round(rate, 0 if clean < 200 else -1 if clean < 2000 else -2))
            if rate in (clean, unclean):
                break
            if not any(self.direct(rate, "search-direct")["clean"] for _ in range(2)):
                say(f"sipp alone is not clean at {rate}/s: no higher rate can be measured here")
                unclean, is_sipp = rate, True
            elif self.is_clean_through(proxy, rate):
                clean = rate
            else:
                unclean, is_sipp = rate, False
        return self.record("highest", proxy.key, {"cleanRate": clean, "uncleanRate": unclean, "limitedBySipp": is_sipp})


def peers(asked):
    """Those that are asked for and that can be built; what the others lack."""
    wanted = [word for word in asked.peers.split(",") if word]
    unknown = [word for word in wanted if word not in PEERS]
    if unknown:
        raise SystemExit(f"sip-load: there is no peer {', '.join(unknown)}; there are {', '.join(PEERS)}")
    makers = {
        **{key: functools.partial(proxies.offhook, key, asked.offhook, asked.offhook_port, asked.proxy_cores, asked.warm_up)
           for key in proxies.OFFHOOKS},
        "kamailio": lambda: proxies.kamailio("kamailio-relay.cfg", asked.proxy_cores, asked.children),
        "jain": lambda: proxies.jain(asked.proxy_cores, asked.jain_threads, asked.warm_up),
    }
    found, missing = [], {}
    for key in wanted:
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
        for proxy in [None, *found]:
            try:
                load.delays(proxy)
            except RuntimeError as e:
                say(f"no delays: {e}")
                break
    if asked.search and rates:
        for proxy in found:
            good = [run["rate"] for run in load.runs if run["kind"] == "calls" and run["peer"] == proxy.key and run["clean"]]
            load.search(proxy, max(good, default=0), min(rates))


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def call_table(load, names):
    rows = []
    for run in load.of("direct") + load.of("calls"):
        key = (run["peer"], run["rate"])
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
    return cells and figures.table(
        ["proxy", "asked/s", "calls", "failed", "failed at callee", "out of order", "sent again", "repeated", "calls/s",
         "user us/call", "system us/call", "CPU us/call", "MB", "dropped"], 1, cells)


PERCENTILES = ("p50Us", "p99Us", "p999Us", "maxUs")


def delay_tables(load, names):
    """What each proxy adds to a message, and when the first answer came with it and without one."""
    cells = [[names[run["peer"]], part, f"{values['messages']:,}", *(f"{values[k]:,.0f}" for k in PERCENTILES)]
             for run in load.of("delay") for part in ("all", "INVITE") if (values := run.get(part))]
    if not cells:
        return ""
    text = f"\n\nDelay that a proxy adds to a message, at {load.asked.delay_rate:,} calls/s, in microseconds:\n\n"
    text += figures.table(["proxy", "messages", "number", "p50", "p99", "p99.9", "most"], 2, cells)
    without = next((run["answer"] for run in load.of("delay") if run["peer"] == "none"), None)
    cells = []
    for run in load.of("delay"):
        values = run["answer"]
        added = [""] * 3
        if values and without and run["peer"] != "none":
            added = [f"{(values[k] - without[k]) / 2:,.0f}" for k in PERCENTILES[:3]]
        if values:
            cells.append([names.get(run["peer"], "no proxy"), *(f"{values[k]:,.0f}" for k in PERCENTILES), *added])
    text += "\n\nFrom INVITE to the first 180 at the caller, and half of what is beyond that without a proxy, in microseconds:\n\n"
    return text + figures.table(
        ["proxy", "p50", "p99", "p99.9", "most", "added a hop, p50", "added, p99", "added, p99.9"], 1, cells)


def report(load, found, missing):
    """The tables, in Markdown."""
    asked, names = load.asked, {one.key: f"{one.name} ({one.version})" for one in found}
    question = (f"INVITE 180 200 ACK BYE 200, sipp on both sides, UDP on loopback; {asked.ring} ms between 180 and 200, "
                f"{asked.talk} ms between ACK and BYE. Cores: " + ", ".join(f"{who} {cores or 'any'}" for who, cores in (
                    ("caller", asked.caller_cores), ("callee", asked.callee_cores), ("proxy", asked.proxy_cores))) + ".")
    text = heading("SIP proxies", question, "sip-load.sh", asked)
    calls = call_table(load, names)
    if calls:
        text += "\n\n" + calls
    text += delay_tables(load, names)
    cells = [[names[run["peer"]], f"{run['cleanRate']:,}", f"{run['uncleanRate']:,}" if run["uncleanRate"] else "not reached",
              not run["uncleanRate"] and "nothing" or run["limitedBySipp"] and "sipp" or "the proxy"] for run in load.of("highest")]
    if cells:
        text += f"\n\nHighest clean rate, in runs of {asked.search_seconds} s:\n\n"
        text += figures.table(["proxy", "clean calls/s", "not clean", "what was not"], 1, cells)
    cells = overload_cells(load.runs, names)
    if cells:
        text += "\n\nMore calls than the proxy can serve; good calls a second until the last one was over:\n\n"
        text += figures.table(["proxy", "capacity", "asked/s", "good/s", "of capacity", "refused/s", "failed", "sent again",
                               "CPU us/call", "dropped"], 1, cells)
    return text + ran_out(missing)


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
    parser.add_argument("--overload", action="store_true",
                        help="measure with multiples of the capacity instead; --peers offhook,offhook-unprotected has"
                             " Offhook with and without its overload control")
    parser.add_argument("--capacity", type=int, default=0, metavar="RATE",
                        help="calls a second that the proxies can serve; 0: the highest clean rate, searched for (0)")
    parser.add_argument("--factors", default="0.8,1.2,2", metavar="LIST", help="multiples of the capacity (%(default)s)")
    parser.add_argument("--proxy-share", type=int, default=0, metavar="PERCENT",
                        help="with --overload, of one core that the proxy has once it is warm, so that sipp can offer more than"
                             " it serves; by a control group, as root; 0: all it can get (0)")
    for who in ("caller", "callee", "proxy"):
        parser.add_argument(f"--{who}-cores", metavar="LIST", help=f"cores of the {who}, as taskset takes them (any)")
    parser.add_argument("--most-rate", type=int, default=MOST_RATE, help=f"where the search ends ({MOST_RATE})")
    add_common(parser, 60)
    asked = parser.parse_args()
    if asked.quick:
        asked.rates, asked.seconds, asked.warm_up, asked.delay_rate = "20", 2, 2, min(20, asked.delay_rate)
        asked.search_seconds, asked.most_rate = 2, 25
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
    with opened(asked, "sip-load", Load) as load:
        found, missing = peers(asked)
        every = list(found)
        began = time.monotonic()
        try:
            if asked.overload:
                measure_overload(load, found, missing, say)
            else:
                measure(load, found, missing)
        except OutOfTime as e:
            missing["the rest"] = str(e)
        say(f"took {time.monotonic() - began:.0f} s")
        print(report(load, every, missing))
        left(asked, missing)


if __name__ == "__main__":
    main()
