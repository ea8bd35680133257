package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packets of a pcapng file (draft-ietf-opsawg-pcapng), or its {@linkplain PcapNgBlock blocks}.
 *
 * <p>A section header starts a section with its own byte order and interfaces. Packets come from enhanced, simple and
 * obsolete packet blocks; a simple one has no time and takes that of the packet before it. All other blocks are skipped
 * without being held in memory, whatever their length, except for the {@linkplain PcapNgLosses losses} that packets and
 * interface statistics declare. A block with an impossible length, version or fixed field ends the file. A packet on an
 * interface that its section does not describe is left out and counted.
 */
public final class PcapNgReader implements RecordReader {
    private static final HexFormat HEX = HexFormat.of();
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int LEAST_SECTION_HEADER = 28;
    private static final int LEAST_INTERFACE_DESCRIPTION = 20;
    private static final int STATISTICS_HEADER = 20;

    private final String file;
    private final FaultList faults;
    /** Whether whole blocks, of every type, are delivered instead of packets. */
    private final boolean everyBlock;

    private final PcapNgSection section;
    private final PcapNgLosses losses;
    private final PcapNgPacketReader packets;

    private boolean swapped;
    private boolean ended;
    private boolean inSection;
    /** The declared length of the block being skipped, which must be repeated at its end; 0 if there is none. */
    private long passedLength;

    private long endNs = PacketSource.END_NOT_TOLD;
    /** The bytes that {@link #read} needs to continue; 0 while it can. */
    private int wanted;

    /** Creates a reader of packets, which adds the interfaces and faults that it finds to the given lists. */
    public PcapNgReader(String file, InterfaceTable interfaces, FaultList faults) {
        this(file, interfaces, faults, false);
    }

    /**
     * Creates a reader of packets or of whole blocks, which adds the interfaces and faults that it finds to the given
     * lists.
     *
     * @param everyBlock whether the "frames" of a batch are whole blocks of every type: their offset is that of the
     *     block, their captured length that of the whole block including padding. Packets have the wire length, time,
     *     interface and link type of the packet; other blocks a wire length of 0 and the time of the packet before
     */
    public PcapNgReader(String file, InterfaceTable interfaces, FaultList faults, boolean everyBlock) {
        this.file = file;
        this.faults = faults;
        this.everyBlock = everyBlock;
        section = new PcapNgSection(file, interfaces, faults);
        losses = new PcapNgLosses(file);
        packets = new PcapNgPacketReader(file, section, losses, faults, everyBlock);
    }

    @Override
    public int read(ByteWindow window, int segmentIndex, FrameBatch batch) {
        wanted = 0;
        while (wanted == 0 && !ended && !batch.isFull()) {
            if (passedLength != 0) {
                finishPassedBlock(window);
            } else if (window.available() < PcapNgBlock.LEAST_LENGTH) {
                wanted = PcapNgBlock.LEAST_LENGTH;
            } else if (!inSection || everyBlock || !packets.readRun(window, segmentIndex, batch)) {
                readBlock(window, segmentIndex, batch);
            }
        }
        return wanted;
    }

    private void readBlock(ByteWindow window, int segmentIndex, FrameBatch batch) {
        MemorySegment segment = window.segment;
        long at = window.position;
        int type = u32(segment, at);
        if (type == PcapNgBlock.SECTION_HEADER && !readByteOrder(window)) {
            return;
        }
        if (!inSection && type != PcapNgBlock.SECTION_HEADER) {
            fail(window, at, "a section header was expected, a block of type 0x" + HEX.toHexDigits(type) + " found");
            return;
        }
        long length = u32(segment, at + 4) & 0xffff_ffffL;
        if (length < PcapNgBlock.LEAST_LENGTH) {
            fail(
                    window,
                    at + 4,
                    "a block length of at least " + PcapNgBlock.LEAST_LENGTH + " was expected, " + length + " found");
            return;
        }
        boolean isTooLong = length > MOST_RECORD_BYTES;
        if (!isRead(type) && (!everyBlock || isTooLong) || type == PcapNgBlock.INTERFACE_STATISTICS && isTooLong) {
            if (everyBlock) {
                String message = "a block of at most " + MOST_RECORD_BYTES + " bytes was expected, one of " + length
                        + " is left out";
                faults.add(new CaptureFault(Kind.DAMAGED, file, window.fileOffset(at), message));
            }
            passedLength = length;
            window.position = at + PcapNgBlock.padded(length) - PcapNgBlock.TRAILER;
            return;
        }
        if (isTooLong) {
            fail(
                    window,
                    at + 4,
                    "a block of at most " + MOST_RECORD_BYTES + " bytes was expected, " + length + " announced");
            return;
        }
        int whole = (int) PcapNgBlock.padded(length);
        if (window.available() < whole) {
            wanted = whole;
            return;
        }
        if (!endsWith(window, at + whole - PcapNgBlock.TRAILER, length)) {
            return;
        }
        long end = at + whole - PcapNgBlock.TRAILER;
        switch (type) {
            case PcapNgBlock.ENHANCED_PACKET, PcapNgBlock.OBSOLETE_PACKET, PcapNgBlock.SIMPLE_PACKET ->
                ended = !packets.read(window, end, type, segmentIndex, batch);
            case PcapNgBlock.INTERFACE_DESCRIPTION -> readInterface(window, end);
            case PcapNgBlock.INTERFACE_STATISTICS -> readStatistics(window, end);
            case PcapNgBlock.SECTION_HEADER -> readSectionHeader(window, end);
            default -> {} // a type that is delivered as it is
        }
        if (!ended) {
            if (everyBlock && !PcapNgBlock.isPacket(type)) {
                batch.add(segmentIndex, at, whole, 0, packets.lastTimestampNs(), 0, 0);
            }
            window.position = at + whole;
        }
    }

    private static boolean isRead(int type) {
        return type == PcapNgBlock.ENHANCED_PACKET
                || type == PcapNgBlock.SIMPLE_PACKET
                || type == PcapNgBlock.OBSOLETE_PACKET
                || type == PcapNgBlock.INTERFACE_DESCRIPTION
                || type == PcapNgBlock.INTERFACE_STATISTICS
                || type == PcapNgBlock.SECTION_HEADER;
    }

    private void finishPassedBlock(ByteWindow window) {
        if (window.available() < PcapNgBlock.TRAILER) {
            wanted = PcapNgBlock.TRAILER;
        } else if (endsWith(window, window.position, passedLength)) {
            window.position += PcapNgBlock.TRAILER;
            passedLength = 0;
        }
    }

    private boolean endsWith(ByteWindow window, long trailer, long length) {
        long found = u32(window.segment, trailer) & 0xffff_ffffL;
        if (found != length) {
            fail(
                    window,
                    trailer,
                    "the block's length " + length + " was expected again at its end, " + found + " found");
            return false;
        }
        return true;
    }

    /**
     * Reads the byte order of a section, which must be known before the length of the block that declares it can be
     * read.
     */
    private boolean readByteOrder(ByteWindow window) {
        int magic = window.segment.get(U32, window.position + PcapNgBlock.HEADER);
        if (magic == PcapNgBlock.BYTE_ORDER_MAGIC) {
            swapped = false;
        } else if (magic == Integer.reverseBytes(PcapNgBlock.BYTE_ORDER_MAGIC)) {
            swapped = true;
        } else {
            fail(
                    window,
                    window.position + PcapNgBlock.HEADER,
                    "the byte-order magic 0x" + HEX.toHexDigits(PcapNgBlock.BYTE_ORDER_MAGIC) + " was expected, 0x"
                            + HEX.toHexDigits(magic) + " found");
            return false;
        }
        return true;
    }

    private void readSectionHeader(ByteWindow window, long end) {
        long at = window.position;
        if (end - at < LEAST_SECTION_HEADER - PcapNgBlock.TRAILER) {
            fail(window, at + 4, "a section header of at least " + LEAST_SECTION_HEADER + " bytes was expected");
            return;
        }
        int major = u16(window.segment, at + 12);
        int minor = u16(window.segment, at + 14);
        // some writers declared 1.2, which means the same
        if (major != 1 || minor != 0 && minor != 2) {
            ended = true;
            String message = "pcapng version 1.0 was expected, a section of " + major + "." + minor + " found";
            faults.add(new CaptureFault(Kind.UNKNOWN_FORMAT, file, window.fileOffset(at + 12), message));
            return;
        }
        inSection = true;
        section.start(swapped);
        packets.startSection(swapped);
        ended = !section.checkOptions(window, at + 24, end);
    }

    private void readInterface(ByteWindow window, long end) {
        long at = window.position;
        if (end - at < LEAST_INTERFACE_DESCRIPTION - PcapNgBlock.TRAILER) {
            fail(
                    window,
                    at + 4,
                    "an interface description of at least " + LEAST_INTERFACE_DESCRIPTION + " bytes was expected");
            return;
        }
        int linkType = u16(window.segment, at + 8);
        long snapLength = u32(window.segment, at + 12) & 0xffff_ffffL;
        ended = !section.addInterface(window, linkType, snapLength, at + 16, end);
    }

    /**
     * Reads losses and the end of the capture from interface statistics; a malformed block is skipped like any other.
     */
    private void readStatistics(ByteWindow window, long end) {
        long at = window.position;
        int index = end - at < STATISTICS_HEADER ? -1 : section.index(u32(window.segment, at + 8));
        if (index >= 0) {
            long dropped = section.droppedInTotal(window.segment, at + STATISTICS_HEADER, end);
            losses.statistics(index, dropped, packets.count(), packets.lastTimestampNs());
            endNs = Math.max(endNs, section.endNs(index, window.segment, at + STATISTICS_HEADER, end));
        }
    }

    private void fail(ByteWindow window, long at, String message) {
        faults.add(new CaptureFault(Kind.DAMAGED, file, window.fileOffset(at), message));
        ended = true;
    }

    private int u16(MemorySegment segment, long offset) {
        short value = segment.get(U16, offset);
        return (swapped ? Short.reverseBytes(value) : value) & 0xffff;
    }

    private int u32(MemorySegment segment, long offset) {
        int value = segment.get(U32, offset);
        return swapped ? Integer.reverseBytes(value) : value;
    }

    @Override
    public CaptureFormat format() {
        return CaptureFormat.PCAPNG;
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public @Nullable CaptureFault cutOff(ByteWindow window) {
        long found = window.available();
        if (passedLength != 0) {
            long whole = PcapNgBlock.padded(passedLength);
            long start = window.position + PcapNgBlock.TRAILER - whole;
            return CaptureFault.cutOff(file, window.fileOffset(start), "a block", whole, window.limit - start);
        }
        if (found == 0 && inSection) {
            return null;
        }
        long whole = PcapNgBlock.LEAST_LENGTH;
        if (found >= PcapNgBlock.LEAST_LENGTH) {
            // the length is valid: otherwise the file would have ended there
            whole = PcapNgBlock.padded(u32(window.segment, window.position + 4) & 0xffff_ffffL);
        }
        return CaptureFault.cutOff(file, window.fileOffset(window.position), "a block", whole, found);
    }

    @Override
    public long packets() {
        return packets.count();
    }

    @Override
    public long endNs() {
        return endNs;
    }

    @Override
    public List<CaptureLoss> losses() {
        return losses.snapshot();
    }

    @Override
    public long packetsLeftOut() {
        return packets.leftOut();
    }

    @Override
    public long timestampsClamped() {
        return section.timestampsClamped();
    }
}
