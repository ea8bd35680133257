package io.offhook.live.packetsocket;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.NativeSocket;
import io.offhook.live.SendCounts;
import io.offhook.live.engine.IfPacket;
import io.offhook.live.engine.MtuLimit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The send ring of a packet socket, TPACKET_V2: slots of one size, each for one frame, which the kernel sends in order
 * on request. For sending, version 3 has nothing more than a longer header. One thread at a time.
 *
 * <pre>
 *   done ...  | head: to be sent ... | tail: ours ...
 * </pre>
 */
final class SendRing implements AutoCloseable {
    private static final VarHandle STATUS = ValueLayout.JAVA_INT.varHandle();
    private static final ValueLayout.OfShort NETWORK_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int ETHER_TYPE = 12;
    private static final int TPID_VLAN = 0x8100;
    private static final int VLAN_TAG_BYTES = 4;
    private static final int LEAST_SLOTS = 2;
    private static final int LEAST_BLOCK_BYTES = 64 << 10;
    /** Masks the bits above, in which the kernel declares who stamped a sent frame. */
    private static final int STATES = 7;

    private final NativeSocket socket;
    private final MemorySegment memory;
    private final int slotBytes;
    private final int slots;
    private final boolean hasTags;
    /** The first slot that the kernel has not taken yet. */
    private int head;
    /** The slot to fill next. */
    private int tail;

    private int waiting;

    /** The most bytes of a frame, without its tag. */
    private int limit;

    private SendRing(NativeSocket socket, MemorySegment memory, int slotBytes, boolean hasTags) {
        this.hasTags = hasTags;
        this.socket = socket;
        this.memory = memory;
        this.slotBytes = slotBytes;
        slots = (int) (memory.byteSize() / slotBytes);
    }

    /** Opens a socket with a ring on one interface. It receives nothing. */
    static SendRing open(PacketSocketSinkOptions options, NetworkDevice device, int headerBytes) {
        String name = options.interfaceName();
        int slotBytes =
                slotBytes(IfPacket.SLOT_FRAME + headerBytes + VLAN_TAG_BYTES + MtuLimit.check(name, device.mtu()));
        int blockBytes = Math.max(slotBytes, LEAST_BLOCK_BYTES);
        int ringBytes = Math.max(options.ringBytes(), Math.max(blockBytes, LEAST_SLOTS * slotBytes));
        NativeSocket socket =
                NativeSocket.open(IfPacket.AF_PACKET, IfPacket.SOCK_RAW, 0, "open a packet socket for " + name);
        try (Arena arena = Arena.ofConfined()) {
            int level = IfPacket.SOL_PACKET;
            socket.set(level, IfPacket.PACKET_VERSION, IfPacket.TPACKET_V2, "ask for TPACKET_V2");
            if (options.isQueueBypassed()) {
                socket.set(level, IfPacket.PACKET_QDISC_BYPASS, 1, "send past the queue of " + name);
            }
            MemorySegment request = arena.allocate(IfPacket.SEND_REQUEST_BYTES, Integer.BYTES);
            request.setAtIndex(JAVA_INT, 0, blockBytes);
            request.setAtIndex(JAVA_INT, 1, ringBytes / blockBytes);
            request.setAtIndex(JAVA_INT, 2, slotBytes);
            request.setAtIndex(JAVA_INT, 3, ringBytes / slotBytes);
            socket.set(level, IfPacket.PACKET_TX_RING, request, "make a send ring of " + ringBytes + " bytes");
            raiseLimit(socket, ringBytes);
            MemorySegment memory = socket.map(0, ringBytes, "map the send ring of " + name);
            // protocol 0: nothing is received
            MemorySegment address = arena.allocate(IfPacket.ADDRESS_BYTES, Integer.BYTES);
            address.set(JAVA_SHORT, 0, (short) IfPacket.AF_PACKET);
            address.set(JAVA_INT, IfPacket.ADDRESS_INTERFACE, device.index());
            socket.bind(address, "bind to " + name);
            // the kernel allows for the tag on Ethernet alone
            return new SendRing(socket, memory, slotBytes, device.hardwareType() == NetworkDevice.ETHERNET);
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static int slotBytes(int least) {
        int bytes = Integer.highestOneBit(least);
        return bytes == least ? bytes : bytes << 1;
    }

    /** Raises the limit of bytes in flight, as far as permitted. */
    private static void raiseLimit(NativeSocket socket, int bytes) {
        try {
            socket.set(IfPacket.SOL_SOCKET, IfPacket.SO_SNDBUFFORCE, bytes, "raise the send buffer");
        } catch (LinuxException e) {
            socket.set(IfPacket.SOL_SOCKET, IfPacket.SO_SNDBUF, bytes, "raise the send buffer");
        }
    }

    int descriptor() {
        return socket.descriptor();
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns the length of the longest frame that fits into a slot, in bytes. */
    int frameBytes() {
        return slotBytes - IfPacket.SLOT_FRAME;
    }

    /** Returns the frames that were put but not taken by the kernel. */
    int waiting() {
        return waiting;
    }

    /** Returns the offset for the next frame, or -1 if all slots are in use. */
    long claim() {
        return waiting < slots && status(tail) == IfPacket.TP_STATUS_AVAILABLE ? frame(tail) : -1;
    }

    /** Queues the frame at the offset that {@link #claim} returned. */
    void put(int bytes) {
        memory.set(JAVA_INT, slot(tail) + IfPacket.SLOT_LENGTH, bytes);
        status(tail, IfPacket.TP_STATUS_SEND_REQUEST);
        tail = after(tail);
        waiting++;
    }

    /**
     * Makes the kernel send the waiting frames, without waiting.
     *
     * @param counts receives the frames that were taken
     * @return 0 or more, or the negative errno of the frame that is now first
     */
    long send(SendCounts.Builder counts) {
        long result = socket.send(MemorySegment.NULL, IfPacket.MSG_DONTWAIT);
        int frames = 0;
        long bytes = 0;
        while (waiting > 0 && isTaken(status(head))) {
            bytes += length(head);
            frames++;
            head = after(head);
            waiting--;
        }
        counts.sent(frames, bytes);
        return result;
    }

    private static boolean isTaken(int status) {
        return status == IfPacket.TP_STATUS_AVAILABLE || status == IfPacket.TP_STATUS_SENDING;
    }

    /**
     * Removes the first waiting frame, which the kernel refused, and those after it that do not {@link #fits fit}. The
     * kernel continues at that very slot, so the others move up.
     *
     * @return the number of frames removed
     */
    int takeOut() {
        int out = 1;
        int from = head;
        int to = head;
        for (int i = 1; i < waiting; i++) {
            from = after(from);
            int bytes = length(from);
            if (!fits(frame(from), bytes)) {
                out++;
                continue;
            }
            MemorySegment.copy(memory, frame(from), memory, frame(to), bytes);
            memory.set(JAVA_INT, slot(to) + IfPacket.SLOT_LENGTH, bytes);
            status(to, IfPacket.TP_STATUS_SEND_REQUEST);
            to = after(to);
        }
        free(to, out);
        return out;
    }

    /** Removes all waiting frames; returns their number. */
    int takeOutAll() {
        int out = waiting;
        free(head, out);
        return out;
    }

    /** Frees slots, which are the last that were put. */
    private void free(int first, int count) {
        int slot = first;
        for (int i = 0; i < count; i++) {
            status(slot, IfPacket.TP_STATUS_AVAILABLE);
            slot = after(slot);
        }
        tail = first;
        waiting -= count;
    }

    /** Sets the most bytes that the interface accepts, without the VLAN tag. */
    void limit(int bytes) {
        limit = bytes;
    }

    /** Returns whether the interface accepts the frame of that length at an offset of the ring. */
    boolean fits(long frame, int bytes) {
        return bytes <= limit
                || bytes <= limit + VLAN_TAG_BYTES
                        && hasTags
                        && memory.get(NETWORK_SHORT, frame + ETHER_TYPE) == (short) TPID_VLAN;
    }

    private int after(int slot) {
        return slot + 1 == slots ? 0 : slot + 1;
    }

    private long slot(int i) {
        return (long) i * slotBytes; // blocks are whole slots
    }

    private long frame(int i) {
        return slot(i) + IfPacket.SLOT_FRAME;
    }

    private int length(int i) {
        return memory.get(JAVA_INT, slot(i) + IfPacket.SLOT_LENGTH);
    }

    private int status(int i) {
        return (int) STATUS.getAcquire(memory, slot(i) + IfPacket.SLOT_STATUS) & STATES;
    }

    private void status(int i, int status) {
        STATUS.setRelease(memory, slot(i) + IfPacket.SLOT_STATUS, status);
    }

    @Override
    public void close() {
        socket.close();
    }
}
