package io.offhook.packet.network;

import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
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
 */
public final class VrrpView extends HeaderView<VrrpView> implements LayerView {
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

    /** Creates a view; call {@link #wrap} before any accessor. */
    public VrrpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.VRRP;
    }

    /** Wraps an advertisement: TRUNCATED below 8 bytes, UNSUPPORTED if its version is neither 2 nor 3. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int version = NetworkOrder.u8(segment, offset + VERSION) >>> 4;
        if (version != 2 && version != 3) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, MIN_LENGTH);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public VrrpView version(int version) {
        return putBits(VERSION, 0, 4, "version", version);
    }

    /** 1, an advertisement. */
    public int type() {
        return u8(VERSION) & 0xf;
    }

    /** Sets {@link #type()}; 0 to 15. */
    public VrrpView type(int type) {
        return putBits(VERSION, 4, 4, "type", type);
    }

    /** The virtual router. */
    public int routerId() {
        return u8(ROUTER_ID);
    }

    /** Sets {@link #routerId()}; 0 to 255. */
    public VrrpView routerId(int routerId) {
        return putU8(ROUTER_ID, "routerId", routerId);
    }

    /** 255 is the owner's, 0 a resignation. */
    public int priority() {
        return u8(PRIORITY);
    }

    /** Sets {@link #priority()}; 0 to 255. */
    public VrrpView priority(int priority) {
        return putU8(PRIORITY, "priority", priority);
    }

    /** The number of addresses stated in the message, which may exceed those available. */
    public int addressCount() {
        return u8(ADDRESS_COUNT);
    }

    /** Sets {@link #addressCount()}; 0 to 255. */
    public VrrpView addressCount(int addressCount) {
        return putU8(ADDRESS_COUNT, "addressCount", addressCount);
    }

    /** The type of authentication in version 2, 0 for none; in version 3, the high bits of the interval. */
    public int authentication() {
        return u8(AUTHENTICATION);
    }

    /** Sets {@link #authentication()}; 0 to 255. */
    public VrrpView authentication(int authentication) {
        return putU8(AUTHENTICATION, "authentication", authentication);
    }

    /** The interval in seconds in version 2; in version 3, the low bits of {@link #intervalCentiseconds()}. */
    public int interval() {
        return u8(INTERVAL);
    }

    /** Sets {@link #interval()}; 0 to 255. */
    public VrrpView interval(int interval) {
        return putU8(INTERVAL, "interval", interval);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public VrrpView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** Between two advertisements, in units of 10 ms, whatever the version. */
    public int intervalCentiseconds() {
        return version() == 2 ? interval() * 100 : u16(AUTHENTICATION) & 0xfff;
    }

    /** Of version 2 in whole seconds, up to 25,500; of version 3 up to 4,095. */
    public VrrpView intervalCentiseconds(int intervalCentiseconds) {
        if (version() == 2) {
            FieldRange.checkMultiple("intervalCentiseconds", intervalCentiseconds, 0, 25_500, 100);
            return interval(intervalCentiseconds / 100);
        }
        return putBits(AUTHENTICATION, 4, 12, "intervalCentiseconds", intervalCentiseconds);
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
    public static final class Descriptor extends ViewProtocol<VrrpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "vrrp",
                    new VrrpView(),
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
        protected void variableFields(Layer layer, FieldVisitor to) {
            MemorySegment segment = layer.segment();
            int count = view.addressCount();
            int size = count > 0 && view.addressesLength() / count >= 16 ? 16 : 4;
            for (int i = 0; i < count && (i + 1) * size <= view.addressesLength(); i++) {
                long at = view.addressesOffset() + (long) i * size;
                if (size == 4) {
                    to.ipv4("address", NetworkOrder.u32(segment, at));
                } else {
                    to.ipv6("address", NetworkOrder.bits64(segment, at), NetworkOrder.bits64(segment, at + 8));
                }
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (layer.wrap(view)) {
                to.text("version ").number(view.version());
                to.text(" router ").number(view.routerId());
                to.text(" priority ").number(view.priority());
            } else {
                to.text("malformed");
            }
            return true;
        }
    }
}
