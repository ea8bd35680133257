package io.offhook.calls;

import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.binding.Naming;
import io.offhook.calls.binding.Taking;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.LossTimes;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.calls.figures.CapturedStream;
import io.offhook.calls.figures.FiguresSink;
import io.offhook.calls.join.JoinHeaders;
import io.offhook.calls.join.JoinOptions;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.figures.ConversationFigures;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamFigures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machines that make calls, wired together: dialogs by Call-ID, endpoints bound to calls by SDP, streams of media.
 * They are fed in rounds: all SIP of a round, {@link #publish()}, then its media. SDP counts for packets behind its message
 * (by their frame numbers) and for those that still wait for a codec, wherever rounds end.
 *
 * <p>Sans I/O and without a clock: the result is a function of what was fed.
 */
public final class CallAssembly implements TrafficSink {
    /** The largest limit of calls. */
    public static final int MOST_CALLS = 1 << 19;

    private static final int MOST_STREAMS = 1 << 20;

    /** 256 MiB, where they are asked for. */
    private static final int MOST_LOGGED_PACKETS = 1 << 24;

    private static final int MOST_CONVERSATIONS = 1 << 16;

    private final MediaBindings bindings;
    private final CallTable[] calls;
    private final CutCalls cut;
    private final StreamTable[] streams;
    private final RtcpTable rtcp;
    private final MediaOptions media;
    private final ProblemLimits limits;
    private final JoinOptions joins;
    private final IcmpErrors icmp = new IcmpErrors();
    private final MediaReportTable measured;
    private LossTimes reportedLosses = new LossTimes();
    private LossTimes shownLosses = new LossTimes();

    /** The same with {@link ProblemLimits#DEFAULT} and {@link JoinOptions#DEFAULT}. */
    public CallAssembly(
            int keptCalls, int sipShards, int rtpShards, MediaOptions media, @Nullable SipListener listener) {
        this(keptCalls, sipShards, rtpShards, media, ProblemLimits.DEFAULT, JoinOptions.DEFAULT, listener);
    }

    /**
     * Creates an empty assembly. All limits follow from the number of calls: half as many other dialogs and
     * registrations, four streams for each call.
     *
     * @param keptCalls the most calls kept, 1 to {@link #MOST_CALLS}; beyond that, the call that ended first is evicted
     * @param sipShards parts of the dialogs, by Call-ID
     * @param rtpShards parts of the streams, by key
     * @param media what is computed of streams
     * @param limits from where on something is a problem
     * @param joins how the legs of a call are found
     * @param listener receives every SIP message, and requires that {@link #sip} is called by one thread at a time; or
     *     null
     */
    public CallAssembly(
            int keptCalls,
            int sipShards,
            int rtpShards,
            MediaOptions media,
            ProblemLimits limits,
            JoinOptions joins,
            @Nullable SipListener listener) {
        this.media = media;
        this.limits = limits;
        this.joins = joins;
        bindings = new MediaBindings(joins.joins() ? new MediaBindings.LegCandidates() : null);
        if (keptCalls < 1 || keptCalls > MOST_CALLS) {
            throw new IllegalArgumentException("keptCalls " + keptCalls + " is outside 1 to " + MOST_CALLS);
        }
        JoinHeaders headers = new JoinHeaders(joins);
        calls = new CallTable[sipShards];
        for (int i = 0; i < sipShards; i++) {
            calls[i] = new CallTable(headers, listener, share(keptCalls, sipShards), share(keptCalls / 2, sipShards));
        }
        cut = new CutCalls(calls);
        streams = new StreamTable[rtpShards];
        for (int i = 0; i < rtpShards; i++) {
            streams[i] = new StreamTable(
                    bindings,
                    media,
                    share(keptCalls / 4, rtpShards),
                    share(Math.min(4 * keptCalls, MOST_STREAMS), rtpShards),
                    new PacketLog.Room(MOST_LOGGED_PACKETS / rtpShards));
        }
        measured = new MediaReportTable(keptCalls, Math.min(4 * keptCalls, MOST_STREAMS));
        rtcp = new RtcpTable(Math.min(2 * keptCalls, MOST_CONVERSATIONS), media.intervals());
    }

    private static int share(int most, int shards) {
        return Math.max(1, most / shards);
    }

    /** Sets the time of the capture's first packet, nanoseconds since the epoch, before anything else is fed. */
    @Override
    public void begin(long firstNs) {
        for (StreamTable table : streams) {
            table.captureStart(firstNs);
        }
    }

    /**
     * Sets the times at which the capture lost packets, before reports are made; replaces those set before.
     *
     * @param reported losses of any kind that the capture itself reports
     * @param shown times at which packets of other streams were seen to be missing
     */
    public void captureLost(LossTimes reported, LossTimes shown) {
        reportedLosses = reported;
        shownLosses = shown;
    }

    /**
     * Processes a SIP message; for each shard on one thread at a time, in the order of capture. From the first message without
     * all of its headers on, those of all shards on one thread, in the order of capture.
     */
    @Override
    public void sip(int shard, SipPacket packet) {
        CallTable table = calls[shard];
        table.accept(packet);
        if (cut.isNeeded() || table.hasCut()) {
            cut.complete(table, packet.frameNumber());
        }
    }

    /** Makes the SDP since the last call known to media; on one thread, while no other is working here. */
    @Override
    public void publish() {
        cut.complete();
        List<MediaBinding> fresh = new ArrayList<>();
        List<Call> evicted = new ArrayList<>();
        for (CallTable table : calls) {
            table.fresh().drain(fresh, evicted);
        }
        bindings.publish(fresh, evicted);
    }

    /** Processes RTCP; on one thread, in the order of capture. */
    @Override
    public void rtcp(RtcpPacket packet) {
        rtcp.accept(packet);
    }

    /** Processes an ICMP error; on one thread, in the order of capture. */
    @Override
    public void icmp(IcmpEvent event) {
        icmp.accept(event);
    }

    /** Processes what somebody else measured of a stream, or assigns to a call; on one thread, in the order of capture. */
    @Override
    public void measured(MediaReport report) {
        measured.accept(report);
    }

    /** Processes RTP; for each shard on one thread at a time, in the order of capture. */
    @Override
    public void rtp(int shard, RtpRows rows) {
        streams[shard].accept(rows);
    }

    /**
     * Adds a stream that was counted elsewhere, in the place of what was added of it before; on one thread, while no other is
     * working here. Its packets must not be passed to {@link #rtp}.
     *
     * @param figures of all its packets so far
     * @param sample of its packets, as a {@link FiguresSink} was given it last; or null
     * @return false if there is no room, which is counted
     * @throws IllegalArgumentException if the figures are those of no stream
     */
    public boolean add(CapturedStream stream, StreamFigures figures, @Nullable SampleFigures sample) {
        long hash = RtpRows.hash(stream.source(), stream.destination(), stream.ssrc());
        return streams[(int) Long.remainderUnsigned(hash >>> 32, streams.length)].add(stream, figures, sample);
    }

    /** Adds RTCP between two endpoints that was read elsewhere, in the place of what was added of it before; as {@link #rtcp}. */
    public void add(Endpoint one, Endpoint other, ConversationFigures figures) {
        rtcp.add(one, other, figures);
    }

    /**
     * Passes on what changed of streams and of RTCP: of each stream once an interval of five seconds, if it had packets, and of
     * RTCP between two endpoints at most as often. To be called at the end of rounds, on one thread, while no other is working
     * here, and before reports are made, which may set codecs.
     *
     * @param nowNs the time of the latest packet, nanoseconds since the epoch; Long.MAX_VALUE for all that was not passed on
     *     yet
     */
    public void figures(long nowNs, FiguresSink sink) {
        for (StreamTable table : streams) {
            table.figures(nowNs, sink);
        }
        rtcp.figures(nowNs, sink);
    }

    /**
     * The Call-ID of the call whose SDP names one of two endpoints for media, or for its RTCP on the next port. To be called
     * by a sink behind this one, from {@link #publish} to the end of the round, except while RTP is passed.
     *
     * @param atNs nanoseconds since the epoch
     * @return null if no call is known
     */
    public @Nullable String callIdOfMedia(Endpoint source, Endpoint destination, long atNs) {
        for (Endpoint endpoint : new Endpoint[] {source, destination}) {
            MediaBinding binding = bindings.find(endpoint, atNs);
            if (binding == null && endpoint.port() > 0) {
                binding = bindings.find(endpoint.withPort(endpoint.port() - 1), atNs);
            }
            if (binding != null) {
                return binding.call().callId();
            }
        }
        return null;
    }

    /**
     * What the SDP of its calls names, in the order of each call's messages: for joins with streams that are elsewhere. To be
     * called after {@link #publish}.
     */
    public List<Naming> namings() {
        List<Naming> namings = new ArrayList<>();
        for (CallTable table : calls) {
            for (Call call : table.calls()) {
                NamedCall named = call.named();
                for (MediaBinding binding : call.media().bindings()) {
                    namings.add(new Naming(
                            named,
                            binding.side() == Side.CALLER,
                            binding.endpoint(),
                            binding.rtcp(),
                            binding.fromNs(),
                            binding.frameNumber()));
                }
            }
        }
        return namings;
    }

    /**
     * What the calls are now, as far as it matters for whose media something is; also of those whose SDP names nothing. To be
     * called after {@link #publish}.
     */
    public List<NamedCall> namedCalls() {
        List<NamedCall> named = new ArrayList<>();
        for (CallTable table : calls) {
            table.calls().forEach(call -> named.add(call.named()));
        }
        return named;
    }

    /**
     * Notes that a call which is elsewhere has a port of one here, by its SDP; between the messages that were before and after it.
     *
     * @param callIdHash of the one here; nothing happens if there is none
     */
    public void takenOver(long callIdHash, Taking taking) {
        for (CallTable table : calls) {
            for (Call call : table.calls()) {
                if (call.callIdHash() == callIdHash) {
                    call.media().takenOver(taking);
                }
            }
        }
    }

    MediaOptions media() {
        return media;
    }

    ProblemLimits limits() {
        return limits;
    }

    JoinOptions joins() {
        return joins;
    }

    /** For a report, which needs no packets before the end of this round. */
    MediaBindings bindings() {
        bindings.forgetRemoved();
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
     * Whether a stream shows what its receiver got: not if the capture lost packets while the stream ran, nor if the
     * stream lacks packets at a time at which other packets were lost to the capture alone.
     */
    boolean isTrusted(RtpStream stream) {
        boolean lost = reportedLosses.overlap(stream.firstNs(), stream.lastNs());
        boolean missed = stream.lost() > 0 && shownLosses.overlap(stream.firstNs(), stream.lastNs());
        return !lost && !missed;
    }

    /** The times at which the capture itself reports that it lost packets. */
    LossTimes reportedLosses() {
        return reportedLosses;
    }

    /** The times at which packets of other streams were seen to be missing, as they were set last by {@link #captureLost}. */
    public LossTimes shownLosses() {
        return shownLosses;
    }

    MediaReportTable mediaReports() {
        return measured;
    }

    IcmpErrors icmpErrors() {
        return icmp;
    }
}
