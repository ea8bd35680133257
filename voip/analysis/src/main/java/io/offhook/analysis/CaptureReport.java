package io.offhook.analysis;

import io.offhook.packet.PlacedCount;
import io.offhook.pcap.CaptureLoss;
import java.util.List;

/**
 * What a capture contains as a whole, and what could not be used.
 *
 * @param packets frames read
 * @param bytes captured bytes of the frames
 * @param firstNs time of the first packet in the order of the source, nanoseconds since the epoch; 0 without packets
 * @param lastNs time of the last packet in that order
 * @param linkTypes link types, {@link io.offhook.packet.LinkType} values in the order of their interfaces
 * @param sipRequests SIP requests, copies included
 * @param sipResponses SIP responses, copies included
 * @param callIds distinct Call-IDs
 * @param rtpPackets packets of the streams reported, whether they belong to a call or not
 * @param rtcpPackets compound RTCP packets
 * @param rtpLike UDP datagrams that look like RTP
 * @param counters what was not understood, dropped or evicted; only counters above zero
 * @param losses what the files report as lost by the capture itself, in no particular order
 * @param encryptedSignalling servers of SIP over TLS, in the order of their first packets
 */
public record CaptureReport(
        long packets,
        long bytes,
        long firstNs,
        long lastNs,
        List<Integer> linkTypes,
        long sipRequests,
        long sipResponses,
        long callIds,
        long rtpPackets,
        long rtcpPackets,
        long rtpLike,
        List<Counter> counters,
        List<CaptureLoss> losses,
        List<EncryptedSignalling> encryptedSignalling) {
    /** Of nothing, before anything was captured. */
    public static final CaptureReport NOTHING =
            new CaptureReport(0, 0, 0, 0, List.of(), 0, 0, 0, 0, 0, 0, List.of(), List.of(), List.of());

    /** A quarter of random datagrams begin like RTP; with this many times as many as others, they are RTP. */
    private static final int MOSTLY = 4;

    /**
     * Whether most datagrams that are nothing else look like RTP, so that a single packet makes a stream.
     *
     * @param rtpLike UDP datagrams that look like RTP
     * @param udpUnknown UDP datagrams that are nothing known
     */
    public static boolean isMostlyRtp(long rtpLike, long udpUnknown) {
        return rtpLike >= MOSTLY * udpUnknown;
    }

    /** How long it was captured, in nanoseconds; 0 if the clock was set back by more than that. */
    public long durationNs() {
        return Math.max(0, lastNs - firstNs);
    }

    /**
     * A counter of something that failed or was left out, and where in the capture that happened.
     *
     * @param name in camelCase, as docs/OUTPUT.md lists it
     * @param count above 0
     * @param firstFrame the first packet concerned, 1-based; 0 if unknown
     * @param lastFrame the last packet concerned; 0 if unknown
     * @param firstNs when it first happened, nanoseconds since the epoch; 0, as {@code lastNs}, if unknown
     * @param lastNs when it last happened
     */
    public record Counter(String name, long count, long firstFrame, long lastFrame, long firstNs, long lastNs) {

        static Counter of(String name, PlacedCount count) {
            return new Counter(
                    name, count.count(), count.firstFrame(), count.lastFrame(), count.firstNs(), count.lastNs());
        }

        /** Whether the packets concerned are known. */
        public boolean hasFrames() {
            return firstFrame > 0;
        }

        /** Whether the times are known. */
        public boolean hasTimes() {
            return firstFrame > 0 || lastNs > 0;
        }
    }
}
