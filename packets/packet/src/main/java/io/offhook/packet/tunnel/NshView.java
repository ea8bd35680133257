package io.offhook.packet.tunnel;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A network service header (RFC 8300, 2): the path that a packet takes through service functions.
 *
 * <pre>
 *  0               8               16              24              32
 * +---+-+-+-----------+-----------+-------+-------+---------------+
 * | v |O| |    ttl    |header wor.|       |metada.|    protocol   |
 * +---+-+-+-----------+-----------+-------+-------+---------------+
 * |                  service path                 | service index |
 * +-----------------------------------------------+---------------+
 * | metadata ...
 * </pre>
 */
public final class NshView extends CarrierView<NshView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;

    /** The offset of the version (2 bits), in bytes. */
    public static final int VERSION = 0;
    /** The offset of the length in words, in bytes. */
    public static final int HEADER_WORDS = 1;

    private static final int METADATA_TYPE = 2;
    /** The offset of the protocol, in bytes. */
    public static final int PROTOCOL = 3;

    private static final int SERVICE_PATH = 4;
    private static final int SERVICE_INDEX = 7;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public NshView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.NSH;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, UNSUPPORTED if its version is not 0,
     * MALFORMED if its length is below 8 bytes.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + VERSION) >>> 6 != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        int header = (NetworkOrder.u8(segment, offset + HEADER_WORDS) & 0x3f) << 2;
        if (header < MIN_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, header);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION) >>> 6;
    }

    /** Sets {@link #version()}; 0 to 3. */
    public NshView version(int version) {
        return putBits(VERSION, 0, 2, "version", version);
    }

    /** Whether it is a packet of operations, and no user's. */
    public boolean isOam() {
        return (u8(VERSION) & 0x20) != 0;
    }

    /** Sets {@link #isOam()}. */
    public NshView oam(boolean oam) {
        return putFlag(VERSION, 2, oam);
    }

    /** The number of hops that remain. */
    public int ttl() {
        return u16(VERSION) >>> 6 & 0x3f;
    }

    /** Sets {@link #ttl()}; 0 to 63. */
    public NshView ttl(int ttl) {
        return putBits(VERSION, 4, 6, "ttl", ttl);
    }

    /** The length of the header, in units of 4 bytes. */
    public int headerWords() {
        return u8(HEADER_WORDS) & 0x3f;
    }

    /** Sets {@link #headerWords()}; 0 to 63. */
    public NshView headerWords(int headerWords) {
        return putBits(HEADER_WORDS, 2, 6, "headerWords", headerWords);
    }

    /** 1: 16 bytes of context follow; 2: elements, or nothing. */
    public int metadataType() {
        return u8(METADATA_TYPE) & 0xf;
    }

    /** Sets {@link #metadataType()}; 0 to 15. */
    public NshView metadataType(int metadataType) {
        return putBits(METADATA_TYPE, 4, 4, "metadataType", metadataType);
    }

    /** 1 IPv4, 2 IPv6, 3 Ethernet, 4 NSH, 5 MPLS. */
    public int protocol() {
        return u8(PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 255. */
    public NshView protocol(int protocol) {
        return putU8(PROTOCOL, "protocol", protocol);
    }

    /** The chain of service functions that it goes through. */
    public int servicePath() {
        return u24(SERVICE_PATH);
    }

    /** Sets {@link #servicePath()}; 0 to 16777215. */
    public NshView servicePath(int servicePath) {
        return putU24(SERVICE_PATH, "servicePath", servicePath);
    }

    /** Where on the path it is: counted down by each service function. */
    public int serviceIndex() {
        return u8(SERVICE_INDEX);
    }

    /** Sets {@link #serviceIndex()}; 0 to 255. */
    public NshView serviceIndex(int serviceIndex) {
        return putU8(SERVICE_INDEX, "serviceIndex", serviceIndex);
    }

    /** Where the context, or the elements, start; they end with the header. */
    public long metadataOffset() {
        return offset + MIN_LENGTH;
    }

    /** The length of the metadata, in bytes. */
    public int metadataLength() {
        return headerLength() - MIN_LENGTH;
    }

    @Override
    public String toString() {
        return "nsh path " + servicePath() + " index " + serviceIndex();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "nsh",
                    HeaderLayout.of(MIN_LENGTH)
                            .bits("version", VERSION, 0, 2)
                            .flag("oam", VERSION, 2)
                            .bits("ttl", VERSION, 4, 6)
                            .bits("headerWords", HEADER_WORDS, 2, 6)
                            .bits("metadataType", METADATA_TYPE, 4, 4)
                            .number("protocol", PROTOCOL, 8)
                            .number("servicePath", SERVICE_PATH, 24)
                            .number("serviceIndex", SERVICE_INDEX, 8));
        }
    }
}
