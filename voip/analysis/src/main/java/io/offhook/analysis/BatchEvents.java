package io.offhook.analysis;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.rtp.RtpRows;
import java.util.ArrayList;
import java.util.List;

/**
 * The events that a lane found in one batch of frames, by the shard that processes them: RTP by stream, TCP by
 * connection. SIP, RTCP, fragments, what other protocols carry, and ICMP errors, which are few, have one list each. All lists are in the order of
 * capture.
 */
final class BatchEvents {
    final RtpRows[] rtp = new RtpRows[Shards.RTP];
    final SegmentEvents[] tcp = new SegmentEvents[Shards.TCP];
    final List<SipPacket> sip = new ArrayList<>();
    final List<RtcpPacket> rtcp = new ArrayList<>();
    final List<FragmentEvent> fragments = new ArrayList<>();
    final List<CarriedStage.Packet> carried = new ArrayList<>();
    final List<IcmpEvent> icmp = new ArrayList<>();
    final List<MediaReport> measured = new ArrayList<>();
    final AssignedMedia assigned = new AssignedMedia();
    final CaptureCounters counters = new CaptureCounters();
    /** Whether the headers of a SIP message are not complete: what it belongs to may depend on all messages before it. */
    boolean hasCutHeaders;
    /** The latest time of a frame; Long.MIN_VALUE without any. */
    long latestNs = Long.MIN_VALUE;

    BatchEvents() {
        for (int i = 0; i < rtp.length; i++) {
            rtp[i] = new RtpRows();
        }
        for (int i = 0; i < tcp.length; i++) {
            tcp[i] = new SegmentEvents();
        }
    }

    /** Merges RTCP, ICMP errors and media reports that came in fragments or other protocols, at the frames that completed them. */
    void addControls(BatchEvents late) {
        if (!late.rtcp.isEmpty()) {
            rtcp.addAll(late.rtcp);
            rtcp.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        }
        if (!late.icmp.isEmpty()) {
            icmp.addAll(late.icmp);
            icmp.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        }
        if (!late.measured.isEmpty()) {
            measured.addAll(late.measured);
            measured.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        }
    }

    /** Whether it has RTCP, ICMP errors or media reports. */
    boolean hasControls() {
        return !rtcp.isEmpty() || !icmp.isEmpty() || !measured.isEmpty();
    }

    /** Clears the events, but not the counters. */
    void clear() {
        for (RtpRows rows : rtp) {
            rows.clear();
        }
        for (SegmentEvents events : tcp) {
            events.clear();
        }
        sip.clear();
        rtcp.clear();
        fragments.clear();
        carried.clear();
        icmp.clear();
        measured.clear();
        assigned.clear();
        hasCutHeaders = false;
        latestNs = Long.MIN_VALUE;
    }
}
