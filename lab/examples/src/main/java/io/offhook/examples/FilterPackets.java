package io.offhook.examples;

import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.FilteredSource;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;

/** Counts the packets that match a tcpdump expression: {@code FilterPackets EXPRESSION FILE}. */
public final class FilterPackets {
    private FilterPackets() {}

    public static void main(String[] args) {
        FrameBatch batch = new FrameBatch(4096);
        long matched = 0;
        // an expression is compiled for one link type; a capture may have several
        try (PacketSource source =
                new FilteredSource(CaptureFiles.open(args[1]), linkType -> PacketFilter.of(args[0], linkType))) {
            while (source.next(batch)) {
                matched += batch.count();
            }
            long packets = matched + source.filtered().count();
            System.out.println(matched + " of " + packets + " packets match " + args[0]);
        }
    }
}
