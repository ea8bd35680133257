package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.linux.raw.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * An mbuf, read and changed where it lies: struct rte_mbuf of rte_mbuf_core.h, and by {@link #dataAddress} the bytes of the packet. One view
 * is put on one mbuf after the other; it is valid as long as who looks through it owns the mbuf, which nothing checks.
 * Numbers are in the byte order of the machine. Not for several threads at once.
 *
 * <pre>
 *   bufferAddress                dataAddress
 *   |        headroom            |        dataLength            |  tailroom  |
 *   +----------------------------+------------------------------+------------+
 * </pre>
 *
 * <p>A packet may have several {@linkplain #segments segments}, a chain of mbufs; what is told of the whole packet stands
 * in the first. An {@linkplain #isIndirect indirect} mbuf shows bytes of another: who writes to it writes to that one.
 *
 * <p>A view that a method makes for its loop over a burst costs nothing, for the compiler keeps its address in a register;
 * one that stands in a field has it written for each packet, which made the shortest loops a tenth slower.
 */
public final class MbufView {
    /** The bytes that drivers leave free before a packet. */
    public static final int HEADROOM_BYTES = RteMbuf.HEADROOM;

    /** All memory of the process: an address is an offset. */
    static final MemorySegment MEMORY = NativeLibrary.memory(0, Long.MAX_VALUE);

    private static final VarHandle U16 = ValueLayout.JAVA_SHORT_UNALIGNED.varHandle();
    private static final VarHandle U32 = ValueLayout.JAVA_INT_UNALIGNED.varHandle();
    private static final VarHandle U64 = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();

    /**
     * What the address of data is masked with: its bits all stay. The compiler sees by it that the address and what is added to
     * it lie within {@link #MEMORY}, and leaves out the check of each access: a tenth of what routing a packet takes. (Of
     * the mbuf's own address, that made the shortest loops a tenth slower.)
     */
    private static final long ADDRESS = Long.MAX_VALUE >>> 1;

    private static final int RX_VLAN = 1 << RteMbuf.FLAG_RX_VLAN;
    private static final long RX_VLAN_STRIPPED = 1L << RteMbuf.FLAG_RX_VLAN_STRIPPED;
    private static final int RX_RSS_HASH = 1 << RteMbuf.FLAG_RX_RSS_HASH;
    private static final long EXTERNAL = 1L << RteMbuf.FLAG_EXTERNAL;
    private static final long INDIRECT = 1L << RteMbuf.FLAG_INDIRECT;

    private long mbuf;

    /** A view on nothing. */
    public MbufView() {}

    static int u16(long address) {
        return (short) U16.get(MEMORY, address) & 0xffff;
    }

    static long u32(long address) {
        return (int) U32.get(MEMORY, address) & 0xffff_ffffL;
    }

    static long u64(long address) {
        return (long) U64.get(MEMORY, address);
    }

    static void u16(long address, int value) {
        U16.set(MEMORY, address, (short) value);
    }

    static void u32(long address, long value) {
        U32.set(MEMORY, address, (int) value);
    }

    static void u64(long address, long value) {
        U64.set(MEMORY, address, value);
    }

    /**
     * All memory of the process as one segment, at whose offset {@link #dataAddress} the packet lies: what views of
     * {@code io.offhook.packet} are put on. Beyond the packet it holds anything, or nothing, and then the process ends.
     */
    public static MemorySegment memory() {
        return MEMORY;
    }

    /**
     * Puts it on an mbuf.
     *
     * @param mbuf its address, as {@link MbufArray} has it
     * @return this
     */
    public MbufView wrap(long mbuf) {
        this.mbuf = mbuf;
        return this;
    }

    /** The address of the mbuf. */
    public long address() {
        return mbuf;
    }

    /** Where its buffer begins: buf_addr. */
    public long bufferAddress() {
        return u64(mbuf + RteMbuf.BUF_ADDR);
    }

    /** Bytes of its buffer: buf_len, 0 to 65,535. */
    public int bufferLength() {
        return u16(mbuf + RteMbuf.BUF_LEN);
    }

    /** Where in the buffer the data begins: data_off, bytes. */
    public int dataOffset() {
        return u16(mbuf + RteMbuf.DATA_OFF);
    }

    /** The address of the first byte of data; in the first segment, of the packet. */
    public long dataAddress() {
        return bufferAddress() + dataOffset() & ADDRESS;
    }

    /** Bytes of data in this segment: data_len, 0 to 65,535. */
    public int dataLength() {
        return u16(mbuf + RteMbuf.DATA_LEN);
    }

    /** Bytes of the packet, of all segments together: pkt_len; of the first segment only. */
    public long packetLength() {
        return u32(mbuf + RteMbuf.PKT_LEN);
    }

    /** How many segments the packet has: nb_segs, 1 or more; of the first segment only. */
    public int segments() {
        return u16(mbuf + RteMbuf.NB_SEGS);
    }

    /** The address of the mbuf that goes on with the packet, 0 after the last. */
    public long next() {
        return u64(mbuf + RteMbuf.NEXT);
    }

    /** Free bytes before the data. */
    public int headroom() {
        return dataOffset();
    }

    /** Free bytes behind the data. */
    public int tailroom() {
        return bufferLength() - dataOffset() - dataLength();
    }

    /** The port that it came in by, 65,535 for none. */
    public int port() {
        return u16(mbuf + RteMbuf.PORT);
    }

    /** How many hold it: refcnt; of an mbuf that others show the bytes of, more than 1. */
    public int referenceCount() {
        return u16(mbuf + RteMbuf.REFCNT);
    }

    /** RTE_MBUF_F_...: ol_flags. */
    public long flags() {
        return u64(mbuf + RteMbuf.OL_FLAGS);
    }

    /** Whether it shows bytes of another mbuf. */
    public boolean isIndirect() {
        return (flags() & INDIRECT) != 0;
    }

    /** Whether its bytes are in its own buffer: neither another mbuf's nor memory of a driver. */
    public boolean isDirect() {
        return (flags() & (INDIRECT | EXTERNAL)) == 0;
    }

    /** Whether the device has computed {@link #rssHash}. */
    public boolean hasRssHash() {
        return (flags() & RX_RSS_HASH) != 0;
    }

    /** The device's hash of addresses and ports, 32 bits unsigned; where {@link #hasRssHash}. */
    public long rssHash() {
        return u32(mbuf + RteMbuf.HASH_RSS);
    }

    /** Whether {@link #vlanTag} was found in the packet. */
    public boolean hasVlanTag() {
        return (flags() & RX_VLAN) != 0;
    }

    /** Whether the tag is in {@link #vlanTag} only, for the device took it out of the packet. */
    public boolean isVlanStripped() {
        return (flags() & RX_VLAN_STRIPPED) != 0;
    }

    /** The tag is back in the packet. */
    void clearVlanStripped() {
        u64(mbuf + RteMbuf.OL_FLAGS, flags() & ~RX_VLAN_STRIPPED);
    }

    /** Priority, DEI and number of the VLAN, 16 bits as 802.1Q has them; where {@link #hasVlanTag}. */
    public int vlanTag() {
        return u16(mbuf + RteMbuf.VLAN_TCI);
    }

    /** The outer tag of two; of drivers that strip both. */
    public int outerVlanTag() {
        return u16(mbuf + RteMbuf.VLAN_TCI_OUTER);
    }

    /** What the device found in it: RTE_PTYPE_... of rte_mbuf_ptype.h, 32 bits unsigned; 0 where it did not look. */
    public long packetType() {
        return u32(mbuf + RteMbuf.PACKET_TYPE);
    }

    /** The address of its {@link Mempool}. */
    public long poolAddress() {
        return u64(mbuf + RteMbuf.POOL);
    }

    /** Whether the driver gave it a time. */
    public boolean hasTimestamp() {
        return (flags() & RxTimestamps.flag()) != 0;
    }

    /** The driver's time, in its own unit and from its own beginning; where {@link #hasTimestamp}. */
    public long timestamp() {
        return u64(mbuf + RxTimestamps.offset());
    }

    /**
     * Makes room before the data, for a header.
     *
     * @param bytes 0 to {@link #headroom}
     * @return the address of the new first byte
     */
    public long prepend(int bytes) {
        check("bytes before", bytes, headroom());
        u16(mbuf + RteMbuf.DATA_OFF, dataOffset() - bytes);
        lengthen(bytes);
        return dataAddress();
    }

    /**
     * Takes bytes off the beginning of the data.
     *
     * @param bytes 0 to {@link #dataLength}
     * @return the address of the new first byte
     */
    public long trimStart(int bytes) {
        check("bytes off the start", bytes, dataLength());
        u16(mbuf + RteMbuf.DATA_OFF, dataOffset() + bytes);
        lengthen(-bytes);
        return dataAddress();
    }

    /**
     * Makes room behind the data, of a packet of one segment.
     *
     * @param bytes 0 to {@link #tailroom}
     * @return the address of the first new byte
     */
    public long append(int bytes) {
        checkSingle();
        check("bytes behind", bytes, tailroom());
        long end = dataAddress() + dataLength();
        lengthen(bytes);
        return end;
    }

    /**
     * Takes bytes off the end, of a packet of one segment.
     *
     * @param bytes 0 to {@link #dataLength}
     */
    public void trimEnd(int bytes) {
        checkSingle();
        check("bytes off the end", bytes, dataLength());
        lengthen(-bytes);
    }

    private void lengthen(int bytes) {
        u16(mbuf + RteMbuf.DATA_LEN, dataLength() + bytes);
        u32(mbuf + RteMbuf.PKT_LEN, packetLength() + bytes);
    }

    private void checkSingle() {
        if (segments() != 1) {
            throw new IllegalStateException("a packet of " + segments() + " segments ends in another mbuf");
        }
    }

    private static void check(String what, int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(what + " " + value + " is outside 0 to " + most);
        }
    }

    /**
     * Copies bytes of the packet out of its segments.
     *
     * @param target where they go, from {@code offset} on
     * @param most bytes at the most
     * @return how many were copied
     */
    public int copyTo(MemorySegment target, long offset, int most) {
        int copied = 0;
        for (long at = mbuf; at != 0 && copied < most; at = u64(at + RteMbuf.NEXT)) {
            int length = Math.min(u16(at + RteMbuf.DATA_LEN), most - copied);
            long from = u64(at + RteMbuf.BUF_ADDR) + u16(at + RteMbuf.DATA_OFF);
            MemorySegment.copy(MEMORY, JAVA_BYTE, from, target, JAVA_BYTE, offset + copied, length);
            copied += length;
        }
        return copied;
    }

    @Override
    public String toString() {
        return mbuf == 0
                ? "no mbuf"
                : "mbuf at 0x" + Long.toHexString(mbuf) + ", " + packetLength() + " bytes in " + segments()
                        + " segments";
    }
}
