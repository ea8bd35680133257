package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.RtpRows;

/**
 * An RTP stream to be fed: a packet every 20 ms, 160 ticks of an 8 kHz clock each.
 *
 * @param lostEvery of so many packets the last one is lost; 0 for none
 */
record Flow(Endpoint source, Endpoint destination, long ssrc, int payloadType, int lostEvery) {

    static Flow of(String source, String destination, long ssrc) {
        return new Flow(Addresses.v4(source), Addresses.v4(destination), ssrc, 0, 0);
    }

    Flow payloadType(int type) {
        return new Flow(source, destination, ssrc, type, lostEvery);
    }

    Flow losing(int every) {
        return new Flow(source, destination, ssrc, payloadType, every);
    }

    /** Adds one packet of it; {@code number} counts from 0. */
    void addTo(RtpRows events, int number, long arrivalNs, long frame) {
        long portsSsrc = (long) source.port() << 48 | (long) destination.port() << 32 | ssrc;
        long header = (number * 160L & 0xffff_ffffL) << 32
                | (number & 0xffffL) << 16
                | (number == 0 ? 0x80 : 0)
                | payloadType;
        long lengths = source.isIpv4() ? RtpRows.lengths(160, 172, number & 0xffff) : RtpRows.lengthsOfIpv6(160, 172);
        int row = events.add(arrivalNs, frame, header, number, lengths);
        if (source.isIpv4()) {
            long addresses = source.low() << 32 | destination.low() & 0xffff_ffffL;
            events.ipv4(row, RtpRows.hash(addresses, portsSsrc), addresses, portsSsrc);
        } else {
            long hash = RtpRows.hash(source.high(), source.low(), destination.high(), destination.low(), portsSsrc);
            events.ipv6(row, hash, portsSsrc);
            events.wide(row, source.high(), source.low(), destination.high(), destination.low());
        }
    }
}
