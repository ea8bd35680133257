package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Feeds one stream, each piece as a packet of its own, and keeps what comes out. */
final class Feed {
    final SipBufferPool pool;
    final SipStreamCounters counters = new SipStreamCounters();
    final SipStream stream;
    final List<String> messages = new ArrayList<>();
    final List<Long> frames = new ArrayList<>();
    final List<Long> times = new ArrayList<>();
    int inPlace;
    private long frame;

    Feed() {
        this(new SipBufferPool(8 << 20));
    }

    Feed(SipBufferPool pool) {
        this.pool = pool;
        stream = new SipStream(pool, counters);
    }

    void data(String latin1) {
        data(Native.bytes(latin1.getBytes(StandardCharsets.ISO_8859_1)));
    }

    void data(MemorySegment piece) {
        frame++;
        stream.data(piece, 0, (int) piece.byteSize(), frame * 1000, frame, (segment, offset, length, time, number) -> {
            messages.add(Native.string(segment, offset, length));
            frames.add(number);
            times.add(time);
            if (segment.equals(piece)) {
                inPlace++;
            }
        });
    }
}
