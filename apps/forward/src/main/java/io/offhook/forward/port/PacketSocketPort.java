package io.offhook.forward.port;

import io.offhook.forward.Burst;
import io.offhook.forward.PacketBuffers;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;
import io.offhook.linux.network.LinkWatch;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.packetsocket.PacketSocketLink;
import io.offhook.packet.MacAddress;
import java.util.List;
import java.util.Optional;

/**
 * A network interface by AF_PACKET, packet(7): any interface of Linux with Ethernet frames. Packets are rewritten in
 * the ring that the kernel fills and sent from there, with one call per burst. The kernel distributes flows over the
 * lanes that read from it.
 */
public final class PacketSocketPort extends QueuedPort<PacketSocketPort.Queue, PacketSocketPort.Queue> {
    private final NetworkDevice device;
    private final int slots;
    private final boolean isPromiscuous;

    /**
     * Creates a port that is not open yet.
     *
     * @param name its name in the statistics
     * @param interfaceName as {@code ip link} has it
     * @param slots frames that each lane's ring holds, 64 to 65,536
     * @param isPromiscuous whether frames to other machines are received, as a bridge needs
     * @throws IllegalArgumentException if there is no such interface, or it is down
     */
    public PacketSocketPort(String name, String interfaceName, int slots, boolean isPromiscuous) {
        super(name);
        this.slots = slots;
        this.isPromiscuous = isPromiscuous;
        NetworkDevice found = NetworkDevice.named(interfaceName);
        if (found == null) {
            throw new IllegalArgumentException("there is no interface " + interfaceName);
        }
        if (!found.isUp()) {
            throw new IllegalArgumentException(
                    "interface " + interfaceName + " is down: sudo ip link set " + interfaceName + " up");
        }
        device = found;
    }

    /** One lane's; a rehearsal has the same. */
    static final class Queue implements ReceiveQueue, SendQueue, PacketBuffers {
        private final PacketSocketLink link;
        private long copies;

        Queue(PacketSocketLink link) {
            this.link = link;
        }

        @Override
        public int receive(Burst burst, int port) {
            int received = 0;
            while (burst.room() > 0) {
                int slot = link.take();
                if (slot < 0) {
                    break;
                }
                int i = burst.add(
                        this,
                        slot,
                        link.address(slot),
                        link.length(slot),
                        PacketSocketLink.HEADROOM,
                        link.tailroom(slot));
                burst.received(i, port, link.timestampNs(slot));
                received++;
            }
            return received;
        }

        @Override
        public void free(long handle) {
            link.release((int) handle);
        }

        @Override
        public int descriptor() {
            return link.descriptor();
        }

        @Override
        public int send(Burst burst, int[] indexes, int count) {
            link.beginSend();
            for (int n = 0; n < count; n++) {
                link.add(burst.address(indexes[n]), burst.length(indexes[n]));
            }
            copies += count; // the kernel copies each to a buffer of its own
            return link.send();
        }

        @Override
        public long copies() {
            return copies;
        }
    }

    @Override
    public void open(int receiveQueues, int sendQueues) {
        try {
            watch = LinkWatch.of(device.index());
            List<PacketSocketLink> links = receiveQueues == 1
                    ? List.of(PacketSocketLink.open(device, slots, isPromiscuous))
                    : PacketSocketLink.openGroup(device, slots, isPromiscuous, receiveQueues);
            links.forEach(link -> receiving.add(new Queue(link)));
            for (int i = 0; i < sendQueues; i++) {
                sending.add(new Queue(PacketSocketLink.openToSend(device)));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public void start() {
        receiving.forEach(queue -> queue.link.start());
    }

    @Override
    public void stop() {
        receiving.forEach(queue -> queue.link.stop());
    }

    @Override
    public String driver() {
        return "AF_PACKET";
    }

    @Override
    public Optional<NetworkDevice> behindKernel() {
        return Optional.of(device);
    }

    @Override
    public long linkAddress() {
        return MacAddress.parse(device.linkAddress());
    }

    @Override
    public int mtu() {
        return device.mtu();
    }

    @Override
    public synchronized long receiveDrops() {
        long drops = 0;
        for (Queue queue : receiving) {
            drops += queue.link.drops();
        }
        return drops;
    }

    @Override
    public synchronized void close() {
        receiving.forEach(queue -> queue.link.close());
        sending.forEach(queue -> queue.link.close());
        closeWatch();
    }
}
