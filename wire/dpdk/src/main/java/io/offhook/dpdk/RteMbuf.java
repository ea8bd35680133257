package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code rte_mbuf.h}, {@code rte_mbuf_core.h}, {@code rte_mbuf_dyn.h}: struct rte_mbuf and the exported functions. Most
 * of DPDK's functions are inline in C and rewritten in {@link MbufView}.
 *
 * <pre>
 *   struct rte_mbuf, two cache lines
 *   +----------------------------------+ 0     +----------------------------------+ 64
 *   | buf_addr                         |       | next                             |
 *   | buf_iova                         | 8     | tx_offload                       | 72
 *   | data_off, refcnt, nb_segs, port  | 16    | shinfo                           | 80
 *   | ol_flags                         | 24    | priv_size, timesync              | 88
 *   | packet_type, pkt_len             | 32    | dynfield1: space reserved by     | 92
 *   | data_len, vlan_tci, hash.rss     | 40    |   drivers and libraries          |
 *   | fdir.hi, vlan_tci_outer, buf_len | 48    |                                  |
 *   | pool                             | 56    |                                  |
 *   +----------------------------------+ 64    +----------------------------------+ 128
 * </pre>
 */
final class RteMbuf {
    static final int SIZE = 128;
    static final int BUF_ADDR = 0;
    static final int DATA_OFF = 16;
    static final int REFCNT = 18;
    static final int NB_SEGS = 20;
    static final int PORT = 22;
    static final int OL_FLAGS = 24;
    static final int PACKET_TYPE = 32;
    static final int PKT_LEN = 36;
    static final int DATA_LEN = 40;
    static final int VLAN_TCI = 42;
    static final int HASH_RSS = 44;
    static final int VLAN_TCI_OUTER = 52;
    static final int BUF_LEN = 54;
    static final int POOL = 56;
    static final int NEXT = 64;

    /** RTE_PKTMBUF_HEADROOM: the bytes that drivers leave free before a packet. */
    static final int HEADROOM = 128;

    /** The bits of ol_flags, by number. */
    static final int FLAG_RX_VLAN = 0;

    static final int FLAG_RX_RSS_HASH = 1;
    static final int FLAG_RX_VLAN_STRIPPED = 6;
    static final int FLAG_EXTERNAL = 61;
    static final int FLAG_INDIRECT = 62;

    private static final MethodHandle POOL_CREATE = DpdkLibraries.function(
            DpdkLibraries.MBUF,
            "rte_pktmbuf_pool_create",
            JAVA_LONG,
            ADDRESS,
            JAVA_INT,
            JAVA_INT,
            JAVA_CHAR,
            JAVA_CHAR,
            JAVA_INT);
    private static final MethodHandle COPY = DpdkLibraries.critical(
            DpdkLibraries.MBUF, "rte_pktmbuf_copy", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLONE =
            DpdkLibraries.critical(DpdkLibraries.MBUF, "rte_pktmbuf_clone", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FREE_BULK =
            DpdkLibraries.critical(DpdkLibraries.MBUF, "rte_pktmbuf_free_bulk", null, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RX_TIMESTAMP_REGISTER = DpdkLibraries.function(
            DpdkLibraries.MBUF, "rte_mbuf_dyn_rx_timestamp_register", JAVA_INT, ADDRESS, ADDRESS);

    private RteMbuf() {}

    /** @return the pool, or 0 with the reason in {@link RteEal#errno} */
    static long poolCreate(MemorySegment name, int count, int cache, int dataRoom, int socket) {
        try {
            return (long) POOL_CREATE.invokeExact(name, count, cache, (char) 0, (char) dataRoom, socket);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /**
     * Copies a packet, into several segments if it does not fit into one.
     *
     * @param length the most bytes to copy, unsigned
     * @return the copy, or 0 if the pool has too few mbufs
     */
    static long copy(long mbuf, long pool, int offset, int length) {
        try {
            return (long) COPY.invokeExact(mbuf, pool, offset, length);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** @return indirect mbufs on the same bytes, or 0 if the pool has too few mbufs */
    static long clone(long mbuf, long pool) {
        try {
            return (long) CLONE.invokeExact(mbuf, pool);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** @param mbufs the address of an array of mbufs; elements that are 0 are skipped */
    static void freeBulk(long mbufs, int count) {
        try {
            FREE_BULK.invokeExact(mbufs, count);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /**
     * @param offset an int that receives the offset of the timestamp in an mbuf
     * @param flag a long that receives the bit of ol_flags for a valid timestamp
     * @return 0, or -1 with the reason in {@link RteEal#errno}
     */
    static int rxTimestampRegister(MemorySegment offset, MemorySegment flag) {
        try {
            return (int) RX_TIMESTAMP_REGISTER.invokeExact(offset, flag);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }
}
