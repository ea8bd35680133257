package io.offhook.testkit.traffic;

import java.util.Random;

/** What one party's RTP looks like and what happens to it before the tap. Mutable set-up with fluent setters. */
public final class RtpShape {
    double loss;
    double relayLoss;
    int longestBurst = 1;
    double duplicates;
    double reordering;
    double jitterMs = 0.5;
    boolean silenceSuppressed;
    boolean headerExtension;
    int contributors;
    int padding;
    long ssrc = -1;
    int firstSequence = -1;
    long firstTimestamp = -1;
    boolean digitEndsLost;
    int stallEveryMs;
    int stallMs;
    int outageFrom = -1;
    int outagePackets;
    boolean empty;
    boolean speech;
    long recording = -1;
    boolean rewritten;
    double keyLowDbm0 = -10;
    double keyHighDbm0 = -8;
    double keyOffPercent;
    double keyNoiseDbm0 = -50;

    RtpShape() {}

    /** The share of packets that is lost before the tap, 0 to 1. */
    public RtpShape loss(double fraction) {
        loss = fraction;
        return this;
    }

    /** The share of packets that a relay receives and does not pass on, 0 to 1. */
    public RtpShape lostInRelay(double fraction) {
        relayLoss = fraction;
        return this;
    }

    /** Losses come in bursts of 1 to {@code longest} packets, each length alike. */
    public RtpShape lossBursts(int longest) {
        longestBurst = longest;
        return this;
    }

    /**
     * The share of packets that comes twice, 0.3 ms apart. Over IPv4 the two have different identifications, as from a
     * sender that repeats itself; a mirror's copies ({@link CallPlan#mirrored}) are the same to the last byte.
     */
    public RtpShape duplicates(double fraction) {
        duplicates = fraction;
        return this;
    }

    /** The share of packets that comes after the next one. */
    public RtpShape reordering(double fraction) {
        reordering = fraction;
        return this;
    }

    /** Standard deviation of arrival times; no packet is a third of the packet time off, so jitter alone reorders none. */
    public RtpShape jitterMs(double deviation) {
        jitterMs = deviation;
        return this;
    }

    /** Talk spurts with pauses, in which only comfort noise is sent. */
    public RtpShape silenceSuppressed() {
        silenceSuppressed = true;
        return this;
    }

    /** A header extension with one-byte elements (audio level) in every packet. */
    public RtpShape headerExtension() {
        headerExtension = true;
        return this;
    }

    /** Contributing sources, as a mixer lists them: 0 to 15. */
    public RtpShape contributors(int count) {
        contributors = count;
        return this;
    }

    /** Padding bytes at the end of every packet. */
    public RtpShape padding(int bytes) {
        padding = bytes;
        return this;
    }

    /** A given SSRC instead of a random one. */
    public RtpShape ssrc(long value) {
        ssrc = value;
        return this;
    }

    /** The first sequence number, instead of a random one: close to 65535 for one that wraps. */
    public RtpShape firstSequence(int value) {
        firstSequence = value;
        return this;
    }

    /** The first RTP timestamp, instead of a random one: equal to that of another call's stream that passes it on. */
    public RtpShape firstTimestamp(long value) {
        firstTimestamp = value;
        return this;
    }

    /** The three packets that end a telephone event are lost before the tap. */
    public RtpShape digitEndsLost() {
        digitEndsLost = true;
        return this;
    }

    /** The path stalls at the end of every so many milliseconds: what is sent meanwhile arrives all at once. */
    public RtpShape stalls(int everyMs, int forMs) {
        stallEveryMs = everyMs;
        stallMs = forMs;
        return this;
    }

    /** All of so many packets in a row are lost before the tap, from the one with this number, counted from 0. */
    public RtpShape outage(int fromPacket, int packets) {
        outageFrom = fromPacket;
        outagePackets = packets;
        return this;
    }

    /** Packets without a payload, which keep a NAT binding alive (RFC 6263, 4.6). */
    public RtpShape empty() {
        empty = true;
        return this;
    }

    /**
     * Speech that is the same, packet by packet, wherever the seed is: what a B2BUA passes on in its own stream, or an
     * announcement that several callers hear; G.711 only.
     *
     * @param seed 0 or more
     */
    public RtpShape recording(long seed) {
        recording = seed;
        return speech();
    }

    /**
     * A relay sends packets on as a stream of its own: another SSRC and clock, and numbers that count what it sends, so
     * that those it lost do not show.
     */
    public RtpShape rewrittenByRelay() {
        rewritten = true;
        return this;
    }

    /** Sound like speech instead of a tone; G.711 only. */
    public RtpShape speech() {
        speech = true;
        return this;
    }

    /**
     * How keys in the audio sound.
     *
     * @param lowDbm0 the level of the lower tone
     * @param highDbm0 the level of the higher tone
     * @param offPercent how much higher both frequencies are than they should be
     * @param noiseDbm0 the level of white noise, in the pauses too
     */
    public RtpShape audioKeys(double lowDbm0, double highDbm0, double offPercent, double noiseDbm0) {
        keyLowDbm0 = lowDbm0;
        keyHighDbm0 = highDbm0;
        keyOffPercent = offPercent;
        keyNoiseDbm0 = noiseDbm0;
        return this;
    }

    /** How much later than planned a packet arrives that is sent so long after the first one. */
    long stalledNs(long sinceFirstNs) {
        if (stallEveryMs == 0) {
            return 0;
        }
        long everyNs = stallEveryMs * 1_000_000L;
        long sinceNs = sinceFirstNs % everyNs;
        long beginNs = everyNs - stallMs * 1_000_000L;
        // a tenth of the wait is left between the packets, so that their order stays
        return sinceNs < beginNs ? 0 : (everyNs - sinceNs) * 9 / 10;
    }

    long jitterNs(Random random, int ptimeMs) {
        double limit = ptimeMs / 3.0 - 0.2;
        double off = Math.clamp(random.nextGaussian() * jitterMs, -limit, limit);
        return Math.round(off * 1e6);
    }
}
