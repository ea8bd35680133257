package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.RtpRows;

/**
 * An RTP stream to be fed: a packet every 20 ms, 160 ticks of an 8 kHz clock each.
 *
 * @param lostEvery of so many packets the last one is lost; 0 for none
 * @param length octets of payload
 */
record Flow(Endpoint source, Endpoint destination, long ssrc, int payloadType, int lostEvery, int length) {

    Flow(Endpoint source, Endpoint destination, long ssrc, int payloadType, int lostEvery) {
        this(source, destination, ssrc, payloadType, lostEvery, 160);
    }

    static Flow of(String source, String destination, long ssrc) {
        return new Flow(Addresses.v4(source), Addresses.v4(destination), ssrc, 0, 0, 160);
    }

    Flow payloadType(int type) {
        return new Flow(source, destination, ssrc, type, lostEvery, length);
    }

    Flow losing(int every) {
        return new Flow(source, destination, ssrc, payloadType, every, length);
    }

    /** Packets without a payload (RFC 6263, 4.6). */
    Flow empty() {
        return length(0);
    }

    Flow length(int octets) {
        return new Flow(source, destination, ssrc, payloadType, lostEvery, octets);
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
        long header = ((number + paused) * 160L & 0xffff_ffffL) << 32
                | (number & 0xffffL) << 16
                | (number == 0 ? 0x80 : 0)
                | payloadType;
        long lengths = source.isIpv4()
                ? RtpRows.lengths(length, length + 12, number & 0xffff)
                : RtpRows.lengthsOfIpv6(length, length + 12);
        int row = events.add(arrivalNs, frame, header, number, lengths);
        if (source.isIpv4()) {
            long addresses = RtpRows.addresses(source.low(), destination.low());
            events.ipv4(row, RtpRows.hash(addresses, portsSsrc), addresses, portsSsrc);
        } else {
            long hash = RtpRows.hash(source.high(), source.low(), destination.high(), destination.low(), portsSsrc);
            events.ipv6(row, hash, portsSsrc);
            events.wide(row, source.high(), source.low(), destination.high(), destination.low());
        }
    }
}
