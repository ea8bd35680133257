package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A packet outside of any pool, from which {@link Mempool#copy(MbufTemplate)} creates mbufs: DPDK's own allocation is
 * inline in C, its copying is exported. Write the packet to {@link #data}, set its length, and copy it any number of
 * times. One thread at a time.
 */
public final class MbufTemplate {
    /** The longest packet in bytes, limited by the length field of a segment. */
    public static final int MAX_BYTES = 65_535;

    private final MemorySegment mbuf = Arena.ofAuto().allocate(RteMbuf.SIZE, 64);
    private final MemorySegment data;

    /**
     * Creates an empty template.
     *
     * @param bytes the longest packet that it holds, 1 to 65,535
     */
    public MbufTemplate(int bytes) {
        if (bytes < 1 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException("a packet of " + bytes + " bytes: 1 to " + MAX_BYTES + " are possible");
        }
        data = Arena.ofAuto().allocate(bytes);
        mbuf.set(JAVA_LONG, RteMbuf.BUF_ADDR, data.address());
        mbuf.set(JAVA_SHORT, RteMbuf.BUF_LEN, (short) bytes);
        mbuf.set(JAVA_SHORT, RteMbuf.REFCNT, (short) 1);
        mbuf.set(JAVA_SHORT, RteMbuf.NB_SEGS, (short) 1);
        mbuf.set(JAVA_SHORT, RteMbuf.PORT, (short) -1);
    }

    /** Creates a template of these bytes. */
    public static MbufTemplate of(byte[] packet) {
        MbufTemplate template = new MbufTemplate(packet.length);
        MemorySegment.copy(packet, 0, template.data, JAVA_BYTE, 0, packet.length);
        return template.length(packet.length);
    }

    /** Returns the memory to write the packet to, from its first byte on. */
    public MemorySegment data() {
        return data;
    }

    /** Returns the length of the packet in bytes. */
    public int length() {
        return mbuf.get(JAVA_SHORT, RteMbuf.DATA_LEN) & 0xffff;
    }

    /**
     * Sets the length of the packet.
     *
     * @param bytes 0 to the size of {@link #data}
     * @return this
     */
    public MbufTemplate length(int bytes) {
        if (bytes < 0 || bytes > data.byteSize()) {
            throw new IllegalArgumentException("length " + bytes + " is outside 0 to " + data.byteSize());
        }
        mbuf.set(JAVA_SHORT, RteMbuf.DATA_LEN, (short) bytes);
        mbuf.set(JAVA_INT, RteMbuf.PKT_LEN, bytes);
        return this;
    }

    /** Returns the address of what looks like an mbuf; the template must be reachable while it is used. */
    long address() {
        return mbuf.address();
    }
}
