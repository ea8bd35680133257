package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.SafeText;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A packet of the Cisco Discovery Protocol: a header, then elements of a type, a length and a value.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |    version    |      ttl      |            checksum           |
 * +---------------+---------------+-------------------------------+
 * | elements ...
 * </pre>
 */
public final class CdpView extends CarrierView<CdpView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 4;

    private static final int VERSION = 0;
    private static final int TTL = 1;
    private static final int CHECKSUM = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public CdpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.CDP;
    }

    /** Wraps a packet: TRUNCATED below 4 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, MIN_LENGTH);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION);
    }

    /** Sets {@link #version()}; 0 to 255. */
    public CdpView version(int version) {
        return putU8(VERSION, "version", version);
    }

    /** Seconds for which the receiver keeps it. */
    public int ttl() {
        return u8(TTL);
    }

    /** Sets {@link #ttl()}; 0 to 255. */
    public CdpView ttl(int ttl) {
        return putU8(TTL, "ttl", ttl);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public CdpView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#CDP_TLVS}, before the first element. */
    public void elements(TypeLengthValues elements) {
        elements.wrap(segment, offset + MIN_LENGTH, length - MIN_LENGTH);
    }

    @Override
    public String toString() {
        return "cdp version " + version();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<CdpView> {
        private final TypeLengthValues elements = new TypeLengthValues(TypeLengthValues.Form.CDP_TLVS);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "cdp",
                    new CdpView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("version", VERSION, 8)
                            .number("ttl", TTL, 8)
                            .number("checksum", CHECKSUM, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            view.elements(elements);
            while (elements.next()) {
                switch ((int) elements.type()) {
                    case 1 -> to.text("deviceId", elements.text());
                    case 3 -> to.text("portId", elements.text());
                    case 4 -> to.number("capabilities", elements.u32(0));
                    case 5 -> to.text("softwareVersion", elements.text());
                    case 6 -> to.text("platform", elements.text());
                    case 10 -> to.number("nativeVlan", elements.u16(0));
                    default -> elements.bytes("element" + elements.type(), to);
                }
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (layer.wrap(view)) {
                to.text("version ").number(view.version());
            } else {
                to.text("malformed");
            }
            return true;
        }
    }
}
