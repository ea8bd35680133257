package io.offhook.forward.port;

import io.offhook.forward.Bytes;
import io.offhook.forward.application.RehearsedPort;
import io.offhook.live.packetsocket.PacketSocketKernelSide;
import io.offhook.live.packetsocket.PacketSocketLink;
import java.util.ArrayList;
import java.util.List;

/** The rings of AF_PACKET without an interface. What is sent ends in a {@link Sinkhole}. */
final class RehearsedPacketSocketPort extends RehearsedPort {
    private static final int SLOTS = 256;

    private final List<PacketSocketLink> links = new ArrayList<>();
    private final List<PacketSocketKernelSide> kernel = new ArrayList<>();
    private final List<Sinkhole> sinkholes = new ArrayList<>();

    RehearsedPacketSocketPort(String name, long linkAddress) {
        super(name, linkAddress);
    }

    @Override
    public void open(int receiveQueues, int sendQueues) {
        for (int i = 0; i < receiveQueues; i++) {
            PacketSocketLink link = PacketSocketLink.openUnbound(SLOTS, MTU);
            links.add(link);
            receiveBy(new PacketSocketPort.Queue(link));
            kernel.add(link.kernelSide());
        }
        for (int i = 0; i < sendQueues; i++) {
            Sinkhole sinkhole = new Sinkhole();
            sinkholes.add(sinkhole);
            PacketSocketLink link = PacketSocketLink.sendingBy(sinkhole.socket());
            links.add(link);
            sendBy(new PacketSocketPort.Queue(link));
        }
    }

    @Override
    public boolean put(int queue, byte[] packet) {
        PacketSocketKernelSide ring = kernel.get(queue);
        long address = ring.claim(packet.length);
        if (address < 0) {
            return false;
        }
        Bytes.put(packet, address);
        ring.deliver(packet.length, 0);
        return true;
    }

    @Override
    public void complete() {
        sinkholes.forEach(Sinkhole::empty);
    }

    @Override
    public void close() {
        links.forEach(PacketSocketLink::close);
        sinkholes.forEach(Sinkhole::close);
    }
}
