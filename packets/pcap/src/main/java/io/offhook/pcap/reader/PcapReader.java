package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Packets of a classic pcap file (draft-ietf-opsawg-pcap): a file header of 24 bytes, then records.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                    Seconds since the epoch                    |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |            Microseconds or nanoseconds (by the magic)         |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                        Captured length                        |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                        Original length                        |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |  modified form only: interface, protocol, packet type (8)     |
 * </pre>
 *
 * <p>The magic number gives the byte order and the unit of time. A record with an impossible captured length ends the
 * file, since nothing else leads to the next record.
 */
public final class PcapReader implements RecordReader {
    private static final VarHandle U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private static final int MAGIC_MICROSECONDS = 0xa1b2c3d4;
    private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
    private static final int MAGIC_MODIFIED = 0xa1b2cd34;
    private static final int MAGIC_IXIA_HARDWARE = 0x1c0001ac;
    private static final int MAGIC_IXIA_SOFTWARE = 0x1c0001ab;

    /**
     * The bit of the link-type field that declares that its upper four bits hold the length of the frame check
     * sequence, in 16-bit words.
     */
    public static final int FRAME_CHECK_TOLD = 1 << 26;

    public static final int FRAME_CHECK_SHIFT = 28;

    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int MODIFIED_RECORD_HEADER = 24;
    /**
     * A record is recognised by this many plausible records in a row, with times no further apart than the next
     * constant.
     */
    private static final int LIKELY_RECORDS = 4;

    private static final int NEAR_SECONDS = 86_400;

    /** A link type that no registry assigns, for a field with reserved bits set. */
    private static final int UNKNOWN_LINK_TYPE = 0xffff;

    private final String file;
    private final InterfaceTable interfaces;
    private final FaultList faults;
    private final CaptureFormat format;
    private final boolean swapped;
    private final int fileHeader;
    private final int recordHeader;
    private final int nsPerUnit;

    private boolean started;
    private boolean ended;
    private int interfaceIndex;
    private int linkType;
    private int packetLimit;
    /**
     * Files before version 2.4 may have the two lengths in the other order: 1 always, 0 if that is plausible, -1 never.
     */
    private int lengthsSwapped = -1;

    private long packets;

    private PcapReader(String file, int magic, boolean swapped, InterfaceTable interfaces, FaultList faults) {
        this.file = file;
        this.interfaces = interfaces;
        this.faults = faults;
        this.swapped = swapped;
        boolean ixia = magic == MAGIC_IXIA_HARDWARE || magic == MAGIC_IXIA_SOFTWARE;
        // IXIA's file header ends with the number of bytes that follow, which is not needed
        fileHeader = ixia ? FILE_HEADER + 4 : FILE_HEADER;
        recordHeader = magic == MAGIC_MODIFIED ? MODIFIED_RECORD_HEADER : RECORD_HEADER;
        nsPerUnit = ixia || magic == MAGIC_NANOSECONDS ? 1 : 1000;
        format = magic == MAGIC_MODIFIED
                ? CaptureFormat.PCAP_MODIFIED
                : nsPerUnit == 1 ? CaptureFormat.PCAP_NANOSECOND : CaptureFormat.PCAP;
    }

    /**
     * Returns a reader for the variant of pcap that a file's magic number names.
     *
     * @param magic the file's first four bytes, read as little-endian
     * @return null when they are not of this format
     */
    public static @Nullable PcapReader of(String file, int magic, InterfaceTable interfaces, FaultList faults) {
        if (isMagic(magic)) {
            return new PcapReader(file, magic, false, interfaces, faults);
        }
        int reversed = Integer.reverseBytes(magic);
        return isMagic(reversed) ? new PcapReader(file, reversed, true, interfaces, faults) : null;
    }

    private static boolean isMagic(int magic) {
        return magic == MAGIC_MICROSECONDS
                || magic == MAGIC_NANOSECONDS
                || magic == MAGIC_MODIFIED
                || magic == MAGIC_IXIA_HARDWARE
                || magic == MAGIC_IXIA_SOFTWARE;
    }

    @Override
    public int read(ByteWindow window, int segmentIndex, FrameBatch batch) {
        if (!started) {
            if (window.available() < fileHeader) {
                return fileHeader;
            }
            readFileHeader(window);
        }
        return ended ? 0 : readRecords(window, segmentIndex, batch);
    }

    private void readFileHeader(ByteWindow window) {
        MemorySegment segment = window.segment;
        long at = window.position;
        int major = u16(segment, at + 4);
        int minor = u16(segment, at + 6);
        long snapLength = u32(segment, at + 16) & 0xffff_ffffL;
        int network = u32(segment, at + 20);
        started = true;
        if (major != 2) {
            fail(
                    Kind.UNKNOWN_FORMAT,
                    window.fileOffset(at + 4),
                    "pcap version 2 was expected, " + major + "." + minor + " found");
            return;
        }
        lengthsSwapped = minor < 3 ? 1 : minor == 3 ? 0 : -1;
        // bits 28 to 31 and 26 declare the length of the frame check sequence, 16 to 25 are reserved
        linkType = (network & 0x03ff_0000) == 0 ? network & 0xffff : UNKNOWN_LINK_TYPE;
        packetLimit = RecordReader.packetLimit(snapLength);
        long unitsPerSecond = 1_000_000_000L / nsPerUnit;
        int frameCheck = (network & FRAME_CHECK_TOLD) == 0
                ? CaptureInterface.FRAME_CHECK_NOT_TOLD
                : (network >>> FRAME_CHECK_SHIFT) * 2;
        interfaceIndex =
                interfaces.add(new CaptureInterface(file, linkType, snapLength, unitsPerSecond, 0, null, frameCheck));
        if (interfaceIndex < 0) {
            fail(Kind.DAMAGED, -1, "more than " + InterfaceTable.MOST + " interfaces in all files");
            return;
        }
        window.position = at + fileHeader;
    }

    private int readRecords(ByteWindow window, int segmentIndex, FrameBatch batch) {
        int before = batch.count();
        hop(window, Long.MAX_VALUE, segmentIndex, batch);
        packets += batch.count() - before;
        return batch.count() == batch.capacity() ? 0 : whyStopped(window);
    }

    /** @return the bytes that the current record needs, more than there are; 0 if it ends the file */
    private int whyStopped(ByteWindow window) {
        if (window.available() < recordHeader) {
            return recordHeader;
        }
        int captured = captured(window.segment, window.position);
        if (captured < 0 || captured > packetLimit) {
            absurdLength(window.fileOffset(window.position), captured);
            return 0;
        }
        return recordHeader + captured;
    }

    /** Returns the captured length that the record at this offset declares. */
    private int captured(MemorySegment segment, long at) {
        int captured = u32(segment, at + 8);
        int wire = u32(segment, at + 12);
        return swapsLengths(captured, wire) ? wire : captured;
    }

    private boolean swapsLengths(int captured, int wire) {
        return lengthsSwapped > 0 || lengthsSwapped == 0 && Integer.compareUnsigned(captured, wire) > 0;
    }

    /**
     * Hops from record to record: each length leads to the next one. It ends at a full batch, at the first record that
     * begins at or after {@code end}, and at an incomplete or invalid one. Invariants are in locals; the batch's arrays
     * take the rest. Only the window and the batch are modified, so that several threads can hop at once, each through
     * its own stretch.
     */
    void hop(ByteWindow window, long end, int segmentIndex, FrameBatch batch) {
        final MemorySegment segment = window.segment;
        final long limit = window.limit;
        final boolean swapped = this.swapped;
        final int header = recordHeader;
        final int nsPerUnit = this.nsPerUnit;
        final int packetLimit = this.packetLimit;
        final int interfaceIndex = this.interfaceIndex;
        final int linkType = this.linkType;
        final int swapsLengths = lengthsSwapped;
        long at = window.position;
        int room = batch.capacity() - batch.count();
        while (room > 0 && at < end) {
            window.touchAhead(at);
            if (limit - at < header) {
                break;
            }
            // two reads instead of four: they are what the hop costs before it is compiled well
            long time = (long) U64.get(segment, at);
            long lengths = (long) U64.get(segment, at + 8);
            int seconds = (int) time;
            int fraction = (int) (time >>> 32);
            int captured = (int) lengths;
            int wire = (int) (lengths >>> 32);
            if (swapped) {
                seconds = Integer.reverseBytes(seconds);
                fraction = Integer.reverseBytes(fraction);
                captured = Integer.reverseBytes(captured);
                wire = Integer.reverseBytes(wire);
            }
            if (swapsLengths >= 0 && swapsLengths(captured, wire)) {
                int other = captured;
                captured = wire;
                wire = other;
            }
            long next = at + header + captured;
            if (captured < 0 || captured > packetLimit || next > limit) {
                break;
            }
            long timestampNs = (seconds & 0xffff_ffffL) * 1_000_000_000L + (fraction & 0xffff_ffffL) * nsPerUnit;
            batch.add(
                    segmentIndex,
                    at + header,
                    captured,
                    wire < 0 ? Integer.MAX_VALUE : wire,
                    timestampNs,
                    interfaceIndex,
                    linkType);
            at = next;
            room--;
        }
        window.position = at;
    }

    /** Returns whether records can be recognised by their content, and reading continues after the last one. */
    boolean isDivisible() {
        return started && !ended && lengthsSwapped < 0;
    }

    /** Counts packets that other threads found with {@link #hop}. */
    void add(long found) {
        packets += found;
    }

    /** Returns the seconds of the record at this offset. */
    int secondsAt(MemorySegment segment, long at) {
        return u32(segment, at);
    }

    /**
     * Searches for a record by content: four plausible records in a row, each leading to the next, from about the same
     * day. The result may be wrong, so the caller checks that the preceding records lead there.
     *
     * @param nearSeconds a time of the same capture, in seconds since the epoch
     * @return the offset of the record; -1 if none begins between {@code from} and {@code to}
     */
    long likelyRecord(MemorySegment segment, long from, long to, int nearSeconds) {
        for (long at = from; at < to; at++) {
            long next = at;
            int found = 0;
            while (found < LIKELY_RECORDS && isLikely(segment, next, nearSeconds)) {
                next += recordHeader + u32(segment, next + 8);
                found++;
            }
            if (found == LIKELY_RECORDS) {
                return at;
            }
        }
        return -1;
    }

    private boolean isLikely(MemorySegment segment, long at, int nearSeconds) {
        if (segment.byteSize() - at < recordHeader) {
            return false;
        }
        int captured = u32(segment, at + 8);
        int wire = u32(segment, at + 12);
        return captured >= 0
                && captured <= wire
                && wire <= packetLimit
                && Math.abs(u32(segment, at) - nearSeconds) <= NEAR_SECONDS
                && Integer.compareUnsigned(u32(segment, at + 4), 1_000_000_000 / nsPerUnit) < 0;
    }

    private void absurdLength(long fileOffset, int captured) {
        fail(
                Kind.DAMAGED,
                fileOffset,
                "a packet of at most " + packetLimit + " bytes was expected, the record announces "
                        + (captured & 0xffff_ffffL));
    }

    private void fail(Kind kind, long fileOffset, String message) {
        faults.add(new CaptureFault(kind, file, fileOffset, message));
        ended = true;
    }

    private int u16(MemorySegment segment, long offset) {
        short value = (short) U16.get(segment, offset);
        return (swapped ? Short.reverseBytes(value) : value) & 0xffff;
    }

    private int u32(MemorySegment segment, long offset) {
        int value = (int) U32.get(segment, offset);
        return swapped ? Integer.reverseBytes(value) : value;
    }

    @Override
    public CaptureFormat format() {
        return format;
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public @Nullable CaptureFault cutOff(ByteWindow window) {
        long found = window.available();
        if (started && found == 0) {
            return null;
        }
        long expected = fileHeader;
        String what = "a file header";
        if (started) {
            expected = recordHeader;
            what = "a record header";
            if (found >= recordHeader) {
                // the length is valid: otherwise the file would have ended there
                expected += captured(window.segment, window.position);
                what = "a packet record";
            }
        }
        return CaptureFault.cutOff(file, window.fileOffset(window.position), what, expected, found);
    }

    @Override
    public long packets() {
        return packets;
    }
}
