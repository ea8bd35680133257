package io.offhook.packet.write;

import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.transport.TcpOptions;
import io.offhook.packet.transport.TcpView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes the options of a TCP header one after the other; {@link #end} returns to the packet.
 *
 * <pre>{@code
 * writer.tcp(40000, 5060, 1, 0, TcpView.SYN)
 *         .options().maximumSegmentSize(1460).sackPermitted().windowScale(7).end()
 *         .payload(bytes);
 * }</pre>
 *
 * <p>A header has room for 40 bytes of options. They are padded with zeros (end of list) to a multiple of four bytes.
 * It belongs to its {@link PacketWriter} and is used by the same thread.
 */
public final class TcpOptionWriter {
    private static final int MAX_LENGTH = 40;
    private static final int DATA_OFFSET = 12;

    private final PacketWriter writer;
    private final WrittenPacket packet;
    private long header;
    private int length;
    private int lastSack;

    TcpOptionWriter(PacketWriter writer, WrittenPacket packet) {
        this.writer = writer;
        this.packet = packet;
    }

    void begin() {
        header = packet.last(WrittenLayer.TCP, "options");
        if (packet.lengthFrom(header) != TcpView.MIN_LENGTH) {
            throw new IllegalStateException("options: something else follows the TCP header already");
        }
        length = 0;
        lastSack = -1;
    }

    /**
     * The maximum segment size that the sender accepts.
     *
     * @param bytes 0 to 65535 (RFC 9293, 3.7.1)
     */
    public TcpOptionWriter maximumSegmentSize(int bytes) {
        FieldRange.check("maximumSegmentSize", bytes, 0xffff);
        NetworkOrder.putU16(packet.segment, start(TcpOptions.MAXIMUM_SEGMENT_SIZE, 4), bytes);
        return this;
    }

    /**
     * The window scale.
     *
     * @param shift 0 to 14 (RFC 7323, 2.3)
     */
    public TcpOptionWriter windowScale(int shift) {
        FieldRange.check("windowScale", shift, 14);
        NetworkOrder.putU8(packet.segment, start(TcpOptions.WINDOW_SCALE, 3), shift);
        return this;
    }

    /** RFC 2018, 2. */
    public TcpOptionWriter sackPermitted() {
        start(TcpOptions.SACK_PERMITTED, 2);
        return this;
    }

    /**
     * A block that was received (RFC 2018, 3). Consecutive blocks form a single option.
     *
     * @param left the first sequence number of the block, 32 bits
     * @param right the sequence number after its last byte, 32 bits
     */
    public TcpOptionWriter sack(long left, long right) {
        FieldRange.check("sackLeft", left, 0xffff_ffffL);
        FieldRange.check("sackRight", right, 0xffff_ffffL);
        boolean isFirst = lastSack < 0;
        int option = isFirst ? length : lastSack;
        long data = isFirst ? start(TcpOptions.SACK, 10) : take(8);
        NetworkOrder.putU32(packet.segment, data, left);
        NetworkOrder.putU32(packet.segment, data + 4, right);
        NetworkOrder.putU8(packet.segment, at(option) + 1, length - option);
        lastSack = option;
        return this;
    }

    /**
     * Timestamps (RFC 7323, 3.2).
     *
     * @param value the sender's clock, 32 bits
     * @param echoReply the other side's, as last seen, 32 bits
     */
    public TcpOptionWriter timestamps(long value, long echoReply) {
        FieldRange.check("timestampValue", value, 0xffff_ffffL);
        FieldRange.check("timestampEchoReply", echoReply, 0xffff_ffffL);
        long data = start(TcpOptions.TIMESTAMPS, 10);
        NetworkOrder.putU32(packet.segment, data, value);
        NetworkOrder.putU32(packet.segment, data + 4, echoReply);
        return this;
    }

    /**
     * The digest over segment and key (RFC 2385, 3). The caller computes it, with a checksum of 0.
     *
     * @param digest 16 bytes
     */
    public TcpOptionWriter md5Signature(byte[] digest) {
        FieldRange.check("md5Digest.length", digest.length, 16, 16);
        return option(TcpOptions.MD5_SIGNATURE, digest);
    }

    /**
     * Authentication by a shared key (RFC 5925, 2.2); the caller computes the code.
     *
     * @param keyId the key that the segment is authenticated with, 0 to 255
     * @param nextKeyId the key that the sender is ready to receive with, 0 to 255
     * @param code 0 to 36 bytes
     */
    public TcpOptionWriter authentication(int keyId, int nextKeyId, byte[] code) {
        FieldRange.check("authenticationKeyId", keyId, 0xff);
        FieldRange.check("authenticationNextKeyId", nextKeyId, 0xff);
        FieldRange.check("authenticationCode.length", code.length, MAX_LENGTH - 4);
        long data = start(TcpOptions.AUTHENTICATION, 4 + code.length);
        NetworkOrder.putU16(packet.segment, data, keyId << 8 | nextKeyId);
        MemorySegment.copy(code, 0, packet.segment, ValueLayout.JAVA_BYTE, data + 2, code.length);
        return this;
    }

    /**
     * A cookie of fast open (RFC 7413, 4.1.1).
     *
     * @param cookie 4 to 16 bytes, an even number; empty to request a cookie
     */
    public TcpOptionWriter fastOpen(byte[] cookie) {
        if (cookie.length != 0) {
            FieldRange.checkMultiple("fastOpenCookie.length", cookie.length, 4, 16, 2);
        }
        return option(TcpOptions.FAST_OPEN, cookie);
    }

    /**
     * The time that data may remain unacknowledged (RFC 5482, 3).
     *
     * @param seconds up to 32,767, above that in whole minutes, up to 1,966,020
     */
    public TcpOptionWriter userTimeout(int seconds) {
        int bits = TcpOptions.userTimeoutBits(seconds);
        NetworkOrder.putU16(packet.segment, start(TcpOptions.USER_TIMEOUT, 4), bits);
        return this;
    }

    /**
     * Multipath TCP (RFC 8684, 3).
     *
     * @param subtype as in {@link TcpOptions#multipathSubtype()}
     * @param bits the four bits after it: a version, or flags
     * @param rest the rest of an option of that subtype, 0 to 37 bytes
     */
    public TcpOptionWriter multipath(int subtype, int bits, byte[] rest) {
        FieldRange.check("multipathSubtype", subtype, 15);
        FieldRange.check("multipathBits", bits, 15);
        FieldRange.check("multipath.length", rest.length, MAX_LENGTH - 3);
        long data = start(TcpOptions.MULTIPATH, 3 + rest.length);
        NetworkOrder.putU8(packet.segment, data, subtype << 4 | bits);
        MemorySegment.copy(rest, 0, packet.segment, ValueLayout.JAVA_BYTE, data + 1, rest.length);
        return this;
    }

    /** A byte of padding, to align the next option. */
    public TcpOptionWriter noOperation() {
        NetworkOrder.putU8(packet.segment, take(1), TcpOptions.NO_OPERATION);
        lastSack = -1;
        return this;
    }

    /** Any other option; {@code kind} is 2 to 255. */
    public TcpOptionWriter option(int kind, byte[] data) {
        FieldRange.check("kind", kind, 2, 0xff);
        FieldRange.check("data.length", data.length, MAX_LENGTH - 2);
        long at = start(kind, 2 + data.length);
        MemorySegment.copy(data, 0, packet.segment, ValueLayout.JAVA_BYTE, at, data.length);
        return this;
    }

    /** Returns to the packet. */
    public PacketWriter end() {
        return writer;
    }

    /** Writes kind and length; returns the offset of the data. */
    private long start(int kind, int optionLength) {
        long at = take(optionLength);
        NetworkOrder.putU8(packet.segment, at, kind);
        NetworkOrder.putU8(packet.segment, at + 1, optionLength);
        lastSack = -1;
        return at + 2;
    }

    /** Reserves bytes of options and zeros up to a multiple of four; returns their offset. */
    private long take(int bytes) {
        int taken = length + 3 & ~3;
        if (packet.last(WrittenLayer.TCP, "options") != header
                || packet.lengthFrom(header) != TcpView.MIN_LENGTH + taken) {
            throw new IllegalStateException("options: something else follows the TCP header already");
        }
        FieldRange.check("options.length", length + bytes, MAX_LENGTH);
        long at = at(length);
        length += bytes;
        int more = (length + 3 & ~3) - taken;
        long added = packet.room("options", more);
        for (int i = 0; i < more; i++) {
            NetworkOrder.putU8(packet.segment, added + i, 0);
        }
        int flags = NetworkOrder.u8(packet.segment, header + DATA_OFFSET) & 15;
        NetworkOrder.putU8(packet.segment, header + DATA_OFFSET, packet.lengthFrom(header) << 2 | flags);
        return at;
    }

    private long at(int option) {
        return header + TcpView.MIN_LENGTH + option;
    }
}
