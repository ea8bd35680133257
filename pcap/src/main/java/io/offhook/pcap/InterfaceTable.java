package io.offhook.pcap;

import java.util.ArrayList;
import java.util.List;

/** The interfaces of all files of a source, numbered in the order they were met; a frame carries the number in 16 bits. */
final class InterfaceTable {
    static final int MOST = 65_535;

    private final List<CaptureInterface> interfaces = new ArrayList<>();

    /** @return its number, or -1 when there are as many as can be numbered */
    synchronized int add(CaptureInterface captureInterface) {
        if (interfaces.size() == MOST) {
            return -1;
        }
        interfaces.add(captureInterface);
        return interfaces.size() - 1;
    }

    synchronized CaptureInterface get(int number) {
        return interfaces.get(number);
    }

    synchronized List<CaptureInterface> snapshot() {
        return List.copyOf(interfaces);
    }
}
