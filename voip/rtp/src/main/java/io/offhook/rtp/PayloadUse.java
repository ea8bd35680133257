package io.offhook.rtp;

import io.offhook.rtp.figures.PayloadFigures;
import java.util.List;
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

    /** Packets of so many octets at most describe silence. */
    private int silentUpTo = -1;

    private boolean isG729;

    /** Of the authentication tag behind each payload; 0 if it is not encrypted. */
    private int tagOctets;

    /** Null if the codec has one mode only, or the payload is encrypted. */
    @Nullable
    SpeechModes modes;

    PayloadUse(int payloadType) {
        this.payloadType = payloadType;
    }

    /** The payload type as figures have it. */
    static PayloadUse of(PayloadFigures figures) {
        PayloadUse use = new PayloadUse(figures.payloadType());
        PayloadFigures.CodecFigures codec = figures.codec();
        use.tagOctets = figures.tagOctets();
        if (codec != null) {
            use.codec(new Codec(codec.encodingName(), codec.clockRate(), codec.channels(), codec.parameters()));
        }
        if (use.modes != null) {
            use.modes.set(figures.modes());
        }
        use.packets = figures.use().packets();
        use.packetsBefore = use.packets - figures.use().open();
        use.lastNs = figures.use().lastNs();
        use.kind = switch (figures.kind()) {
            case TIMED -> Kind.TIMED;
            case EVENT -> Kind.EVENT;
            case UNKNOWN -> Kind.UNTIMED;
        };
        return use;
    }

    PayloadFigures figures() {
        Codec known = codec;
        return new PayloadFigures(
                payloadType,
                new PayloadFigures.Use(packets, intervalPackets(), lastNs),
                switch (kind) {
                    case TIMED -> PayloadFigures.Kind.TIMED;
                    case EVENT -> PayloadFigures.Kind.EVENT;
                    case UNKNOWN, UNTIMED -> PayloadFigures.Kind.UNKNOWN;
                },
                known == null
                        ? null
                        : new PayloadFigures.CodecFigures(
                                known.encodingName(), known.clockRate(), known.channels(), known.parameters()),
                tagOctets,
                modes == null ? List.of() : modes.figures());
    }

    void codec(Codec codec) {
        this.codec = codec;
        clockRate = codec.clockRate();
        isComfortNoise = codec.isComfortNoise();
        String key = codec.key();
        silentUpTo = isComfortNoise
                ? Integer.MAX_VALUE
                : switch (key) {
                    case "AMR", "AMR-WB" -> 7;
                    case "G723" -> 4;
                    case "OPUS" -> 2;
                    default -> -1;
                };
        isG729 = key.startsWith("G729") && !key.equals("G7291");
        modes = tagOctets > 0 ? null : SpeechModes.of(codec);
        msPerTick = codec.clockRate() == 0 ? 0 : 1000.0 / codec.clockRate();
        if (codec.isTelephoneEvent()) {
            kind = Kind.EVENT;
        } else if (codec.clockRate() > 0) {
            kind = Kind.TIMED;
        }
    }

    void tag(int octets) {
        tagOctets = octets;
        modes = octets > 0 || codec == null ? null : SpeechModes.of(codec);
    }

    /** Whether a packet carries nothing: a keep-alive (RFC 6263, 4.6), of SRTP nothing but its authentication tag. */
    boolean isEmpty(int length) {
        return length <= tagOctets;
    }

    /**
     * Whether a packet describes silence: comfort noise (RFC 3389), or by its size a silence descriptor of its codec
     * (SID: RFC 3551, 4.5.6 and 4.5.3; RFC 4867, 3.6; RFC 6716, 2.1.9).
     *
     * @param length octets of payload, with the tag
     */
    boolean isSilence(int length) {
        int octets = length - tagOctets;
        return octets <= silentUpTo || isG729 && octets % 10 == 2;
    }

    /** The least number of octets from which all up to {@link #mostSpeechLike} are speech, as this one. */
    int leastSpeechLike(int length) {
        return isG729 ? length : tagOctets + Math.max(1, silentUpTo + 1);
    }

    int mostSpeechLike(int length) {
        return isG729 ? length : Integer.MAX_VALUE;
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
