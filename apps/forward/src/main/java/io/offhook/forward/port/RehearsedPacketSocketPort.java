package io.offhook.forward.port;

import io.offhook.forward.Bytes;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;
import io.offhook.forward.application.RehearsedPort;
import io.offhook.live.packetsocket.PacketSocketKernelSide;
import io.offhook.live.packetsocket.PacketSocketLink;
import java.util.ArrayList;
import java.util.List;

/** The rings of AF_PACKET without an interface. What is sent is refused by the kernel, as the socket has nowhere to send. */
final class RehearsedPacketSocketPort extends RehearsedPort {
    private static final int SLOTS = 256;

    private final List<PacketSocketLink> links = new ArrayList<>();
    private final List<PacketSocketPort.Queue> receiving = new ArrayList<>();
    private final List<PacketSocketPort.Queue> sending = new ArrayList<>();
    private final List<PacketSocketKernelSide> kernel = new ArrayList<>();
    private int next;

    RehearsedPacketSocketPort(String name, long linkAddress) {
        super(name, linkAddress);
    }

    @Override
    public void open(int receiveQueues, int sendQueues) {
        for (int i = 0; i < receiveQueues; i++) {
            PacketSocketLink link = PacketSocketLink.openUnbound(SLOTS, MTU);
            links.add(link);
            receiving.add(new PacketSocketPort.Queue(link));
            kernel.add(link.kernelSide());
        }
        for (int i = 0; i < sendQueues; i++) {
            PacketSocketLink link = PacketSocketLink.openUnbound(SLOTS, MTU);
            links.add(link);
            sending.add(new PacketSocketPort.Queue(link));
        }
    }

    @Override
    public boolean put(byte[] packet) {
        PacketSocketKernelSide ring = kernel.get(next);
        next = next + 1 == kernel.size() ? 0 : next + 1;
        long address = ring.claim(packet.length);
        if (address < 0) {
            return false;
        }
        Bytes.put(packet, address);
        ring.deliver(packet.length, 0);
        return true;
    }

    @Override
    public ReceiveQueue receiveQueue(int i) {
        return receiving.get(i);
    }

    @Override
    public SendQueue sendQueue(int i) {
        return sending.get(i);
    }

    @Override
    public void close() {
        links.forEach(PacketSocketLink::close);
    }
}
