package io.offhook.forward.port;

import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A socket whose datagrams end in this process, for rehearsals: sending by it succeeds, until it is full. */
final class Sinkhole implements AutoCloseable {
    private static final int MSG_DONTWAIT = 0x40;

    private final List<NativeSocket> pair = NativeSocket.pair("open a pair of sockets for a rehearsal");

    /** What to send by. */
    NativeSocket socket() {
        return pair.getFirst();
    }

    /** Drops what was sent so far, after something was. */
    void empty() {
        pair.getFirst().send(MemorySegment.NULL, MSG_DONTWAIT);
        while (pair.getLast().receive(MemorySegment.NULL, MSG_DONTWAIT) >= 0) {
            // the kernel drops what the buffer has no room for
        }
    }

    @Override
    public void close() {
        pair.forEach(NativeSocket::close);
    }
}
