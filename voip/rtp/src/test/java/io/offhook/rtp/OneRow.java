package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/** Feeds streams packet by packet, over one row that is filled anew. Allocates nothing once it is made. */
final class OneRow {
    private final RtpRows rows = new RtpRows();

    private int fill(long arrivalNs, int sequenceNumber, long timestamp, int payloadType, boolean marker) {
        rows.clear();
        int row = rows.add();
        rows.arrival(row, arrivalNs);
        rows.header(row, timestamp << 32 | (long) sequenceNumber << 16 | (marker ? 0x80 : 0) | payloadType);
        return row;
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
        int row = fill(arrivalNs, sequenceNumber, timestamp, payloadType, marker);
        rows.payloadHead(row, payloadHead);
        if (ipIdentification < 0) {
            rows.lengthsOfIpv6(row, payloadLength, payloadLength + 12);
        } else {
            rows.lengths(row, payloadLength, payloadLength + 12, ipIdentification & 0xffff);
        }
        stream.packet(rows, row);
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
        int row = fill(arrivalNs, sequenceNumber, timestamp, payloadType, marker);
        if (ipv6) {
            rows.lengthsOfIpv6(row, 0, rtpLength);
        } else {
            rows.lengths(row, 0, rtpLength, 0);
        }
        stream.packet(rows, row, codec);
    }
}
