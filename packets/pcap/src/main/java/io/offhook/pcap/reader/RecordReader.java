package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the packets in the bytes of one capture format. It sees the bytes through a {@link ByteWindow} and does not
 * know whether they are mapped or streamed, so both give the same frames.
 */
public sealed interface RecordReader permits PcapReader, PcapNgReader, SnoopReader {

    /**
     * The most bytes of a packet by the usual limit of libpcap and Wireshark, 262,144. Only a file with a larger snap
     * length may have more, up to {@link #MOST_PACKET_BYTES}.
     */
    int USUAL_PACKET_BYTES = 262_144;

    /** The most bytes a packet may have, whatever snap length its file announces: 16 MiB. */
    int MOST_PACKET_BYTES = 16 << 20;

    /** The most bytes of a record or block that has to be in memory as a whole. */
    int MOST_RECORD_BYTES = MOST_PACKET_BYTES + (1 << 20);

    /**
     * Returns the size of a buffer that replaces a smaller one: at least double, because the old one is not freed
     * before the source is closed.
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

    /** Returns the format, which selected this reader and is known before any byte is read. */
    CaptureFormat format();

    /**
     * Adds the packets that are completely in the window to the batch, until it is full.
     *
     * @return 0 if the batch is full or the reader has {@link #ended()}; otherwise the bytes it needs to see from the
     *     window's position on, more than there are, at most {@link #MOST_RECORD_BYTES}
     */
    int read(ByteWindow window, int segmentIndex, FrameBatch batch);

    /** Returns whether damage makes it pointless to continue; it was added to the fault list. */
    boolean ended();

    /** Returns the fault if the file ends at the end of the window, or null if that is between two records. */
    @Nullable
    CaptureFault cutOff(ByteWindow window);

    /** Returns the packets found so far. */
    long packets();

    /** Returns the losses during the capture that the file has declared so far. */
    default List<CaptureLoss> losses() {
        return List.of();
    }

    /** Returns how many packets so far were left out, since their interface is not described or cannot be numbered. */
    default long packetsLeftOut() {
        return 0;
    }

    /**
     * Returns when the capture ended, as declared by the file; {@link PacketSource#END_NOT_TOLD} if it does not declare
     * it.
     */
    default long endNs() {
        return PacketSource.END_NOT_TOLD;
    }

    /** Returns how many packets so far had a time outside of the range of frames, and were set to its nearest end. */
    default long timestampsClamped() {
        return 0;
    }

    /** Returns a description of the file as far as it was read; the size is in bytes on disk, -1 if unknown. */
    default CaptureFile describe(String path, CaptureCompression compression, long size) {
        return new CaptureFile(path, format(), compression, size, packets(), packetsLeftOut(), timestampsClamped());
    }
}
