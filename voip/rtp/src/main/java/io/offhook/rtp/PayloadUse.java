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

    /** Whose silence descriptors are known by their size. */
    private enum Silence {
        NONE,
        G729,
        G723,
        AMR,
        OPUS
    }

    private Silence silence = Silence.NONE;

    /** Null if the codec has one mode only. */
    @Nullable
    SpeechModes modes;

    PayloadUse(int payloadType) {
        this.payloadType = payloadType;
    }

    void codec(Codec codec) {
        this.codec = codec;
        clockRate = codec.clockRate();
        isComfortNoise = codec.isComfortNoise();
        silence = switch (codec.key()) {
            case "G729", "G729A", "G729B", "G729AB" -> Silence.G729;
            case "G723" -> Silence.G723;
            case "AMR", "AMR-WB" -> Silence.AMR;
            case "OPUS" -> Silence.OPUS;
            default -> Silence.NONE;
        };
        modes = SpeechModes.of(codec);
        msPerTick = codec.clockRate() == 0 ? 0 : 1000.0 / codec.clockRate();
        if (codec.isTelephoneEvent()) {
            kind = Kind.EVENT;
        } else if (codec.clockRate() > 0) {
            kind = Kind.TIMED;
        }
    }

    /**
     * Whether a packet describes silence: comfort noise (RFC 3389), or by its size a silence descriptor of its codec
     * (SID: RFC 3551, 4.5.6 and 4.5.3; RFC 4867, 3.6; RFC 6716, 2.1.9).
     *
     * @param length octets of payload
     */
    boolean isSilence(int length) {
        if (isComfortNoise || codec == null) {
            return isComfortNoise;
        }
        return switch (silence) {
            case G729 -> length % 10 == 2;
            case G723 -> length == 4;
            case AMR -> length <= 7;
            case OPUS -> length <= 2;
            case NONE -> false;
        };
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
