package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The control word of a pseudowire over MPLS (RFC 4385, 3; for Ethernet RFC 4448, 4.6).
 *
 * <pre>
 *  0               8               16              24              32
 * +-------+-------+---+-----------+-------------------------------+
 * |       | flags | f |short leng.|        sequence number        |
 * +-------+-------+---+-----------+-------------------------------+
 * </pre>
 */
public final class PseudowireView extends CarrierView<PseudowireView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    private static final int FLAGS = 0;
    private static final int FRAGMENTATION = 1;
    private static final int SEQUENCE_NUMBER = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public PseudowireView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.PSEUDOWIRE;
    }

    /** Wraps a control word: TRUNCATED below 4 bytes, UNSUPPORTED if its first half byte is not 0: then it is none. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + FLAGS) >>> 4 != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** Four bits, which the kind of pseudowire gives a meaning. */
    public int flags() {
        return u8(FLAGS) & 0xf;
    }

    /** Sets {@link #flags()}; 0 to 15. */
    public PseudowireView flags(int flags) {
        return putBits(FLAGS, 4, 4, "flags", flags);
    }

    /** 0 whole, 1 first, 2 last, 3 in between (RFC 4623, 2.1). */
    public int fragmentation() {
        return u8(FRAGMENTATION) >>> 6;
    }

    /** Sets {@link #fragmentation()}; 0 to 3. */
    public PseudowireView fragmentation(int fragmentation) {
        return putBits(FRAGMENTATION, 0, 2, "fragmentation", fragmentation);
    }

    /** Bytes from here on, where there are fewer than 64; else 0. */
    public int shortLength() {
        return u8(FRAGMENTATION) & 0x3f;
    }

    /** Sets {@link #shortLength()}; 0 to 63. */
    public PseudowireView shortLength(int shortLength) {
        return putBits(FRAGMENTATION, 2, 6, "shortLength", shortLength);
    }

    /** The sequence number; 0 if the order is not significant. */
    public int sequenceNumber() {
        return u16(SEQUENCE_NUMBER);
    }

    /** Sets {@link #sequenceNumber()}; 0 to 65535. */
    public PseudowireView sequenceNumber(int sequenceNumber) {
        return putU16(SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    @Override
    public String toString() {
        return "pseudowire sequence " + sequenceNumber();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "pseudowire",
                    HeaderLayout.of(LENGTH)
                            .bits("flags", FLAGS, 4, 4)
                            .bits("fragmentation", FRAGMENTATION, 0, 2)
                            .bits("shortLength", FRAGMENTATION, 2, 6)
                            .number("sequenceNumber", SEQUENCE_NUMBER, 16));
        }
    }
}
