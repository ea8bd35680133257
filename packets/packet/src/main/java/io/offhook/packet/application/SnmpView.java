package io.offhook.packet.application;

import io.offhook.packet.AsciiText;
import io.offhook.packet.Claims;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.View;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The start of an SNMP message (RFC 1157, 4; version 2c: RFC 1901; version 3: RFC 3412, 6), in the basic encoding rules
 * of ASN.1: version, community, and which operation it is.
 *
 * <pre>
 * 30 len | 02 len version | 04 len community | A0 len PDU: 02 len request id, ...
 * </pre>
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 */
public final class SnmpView implements View {
    /** Tags and lengths up to the operation. */
    public static final int MIN_LENGTH = 9;

    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final long CUT = -1;
    private static final long UNKNOWN = -2;

    private MemorySegment segment = MemorySegment.NULL;
    private int version;
    private long communityOffset;
    private int communityLength;
    private int operation;
    private long requestId;
    private long versionAt;
    private long operationAt;
    private long requestIdAt;
    private int requestIdBytes;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public SnmpView() {}

    /**
     * Wraps a message: TRUNCATED if it ends before the operation does begin, UNSUPPORTED if it is none of SNMP,
     * versions 1, 2c, 2u and 3.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        long end = offset + length;
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset) != SEQUENCE) {
            return WrapStatus.UNSUPPORTED;
        }
        long at = contentOffset(segment, offset, end);
        if (at < 0 || end - at < 3) {
            return at == UNKNOWN ? WrapStatus.UNSUPPORTED : WrapStatus.TRUNCATED;
        }
        int number = NetworkOrder.u8(segment, at + 2);
        if (NetworkOrder.u16(segment, at) != (INTEGER << 8 | 1) || number > 3) {
            return WrapStatus.UNSUPPORTED;
        }
        return number == 3 ? secure(segment) : community(segment, at + 3, end, number);
    }

    /** Where the content of an element starts; {@link #CUT} when its length is not there. */
    private static long contentOffset(MemorySegment segment, long at, long end) {
        if (end - at < 2) {
            return CUT;
        }
        int first = NetworkOrder.u8(segment, at + 1);
        if (first < 0x80) {
            return at + 2;
        }
        int bytes = first & 0x7f;
        if (bytes == 0 || bytes > 4) {
            return UNKNOWN;
        }
        return end - at < 2 + bytes ? CUT : at + 2 + bytes;
    }

    /** The length of an element whose content starts there; a number below 0 if it is too large. */
    private static int contentLength(MemorySegment segment, long at, long content) {
        if (content - at == 2) {
            return NetworkOrder.u8(segment, at + 1);
        }
        long length = 0;
        for (long i = at + 2; i < content; i++) {
            length = length << 8 | NetworkOrder.u8(segment, i);
        }
        return length > 0xffff ? -1 : (int) length;
    }

    private WrapStatus community(MemorySegment segment, long at, long end, int number) {
        if (at < end && NetworkOrder.u8(segment, at) != OCTETS) {
            return WrapStatus.UNSUPPORTED;
        }
        long content = contentOffset(segment, at, end);
        if (content < 0) {
            return content == UNKNOWN ? WrapStatus.UNSUPPORTED : WrapStatus.TRUNCATED;
        }
        int size = contentLength(segment, at, content);
        if (size < 0) {
            return WrapStatus.UNSUPPORTED;
        }
        long next = content + size;
        if (next >= end) {
            return WrapStatus.TRUNCATED;
        }
        int tag = NetworkOrder.u8(segment, next);
        if (tag < 0xa0 || tag > 0xa8) {
            return WrapStatus.UNSUPPORTED;
        }
        this.segment = segment;
        version = number;
        versionAt = at - 1;
        communityOffset = content;
        communityLength = size;
        operation = tag & 15;
        operationAt = next;
        requestId = requestId(segment, next, end);
        return WrapStatus.OK;
    }

    private long requestId(MemorySegment segment, long pdu, long end) {
        requestIdBytes = 0;
        long at = contentOffset(segment, pdu, end);
        if (at < 0 || end - at < 2 || NetworkOrder.u8(segment, at) != INTEGER) {
            return 0;
        }
        int size = NetworkOrder.u8(segment, at + 1);
        if (size > 5 || size > end - at - 2) {
            return 0;
        }
        requestIdAt = at + 2;
        requestIdBytes = size;
        long id = 0;
        for (int i = 0; i < size; i++) {
            id = id << 8 | NetworkOrder.u8(segment, at + 2 + i);
        }
        return id & 0xffff_ffffL;
    }

    private WrapStatus secure(MemorySegment segment) {
        this.segment = segment;
        version = 3;
        communityOffset = 0;
        communityLength = 0;
        operation = -1;
        requestId = 0;
        requestIdBytes = 0;
        return WrapStatus.OK;
    }

    /** The version as encoded: 0 for version 1, 1 for 2c, 3 for 3. */
    public int version() {
        return version;
    }

    /**
     * Sets {@link #version()}.
     *
     * @param version 0 to 2: of version 3, which has another form, it cannot be set
     */
    public SnmpView version(int version) {
        FieldRange.require("version", this.version < 3);
        FieldRange.check("version", version, 2);
        NetworkOrder.putU8(segment, versionAt, version);
        this.version = version;
        return this;
    }

    /** Where the community's name starts. */
    public long communityOffset() {
        return communityOffset;
    }

    /** The length of the community, in bytes; 0 in version 3, which has none. */
    public int communityLength() {
        return communityLength;
    }

    /**
     * 0 get, 1 get next, 2 response, 3 set, 4 trap, 5 get bulk, 6 inform, 7 trap of version 2, 8 report; -1 of version
     * 3.
     */
    public int operation() {
        return operation;
    }

    /**
     * Sets {@link #operation()}.
     *
     * @param operation 0 to 8
     */
    public SnmpView operation(int operation) {
        FieldRange.require("operation", version < 3);
        FieldRange.check("operation", operation, 8);
        NetworkOrder.putU8(segment, operationAt, 0xa0 | operation);
        this.operation = operation;
        return this;
    }

    /** 32 bits; 0 if it is not there. */
    public long requestId() {
        return requestId;
    }

    /** Writes it in as many bytes as there are. */
    public SnmpView requestId(long requestId) {
        FieldRange.require("requestId", requestIdBytes > 0);
        FieldRange.check("requestId", requestId, (1L << 8 * Math.min(requestIdBytes, 4)) - 1);
        for (int i = 0; i < requestIdBytes; i++) {
            int shift = 8 * (requestIdBytes - 1 - i);
            NetworkOrder.putU8(segment, requestIdAt + i, (int) (requestId >>> shift) & 0xff);
        }
        this.requestId = requestId;
        return this;
    }

    /** The community as text; it allocates. */
    public String community() {
        return AsciiText.text(segment, communityOffset, communityLength);
    }

    @Override
    public String toString() {
        return "snmp version " + version + " operation " + operation;
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<SnmpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super("snmp", new SnmpView(), HeaderLayout.NONE, Claims.NONE.udp(161, 162));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("version", view.version());
            if (view.operation() >= 0) {
                to.text("community", view.community());
                to.number("operation", view.operation());
                to.number("requestId", view.requestId());
            }
        }
    }
}
