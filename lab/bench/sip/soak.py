#!/usr/bin/env python3
"""Millions of transactions through Offhook, then nothing: no transaction and no memory may be left of them.

    lab/bench/sip-soak.sh [--transactions 10000000] [--calls 1500] [--options 4000]

A transaction is a state machine of RFC 3261, section 17, as `offhook proxy stats` counts them: the proxy has two for each
request, one towards the caller (server) and one towards the callee (client). So a call (INVITE, BYE) has four, an OPTIONS
two, and an ACK none. At 1,500 calls and 4,000 OPTIONS a second, ten million take 12 minutes.

First the same load for --warm-up seconds, then silence for --idle seconds, longer than timers H and J (32 s): from then on
everything is loaded and every table has the size that the load needs. Heap is what is alive after a full collection
(jcmd GC.class_histogram). Then the load, silence, and heap again. The exit code is 1 if transactions are left or the heap is
more than 5 % above that after the warm-up.

Needs sipp (Debian: sip-tester) and a built Offhook.
"""
import argparse
import pathlib
import sys
import threading
import time

import proxies
import sipp
from processes import processor_seconds, resident_bytes
from registrations import grown, live_classes
from runs import add_common, heading, opened, say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import figures  # noqa: E402

MOST_GROWTH = 0.05
LONGEST_RUN = 1200
"""seconds of one run of sipp, after which the next one begins"""


def transactions(proxy):
    """Those that began since the start, and those that run now, both of servers and clients."""
    kinds = proxy.statistics()["transactions"]
    return sum(kind["began"] for kind in kinds), sum(kind["running"] for kind in kinds)


def load(runs, proxy, seconds):
    """Calls and OPTIONS at the same time; what sipp counted of both."""
    asked, results, threads = runs.asked, {}, []
    kinds = {"calls": (asked.calls, ("caller", "callee")), "options": (asked.options, ("options", "answers"))}

    def one(kind, rate, scenarios):
        try:
            results[kind], _ = sipp.calls(runs.next_folder(), rate, seconds, proxy.port, proxy_pid=proxy.process.pid,
                                          scenarios=scenarios)
        except (OSError, RuntimeError) as e:
            results[kind] = {"callsMade": 0, "callsFailed": 0, "retransmitted": 0, "firstError": str(e)}
    for kind, (rate, scenarios) in kinds.items():
        if rate:
            threads.append(threading.Thread(target=one, args=(kind, rate, scenarios), daemon=True))
            threads[-1].start()
    for thread in threads:
        thread.join()
    return results


def look(runs, proxy, kind, seconds):
    """After the timers have ended: what is left."""
    time.sleep(seconds)
    began, running = transactions(proxy)
    classes = live_classes(proxy.process.pid)
    entry = runs.record(kind, proxy.key, {"transactionsBegun": began, "transactionsLeft": running,
                                          "heapBytes": sum(classes.values()), "residentBytes": resident_bytes(proxy.process.pid)})
    say(f"{kind}: {began:,} transactions begun, {running:,} left, {entry['heapBytes']:,} bytes of heap")
    return entry, classes


def soak(runs, proxy):
    asked = runs.asked
    a_second = 4 * asked.calls + 2 * asked.options
    say(f"{asked.transactions:,} transactions at {a_second:,}/s: {asked.transactions / a_second / 60:.1f} minutes, "
        f"and {(asked.warm_up + 2 * asked.idle) / 60:.1f} before and after")
    load(runs, proxy, asked.warm_up)
    before, classes = look(runs, proxy, "warm", asked.idle)
    cpu, began = sum(processor_seconds(proxy.process.pid)), time.monotonic()
    target, reached = before["transactionsBegun"] + asked.transactions, before["transactionsBegun"]
    while reached < target:
        seconds = max(1, min(LONGEST_RUN, round((target - reached) / a_second)))
        results = load(runs, proxy, seconds)
        now, _ = transactions(proxy)
        for kind, run in results.items():
            runs.record(kind, proxy.key, run)
            say(f"{kind}: {run['callsMade']:,} made, {run['callsFailed']} failed, {run['retransmitted']} sent again {run['firstError']}")
        if now == reached:
            sys.exit("sip-soak: the proxy begins no transactions any more")
        reached = now
        say(f"{reached - before['transactionsBegun']:,} of {asked.transactions:,} transactions")
    took = time.monotonic() - began
    after, classes_after = look(runs, proxy, "after", asked.idle)
    done = reached - before["transactionsBegun"]
    growth = after["heapBytes"] / before["heapBytes"] - 1
    return runs.record("soak", proxy.key, {
        "transactions": done, "seconds": round(took), "cpuUs": round((sum(processor_seconds(proxy.process.pid)) - cpu) * 1e6 / done, 1),
        "left": after["transactionsLeft"], "heapBefore": before["heapBytes"], "heapAfter": after["heapBytes"],
        "heapGrowth": round(growth, 4), "residentBefore": before["residentBytes"], "residentAfter": after["residentBytes"],
        "failed": sum(run["callsFailed"] for kind in ("calls", "options") for run in runs.of(kind)),
        "grownClasses": grown(classes, classes_after), "passed": after["transactionsLeft"] == 0 and growth <= MOST_GROWTH})


def report(runs, proxy, result):
    asked = runs.asked
    text = heading("Transactions that end", f"{asked.calls:,} calls and {asked.options:,} OPTIONS a second by sipp, UDP on "
                   f"loopback; silence for {asked.idle} s before heap and transactions are read.", "sip-soak.sh", asked)
    text += "\n\n" + figures.table(
        ["proxy", "transactions", "failed requests of calls", "seconds", "CPU us/transaction", "left", "heap before, KB", "after",
         "growth", "resident before, MB", "after"], 1,
        [[f"{proxy.name} ({proxy.version})", f"{result['transactions']:,}", str(result["failed"]), f"{result['seconds']:,}",
          f"{result['cpuUs']:,.1f}", str(result["left"]), f"{result['heapBefore'] / 1024:,.0f}",
          f"{result['heapAfter'] / 1024:,.0f}", f"{result['heapGrowth']:.1%}", f"{result['residentBefore'] / 1e6:,.0f}",
          f"{result['residentAfter'] / 1e6:,.0f}"]])
    return text + "\n\n" + ("Passed: nothing is left." if result["passed"] else "Failed: transactions are left, or memory is; "
                            "what grew most: " + ", ".join(f"`{name}` {size:,}" for name, size in result["grownClasses"].items()))


def arguments():
    parser = argparse.ArgumentParser(prog="sip-soak.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transactions", type=int, default=10_000_000, help="server and client together (10000000)")
    parser.add_argument("--calls", type=int, default=1500, help="a second (1500); 0: none")
    parser.add_argument("--options", type=int, default=4000, help="a second (4000); 0: none")
    parser.add_argument("--warm-up", type=int, default=45, help="seconds of the same load before (45)")
    parser.add_argument("--idle", type=int, default=40, help="seconds of silence before each look (40)")
    parser.add_argument("--offhook", default="./offhook", metavar="PROGRAM", help="Offhook (%(default)s)")
    add_common(parser, 60)
    asked = parser.parse_args()
    if asked.quick:
        asked.transactions, asked.calls, asked.options, asked.warm_up, asked.idle = 2000, 50, 100, 3, 36
    if asked.transactions < 1 or asked.calls + asked.options < 1 or min(asked.calls, asked.options, asked.warm_up - 1) < 0:
        parser.error("--transactions, --warm-up and one of --calls and --options are at least 1")
    return asked


def main():
    asked = arguments()
    with opened(asked, "sip-soak") as runs:
        proxy = runs.ends(proxies.configured(asked.offhook, proxies.relay_config()))
        proxy.start(runs.folder)
        result = soak(runs, proxy)
        print(report(runs, proxy, result))
    # tiny numbers compare a machine that has just started: only what is left counts
    sys.exit(0 if result["passed"] or asked.quick and result["left"] == 0 else 1)


if __name__ == "__main__":
    main()
