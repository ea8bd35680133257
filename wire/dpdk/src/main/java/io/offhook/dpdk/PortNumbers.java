package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The existing ports, with DPDK's numbers and names. */
final class PortNumbers {
    private PortNumbers() {}

    static List<Integer> all() {
        List<Integer> all = new ArrayList<>();
        for (int port = RteEthdev.findNext(0); port < EthdevLayout.MAX_PORTS; port = RteEthdev.findNext(port + 1)) {
            all.add(port);
        }
        return all;
    }

    /** Returns the number of a port, or -1 if there is none. */
    static int named(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment port = arena.allocate(JAVA_SHORT);
            return RteEthdev.portByName(arena.allocateFrom(name), port) == 0 ? port.get(JAVA_SHORT, 0) & 0xffff : -1;
        }
    }

    static String name(int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(EthdevLayout.NAME_BYTES);
            return RteEthdev.nameByPort(port, name) == 0 ? name.getString(0) : "";
        }
    }

    /** Returns the ports as text for messages. */
    static String list() {
        List<Integer> all = all();
        return all.isEmpty()
                ? "there are no ports"
                : "there are "
                        + all.stream().map(port -> port + " " + name(port)).collect(Collectors.joining(", "));
    }
}
