package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.reader.InterfaceTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies one pcapng file to another: its sections stay, each in its byte order, with all of their blocks unchanged. If
 * the file is edited, changed packets are rewritten without their hash, the length of a section is left open, and
 * custom blocks and options that must not be copied are left out.
 *
 * <p>If it is split into several files, each gets what its packets need: header, interfaces, names and secrets of the
 * section so far.
 */
final class PcapNgCopySink extends RecordSink {
    /** The most bytes of blocks that are repeated in each of several files. */
    private static final long MOST_REPEATED_BYTES = 16 << 20;

    private static final int SECTION_LENGTH = 16;
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED;

    private final CopyRules rules;
    private final boolean isSplit;
    private final InterfaceTable interfaces;
    private final PcapNgOptionCopy options;
    private final PcapNgPackets packets;
    /** The blocks that each of several files begins with. */
    private final List<MemorySegment> repeated = new ArrayList<>();

    private long repeatedBytes;
    /** The number of interfaces described in the section so far. */
    private long described;

    /**
     * Creates a sink without a file; {@link #start} must come before the first record.
     *
     * @param rules which blocks and options are copied
     * @param isSplit whether there may be several files
     */
    PcapNgCopySink(CopyRules rules, boolean isSplit, InterfaceTable interfaces) {
        this.rules = rules;
        this.isSplit = isSplit;
        this.interfaces = interfaces;
        options = new PcapNgOptionCopy(output, rules);
        packets = new PcapNgPackets(output, options);
    }

    @Override
    void begin() {
        for (MemorySegment block : repeated) {
            output.endRecord();
            output.put(block, 0, (int) block.byteSize());
        }
    }

    @Override
    long sizeOf(RecordCursor cursor, EditedPacket packet) {
        return isCopied(cursor.block(), packet) ? cursor.block().length() : packets.sizeOf(cursor.block(), packet);
    }

    private boolean isCopied(PcapNgBlockView block, EditedPacket packet) {
        return !packet.isChanged() && (!rules.isEdited() || block.optionsLength() == 0 || !options.hasUncopied(block));
    }

    @Override
    void packet(RecordCursor cursor, EditedPacket packet) {
        PcapNgBlockView block = cursor.block();
        output.endRecord();
        boolean isSimple = block.type() == PcapNgBlock.SIMPLE_PACKET;
        if (isCopied(block, packet)) {
            output.put(block.segment(), block.offset(), block.length());
        } else if (isSimple && packet.capturedLength() == block.capturedLength()) {
            packets.writeSimple(block, packet);
        } else {
            long units = isSimple
                    ? PcapNgPackets.unitsOf(cursor.timestampNs(), interfaces.get(cursor.interfaceNumber()))
                    : block.timestampUnits();
            packets.write(block, packet, (int) block.interfaceId(), units);
        }
    }

    @Override
    void block(RecordCursor cursor) {
        PcapNgBlockView block = cursor.block();
        boolean isHeader = block.type() == PcapNgBlock.SECTION_HEADER;
        boolean isInterface = block.type() == PcapNgBlock.INTERFACE_DESCRIPTION;
        if (!isHeader && !isInterface && !rules.keepsBlock(block)) {
            count(false);
            return;
        }
        count(true);
        output.endRecord();
        if (isHeader) {
            output.order(block.order());
            repeated.clear();
            repeatedBytes = 0;
            described = 0;
        }
        described += isInterface ? 1 : 0;
        if (options.hasUncopied(block) || isHeader && (rules.isEdited() || isSplit)) {
            MemorySegment edited = edited(block);
            put(edited);
            repeat(block.type(), edited, 0, edited.byteSize());
            return;
        }
        output.put(block.segment(), block.offset(), block.length());
        repeat(block.type(), block.segment(), block.offset(), block.length());
    }

    private void put(MemorySegment block) {
        output.put(block, 0, (int) block.byteSize());
    }

    /** Returns a copy of the block without what must not be copied; the length in a section header is left open. */
    private MemorySegment edited(PcapNgBlockView block) {
        int fixed = (int) (block.optionsOffset() - block.offset());
        MemorySegment copy = Arena.ofAuto().allocate(block.length() + 4L); // the end of options may be missing
        MemorySegment.copy(block.segment(), block.offset(), copy, 0, fixed);
        if (block.type() == PcapNgBlock.SECTION_HEADER) {
            copy.set(U64, SECTION_LENGTH, -1);
        }
        int length = options.copy(block, copy, fixed) + PcapNgBlock.TRAILER;
        ValueLayout.OfInt u32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(block.order());
        copy.set(u32, 4, length);
        copy.set(u32, length - PcapNgBlock.TRAILER, length);
        return copy.asSlice(0, length);
    }

    private void repeat(int type, MemorySegment segment, long offset, long length) {
        boolean isNeeded = switch (type) {
            case PcapNgBlock.SECTION_HEADER,
                    PcapNgBlock.INTERFACE_DESCRIPTION,
                    PcapNgBlock.NAME_RESOLUTION,
                    PcapNgBlock.DECRYPTION_SECRETS -> true;
            default -> false;
        };
        // the header alone may be longer, and no file can be read without it
        boolean isLarge = type != PcapNgBlock.SECTION_HEADER && repeatedBytes + length > MOST_REPEATED_BYTES;
        boolean isInterface = type == PcapNgBlock.INTERFACE_DESCRIPTION;
        // packets of interfaces beyond the limit are not read
        if (!isSplit || !isNeeded || (isInterface ? described > InterfaceTable.MOST : isLarge)) {
            return;
        }
        MemorySegment copy = Arena.ofAuto().allocate(length);
        MemorySegment.copy(segment, offset, copy, 0, length);
        repeated.add(copy);
        repeatedBytes += length;
    }

    @Override
    void end() {
        if (output.written() == 0) {
            // the input was damaged in its first block: the output is an empty, but valid capture
            new PcapNgBlockWriter(output).section(new PcapNgOptions(output.order()));
        }
    }

    @Override
    long optionsLeftOut() {
        return options.leftOut();
    }
}
