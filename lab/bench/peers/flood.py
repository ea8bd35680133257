"""The generator of c/flood.c at one end of a veth pair, and the search for the highest rate that nothing is lost at."""
import functools
import subprocess

import builds
from builds import BUILT, HERE, Missing

CORE = "0"
# where c/flood.c sends its frames
DESTINATION_MAC = "02:00:00:00:00:02"


@functools.cache
def compiled(name, *libraries):
    BUILT.mkdir(parents=True, exist_ok=True)
    program = BUILT / name
    builds.sh("cc", "-O3", "-o", str(program), str(HERE / "c" / f"{name}.c"), *libraries)
    return str(program)


class Flood:
    """Frames of so many bytes, from the interface `left`."""
    def __init__(self, within, size):
        """`within`: makes a command run where the interface is."""
        self.within, self.size, self.program = within, size, compiled("flood")

    def send(self, rate, frames):
        """Frames that the kernel took to send, and the ns that this took. Rate 0 is as fast as can be."""
        done = subprocess.run(
            self.within("taskset", "-c", CORE, self.program, "left", str(self.size), str(rate), str(frames)),
            check=True, capture_output=True, text=True)
        return map(int, done.stdout.split())

    def warm_up(self, rate, frames, gently):
        """Some frames before those that count, no faster than `gently` has it: a rate, and how many; how many were sent."""
        sent, _ = self.send(min(rate or gently[0], gently[0]), min(frames, gently[1]))
        return sent


def highest(tried, arguments):
    """The highest rate without loss, by halving; what a packet cost at it, and whether the generator was no faster.

    `tried(rate, frames)`: packets seen, packets sent, packets a second sent, and ns of a core that each cost.
    """
    seen, sent, rate, cost = tried(0, arguments.most)
    if seen > sent:
        raise Missing(f"{seen:,} packets came of {sent:,}")
    if seen == sent:
        return rate, cost, True
    low, high, cost = 0.0, rate, float("nan")
    for _ in range(arguments.steps):
        rate = (low + high) / 2
        seen, sent, _, spent = tried(rate, int(rate * arguments.seconds))
        if seen == sent:
            low, cost = rate, spent
        else:
            high = rate
    return low, cost, False
