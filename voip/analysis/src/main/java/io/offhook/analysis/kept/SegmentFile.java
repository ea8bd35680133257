package io.offhook.analysis.kept;

import io.offhook.packet.LittleEndian;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.file.PcapNgBlockWriter;
import io.offhook.pcap.file.PcapNgOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** The bytes of a segment, mapped: the head, which describes its interfaces, and behind it enhanced packet blocks only. */
final class SegmentFile {
    private static final int OPTION_APPLICATION = 4;
    private static final int OPTION_NAME = 2;
    private static final int OPTION_TIME_RESOLUTION = 9;
    private static final int NANOSECONDS = 9;
    private static final int OPTION_HEADER = 4;

    /** Link type, reserved, snap length: what stands before the options of an interface. */
    private static final int DESCRIPTION = 8;

    private final MemorySegment bytes;
    private final SegmentInterface[] interfaces;
    private final long head;

    private SegmentFile(MemorySegment bytes) {
        this.bytes = bytes;
        List<SegmentInterface> found = new ArrayList<>();
        long at = 0;
        for (int type = type(at); type == PcapNgBlock.SECTION_HEADER || type == PcapNgBlock.INTERFACE_DESCRIPTION; ) {
            if (type == PcapNgBlock.INTERFACE_DESCRIPTION) {
                found.add(new SegmentInterface(LittleEndian.u16(bytes, at + PcapNgBlock.HEADER), name(at)));
            }
            at += length(at);
            type = type(at);
        }
        interfaces = found.toArray(SegmentInterface.NONE);
        head = at;
    }

    /** Maps a segment as long as an arena lives. */
    static SegmentFile map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new SegmentFile(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
        }
    }

    /** What a segment begins with. */
    static byte[] head(SegmentInterface[] interfaces) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        try (PcapNgBlockWriter writer = PcapNgBlockWriter.to(Channels.newChannel(head), ByteOrder.LITTLE_ENDIAN)) {
            writer.section(new PcapNgOptions().text(OPTION_APPLICATION, "Offhook"));
            for (SegmentInterface described : interfaces) {
                PcapNgOptions options = new PcapNgOptions();
                if (!described.name().isEmpty()) {
                    options.text(OPTION_NAME, described.name());
                }
                writer.interfaceDescription(
                        described.linkType(), Block.SNAP_LENGTH, options.u8(OPTION_TIME_RESOLUTION, NANOSECONDS));
            }
        }
        return head.toByteArray();
    }

    /** The name of the interface that a block describes; empty if it has none. It is the first option, if any. */
    private String name(long at) {
        long option = at + PcapNgBlock.HEADER + DESCRIPTION;
        long end = at + length(at) - PcapNgBlock.TRAILER;
        if (option + OPTION_HEADER > end || LittleEndian.u16(bytes, option) != OPTION_NAME) {
            return "";
        }
        int length = LittleEndian.u16(bytes, option + 2);
        if (option + OPTION_HEADER + length > end) {
            return "";
        }
        byte[] text = new byte[length];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, option + OPTION_HEADER, text, 0, length);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** The type of a block; -1 if there is no whole block. */
    private int type(long at) {
        return length(at) < 0 ? -1 : (int) LittleEndian.u32(bytes, at);
    }

    /** The length of the block at a place; -1 if none begins there or it is not whole. */
    private long length(long at) {
        if (at < 0 || at + PcapNgBlock.LEAST_LENGTH > bytes.byteSize()) {
            return -1;
        }
        long length = LittleEndian.u32(bytes, at + 4);
        boolean isWhole = length >= PcapNgBlock.LEAST_LENGTH
                && length % 4 == 0
                && length <= bytes.byteSize() - at
                && LittleEndian.u32(bytes, at + length - PcapNgBlock.TRAILER) == length;
        return isWhole ? length : -1;
    }

    /** Whether a whole packet begins at a place. */
    boolean isPacket(long at) {
        return type(at) == PcapNgBlock.ENHANCED_PACKET
                && Block.PACKET + capturedLength(at) + PcapNgBlock.TRAILER <= length(at)
                && LittleEndian.u32(bytes, at + Block.INTERFACE) < interfaces.length;
    }

    /** Passes where each packet begins. @return where the last whole one ends */
    long packets(LongConsumer found) {
        long at = head;
        while (isPacket(at)) {
            found.accept(at);
            at += length(at);
        }
        return at;
    }

    long timestampNs(long at) {
        return LittleEndian.u32(bytes, at + Block.TIME_HIGH) << 32 | LittleEndian.u32(bytes, at + Block.TIME_LOW);
    }

    long capturedLength(long at) {
        return LittleEndian.u32(bytes, at + Block.CAPTURED);
    }

    int wireLength(long at) {
        return (int) Math.min(Integer.MAX_VALUE, LittleEndian.u32(bytes, at + Block.WIRE));
    }

    int linkType(long at) {
        return interfaces[interfaceId(at)].linkType();
    }

    int interfaceId(long at) {
        return (int) LittleEndian.u32(bytes, at + Block.INTERFACE);
    }

    /** Its interfaces, by number. */
    SegmentInterface[] interfaces() {
        return interfaces;
    }

    MemorySegment bytes() {
        return bytes;
    }
}
