package io.offhook.cli;

import io.offhook.linux.NativeSocket;
import io.offhook.linux.NetworkDevice;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFiles;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A process that sends the frames of a capture file on an interface of its network namespace, as fast as they go, once for
 * each line that it reads, and answers each with "sent".
 */
final class FrameSender {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    private static final int ADDRESS_BYTES = 20;
    private static final long ENOBUFS = -105;

    private FrameSender() {}

    public static void main(String[] args) throws Exception {
        NetworkDevice device = Objects.requireNonNull(NetworkDevice.named(args[0]));
        try (NativeSocket socket = NativeSocket.open(AF_PACKET, SOCK_RAW, 0, "open to send");
                Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ADDRESS_BYTES, 4);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_PACKET);
            address.set(ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2, (short) 0);
            address.set(ValueLayout.JAVA_INT, 4, device.index());
            socket.bind(address, "bind to send");
            System.out.println("ready");
            while (System.in.read() == '\n') {
                send(args[1], socket);
                System.out.println("sent");
            }
        }
    }

    private static void send(String file, NativeSocket socket) {
        FrameBatch batch = new FrameBatch(1024);
        try (PacketSource source = CaptureFiles.open(file)) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    MemorySegment frame = batch.segmentOf(i).asSlice(batch.offset(i), batch.capturedLength(i));
                    long sent;
                    do {
                        sent = socket.send(frame, 0);
                    } while (sent == ENOBUFS);
                    if (sent != frame.byteSize()) {
                        throw new IllegalStateException("sending " + frame.byteSize() + " bytes gave " + sent);
                    }
                }
            }
        }
    }
}
