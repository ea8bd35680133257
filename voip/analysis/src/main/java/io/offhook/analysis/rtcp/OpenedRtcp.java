package io.offhook.analysis.rtcp;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.rtp.RtpRows;

/**
 * Passes traffic on, with RTCP opened where there is a key.
 *
 * @param sink receives all of it
 * @param opener opens RTCP; closed by whoever made it
 */
public record OpenedRtcp(TrafficSink sink, RtcpOpener opener) implements TrafficSink {
    @Override
    public void begin(long firstNs) {
        sink.begin(firstNs);
    }

    @Override
    public void sip(int shard, SipPacket message) {
        sink.sip(shard, message);
    }

    @Override
    public void publish() {
        sink.publish();
    }

    @Override
    public void rtcp(RtcpPacket packet) {
        RtcpPacket opened = opener.open(packet);
        sink.rtcp(opened == null ? packet : opened);
    }

    @Override
    public void icmp(IcmpEvent event) {
        sink.icmp(event);
    }

    @Override
    public void measured(MediaReport report) {
        sink.measured(report);
    }

    @Override
    public void rtp(int shard, RtpRows rows) {
        sink.rtp(shard, rows);
    }

    @Override
    public void endOfRound(long latestNs) {
        sink.endOfRound(latestNs);
    }

    @Override
    public boolean endsRun(RuntimeException thrown) {
        return sink.endsRun(thrown);
    }
}
