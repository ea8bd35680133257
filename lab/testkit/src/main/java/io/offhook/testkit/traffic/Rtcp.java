package io.offhook.testkit.traffic;

/**
 * Writes compound RTCP packets (RFC 3550 section 6, RFC 3611 for XR): one method adds one packet to the compound.
 * Mutable, used once.
 */
public final class Rtcp {
    /** Between the epochs of NTP (1900) and Unix (1970). */
    private static final long NTP_OFFSET_SECONDS = 2_208_988_800L;

    /**
     * A report block.
     *
     * @param ssrc whose packets it is about
     * @param fractionLost since the last report, in 1/256: 0 to 255
     * @param cumulativeLost 24 bits, signed
     * @param highestSequence extended: cycles in the upper 16 bits
     * @param jitter in timestamp units
     * @param lastReport the middle 32 bits of the NTP time of the last sender report; 0 for none
     * @param delaySinceLastReport in 1/65536 s
     */
    public record Report(
            long ssrc,
            int fractionLost,
            int cumulativeLost,
            long highestSequence,
            long jitter,
            long lastReport,
            long delaySinceLastReport) {}

    /**
     * The VoIP metrics block (RFC 3611 section 4.7); what it does not name is written as "unavailable" or zero.
     *
     * @param ssrc whose packets it is about
     * @param lossRate 1/256 of the packets
     * @param discardRate 1/256 of the packets
     * @param roundTripMs 0 to 65535
     * @param endSystemDelayMs 0 to 65535
     * @param rFactor 0 to 100, 127 for unavailable
     * @param mosListening ten times the MOS
     * @param mosConversational ten times the MOS
     */
    public record VoipMetrics(
            long ssrc,
            int lossRate,
            int discardRate,
            int roundTripMs,
            int endSystemDelayMs,
            int rFactor,
            int mosListening,
            int mosConversational) {}

    private final Octets compound = new Octets();

    public Rtcp() {}

    public Rtcp senderReport(long ssrc, long timeNs, long rtpTimestamp, long packets, long octets, Report... reports) {
        long ntp = ntp(timeNs);
        header(200, reports.length, 24 + 24 * reports.length)
                .u32(ssrc)
                .u32(ntp >>> 32)
                .u32(ntp & 0xffff_ffffL)
                .u32(rtpTimestamp & 0xffff_ffffL)
                .u32(packets)
                .u32(octets);
        return blocks(reports);
    }

    public Rtcp receiverReport(long ssrc, Report... reports) {
        header(201, reports.length, 4 + 24 * reports.length).u32(ssrc);
        return blocks(reports);
    }

    /** SDES with one chunk: a CNAME. */
    public Rtcp sourceDescription(long ssrc, String cname) {
        Octets chunk = new Octets()
                .u32(ssrc)
                .u8(1)
                .u8(cname.length())
                .text(cname)
                .u8(0)
                .padTo(4);
        header(202, 1, chunk.length()).bytes(chunk.toArray());
        return this;
    }

    public Rtcp bye(long ssrc, String reason) {
        Octets body = new Octets().u32(ssrc).u8(reason.length()).text(reason).padTo(4);
        header(203, 1, body.length()).bytes(body.toArray());
        return this;
    }

    /** An extended report with a VoIP metrics block. */
    public Rtcp extendedReport(long ssrc, VoipMetrics metrics) {
        header(207, 0, 4 + 36)
                .u32(ssrc)
                .u8(7)
                .u8(0)
                .u16(8)
                .u32(metrics.ssrc())
                .u8(metrics.lossRate())
                .u8(metrics.discardRate())
                .u8(0) // burst density
                .u8(0) // gap density
                .u16(0) // burst duration
                .u16(0) // gap duration
                .u16(metrics.roundTripMs())
                .u16(metrics.endSystemDelayMs())
                .u8(127) // signal level, noise level, residual echo return loss: unavailable
                .u8(127)
                .u8(127)
                .u8(16) // Gmin
                .u8(metrics.rFactor())
                .u8(127) // external R factor
                .u8(metrics.mosListening())
                .u8(metrics.mosConversational())
                .u8(0) // receiver configuration
                .u8(0)
                .u16(40) // jitter buffer: nominal, maximum, absolute maximum, in ms
                .u16(80)
                .u16(120);
        return this;
    }

    public byte[] bytes() {
        return compound.toArray();
    }

    /** 64-bit NTP time: seconds since 1900 and their fraction. */
    static long ntp(long timeNs) {
        long seconds = Math.floorDiv(timeNs, 1_000_000_000L);
        long fraction = (Math.floorMod(timeNs, 1_000_000_000L) << 32) / 1_000_000_000L;
        return (seconds + NTP_OFFSET_SECONDS) << 32 | fraction;
    }

    private Octets header(int type, int count, int bodyBytes) {
        return compound.u8(0x80 | count).u8(type).u16(bodyBytes / 4);
    }

    private Rtcp blocks(Report... reports) {
        for (Report report : reports) {
            compound.u32(report.ssrc())
                    .u8(report.fractionLost())
                    .u24(report.cumulativeLost() & 0xffffff)
                    .u32(report.highestSequence())
                    .u32(report.jitter())
                    .u32(report.lastReport())
                    .u32(report.delaySinceLastReport());
        }
        return this;
    }
}
