package io.offhook.pcap.file;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Builds classic pcap files of any form, sound or not, independently of {@link PcapWriter}. */
public final class PcapBytes {
    public static final int MICROSECONDS = 0xa1b2c3d4;
    public static final int NANOSECONDS = 0xa1b23c4d;
    public static final int MODIFIED = 0xa1b2cd34;
    public static final int IXIA_HARDWARE = 0x1c0001ac;
    public static final int IXIA_SOFTWARE = 0x1c0001ab;

    private final ByteOrder order;
    private final int magic;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public PcapBytes(ByteOrder order, int magic) {
        this.order = order;
        this.magic = magic;
    }

    public static PcapBytes of(ByteOrder order, int magic) {
        return new PcapBytes(order, magic).header(2, 4, 65535, 1);
    }

    public static PcapBytes plain() {
        return of(ByteOrder.LITTLE_ENDIAN, MICROSECONDS);
    }

    public PcapBytes header(int major, int minor, int snapLength, int network) {
        u32(magic).u16(major).u16(minor).u32(0).u32(0).u32(snapLength).u32(network);
        return magic == IXIA_HARDWARE || magic == IXIA_SOFTWARE ? u32(0) : this;
    }

    public PcapBytes record(long seconds, long fraction, byte[] packet, int wireLength) {
        recordHeader(seconds, fraction, packet.length, wireLength);
        bytes.writeBytes(packet);
        return this;
    }

    public PcapBytes record(long seconds, long fraction, int length) {
        return record(seconds, fraction, packet(length), length);
    }

    public PcapBytes recordHeader(long seconds, long fraction, int captured, int wireLength) {
        u32((int) seconds).u32((int) fraction).u32(captured).u32(wireLength);
        return magic == MODIFIED ? u32(7).u16(0x800).u16(0) : this;
    }

    /** Bytes that tell a packet from one of another length, and where in it one is. */
    public static byte[] packet(int length) {
        byte[] packet = new byte[length];
        for (int i = 0; i < length; i++) {
            packet[i] = (byte) (length * 31 + i);
        }
        return packet;
    }

    public int size() {
        return bytes.size();
    }

    public byte[] toBytes() {
        return bytes.toByteArray();
    }

    private PcapBytes u16(int value) {
        bytes.writeBytes(
                ByteBuffer.allocate(2).order(order).putShort((short) value).array());
        return this;
    }

    private PcapBytes u32(int value) {
        bytes.writeBytes(ByteBuffer.allocate(4).order(order).putInt(value).array());
        return this;
    }
}
