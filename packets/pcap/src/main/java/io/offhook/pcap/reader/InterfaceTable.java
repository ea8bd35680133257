package io.offhook.pcap.reader;

import io.offhook.pcap.CaptureInterface;
import java.util.ArrayList;
import java.util.List;

/**
 * The interfaces of all files of a source, numbered in the order in which they were found; a frame holds the number in
 * 16 bits.
 */
public final class InterfaceTable {
    /** The most interfaces that a table holds; their numbers are 0 to {@code MOST - 1}. */
    public static final int MOST = 65_535;

    private final List<CaptureInterface> interfaces = new ArrayList<>();

    /** Creates an empty table. */
    public InterfaceTable() {}

    /**
     * Adds an interface.
     *
     * @return its number, from 0, or -1 if the table is full
     */
    public synchronized int add(CaptureInterface captureInterface) {
        if (interfaces.size() == MOST) {
            return -1;
        }
        interfaces.add(captureInterface);
        return interfaces.size() - 1;
    }

    /**
     * Returns the interface with a number that {@link #add} returned; throws {@link IndexOutOfBoundsException} for any
     * other.
     */
    public synchronized CaptureInterface get(int number) {
        return interfaces.get(number);
    }

    /** Returns an unmodifiable copy of the interfaces added so far; the index of each is its number. */
    public synchronized List<CaptureInterface> snapshot() {
        return List.copyOf(interfaces);
    }
}
