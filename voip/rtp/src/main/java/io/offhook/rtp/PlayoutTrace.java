package io.offhook.rtp;

import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.rtp.playout.Playout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the jitter buffer makes of each packet of a stream, one by one, when its packets are seen once more: the same as the
 * {@linkplain RtpStream statistics} made of them, since it is done by the same code with the codecs that are known by now.
 *
 * <pre>{@code
 * PlayoutTrace trace = new PlayoutTrace(report.statistics(), report.tagOctets());
 * // for each packet, in the order of the capture:
 * if (trace.packet(packet, arrivalNs) == PlayoutTrace.Fate.PLAYED) {
 *     play(packet, trace.dueNs());
 * }
 * }</pre>
 *
 * <p>Single-threaded.
 */
public final class PlayoutTrace {
    /** What becomes of a packet. */
    public enum Fate {
        /** It is played. */
        PLAYED,
        /** It came too late to be played. */
        DISCARDED,
        /** It describes noise (RFC 3389), whose level lasts until speech follows; never too late. */
        NOISE,
        /** It is no audio: a key press, or a payload whose clock is not known, or one of video. */
        OTHER,
        /** Its number was seen before. */
        DUPLICATE,
        /** Its number is too far from the others to be placed. */
        FAR
    }

    /** For payload types whose clock is unknown: they are counted, and nothing waits for their codec. */
    private static final Codec WITHOUT_CLOCK = new Codec("telephone-event", 0);

    /** Distance of the numbers of one run of the sender from those of the next. */
    private static final long RUN = 1L << 40;

    private static final int VIDEO_CLOCK = 90_000;

    private final RtpStream stream;
    private final Playout playout;
    private final @Nullable Codec[] codecs = new Codec[128];
    private long number;
    private long packets;
    private long restarts;
    private long discarded;

    /**
     * Begins with no packet.
     *
     * @param known statistics of the whole stream: its buffer and its codecs. If it has no buffer, one of {@value
     *     JitterBuffer#GREATEST_MS} ms is taken, for which hardly anything is too late
     * @param tagOctets octets of the authentication tag behind each payload; 0 or less if there is none
     */
    public PlayoutTrace(RtpStream known, int tagOctets) {
        JitterBuffer buffer = known.buffer().kind() == JitterBuffer.Kind.OFF
                ? JitterBuffer.fixed(JitterBuffer.GREATEST_MS)
                : known.buffer();
        stream = new RtpStream(buffer, false);
        playout = Objects.requireNonNull(stream.timeline().playout(), "playout");
        for (PayloadCount payload : known.payloads()) {
            Codec codec = payload.codec();
            codecs[payload.payloadType()] = codec;
            stream.codec(payload.payloadType(), codec == null || codec.clockRate() == 0 ? WITHOUT_CLOCK : codec);
            if (tagOctets > 0) {
                stream.tag(payload.payloadType(), tagOctets);
            }
        }
    }

    /**
     * Adds the next packet in the order of the capture.
     *
     * @param packet whose payload need not be readable
     * @param arrivalNs when it was captured, nanoseconds since the epoch
     */
    public Fate packet(RtpView packet, long arrivalNs) {
        int payloadType = packet.payloadType();
        if (codecs[payloadType] == null && PayloadType.staticCodec(payloadType) == null) {
            stream.codec(payloadType, WITHOUT_CLOCK);
        }
        long duplicatesBefore = stream.duplicates();
        stream.evaluateNext();
        stream.packet(packet, arrivalNs);
        boolean isRestart = stream.restarts() > restarts;
        restarts = stream.restarts();
        if (!isRestart && stream.distinct() == packets) {
            return stream.duplicates() > duplicatesBefore ? Fate.DUPLICATE : Fate.FAR;
        }
        packets = stream.distinct();
        long highest = stream.highestSequenceNumber();
        number = restarts * RUN + highest - (highest - packet.sequenceNumber() & 0xffff);
        Codec codec = codecs[payloadType];
        codec = codec == null ? PayloadType.staticCodec(payloadType) : codec;
        if (codec == null || codec.isTelephoneEvent() || codec.clockRate() == 0 || codec.clockRate() == VIDEO_CLOCK) {
            return Fate.OTHER;
        }
        boolean isDiscarded = playout.discarded() > discarded;
        discarded = playout.discarded();
        return codec.isComfortNoise() ? Fate.NOISE : isDiscarded ? Fate.DISCARDED : Fate.PLAYED;
    }

    /**
     * The number of the last packet that was neither a duplicate nor far: extended, so that it grows over wraps, and by
     * 2^40 more where the sender started over.
     */
    public long number() {
        return number;
    }

    /** Whether two numbers are of the same run of the sender, so that those between them are missing. */
    public static boolean isSameRun(long one, long other) {
        return Math.abs(one - other) < RUN / 2;
    }

    /**
     * The media time of the last packet that was played, discarded or noise, in nanoseconds since the first one of its
     * clock. With {@link #offsetNs} it is the time at which it is due.
     */
    public long mediaNs() {
        return playout.mediaNs();
    }

    /** What the buffer adds to media times now, in nanoseconds. */
    public long offsetNs() {
        return playout.offsetNs();
    }

    /** When that packet is due, nanoseconds since the epoch. */
    public long dueNs() {
        return playout.mediaNs() + playout.offsetNs();
    }

    /** Whether the buffer began anew with that packet, or a talker began again after a pause: its delay may change unheard. */
    public boolean beganAnew() {
        return playout.beganAnew();
    }

    /** The delay that the buffer aims at, in nanoseconds. */
    public long bufferNs() {
        return (long) (playout.sizeMs() * 1e6);
    }

    /** The usual time from one packet to the next, in nanoseconds; 20 ms while it is not known. */
    public long packetNs() {
        double ms = stream.packetTimeMs();
        return ms <= 0 ? 20_000_000 : (long) (ms * 1e6);
    }

    /** The statistics so far. */
    public RtpStream statistics() {
        return stream;
    }
}
