package io.offhook.pcap;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds pcapng files of any form, sound or not, independently of {@link PcapNgWriter}. */
final class PcapNgBytes {
    private ByteOrder order;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    PcapNgBytes(ByteOrder order) {
        this.order = order;
    }

    /** A file with a section, to which interfaces and packets are added. */
    static PcapNgBytes of(ByteOrder order) {
        return new PcapNgBytes(order).section(1, 0);
    }

    static PcapNgBytes plain() {
        return of(ByteOrder.LITTLE_ENDIAN);
    }

    PcapNgBytes section(ByteOrder order) {
        this.order = order;
        return section(1, 0);
    }

    PcapNgBytes section(int major, int minor, byte[]... options) {
        Body body = body().u32(0x1a2b3c4d).u16(major).u16(minor).u64(-1);
        for (byte[] option : options) {
            body.put(option);
        }
        return block(0x0a0d0d0a, body);
    }

    PcapNgBytes describe(int linkType, int snapLength, byte[]... options) {
        Body body = body().u16(linkType).u16(0).u32(snapLength);
        for (byte[] option : options) {
            body.put(option);
        }
        return block(1, body);
    }

    PcapNgBytes enhanced(int interfaceId, long units, byte[] packet, int wireLength) {
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

    PcapNgBytes enhanced(int interfaceId, long units, int length) {
        return enhanced(interfaceId, units, PcapBytes.packet(length), length);
    }

    /** A packet of 10 bytes with options. */
    PcapNgBytes enhancedWith(int interfaceId, long units, byte[]... options) {
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

    PcapNgBytes statistics(int interfaceId, byte[]... options) {
        Body body = body().u32(interfaceId).u32(0).u32(0);
        for (byte[] option : options) {
            body.put(option);
        }
        return block(5, body);
    }

    /** An option of 64 bits. */
    byte[] counter(int code, long value) {
        return option(code, body().u64(value).toBytes());
    }

    PcapNgBytes obsolete(int interfaceId, long units, byte[] packet, int wireLength) {
        return obsolete(interfaceId, 3, units, packet, wireLength);
    }

    PcapNgBytes obsolete(int interfaceId, int drops, long units, byte[] packet, int wireLength) {
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

    PcapNgBytes simple(byte[] packet, int wireLength) {
        return block(3, body().u32(wireLength).put(packet).pad());
    }

    PcapNgBytes block(int type, Body body) {
        int length = body.size() + 12;
        return raw(type, length, body, length);
    }

    /** A block with lengths of one's own. */
    PcapNgBytes raw(int type, int length, Body body, int trailer) {
        Body whole = body().u32(type).u32(length).put(body.toBytes()).u32(trailer);
        bytes.writeBytes(whole.toBytes());
        return this;
    }

    byte[] option(int code, byte[] value) {
        return body().u16(code).u16(value.length).put(value).pad().toBytes();
    }

    byte[] resolution(int value) {
        return option(9, new byte[] {(byte) value});
    }

    byte[] offset(long seconds) {
        return option(14, body().u64(seconds).toBytes());
    }

    byte[] name(String name) {
        return option(2, name.getBytes(StandardCharsets.UTF_8));
    }

    byte[] endOfOptions() {
        return body().u32(0).toBytes();
    }

    Body body() {
        return new Body(order);
    }

    int size() {
        return bytes.size();
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    /** What stands between the lengths of a block. */
    static final class Body {
        private final ByteOrder order;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private Body(ByteOrder order) {
            this.order = order;
        }

        Body u16(int value) {
            return put(
                    ByteBuffer.allocate(2).order(order).putShort((short) value).array());
        }

        Body u32(int value) {
            return put(ByteBuffer.allocate(4).order(order).putInt(value).array());
        }

        Body u64(long value) {
            return put(ByteBuffer.allocate(8).order(order).putLong(value).array());
        }

        Body put(byte[] value) {
            bytes.writeBytes(value);
            return this;
        }

        Body pad() {
            while (bytes.size() % 4 != 0) {
                bytes.write(0);
            }
            return this;
        }

        int size() {
            return bytes.size();
        }

        byte[] toBytes() {
            return bytes.toByteArray();
        }
    }
}
