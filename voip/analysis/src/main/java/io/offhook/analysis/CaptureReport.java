package io.offhook.analysis;

import io.offhook.packet.PlacedCount;
import io.offhook.pcap.CaptureLoss;
import java.util.List;

/**
 * What was in a capture as a whole, and what became of it.
 *
 * @param packets frames read
 * @param bytes captured bytes of them
 * @param firstNs time of the first packet in the order of the source, nanoseconds since the epoch; 0 without packets
 * @param lastNs time of the last packet in that order
 * @param linkTypes link types met, {@link io.offhook.packet.LinkType} values in the order of their interfaces
 * @param sipRequests SIP requests, copies included
 * @param sipResponses SIP responses, copies included
 * @param callIds different Call-IDs
 * @param rtpPackets packets of the streams reported, of calls and of none
 * @param rtcpPackets compound packets that are RTCP
 * @param counters what was not understood, dropped or evicted: only what is above zero
 * @param losses what the files say that the capture itself lost, in no order
 * @param encryptedSignalling servers that are talked to in SIP over TLS, in the order in which they were met
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
        List<Counter> counters,
        List<CaptureLoss> losses,
        List<EncryptedSignalling> encryptedSignalling) {

    /**
     * A count of something that did not go as it should, or was left out, and where in the capture that was.
     *
     * @param name camelCase, as docs/OUTPUT.md lists it
     * @param count above 0
     * @param firstFrame the first packet that it happened to, 1-based; 0 where that cannot be said
     * @param lastFrame the last packet that it happened to; 0 where that cannot be said
     * @param firstNs when it happened first, nanoseconds since the epoch; 0, as {@code lastNs}, where that cannot be said
     * @param lastNs when it happened last
     */
    public record Counter(String name, long count, long firstFrame, long lastFrame, long firstNs, long lastNs) {

        static Counter of(String name, PlacedCount count) {
            return new Counter(
                    name, count.count(), count.firstFrame(), count.lastFrame(), count.firstNs(), count.lastNs());
        }

        /** Whether it can be said at which packets it happened. */
        public boolean hasFrames() {
            return firstFrame > 0;
        }

        /** Whether it can be said when it happened. */
        public boolean hasTimes() {
            return firstFrame > 0 || lastNs > 0;
        }
    }
}
