package io.offhook.testkit.traffic;

import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.RtcpTruth;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One end of a call as it speaks RTCP: reports what it sent and what it received, with times that are consistent with its
 * distance from the tap.
 */
final class RtcpReporter {
    /** A sender report of the other end. */
    private record Heard(long ntp, long receivedNs) {}

    private final Party party;
    private final RtcpShape shape;
    private final RtpSender own;
    private final RtpSender other;
    private final String cname;
    /** The middle 32 bits of the NTP time of the sender report that was last written, 0 if there was none. */
    private long writtenNtp;
    /** What the other end wrote, with the times at which it came here, oldest first; the last few are enough. */
    private final Deque<Heard> heard = new ArrayDeque<>();

    private long intervalStart = -1;
    private long intervalDropped;
    private int extraLost;
    private int compounds;
    private int reports;
    private int extendedReports;
    private Rtcp.Report last = new Rtcp.Report(0, 0, 0, 0, 0, 0, 0);

    RtcpReporter(Party party, RtcpShape shape, RtpSender own, RtpSender other, String cname) {
        this.party = party;
        this.shape = shape;
        this.own = own;
        this.other = other;
        this.cname = cname;
    }

    /** A compound that is captured at {@code timeNs}. */
    byte[] compound(long timeNs, boolean goodbye) {
        long sentNs = timeNs - shape.distanceNs(party);
        Rtcp compound = new Rtcp();
        Rtcp.Report[] blocks = other.packets() > 0 ? new Rtcp.Report[] {block(sentNs)} : new Rtcp.Report[0];
        if (own.packets() > 0) {
            writtenNtp = Rtcp.ntp(sentNs) >>> 16 & 0xffff_ffffL;
            compound.senderReport(own.ssrc(), sentNs, own.timestampAt(sentNs), own.packets(), own.octets(), blocks);
        } else {
            compound.receiverReport(own.ssrc(), blocks);
        }
        compound.sourceDescription(own.ssrc(), cname);
        if (shape.extended && blocks.length > 0) {
            extendedReports++;
            compound.extendedReport(own.ssrc(), metrics());
        }
        if (goodbye) {
            compound.bye(own.ssrc(), "call ended");
        }
        compounds++;
        return compound.bytes();
    }

    /** Tells that a compound of the other end was captured at {@code timeNs}, so this end gets it a little later. */
    void heard(RtcpReporter from, long timeNs) {
        if (from.writtenNtp != 0) {
            heard.addLast(new Heard(from.writtenNtp, timeNs + shape.distanceNs(party)));
        }
    }

    private Rtcp.Report block(long sentNs) {
        if (intervalStart < 0) {
            intervalStart = other.lastIndex() - other.packets();
        }
        long expected = Math.max(1, other.lastIndex() - intervalStart);
        long lost = other.dropped() - intervalDropped + shape.extraLoss(party);
        extraLost += shape.extraLoss(party);
        intervalStart = other.lastIndex();
        intervalDropped = other.dropped();
        Heard latest = null;
        while (!heard.isEmpty() && heard.getFirst().receivedNs() <= sentNs) {
            latest = heard.removeFirst();
        }
        if (latest != null) {
            heard.addFirst(latest);
        }
        reports++;
        last = new Rtcp.Report(
                other.ssrc(),
                (int) Math.min(255, lost * 256 / expected),
                (int) (other.dropped() + extraLost),
                other.lastIndex() & 0xffff_ffffL,
                (long) shape.jitterMs(party) * other.codec().clockRate() / 1000,
                latest == null ? 0 : latest.ntp(),
                latest == null ? 0 : (sentNs - latest.receivedNs()) * 65_536 / 1_000_000_000);
        return last;
    }

    private Rtcp.VoipMetrics metrics() {
        int roundTripMs = (int) (roundTripNs() / 1_000_000);
        return new Rtcp.VoipMetrics(
                last.ssrc(), last.fractionLost(), 2, last.lastReport() == 0 ? 0 : roundTripMs, 45, 88, 41, 40);
    }

    private long roundTripNs() {
        return 2 * (shape.distanceNs(Party.CALLER) + shape.distanceNs(Party.CALLEE));
    }

    boolean hasReported() {
        return reports > 0;
    }

    RtcpTruth truth(String callId) {
        return new RtcpTruth(
                callId,
                party,
                own.ssrc(),
                last.ssrc(),
                compounds,
                reports,
                last.fractionLost(),
                last.cumulativeLost(),
                last.jitter(),
                shape.jitterMs(party),
                2 * shape.distanceNs(party),
                roundTripNs(),
                extendedReports > 0);
    }
}
