package io.offhook.pcap;

import java.util.ArrayList;
import java.util.List;

/** The faults of a source. A file adds a handful at most: each kind that does not end it is told once. */
final class FaultList {
    private final List<CaptureFault> faults = new ArrayList<>();

    synchronized void add(CaptureFault fault) {
        faults.add(fault);
    }

    synchronized List<CaptureFault> snapshot() {
        return List.copyOf(faults);
    }
}
