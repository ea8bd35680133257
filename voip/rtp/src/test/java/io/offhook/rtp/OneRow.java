package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/** Feeds streams packet by packet, over one row that is filled anew. Allocates nothing once it is made. */
final class OneRow {
    private final RtpRows rows = new RtpRows();

    private static long header(int sequenceNumber, long timestamp, int payloadType, boolean marker) {
        return timestamp << 32 | (long) sequenceNumber << 16 | (marker ? 0x80 : 0) | payloadType;
    }

    void packet(
            RtpStream stream,
            long arrivalNs,
            int sequenceNumber,
            long timestamp,
            int payloadType,
            boolean marker,
            int payloadLength,
            long payloadHead,
            int ipIdentification) {
        long header = header(sequenceNumber, timestamp, payloadType, marker);
        long lengths = ipIdentification < 0
                ? RtpRows.lengthsOfIpv6(payloadLength, payloadLength + 12)
                : RtpRows.lengths(payloadLength, payloadLength + 12, ipIdentification & 0xffff);
        rows.clear();
        stream.packet(rows, rows.add(arrivalNs, 0, header, Long.reverseBytes(payloadHead), lengths));
    }

    /** A packet as a view has it; the IP identification may be -1. */
    void packet(RtpStream stream, long arrivalNs, RtpView rtp, int ipIdentification) {
        packet(
                stream,
                arrivalNs,
                rtp.sequenceNumber(),
                rtp.timestamp(),
                rtp.payloadType(),
                rtp.marker(),
                rtp.payloadLength(),
                rtp.payloadHead(),
                ipIdentification);
    }

    void packet(
            WiresharkStream stream,
            long arrivalNs,
            int sequenceNumber,
            long timestamp,
            int payloadType,
            boolean marker,
            int rtpLength,
            boolean ipv6,
            @Nullable Codec codec) {
        long header = header(sequenceNumber, timestamp, payloadType, marker);
        long lengths = ipv6 ? RtpRows.lengthsOfIpv6(0, rtpLength) : RtpRows.lengths(0, rtpLength, 0);
        rows.clear();
        stream.packet(rows, rows.add(arrivalNs, 0, header, 0, lengths), codec);
    }
}
