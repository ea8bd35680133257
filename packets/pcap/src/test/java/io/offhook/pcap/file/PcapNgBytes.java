package io.offhook.pcap.file;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds pcapng files of any form, sound or not, independently of {@link PcapNgWriter}. */
public final class PcapNgBytes {
    private ByteOrder order;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public PcapNgBytes(ByteOrder order) {
        this.order = order;
    }

    /** A file with a section, to which interfaces and packets are added. */
    public static PcapNgBytes of(ByteOrder order) {
        return new PcapNgBytes(order).section(1, 0);
    }

    public static PcapNgBytes plain() {
        return of(ByteOrder.LITTLE_ENDIAN);
    }

    public PcapNgBytes section(ByteOrder order) {
        this.order = order;
        return section(1, 0);
    }

    public PcapNgBytes section(int major, int minor, byte[]... options) {
        Body body = body().u32(0x1a2b3c4d).u16(major).u16(minor).u64(-1);
        for (byte[] option : options) {
            body.put(option);
        }
        return block(0x0a0d0d0a, body);
    }

    public PcapNgBytes describe(int linkType, int snapLength, byte[]... options) {
        Body body = body().u16(linkType).u16(0).u32(snapLength);
        for (byte[] option : options) {
            body.put(option);
        }
        return block(1, body);
    }

    public PcapNgBytes enhanced(int interfaceId, long units, byte[] packet, int wireLength) {
        return block(
                6,
                body().u32(interfaceId)
                        .u32((int) (units >>> 32))
                        .u32((int) units)
                        .u32(packet.length)
                        .u32(wireLength)
                        .put(packet)
                        .pad());
    }

    public PcapNgBytes enhanced(int interfaceId, long units, int length) {
        return enhanced(interfaceId, units, PcapBytes.packet(length), length);
    }

    /** A packet of 10 bytes with options. */
    public PcapNgBytes enhancedWith(int interfaceId, long units, byte[]... options) {
        Body body = body().u32(interfaceId)
                .u32((int) (units >>> 32))
                .u32((int) units)
                .u32(10)
                .u32(10)
                .put(PcapBytes.packet(10))
                .pad();
        for (byte[] option : options) {
            body.put(option);
        }
        return block(6, body);
    }

    public PcapNgBytes statistics(int interfaceId, byte[]... options) {
        Body body = body().u32(interfaceId).u32(0).u32(0);
        for (byte[] option : options) {
            body.put(option);
        }
        return block(5, body);
    }

    /** An option of 64 bits. */
    public byte[] counter(int code, long value) {
        return option(code, body().u64(value).toBytes());
    }

    public PcapNgBytes obsolete(int interfaceId, long units, byte[] packet, int wireLength) {
        return obsolete(interfaceId, 3, units, packet, wireLength);
    }

    public PcapNgBytes obsolete(int interfaceId, int drops, long units, byte[] packet, int wireLength) {
        return block(
                2,
                body().u16(interfaceId)
                        .u16(drops)
                        .u32((int) (units >>> 32))
                        .u32((int) units)
                        .u32(packet.length)
                        .u32(wireLength)
                        .put(packet)
                        .pad());
    }

    public PcapNgBytes simple(byte[] packet, int wireLength) {
        return block(3, body().u32(wireLength).put(packet).pad());
    }

    public PcapNgBytes block(int type, Body body) {
        int length = body.size() + 12;
        return raw(type, length, body, length);
    }

    /** A block with lengths of one's own. */
    public PcapNgBytes raw(int type, int length, Body body, int trailer) {
        Body whole = body().u32(type).u32(length).put(body.toBytes()).u32(trailer);
        bytes.writeBytes(whole.toBytes());
        return this;
    }

    public byte[] option(int code, byte[] value) {
        return body().u16(code).u16(value.length).put(value).pad().toBytes();
    }

    public byte[] resolution(int value) {
        return option(9, new byte[] {(byte) value});
    }

    public byte[] offset(long seconds) {
        return option(14, body().u64(seconds).toBytes());
    }

    public byte[] name(String name) {
        return option(2, name.getBytes(StandardCharsets.UTF_8));
    }

    public byte[] endOfOptions() {
        return body().u32(0).toBytes();
    }

    public Body body() {
        return new Body(order);
    }

    public int size() {
        return bytes.size();
    }

    public byte[] toBytes() {
        return bytes.toByteArray();
    }

    /** What stands between the lengths of a block. */
    public static final class Body {
        private final ByteOrder order;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private Body(ByteOrder order) {
            this.order = order;
        }

        public Body u16(int value) {
            return put(
                    ByteBuffer.allocate(2).order(order).putShort((short) value).array());
        }

        public Body u32(int value) {
            return put(ByteBuffer.allocate(4).order(order).putInt(value).array());
        }

        public Body u64(long value) {
            return put(ByteBuffer.allocate(8).order(order).putLong(value).array());
        }

        public Body put(byte[] value) {
            bytes.writeBytes(value);
            return this;
        }

        public Body pad() {
            while (bytes.size() % 4 != 0) {
                bytes.write(0);
            }
            return this;
        }

        int size() {
            return bytes.size();
        }

        public byte[] toBytes() {
            return bytes.toByteArray();
        }
    }
}
