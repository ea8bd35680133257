package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
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
 * An authentication header (RFC 4302, 2). Integrity is not checked.
 *
 * <pre>
 *  0        8        16               32
 * +--------+--------+----------------+
 * | next   | length |    reserved    |
 * +--------+--------+----------------+
 * |              SPI                 |
 * +----------------------------------+
 * |        sequence number           |
 * +----------------------------------+
 * |   integrity check value ...
 * </pre>
 */
public final class AuthenticationView extends CarrierView<AuthenticationView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 12;

    /** The offset of the next header, in bytes. */
    public static final int NEXT_HEADER = 0;
    /** The offset of the length in words, less two, in bytes. */
    public static final int WORDS = 1;

    /** The offset of the security parameters index, in bytes. */
    public static final int SPI = 4;
    /** The offset of the sequence number, in bytes. */
    public static final int SEQUENCE_NUMBER = 8;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public AuthenticationView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.AUTHENTICATION;
    }

    /** Wraps a header: TRUNCATED if fewer bytes are available than it states, MALFORMED if it says fewer than 12. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int header = (NetworkOrder.u8(segment, offset + WORDS) + 2) << 2;
        if (header < MIN_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, header);
    }

    /** The IP protocol number of what follows. */
    public int nextHeader() {
        return u8(NEXT_HEADER);
    }

    /** Sets {@link #nextHeader()}; 0 to 255. */
    public AuthenticationView nextHeader(int nextHeader) {
        return putU8(NEXT_HEADER, "nextHeader", nextHeader);
    }

    /**
     * Sets {@link #headerLength()}.
     *
     * @param headerLength 12 to 1028 in fours, and not more than is there
     */
    public AuthenticationView headerLength(int headerLength) {
        FieldRange.checkMultiple("headerLength", headerLength, MIN_LENGTH, Math.min(1028, length), 4);
        putU8(WORDS, "headerLength", (headerLength >>> 2) - 2);
        this.headerLength = headerLength;
        return this;
    }

    /** The security parameters index. */
    public long spi() {
        return u32(SPI);
    }

    /** Sets {@link #spi()}; 0 to 4294967295. */
    public AuthenticationView spi(long spi) {
        return putU32(SPI, "spi", spi);
    }

    /** The number of the packet among those of its sender. */
    public long sequenceNumber() {
        return u32(SEQUENCE_NUMBER);
    }

    /** Sets {@link #sequenceNumber()}; 0 to 4294967295. */
    public AuthenticationView sequenceNumber(long sequenceNumber) {
        return putU32(SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    /** Where the integrity check value starts. */
    public long checkValueOffset() {
        return offset + MIN_LENGTH;
    }

    /** The length of the integrity check value, in bytes. */
    public int checkValueLength() {
        return headerLength - MIN_LENGTH;
    }

    @Override
    public String toString() {
        return "ah spi 0x" + Long.toHexString(spi()) + " sequence " + sequenceNumber();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ah",
                    HeaderLayout.of(MIN_LENGTH)
                            .number("nextHeader", NEXT_HEADER, 8)
                            .number("spi", SPI, 32)
                            .number("sequenceNumber", SEQUENCE_NUMBER, 32));
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.number(layer.packet().payloadWireLength()).text(" bytes");
            return true;
        }
    }
}
