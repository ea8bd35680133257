package io.offhook.pcap.file;

import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.reader.InterfaceTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes records as classic pcap: packets of one link type, that of the first packet of a file, and nothing else. */
final class PcapRecordSink extends RecordSink {
    private final CaptureFormat format;
    private final InterfaceTable interfaces;
    private final long snapLength;

    private @Nullable PcapWriter writer;
    private long packetsCut;
    private long timestampsClamped;
    private long timestampsCut;

    /**
     * Creates a sink without a file; {@link #start} must come before the first record.
     *
     * @param snapLength the snap length that the files declare, in bytes; 0 for no limit of their own
     */
    PcapRecordSink(CaptureFormat format, InterfaceTable interfaces, long snapLength) {
        this.format = format;
        this.interfaces = interfaces;
        this.snapLength = snapLength;
    }

    @Override
    long sizeOf(RecordCursor cursor, EditedPacket packet) {
        return PcapWriter.sizeOf(packet.capturedLength(), snapLength);
    }

    @Override
    void packet(RecordCursor cursor, EditedPacket packet) {
        PcapWriter open = writer;
        if (open == null) {
            open = begin(interfaces.get(cursor.interfaceNumber()));
        }
        open.write(
                packet.segment(),
                packet.offset(),
                packet.capturedLength(),
                packet.wireLength(),
                packet.timestampNs(),
                packet.linkType());
    }

    private PcapWriter begin(CaptureInterface of) {
        PcapWriter begun = new PcapWriter(output, format, of.linkType(), of.frameCheckBytes(), snapLength);
        writer = begun;
        return begun;
    }

    @Override
    void block(RecordCursor cursor) {
        int type = cursor.block().type();
        // a section and an interface need no block: the file itself stands for them
        if (type != PcapNgBlock.SECTION_HEADER && type != PcapNgBlock.INTERFACE_DESCRIPTION) {
            count(false);
        }
    }

    @Override
    void end() {
        PcapWriter open = writer == null ? begin(ofNoPacket()) : writer;
        writer = null;
        packetsCut += open.packetsCut();
        timestampsClamped += open.timestampsClamped();
        timestampsCut += open.timestampsCut();
    }

    /** Returns the interface for a file without packets: the first that was described, or Ethernet. */
    private CaptureInterface ofNoPacket() {
        List<CaptureInterface> known = interfaces.snapshot();
        return known.isEmpty()
                ? new CaptureInterface("", LinkType.ETHERNET, snapLength, 1_000_000, 0, null)
                : known.getFirst();
    }

    @Override
    long packetsCut() {
        return packetsCut;
    }

    @Override
    long timestampsClamped() {
        return timestampsClamped;
    }

    @Override
    long timestampsCut() {
        return timestampsCut;
    }
}
