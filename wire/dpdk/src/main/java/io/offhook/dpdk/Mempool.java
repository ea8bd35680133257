package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.raw.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

/**
 * A pool of mbufs, of which ports receive and packets are made. Threads that are {@linkplain Eal#registerThread registered}
 * have a cache of it each, others share its ring. Any thread may use it.
 */
public final class Mempool implements AutoCloseable {
    /** Of an mbuf's own fields, and what the pool keeps before it. */
    private static final int MBUF_BYTES = RteMbuf.SIZE + 64;

    static final int MAX_DATA_BYTES = 65_535 - RteMbuf.HEADROOM;
    private static final long WHOLE = 0xffff_ffffL;

    private final Eal eal;
    private final String name;
    private final long pool;
    private final int mbufs;
    private final int dataBytes;
    private final MemorySegment memory;
    private volatile boolean closed;

    private long lowest = Long.MAX_VALUE;
    private long highest;

    private Mempool(Eal eal, String name, long pool, int mbufs, int dataBytes) {
        this.eal = eal;
        this.name = name;
        this.pool = pool;
        this.mbufs = mbufs;
        this.dataBytes = dataBytes;
        memory = findMemory();
    }

    /**
     * Makes one.
     *
     * @param name of its own, 1 to 25 bytes
     * @param mbufs how many, 1 or more; a power of two less one wastes nothing
     * @param cache mbufs that a registered thread keeps at the most, 0 to 512 and to two thirds of all
     * @param dataBytes of a packet that one mbuf holds behind the {@linkplain MbufView#HEADROOM_BYTES headroom}, 1 to
     *     65,407: longer packets get several
     * @param socket the NUMA node; -1 for any
     * @throws DpdkException where there is not enough memory, or the name is taken
     */
    static Mempool create(Eal eal, String name, int mbufs, int cache, int dataBytes, int socket) {
        check("mbufs", mbufs, 1, Integer.MAX_VALUE);
        check("cache", cache, 0, (int) Math.min(RteMempool.CACHE_MOST, mbufs * 2L / 3));
        check("dataBytes", dataBytes, 1, MAX_DATA_BYTES);
        check("bytes of the name", name.getBytes(StandardCharsets.UTF_8).length, 1, RteMempool.NAME_BYTES - 1);
        long pool;
        try (Arena arena = Arena.ofConfined()) {
            eal.log().clear();
            pool = RteMbuf.poolCreate(arena.allocateFrom(name), mbufs, cache, RteMbuf.HEADROOM + dataBytes, socket);
            if (pool == 0) {
                throw new DpdkException(
                        "make pool " + name + " of " + mbufs + " mbufs of " + dataBytes + " bytes",
                        RteEal.errno(),
                        eal.log().text());
            }
        }
        Mempool made = new Mempool(eal, name, pool, mbufs, dataBytes);
        made.probe();
        return made;
    }

    /**
     * The least memory that a pool takes, in bytes: its mbufs alone. It can be asked without DPDK.
     *
     * @param mbufs how many
     * @param dataBytes of a packet that one mbuf holds
     */
    public static long leastBytes(int mbufs, int dataBytes) {
        return mbufs * (long) (MBUF_BYTES + RteMbuf.HEADROOM + dataBytes);
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " " + value + " is outside " + least + " to " + most);
        }
    }

    /** From its lowest to its highest stretch of memory. */
    private MemorySegment findMemory() {
        try (Arena arena = Arena.ofConfined()) {
            MethodType type = MethodType.methodType(void.class, long.class, long.class, long.class, int.class);
            MemorySegment callback = NativeLibrary.callback(
                    MethodHandles.lookup().bind(this, "chunk", type),
                    FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT),
                    arena);
            RteMempool.memIter(pool, callback);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
        return NativeLibrary.memory(lowest, highest - lowest);
    }

    @SuppressWarnings("unused") // native code calls it
    private void chunk(long itsPool, long argument, long chunk, int index) {
        long from = MbufView.u64(chunk + RteMempool.CHUNK_ADDRESS);
        lowest = Math.min(lowest, from);
        highest = Math.max(highest, from + MbufView.u64(chunk + RteMempool.CHUNK_LENGTH));
    }

    /** Looks at an mbuf made by DPDK: whether the fields are where they are thought to be. */
    private void probe() {
        byte[] packet = new byte[60];
        packet[59] = 1;
        MbufView view = new MbufView().wrap(copy(MbufTemplate.of(packet)));
        boolean isRight = view.address() != 0
                && view.poolAddress() == pool
                && view.dataOffset() == RteMbuf.HEADROOM
                && view.dataLength() == packet.length
                && view.packetLength() == packet.length
                && view.segments() == 1
                && view.referenceCount() == 1
                && view.next() == 0
                && view.isDirect()
                && contains(view.dataAddress(), packet.length)
                && MbufView.MEMORY.get(JAVA_BYTE, view.dataAddress() + 59) == 1;
        if (!isRight) {
            throw new DpdkException("the mbufs of " + DpdkLibraries.version() + " (pool " + name
                    + ") are not as those of DPDK "
                    + DpdkLibraries.KNOWN.getFirst().name()
                    + " are known to be: this build of DPDK cannot be used");
        }
        free(view.address());
    }

    /** The name it was made by. */
    public String name() {
        return name;
    }

    /** How many mbufs it was made of. */
    public int mbufs() {
        return mbufs;
    }

    /** Bytes of a packet that one mbuf holds behind the headroom. */
    public int dataBytes() {
        return dataBytes;
    }

    /** Mbufs that are free, those in caches included; not exact while others use it. */
    public int available() {
        checkOpen();
        return RteMempool.availCount(pool);
    }

    /** Mbufs that somebody has: ports, arrays, batches. Not exact while others use it. */
    public int inUse() {
        checkOpen();
        return RteMempool.inUseCount(pool);
    }

    /**
     * Makes a packet of a template.
     *
     * @return the address of its first mbuf, which is the caller's; 0 where the pool has not enough, or the template is
     *     empty
     * @throws IllegalStateException where it is closed
     */
    public long copy(MbufTemplate template) {
        checkOpen();
        try {
            return RteMbuf.copy(template.address(), pool, 0, (int) WHOLE);
        } finally {
            Reference.reachabilityFence(template);
        }
    }

    /**
     * Copies a packet, with what its mbuf tells of it; into several segments where it does not fit one.
     *
     * @param mbuf its first, which stays the caller's
     * @param length most bytes of it, 0 or more
     * @return the copy, which is the caller's; 0 where the pool has not enough, or the packet is empty
     * @throws IllegalStateException where it is closed
     */
    public long copy(long mbuf, int length) {
        checkOpen();
        check("length", length, 0, Integer.MAX_VALUE);
        return RteMbuf.copy(mbuf, pool, 0, length);
    }

    /**
     * Makes indirect mbufs, which show the same bytes: to send a packet by several ports, say. Nobody may write to these
     * bytes then. Each is freed, or sent, by itself, in any order.
     *
     * @param mbuf the first of the packet, which stays the caller's
     * @return the address of the first, which is the caller's; 0 where the pool has not enough
     * @throws IllegalStateException where it is closed
     */
    public long share(long mbuf) {
        checkOpen();
        return RteMbuf.clone(mbuf, pool);
    }

    private void free(long mbuf) {
        MbufArray one = new MbufArray(1);
        one.add(mbuf);
        one.free();
    }

    /** The memory that its mbufs lie in, whole; it ends with the pool. */
    MemorySegment memory() {
        return memory;
    }

    /** Whether bytes lie in its memory. */
    boolean contains(long address, long length) {
        return address >= lowest && address + length <= highest;
    }

    /** Where it lies, for who receives into it. */
    long address() {
        checkOpen();
        return pool;
    }

    private void checkOpen() {
        if (closed || !eal.isOpen()) {
            throw new IllegalStateException("pool " + name + " is closed");
        }
    }

    /** Gives its memory back. No port may use it any more, and no mbuf of it may be looked at. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (eal.isOpen()) {
                RteMempool.free(pool);
            }
        }
    }
}
