package io.offhook.packet.network;

import io.offhook.packet.FieldRange;
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
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters reject a value
 * that the field cannot hold, and change nothing else, not even a checksum; see {@link io.offhook.packet}.
 */
public final class EspView implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the security parameters index, in bytes. */
    public static final int SPI = 0;
    /** The offset of the sequence number, in bytes. */
    public static final int SEQUENCE_NUMBER = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public EspView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ESP;
    }

    /**
     * Wraps a header; TRUNCATED below 8 bytes.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** The security parameters index. */
    public long spi() {
        return NetworkOrder.u32(segment, offset + SPI);
    }

    /** Sets {@link #spi()}; 0 to 4294967295. */
    public EspView spi(long spi) {
        FieldRange.check("spi", spi, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + SPI, spi);
        return this;
    }

    /** The number of the packet among those of its sender. */
    public long sequenceNumber() {
        return NetworkOrder.u32(segment, offset + SEQUENCE_NUMBER);
    }

    /** Sets {@link #sequenceNumber()}; 0 to 4294967295. */
    public EspView sequenceNumber(long sequenceNumber) {
        FieldRange.check("sequenceNumber", sequenceNumber, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + SEQUENCE_NUMBER, sequenceNumber);
        return this;
    }

    /** The offset in the segment of the first byte after the header. */
    public long payloadOffset() {
        return offset + LENGTH;
    }

    /** The number of available bytes after the header. */
    public int payloadLength() {
        return length - LENGTH;
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
