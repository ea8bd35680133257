package io.offhook.packet.transport;

import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.TypedElements;

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
 */
public final class TcpOptions extends TypedElements<TcpOptions> {
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

    // where fields are, from the start of the data
    private static final int SEGMENT_SIZE = 0;
    private static final int SHIFT = 0;
    private static final int SACK_LEFT = 0;
    private static final int SACK_RIGHT = 4;
    private static final int TIMESTAMP_VALUE = 0;
    private static final int TIMESTAMP_ECHO_REPLY = 4;
    private static final int MD5_DIGEST_LENGTH = 16;
    private static final int AUTHENTICATION_KEY_ID = 0;
    private static final int AUTHENTICATION_NEXT_KEY_ID = 1;
    private static final int AUTHENTICATION_CODE = 2;
    private static final int TIMEOUT = 0;
    private static final int MULTIPATH_SUBTYPE = 0;
    private static final int MULTIPATH_ADDRESS_ID = 1;
    private static final int MULTIPATH_FLAGS = 1;
    private static final int MULTIPATH_SENDER_KEY = 2;
    private static final int MULTIPATH_TOKEN = 2;
    private static final int MULTIPATH_RECEIVER_KEY = 10;

    // subtypes of multipath TCP (RFC 8684, 8.2)
    private static final int MP_CAPABLE = 0;
    private static final int MP_JOIN = 1;
    private static final int DSS = 2;
    private static final int ADD_ADDR = 3;
    private static final int REMOVE_ADDR = 4;
    private static final int MP_PRIO = 5;

    /** The lengths of an MP_JOIN in a SYN and in the ACK that ends the handshake, in bytes. */
    private static final int JOIN_SYN_LENGTH = 12;

    private static final int JOIN_ACK_LENGTH = 24;

    /** Creates an iterator; call {@code wrap} before {@code next}. */
    public TcpOptions() {
        super(TypeLengthValues.Form.IPV4_OPTIONS);
    }

    /** 0 before the first option and after the last. */
    public int kind() {
        return (int) list.type();
    }

    /** Where the option's data starts, behind kind and length. */
    public long dataOffset() {
        return list.valueOffset();
    }

    /** The length of the option's data, in bytes. */
    public int dataLength() {
        return list.valueLength();
    }

    /** The maximum segment size, in bytes. */
    public int maximumSegmentSize() {
        return kind() == MAXIMUM_SEGMENT_SIZE ? list.u16(SEGMENT_SIZE) : 0;
    }

    /** Sets {@link #maximumSegmentSize()}; 0 to 65535. */
    public TcpOptions maximumSegmentSize(int maximumSegmentSize) {
        return put("maximumSegmentSize", kind() == MAXIMUM_SEGMENT_SIZE, SEGMENT_SIZE, 0, 16, maximumSegmentSize);
    }

    /** Bits to shift the window by; above 14 the sender errs (RFC 7323, 2.3). */
    public int windowScale() {
        return kind() == WINDOW_SCALE ? list.u8(SHIFT) : 0;
    }

    /** Sets {@link #windowScale()}; 0 to 14. */
    public TcpOptions windowScale(int windowScale) {
        FieldRange.check("windowScale", windowScale, 14);
        return put("windowScale", kind() == WINDOW_SCALE, SHIFT, 0, 8, windowScale);
    }

    /** The sender's clock, 32 bits. */
    public long timestampValue() {
        return kind() == TIMESTAMPS ? list.u32(TIMESTAMP_VALUE) : 0;
    }

    /** Sets {@link #timestampValue()}; 0 to 4294967295. */
    public TcpOptions timestampValue(long timestampValue) {
        return put("timestampValue", kind() == TIMESTAMPS, TIMESTAMP_VALUE, 0, 32, timestampValue);
    }

    /** The other side's clock, as it was received last, 32 bits. */
    public long timestampEchoReply() {
        return kind() == TIMESTAMPS ? list.u32(TIMESTAMP_ECHO_REPLY) : 0;
    }

    /** Sets {@link #timestampEchoReply()}; 0 to 4294967295. */
    public TcpOptions timestampEchoReply(long timestampEchoReply) {
        return put("timestampEchoReply", kind() == TIMESTAMPS, TIMESTAMP_ECHO_REPLY, 0, 32, timestampEchoReply);
    }

    /** 0 to 4 in what senders may make; more fit here if a sender errs. */
    public int sackBlockCount() {
        return kind() == SACK ? dataLength() / SACK_BLOCK : 0;
    }

    /** The first sequence number of block {@code i}; 0 if there is no such block. */
    public long sackLeft(int i) {
        return i >= 0 && i < sackBlockCount() ? list.u32(SACK_BLOCK * i + SACK_LEFT) : 0;
    }

    /** The sequence number behind block {@code i}; 0 if there is no such block. */
    public long sackRight(int i) {
        return i >= 0 && i < sackBlockCount() ? list.u32(SACK_BLOCK * i + SACK_RIGHT) : 0;
    }

    /** Sets {@link #sackLeft(int)} of block {@code i}, 32 bits. */
    public TcpOptions sackLeft(int i, long sequenceNumber) {
        FieldRange.check("sackBlock", i, sackBlockCount() - 1L);
        return put("sackLeft", true, SACK_BLOCK * i + SACK_LEFT, 0, 32, sequenceNumber);
    }

    /** Sets {@link #sackRight(int)} of block {@code i}, 32 bits. */
    public TcpOptions sackRight(int i, long sequenceNumber) {
        FieldRange.check("sackBlock", i, sackBlockCount() - 1L);
        return put("sackRight", true, SACK_BLOCK * i + SACK_RIGHT, 0, 32, sequenceNumber);
    }

    /**
     * Puts no-operations over the option, as a middlebox does that must not let it pass; go on with {@link #next()}.
     */
    public void erase() {
        list.fill(NO_OPERATION);
    }

    /** The digest over the segment and a key (RFC 2385), 16 bytes: where it starts; -1 on another option. */
    public long md5DigestOffset() {
        return kind() == MD5_SIGNATURE && dataLength() >= MD5_DIGEST_LENGTH ? dataOffset() : -1;
    }

    /** The key that an authenticated segment is made with (RFC 5925, 2.2). */
    public int authenticationKeyId() {
        return kind() == AUTHENTICATION ? list.u8(AUTHENTICATION_KEY_ID) : 0;
    }

    /** Sets {@link #authenticationKeyId()}; 0 to 255. */
    public TcpOptions authenticationKeyId(int authenticationKeyId) {
        return put("authenticationKeyId", kind() == AUTHENTICATION, AUTHENTICATION_KEY_ID, 0, 8, authenticationKeyId);
    }

    /** The key that the sender is ready to receive with. */
    public int authenticationNextKeyId() {
        return kind() == AUTHENTICATION ? list.u8(AUTHENTICATION_NEXT_KEY_ID) : 0;
    }

    /** Sets {@link #authenticationNextKeyId()}; 0 to 255. */
    public TcpOptions authenticationNextKeyId(int authenticationNextKeyId) {
        return put(
                "authenticationNextKeyId",
                kind() == AUTHENTICATION,
                AUTHENTICATION_NEXT_KEY_ID,
                0,
                8,
                authenticationNextKeyId);
    }

    /** The code that authenticates a segment (RFC 5925, 2.2): where it starts; -1 on another option. */
    public long authenticationCodeOffset() {
        return hasAuthentication() ? dataOffset() + AUTHENTICATION_CODE : -1;
    }

    /** The length of the code, in bytes. */
    public int authenticationCodeLength() {
        return hasAuthentication() ? dataLength() - AUTHENTICATION_CODE : 0;
    }

    private boolean hasAuthentication() {
        return kind() == AUTHENTICATION && dataLength() >= AUTHENTICATION_CODE;
    }

    /** Whether a client asks for a cookie of fast open (RFC 7413, 4.1.1), and does not show one. */
    public boolean isFastOpenRequest() {
        return kind() == FAST_OPEN && dataLength() == 0;
    }

    /** Bytes of a cookie of fast open: 4 to 16; it is the option's data. */
    public int fastOpenCookieLength() {
        return kind() == FAST_OPEN ? dataLength() : 0;
    }

    /** How long data may remain unacknowledged (RFC 5482, 3), in seconds. */
    public int userTimeoutSeconds() {
        int bits = kind() == USER_TIMEOUT ? list.u16(TIMEOUT) : 0;
        return (bits & 0x8000) != 0 ? (bits & 0x7fff) * 60 : bits;
    }

    /** Up to 32,767 seconds, above that in whole minutes, up to 1,966,020 seconds. */
    public TcpOptions userTimeoutSeconds(int userTimeoutSeconds) {
        return put("userTimeoutSeconds", kind() == USER_TIMEOUT, TIMEOUT, 0, 16, userTimeoutBits(userTimeoutSeconds));
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
        return kind() == MULTIPATH && dataLength() > MULTIPATH_SUBTYPE ? list.u8(MULTIPATH_SUBTYPE) >>> 4 : -1;
    }

    /** Sets {@link #multipathSubtype()}, 0 to 15; the other fields then have another meaning. */
    public TcpOptions multipathSubtype(int multipathSubtype) {
        return put("multipathSubtype", kind() == MULTIPATH, MULTIPATH_SUBTYPE, 0, 4, multipathSubtype);
    }

    /** The version of multipath TCP that MP_CAPABLE has. */
    public int multipathVersion() {
        return multipathSubtype() == MP_CAPABLE ? list.u8(MULTIPATH_SUBTYPE) & 15 : 0;
    }

    /** Sets {@link #multipathVersion()}; 0 to 15. */
    public TcpOptions multipathVersion(int multipathVersion) {
        return put("multipathVersion", multipathSubtype() == MP_CAPABLE, MULTIPATH_SUBTYPE, 4, 4, multipathVersion);
    }

    /** The sender's key, 64 bits, of an MP_CAPABLE that has one. */
    public long multipathSenderKey() {
        return multipathSubtype() == MP_CAPABLE ? list.bits64(MULTIPATH_SENDER_KEY) : 0;
    }

    /** Sets {@link #multipathSenderKey()}. */
    public TcpOptions multipathSenderKey(long multipathSenderKey) {
        return put(
                "multipathSenderKey",
                multipathSubtype() == MP_CAPABLE,
                MULTIPATH_SENDER_KEY,
                0,
                64,
                multipathSenderKey);
    }

    /** The receiver's key, 64 bits, of an MP_CAPABLE that has one. */
    public long multipathReceiverKey() {
        return multipathSubtype() == MP_CAPABLE ? list.bits64(MULTIPATH_RECEIVER_KEY) : 0;
    }

    /** Sets {@link #multipathReceiverKey()}. */
    public TcpOptions multipathReceiverKey(long multipathReceiverKey) {
        return put(
                "multipathReceiverKey",
                multipathSubtype() == MP_CAPABLE,
                MULTIPATH_RECEIVER_KEY,
                0,
                64,
                multipathReceiverKey);
    }

    /** The number of the address that MP_JOIN, ADD_ADDR or MP_PRIO is about; of a REMOVE_ADDR, the first. */
    public int multipathAddressId() {
        return hasMultipathAddressId() ? list.u8(MULTIPATH_ADDRESS_ID) : 0;
    }

    /** Sets {@link #multipathAddressId()}; 0 to 255. */
    public TcpOptions multipathAddressId(int multipathAddressId) {
        return put("multipathAddressId", hasMultipathAddressId(), MULTIPATH_ADDRESS_ID, 0, 8, multipathAddressId);
    }

    private boolean hasMultipathAddressId() {
        return switch (multipathSubtype()) {
            case MP_JOIN -> length() != JOIN_ACK_LENGTH;
            case ADD_ADDR, REMOVE_ADDR, MP_PRIO -> true;
            default -> false;
        };
    }

    /** The receiver's token, 32 bits, of an MP_JOIN in a SYN. */
    public long multipathToken() {
        return isJoinSyn() ? list.u32(MULTIPATH_TOKEN) : 0;
    }

    /** Sets {@link #multipathToken()}; 0 to 4294967295. */
    public TcpOptions multipathToken(long multipathToken) {
        return put("multipathToken", isJoinSyn(), MULTIPATH_TOKEN, 0, 32, multipathToken);
    }

    private boolean isJoinSyn() {
        return multipathSubtype() == MP_JOIN && length() == JOIN_SYN_LENGTH;
    }

    /**
     * The flags of a DSS: finish, data sequence number of 8 bytes, it is there, acknowledgment of 8 bytes, it is there.
     */
    public int multipathFlags() {
        return multipathSubtype() == DSS ? list.u8(MULTIPATH_FLAGS) & 31 : 0;
    }

    /** Sets {@link #multipathFlags()}; 0 to 31. */
    public TcpOptions multipathFlags(int multipathFlags) {
        return put("multipathFlags", multipathSubtype() == DSS, MULTIPATH_FLAGS, 3, 5, multipathFlags);
    }

    @Override
    public String toString() {
        return "tcp option " + kind() + " of " + length() + " bytes";
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
        list.bytes(name, to);
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
        if (subtype == MP_JOIN || subtype == ADD_ADDR) {
            to.number("multipathAddressId", multipathAddressId());
        }
        if (multipathToken() != 0) {
            to.number("multipathToken", multipathToken());
        }
        visitData("multipath", to);
    }
}
