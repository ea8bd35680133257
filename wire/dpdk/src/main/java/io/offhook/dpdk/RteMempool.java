package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code rte_mempool.h}. A pool is identified by its address. */
final class RteMempool {
    /** RTE_MEMPOOL_NAMESIZE: the size of a pool's name, including the final 0. */
    static final int NAME_BYTES = 26;
    /** RTE_MEMPOOL_CACHE_MAX_SIZE. */
    static final int CACHE_MOST = 512;

    /** struct rte_mempool_memhdr: a stretch of memory that contains objects of a pool. */
    static final int CHUNK_ADDRESS = 16;

    static final int CHUNK_LENGTH = 32;

    private static final MethodHandle AVAIL_COUNT =
            DpdkLibraries.function(DpdkLibraries.MEMPOOL, "rte_mempool_avail_count", JAVA_INT, JAVA_LONG);
    private static final MethodHandle IN_USE_COUNT =
            DpdkLibraries.function(DpdkLibraries.MEMPOOL, "rte_mempool_in_use_count", JAVA_INT, JAVA_LONG);
    private static final MethodHandle FREE =
            DpdkLibraries.procedure(DpdkLibraries.MEMPOOL, "rte_mempool_free", JAVA_LONG);
    private static final MethodHandle MEM_ITER = DpdkLibraries.function(
            DpdkLibraries.MEMPOOL, "rte_mempool_mem_iter", JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG);

    private RteMempool() {}

    static int availCount(long pool) {
        try {
            return (int) AVAIL_COUNT.invokeExact(pool);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static int inUseCount(long pool) {
        try {
            return (int) IN_USE_COUNT.invokeExact(pool);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static void free(long pool) {
        try {
            FREE.invokeExact(pool);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /**
     * Calls a function for each stretch of memory.
     *
     * @param callback a function of (pool, argument, struct rte_mempool_memhdr, index)
     * @return the number of stretches
     */
    static int memIter(long pool, MemorySegment callback) {
        try {
            return (int) MEM_ITER.invokeExact(pool, callback, 0L);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }
}
