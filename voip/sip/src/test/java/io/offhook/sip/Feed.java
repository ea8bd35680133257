package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Feeds one stream, each piece as a packet of its own, and keeps what comes out. */
final class Feed implements SipSink {
    final SipBufferPool pool;
    final SipStreamCounters counters = new SipStreamCounters();
    final SipStream stream;
    final List<String> messages = new ArrayList<>();
    final List<Long> frames = new ArrayList<>();
    final List<Long> times = new ArrayList<>();
    int inPlace;
    private byte[] delivered = new byte[0];
    private long frame;

    Feed() {
        this(new SipBufferPool(8 << 20));
    }

    Feed(SipBufferPool pool) {
        this.pool = pool;
        stream = new SipStream(pool, counters);
    }

    void data(String latin1) {
        data(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    void data(byte[] piece) {
        delivered = piece;
        frame++;
        stream.data(piece, 0, piece.length, frame * 1000, frame, this);
    }

    void data(MemorySegment piece) {
        frame++;
        stream.data(piece, 0, (int) piece.byteSize(), frame * 1000, frame, this);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // in which array, not with which bytes
    public void message(byte[] octets, int offset, int length, long timestampNs, long frameNumber) {
        messages.add(Native.string(octets, offset, length));
        frames.add(frameNumber);
        times.add(timestampNs);
        if (octets == delivered) {
            inPlace++;
        }
    }
}
