package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.rtp.PacketLog;
import org.jspecify.annotations.Nullable;

/**
 * A stream at one point.
 *
 * @param point the index of the capture
 * @param report of the stream
 * @param call that it belongs to there; null if it belongs to none
 * @param packets empty until they were collected
 */
record PointStream(int point, StreamReport report, @Nullable CallReport call, PacketLog packets) {

    long ssrc() {
        return report.ssrc();
    }

    /** Whether another stream has the same source and destination. */
    boolean isBetweenTheSame(PointStream other) {
        return report.source().equals(other.report.source())
                && report.destination().equals(other.report.destination());
    }

    /** Whether it goes to where another stream comes from, and so passes there first. */
    boolean leadsTo(PointStream other) {
        return report.destination().address().equals(other.report.source().address()) && !isBetweenTheSame(other);
    }

    /** 1 if addresses show that this point comes first on the way, -1 if the other does, 0 if they do not. */
    int orderByAddresses(PointStream other) {
        return (leadsTo(other) ? 1 : 0) - (other.leadsTo(this) ? 1 : 0);
    }
}
