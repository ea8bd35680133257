package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.RtpRows;

/**
 * An RTP stream to be fed: a packet every 20 ms, 160 ticks of an 8 kHz clock each.
 *
 * @param lostEvery of so many packets the last one is lost; 0 for none
 * @param length octets of payload
 * @param sound what is said: packets with the same number have the same payload in all flows of one sound
 * @param ahead numbers that it counts from
 */
record Flow(
        Endpoint source,
        Endpoint destination,
        long ssrc,
        int payloadType,
        int lostEvery,
        int length,
        long sound,
        int ahead) {
    /** Nothing is said: all octets are alike. */
    private static final long SILENCE = -1;

    /** The same octets in each packet. */
    private static final long TONE = -2;

    Flow(Endpoint source, Endpoint destination, long ssrc, int payloadType, int lostEvery) {
        this(source, destination, ssrc, payloadType, lostEvery, 160, ssrc, 0);
    }

    static Flow of(String source, String destination, long ssrc) {
        return new Flow(Addresses.v4(source), Addresses.v4(destination), ssrc, 0, 0);
    }

    Flow payloadType(int type) {
        return new Flow(source, destination, ssrc, type, lostEvery, length, sound, ahead);
    }

    Flow losing(int every) {
        return new Flow(source, destination, ssrc, payloadType, every, length, sound, ahead);
    }

    /** Packets without a payload (RFC 6263, 4.6). */
    Flow empty() {
        return new Flow(source, destination, ssrc, payloadType, lostEvery, 0, sound, ahead);
    }

    /** Packets with so many octets of payload. */
    Flow length(int octets) {
        return new Flow(source, destination, ssrc, payloadType, lostEvery, octets, sound, ahead);
    }

    /** The same payloads as all flows of one sound. */
    Flow saying(long what) {
        return new Flow(source, destination, ssrc, payloadType, lostEvery, length, what, ahead);
    }

    Flow silent() {
        return saying(SILENCE);
    }

    Flow tone() {
        return saying(TONE);
    }

    /** Other numbers and another clock. */
    Flow ahead(int numbers) {
        return new Flow(source, destination, ssrc, payloadType, lostEvery, length, sound, numbers);
    }

    /** Adds one packet of it; {@code number} counts from 0. */
    void addTo(RtpRows events, int number, long arrivalNs, long frame) {
        addTo(events, number, 0, arrivalNs, frame);
    }

    /**
     * Adds one packet of it.
     *
     * @param number counts from 0
     * @param paused packet times that the clock is ahead of the numbers
     */
    void addTo(RtpRows events, int number, int paused, long arrivalNs, long frame) {
        long portsSsrc = (long) source.port() << 48 | (long) destination.port() << 32 | ssrc;
        long header = ((number + ahead + paused) * 160L & 0xffff_ffffL) << 32
                | (number + ahead & 0xffffL) << 16
                | (number == 0 ? 0x80 : 0)
                | payloadType;
        long lengths = source.isIpv4()
                ? RtpRows.lengths(length, length + 12, number & 0xffff)
                : RtpRows.lengthsOfIpv6(length, length + 12);
        int row = events.add(arrivalNs, frame, header, payloadHead(number), lengths);
        if (source.isIpv4()) {
            long addresses = RtpRows.addresses(source.low(), destination.low());
            events.ipv4(row, RtpRows.hash(addresses, portsSsrc), addresses, portsSsrc);
        } else {
            long hash = RtpRows.hash(source.high(), source.low(), destination.high(), destination.low(), portsSsrc);
            events.ipv6(row, hash, portsSsrc);
            events.wide(row, source.high(), source.low(), destination.high(), destination.low());
        }
    }

    private long payloadHead(int number) {
        if (sound == SILENCE) {
            return -1;
        }
        return sound == TONE ? 0x1234 : sound << 32 | number;
    }
}
