package io.offhook.examples;

import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFiles;
import io.offhook.pcap.PacketSource;

/** Counts the packets that a filter of tcpdump takes: {@code FilterPackets EXPRESSION FILE}. */
public final class FilterPackets {
    private FilterPackets() {}

    public static void main(String[] args) {
        FrameBatch batch = new FrameBatch(4096);
        PacketFilter filter = null;
        long matched = 0;
        long packets = 0;
        try (PacketSource source = CaptureFiles.open(args[1])) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    if (filter == null) {
                        filter = PacketFilter.of(args[0], batch.linkType(i));
                    }
                    packets++;
                    if (filter.matches(batch, i)) {
                        matched++;
                    }
                }
            }
        }
        System.out.println(matched + " of " + packets + " packets match " + args[0]);
    }
}
