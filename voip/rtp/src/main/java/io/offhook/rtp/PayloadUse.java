package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/** One payload type of a stream: its codec, if known, and the number of its packets. */
final class PayloadUse {
    /** How the statistics treat its packets. */
    enum Kind {
        /** Media with a known clock. */
        TIMED,
        /** Events (RFC 4733), whose timestamps do not advance: excluded from jitter. */
        EVENT,
        /** Unknown so far; the packets wait for their codec. */
        UNKNOWN,
        /** Unknown, and no longer waited for. */
        UNTIMED
    }

    final int payloadType;
    int packets;
    long lastNs;
    Kind kind = Kind.UNKNOWN;
    double msPerTick;
    int clockRate;
    boolean isComfortNoise;
    /** Packets before the open interval. */
    int packetsBefore;

    @Nullable
    Codec codec;

    /** The payload type that appeared next in the stream. */
    @Nullable
    PayloadUse next;

    PayloadUse(int payloadType) {
        this.payloadType = payloadType;
    }

    void codec(Codec codec) {
        this.codec = codec;
        clockRate = codec.clockRate();
        isComfortNoise = codec.isComfortNoise();
        msPerTick = codec.clockRate() == 0 ? 0 : 1000.0 / codec.clockRate();
        if (codec.isTelephoneEvent()) {
            kind = Kind.EVENT;
        } else if (codec.clockRate() > 0) {
            kind = Kind.TIMED;
        }
    }

    /** Packets since the interval began. */
    int intervalPackets() {
        return packets - packetsBefore;
    }

    PayloadCount toCount() {
        return new PayloadCount(payloadType, codec, packets);
    }

    boolean isMedia() {
        return kind != Kind.EVENT && !isComfortNoise;
    }
}
