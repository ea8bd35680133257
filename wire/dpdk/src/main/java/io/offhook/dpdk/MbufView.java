package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.linux.raw.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * An mbuf, read and changed in place: struct rte_mbuf of rte_mbuf_core.h, and at {@link #dataAddress} the bytes of the
 * packet. A view is wrapped around one mbuf after the other; it is valid as long as its user owns the mbuf, which is
 * not checked. Numbers are in native byte order. Single-threaded.
 *
 * <pre>
 *   bufferAddress                dataAddress
 *   |        headroom            |        dataLength            |  tailroom  |
 *   +----------------------------+------------------------------+------------+
 * </pre>
 *
 * <p>A packet may have several {@linkplain #segments segments}, a chain of mbufs; the first has the values for the
 * whole packet. An {@linkplain #isIndirect indirect} mbuf shows the bytes of another: writing to it writes to the
 * other.
 *
 * <p>A view that a method creates for its loop over a burst costs nothing, because the compiler keeps its address in a
 * register; one in a field has it written for each packet, which made the shortest loops 10 % slower.
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
     * The mask for the address of data, which keeps all its bits. It shows the compiler that the address plus an offset
     * is within {@link #MEMORY}, which removes the check of each access: 10 % of the cost of routing a packet. (For the
     * mbuf's own address it made the shortest loops 10 % slower.)
     */
    private static final long ADDRESS = Long.MAX_VALUE >>> 1;

    private static final int RX_VLAN = 1 << RteMbuf.FLAG_RX_VLAN;
    private static final long RX_VLAN_STRIPPED = 1L << RteMbuf.FLAG_RX_VLAN_STRIPPED;
    private static final int RX_RSS_HASH = 1 << RteMbuf.FLAG_RX_RSS_HASH;
    private static final long EXTERNAL = 1L << RteMbuf.FLAG_EXTERNAL;
    private static final long INDIRECT = 1L << RteMbuf.FLAG_INDIRECT;

    private long mbuf;

    /** Creates a view of nothing; {@link #wrap} must come first. */
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
     * Returns all memory of the process as one segment, with the packet at offset {@link #dataAddress}: to wrap views
     * of {@code io.offhook.packet}. Accessing unmapped memory beyond the packet ends the process.
     */
    public static MemorySegment memory() {
        return MEMORY;
    }

    /**
     * Wraps an mbuf.
     *
     * @param mbuf its address, as in an {@link MbufArray}
     * @return this
     */
    public MbufView wrap(long mbuf) {
        this.mbuf = mbuf;
        return this;
    }

    /** Returns the address of the mbuf. */
    public long address() {
        return mbuf;
    }

    /** Returns the address of its buffer: buf_addr. */
    public long bufferAddress() {
        return u64(mbuf + RteMbuf.BUF_ADDR);
    }

    /** Returns the length of its buffer in bytes: buf_len, 0 to 65,535. */
    public int bufferLength() {
        return u16(mbuf + RteMbuf.BUF_LEN);
    }

    /** Returns the offset of the data in the buffer: data_off, in bytes. */
    public int dataOffset() {
        return u16(mbuf + RteMbuf.DATA_OFF);
    }

    /** Returns the address of the first byte of data; in the first segment, of the packet. */
    public long dataAddress() {
        return bufferAddress() + dataOffset() & ADDRESS;
    }

    /** Returns the bytes of data in this segment: data_len, 0 to 65,535. */
    public int dataLength() {
        return u16(mbuf + RteMbuf.DATA_LEN);
    }

    /** Returns the bytes of the packet in all segments: pkt_len; valid in the first segment. */
    public long packetLength() {
        return u32(mbuf + RteMbuf.PKT_LEN);
    }

    /** Returns the number of the packet's segments: nb_segs, at least 1; valid in the first segment. */
    public int segments() {
        return u16(mbuf + RteMbuf.NB_SEGS);
    }

    /** Returns the address of the packet's next segment, 0 after the last. */
    public long next() {
        return u64(mbuf + RteMbuf.NEXT);
    }

    /** Returns the free bytes before the data. */
    public int headroom() {
        return dataOffset();
    }

    /** Returns the free bytes after the data. */
    public int tailroom() {
        return bufferLength() - dataOffset() - dataLength();
    }

    /** Returns the port that it was received on, 65,535 for none. */
    public int port() {
        return u16(mbuf + RteMbuf.PORT);
    }

    /** Returns the number of references to it: refcnt; more than 1 if other mbufs show its bytes. */
    public int referenceCount() {
        return u16(mbuf + RteMbuf.REFCNT);
    }

    /** Returns the RTE_MBUF_F_... bits: ol_flags. */
    public long flags() {
        return u64(mbuf + RteMbuf.OL_FLAGS);
    }

    /** Returns whether it shows the bytes of another mbuf. */
    public boolean isIndirect() {
        return (flags() & INDIRECT) != 0;
    }

    /** Returns whether its bytes are in its own buffer, not in another mbuf or in memory of a driver. */
    public boolean isDirect() {
        return (flags() & (INDIRECT | EXTERNAL)) == 0;
    }

    /** Returns whether the device has computed {@link #rssHash}. */
    public boolean hasRssHash() {
        return (flags() & RX_RSS_HASH) != 0;
    }

    /** Returns the device's hash of addresses and ports, 32 bits unsigned; valid if {@link #hasRssHash}. */
    public long rssHash() {
        return u32(mbuf + RteMbuf.HASH_RSS);
    }

    /** Returns whether {@link #vlanTag} was found in the packet. */
    public boolean hasVlanTag() {
        return (flags() & RX_VLAN) != 0;
    }

    /** Returns whether the tag is only in {@link #vlanTag}, because the device removed it from the packet. */
    public boolean isVlanStripped() {
        return (flags() & RX_VLAN_STRIPPED) != 0;
    }

    /** Records that the tag is back in the packet. */
    void clearVlanStripped() {
        u64(mbuf + RteMbuf.OL_FLAGS, flags() & ~RX_VLAN_STRIPPED);
    }

    /** Returns priority, DEI and number of the VLAN, 16 bits as in 802.1Q; valid if {@link #hasVlanTag}. */
    public int vlanTag() {
        return u16(mbuf + RteMbuf.VLAN_TCI);
    }

    /** Returns the outer of two tags, from drivers that strip both. */
    public int outerVlanTag() {
        return u16(mbuf + RteMbuf.VLAN_TCI_OUTER);
    }

    /**
     * Returns what the device found in it: RTE_PTYPE_... of rte_mbuf_ptype.h, 32 bits unsigned; 0 if it did not look.
     */
    public long packetType() {
        return u32(mbuf + RteMbuf.PACKET_TYPE);
    }

    /** Returns the address of its {@link Mempool}. */
    public long poolAddress() {
        return u64(mbuf + RteMbuf.POOL);
    }

    /** Returns whether the driver has timestamped it. */
    public boolean hasTimestamp() {
        return (flags() & RxTimestamps.flag()) != 0;
    }

    /** Returns the driver's timestamp, in its own unit and with its own origin; valid if {@link #hasTimestamp}. */
    public long timestamp() {
        return u64(mbuf + RxTimestamps.offset());
    }

    /**
     * Extends the data at its start, for a header.
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
     * Removes bytes from the start of the data.
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
     * Extends the data at its end, for a packet of one segment.
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
     * Removes bytes from the end, for a packet of one segment.
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
     * @param target the destination, from {@code offset} on
     * @param offset the offset in the target
     * @param most the most bytes to copy
     * @return the number of bytes copied
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
