#!/usr/bin/env python3
"""SIP registrars: so many bindings, then refreshes at a rate; CPU a refresh, heap a binding.

    lab/bench/sip-registrations.sh [--bindings 100000] [--refresh-rate 1000] [--seconds 60] [--peers offhook,kamailio]

sipp registers the bindings at --register-rate, which also warms up what is in Java, and refreshes them, in turns, one
registrar after the other. CPU is that of the registrar's process, its threads and its children, from /proc. Heap is what is
alive after a full collection (jcmd GC.class_histogram), before the first binding and after the last; resident memory is
beside it, since Kamailio has no heap. The classes that grew most say where the bytes are. Offhook keeps bindings in memory
only, without a journal, as Kamailio's usrloc does here (db_mode 0).

Needs sipp (Debian: sip-tester), a built Offhook, and kamailio for Kamailio.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import time

import proxies
import sipp
from processes import java_of, processor_seconds, resident_bytes
from runs import add_common, heading, left, opened, ran_out, say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import builds  # noqa: E402
import figures  # noqa: E402
from builds import Missing  # noqa: E402

DOMAIN = "example.com"
REGISTRAR = """\
listeners:
  - {name: udp, address: 127.0.0.1, port: {port}}
lanes: 2
open: true
domains: [example.com]
log: {level: off}
control: {socket: {folder}/control}
"""


def users(folder, number):
    """sipp's file of users, one a call, in order."""
    file = pathlib.Path(folder, "users.csv")
    with file.open("w") as out:
        out.write("SEQUENTIAL\n")
        out.writelines(f"user{one};{DOMAIN}\n" for one in range(1, number + 1))
    return file


def live_classes(pid):
    """Bytes alive in the heap of a Java machine after a full collection, by class; None where the process has none."""
    java = java_of(pid)
    if java is None:
        return None
    said = subprocess.run([str(builds.jdk25() / "jcmd"), str(java), "GC.class_histogram"], capture_output=True, text=True,
                          check=True).stdout
    return {found[2]: int(found[1]) for line in said.splitlines()
            if (found := re.match(r"\s*\d+:\s+\d+\s+(\d+)\s+(\S+)", line))}


def heap_bytes(pid):
    """The sum of live_classes."""
    classes = live_classes(pid)
    return None if classes is None else sum(classes.values())


def grown(before, after, most=6):
    """The classes that grew most, with the bytes."""
    changes = {name: size - before.get(name, 0) for name, size in after.items()}
    return dict(sorted(changes.items(), key=lambda one: -one[1])[:most])


def run(runs, proxy, file, number, rate, first_sequence):
    """Each of the first so many users registers once; what sipp counted, and the CPU of the registrar for each."""
    folder = runs.next_folder()
    before = sum(processor_seconds(proxy.process.pid))
    client = sipp.Sipp(folder, "register", [
        "-p", proxy.client_port, "-r", rate, "-m", number, "-l", min(sipp.MOST_CALLS, max(1000, rate * 40)), "-inf", file,
        "-cid_str", "binding-%u@127.0.0.1", "-base_cseq", first_sequence, "-timeout", f"{number // rate + 45}s",
        f"127.0.0.1:{proxy.port}"], runs.asked.caller_cores)
    try:
        client.finish(number / rate + 60)
    finally:
        client.stop()
    used = sum(processor_seconds(proxy.process.pid)) - before
    row = client.statistics()
    sent, repeated, _ = sipp.messages(client.counts())
    good = sipp.whole(row, "SuccessfulCall(C)")
    return {"good": good, "failed": number - good, "retransmitted": sent + repeated, "cpuUs": used * 1e6 / max(1, number),
            "perSecond": float(row.get("CallRate(C)") or 0), "firstError": client.first_error()}


def register(runs, proxy, file):
    """All bindings of a registrar, and the memory that they take."""
    asked, pid = runs.asked, proxy.process.pid
    # what a first registration loads and touches is no binding
    run(runs, proxy, users(runs.next_folder(), 1), 1, 1, 1)
    resident, classes = resident_bytes(pid), live_classes(pid)
    first = run(runs, proxy, file, asked.bindings, asked.register_rate, 2)
    say(f"{proxy.name}: {first['good']} of {asked.bindings} registered, {first['perSecond']:.0f}/s, {first['cpuUs']:.0f} us CPU each")
    time.sleep(asked.settle)  # transactions of REGISTER stay for 32 s (timer J), and are no bindings
    after = live_classes(pid)
    values = {"bindings": first["good"], "failed": first["failed"], "retransmitted": first["retransmitted"],
              "registerCpuUs": round(first["cpuUs"], 1), "bytesPerBinding": round((resident_bytes(pid) - resident) / asked.bindings),
              "heapBytesPerBinding": None, "grownClasses": {}, "firstError": first["firstError"]}
    if after is not None:
        values["heapBytesPerBinding"] = round((sum(after.values()) - sum(classes.values())) / asked.bindings)
        values["grownClasses"] = grown(classes, after)
    runs.record("registrations", proxy.key, values)


def refresh(runs, proxy, file, sequence):
    asked = runs.asked
    number = min(asked.bindings, asked.refresh_rate * asked.seconds)
    again = run(runs, proxy, file, number, asked.refresh_rate, sequence)
    say(f"{proxy.name}: {again['good']} of {number} refreshed, {again['cpuUs']:.0f} us CPU each")
    runs.record("refreshes", proxy.key, {
        "refreshes": number, "failed": again["failed"], "retransmitted": again["retransmitted"],
        "perSecond": round(again["perSecond"], 1), "cpuUs": round(again["cpuUs"], 1), "firstError": again["firstError"]})


def measure(runs, found, missing):
    file = users(runs.folder, runs.asked.bindings)
    for proxy in list(found):
        proxy.client_port = sipp.free_port()
        folder = runs.folder / proxy.key
        folder.mkdir()
        try:
            runs.ends(proxy).start(folder)
        except Missing as e:
            missing[proxy.key] = str(e)
            found.remove(proxy)
            say(f"{proxy.key} is left out: {e}")
            continue
        register(runs, proxy, file)
    for turn in range(runs.asked.turns):
        for proxy in found:
            refresh(runs, proxy, file, 3 + turn)


def report(runs, found, missing):
    asked, cells = runs.asked, []
    for proxy in found:
        first = next(run for run in runs.of("registrations") if run["peer"] == proxy.key)
        again = [run for run in runs.of("refreshes") if run["peer"] == proxy.key]
        heap = first["heapBytesPerBinding"]
        cells.append([f"{proxy.name} ({proxy.version})", f"{first['bindings']:,}",
                      str(sum(one["failed"] for one in [first, *again])), str(sum(one["retransmitted"] for one in [first, *again])),
                      f"{first['registerCpuUs']:,.0f}", f"{sorted(one['perSecond'] for one in again)[len(again) // 2]:,.0f}",
                      f"{sorted(one['cpuUs'] for one in again)[len(again) // 2]:,.0f}", f"{first['bytesPerBinding']:,}",
                      "" if heap is None else f"{heap:,}"])
    text = heading("SIP registrars", f"REGISTER by sipp, UDP on loopback; refreshes at {asked.refresh_rate:,}/s for "
                   f"{asked.seconds} s, {asked.turns} turns.", "sip-registrations.sh", asked)
    text += "\n\n" + figures.table(["registrar", "bindings", "failed", "sent again", "CPU us/registration", "refreshes/s",
                                    "CPU us/refresh", "resident bytes/binding", "heap bytes/binding"], 1, cells)
    for run_ in runs.of("registrations"):
        if run_["grownClasses"]:
            text += "\n\nHeap that grew most, bytes a binding: " + ", ".join(
                f"`{name}` {size / asked.bindings:,.0f}" for name, size in run_["grownClasses"].items())
    return text + ran_out(missing)


def arguments():
    parser = argparse.ArgumentParser(prog="sip-registrations.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="offhook,kamailio", help="which, with commas (offhook,kamailio)")
    parser.add_argument("--bindings", type=int, default=100_000, help="(100000)")
    parser.add_argument("--register-rate", type=int, default=3000, help="first registrations a second (3000)")
    parser.add_argument("--refresh-rate", type=int, default=1000, help="refreshes a second (1000)")
    parser.add_argument("--seconds", type=int, default=30, help="of refreshes in each turn (30)")
    parser.add_argument("--turns", type=int, default=2, help="of refreshes, one registrar after the other (2)")
    parser.add_argument("--settle", type=int, default=36, help="seconds before memory is read, after the last registration (36)")
    parser.add_argument("--offhook", default="./offhook", metavar="PROGRAM", help="Offhook (%(default)s)")
    parser.add_argument("--children", type=int, default=2, help="of Kamailio (2)")
    for who in ("caller", "proxy"):
        parser.add_argument(f"--{who}-cores", metavar="LIST", help=f"cores of the {who}, as taskset takes them (any)")
    add_common(parser, 20)
    asked = parser.parse_args()
    if asked.quick:
        asked.bindings, asked.register_rate, asked.refresh_rate, asked.seconds, asked.turns, asked.settle = 200, 100, 50, 2, 1, 1
    if min(asked.bindings, asked.register_rate, asked.refresh_rate, asked.seconds, asked.turns) < 1:
        parser.error("numbers, rates, seconds and turns are at least 1")
    return asked


def main():
    asked = arguments()
    makers = {"offhook": lambda: proxies.configured(asked.offhook, REGISTRAR, cores=asked.proxy_cores),
              "kamailio": lambda: proxies.kamailio("kamailio-registrar.cfg", asked.proxy_cores, asked.children)}
    with opened(asked, "sip-registrations") as runs:
        found, missing = [], {}
        for key in asked.peers.split(","):
            if key not in makers:
                sys.exit(f"sip-registrations: there is no peer {key}; there are {', '.join(makers)}")
            try:
                found.append(makers[key]())
            except Missing as e:
                missing[key] = str(e)
        measure(runs, found, missing)
        print(report(runs, found, missing))
        left(asked, missing)


if __name__ == "__main__":
    main()
