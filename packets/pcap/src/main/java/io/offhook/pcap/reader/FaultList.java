package io.offhook.pcap.reader;

import io.offhook.pcap.CaptureFault;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a source. A file adds a handful at most: each kind of fault that does not end the file is reported
 * once.
 */
public final class FaultList {
    private final List<CaptureFault> faults = new ArrayList<>();

    /** Creates an empty list. */
    public FaultList() {}

    /** Adds a fault at the end of the list; null adds nothing. */
    public synchronized void add(@Nullable CaptureFault fault) {
        if (fault != null) {
            faults.add(fault);
        }
    }

    /** Returns an unmodifiable copy of the faults added so far, in the order in which they were added. */
    public synchronized List<CaptureFault> snapshot() {
        return List.copyOf(faults);
    }
}
