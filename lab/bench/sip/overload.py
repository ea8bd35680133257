"""More calls than a proxy can serve: how many it completes, refuses and loses at multiples of its capacity."""
import pathlib
import sys
import time

from processes import CoreShare, compiler_seconds, processor_seconds

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
from builds import Missing  # noqa: E402


MOST_WARM_UPS = 6
"""of one run"""


def capacity_of(load, proxy, say):
    """The highest clean rate, or what was asked for."""
    asked = load.asked
    if asked.capacity:
        return asked.capacity
    least = min(asked.rates)
    if not load.through(proxy, least, asked.search_seconds)["clean"]:
        say(f"{proxy.name} is not clean at {least}/s, the lowest of --rates: its capacity is not searched for")
        return 0
    return load.search(proxy, least)["cleanRate"]


def run(load, proxy, capacity, factor, say):
    """Calls at a multiple of the capacity, whose callers take a 503 for an answer."""
    load.ready(proxy)
    pid, rate = proxy.process.pid, round(capacity * factor)
    if load.asked.proxy_share:
        load.ends(CoreShare(pid, load.asked.proxy_share))
    scenarios = ("caller-overload", "callee")
    if proxy.warm_up:
        warm_up(load, proxy, rate, scenarios, say)

    def around(*_):
        before, began = sum(processor_seconds(pid)), time.monotonic()

        def ended():
            return sum(processor_seconds(pid)) - before, time.monotonic() - began
        return ended
    counts, (used, seconds) = load.calls(rate, load.asked.seconds, proxy, around, scenarios=scenarios)
    if not proxy.is_running():
        counts["firstError"] = f"the proxy ended: {proxy.said()}"
    entry = load.record("overload", proxy.key, outcome(counts, capacity, factor, used, seconds))
    say(f"{proxy.name}, {factor:g} times {capacity}/s: {entry['goodPerSecond']:.0f} good and "
        f"{entry['refusedPerSecond']:.0f} refused a second, {entry['failed']} failed, {entry['retransmitted']} sent again, "
        f"{entry['cpuUs']} us CPU a call {entry['firstError']}")
    proxy.stop()  # what it still has to do must not count for the next run
    return entry


def warm_up(load, proxy, rate, scenarios, say):
    """To refuse is other code: until the compilers of a JVM take less than a thirtieth of what it uses."""
    for turn in range(MOST_WARM_UPS):
        before = sum(processor_seconds(proxy.process.pid)), compiler_seconds(proxy.process.pid)
        load.calls(rate, proxy.warm_up // 2 + 1, proxy, scenarios=scenarios)
        used = sum(processor_seconds(proxy.process.pid)) - before[0]
        compiled = compiler_seconds(proxy.process.pid) - before[1]
        if 30 * compiled <= used:  # both are 0 if the proxy has ended
            return
        say(f"{proxy.name}: {100 * compiled / used:.0f} % of its CPU went to the compilers, once more")


def outcome(counts, capacity, factor, used, seconds):
    """What became of the calls: sipp counts a call that was refused as one that succeeded."""
    made = max(1, counts["callsMade"])
    completed = max(0, counts["callsGood"] - counts["refused"])
    seconds = max(seconds, 0.001)
    return counts | {
        "capacity": capacity, "factor": factor, "seconds": round(seconds, 1), "completed": completed,
        "goodPerSecond": round(completed / seconds, 1), "refusedPerSecond": round(counts["refused"] / seconds, 1),
        "failed": counts["callsAsked"] - counts["callsGood"], "cpuUs": round(used * 1e6 / made, 1)}


def measure_overload(load, found, missing, say):
    for proxy in list(found):
        try:
            capacity = capacity_of(load, proxy, say)
            for factor in load.asked.factors if capacity else []:
                rate = round(capacity * factor)
                alone = load.direct(rate)
                if alone["clean"]:
                    run(load, proxy, capacity, factor, say)
                else:
                    say(f"sipp alone is not clean at {rate}/s ({alone['firstError'] or 'rate not reached'}): left out")
        except Missing as e:
            missing[proxy.key] = str(e)
            say(f"{proxy.key} is left out: {e}")
        proxy.stop()


def overload_cells(runs, names):
    """The rows of the table."""
    return [[names[one["peer"]], f"{one['capacity']:,}", f"{one['rate']:,}", f"{one['goodPerSecond']:,.0f}",
             f"{100 * one['goodPerSecond'] / one['capacity']:.0f} %", f"{one['refusedPerSecond']:,.0f}", str(one["failed"]),
             str(one["retransmitted"]), f"{one['cpuUs']:,.0f}", str(sum(one["drops"].values()))]
            for one in runs if one["kind"] == "overload"]
