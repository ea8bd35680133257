"""Registrars: so many bindings, refreshes of them at a rate, processor time and memory."""
import pathlib
import re
import subprocess
import sys
import time

import sipp
from processes import java_of, processor_seconds, resident_bytes

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import builds  # noqa: E402
from builds import Missing  # noqa: E402

DOMAIN = "example.com"


def users(folder, number):
    """sipp's file of users, one a call, in order."""
    file = pathlib.Path(folder, "users.csv")
    with file.open("w") as out:
        out.write("SEQUENTIAL\n")
        out.writelines(f"user{one};{DOMAIN}\n" for one in range(1, number + 1))
    return file


def heap_bytes(pid):
    """What is alive in the heap of a Java machine, after a collection; None where the process has none."""
    java = java_of(pid)
    if java is None:
        return None
    histogram = subprocess.run([str(builds.jdk25() / "jcmd"), str(java), "GC.class_histogram"], capture_output=True, text=True,
                               check=True).stdout
    return int(re.match(r"Total\s+\d+\s+(\d+)", histogram.splitlines()[-1])[1])


def run(load, proxy, file, number, rate, first_sequence):
    """Each of the first so many users registers once; what sipp counted, and the CPU of the registrar for each."""
    folder = load.next_folder()
    before = sum(processor_seconds(proxy.process.pid))
    client = sipp.Sipp(folder, "register", [
        "-p", load.client_port, "-r", rate, "-m", number, "-l", min(sipp.MOST_CALLS, max(1000, rate * 40)), "-inf", file,
        "-cid_str", "binding-%u@127.0.0.1", "-base_cseq", first_sequence, "-timeout", f"{number // rate + 45}s",
        f"127.0.0.1:{proxy.port}"], load.asked.caller_cores)
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


def measure_registrations(load, found, missing, say):
    asked = load.asked
    number = asked.registrations
    refreshes = min(number, asked.refresh_rate * asked.seconds)
    file = users(load.folder, number)
    for proxy in list(found):
        load.client_port = sipp.free_port()
        try:
            proxy.start(load.folder)
        except Missing as e:
            missing[proxy.key] = str(e)
            say(f"{proxy.key} is left out: {e}")
            continue
        pid = proxy.process.pid
        # what a first registration loads and touches is no binding
        run(load, proxy, users(load.next_folder(), 1), 1, 1, 1)
        resident, heap = resident_bytes(pid), heap_bytes(pid)
        first = run(load, proxy, file, number, asked.register_rate, 2)
        say(f"{proxy.name}: {first['good']} of {number} registered, {first['perSecond']:.0f}/s, "
            f"{first['cpuUs']:.0f} us CPU each")
        time.sleep(1)
        grown, heap_after = resident_bytes(pid) - resident, heap_bytes(pid)
        again = run(load, proxy, file, refreshes, asked.refresh_rate, 3)
        say(f"{proxy.name}: {again['good']} of {refreshes} refreshed, {again['cpuUs']:.0f} us CPU each")
        load.record("registrations", proxy.key, {
            "bindings": first["good"], "failed": first["failed"] + again["failed"],
            "retransmitted": first["retransmitted"] + again["retransmitted"],
            "registerCpuUs": round(first["cpuUs"], 1), "refreshes": refreshes, "refreshCpuUs": round(again["cpuUs"], 1),
            "refreshesPerSecond": again["perSecond"], "bytesPerBinding": round(grown / number),
            "heapBytesPerBinding": None if heap is None else round((heap_after - heap) / number),
            "firstError": first["firstError"] or again["firstError"]})
        proxy.stop()
