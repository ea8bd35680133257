package io.offhook.forward.port;

import io.offhook.forward.Bytes;
import io.offhook.forward.application.PortRequest;
import io.offhook.forward.application.RehearsedPort;
import io.offhook.live.xdp.XdpKernelSide;
import io.offhook.live.xdp.XdpMemory;
import io.offhook.live.xdp.XdpSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rings of AF_XDP without an interface. What is sent is completed at once. */
final class RehearsedXdpPort extends RehearsedPort {
    private static final int RING = 256;
    private static final int CHUNKS = 2048;
    private static final int CHUNK_BYTES = 2048;

    private final Memories memories;
    private final List<XdpSocket> sockets = new ArrayList<>();
    private final List<XdpKernelSide> kernel = new ArrayList<>();
    private @Nullable Sinkhole sinkhole;

    /** The memory of each lane, which all ports share. */
    static final class Memories implements PortRequest.Shared {
        private final List<XdpMemory> ofLanes = new ArrayList<>();

        XdpMemory of(int lane) {
            while (ofLanes.size() <= lane) {
                ofLanes.add(new XdpMemory(CHUNKS, CHUNK_BYTES));
            }
            return ofLanes.get(lane);
        }

        @Override
        public void close() {
            ofLanes.forEach(XdpMemory::close);
        }
    }

    RehearsedXdpPort(String name, long linkAddress, Memories memories) {
        super(name, linkAddress);
        this.memories = memories;
    }

    @Override
    public void open(int receiveQueues, int sendQueues) {
        sinkhole = new Sinkhole();
        for (int i = 0; i < sendQueues; i++) {
            XdpMemory memory = memories.of(i);
            XdpSocket socket = XdpSocket.openUnbound(memory, new XdpSocket.Options(i, RING, RING, RING, true, false));
            sockets.add(socket);
            kernel.add(socket.kernelSide());
            XdpPort.Queue queue = new XdpPort.Queue(socket, memory);
            receiveBy(queue);
            sendBy(queue);
        }
    }

    @Override
    public boolean put(int queue, byte[] packet) {
        XdpKernelSide ring = kernel.get(queue);
        XdpMemory memory = memories.of(queue);
        long frame = ring.claim(packet.length);
        if (frame < 0) {
            return false;
        }
        Bytes.put(packet, memory.segment().address() + frame);
        ring.deliver(packet.length);
        return true;
    }

    /** {@inheritDoc} Calls that wake up the kernel fail, as the sockets are bound to nothing; some others are to succeed. */
    @Override
    public void complete() {
        kernel.forEach(XdpKernelSide::complete);
        if (sinkhole != null) {
            sinkhole.empty();
        }
    }

    @Override
    public void close() {
        sockets.forEach(XdpSocket::close);
        if (sinkhole != null) {
            sinkhole.close();
        }
    }
}
