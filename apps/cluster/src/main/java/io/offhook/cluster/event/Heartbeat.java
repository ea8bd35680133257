package io.offhook.cluster.event;

import java.util.OptionalLong;

/**
 * The probe is alive: written to each partition, every second.
 *
 * @param lowWatermarkNs nothing that happened before follows in this partition and incarnation; nanoseconds since the epoch
 * @param sentNs when it was written, nanoseconds since the epoch
 * @param capture what the probe has captured so far
 * @param spoolOctets that events take on the disk of the probe
 * @param spoolOldestNs when the oldest event happened that Kafka has not acknowledged; empty if there is none
 * @param clock what the kernel of the probe thinks of its clock
 * @param about the probe
 * @param unknown what this release does not know of it
 */
public record Heartbeat(
        long lowWatermarkNs,
        long sentNs,
        Capture capture,
        long spoolOctets,
        OptionalLong spoolOldestNs,
        Clock clock,
        About about,
        Octets unknown)
        implements EventBody {
    /** Checks the size of the spool. */
    public Heartbeat {
        Limits.count("spool_octets", spoolOctets);
    }

    /**
     * What a probe has captured so far.
     *
     * @param frames all
     * @param udpUnknown UDP datagrams that are nothing known
     * @param rtpLike UDP datagrams that look like RTP
     */
    public record Capture(long frames, long udpUnknown, long rtpLike) {
        /** Checks the counts. */
        public Capture {
            Limits.count("frames", frames);
            Limits.count("udp_unknown", udpUnknown);
            Limits.count("rtp_like", rtpLike);
        }
    }

    /**
     * What the kernel thinks of its clock (adjtimex(2)).
     *
     * @param offsetNs by how much it is off; empty if the kernel does not say
     * @param errorNs by how much it may be off at most; empty if the kernel does not say
     */
    public record Clock(OptionalLong offsetNs, OptionalLong errorNs) {
        /** The kernel says nothing. */
        public static final Clock UNKNOWN = new Clock(OptionalLong.empty(), OptionalLong.empty());

        /** Checks the greatest error. */
        public Clock {
            Limits.count("clock_error_ns", errorNs.orElse(0));
        }
    }

    /**
     * What a probe says of itself.
     *
     * @param version its release
     * @param site where it is, as whoever started it calls it; empty if it has no name
     * @param packetsUrl where packets of single calls can be asked for; empty if nowhere
     */
    public record About(String version, String site, String packetsUrl) {
        /** Checks the sizes. */
        public About {
            Limits.text("version", version, Limits.NAME);
            Limits.text("site", site, Limits.SITE);
            Limits.text("packets_url", packetsUrl, Limits.TEXT);
        }
    }
}
