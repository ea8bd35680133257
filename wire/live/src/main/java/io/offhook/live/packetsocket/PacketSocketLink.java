package io.offhook.live.packetsocket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.NativeSocket;
import io.offhook.linux.raw.SendBatch;
import io.offhook.live.LiveInterface;
import io.offhook.live.VlanReinsertion;
import io.offhook.live.engine.IfPacket;
import io.offhook.live.engine.KernelFilter;
import io.offhook.live.engine.MtuLimit;
import io.offhook.live.engine.PromiscuousMode;
import io.offhook.packet.LinkType;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.edit.PacketEditor;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the frames of one Ethernet interface by AF_PACKET, packet(7): received frames are delivered one by one,
 * where the kernel put them, with headroom; frames to send are sent from where they are. Frames that this machine
 * itself sends are not received.
 *
 * <p>A frame's VLAN tag is put back. A partial TCP or UDP checksum, which a sender on this machine left to its network
 * card, is completed, because the frame leaves by another way. Frames that the kernel or the card merged (GRO, TSO) are
 * delivered as they are, longer than the MTU; a forwarder turns that off. Needs CAP_NET_RAW. One thread at a time
 * receives, and one sends.
 */
public final class PacketSocketLink implements AutoCloseable {
    /** The least number of writable bytes before a frame, with its VLAN tag put back. */
    public static final int HEADROOM = 128;

    private static final VarHandle STATUS_WORD = ValueLayout.JAVA_INT.varHandle();
    private static final ValueLayout.OfShort NETWORK_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    /** The size of the kernel's blocks: any that holds whole slots. */
    private static final int BLOCK_BYTES = 1 << 18;

    /**
     * The offset of the packet type in the sockaddr_ll after a slot's header. A group of sockets receives outgoing
     * packets, too, although each socket asked not to.
     */
    private static final int PACKET_TYPE = IfPacket.SLOT_FRAME + IfPacket.ADDRESS_PACKET_TYPE;

    private static final int ENOBUFS = 105;
    private static final int ENETDOWN = 100;

    private final NativeSocket socket;
    private final int slots;
    private final int slotBytes;
    private final MemorySegment memory;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment statistics = arena.allocate(IfPacket.STATISTICS_BYTES, Integer.BYTES);
    private final SendBatch batch = new SendBatch(MAX_SENT);
    private final PacketWalker walker = new PacketWalker();
    private final PacketEditor editor = new PacketEditor();
    /** For each slot, whether its frame was delivered and has not been returned. */
    private final boolean[] isTaken;

    private int next;
    private long drops;
    private long cut;
    private boolean closed;

    /** The most frames that one {@link #send} takes. */
    public static final int MAX_SENT = 256;

    private PacketSocketLink(NativeSocket socket, MemorySegment memory, int slots, int slotBytes) {
        this.socket = socket;
        this.memory = memory;
        this.slots = slots;
        this.slotBytes = slotBytes;
        isTaken = new boolean[slots];
    }

    /**
     * Opens one that sends, and receives once it is {@linkplain #start started}.
     *
     * @param device an Ethernet interface
     * @param slots the number of frames that the ring holds, 64 to 65,536
     * @param isPromiscuous whether to receive frames for other machines, too; multicast frames are received in any
     *     case, because the kernel does not know which groups a forwarder belongs to
     * @throws LinuxException EPERM if CAP_NET_RAW is missing
     */
    public static PacketSocketLink open(NetworkDevice device, int slots, boolean isPromiscuous) {
        PacketSocketLink link = open(device, device.name(), slots, device.mtu());
        try {
            if (isPromiscuous) {
                PromiscuousMode.ask(link.socket, device);
            } else {
                PromiscuousMode.askForGroups(link.socket, device);
            }
            bind(link.socket, device, IfPacket.ETH_P_ALL);
            return link;
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    /**
     * Opens one of no interface, whose ring only its {@link #kernelSide} fills.
     *
     * @param slots frames that the ring holds, 64 to 65,536
     * @param mtu the longest IP packet, in bytes
     * @throws LinuxException EPERM where CAP_NET_RAW is missing
     */
    public static PacketSocketLink openUnbound(int slots, int mtu) {
        return open(null, "no interface", slots, mtu);
    }

    /**
     * Opens several that share an interface's frames once all are {@linkplain #start started}: each frame goes to one of them, by a hash of addresses and ports.
     * Fragments are not put together, so that they go on as they are.
     *
     * @param device an Ethernet interface that is up
     * @param slots the number of frames that the ring of each link holds, 64 to 65,536
     * @param isPromiscuous whether to receive frames for other machines, too; multicast frames are received in any
     *     case, because the kernel does not know which groups a forwarder belongs to
     * @param count the number of links, at least 1
     * @throws LinuxException EPERM if CAP_NET_RAW is missing
     */
    public static List<PacketSocketLink> openGroup(NetworkDevice device, int slots, boolean isPromiscuous, int count) {
        List<PacketSocketLink> links = new ArrayList<>();
        try {
            int group = -1;
            for (int i = 0; i < count; i++) {
                PacketSocketLink link = open(device, slots, isPromiscuous);
                links.add(link);
                group = link.join(device, group);
            }
            return List.copyOf(links);
        } catch (RuntimeException e) {
            links.forEach(PacketSocketLink::close);
            throw e;
        }
    }

    /**
     * @param group the number of an existing group, or -1
     * @return the number of the group
     */
    private int join(NetworkDevice device, int group) {
        int flags = IfPacket.PACKET_FANOUT_HASH | (group < 0 ? IfPacket.PACKET_FANOUT_FLAG_UNIQUEID : 0);
        int value = flags << 16 | Math.max(0, group);
        socket.set(IfPacket.SOL_PACKET, IfPacket.PACKET_FANOUT, value, "share " + device.name());
        return socket.get(IfPacket.SOL_PACKET, IfPacket.PACKET_FANOUT, "ask for the group") & 0xffff;
    }

    /** Receives nothing yet: one of a group would get what another gets, too, until it has joined. */
    private static PacketSocketLink open(@Nullable NetworkDevice device, String name, int slots, int mtu) {
        if (slots < 64 || slots > 1 << 16) {
            throw new IllegalArgumentException("slots " + slots + " is outside 64 to 65536");
        }
        // the header, room, the frame with its link header; slots of a power of two fill blocks
        int needed = IfPacket.SLOT_FRAME + 64 + HEADROOM + MtuLimit.check(name, mtu) + 64;
        int slotBytes = Math.max(2048, Integer.highestOneBit(needed - 1) << 1);
        int perBlock = Math.max(1, BLOCK_BYTES / slotBytes);
        int blocks = (slots + perBlock - 1) / perBlock;
        NativeSocket socket = device == null ? socket(name) : socket(device);
        try (Arena arena = Arena.ofConfined()) {
            int level = IfPacket.SOL_PACKET;
            socket.set(level, IfPacket.PACKET_VERSION, IfPacket.TPACKET_V2, "ask for TPACKET_V2");
            socket.set(level, IfPacket.PACKET_RESERVE, HEADROOM + VlanReinsertion.TAG_BYTES, "reserve room");
            socket.set(level, IfPacket.PACKET_IGNORE_OUTGOING, 1, "leave out what is sent");
            PacketRing.attach(socket, KernelFilter.nothing());
            MemorySegment request = arena.allocate(IfPacket.SEND_REQUEST_BYTES, Integer.BYTES);
            request.setAtIndex(JAVA_INT, 0, perBlock * slotBytes);
            request.setAtIndex(JAVA_INT, 1, blocks);
            request.setAtIndex(JAVA_INT, 2, slotBytes);
            request.setAtIndex(JAVA_INT, 3, blocks * perBlock);
            socket.set(level, IfPacket.PACKET_RX_RING, request, "make a ring of " + slots + " frames");
            long bytes = (long) blocks * perBlock * slotBytes;
            MemorySegment memory = socket.map(0, bytes, "map the ring of " + name);
            return new PacketSocketLink(socket, memory, blocks * perBlock, slotBytes);
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Opens a link that only sends. */
    public static PacketSocketLink openToSend(NetworkDevice device) {
        NativeSocket socket = socket(device);
        try {
            bind(socket, device, 0);
            return sendingBy(socket);
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Makes one that only sends, by a socket that is closed with it. */
    public static PacketSocketLink sendingBy(NativeSocket socket) {
        return new PacketSocketLink(socket, MemorySegment.NULL, 0, 0);
    }

    private static NativeSocket socket(NetworkDevice device) {
        if (LiveInterface.linkType(device) != LinkType.ETHERNET) {
            throw new IllegalArgumentException("interface " + device.name() + " is not Ethernet");
        }
        return socket(device.name());
    }

    private static NativeSocket socket(String name) {
        return NativeSocket.open(IfPacket.AF_PACKET, IfPacket.SOCK_RAW, 0, "open a packet socket for " + name);
    }

    /** Begins to receive: frames that came before are not seen. */
    public void start() {
        socket.set(IfPacket.SOL_SOCKET, IfPacket.SO_DETACH_FILTER, 0, "receive frames");
    }

    /** Receives nothing more; what is in the ring can still be taken. */
    public void stop() {
        PacketRing.attach(socket, KernelFilter.nothing());
    }

    /** The kernel's side of the ring of one that has no interface; to be asked for once, before it is used. */
    public PacketSocketKernelSide kernelSide() {
        return new PacketSocketKernelSide(memory, slots, slotBytes);
    }

    private static void bind(NativeSocket socket, NetworkDevice device, int protocol) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(IfPacket.ADDRESS_BYTES, Integer.BYTES);
            address.set(JAVA_SHORT, 0, (short) IfPacket.AF_PACKET);
            address.set(NETWORK_SHORT, IfPacket.ADDRESS_PROTOCOL, (short) protocol);
            address.set(JAVA_INT, IfPacket.ADDRESS_INTERFACE, device.index());
            socket.bind(address, "bind to " + device.name());
        }
    }

    /** Returns the descriptor that poll(2) reports as readable when a frame has arrived. */
    public int descriptor() {
        return socket.descriptor();
    }

    /**
     * Takes the next frame.
     *
     * @return its slot, or -1 if none has arrived
     */
    public int take() {
        while (slots > 0 && !isTaken[next]) {
            long at = (long) next * slotBytes;
            int status = (int) STATUS_WORD.getAcquire(memory, at);
            if ((status & IfPacket.TP_STATUS_USER) == 0) {
                return -1;
            }
            int slot = next;
            next = next + 1 == slots ? 0 : next + 1;
            isTaken[slot] = true;
            if (memory.get(JAVA_BYTE, at + PACKET_TYPE) == IfPacket.PACKET_OUTGOING) {
                release(slot);
            } else if (memory.get(JAVA_INT, at + IfPacket.SLOT_CAPTURED)
                    < memory.get(JAVA_INT, at + IfPacket.SLOT_LENGTH)) {
                cut++;
                release(slot);
            } else {
                restore(at, status);
                return slot;
            }
        }
        return -1;
    }

    /** Restores what the kernel removed or left open: the tag, the checksum. */
    private void restore(long at, int status) {
        int captured = memory.get(JAVA_INT, at + IfPacket.SLOT_CAPTURED);
        int mac = memory.get(JAVA_SHORT, at + IfPacket.SLOT_MAC) & 0xffff;
        if ((status & IfPacket.TP_STATUS_CSUMNOTREADY) != 0) {
            walker.walk(memory, at + mac, captured, captured, LinkType.ETHERNET);
            if (InternetChecksum.transport(walker) == InternetChecksum.Verdict.PARTIAL) {
                editor.edit(walker);
                editor.recompute();
            }
        }
        if (VlanReinsertion.isNeeded(status, captured)) {
            int tci = memory.get(JAVA_SHORT, at + IfPacket.SLOT_VLAN_TCI);
            int tpid = memory.get(JAVA_SHORT, at + IfPacket.SLOT_VLAN_TPID);
            long frame = VlanReinsertion.putBack(memory, at + mac, status, tci, tpid);
            memory.set(JAVA_SHORT, at + IfPacket.SLOT_MAC, (short) (frame - at));
            memory.set(JAVA_INT, at + IfPacket.SLOT_CAPTURED, captured + VlanReinsertion.TAG_BYTES);
        }
    }

    /** Returns the address of the first byte of a taken frame. */
    public long address(int slot) {
        long at = (long) slot * slotBytes;
        return memory.address() + at + (memory.get(JAVA_SHORT, at + IfPacket.SLOT_MAC) & 0xffff);
    }

    /** Returns the length of a taken frame in bytes. */
    public int length(int slot) {
        return memory.get(JAVA_INT, (long) slot * slotBytes + IfPacket.SLOT_CAPTURED);
    }

    /** Returns the number of writable bytes after a taken frame. */
    public int tailroom(int slot) {
        long at = (long) slot * slotBytes;
        return slotBytes - (memory.get(JAVA_SHORT, at + IfPacket.SLOT_MAC) & 0xffff) - length(slot);
    }

    /** Returns the time of arrival in nanoseconds since the epoch. */
    public long timestampNs(int slot) {
        long at = (long) slot * slotBytes;
        long seconds = Integer.toUnsignedLong(memory.get(JAVA_INT, at + IfPacket.SLOT_SECONDS));
        return seconds * 1_000_000_000L + memory.get(JAVA_INT, at + IfPacket.SLOT_NANOSECONDS);
    }

    /** Returns a slot to the kernel; its frame must not be read any more. */
    public void release(int slot) {
        isTaken[slot] = false;
        STATUS_WORD.setRelease(memory, (long) slot * slotBytes, IfPacket.TP_STATUS_KERNEL);
    }

    /** Forgets the frames {@linkplain #add added}. */
    public void beginSend() {
        batch.clear();
    }

    /**
     * Adds a frame to send, at most {@link #MAX_SENT} of them; its bytes must not change until {@link #send} returns.
     */
    public void add(long address, int length) {
        batch.add(address, length);
    }

    /**
     * Sends the added frames in order, with one system call if none fails.
     *
     * @return the number of frames sent; the kernel had no room for the others, or refused them
     */
    public int send() {
        int sent = 0;
        for (int first = 0; first < batch.count(); ) {
            int result = batch.send(socket, first);
            if (result > 0) {
                sent += result;
                first += result;
            } else if (result == -LinuxException.EAGAIN || result == -ENOBUFS || result == -ENETDOWN) {
                return sent;
            } else {
                first++; // refused, for instance because it is too long
            }
        }
        return sent;
    }

    /**
     * Returns the frames so far that were lost because the ring was full, and those longer than a slot; for one thread.
     */
    public long drops() {
        if (slots == 0 || closed) {
            return drops + cut;
        }
        socket.get(IfPacket.SOL_PACKET, IfPacket.PACKET_STATISTICS, statistics, "ask for statistics");
        drops += Integer.toUnsignedLong(statistics.get(JAVA_INT, IfPacket.STATISTICS_DROPS));
        return drops + cut;
    }

    @Override
    public void close() {
        if (!closed) {
            drops();
            closed = true;
            socket.close();
            batch.close();
            arena.close();
        }
    }
}
