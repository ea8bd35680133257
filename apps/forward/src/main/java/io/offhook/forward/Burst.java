package io.offhook.forward;

import io.offhook.linux.raw.NativeLibrary;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/**
 * Some Ethernet packets on their way through the stages, each where it came in: stages read and rewrite them in place.
 *
 * <p>A packet is at {@link #address} of {@link #memory()}, {@link #length} bytes; around them {@link #headroom} and
 * {@link #tailroom} may be written, too. The memory is all of the process's: who goes beyond is not stopped. A stage says
 * what becomes of a packet: {@link #drop} with a cause, {@link #output} to a port, or nothing, and a later stage says it.
 *
 * <p>A stage loops over the {@link #count()} that it began with; packets that it makes come behind them, and later stages see
 * them. Packets that are dropped stay in their place until the stage returns. One thread at a time; nothing of it may be kept.
 */
public final class Burst {
    /** The most packets that one takes from a port at once. */
    public static final int MAX_RECEIVED = 64;

    /** With those that stages make. */
    public static final int CAPACITY = 4 * MAX_RECEIVED;

    /** The port of a packet that came from none: a stage made it. */
    public static final int NO_PORT = -1;

    private static final int ALIVE = 0;
    private static final int GONE = 1;
    /** In the place of a handle: the buffer is another's now. */
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
    /** @param pool for packets that stages make */
    Burst(FramePool pool) {
        this.pool = pool;
        for (int i = 0; i < CAPACITY; i++) {
            walkers[i] = new PacketWalker();
        }
    }

    /** All memory: an address is an offset in it. */
    public MemorySegment memory() {
        return MEMORY;
    }

    static MemorySegment everything() {
        return MEMORY;
    }

    /** Packets in it, dropped ones of this stage included. */
    public int count() {
        return count;
    }

    /** The time of the burst, nanoseconds of a clock that never goes back. */
    public long nowNs() {
        return nowNs;
    }

    /** Where packet {@code i} begins, with its Ethernet header. */
    public long address(int i) {
        return addresses[i];
    }

    /** Its bytes, without frame check sequence. */
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

    /** The port that it came from, as the forwarder numbers them; {@link #NO_PORT} where a stage made it. */
    public int port(int i) {
        return ports[i];
    }

    /** When it came, nanoseconds since 1970 where the port knows, else 0. */
    public long timestampNs(int i) {
        return timestamps[i];
    }

    /** The ports that it is to be sent to, a bit each; 0 while nothing is decided. */
    public long outputs(int i) {
        return outputs[i];
    }

    /** Whether a stage before has said where it goes, or this one dropped it: then it is none of a deciding stage's business. */
    public boolean isDecided(int i) {
        return outputs[i] != 0 || states[i] != ALIVE;
    }

    /** Whether it was dropped or held by this stage. */
    public boolean isGone(int i) {
        return states[i] != ALIVE;
    }

    /** Sends it to a port, besides those that it goes to already. */
    public void output(int i, int port) {
        outputs[i] |= 1L << port;
    }

    /** Sends it to exactly these ports, a bit each. */
    public void outputs(int i, long ports) {
        outputs[i] = ports;
    }

    /**
     * Ends its way.
     *
     * @param cause the index of one of the stage's {@link Stage#dropCauses}
     */
    public void drop(int i, int cause) {
        if (states[i] == ALIVE) {
            states[i] = GONE;
            counts.drop(cause);
        }
    }

    /** Its layers: walked when first asked for, and again after {@link #changed}. */
    public PacketWalker layers(int i) {
        if (!areWalked[i]) {
            walkers[i].walk(MEMORY, addresses[i], lengths[i], lengths[i], LinkType.ETHERNET);
            areWalked[i] = true;
        }
        return walkers[i];
    }

    /** Says that its layers are others now. */
    public void changed(int i) {
        areWalked[i] = false;
    }

    /** Lets it begin so many bytes earlier, which are to be written; false where there is no room. */
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

    /** Cuts bytes off its front; as many as it has at most. */
    public void trimFront(int i, int bytes) {
        if (bytes < 0 || bytes > lengths[i]) {
            throw new IllegalArgumentException("cannot cut " + bytes + " bytes off " + lengths[i]);
        }
        addresses[i] += bytes;
        lengths[i] -= bytes;
        headrooms[i] += bytes;
        areWalked[i] = false;
    }

    /** Gives it another length, its bytes staying where they are; false where there is no room. */
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
     * Makes a packet of so many bytes, which hold anything; its {@link #output} is to be said.
     *
     * @return its index, or -1 where there is no buffer, which is counted
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

    /** Makes a second packet of the same bytes, port and outputs; @return its index, or -1 as {@link #originate}. */
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
     * Leaves it those outputs that are among some, and gives a copy to the others.
     *
     * @return false where there is no buffer for the copy: it is as before
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

    /** Ends its way for now: its bytes are kept in a buffer of the lane's. @return the buffer, or -1 where there is none */
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

    /** Where the bytes of a buffer that {@link #hold} gave are. */
    public long heldAddress(int frame) {
        return pool.address(frame);
    }

    /** Lets a packet that was held go on; @return its index, or -1 where the burst is full: later, then */
    public int restore(int frame, int length, int port) {
        if (count == CAPACITY) {
            return -1;
        }
        made.restored++;
        int i = addFrame(frame, length);
        ports[i] = port;
        return i;
    }

    /** Ends the way of a packet that is held. */
    public void dropHeld(int frame, int cause) {
        made.restored++;
        counts.drop(cause);
        pool.free(frame);
    }

    /**
     * Adds a packet that a port received; for its {@link ReceiveQueue}.
     *
     * @param owner gets the buffer back
     * @param handle tells the owner which
     * @param address of the first byte
     * @return its index, whose {@link #received} is to be said
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

    /** Says when a packet came, and from which port. */
    public void received(int i, int port, long timestampNs) {
        ports[i] = port;
        timestamps[i] = timestampNs;
    }

    /** How many more packets a port may add. */
    public int room() {
        return MAX_RECEIVED - count;
    }

    /** Says, for a {@link SendQueue}, that the buffer of a packet that was sent is the queue's now. */
    public void handOver(int i) {
        handles[i] = GIVEN;
    }

    /** Whether a packet goes to other ports after this one, so that its buffer must not be {@linkplain #handOver taken}. */
    public boolean isNeededAgain(int i) {
        return (outputs[i] & outputs[i] - 1) != 0;
    }

    /** Whose buffer it is in; for a {@link SendQueue} that knows its own. */
    public PacketBuffers owner(int i) {
        return owners[i];
    }

    /** What the owner knows the buffer by. */
    public long handle(int i) {
        return handles[i];
    }

    /** Empty, at a time. */
    void begin(long nowNs) {
        count = 0;
        this.nowNs = nowNs;
    }

    /** Whose drops come next. */
    void enter(StageCounts stage) {
        counts = stage;
    }

    /** Removes what the stage dropped, in order. */
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

    /** Says that it was sent, or could not be, to a port. */
    void done(int i, int port) {
        outputs[i] &= ~(1L << port);
    }

    /** Gives all buffers back that were not handed over. */
    void end() {
        for (int i = 0; i < count; i++) {
            if (handles[i] != GIVEN) {
                owners[i].free(handles[i]);
            }
        }
        count = 0;
    }

    /** Since the lane began. */
    BurstCounts made() {
        return made;
    }
}
