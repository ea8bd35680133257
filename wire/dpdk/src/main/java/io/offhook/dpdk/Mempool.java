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
 * A pool of mbufs, which ports receive into and packets are created from. {@linkplain Eal#registerThread Registered}
 * threads each have a cache of it; other threads share its ring. Thread-safe.
 */
public final class Mempool implements AutoCloseable {
    /** The bytes of an mbuf's own fields, and of what the pool keeps before it. */
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
     * Creates a pool.
     *
     * @param name a unique name, 1 to 25 bytes
     * @param mbufs the number of mbufs, at least 1; a power of two less one wastes no memory
     * @param cache the most mbufs in the cache of a registered thread, 0 to 512 and at most two thirds of all
     * @param dataBytes the bytes of a packet that one mbuf holds after the {@linkplain MbufView#HEADROOM_BYTES
     *     headroom}, 1 to 65,407; longer packets span several mbufs
     * @param socket the NUMA node; -1 for any
     * @throws DpdkException if there is not enough memory, or the name is in use
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
     * Returns the least memory that a pool takes, in bytes: that of its mbufs. Works without DPDK.
     *
     * @param mbufs the number of mbufs
     * @param dataBytes the bytes of a packet that one mbuf holds
     */
    public static long leastBytes(int mbufs, int dataBytes) {
        return mbufs * (long) (MBUF_BYTES + RteMbuf.HEADROOM + dataBytes);
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " " + value + " is outside " + least + " to " + most);
        }
    }

    /** Returns the memory from the pool's lowest stretch to its highest. */
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

    /** Checks with an mbuf created by DPDK that the fields have the known offsets. */
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

    /** Returns the name that it was created with. */
    public String name() {
        return name;
    }

    /** Returns the number of mbufs that it was created with. */
    public int mbufs() {
        return mbufs;
    }

    /** Returns the bytes of a packet that one mbuf holds after the headroom. */
    public int dataBytes() {
        return dataBytes;
    }

    /** Returns the free mbufs, including those in caches; not exact while others use it. */
    public int available() {
        checkOpen();
        return RteMempool.availCount(pool);
    }

    /** Returns the mbufs in use by ports, arrays and batches; not exact while others use it. */
    public int inUse() {
        checkOpen();
        return RteMempool.inUseCount(pool);
    }

    /**
     * Creates a packet from a template.
     *
     * @return the address of its first mbuf, which belongs to the caller; 0 if the pool has too few mbufs, or the
     *     template is empty
     * @throws IllegalStateException if the pool is closed
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
     * Copies a packet with its metadata, into several segments if it does not fit into one.
     *
     * @param mbuf the first mbuf of the packet, which still belongs to the caller
     * @param length the most bytes to copy, 0 or more
     * @return the copy, which belongs to the caller; 0 if the pool has too few mbufs, or the packet is empty
     * @throws IllegalStateException if the pool is closed
     */
    public long copy(long mbuf, int length) {
        checkOpen();
        check("length", length, 0, Integer.MAX_VALUE);
        return RteMbuf.copy(mbuf, pool, 0, length);
    }

    /**
     * Creates indirect mbufs that show the same bytes, for instance to send a packet on several ports. Nobody may write
     * to these bytes then. Each is freed, or sent, separately and in any order.
     *
     * @param mbuf the first mbuf of the packet, which still belongs to the caller
     * @return the address of the first indirect mbuf, which belongs to the caller; 0 if the pool has too few mbufs
     * @throws IllegalStateException if the pool is closed
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

    /** Returns the memory of all its mbufs, valid until the pool is closed. */
    MemorySegment memory() {
        return memory;
    }

    /** Returns whether bytes are in its memory. */
    boolean contains(long address, long length) {
        return address >= lowest && address + length <= highest;
    }

    /** Returns its address, for ports that receive into it. */
    long address() {
        checkOpen();
        return pool;
    }

    private void checkOpen() {
        if (closed || !eal.isOpen()) {
            throw new IllegalStateException("pool " + name + " is closed");
        }
    }

    /** Frees its memory. No port may use the pool any more, and its mbufs must not be accessed. */
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
