package io.offhook.live.packetsocket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.filter.BpfProgram;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.NativeSocket;
import io.offhook.live.LiveCounts;
import io.offhook.live.TimestampClock;
import io.offhook.live.VlanReinsertion;
import io.offhook.live.engine.IfPacket;
import io.offhook.live.engine.PromiscuousMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The receive ring of a packet socket, TPACKET_V3: the kernel fills its blocks and delivers them one after the other,
 * and gets them back in the same order. One thread at a time.
 */
final class PacketRing implements AutoCloseable {
    /** Makes {@link #join} create a group with an unused number. */
    static final int NEW_GROUP = -1;

    private static final VarHandle STATUS = ValueLayout.JAVA_INT.varHandle();
    /** Network byte order, which the kernel expects here. */
    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    /** The kernel requires a frame size; blocks of version 3 hold frames of any size. */
    private static final int FRAME_BYTES = 2048;

    private final NativeSocket socket;
    private final MemorySegment memory;
    private final int blockBytes;
    private final int blocks;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment statistics = arena.allocate(IfPacket.STATISTICS_BYTES, Integer.BYTES);

    /** For each block, whether it was taken and not returned to the kernel yet. */
    private final boolean[] isTaken;
    /** The number of those. */
    private int taken;
    /** The block that the kernel delivers next. */
    private int next;

    private PacketRing(NativeSocket socket, MemorySegment memory, int blockBytes, int blocks) {
        this.socket = socket;
        this.memory = memory;
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        isTaken = new boolean[blocks];
    }

    /**
     * Opens a socket with a ring on one interface. Nothing is captured before the ring and its filter are in place.
     *
     * @param device the interface named in the options
     * @param filter the filter attached in the kernel; its result is the most bytes captured of a packet
     */
    static PacketRing open(PacketSocketOptions options, NetworkDevice device, BpfProgram filter) {
        String name = options.interfaceName();
        NativeSocket socket =
                NativeSocket.open(IfPacket.AF_PACKET, IfPacket.SOCK_RAW, 0, "open a packet socket for " + name);
        try (Arena arena = Arena.ofConfined()) {
            int level = IfPacket.SOL_PACKET;
            socket.set(level, IfPacket.PACKET_VERSION, IfPacket.TPACKET_V3, "ask for TPACKET_V3");
            socket.set(level, IfPacket.PACKET_RESERVE, VlanReinsertion.TAG_BYTES, "reserve room for VLAN tags");
            if (options.clock() == TimestampClock.HARDWARE) {
                socket.set(
                        level,
                        IfPacket.PACKET_TIMESTAMP,
                        IfPacket.SOF_TIMESTAMPING_RAW_HARDWARE,
                        "ask for timestamps of the card of " + name);
            }
            if (device.hardwareType() == NetworkDevice.LOOPBACK) {
                // what is sent there comes back at once, and is seen then
                socket.set(level, IfPacket.PACKET_IGNORE_OUTGOING, 1, "leave out what " + name + " sends");
            }
            attach(socket, filter);
            int blockBytes = options.blockBytes();
            int blocks = options.blocks();
            socket.set(
                    level,
                    IfPacket.PACKET_RX_RING,
                    request(arena, options),
                    "make a ring of " + blocks + " blocks of " + blockBytes + " bytes");
            MemorySegment memory = socket.map(0, (long) blockBytes * blocks, "map the ring of " + name);
            if (options.isPromiscuous()) {
                PromiscuousMode.ask(socket, device);
            }
            MemorySegment address = arena.allocate(IfPacket.ADDRESS_BYTES, Integer.BYTES);
            address.set(JAVA_SHORT, 0, (short) IfPacket.AF_PACKET);
            address.set(NETWORK_SHORT, IfPacket.ADDRESS_PROTOCOL, (short) IfPacket.ETH_P_ALL);
            address.set(JAVA_INT, IfPacket.ADDRESS_INTERFACE, device.index());
            socket.bind(address, "bind to " + name);
            return new PacketRing(socket, memory, blockBytes, blocks);
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Opens a packet socket that receives nothing, and closes it, to find out whether that is permitted. */
    static void probe() {
        NativeSocket.open(IfPacket.AF_PACKET, IfPacket.SOCK_RAW, 0, "open a packet socket")
                .close();
    }

    private static MemorySegment request(Arena arena, PacketSocketOptions options) {
        MemorySegment request = arena.allocate(IfPacket.REQUEST_BYTES, Integer.BYTES);
        request.setAtIndex(JAVA_INT, 0, options.blockBytes());
        request.setAtIndex(JAVA_INT, 1, options.blocks());
        request.setAtIndex(JAVA_INT, 2, FRAME_BYTES);
        request.setAtIndex(JAVA_INT, 3, options.blockBytes() / FRAME_BYTES * options.blocks());
        request.setAtIndex(JAVA_INT, 4, options.blockTimeoutMs());
        return request;
    }

    /** Replaces the filter for all packets that arrive from now on. */
    void attach(BpfProgram filter) {
        attach(socket, filter);
    }

    static void attach(NativeSocket socket, BpfProgram filter) {
        try (Arena arena = Arena.ofConfined()) {
            byte[] instructions = filter.toSockFilters();
            MemorySegment program = arena.allocate(IfPacket.FILTER_PROGRAM_BYTES, Long.BYTES);
            program.set(JAVA_SHORT, 0, (short) filter.length());
            MemorySegment first = arena.allocate(instructions.length, Long.BYTES);
            MemorySegment.copy(instructions, 0, first, JAVA_BYTE, 0, instructions.length);
            program.set(ADDRESS, IfPacket.FILTER_PROGRAM_ADDRESS, first);
            socket.set(
                    IfPacket.SOL_SOCKET,
                    IfPacket.SO_ATTACH_FILTER,
                    program,
                    "attach a filter of " + filter.length() + " instructions");
        }
    }

    /**
     * Shares the packets of the interface with the other rings of a group. The interface must be up.
     *
     * @param group the number of an existing group, or {@link #NEW_GROUP}
     * @return the number of the group
     */
    int join(int group, FanOut fanOut) {
        int isNew = group == NEW_GROUP ? IfPacket.PACKET_FANOUT_FLAG_UNIQUEID : 0;
        int value = (group == NEW_GROUP ? 0 : group) | (fanOut.type() | isNew) << 16;
        socket.set(IfPacket.SOL_PACKET, IfPacket.PACKET_FANOUT, value, "share packets by " + fanOut);
        return socket.get(IfPacket.SOL_PACKET, IfPacket.PACKET_FANOUT, "ask for the group") & 0xffff;
    }

    int descriptor() {
        return socket.descriptor();
    }

    /** Returns the mapped blocks in their order; they are accessible until the ring is closed. */
    MemorySegment memory() {
        return memory;
    }

    /** Returns the offset of the next block if the kernel has delivered it, otherwise -1. */
    long peek() {
        if (isTaken[next]) {
            return -1; // its turn has come again, and it is in use still
        }
        long block = (long) next * blockBytes;
        int status = (int) STATUS.getAcquire(memory, block + IfPacket.BLOCK_STATUS);
        return (status & IfPacket.TP_STATUS_USER) != 0 ? block : -1;
    }

    /** Returns whether the next block has not been returned yet, so that the whole ring is in use. */
    boolean isNextTaken() {
        return isTaken[next];
    }

    /** Takes the block that {@link #peek} found; returns its index, from 0. */
    int take() {
        int block = next;
        isTaken[block] = true;
        taken++;
        next = block + 1 == blocks ? 0 : block + 1;
        return block;
    }

    /** Returns a block to the kernel; it must not be read any more. */
    void release(int block) {
        isTaken[block] = false;
        taken--;
        STATUS.setRelease(memory, (long) block * blockBytes + IfPacket.BLOCK_STATUS, IfPacket.TP_STATUS_KERNEL);
    }

    int blocks() {
        return blocks;
    }

    /**
     * Returns the number of blocks that the kernel has filled and did not get back yet. It fills them in their order, so that
     * those behind the next one are found by bisection.
     */
    int inUse() {
        int filled = 0;
        int most = blocks - taken;
        while (filled < most) {
            int middle = filled + (most - filled) / 2;
            long block = (long) ((next + middle) % blocks) * blockBytes;
            int status = (int) STATUS.getAcquire(memory, block + IfPacket.BLOCK_STATUS);
            if ((status & IfPacket.TP_STATUS_USER) != 0) {
                filled = middle + 1;
            } else {
                most = middle;
            }
        }
        return taken + filled;
    }

    /** Returns the length of a block in bytes. */
    int blockBytes() {
        return blockBytes;
    }

    /** Queries the kernel's counters, which reading resets, and adds them. */
    void count(LiveCounts.Builder counts) {
        socket.get(IfPacket.SOL_PACKET, IfPacket.PACKET_STATISTICS, statistics, "ask for statistics");
        counts.received(counts.received() + Integer.toUnsignedLong(statistics.get(JAVA_INT, 0)));
        counts.drops(
                counts.ringDrops() + Integer.toUnsignedLong(statistics.get(JAVA_INT, IfPacket.STATISTICS_DROPS)), 0);
        counts.freezes(
                counts.freezes() + Integer.toUnsignedLong(statistics.get(JAVA_INT, IfPacket.STATISTICS_FREEZES)));
    }

    /** Returns and clears the pending error of the socket: ENETDOWN, or 0. */
    int takeError() {
        return socket.get(IfPacket.SOL_SOCKET, IfPacket.SO_ERROR, "ask for the error");
    }

    /** Returns whether the interface has disappeared; one that is down still exists. */
    boolean isInterfaceGone() {
        try (Arena own = Arena.ofConfined()) {
            MemorySegment address = own.allocate(IfPacket.ADDRESS_BYTES, Integer.BYTES);
            socket.address(address, "ask for the interface");
            return address.get(JAVA_INT, IfPacket.ADDRESS_INTERFACE) < 0;
        }
    }

    @Override
    public void close() {
        socket.close();
        arena.close();
    }
}
