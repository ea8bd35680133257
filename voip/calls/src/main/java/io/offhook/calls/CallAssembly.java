package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.LossTimes;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The three machines that make calls, wired: dialogs by Call-ID, endpoints bound to calls by SDP, streams of media. They
 * are fed in rounds: all SIP of a round (each shard by one thread), {@link #publish()}, then its media.
 *
 * <p>Sans I/O and without a clock: what it says is a function of what it was fed.
 */
public final class CallAssembly implements TrafficSink {
    /** The most calls that it can be told to keep. */
    public static final int MOST_CALLS = 1 << 19;

    private static final int MOST_STREAMS = 1 << 20;
    private static final int MOST_CONVERSATIONS = 1 << 16;

    private final MediaBindings bindings = new MediaBindings();
    private final CallTable[] calls;
    private final StreamTable[] streams;
    private final RtcpTable rtcp;
    private final IcmpErrors icmp = new IcmpErrors();
    private LossTimes toldLosses = new LossTimes();
    private LossTimes shownLosses = new LossTimes();

    /**
     * Nothing fed yet. All that is kept follows from the number of calls: half as many other dialogs and registrations, four
     * streams a call.
     *
     * @param keptCalls how many calls are kept at most, 1 to {@link #MOST_CALLS}; of those beyond, the ones that ended first
     *     give way
     * @param sipShards parts of the dialogs, by Call-ID
     * @param rtpShards parts of the streams, by key
     * @param compatible whether Wireshark's figures are wanted too
     * @param listener told of every SIP message; then {@link #sip} is called by one thread at a time
     */
    public CallAssembly(
            int keptCalls, int sipShards, int rtpShards, boolean compatible, @Nullable SipListener listener) {
        if (keptCalls < 1 || keptCalls > MOST_CALLS) {
            throw new IllegalArgumentException("keptCalls " + keptCalls + " is outside 1 to " + MOST_CALLS);
        }
        calls = new CallTable[sipShards];
        for (int i = 0; i < sipShards; i++) {
            calls[i] = new CallTable(listener, share(keptCalls, sipShards), share(keptCalls / 2, sipShards));
        }
        streams = new StreamTable[rtpShards];
        for (int i = 0; i < rtpShards; i++) {
            streams[i] = new StreamTable(
                    bindings,
                    compatible,
                    share(keptCalls / 4, rtpShards),
                    share(Math.min(4 * keptCalls, MOST_STREAMS), rtpShards));
        }
        rtcp = new RtcpTable(Math.min(2 * keptCalls, MOST_CONVERSATIONS));
    }

    private static int share(int most, int shards) {
        return Math.max(1, most / shards);
    }

    /** Takes the time of the capture's first packet, nanoseconds since the epoch, before anything else is fed. */
    @Override
    public void begin(long firstNs) {
        for (StreamTable table : streams) {
            table.captureStart(firstNs);
        }
    }

    /**
     * Tells when the capture lost packets, before reports are made; takes the place of what was told before.
     *
     * @param told of whatever kind, by the capture's own account
     * @param shown when it was seen to miss packets of other streams
     */
    public void captureLost(LossTimes told, LossTimes shown) {
        toldLosses = told;
        shownLosses = shown;
    }

    /** Takes a SIP message into account; one thread at a time a shard, in the order of capture. */
    @Override
    public void sip(int shard, SipPacket packet) {
        calls[shard].accept(packet);
    }

    /** Makes known to media what SDP has said since the last time; by one thread, while no other is at work here. */
    @Override
    public void publish() {
        List<MediaBinding> fresh = new ArrayList<>();
        List<Call> evicted = new ArrayList<>();
        for (CallTable table : calls) {
            table.fresh().drain(fresh, evicted);
        }
        fresh.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        for (MediaBinding binding : fresh) {
            bindings.add(binding);
        }
        for (Call call : evicted) {
            bindings.remove(call);
        }
    }

    /** Takes RTCP into account; by one thread, in the order of capture. */
    @Override
    public void rtcp(RtcpPacket packet) {
        rtcp.accept(packet);
    }

    /** Takes an ICMP error into account; by one thread, in the order of capture. */
    @Override
    public void icmp(IcmpEvent event) {
        icmp.accept(event);
    }

    /** Takes RTP into account; one thread at a time a shard, in the order of capture. */
    @Override
    public void rtp(int shard, RtpRows rows) {
        streams[shard].accept(rows);
    }

    MediaBindings bindings() {
        return bindings;
    }

    List<CallTable> callTables() {
        return List.of(calls);
    }

    List<StreamTable> streamTables() {
        return List.of(streams);
    }

    RtcpTable rtcpTable() {
        return rtcp;
    }

    /**
     * Whether what a stream shows is what its receiver got: not where the capture lost packets while it ran, nor where it
     * lacks packets at a time at which others were lost to the capture alone.
     */
    boolean isTrusted(RtpStream stream) {
        boolean lost = toldLosses.overlap(stream.firstNs(), stream.lastNs());
        boolean missed = stream.lost() > 0 && shownLosses.overlap(stream.firstNs(), stream.lastNs());
        return !lost && !missed;
    }

    IcmpErrors icmpErrors() {
        return icmp;
    }
}
