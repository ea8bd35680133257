package io.offhook.rtp;

import static io.offhook.packet.NetworkOrder.u8;

import java.lang.foreign.MemorySegment;

/**
 * Iterates over the elements of an RTP header extension in the general form of RFC 8285: one-byte headers (profile
 * 0xBEDE, 4.2) and two-byte headers (0x1000 to 0x100F, 4.3). Any other profile has no elements.
 *
 * <pre>
 *  0 1 2 3 4 5 6 7                     0                   1
 * +-+-+-+-+-+-+-+-+                    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5
 * |  ID   |len - 1| data...           +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * +-+-+-+-+-+-+-+-+                    |      ID       |     length    | data...
 * </pre>
 *
 * <p>An element that extends beyond the extension ends the iteration, and {@link #malformed()} reports it. Reused and
 * single-threaded; valid while the bytes are.
 */
public final class RtpExtensionReader {
    private static final int ONE_BYTE = 0xbede;
    private static final int TWO_BYTE = 0x1000;
    private static final int STOP_ID = 15;

    private MemorySegment segment = MemorySegment.NULL;
    private long position;
    private long end;
    private boolean oneByte;
    private boolean malformed;
    private int id;
    private long dataOffset;
    private int dataLength;

    /** Creates a reader without elements. */
    public RtpExtensionReader() {}

    /** Restarts with the extension of a wrapped packet. */
    public void wrap(RtpView rtp) {
        int profile = rtp.extensionProfile();
        oneByte = profile == ONE_BYTE;
        malformed = false;
        segment = rtp.segment();
        position = rtp.extensionOffset();
        end = oneByte || (profile & 0xfff0) == TWO_BYTE ? position + rtp.extensionLength() : position;
        id = 0;
        dataOffset = position;
        dataLength = 0;
    }

    /** Moves to the next element; false if there is none. */
    public boolean next() {
        while (position < end) {
            int head = u8(segment, position++);
            if (head == 0) {
                continue; // padding, which has no length in either form
            }
            if (oneByte) {
                id = head >> 4;
                dataLength = (head & 0x0f) + 1;
                if (id == STOP_ID) {
                    position = end; // RFC 8285, 4.2: reserved, processing ends here
                    return false;
                }
            } else {
                id = head;
                if (position == end) {
                    malformed = true;
                    return false;
                }
                dataLength = u8(segment, position++);
            }
            if (dataLength > end - position) {
                malformed = true;
                position = end;
                return false;
            }
            dataOffset = position;
            position += dataLength;
            if (id != 0) {
                return true; // 0 is not an identifier, whatever its length
            }
        }
        return false;
    }

    /**
     * The local identifier, which SDP's {@code a=extmap} binds to a meaning: 1 to 14, or 1 to 255 in the two-byte form.
     */
    public int id() {
        return id;
    }

    /** The start of the element's data, an offset in the segment. */
    public long dataOffset() {
        return dataOffset;
    }

    /** The length of the element's data in octets: 1 to 16, or 0 to 255 in the two-byte form. */
    public int dataLength() {
        return dataLength;
    }

    /** Whether the iteration ended at an element that does not fit. */
    public boolean malformed() {
        return malformed;
    }
}
