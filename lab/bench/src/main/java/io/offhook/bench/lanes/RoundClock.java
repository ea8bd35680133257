package io.offhook.bench.lanes;

import io.offhook.analysis.Shards;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.ConcurrentFill;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import io.offhook.rtp.RtpRows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source in front of a pipeline of one lane and a sink behind it, which measure the time in between. Rounds that are not
 * read in stretches, the first ones and the last one, are left out.
 */
final class RoundClock extends WrappedSource implements ConcurrentFill, TrafficSink {
    private final @Nullable ConcurrentFill fill;
    private final CallAssembly calls = new CallAssembly(100_000, Shards.SIP, Shards.RTP, MediaOptions.DEFAULT, null);
    private final List<RoundTimes> rounds = new ArrayList<>();
    private @Nullable RoundTimes round;
    private int batch = -1;
    private long sinceNs;
    private boolean isDecoding;

    RoundClock(PacketSource source) {
        super(source);
        fill = source.concurrently();
    }

    List<RoundTimes> rounds() {
        return rounds;
    }

    private long lap() {
        long now = System.nanoTime();
        long took = now - sinceNs;
        sinceNs = now;
        return took;
    }

    @Override
    public boolean begin(int batches, int capacity) {
        boolean begins = fill != null && fill.begin(batches, capacity);
        round = begins ? new RoundTimes(batches) : null;
        batch = -1;
        isDecoding = true;
        lap();
        return begins;
    }

    @Override
    public boolean fill(int i, FrameBatch to) {
        decoded();
        boolean filled = fill != null && fill.fill(i, to);
        batch = i;
        if (round != null) {
            round.scan[i] = lap();
        }
        return filled;
    }

    private void decoded() {
        long took = lap();
        if (round != null && batch >= 0) {
            round.decode[batch] += took;
        }
    }

    @Override
    public void end() {
        decoded();
        if (fill != null) {
            fill.end();
        }
        alone();
    }

    private void alone() {
        long took = lap();
        if (round != null) {
            round.alone += took;
        }
    }

    private void streams() {
        long took = lap();
        if (round != null && isDecoding) {
            round.streams += took;
        }
        isDecoding = false;
    }

    @Override
    public void begin(long firstNs) {
        calls.begin(firstNs);
    }

    @Override
    public void sip(int shard, SipPacket message) {
        streams();
        calls.sip(shard, message);
        if (round != null) {
            round.sip[shard] += lap();
        }
    }

    @Override
    public void publish() {
        streams();
        calls.publish();
        alone();
    }

    @Override
    public void rtcp(RtcpPacket packet) {
        calls.rtcp(packet);
        alone();
    }

    @Override
    public void icmp(IcmpEvent event) {
        calls.icmp(event);
        alone();
    }

    @Override
    public void rtp(int shard, RtpRows rows) {
        calls.rtp(shard, rows);
        if (round != null) {
            round.rtp[shard] += lap();
        }
    }

    @Override
    public void endOfRound(long latestNs) {
        lap();
        calls.endOfRound(latestNs);
        alone();
        if (round != null) {
            rounds.add(round);
            round = null;
        }
    }

    @Override
    public ConcurrentFill concurrently() {
        return this;
    }
}
