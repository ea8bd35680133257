package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.LossList;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packets of a snoop file, version 2 (RFC 1761): a file header of 16 bytes, then records, all big-endian.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                        Original length                        |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                        Included length                        |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                     Packet record length                      |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                       Cumulative drops                        |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                       Timestamp seconds                       |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                     Timestamp microseconds                    |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
public final class SnoopReader implements RecordReader {
    /** "snoop" and three zero bytes. */
    private static final long MAGIC = 0x736e6f6f_70000000L;

    private static final int VERSION = 2;
    private static final int FILE_HEADER = 16;
    private static final int RECORD_HEADER = 24;
    private static final int LINK_TYPE_TOKEN_RING = 6;
    private static final int LINK_TYPE_FDDI = 10;
    private static final int UNKNOWN_LINK_TYPE = 0xffff;

    private final String file;
    private final InterfaceTable interfaces;
    private final FaultList faults;

    private boolean started;
    private boolean ended;
    private int linkType;
    private int interfaceIndex;
    private long packets;
    private final LossList losses;
    /** The cumulative drops and the time of the previous record. */
    private long dropped;

    private long lastTimestampNs;

    private SnoopReader(String file, InterfaceTable interfaces, FaultList faults) {
        this.file = file;
        this.interfaces = interfaces;
        this.faults = faults;
        losses = new LossList(file);
    }

    /**
     * Returns a reader for a file that begins with the magic number of snoop.
     *
     * @param magic the file's first eight bytes, big-endian
     * @return null when they are not of this format
     */
    public static @Nullable SnoopReader of(String file, long magic, InterfaceTable interfaces, FaultList faults) {
        return magic == MAGIC ? new SnoopReader(file, interfaces, faults) : null;
    }

    @Override
    public int read(ByteWindow window, int segmentIndex, FrameBatch batch) {
        if (!started) {
            if (window.available() < FILE_HEADER) {
                return FILE_HEADER;
            }
            readFileHeader(window);
        }
        int wanted = 0;
        while (wanted == 0 && !ended && !batch.isFull()) {
            wanted = window.available() < RECORD_HEADER ? RECORD_HEADER : readRecord(window, segmentIndex, batch);
        }
        return wanted;
    }

    private void readFileHeader(ByteWindow window) {
        started = true;
        long at = window.position;
        long version = NetworkOrder.u32(window.segment, at + 8);
        if (version != VERSION) {
            fail(
                    Kind.UNKNOWN_FORMAT,
                    window.fileOffset(at + 8),
                    "snoop version " + VERSION + " was expected, " + version + " found");
            return;
        }
        // the numbers of RFC 1761 section 3, not those of pcap
        linkType = switch (NetworkOrder.bits32(window.segment, at + 12)) {
            case 0, 4 -> LinkType.ETHERNET;
            case 2 -> LINK_TYPE_TOKEN_RING;
            case 8 -> LINK_TYPE_FDDI;
            default -> UNKNOWN_LINK_TYPE;
        };
        interfaceIndex = interfaces.add(new CaptureInterface(file, linkType, 0, 1_000_000, 0, null));
        if (interfaceIndex < 0) {
            fail(Kind.DAMAGED, -1, "more than " + InterfaceTable.MOST + " interfaces in all files");
            return;
        }
        window.position = at + FILE_HEADER;
    }

    private int readRecord(ByteWindow window, int segmentIndex, FrameBatch batch) {
        MemorySegment segment = window.segment;
        long at = window.position;
        long wire = NetworkOrder.u32(segment, at);
        long captured = NetworkOrder.u32(segment, at + 4);
        long record = NetworkOrder.u32(segment, at + 8);
        if (captured > USUAL_PACKET_BYTES) {
            fail(
                    Kind.DAMAGED,
                    window.fileOffset(at + 4),
                    "a packet of at most " + USUAL_PACKET_BYTES + " bytes was expected, the record announces "
                            + captured);
            return 0;
        }
        if (record < RECORD_HEADER + captured || record > MOST_RECORD_BYTES) {
            fail(
                    Kind.DAMAGED,
                    window.fileOffset(at + 8),
                    "a record of " + (RECORD_HEADER + captured) + " to " + MOST_RECORD_BYTES + " bytes was expected, "
                            + record + " announced");
            return 0;
        }
        if (window.available() < record) {
            return (int) record;
        }
        long timestampNs =
                NetworkOrder.u32(segment, at + 16) * 1_000_000_000L + NetworkOrder.u32(segment, at + 20) * 1_000L;
        batch.add(
                segmentIndex,
                at + RECORD_HEADER,
                (int) captured,
                (int) Math.min(wire, Integer.MAX_VALUE),
                timestampNs,
                interfaceIndex,
                linkType);
        packets++;
        long dropped = NetworkOrder.u32(segment, at + 12);
        if (dropped != this.dropped) {
            countDrops(dropped, timestampNs);
        }
        lastTimestampNs = timestampNs;
        window.position = at + record;
        return 0;
    }

    /**
     * Records the increase of the packets lost since the first one (RFC 1761, section 4), which the record declares.
     */
    private void countDrops(long dropped, long timestampNs) {
        boolean isFirst = packets == 1;
        losses.add(
                dropped - this.dropped,
                isFirst ? 1 : packets - 1,
                packets,
                isFirst ? timestampNs : lastTimestampNs,
                timestampNs);
        this.dropped = dropped;
    }

    private void fail(Kind kind, long fileOffset, String message) {
        faults.add(new CaptureFault(kind, file, fileOffset, message));
        ended = true;
    }

    @Override
    public CaptureFormat format() {
        return CaptureFormat.SNOOP;
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
        long at = window.position;
        if (!started) {
            return CaptureFault.cutOff(file, window.fileOffset(at), "a file header", FILE_HEADER, found);
        }
        boolean lengthKnown = found >= RECORD_HEADER;
        long expected = lengthKnown ? NetworkOrder.u32(window.segment, at + 8) : RECORD_HEADER;
        String what = lengthKnown ? "a packet record" : "a record header";
        return CaptureFault.cutOff(file, window.fileOffset(at), what, expected, found);
    }

    @Override
    public List<CaptureLoss> losses() {
        return losses.snapshot();
    }

    @Override
    public long packets() {
        return packets;
    }
}
