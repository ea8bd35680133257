package io.offhook.packet.transport;

import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/**
 * The options of a TCP header (RFC 9293, 3.2; RFC 7323; RFC 2018; and the registry of IANA), one after the
 * other.
 *
 * <pre>
 *  0        8        16
 * +--------+--------+----
 * |  kind  | length | data; end of list and no-operation are the kind alone
 * +--------+--------+----
 * </pre>
 *
 * <p>{@code while (options.next()) switch (options.kind()) ...}. No-operation and end of list are stepped over. An
 * option whose length cannot be ends the iteration; {@link #isMalformed()} then says so. The accessors of a kind read 0
 * on an option of another kind, or too short for its own; the setters of that kind refuse there ({@link
 * IllegalStateException}). They refuse what the field cannot hold, too, and leave the checksum as it is.
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 */
public final class TcpOptions {
    /** A kind of option (RFC 9293, 3.2). */
    public static final int END = 0;
    /** A kind of option (RFC 9293, 3.2). */
    public static final int NO_OPERATION = 1;
    /** A kind of option (RFC 9293, 3.2). */
    public static final int MAXIMUM_SEGMENT_SIZE = 2;
    /** A kind of option (RFC 7323, 2.2 and 3.2). */
    public static final int WINDOW_SCALE = 3;
    /** A kind of option (RFC 2018, 2 and 3). */
    public static final int SACK_PERMITTED = 4;
    /** A kind of option (RFC 2018, 2 and 3). */
    public static final int SACK = 5;
    /** A kind of option (RFC 7323, 2.2 and 3.2). */
    public static final int TIMESTAMPS = 8;
    /** A kind of option (RFC 2385). */
    public static final int MD5_SIGNATURE = 19;
    /** A kind of option (RFC 5482). */
    public static final int USER_TIMEOUT = 28;
    /** A kind of option (RFC 5925). */
    public static final int AUTHENTICATION = 29;
    /** A kind of option (RFC 8684). */
    public static final int MULTIPATH = 30;
    /** A kind of option (RFC 7413). */
    public static final int FAST_OPEN = 34;

    private static final int SACK_BLOCK = 8;

    // where fields are, from the option's start
    private static final int SIZE = 1;
    private static final int HEADER = 2;
    private static final int SEGMENT_SIZE = 2;
    private static final int SHIFT = 2;
    private static final int TIMESTAMP_VALUE = 2;
    private static final int TIMESTAMP_ECHO_REPLY = 6;
    private static final int AUTHENTICATION_KEY_ID = 2;
    private static final int AUTHENTICATION_NEXT_KEY_ID = 3;
    private static final int AUTHENTICATION_CODE = 4;
    private static final int TIMEOUT = 2;
    private static final int MULTIPATH_SUBTYPE = 2;
    private static final int MULTIPATH_ADDRESS_ID = 3;
    private static final int MULTIPATH_FLAGS = 3;
    private static final int MULTIPATH_SENDER_KEY = 4;
    private static final int MULTIPATH_TOKEN = 4;
    private static final int MULTIPATH_RECEIVER_KEY = 12;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private long end;
    private int kind;
    private int length;
    private boolean isMalformed;

    /** Creates an iterator; call {@code wrap} before {@code next}. */
    public TcpOptions() {}

    /** Puts the iterator before the first of {@code length} bytes of options. */
    public void wrap(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        this.offset = offset;
        this.end = offset + length;
        this.length = 0;
        kind = END;
        isMalformed = false;
    }

    /** Moves to the next option; false if there is none. */
    public boolean next() {
        offset += length;
        length = 0;
        while (offset < end && NetworkOrder.u8(segment, offset) == NO_OPERATION) {
            offset++;
        }
        kind = offset < end ? NetworkOrder.u8(segment, offset) : END;
        if (kind == END) {
            offset = end;
            return false;
        }
        int size = offset + SIZE < end ? NetworkOrder.u8(segment, offset + SIZE) : 0;
        if (size < HEADER || size > end - offset) {
            isMalformed = true;
            kind = END;
            offset = end;
            return false;
        }
        length = size;
        return true;
    }

    /** Whether the iteration ended on an option whose length cannot be. */
    public boolean isMalformed() {
        return isMalformed;
    }

    /** 0 before the first option and after the last. */
    public int kind() {
        return kind;
    }

    /** The length of the option with its kind and length, in bytes. */
    public int length() {
        return length;
    }

    /** Where the option's data starts, behind kind and length. */
    public long dataOffset() {
        return offset + HEADER;
    }

    /** The length of the option's data, in bytes. */
    public int dataLength() {
        return Math.max(length - HEADER, 0);
    }

    /** The maximum segment size, in bytes. */
    public int maximumSegmentSize() {
        return is(MAXIMUM_SEGMENT_SIZE, 4) ? NetworkOrder.u16(segment, offset + SEGMENT_SIZE) : 0;
    }

    /** Sets {@link #maximumSegmentSize()}; 0 to 65535. */
    public TcpOptions maximumSegmentSize(int maximumSegmentSize) {
        FieldRange.check("maximumSegmentSize", maximumSegmentSize, 0xffff);
        FieldRange.require("maximumSegmentSize", is(MAXIMUM_SEGMENT_SIZE, 4));
        NetworkOrder.putU16(segment, offset + SEGMENT_SIZE, maximumSegmentSize);
        return this;
    }

    /** Bits to shift the window by; above 14 the sender errs (RFC 7323, 2.3). */
    public int windowScale() {
        return is(WINDOW_SCALE, 3) ? NetworkOrder.u8(segment, offset + SHIFT) : 0;
    }

    /** Sets {@link #windowScale()}; 0 to 14. */
    public TcpOptions windowScale(int windowScale) {
        FieldRange.check("windowScale", windowScale, 14);
        FieldRange.require("windowScale", is(WINDOW_SCALE, 3));
        NetworkOrder.putU8(segment, offset + SHIFT, windowScale);
        return this;
    }

    /** The sender's clock, 32 bits. */
    public long timestampValue() {
        return is(TIMESTAMPS, 10) ? NetworkOrder.u32(segment, offset + TIMESTAMP_VALUE) : 0;
    }

    /** Sets {@link #timestampValue()}; 0 to 4294967295. */
    public TcpOptions timestampValue(long timestampValue) {
        FieldRange.check("timestampValue", timestampValue, 0xffff_ffffL);
        FieldRange.require("timestampValue", is(TIMESTAMPS, 10));
        NetworkOrder.putU32(segment, offset + TIMESTAMP_VALUE, timestampValue);
        return this;
    }

    /** The other side's clock, as it was received last, 32 bits. */
    public long timestampEchoReply() {
        return is(TIMESTAMPS, 10) ? NetworkOrder.u32(segment, offset + TIMESTAMP_ECHO_REPLY) : 0;
    }

    /** Sets {@link #timestampEchoReply()}; 0 to 4294967295. */
    public TcpOptions timestampEchoReply(long timestampEchoReply) {
        FieldRange.check("timestampEchoReply", timestampEchoReply, 0xffff_ffffL);
        FieldRange.require("timestampEchoReply", is(TIMESTAMPS, 10));
        NetworkOrder.putU32(segment, offset + TIMESTAMP_ECHO_REPLY, timestampEchoReply);
        return this;
    }

    /** 0 to 4 in what senders may make; more fit here if a sender errs. */
    public int sackBlockCount() {
        return kind == SACK ? dataLength() / SACK_BLOCK : 0;
    }

    /** The first sequence number of block {@code i}; 0 if there is no such block. */
    public long sackLeft(int i) {
        return i >= 0 && i < sackBlockCount() ? NetworkOrder.u32(segment, dataOffset() + (long) i * SACK_BLOCK) : 0;
    }

    /** The sequence number behind block {@code i}; 0 if there is no such block. */
    public long sackRight(int i) {
        return i >= 0 && i < sackBlockCount() ? NetworkOrder.u32(segment, dataOffset() + (long) i * SACK_BLOCK + 4) : 0;
    }

    /** Sets {@link #sackLeft(int)} of block {@code i}, 32 bits. */
    public TcpOptions sackLeft(int i, long sequenceNumber) {
        FieldRange.check("sackLeft", sequenceNumber, 0xffff_ffffL);
        FieldRange.check("sackBlock", i, sackBlockCount() - 1L);
        NetworkOrder.putU32(segment, dataOffset() + (long) i * SACK_BLOCK, sequenceNumber);
        return this;
    }

    /** Sets {@link #sackRight(int)} of block {@code i}, 32 bits. */
    public TcpOptions sackRight(int i, long sequenceNumber) {
        FieldRange.check("sackRight", sequenceNumber, 0xffff_ffffL);
        FieldRange.check("sackBlock", i, sackBlockCount() - 1L);
        NetworkOrder.putU32(segment, dataOffset() + (long) i * SACK_BLOCK + 4, sequenceNumber);
        return this;
    }

    /**
     * Puts no-operations over the option, as a middlebox does that must not let it pass; go on with {@link #next()}.
     */
    public void erase() {
        for (int i = 0; i < length; i++) {
            NetworkOrder.putU8(segment, offset + i, NO_OPERATION);
        }
        kind = NO_OPERATION;
    }

    /** The digest over the segment and a key (RFC 2385), 16 bytes: where it starts; -1 on another option. */
    public long md5DigestOffset() {
        return is(MD5_SIGNATURE, 18) ? dataOffset() : -1;
    }

    /** The key that an authenticated segment is made with (RFC 5925, 2.2). */
    public int authenticationKeyId() {
        return is(AUTHENTICATION, 4) ? NetworkOrder.u8(segment, offset + AUTHENTICATION_KEY_ID) : 0;
    }

    /** Sets {@link #authenticationKeyId()}; 0 to 255. */
    public TcpOptions authenticationKeyId(int authenticationKeyId) {
        FieldRange.require("authenticationKeyId", is(AUTHENTICATION, 4));
        FieldBits.put(segment, offset, 8 * AUTHENTICATION_KEY_ID, 8, "authenticationKeyId", authenticationKeyId);
        return this;
    }

    /** The key that the sender is ready to receive with. */
    public int authenticationNextKeyId() {
        return is(AUTHENTICATION, 4) ? NetworkOrder.u8(segment, offset + AUTHENTICATION_NEXT_KEY_ID) : 0;
    }

    /** Sets {@link #authenticationNextKeyId()}; 0 to 255. */
    public TcpOptions authenticationNextKeyId(int authenticationNextKeyId) {
        FieldRange.require("authenticationNextKeyId", is(AUTHENTICATION, 4));
        FieldBits.put(
                segment, offset, 8 * AUTHENTICATION_NEXT_KEY_ID, 8, "authenticationNextKeyId", authenticationNextKeyId);
        return this;
    }

    /** The code that authenticates a segment (RFC 5925, 2.2): where it starts; -1 on another option. */
    public long authenticationCodeOffset() {
        return is(AUTHENTICATION, 4) ? offset + AUTHENTICATION_CODE : -1;
    }

    /** The length of the code, in bytes. */
    public int authenticationCodeLength() {
        return is(AUTHENTICATION, 4) ? length - AUTHENTICATION_CODE : 0;
    }

    /** Whether a client asks for a cookie of fast open (RFC 7413, 4.1.1), and does not show one. */
    public boolean isFastOpenRequest() {
        return kind == FAST_OPEN && dataLength() == 0;
    }

    /** Bytes of a cookie of fast open: 4 to 16; it is the option's data. */
    public int fastOpenCookieLength() {
        return kind == FAST_OPEN ? dataLength() : 0;
    }

    /** How long data may remain unacknowledged (RFC 5482, 3), in seconds. */
    public int userTimeoutSeconds() {
        if (!is(USER_TIMEOUT, 4)) {
            return 0;
        }
        int bits = NetworkOrder.u16(segment, offset + TIMEOUT);
        return (bits & 0x8000) != 0 ? (bits & 0x7fff) * 60 : bits;
    }

    /** Up to 32,767 seconds, above that in whole minutes, up to 1,966,020 seconds. */
    public TcpOptions userTimeoutSeconds(int userTimeoutSeconds) {
        FieldRange.require("userTimeoutSeconds", is(USER_TIMEOUT, 4));
        NetworkOrder.putU16(segment, offset + TIMEOUT, userTimeoutBits(userTimeoutSeconds));
        return this;
    }

    /** The option's 16 bits: the first says whether the others count minutes. */
    public static int userTimeoutBits(int seconds) {
        if (seconds <= 0x7fff) {
            FieldRange.check("userTimeoutSeconds", seconds, 0x7fff);
            return seconds;
        }
        FieldRange.checkMultiple("userTimeoutSeconds", seconds, 0, 0x7fff * 60, 60);
        return 0x8000 | seconds / 60;
    }

    /**
     * What an option of multipath TCP is about (RFC 8684, 3): 0 MP_CAPABLE, 1 MP_JOIN, 2 DSS, 3 ADD_ADDR, 4
     * REMOVE_ADDR, 5 MP_PRIO, 6 MP_FAIL, 7 MP_FASTCLOSE, 8 MP_TCPRST; -1 on another option.
     */
    public int multipathSubtype() {
        return is(MULTIPATH, 3) ? NetworkOrder.u8(segment, offset + MULTIPATH_SUBTYPE) >>> 4 : -1;
    }

    /** Sets {@link #multipathSubtype()}, 0 to 15; the other fields then have another meaning. */
    public TcpOptions multipathSubtype(int multipathSubtype) {
        FieldRange.require("multipathSubtype", is(MULTIPATH, 3));
        FieldBits.put(segment, offset, 8 * MULTIPATH_SUBTYPE, 4, "multipathSubtype", multipathSubtype);
        return this;
    }

    /** The version of multipath TCP that MP_CAPABLE has. */
    public int multipathVersion() {
        return multipathSubtype() == 0 ? NetworkOrder.u8(segment, offset + MULTIPATH_SUBTYPE) & 15 : 0;
    }

    /** Sets {@link #multipathVersion()}; 0 to 15. */
    public TcpOptions multipathVersion(int multipathVersion) {
        FieldRange.require("multipathVersion", multipathSubtype() == 0);
        FieldBits.put(segment, offset, 8 * MULTIPATH_SUBTYPE + 4, 4, "multipathVersion", multipathVersion);
        return this;
    }

    /** The sender's key, 64 bits, of an MP_CAPABLE that has one. */
    public long multipathSenderKey() {
        return multipathSubtype() == 0 && length >= 12
                ? NetworkOrder.bits64(segment, offset + MULTIPATH_SENDER_KEY)
                : 0;
    }

    /** Sets {@link #multipathSenderKey()}. */
    public TcpOptions multipathSenderKey(long multipathSenderKey) {
        FieldRange.require("multipathSenderKey", multipathSubtype() == 0 && length >= 12);
        NetworkOrder.putBits64(segment, offset + MULTIPATH_SENDER_KEY, multipathSenderKey);
        return this;
    }

    /** The receiver's key, 64 bits, of an MP_CAPABLE that has one. */
    public long multipathReceiverKey() {
        return multipathSubtype() == 0 && length >= 20
                ? NetworkOrder.bits64(segment, offset + MULTIPATH_RECEIVER_KEY)
                : 0;
    }

    /** Sets {@link #multipathReceiverKey()}. */
    public TcpOptions multipathReceiverKey(long multipathReceiverKey) {
        FieldRange.require("multipathReceiverKey", multipathSubtype() == 0 && length >= 20);
        NetworkOrder.putBits64(segment, offset + MULTIPATH_RECEIVER_KEY, multipathReceiverKey);
        return this;
    }

    /** The number of the address that MP_JOIN, ADD_ADDR or MP_PRIO is about; of a REMOVE_ADDR, the first. */
    public int multipathAddressId() {
        return hasMultipathAddressId() ? NetworkOrder.u8(segment, offset + MULTIPATH_ADDRESS_ID) : 0;
    }

    /** Sets {@link #multipathAddressId()}; 0 to 255. */
    public TcpOptions multipathAddressId(int multipathAddressId) {
        FieldRange.require("multipathAddressId", hasMultipathAddressId());
        FieldBits.put(segment, offset, 8 * MULTIPATH_ADDRESS_ID, 8, "multipathAddressId", multipathAddressId);
        return this;
    }

    private boolean hasMultipathAddressId() {
        int subtype = multipathSubtype();
        return length >= 4 && (subtype == 1 || subtype == 3 || subtype == 4 || subtype == 5);
    }

    /** The receiver's token, 32 bits, of an MP_JOIN in a SYN. */
    public long multipathToken() {
        return multipathSubtype() == 1 && length == 12 ? NetworkOrder.u32(segment, offset + MULTIPATH_TOKEN) : 0;
    }

    /** Sets {@link #multipathToken()}; 0 to 4294967295. */
    public TcpOptions multipathToken(long multipathToken) {
        FieldRange.require("multipathToken", multipathSubtype() == 1 && length == 12);
        FieldBits.put(segment, offset, 8 * MULTIPATH_TOKEN, 32, "multipathToken", multipathToken);
        return this;
    }

    /**
     * The flags of a DSS: finish, data sequence number of 8 bytes, it is there, acknowledgment of 8 bytes, it is there.
     */
    public int multipathFlags() {
        return multipathSubtype() == 2 && length >= 4 ? NetworkOrder.u8(segment, offset + MULTIPATH_FLAGS) & 31 : 0;
    }

    /** Sets {@link #multipathFlags()}; 0 to 31. */
    public TcpOptions multipathFlags(int multipathFlags) {
        FieldRange.require("multipathFlags", multipathSubtype() == 2 && length >= 4);
        FieldBits.put(segment, offset, 8 * MULTIPATH_FLAGS + 3, 5, "multipathFlags", multipathFlags);
        return this;
    }

    private boolean is(int kind, int length) {
        return this.kind == kind && this.length >= length;
    }

    @Override
    public String toString() {
        return "tcp option " + kind + " of " + length + " bytes";
    }

    /** Reports the option at hand. For output. */
    void visit(FieldVisitor to) {
        switch (kind()) {
            case MAXIMUM_SEGMENT_SIZE -> to.number("maximumSegmentSize", maximumSegmentSize());
            case WINDOW_SCALE -> to.number("windowScale", windowScale());
            case SACK_PERMITTED -> to.flag("sackPermitted", true);
            case SACK -> to.text("sack", sackText());
            case TIMESTAMPS -> {
                to.number("timestampValue", timestampValue());
                to.number("timestampEchoReply", timestampEchoReply());
            }
            case USER_TIMEOUT -> to.number("userTimeout", userTimeoutSeconds());
            case AUTHENTICATION -> {
                to.number("authenticationKeyId", authenticationKeyId());
                to.number("authenticationNextKeyId", authenticationNextKeyId());
                visitData("authentication", to);
            }
            case FAST_OPEN -> visitFastOpen(to);
            case MULTIPATH -> visitMultipath(to);
            default -> visitData(md5DigestOffset() >= 0 ? "md5Digest" : "option" + kind(), to);
        }
    }

    private void visitData(String name, FieldVisitor to) {
        to.bytes(name, segment, dataOffset(), dataLength());
    }

    private String sackText() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sackBlockCount(); i++) {
            text.append(i == 0 ? "" : " ").append(sackLeft(i)).append('-').append(sackRight(i));
        }
        return text.toString();
    }

    private void visitFastOpen(FieldVisitor to) {
        if (isFastOpenRequest()) {
            to.flag("fastOpenRequest", true);
        } else {
            visitData("fastOpenCookie", to);
        }
    }

    private void visitMultipath(FieldVisitor to) {
        int subtype = multipathSubtype();
        if (subtype >= 0) {
            to.number("multipathSubtype", subtype);
        }
        if (subtype == 1 || subtype == 3) {
            to.number("multipathAddressId", multipathAddressId());
        }
        if (multipathToken() != 0) {
            to.number("multipathToken", multipathToken());
        }
        visitData("multipath", to);
    }
}
