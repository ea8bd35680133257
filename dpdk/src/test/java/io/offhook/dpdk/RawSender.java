package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.NativeSocket;
import io.offhook.linux.NetworkDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Sends frames as the kernel does, by a packet socket. */
final class RawSender implements AutoCloseable {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    private static final int ENOBUFS = 105;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment room = arena.allocate(65_536);
    private final NativeSocket socket = NativeSocket.open(AF_PACKET, SOCK_RAW, 0, "open to send");

    RawSender(String name) {
        MemorySegment address = arena.allocate(20, 4);
        address.set(JAVA_SHORT, 0, (short) AF_PACKET);
        address.set(
                JAVA_INT, 4, Objects.requireNonNull(NetworkDevice.named(name)).index());
        socket.bind(address, "bind to send");
    }

    void send(byte[] frame) {
        MemorySegment.copy(frame, 0, room, JAVA_BYTE, 0, frame.length);
        long sent;
        do {
            sent = socket.send(room.asSlice(0, frame.length), 0);
        } while (sent == -ENOBUFS);
        if (sent != frame.length) {
            throw new IllegalStateException("sending " + frame.length + " bytes gave " + sent);
        }
    }

    @Override
    public void close() {
        socket.close();
        arena.close();
    }
}
