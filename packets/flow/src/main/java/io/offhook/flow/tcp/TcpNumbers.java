package io.offhook.flow.tcp;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.transport.TcpOptions;
import io.offhook.packet.transport.TcpView;
import java.lang.foreign.MemorySegment;

/**
 * The numbers of one TCP header, which {@link TcpAnalysis} and {@link TcpFlow} take: read by {@link #wrap}, or given by
 * {@link #set}. Reused for one segment after another, and independent of the bytes once it is filled. Single-threaded.
 */
public final class TcpNumbers {
    /** The window scale of a segment without that option. */
    public static final int NO_SCALE = -1;

    private static final int TIMESTAMPS_LENGTH = 8;

    int sequence;
    int acknowledgment;
    /** 12 bits, as in {@link TcpView#flags()}. */
    int flags;
    /** The window field, unscaled. */
    int window;

    int windowScale;
    boolean hasTimestamps;
    int timestampValue;
    int timestampEchoReply;

    private final TcpOptions options = new TcpOptions();

    /** Creates numbers of a segment without flags. */
    public TcpNumbers() {
        set(0, 0, 0, 0, NO_SCALE);
    }

    /**
     * Reads a header.
     *
     * @param segment native memory with the header
     * @param header the offset of its first byte; at least 20 bytes are present
     * @param headerLength bytes of the header that are present, options included
     */
    public void wrap(MemorySegment segment, long header, int headerLength) {
        set(
                NetworkOrder.bits32(segment, header + TcpView.SEQUENCE_NUMBER),
                NetworkOrder.bits32(segment, header + TcpView.ACKNOWLEDGMENT_NUMBER),
                NetworkOrder.u16(segment, header + TcpView.OFFSET_FLAGS) & 0xfff,
                NetworkOrder.u16(segment, header + TcpView.WINDOW),
                NO_SCALE);
        if (headerLength > TcpView.MIN_LENGTH) {
            options.wrap(segment, header + TcpView.MIN_LENGTH, headerLength - TcpView.MIN_LENGTH);
            readOptions();
        }
    }

    private void readOptions() {
        while (options.next()) {
            if (options.kind() == TcpOptions.TIMESTAMPS && options.dataLength() == TIMESTAMPS_LENGTH) {
                hasTimestamps = true;
                timestampValue = (int) options.timestampValue();
                timestampEchoReply = (int) options.timestampEchoReply();
            } else if (options.kind() == TcpOptions.WINDOW_SCALE && (flags & TcpView.SYN) != 0) {
                windowScale = options.windowScale();
            }
        }
    }

    /**
     * Sets the numbers of a header without a timestamps option.
     *
     * @param sequence the sequence number
     * @param acknowledgment the acknowledgment number; ignored without the flag ACK
     * @param flags the flags, as in {@link TcpView#flags()}
     * @param window the window field, unscaled
     * @param windowScale the window scale option of a SYN (RFC 7323, 2.2), or {@link #NO_SCALE}
     */
    public void set(int sequence, int acknowledgment, int flags, int window, int windowScale) {
        this.sequence = sequence;
        this.acknowledgment = acknowledgment;
        this.flags = flags;
        this.window = window;
        this.windowScale = windowScale;
        hasTimestamps = false;
    }

    boolean isSyn() {
        return (flags & TcpView.SYN) != 0;
    }

    boolean isAck() {
        return (flags & TcpView.ACK) != 0;
    }

    boolean isRst() {
        return (flags & TcpView.RST) != 0;
    }

    boolean isFin() {
        return (flags & TcpView.FIN) != 0;
    }

    /** Whether none of SYN, FIN and RST is set: data and acknowledgments only. */
    boolean isOrdinary() {
        return (flags & (TcpView.SYN | TcpView.FIN | TcpView.RST)) == 0;
    }

    /** Whether a segment with so much payload takes sequence numbers, and so is acknowledged. */
    boolean takesNumbers(int length) {
        return length > 0 || isSyn() || isFin();
    }

    /** The sequence number after the segment, if it carries so much payload. */
    int end(int length) {
        return sequence + length + (isSyn() || isFin() ? 1 : 0);
    }
}
