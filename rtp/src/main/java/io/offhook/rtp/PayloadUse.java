package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/** One payload type of a stream: what it means, as far as known, and how many packets had it. */
final class PayloadUse {
    /** What its packets are to the statistics. */
    enum Kind {
        /** Media whose clock is known. */
        TIMED,
        /** Events (RFC 4733), whose timestamps stand still: no jitter. */
        EVENT,
        /** Nothing is known of it yet; its packets wait for its codec. */
        UNKNOWN,
        /** Nothing is known of it, and waiting went on for too long. */
        UNTIMED
    }

    final int payloadType;
    int packets;
    long lastNs;
    Kind kind = Kind.UNKNOWN;
    double msPerTick;

    @Nullable
    Codec codec;

    /** The one that appeared next in the stream. */
    @Nullable
    PayloadUse next;

    PayloadUse(int payloadType) {
        this.payloadType = payloadType;
    }

    void codec(Codec codec) {
        this.codec = codec;
        msPerTick = codec.clockRate() == 0 ? 0 : 1000.0 / codec.clockRate();
        if (codec.isTelephoneEvent()) {
            kind = Kind.EVENT;
        } else if (codec.clockRate() > 0) {
            kind = Kind.TIMED;
        }
    }

    PayloadCount toCount() {
        return new PayloadCount(payloadType, codec, packets);
    }

    boolean isMedia() {
        return kind != Kind.EVENT && (codec == null || !codec.isComfortNoise());
    }
}
