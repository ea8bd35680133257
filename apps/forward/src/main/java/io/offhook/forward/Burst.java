package io.offhook.forward;

import io.offhook.linux.raw.NativeLibrary;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/**
 * Ethernet packets on their way through the stages, each in the buffer that it was received in: stages read and rewrite
 * them in place.
 *
 * <p>A packet has {@link #length} bytes at {@link #address} of {@link #memory()}; {@link #headroom} before and
 * {@link #tailroom} behind it may be written as well. The memory is that of the whole process: accesses beyond these
 * limits are not caught. A stage decides what becomes of a packet: {@link #drop} with a cause, {@link #output} to a
 * port, or nothing, which leaves the decision to a later stage.
 *
 * <p>A stage loops over the {@link #count()} that it began with; packets that it creates are appended, and later stages
 * see them. Dropped packets keep their index until the stage returns. Not thread-safe; a stage must not keep a
 * reference to a burst or its packets.
 */
public final class Burst {
    /** The most packets received from a port at once. */
    public static final int MAX_RECEIVED = 64;

    /** The most packets including those that stages create. */
    public static final int CAPACITY = 4 * MAX_RECEIVED;

    /** The port of a packet that a stage created. */
    public static final int NO_PORT = -1;

    private static final int ALIVE = 0;
    private static final int GONE = 1;
    /** In place of a handle: the buffer was handed over. */
    private static final long GIVEN = Long.MIN_VALUE;

    private static final MemorySegment MEMORY = NativeLibrary.memory(0, Long.MAX_VALUE);

    private final FramePool pool;
    private int count;
    private long nowNs;
    private StageCounts counts = StageCounts.NONE;

    private final long[] addresses = new long[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final int[] headrooms = new int[CAPACITY];
    private final int[] tailrooms = new int[CAPACITY];
    private final int[] ports = new int[CAPACITY];
    private final long[] timestamps = new long[CAPACITY];
    private final long[] outputs = new long[CAPACITY];
    private final long[] handles = new long[CAPACITY];
    private final PacketBuffers[] owners = new PacketBuffers[CAPACITY];
    private final int[] states = new int[CAPACITY];
    private final PacketWalker[] walkers = new PacketWalker[CAPACITY];
    private final boolean[] areWalked = new boolean[CAPACITY];

    private final BurstCounts made = new BurstCounts();
    /** @param pool for packets that stages create */
    Burst(FramePool pool) {
        this.pool = pool;
        for (int i = 0; i < CAPACITY; i++) {
            walkers[i] = new PacketWalker();
        }
    }

    /** The memory of the process: an address is an offset in it. */
    public MemorySegment memory() {
        return MEMORY;
    }

    static MemorySegment everything() {
        return MEMORY;
    }

    /** The number of packets, including those that the current stage dropped. */
    public int count() {
        return count;
    }

    /** The time of the burst in nanoseconds, of a monotonic clock. */
    public long nowNs() {
        return nowNs;
    }

    /** Where packet {@code i} begins, with its Ethernet header. */
    public long address(int i) {
        return addresses[i];
    }

    /** Its length in bytes, without frame check sequence. */
    public int length(int i) {
        return lengths[i];
    }

    /** Bytes before it that may be written. */
    public int headroom(int i) {
        return headrooms[i];
    }

    /** Bytes behind it that may be written. */
    public int tailroom(int i) {
        return tailrooms[i];
    }

    /** The number of the port that received it; {@link #NO_PORT} if a stage created it. */
    public int port(int i) {
        return ports[i];
    }

    /** When it was received, in nanoseconds since 1970; 0 if the port does not know. */
    public long timestampNs(int i) {
        return timestamps[i];
    }

    /** The ports that it will be sent to, one bit each; 0 while undecided. */
    public long outputs(int i) {
        return outputs[i];
    }

    /**
     * Whether an earlier stage chose its output, or the current one dropped it; stages that choose outputs skip such
     * packets.
     */
    public boolean isDecided(int i) {
        return outputs[i] != 0 || states[i] != ALIVE;
    }

    /** Whether the current stage dropped or held it. */
    public boolean isGone(int i) {
        return states[i] != ALIVE;
    }

    /** Adds a port to its outputs. */
    public void output(int i, int port) {
        outputs[i] |= 1L << port;
    }

    /** Sets its outputs, one bit per port. */
    public void outputs(int i, long ports) {
        outputs[i] = ports;
    }

    /**
     * Drops it, unless it is dropped or held already.
     *
     * @param cause the index of one of the stage's {@link Stage#dropCauses}
     */
    public void drop(int i, int cause) {
        if (states[i] == ALIVE) {
            states[i] = GONE;
            counts.drop(cause);
        }
    }

    /** Its layers, decoded at the first call and again after {@link #changed}. */
    public PacketWalker layers(int i) {
        if (!areWalked[i]) {
            walkers[i].walk(MEMORY, addresses[i], lengths[i], lengths[i], LinkType.ETHERNET);
            areWalked[i] = true;
        }
        return walkers[i];
    }

    /** Declares that its layers changed, so that they are decoded again. */
    public void changed(int i) {
        areWalked[i] = false;
    }

    /** Moves its start {@code bytes} into the headroom; the caller writes them. False if there is no room. */
    public boolean prepend(int i, int bytes) {
        if (bytes > headrooms[i]) {
            return false;
        }
        addresses[i] -= bytes;
        lengths[i] += bytes;
        headrooms[i] -= bytes;
        areWalked[i] = false;
        return true;
    }

    /** Removes bytes from its front, at most its length. */
    public void trimFront(int i, int bytes) {
        if (bytes < 0 || bytes > lengths[i]) {
            throw new IllegalArgumentException("cannot cut " + bytes + " bytes off " + lengths[i]);
        }
        addresses[i] += bytes;
        lengths[i] -= bytes;
        headrooms[i] += bytes;
        areWalked[i] = false;
    }

    /** Changes its length at the end; false if there is no room. */
    public boolean resize(int i, int length) {
        if (length < 0 || length > lengths[i] + tailrooms[i]) {
            return false;
        }
        tailrooms[i] += lengths[i] - length;
        lengths[i] = length;
        areWalked[i] = false;
        return true;
    }

    /**
     * Creates a packet with undefined content; the caller sets its {@link #output}.
     *
     * @return its index, or -1 if there is no buffer, which is counted
     */
    public int originate(int length) {
        int frame = count == CAPACITY || length > pool.packetBytes() ? -1 : pool.take();
        if (frame < 0) {
            made.noBuffer++;
            return -1;
        }
        made.originated++;
        return addFrame(frame, length);
    }

    private int addFrame(int frame, int length) {
        int i = add(pool, frame, pool.address(frame), length, FramePool.HEADROOM, pool.packetBytes() - length);
        ports[i] = NO_PORT;
        timestamps[i] = 0;
        return i;
    }

    /** Copies a packet with its bytes, port and outputs. @return the index of the copy, or -1 as {@link #originate} */
    public int copy(int i) {
        int copy = originate(lengths[i]);
        if (copy >= 0) {
            MemorySegment.copy(MEMORY, addresses[i], MEMORY, addresses[copy], lengths[i]);
            ports[copy] = ports[i];
            timestamps[copy] = timestamps[i];
            outputs[copy] = outputs[i];
        }
        return copy;
    }

    /**
     * Restricts its outputs to some ports, and creates a copy for the others.
     *
     * @return false if there is no buffer for the copy; the packet is then unchanged
     */
    public boolean separate(int i, long ports) {
        long others = outputs[i] & ~ports;
        if (others != 0) {
            int copy = copy(i);
            if (copy < 0) {
                return false;
            }
            outputs[copy] = others;
            outputs[i] &= ports;
        }
        return true;
    }

    /** Holds it: copies its bytes to a buffer of the lane. @return the buffer, or -1 if there is none */
    public int hold(int i) {
        int frame = lengths[i] > pool.packetBytes() ? -1 : pool.take();
        if (frame < 0) {
            return -1;
        }
        MemorySegment.copy(MEMORY, addresses[i], MEMORY, pool.address(frame), lengths[i]);
        states[i] = GONE;
        made.held++;
        return frame;
    }

    /** The address of the bytes in a buffer that {@link #hold} returned. */
    public long heldAddress(int frame) {
        return pool.address(frame);
    }

    /** Returns a held packet to the burst. @return its index, or -1 if the burst is full; try again later */
    public int restore(int frame, int length, int port) {
        if (count == CAPACITY) {
            return -1;
        }
        made.restored++;
        int i = addFrame(frame, length);
        ports[i] = port;
        return i;
    }

    /** Drops a held packet. */
    public void dropHeld(int frame, int cause) {
        made.restored++;
        counts.drop(cause);
        pool.free(frame);
    }

    /**
     * Adds a received packet; for implementations of {@link ReceiveQueue}.
     *
     * @param owner takes the buffer back
     * @param handle identifies the buffer to its owner
     * @param address of the first byte
     * @return its index, for {@link #received}
     */
    public int add(PacketBuffers owner, long handle, long address, int length, int headroom, int tailroom) {
        int i = count++;
        owners[i] = owner;
        handles[i] = handle;
        addresses[i] = address;
        lengths[i] = length;
        headrooms[i] = headroom;
        tailrooms[i] = tailroom;
        outputs[i] = 0;
        states[i] = ALIVE;
        areWalked[i] = false;
        ports[i] = NO_PORT;
        timestamps[i] = 0;
        return i;
    }

    /** Sets when and on which port a packet was received. */
    public void received(int i, int port, long timestampNs) {
        ports[i] = port;
        timestamps[i] = timestampNs;
    }

    /** How many more packets a port may add. */
    public int room() {
        return MAX_RECEIVED - count;
    }

    /** Hands the buffer of a sent packet over to the {@link SendQueue} that sent it. */
    public void handOver(int i) {
        handles[i] = GIVEN;
    }

    /**
     * Whether a packet still has to go to other ports, so that its buffer must not be
     * {@linkplain #handOver handed over}.
     */
    public boolean isNeededAgain(int i) {
        return (outputs[i] & outputs[i] - 1) != 0;
    }

    /** The owner of its buffer, by which a {@link SendQueue} recognises its own. */
    public PacketBuffers owner(int i) {
        return owners[i];
    }

    /** The owner's handle of its buffer. */
    public long handle(int i) {
        return handles[i];
    }

    /** Empties the burst and sets its time. */
    void begin(long nowNs) {
        count = 0;
        this.nowNs = nowNs;
    }

    /** Sets the stage that drops are counted for. */
    void enter(StageCounts stage) {
        counts = stage;
    }

    /** Removes packets that the stage dropped; the others keep their order. */
    void compact() {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (states[i] == GONE) {
                owners[i].free(handles[i]);
            } else {
                if (kept != i) {
                    move(i, kept);
                }
                kept++;
            }
        }
        count = kept;
    }

    private void move(int from, int to) {
        addresses[to] = addresses[from];
        lengths[to] = lengths[from];
        headrooms[to] = headrooms[from];
        tailrooms[to] = tailrooms[from];
        ports[to] = ports[from];
        timestamps[to] = timestamps[from];
        outputs[to] = outputs[from];
        handles[to] = handles[from];
        owners[to] = owners[from];
        states[to] = states[from];
        areWalked[to] = areWalked[from];
        PacketWalker walker = walkers[to];
        walkers[to] = walkers[from];
        walkers[from] = walker;
    }

    /** Removes a port from its outputs: the packet was sent there, or could not be. */
    void done(int i, int port) {
        outputs[i] &= ~(1L << port);
    }

    /** Returns all buffers that were not handed over to their owners. */
    void end() {
        for (int i = 0; i < count; i++) {
            if (handles[i] != GIVEN) {
                owners[i].free(handles[i]);
            }
        }
        count = 0;
    }

    /** Counters since the lane was created. */
    BurstCounts made() {
        return made;
    }
}
