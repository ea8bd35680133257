package io.offhook.testkit.traffic;

/** Writes RTP packets (RFC 3550 section 5.1), with all that a header can have. Mutable; reused for packet after packet. */
public final class RtpPacket {
    private int payloadType;
    private boolean marker;
    private int sequence;
    private long timestamp;
    private long ssrc;
    private long[] contributors = {};
    private int extensionProfile = -1;
    private byte[] extension = {};
    private int padding;

    public RtpPacket() {}

    public RtpPacket payloadType(int value) {
        payloadType = value;
        return this;
    }

    public RtpPacket marker(boolean set) {
        marker = set;
        return this;
    }

    /** The low 16 bits are written. */
    public RtpPacket sequence(long value) {
        sequence = (int) value & 0xffff;
        return this;
    }

    /** The low 32 bits are written. */
    public RtpPacket timestamp(long value) {
        timestamp = value & 0xffff_ffffL;
        return this;
    }

    public RtpPacket ssrc(long value) {
        ssrc = value;
        return this;
    }

    /** At most 15. */
    public RtpPacket contributors(long... ssrcs) {
        contributors = ssrcs.clone();
        return this;
    }

    /** A header extension: 0xBEDE for one-byte elements (RFC 8285). The body is padded to a multiple of four. */
    public RtpPacket extension(int profile, byte... body) {
        extensionProfile = profile;
        extension = new Octets().bytes(body).padTo(4).toArray();
        return this;
    }

    /** Padding bytes at the end, the last of which counts them; 0 for none. */
    public RtpPacket padding(int bytes) {
        padding = bytes;
        return this;
    }

    public byte[] bytes(byte[] payload) {
        Octets packet = new Octets()
                .u8(0x80 | (padding > 0 ? 0x20 : 0) | (extensionProfile >= 0 ? 0x10 : 0) | contributors.length)
                .u8((marker ? 0x80 : 0) | payloadType)
                .u16(sequence)
                .u32(timestamp)
                .u32(ssrc);
        for (long contributor : contributors) {
            packet.u32(contributor);
        }
        if (extensionProfile >= 0) {
            packet.u16(extensionProfile).u16(extension.length / 4).bytes(extension);
        }
        packet.bytes(payload);
        if (padding > 0) {
            packet.zeros(padding - 1).u8(padding);
        }
        return packet.toArray();
    }

    /** The payload of a telephone event (RFC 4733 section 2.3), volume -10 dBm0. */
    public static byte[] telephoneEvent(int event, boolean end, int duration) {
        return new Octets()
                .u8(event)
                .u8((end ? 0x80 : 0) | 10)
                .u16(Math.min(duration, 0xffff))
                .toArray();
    }

    /** The event number of a key: 0 to 9, *, #, A to D. */
    public static int eventOf(char key) {
        int event = "0123456789*#ABCD".indexOf(key);
        if (event < 0) {
            throw new IllegalArgumentException("'" + key + "' is not a telephone key");
        }
        return event;
    }
}
