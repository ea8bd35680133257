package io.offhook.cli.input;

import io.offhook.analysis.CaptureReport;
import java.util.Set;

/** Which counters of a capture mean that something was lost here, and not merely seen: repeated messages are none. */
public final class OwnDrops {
    /** What is forgotten of these has been reported, or stored, already. */
    private static final Set<String> REPORTED = Set.of(
            "callsEvicted",
            "otherDialogsEvicted",
            "registrationsEvicted",
            "rtpStreamsEvicted",
            "rtcpConversationsEvicted");

    private OwnDrops() {}

    /** Whether it counts what was lost, and is not known otherwise. */
    public static boolean isDrop(CaptureReport.Counter counter) {
        String name = counter.name();
        boolean isLost = name.endsWith("Evicted") || name.endsWith("Refused") || name.endsWith("Dropped");
        return isLost && !REPORTED.contains(name);
    }
}
