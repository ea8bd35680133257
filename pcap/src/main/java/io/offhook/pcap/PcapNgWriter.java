package io.offhook.pcap;

import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a pcapng file of one section, little-endian, with nanoseconds. Each link type gets an interface of its own when
 * its first packet comes.
 *
 * <p>Packets longer than 262,144 bytes are cut to that, since few readers take longer ones; times before 1970 become 1970.
 * Both are counted. Comments longer than an option can hold lose their end. The file is whole once the writer is closed.
 */
public final class PcapNgWriter implements PacketSink {
    private static final int SNAP_LENGTH = RecordReader.USUAL_PACKET_BYTES;
    private static final int OPTION_COMMENT = 1;
    private static final int OPTION_APPLICATION = 4;
    private static final int OPTION_TIME_RESOLUTION = 9;
    /** Of interface statistics: isb_endtime. */
    private static final int OPTION_END_TIME = 3;

    private static final int NANOSECONDS = 9;
    private static final int LONGEST_OPTION = 0xffff;
    private static final String APPLICATION = "Offhook";

    private static final byte[] NO_OPTION = {};

    private final CaptureOutput output;

    private int[] linkTypes = new int[4];
    private int interfaceCount;
    private long packets;
    private long packetsCut;
    private long timestampsClamped;

    private PcapNgWriter(CaptureOutput output, @Nullable String comment) {
        this.output = output;
        byte[] application = option(APPLICATION);
        byte[] text = option(comment);
        int options = optionLength(text) + optionLength(application) + 4;
        int length = 28 + options;
        output.putU32(PcapNgBlock.SECTION_HEADER);
        output.putU32(length);
        output.putU32(PcapNgBlock.BYTE_ORDER_MAGIC);
        output.putU16(1);
        output.putU16(0);
        output.putBits64(-1); // the section's length is not known beforehand
        putOption(OPTION_COMMENT, text);
        putOption(OPTION_APPLICATION, application);
        output.putU32(0);
        output.putU32(length);
    }

    /** Makes the file, or empties the one that is there; it must not be one that is being read. */
    public static PcapNgWriter create(Path file) {
        return new PcapNgWriter(CaptureOutput.create(file), null);
    }

    /** As {@link #create(Path)}, with a comment on the whole. */
    public static PcapNgWriter create(Path file, String comment) {
        return new PcapNgWriter(CaptureOutput.create(file), comment);
    }

    /** Writes to a channel, which is closed with the writer. */
    public static PcapNgWriter to(WritableByteChannel channel) {
        return new PcapNgWriter(new CaptureOutput(channel), null);
    }

    /** As {@link #to(WritableByteChannel)}, with a comment on the whole. */
    public static PcapNgWriter to(WritableByteChannel channel, String comment) {
        return new PcapNgWriter(new CaptureOutput(channel), comment);
    }

    @Override
    public void write(
            MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType) {
        write(segment, offset, capturedLength, wireLength, timestampNs, linkType, null);
    }

    /** Writes one frame with a comment on it. */
    public void write(
            MemorySegment segment,
            long offset,
            int capturedLength,
            int wireLength,
            long timestampNs,
            int linkType,
            @Nullable String comment) {
        int captured = Math.min(capturedLength, SNAP_LENGTH);
        long time = Math.max(timestampNs, 0);
        int interfaceId = interfaceOf(linkType);
        byte[] text = option(comment);
        int options = text.length == 0 ? 0 : optionLength(text) + 4;
        int length = 32 + padded(captured) + options;
        output.putU32(PcapNgBlock.ENHANCED_PACKET);
        output.putU32(length);
        output.putU32(interfaceId);
        output.putU32(time >>> 32);
        output.putU32(time);
        output.putU32(captured);
        output.putU32(wireLength);
        output.put(segment, offset, captured);
        output.pad(captured);
        if (options > 0) {
            putOption(OPTION_COMMENT, text);
            output.putU32(0);
        }
        output.putU32(length);
        packets++;
        packetsCut += captured < capturedLength ? 1 : 0;
        timestampsClamped += time != timestampNs ? 1 : 0;
    }

    private int interfaceOf(int linkType) {
        for (int i = 0; i < interfaceCount; i++) {
            if (linkTypes[i] == linkType) {
                return i;
            }
        }
        PcapWriter.checkedLinkType(linkType);
        if (interfaceCount == linkTypes.length) {
            linkTypes = Arrays.copyOf(linkTypes, interfaceCount * 2);
        }
        linkTypes[interfaceCount] = linkType;
        int length = 32;
        output.putU32(PcapNgBlock.INTERFACE_DESCRIPTION);
        output.putU32(length);
        output.putU16(linkType);
        output.putU16(0);
        output.putU32(SNAP_LENGTH);
        putOption(OPTION_TIME_RESOLUTION, new byte[] {NANOSECONDS});
        output.putU32(0);
        output.putU32(length);
        return interfaceCount++;
    }

    private void putOption(int code, byte[] value) {
        if (value.length > 0) {
            output.putU16(code);
            output.putU16(value.length);
            output.put(value);
            output.pad(value.length);
        }
    }

    private static byte[] option(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return NO_OPTION;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, LONGEST_OPTION);
        // not in the middle of a character
        while (length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
            length--;
        }
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private static int optionLength(byte[] value) {
        return value.length == 0 ? 0 : 4 + padded(value.length);
    }

    private static int padded(int length) {
        return length + 3 & ~3;
    }

    /**
     * Says when capturing ended, as interface statistics: for the end, once all packets are written. It may be long after
     * the last of them, and that nothing came until then is knowledge too.
     *
     * @param timestampNs nanoseconds since the epoch; before 1970 becomes 1970
     */
    public void endOfCapture(long timestampNs) {
        long time = Math.max(0, timestampNs);
        int length = 40;
        for (int i = 0; i < interfaceCount; i++) {
            output.putU32(PcapNgBlock.INTERFACE_STATISTICS);
            output.putU32(length);
            output.putU32(i);
            output.putU32(time >>> 32);
            output.putU32(time);
            output.putU16(OPTION_END_TIME);
            output.putU16(Long.BYTES);
            output.putU32(time >>> 32);
            output.putU32(time);
            output.putU32(0);
            output.putU32(length);
        }
    }

    public long packets() {
        return packets;
    }

    /** Packets of which the end is missing, since they are longer than a file may hold. */
    public long packetsCut() {
        return packetsCut;
    }

    public long timestampsClamped() {
        return timestampsClamped;
    }

    @Override
    public void close() {
        output.close();
    }
}
