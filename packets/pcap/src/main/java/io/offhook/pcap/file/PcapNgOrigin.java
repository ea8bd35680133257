package io.offhook.pcap.file;

import io.offhook.packet.FrameDirection;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureOrigin;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a live capture's pcapng file besides its packets: section header and interfaces, the flags and drop
 * counts of packets, and interface statistics at the end (draft-ietf-opsawg-pcapng, sections 4.1 to 4.3 and 4.6).
 */
final class PcapNgOrigin {
    private static final int SECTION_HARDWARE = 2;
    private static final int SECTION_SYSTEM = 3;
    private static final int SECTION_APPLICATION = 4;

    private static final int INTERFACE_NAME = 2;
    private static final int INTERFACE_DESCRIPTION = 3;
    private static final int INTERFACE_LINK_ADDRESS = 6;
    private static final int INTERFACE_SPEED = 8;
    private static final int INTERFACE_TIME_RESOLUTION = 9;
    private static final int INTERFACE_FILTER = 11;
    private static final int INTERFACE_SYSTEM = 12;
    /** The first byte of a filter that is an expression of pcap-filter(7). */
    private static final byte FILTER_IS_TEXT = 0;

    private static final int NANOSECONDS = 9;
    private static final int LINK_ADDRESS_BYTES = 6;

    private static final int PACKET_FLAGS = 2;
    private static final int PACKET_DROPS = 4;
    private static final int INBOUND = 1;
    private static final int OUTBOUND = 2;

    private static final int STATISTICS_START = 2;
    private static final int STATISTICS_END = 3;
    private static final int STATISTICS_RECEIVED = 4;
    private static final int STATISTICS_INTERFACE_DROPS = 5;
    private static final int STATISTICS_SYSTEM_DROPS = 7;
    private static final int STATISTICS_DELIVERED = 8;
    /** The length in bytes of a statistics block with all of these options. */
    static final int STATISTICS_BYTES = 24 + 6 * 12 + 4;
    /** The bytes that flags and a drop count add to a packet. */
    static final int PACKET_OPTIONS_BYTES = 8 + 12 + 4;

    private static final PcapNgOptions IN = flags(INBOUND);
    private static final PcapNgOptions OUT = flags(OUTBOUND);

    private final PcapNgBlockWriter output;
    private final long startNs;
    private final int interfaces;
    /** For each interface: packets written; lost since the file began; lost since its last packet. */
    private final long[] written;

    private final long[] systemDrops;
    private final long[] ownDrops;
    private final long[] unreported;
    private long latestNs;

    /** Writes the section header and the interfaces. */
    PcapNgOrigin(CaptureOrigin origin, long startNs, PcapNgBlockWriter output) {
        this.output = output;
        this.startNs = Math.max(0, startNs);
        latestNs = this.startNs;
        interfaces = origin.interfaces().size();
        written = new long[interfaces];
        systemDrops = new long[interfaces];
        ownDrops = new long[interfaces];
        unreported = new long[interfaces];
        PcapNgOptions section = new PcapNgOptions();
        text(section, SECTION_HARDWARE, origin.hardware());
        text(section, SECTION_SYSTEM, origin.operatingSystem());
        output.section(section.text(SECTION_APPLICATION, origin.application()));
        for (CaptureOrigin.Interface one : origin.interfaces()) {
            CaptureInterface captured = one.captured();
            output.interfaceDescription(captured.linkType(), captured.snapLength(), options(origin, one));
        }
    }

    private static PcapNgOptions options(CaptureOrigin origin, CaptureOrigin.Interface one) {
        PcapNgOptions options = new PcapNgOptions();
        text(options, INTERFACE_NAME, one.captured().name());
        text(options, INTERFACE_DESCRIPTION, one.description());
        byte[] address = one.linkAddress();
        if (address != null && address.length == LINK_ADDRESS_BYTES) {
            options.bytes(INTERFACE_LINK_ADDRESS, address);
        }
        if (one.bitsPerSecond() > 0) {
            options.bits64(INTERFACE_SPEED, one.bitsPerSecond());
        }
        options.u8(INTERFACE_TIME_RESOLUTION, NANOSECONDS);
        byte[] filter = one.filter().getBytes(StandardCharsets.UTF_8);
        if (filter.length > 0 && filter.length < PcapNgOptions.MOST_BYTES) {
            byte[] value = new byte[filter.length + 1];
            value[0] = FILTER_IS_TEXT;
            System.arraycopy(filter, 0, value, 1, filter.length);
            options.bytes(INTERFACE_FILTER, value);
        }
        text(options, INTERFACE_SYSTEM, origin.operatingSystem());
        return options;
    }

    private static void text(PcapNgOptions options, int code, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            options.text(code, text);
        }
    }

    private static PcapNgOptions flags(int direction) {
        return new PcapNgOptions().u32(PACKET_FLAGS, direction);
    }

    int interfaces() {
        return interfaces;
    }

    /** Returns the options of an interface's next packet, or null for none. Most packets share theirs. */
    @Nullable
    PcapNgOptions options(int id, FrameDirection direction, long timestampNs) {
        written[id]++;
        latestNs = Math.max(latestNs, timestampNs);
        PcapNgOptions flags =
                direction == FrameDirection.UNKNOWN ? null : direction == FrameDirection.OUTGOING ? OUT : IN;
        if (unreported[id] == 0) {
            return flags;
        }
        PcapNgOptions options = new PcapNgOptions();
        if (flags != null) {
            options.addAll(flags);
        }
        options.bits64(PACKET_DROPS, unreported[id]);
        unreported[id] = 0;
        return options;
    }

    void lost(int id, long bySystem, long byUs) {
        systemDrops[id] += bySystem;
        ownDrops[id] += byUs;
        unreported[id] += bySystem + byUs;
    }

    void time(long nowNs) {
        latestNs = Math.max(latestNs, nowNs);
    }

    /**
     * Ends the file with statistics for each interface since the file began. Packets that the program dropped count as
     * dropped by the interface, as in dumpcap's files, because the format has no other place for them.
     */
    void end() {
        for (int i = 0; i < interfaces; i++) {
            output.statistics(
                    i,
                    latestNs,
                    new PcapNgOptions()
                            .timestampUnits(STATISTICS_START, startNs)
                            .timestampUnits(STATISTICS_END, latestNs)
                            .bits64(STATISTICS_RECEIVED, written[i] + systemDrops[i] + ownDrops[i])
                            .bits64(STATISTICS_INTERFACE_DROPS, ownDrops[i])
                            .bits64(STATISTICS_SYSTEM_DROPS, systemDrops[i])
                            .bits64(STATISTICS_DELIVERED, written[i]));
        }
    }
}
