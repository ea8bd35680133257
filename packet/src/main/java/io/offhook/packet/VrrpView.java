package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A VRRP advertisement, version 2 (RFC 3768, 5) or 3 (RFC 9568, 5). The addresses are IPv4 ones in version 2; in version 3
 * they are of the family of the packet that carries it.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------+-------+---------------+---------------+---------------+
 * |version|  type |   router id   |    priority   | address count |
 * +-------+-------+---------------+---------------+---------------+
 * | authentication|    interval   |            checksum           |
 * +---------------+---------------+-------------------------------+
 * | addresses ...
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on. Setters change the
 * bytes in place; on a read-only segment they fail as the segment does. After one of a type, a flag or a length, wrap again.
 */
public final class VrrpView implements LayerView {
    /** Bytes that a header has at least. */
    public static final int MIN_LENGTH = 8;

    private static final int VERSION = 0;
    private static final int ROUTER_ID = 1;
    private static final int PRIORITY = 2;
    private static final int ADDRESS_COUNT = 3;
    private static final int AUTHENTICATION = 4;
    private static final int INTERVAL = 5;
    private static final int CHECKSUM = 6;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** A view on nothing yet: {@link #wrap} first. */
    public VrrpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.VRRP;
    }

    /**
     * Puts the view on an advertisement: TRUNCATED below 8 bytes, UNSUPPORTED when its version is neither 2 nor 3.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int version = NetworkOrder.u8(segment, offset) >>> 4;
        if (version != 2 && version != 3) {
            return WrapStatus.UNSUPPORTED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** The version that the header says. */
    public int version() {
        return NetworkOrder.u8(segment, offset + VERSION) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public VrrpView version(int version) {
        FieldBits.put(segment, offset, 0, 4, "version", version);
        return this;
    }

    /** 1, an advertisement. */
    public int type() {
        return NetworkOrder.u8(segment, offset + VERSION) & 0xf;
    }

    /** Sets {@link #type()}; 0 to 15. */
    public VrrpView type(int type) {
        FieldBits.put(segment, offset, 4, 4, "type", type);
        return this;
    }

    /** The virtual router. */
    public int routerId() {
        return NetworkOrder.u8(segment, offset + ROUTER_ID);
    }

    /** Sets {@link #routerId()}; 0 to 255. */
    public VrrpView routerId(int routerId) {
        FieldBits.put(segment, offset, 8, 8, "routerId", routerId);
        return this;
    }

    /** 255 is the owner's, 0 a resignation. */
    public int priority() {
        return NetworkOrder.u8(segment, offset + PRIORITY);
    }

    /** Sets {@link #priority()}; 0 to 255. */
    public VrrpView priority(int priority) {
        FieldBits.put(segment, offset, 16, 8, "priority", priority);
        return this;
    }

    /** As the message says, which may be more than are there. */
    public int addressCount() {
        return NetworkOrder.u8(segment, offset + ADDRESS_COUNT);
    }

    /** Sets {@link #addressCount()}; 0 to 255. */
    public VrrpView addressCount(int addressCount) {
        FieldBits.put(segment, offset, 24, 8, "addressCount", addressCount);
        return this;
    }

    /** Of version 2: 0 none. Of version 3 the high bits of the interval. */
    public int authentication() {
        return NetworkOrder.u8(segment, offset + AUTHENTICATION);
    }

    /** Sets {@link #authentication()}; 0 to 255. */
    public VrrpView authentication(int authentication) {
        FieldBits.put(segment, offset, 32, 8, "authentication", authentication);
        return this;
    }

    /** Of version 2 in seconds; of version 3 the low bits of {@link #intervalCentiseconds()}. */
    public int interval() {
        return NetworkOrder.u8(segment, offset + INTERVAL);
    }

    /** Sets {@link #interval()}; 0 to 255. */
    public VrrpView interval(int interval) {
        FieldBits.put(segment, offset, 40, 8, "interval", interval);
        return this;
    }

    /** As the header has it, right or wrong. */
    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public VrrpView checksum(int checksum) {
        FieldBits.put(segment, offset, 48, 16, "checksum", checksum);
        return this;
    }

    /** Between two advertisements, in units of 10 ms, whatever the version. */
    public int intervalCentiseconds() {
        return version() == 2 ? interval() * 100 : NetworkOrder.u16(segment, offset + AUTHENTICATION) & 0xfff;
    }

    /** Of version 2 in whole seconds, up to 25,500; of version 3 up to 4,095. */
    public VrrpView intervalCentiseconds(int intervalCentiseconds) {
        if (version() == 2) {
            FieldRange.checkMultiple("intervalCentiseconds", intervalCentiseconds, 0, 25_500, 100);
            return interval(intervalCentiseconds / 100);
        }
        FieldBits.put(segment, offset, 36, 12, "intervalCentiseconds", intervalCentiseconds);
        return this;
    }

    /** Where the first address starts. */
    public long addressesOffset() {
        return offset + MIN_LENGTH;
    }

    /** Bytes from there on. */
    public int addressesLength() {
        return length - MIN_LENGTH;
    }

    @Override
    public String toString() {
        return "vrrp version " + version() + " router " + routerId() + " priority " + priority();
    }
}
