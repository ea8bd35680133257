package io.offhook.pcap;

import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** Records to classic pcap: packets of one link type, and nothing else. */
final class PcapRecordSink implements RecordSink {
    private final CaptureFormat format;
    private final int linkType;
    private final long snapLength;

    private final CaptureOutput output = CaptureOutput.unopened();
    private @Nullable PcapWriter writer;
    private long bytes;
    private long blocksLeftOut;
    private long packetsCut;
    private long timestampsClamped;
    private long timestampsCut;

    /** @param snapLength as the files are to say */
    PcapRecordSink(CaptureFormat format, int linkType, long snapLength) {
        this.format = format;
        this.linkType = linkType;
        this.snapLength = snapLength;
    }

    @Override
    public void start(WritableByteChannel channel) {
        output.start(channel);
        writer = new PcapWriter(output, format, linkType, snapLength);
        bytes = 0;
    }

    private PcapWriter writer() {
        PcapWriter open = writer;
        if (open == null) {
            throw new IllegalStateException("no file is open");
        }
        return open;
    }

    @Override
    public long sizeOf(RecordCursor cursor, EditedPacket packet) {
        return writer().sizeOf(packet.capturedLength());
    }

    @Override
    public void packet(RecordCursor cursor, EditedPacket packet) {
        writer().write(
                        packet.segment(),
                        packet.offset(),
                        packet.capturedLength(),
                        packet.wireLength(),
                        packet.timestampNs(),
                        packet.linkType());
    }

    @Override
    public void block(RecordCursor cursor) {
        int type = cursor.block().type();
        // a section and an interface have their place: the file is one
        if (type != PcapNgBlock.SECTION_HEADER && type != PcapNgBlock.INTERFACE_DESCRIPTION) {
            blocksLeftOut++;
        }
    }

    @Override
    public long bytes() {
        PcapWriter open = writer;
        return open == null ? bytes : open.bytes();
    }

    @Override
    public void finish() {
        PcapWriter open = writer;
        if (open != null) {
            writer = null;
            bytes = open.bytes();
            packetsCut += open.packetsCut();
            timestampsClamped += open.timestampsClamped();
            timestampsCut += open.timestampsCut();
            open.close();
        }
    }

    @Override
    public long blocksWritten() {
        return 0;
    }

    @Override
    public long blocksLeftOut() {
        return blocksLeftOut;
    }

    @Override
    public long packetsCut() {
        return packetsCut;
    }

    @Override
    public long timestampsClamped() {
        return timestampsClamped;
    }

    @Override
    public long timestampsCut() {
        return timestampsCut;
    }
}
