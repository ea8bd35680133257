package io.offhook.rtp;

import static io.offhook.packet.NetworkOrder.u32;
import static io.offhook.packet.NetworkOrder.u8;

import java.lang.foreign.MemorySegment;

/**
 * Iterates the items of an SDES packet (RFC 3550, 6.5), chunk after chunk.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                          SSRC or CSRC                         |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |     type      |     length    | text...   0 ends the chunk, which is filled up to a word
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * <p>An item that goes past the packet ends the iteration. Reused and single-threaded; valid while the bytes are.
 */
public final class SdesReader {
    /** The canonical name, which persists if the SSRC changes. */
    public static final int CNAME = 1;

    /** The user name (RFC 3550, 6.5.2). */
    public static final int NAME = 2;
    /** The application or tool (RFC 3550, 6.5.6). */
    public static final int TOOL = 6;

    private MemorySegment segment = MemorySegment.NULL;
    private long start;
    private long position;
    private long end;
    private int chunksLeft;
    private boolean inChunk;
    private long ssrc;
    private int type;
    private int length;

    /** Creates a reader without items. */
    public SdesReader() {}

    /** Restarts with the chunks of an SDES packet; other packets have none. */
    public void wrap(RtcpView rtcp) {
        segment = rtcp.segment();
        start = rtcp.bodyOffset();
        position = start;
        end = rtcp.bodyEnd();
        chunksLeft = rtcp.packetType() == RtcpView.SOURCE_DESCRIPTION ? rtcp.count() : 0;
        inChunk = false;
        ssrc = 0;
        type = 0;
        length = 0;
    }

    /** Clears the values of the previous item. */
    private boolean none() {
        ssrc = 0;
        type = 0;
        length = 0;
        return false;
    }

    /** Moves to the next item; false if there is none. */
    public boolean next() {
        while (true) {
            if (!inChunk) {
                if (chunksLeft == 0 || end - position < 4) {
                    return none();
                }
                chunksLeft--;
                ssrc = u32(segment, position);
                position += 4;
                inChunk = true;
            }
            if (position >= end) {
                return none();
            }
            type = u8(segment, position);
            if (type == 0) {
                position += 4 - (position - start & 3); // skips the zeros up to the next word
                inChunk = false;
                continue;
            }
            if (end - position < 2) {
                return none();
            }
            length = u8(segment, position + 1);
            if (length > end - position - 2) {
                position = end;
                return none();
            }
            position += 2 + length;
            return true;
        }
    }

    /** The SSRC that the item describes, 32 bits, unsigned. */
    public long ssrc() {
        return ssrc;
    }

    /** The type of the item: 1 CNAME, 2 NAME, 3 EMAIL, 4 PHONE, 5 LOC, 6 TOOL, 7 NOTE, 8 PRIV. */
    public int type() {
        return type;
    }

    /** The text of the item. Allocates. */
    public String text() {
        return RtcpView.text(segment, position - length, length);
    }
}
