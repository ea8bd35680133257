package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the packets in the bytes of one capture format. It sees the bytes through a {@link ByteWindow} and does not know
 * whether they are mapped or streamed, so both give the same frames.
 */
public sealed interface RecordReader permits PcapReader, PcapNgReader, SnoopReader {

    /**
     * The most bytes a packet may have: what libpcap and Wireshark allow is 262,144, more only where the file itself
     * announces more, and never more than {@link #MOST_PACKET_BYTES}.
     */
    int USUAL_PACKET_BYTES = 262_144;

    /** The most bytes a packet may have, whatever snap length its file announces: 16 MiB. */
    int MOST_PACKET_BYTES = 16 << 20;

    /** The most bytes of a record or block that has to be in memory as a whole. */
    int MOST_RECORD_BYTES = MOST_PACKET_BYTES + (1 << 20);

    /**
     * The size of a buffer that gives way to a larger one: it doubles, since what it was is not given back before the
     * source is closed.
     */
    static long grown(long bytes, long needed) {
        return Math.max(needed, Math.min(2 * bytes, MOST_RECORD_BYTES));
    }

    /**
     * Returns the most bytes a packet may have in a file of this snap length: the snap length itself, but at least
     * {@link #USUAL_PACKET_BYTES} and at most {@link #MOST_PACKET_BYTES}.
     */
    static int packetLimit(long snapLength) {
        return Math.clamp(snapLength, USUAL_PACKET_BYTES, MOST_PACKET_BYTES);
    }

    /** The format, known before a byte is read, since it chose the reader. */
    CaptureFormat format();

    /**
     * Adds the packets that lie whole in the window to the batch, until it is full.
     *
     * @return 0 when the batch is full or the reader has {@link #ended()}; else how many bytes it wants to see from the
     *     window's position on, more than there are, at most {@link #MOST_RECORD_BYTES}
     */
    int read(ByteWindow window, int segmentIndex, FrameBatch batch);

    /** Whether damage makes it pointless to go on; it was told to the fault list. */
    boolean ended();

    /** What is wrong when the file ends where the window does, or null when that is a good place to end. */
    @Nullable
    CaptureFault cutOff(ByteWindow window);

    /** Packets found so far. */
    long packets();

    /** The packets that the file says were lost while it was captured, so far. */
    default List<CaptureLoss> losses() {
        return List.of();
    }

    /** Returns how many packets so far were left out, since their interface is not described or cannot be numbered. */
    default long packetsLeftOut() {
        return 0;
    }

    /** When capturing ended, as the file says; {@link PacketSource#END_NOT_TOLD} where it does not. */
    default long endNs() {
        return PacketSource.END_NOT_TOLD;
    }

    /** Returns how many packets so far had a time outside of the range of frames, and were set to its nearest end. */
    default long timestampsClamped() {
        return 0;
    }
}
