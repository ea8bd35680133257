package io.offhook.testkit.traffic;

import io.offhook.testkit.truth.Party;
import java.util.EnumMap;
import java.util.Map;

/** How both ends of a call use RTCP, and what their reports say. Mutable set-up with fluent setters. */
public final class RtcpShape {
    boolean multiplexed;
    boolean extended;
    long intervalMs = 1000;
    private int announcedOffset;
    private final Map<Party, Long> distanceMs = new EnumMap<>(Party.class);
    private final Map<Party, Integer> extraLoss = new EnumMap<>(Party.class);
    private final Map<Party, Integer> jitterMs = new EnumMap<>(Party.class);

    RtcpShape() {}

    /** On the port of the RTP (RFC 5761), and SDP says so; otherwise on the next one. */
    public RtcpShape multiplexed() {
        multiplexed = true;
        return this;
    }

    /** On the RTP's port plus {@code offset}, which SDP announces with a=rtcp (RFC 3605). */
    public RtcpShape announcedPort(int offset) {
        announcedOffset = offset;
        return this;
    }

    /** With XR blocks (RFC 3611). */
    public RtcpShape extended() {
        extended = true;
        return this;
    }

    public RtcpShape intervalMs(long milliseconds) {
        intervalMs = milliseconds;
        return this;
    }

    /** One-way time from a party to the tap: 10 ms unless set. */
    public RtcpShape distanceMs(Party party, long milliseconds) {
        distanceMs.put(party, milliseconds);
        return this;
    }

    /** Packets that the party reports lost in each interval, beyond those that never came to the tap. */
    public RtcpShape extraLoss(Party reporter, int packetsEachInterval) {
        extraLoss.put(reporter, packetsEachInterval);
        return this;
    }

    /** The jitter that the party reports: 2 ms unless set. */
    public RtcpShape jitterMs(Party reporter, int milliseconds) {
        jitterMs.put(reporter, milliseconds);
        return this;
    }

    /** From the RTP's port to that of the RTCP. */
    int portOffset() {
        return multiplexed ? 0 : announcedOffset == 0 ? 1 : announcedOffset;
    }

    boolean announcesPort() {
        return !multiplexed && announcedOffset != 0;
    }

    long distanceNs(Party party) {
        return distanceMs.getOrDefault(party, 10L) * 1_000_000;
    }

    int extraLoss(Party reporter) {
        return extraLoss.getOrDefault(reporter, 0);
    }

    int jitterMs(Party reporter) {
        return jitterMs.getOrDefault(reporter, 2);
    }
}
