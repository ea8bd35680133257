package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The head of an encapsulating security payload (RFC 4303, 2). What follows is encrypted, as far as can be seen.
 *
 * <pre>
 *  0                                 32
 * +----------------------------------+
 * |              SPI                 |
 * +----------------------------------+
 * |        sequence number           |
 * +----------------------------------+
 * |   encrypted ...
 * </pre>
 */
public final class EspView extends CarrierView<EspView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the security parameters index, in bytes. */
    public static final int SPI = 0;
    /** The offset of the sequence number, in bytes. */
    public static final int SEQUENCE_NUMBER = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public EspView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ESP;
    }

    /** Wraps a header; TRUNCATED below 8 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** The security parameters index. */
    public long spi() {
        return u32(SPI);
    }

    /** Sets {@link #spi()}; 0 to 4294967295. */
    public EspView spi(long spi) {
        return putU32(SPI, "spi", spi);
    }

    /** The number of the packet among those of its sender. */
    public long sequenceNumber() {
        return u32(SEQUENCE_NUMBER);
    }

    /** Sets {@link #sequenceNumber()}; 0 to 4294967295. */
    public EspView sequenceNumber(long sequenceNumber) {
        return putU32(SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    @Override
    public String toString() {
        return "esp spi 0x" + Long.toHexString(spi()) + " sequence " + sequenceNumber();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super("esp", HeaderLayout.of(LENGTH).number("spi", SPI, 32).number("sequenceNumber", SEQUENCE_NUMBER, 32));
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.text("SPI=").hex(layer.u32(SPI), 8);
            to.text(" Seq=").number(layer.u32(SEQUENCE_NUMBER));
            return true;
        }
    }
}
