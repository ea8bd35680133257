package io.offhook.packet.application;

import io.offhook.packet.AsciiText;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LittleEndian;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import java.lang.foreign.MemorySegment;

/**
 * Reads HEP, by which capture agents send on packets: versions 1 and 2, with a fixed header, and version 3, also called
 * EEP, of chunks.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+---------------+---------------+
 * |  version 1|2  |    length     |    family     |   protocol    |
 * +---------------+---------------+---------------+---------------+
 * |          source port          |       destination port        |
 * +-------------------------------+-------------------------------+
 * | source address, destination address (4 or 16 bytes each)
 * | version 2: seconds (32), microseconds (32), agent (16), little-endian, 2 bytes of padding
 *
 *  version 3
 * +---------------+---------------+---------------+---------------+
 * |                       "HEP3" or "EEP1"                        |
 * +-------------------------------+-------------------------------+
 * |         total length          | chunks: vendor (16), type (16),
 * |  length (16) with these six bytes, value
 * </pre>
 *
 * <p>Chunks of other vendors and unknown types are skipped. Single-threaded; valid as long as the bytes that were read.
 */
public final class HepReader {
    private static final int HEP3 = 0x48455033;
    private static final int EEP1 = 0x45455031;
    private static final int TOTAL_LENGTH = 4;
    private static final int FIXED_LENGTH = 6;
    private static final int CHUNK_HEADER = 6;
    private static final int IPV4 = 2;
    private static final int IPV6 = 10;
    private static final int UDP = 17;
    private static final int TCP = 6;
    private static final int SCTP = 132;
    private static final int SIP = 1;

    // versions 1 and 2
    private static final int FAMILY = 2;
    private static final int PROTOCOL = 3;
    private static final int PORTS = 4;
    private static final int ADDRESSES = 8;
    private static final int TIME_LENGTH = 12;
    private static final long MICROSECONDS_A_SECOND = 1_000_000L;

    private MemorySegment segment = MemorySegment.NULL;
    private int version;
    private int protocol;
    private int payloadType;
    private boolean isCompressed;
    private int sourcePort;
    private int destinationPort;
    private long sourceAt;
    private long destinationAt;
    private int sourceBytes;
    private int destinationBytes;
    private long seconds;
    private long microseconds;
    private long agent;
    private long payloadOffset;
    private int payloadLength;
    private long keyAt;
    private int keyLength;
    private long correlationAt;
    private int correlationLength;
    private long nodeAt;
    private int nodeLength;
    private boolean isWellFormed;

    /** Creates a reader; call {@link #read} before any accessor. */
    public HepReader() {}

    /** Whether a payload has the mark of version 3, or the header of version 1 or 2 with bytes behind it. */
    public static boolean isLikely(MemorySegment segment, long offset, int length) {
        if (length < FIXED_LENGTH) {
            return false;
        }
        int mark = NetworkOrder.bits32(segment, offset);
        if (isMark(mark)) {
            return true;
        }
        return mark >>> 24 <= 2 && oldHeaderLength(mark) > 0 && length > oldHeaderLength(mark);
    }

    /** The length of a header of version 1 or 2, time included; 0 if the first four bytes are not of one. */
    private static int oldHeaderLength(int mark) {
        int version = mark >>> 24;
        int stated = mark >>> 16 & 0xff;
        int of = mark >>> 8 & 0xff;
        int transport = mark & 0xff;
        boolean isKnown = (version == 1 || version == 2)
                && (of == IPV4 || of == IPV6)
                && (transport == UDP || transport == TCP || transport == SCTP);
        int fixed = ADDRESSES + (of == IPV4 ? 8 : 32);
        int length = fixed + (version == 2 ? TIME_LENGTH : 0);
        // agents differ in whether the time of version 2 is part of the length
        return isKnown && (stated == fixed || stated == length) ? length : 0;
    }

    /**
     * Returns whether a payload is one packet of version 3 by its mark and its total length, which fits exactly.
     *
     * @param length bytes of the payload
     */
    public static boolean isWhole(MemorySegment segment, long offset, int length) {
        if (length < FIXED_LENGTH || NetworkOrder.u16(segment, offset + TOTAL_LENGTH) != length) {
            return false;
        }
        return isMark(NetworkOrder.bits32(segment, offset));
    }

    /** Whether four bytes, in network order, are the mark that a packet of version 3 begins with. */
    public static boolean isMark(int mark) {
        return mark == HEP3 || mark == EEP1;
    }

    /**
     * Reads a packet; false if it is not HEP, a length does not fit, or addresses or payload are missing. A length fits if
     * chunks end where the packet ends, and those of addresses, ports, protocols and times have the length of their number.
     *
     * @param length bytes available from {@code offset}
     */
    public boolean read(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        clear();
        if (!isLikely(segment, offset, length)) {
            return false;
        }
        int mark = NetworkOrder.bits32(segment, offset);
        boolean isRead = isMark(mark) ? readChunks(offset, length) : readOld(offset, length, mark >>> 24);
        isWellFormed = isRead;
        return isRead && sourceAt >= 0 && destinationAt >= 0 && payloadOffset >= 0;
    }

    /**
     * Whether the packet is well-formed and carries nothing, as agents send it to keep their connection alive; for that,
     * {@link #read} returns false.
     */
    public boolean isKeepAlive() {
        return isWellFormed && (payloadOffset < 0 || payloadLength == 0);
    }

    private void clear() {
        version = 0;
        protocol = 0;
        payloadType = 0;
        isCompressed = false;
        sourcePort = 0;
        destinationPort = 0;
        sourceAt = -1;
        destinationAt = -1;
        seconds = 0;
        microseconds = 0;
        agent = 0;
        payloadOffset = -1;
        payloadLength = 0;
        keyAt = 0;
        keyLength = 0;
        correlationAt = 0;
        correlationLength = 0;
        nodeAt = 0;
        nodeLength = 0;
        isWellFormed = false;
    }

    private boolean readOld(long offset, int length, int version) {
        this.version = version;
        protocol = NetworkOrder.u8(segment, offset + PROTOCOL);
        payloadType = SIP;
        sourcePort = NetworkOrder.u16(segment, offset + PORTS);
        destinationPort = NetworkOrder.u16(segment, offset + PORTS + 2);
        int bytes = NetworkOrder.u8(segment, offset + FAMILY) == IPV4 ? 4 : 16;
        sourceBytes = bytes;
        destinationBytes = bytes;
        sourceAt = offset + ADDRESSES;
        destinationAt = sourceAt + bytes;
        long at = destinationAt + bytes;
        if (version == 2) {
            seconds = LittleEndian.u32(segment, at);
            microseconds = LittleEndian.u32(segment, at + 4);
            agent = LittleEndian.u16(segment, at + 8);
            at += TIME_LENGTH;
        }
        payloadOffset = at;
        payloadLength = (int) (offset + length - at);
        return true;
    }

    private boolean readChunks(long offset, int length) {
        version = 3;
        int total = NetworkOrder.u16(segment, offset + TOTAL_LENGTH);
        if (total < FIXED_LENGTH || total > length) {
            return false;
        }
        int at = FIXED_LENGTH;
        while (at + CHUNK_HEADER <= total) {
            int chunk = NetworkOrder.u16(segment, offset + at + 4);
            if (chunk < CHUNK_HEADER || at + chunk > total) {
                return false;
            }
            if (NetworkOrder.u16(segment, offset + at) == 0) {
                int type = NetworkOrder.u16(segment, offset + at + 2);
                if (!isLength(type, chunk - CHUNK_HEADER)) {
                    return false;
                }
                readChunk(type, offset + at + CHUNK_HEADER, chunk - CHUNK_HEADER);
            }
            at += chunk;
        }
        return at == total;
    }

    /** Whether a value that is used has the length of its type; agents differ in that of their number. */
    private static boolean isLength(int type, int length) {
        return switch (type) {
            case 0x01, 0x02, 0x0b -> length == 1;
            case 0x07, 0x08 -> length == 2;
            case 0x03, 0x04, 0x09, 0x0a -> length == 4;
            case 0x05, 0x06 -> length == 16;
            default -> true;
        };
    }

    private void readChunk(int type, long at, int length) {
        switch (type) {
            case 0x02 -> protocol = NetworkOrder.u8(segment, at);
            case 0x03, 0x05 -> {
                sourceAt = at;
                sourceBytes = length;
            }
            case 0x04, 0x06 -> {
                destinationAt = at;
                destinationBytes = length;
            }
            case 0x07 -> sourcePort = NetworkOrder.u16(segment, at);
            case 0x08 -> destinationPort = NetworkOrder.u16(segment, at);
            case 0x09 -> seconds = NetworkOrder.u32(segment, at);
            case 0x0a -> microseconds = NetworkOrder.u32(segment, at);
            case 0x0b -> payloadType = NetworkOrder.u8(segment, at);
            case 0x0c -> agent = number(at, length);
            case 0x0f, 0x10 -> {
                isCompressed = type == 0x10;
                payloadOffset = at;
                payloadLength = length;
            }
            case 0x0e -> {
                keyAt = at;
                keyLength = length;
            }
            case 0x11 -> {
                correlationAt = at;
                correlationLength = length;
            }
            case 0x13 -> {
                nodeAt = at;
                nodeLength = length;
            }
            default -> {} // receivers skip what they do not know
        }
    }

    /** A number of one, two or four bytes; 0 if the chunk has another length. */
    private long number(long at, int length) {
        return switch (length) {
            case 1 -> NetworkOrder.u8(segment, at);
            case 2 -> NetworkOrder.u16(segment, at);
            case 4 -> NetworkOrder.u32(segment, at);
            default -> 0;
        };
    }

    /** 1, 2 or 3. */
    public int version() {
        return version;
    }

    /** The IP protocol that carried the payload. */
    public int protocol() {
        return protocol;
    }

    /** What the payload is: 1 SIP, 4 RTP, 5 RTCP; others are reports. Versions 1 and 2 carry SIP. */
    public int payloadType() {
        return payloadType;
    }

    /** Whether the payload is compressed. */
    public boolean isCompressed() {
        return isCompressed;
    }

    /** Who sent the payload. */
    public Endpoint source() {
        return endpoint(sourceAt, sourceBytes, sourcePort);
    }

    /** Whom the payload was sent to. */
    public Endpoint destination() {
        return endpoint(destinationAt, destinationBytes, destinationPort);
    }

    private Endpoint endpoint(long at, int bytes, int port) {
        return bytes == 16 ? Endpoint.readIpv6(segment, at, port) : Endpoint.readIpv4(segment, at, port);
    }

    /** When the agent captured the payload, nanoseconds since the epoch; 0 if unknown. */
    public long timestampNs() {
        long tail = Math.min(microseconds, MICROSECONDS_A_SECOND - 1);
        return (seconds * MICROSECONDS_A_SECOND + tail) * 1000;
    }

    /** The number of the agent; 0 if unknown. */
    public long agent() {
        return agent;
    }

    /** The offset of the payload in the segment. */
    public long payloadOffset() {
        return payloadOffset;
    }

    /** The length of the payload, in bytes. */
    public int payloadLength() {
        return payloadLength;
    }

    /** By which a collector knows an agent that may send to it; "" if there is none. */
    public String authenticationKey() {
        return AsciiText.text(segment, keyAt, keyLength);
    }

    /** The offset of {@link #authenticationKey} in the segment; without meaning if its length is 0. */
    public long authenticationKeyOffset() {
        return keyAt;
    }

    /** The length of {@link #authenticationKey}, in bytes; 0 if there is none. */
    public int authenticationKeyLength() {
        return keyLength;
    }

    /** The offset of {@link #correlationId} in the segment; without meaning if its length is 0. */
    public long correlationIdOffset() {
        return correlationAt;
    }

    /** The length of {@link #correlationId}, in bytes; 0 if there is none. */
    public int correlationIdLength() {
        return correlationLength;
    }

    /** What the agent says the payload belongs to, the Call-ID of SIP for media; "" if there is none. */
    public String correlationId() {
        return AsciiText.text(segment, correlationAt, correlationLength);
    }

    /** The name of the agent; "" if unknown. */
    public String nodeName() {
        return AsciiText.text(segment, nodeAt, nodeLength);
    }

    /** Describes the protocol for output. */
    public static final class Descriptor extends Protocol {
        private final HepReader hep = new HepReader();

        /** Creates the descriptor. */
        public Descriptor() {
            super("hep", HeaderLayout.NONE);
        }

        /** By its first four bytes. */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            return transport == LayerType.UDP
                    && HepReader.isLikely(payload.segment(), payload.offset(), payload.length());
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            if (hep.read(layer.segment(), layer.offset(), layer.length())) {
                to.number("version", hep.version());
                to.number("protocol", hep.protocol());
                to.text("source", hep.source().toString());
                to.text("destination", hep.destination().toString());
                to.number("timestampNs", hep.timestampNs());
                to.number("payloadType", hep.payloadType());
                to.number("agent", hep.agent());
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (!hep.read(layer.segment(), layer.offset(), layer.length())) {
                return false;
            }
            to.text("type ").number(hep.payloadType()).text(", ");
            to.text(hep.source().toString()).text(" > ").text(hep.destination().toString());
            return true;
        }
    }
}
