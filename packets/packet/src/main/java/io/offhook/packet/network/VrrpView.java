package io.offhook.packet.network;

import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A VRRP advertisement, version 2 (RFC 3768, 5) or 3 (RFC 9568, 5). The addresses are IPv4 ones in version 2; in
 * version 3 they are of the family of the packet that carries it.
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
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters write in place,
 * and fail on a read-only segment. After setting a type, a flag or a length, wrap again.
 */
public final class VrrpView implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;

    /** The offset of version and type (4 bits each), in bytes. */
    public static final int VERSION = 0;

    private static final int ROUTER_ID = 1;
    private static final int PRIORITY = 2;
    private static final int ADDRESS_COUNT = 3;
    private static final int AUTHENTICATION = 4;
    private static final int INTERVAL = 5;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 6;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public VrrpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.VRRP;
    }

    /**
     * Wraps an advertisement: TRUNCATED below 8 bytes, UNSUPPORTED if its version is neither 2 nor 3.
     *
     * @param length the number of bytes available from {@code offset}
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

    /** The version stated in the header. */
    public int version() {
        return NetworkOrder.u8(segment, offset + VERSION) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public VrrpView version(int version) {
        FieldBits.put(segment, offset, 8 * VERSION, 4, "version", version);
        return this;
    }

    /** 1, an advertisement. */
    public int type() {
        return NetworkOrder.u8(segment, offset + VERSION) & 0xf;
    }

    /** Sets {@link #type()}; 0 to 15. */
    public VrrpView type(int type) {
        FieldBits.put(segment, offset, 8 * VERSION + 4, 4, "type", type);
        return this;
    }

    /** The virtual router. */
    public int routerId() {
        return NetworkOrder.u8(segment, offset + ROUTER_ID);
    }

    /** Sets {@link #routerId()}; 0 to 255. */
    public VrrpView routerId(int routerId) {
        FieldBits.put(segment, offset, 8 * ROUTER_ID, 8, "routerId", routerId);
        return this;
    }

    /** 255 is the owner's, 0 a resignation. */
    public int priority() {
        return NetworkOrder.u8(segment, offset + PRIORITY);
    }

    /** Sets {@link #priority()}; 0 to 255. */
    public VrrpView priority(int priority) {
        FieldBits.put(segment, offset, 8 * PRIORITY, 8, "priority", priority);
        return this;
    }

    /** The number of addresses stated in the message, which may exceed those available. */
    public int addressCount() {
        return NetworkOrder.u8(segment, offset + ADDRESS_COUNT);
    }

    /** Sets {@link #addressCount()}; 0 to 255. */
    public VrrpView addressCount(int addressCount) {
        FieldBits.put(segment, offset, 8 * ADDRESS_COUNT, 8, "addressCount", addressCount);
        return this;
    }

    /** The type of authentication in version 2, 0 for none; in version 3, the high bits of the interval. */
    public int authentication() {
        return NetworkOrder.u8(segment, offset + AUTHENTICATION);
    }

    /** Sets {@link #authentication()}; 0 to 255. */
    public VrrpView authentication(int authentication) {
        FieldBits.put(segment, offset, 8 * AUTHENTICATION, 8, "authentication", authentication);
        return this;
    }

    /** The interval in seconds in version 2; in version 3, the low bits of {@link #intervalCentiseconds()}. */
    public int interval() {
        return NetworkOrder.u8(segment, offset + INTERVAL);
    }

    /** Sets {@link #interval()}; 0 to 255. */
    public VrrpView interval(int interval) {
        FieldBits.put(segment, offset, 8 * INTERVAL, 8, "interval", interval);
        return this;
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return NetworkOrder.u16(segment, offset + CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public VrrpView checksum(int checksum) {
        FieldBits.put(segment, offset, 8 * CHECKSUM, 16, "checksum", checksum);
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
        FieldBits.put(segment, offset, 8 * AUTHENTICATION + 4, 12, "intervalCentiseconds", intervalCentiseconds);
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

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        private final VrrpView vrrp = new VrrpView();

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "vrrp",
                    HeaderLayout.of(MIN_LENGTH)
                            .bits("version", VERSION, 0, 4)
                            .bits("type", VERSION, 4, 4)
                            .number("routerId", ROUTER_ID, 8)
                            .number("priority", PRIORITY, 8)
                            .number("addressCount", ADDRESS_COUNT, 8)
                            .number("authentication", AUTHENTICATION, 8)
                            .number("interval", INTERVAL, 8)
                            .number("checksum", CHECKSUM, 16));
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            super.fields(layer, to);
            if (!layer.wrapHeader(vrrp)) {
                return;
            }
            MemorySegment segment = layer.segment();
            int count = vrrp.addressCount();
            int size = count > 0 && vrrp.addressesLength() / count >= 16 ? 16 : 4;
            for (int i = 0; i < count && (i + 1) * size <= vrrp.addressesLength(); i++) {
                long at = vrrp.addressesOffset() + (long) i * size;
                if (size == 4) {
                    to.ipv4("address", NetworkOrder.u32(segment, at));
                } else {
                    to.ipv6("address", NetworkOrder.bits64(segment, at), NetworkOrder.bits64(segment, at + 8));
                }
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (layer.wrap(vrrp)) {
                to.text("version ").number(vrrp.version());
                to.text(" router ").number(vrrp.routerId());
                to.text(" priority ").number(vrrp.priority());
            } else {
                to.text("malformed");
            }
            return true;
        }
    }
}
