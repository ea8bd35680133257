package io.offhook.analysis;

import io.offhook.analysis.frames.CallMatch;
import io.offhook.analysis.frames.FrameNumbers;
import io.offhook.analysis.frames.LateDuplicates;
import io.offhook.calls.CallReport;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.packet.WrapStatus;
import io.offhook.pcap.PacketSource;
import io.offhook.rtp.RtpRows;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The frames of some calls, found by reading their capture once more: their SIP with all fragments and TCP segments,
 * the RTP and RTCP of their streams, and ICMP errors about them. Of a TCP connection that carries nothing else, all
 * packets belong to the calls, so that it can be read as it was; of a connection shared with others, only the packets
 * that carry bytes of their messages.
 */
public final class CallFrames {
    private final FrameNumbers frames;
    private final CallMatch match;
    private final Seen seen = new Seen();
    private @Nullable RuntimeException defect;
    private long untraced;
    private long untracedFragments;

    private CallFrames(List<CallReport> calls, boolean isByCall) {
        frames = new FrameNumbers(isByCall);
        match = new CallMatch(calls);
    }

    /**
     * Reads a source to its end.
     *
     * @param source the same packets, in the same order, as those that the calls were reported from
     * @param isByCall whether {@link #callsOf} will be called, which takes memory
     * @param lanes threads that work on it, 1 or more
     */
    public static CallFrames find(PacketSource source, List<CallReport> calls, boolean isByCall, int lanes) {
        return find(source, calls, isByCall, lanes, null);
    }

    /** As {@link #find(PacketSource, List, boolean, int)}; {@code tls} as in {@link Pipeline#tls}. */
    public static CallFrames find(
            PacketSource source,
            List<CallReport> calls,
            boolean isByCall,
            int lanes,
            @Nullable IntFunction<? extends TlsOpener> tls) {
        CallFrames found = new CallFrames(calls, isByCall);
        PipelineReport report = Pipeline.of(lanes)
                .tls(tls)
                .traced()
                .patient()
                .traffic(found.seen)
                .rounds(found.seen)
                .run(source);
        found.seen.finish();
        if (found.seen.connections.hasCalls()) {
            found.untraced = count("tcpPacketsUntraced", report);
            found.untracedFragments = count("fragmentsUntraced", report);
        }
        if (found.count() > 0) {
            found.untracedFragments += found.seen.duplicates.dropped();
        }
        found.defect = report.defect();
        return found;
    }

    private static long count(String counter, PipelineReport report) {
        return report.counters().stream()
                .filter(any -> any.name().equals(counter))
                .mapToLong(CaptureReport.Counter::count)
                .sum();
    }

    /** Whether a frame, given by its 1-based number in the source, belongs to any of the calls. */
    public boolean contains(long number) {
        return frames.contains(number);
    }

    /** The number of frames that belong to calls. */
    public int count() {
        return frames.count();
    }

    /** The calls that a frame belongs to: their indexes in the list, ascending, each once. */
    public int[] callsOf(long number) {
        int first = frames.firstOf(number);
        int end = first;
        while (frames.isOf(end, number)) {
            end++;
        }
        int[] calls = new int[end - first];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = frames.call(first + i);
        }
        return Arrays.stream(calls).distinct().toArray();
    }

    /**
     * The packets of TCP connections that reached a limit: {@code tcpPacketsUntraced} of docs/OUTPUT.md. Of these
     * connections, only the packets that carry bytes of the calls' messages were found. 0 if no call came over TCP.
     */
    public long untraced() {
        return untraced;
    }

    /**
     * The fragments that were forgotten because of a limit: {@code fragmentsUntraced} of docs/OUTPUT.md. Those of the
     * calls' messages and media are missing. 0 if no call can have had any of them.
     */
    public long untracedFragments() {
        return untracedFragments;
    }

    /** The first exception that was contained, in which case frames may be missing; null if there was none. */
    public @Nullable RuntimeException defect() {
        return defect;
    }

    /** Packets of a shard of a round that are of calls: the number of the frame, and the call. */
    private static final class Hits {
        private long[] numbers = new long[64];
        private int[] calls = new int[64];
        private int count;
        /** The number of the current frame. */
        private long number;

        void add(int call) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
                calls = Arrays.copyOf(calls, 2 * count);
            }
            numbers[count] = number;
            calls[count++] = call;
        }
    }

    /** Looks at what a pipeline finds. */
    private final class Seen implements TrafficSink, RoundSink {
        private final Hits[] rtp = new Hits[Shards.RTP];
        private final Hits controls = new Hits();
        private final List<Map<SipPacket, List<Integer>>> messages = new ArrayList<>();
        private final SipMessageView[] views = new SipMessageView[Shards.SIP];
        private final CarriedConnections connections = new CarriedConnections();
        private final LateDuplicates duplicates = new LateDuplicates();

        Seen() {
            Arrays.setAll(rtp, _ -> new Hits());
            Arrays.setAll(views, _ -> new SipMessageView());
            for (int i = 0; i < Shards.SIP; i++) {
                messages.add(new IdentityHashMap<>());
            }
        }

        @Override
        public void sip(int shard, SipPacket message) {
            SipMessageView view = views[shard];
            if (view.wrap(message.segment(), message.offset(), message.length()) != WrapStatus.MALFORMED) {
                List<Integer> calls = match.callsOf(view.callId(), message.frameNumber());
                if (!calls.isEmpty()) {
                    messages.get(shard).put(message, calls);
                }
            }
        }

        @Override
        public void rtcp(RtcpPacket packet) {
            controls.number = packet.frameNumber();
            match.rtcp(packet, controls::add);
        }

        @Override
        public void icmp(IcmpEvent event) {
            controls.number = event.frameNumber();
            match.icmp(event, controls::add);
        }

        @Override
        public void rtp(int shard, RtpRows rows) {
            Hits hits = rtp[shard];
            for (int row = 0; row < rows.end(); row += RtpRows.WIDTH) {
                hits.number = rows.frame(row);
                match.rtp(rows, row, hits::add);
            }
        }

        @Override
        public void round(Round round) {
            for (Hits hits : rtp) {
                add(round, hits);
            }
            add(round, controls);
            try {
                for (SipPacket message : round.messages()) {
                    message(round, message);
                }
            } finally {
                messages.forEach(Map::clear);
            }
            round.lateDuplicates(duplicates::add);
        }

        private void add(Round round, Hits hits) {
            for (int i = 0; i < hits.count; i++) {
                int call = hits.calls[i];
                round.framesOf(hits.numbers[i], frame -> frames.add(frame, call));
            }
            hits.count = 0;
        }

        private void message(Round round, SipPacket message) {
            List<Integer> calls = messages.get(Shards.sip(message.callIdHash())).get(message);
            TracedConnection connection = round.connectionOf(message);
            if (connection != null) {
                connections.message(connection, calls == null ? List.of() : calls);
            }
            if (calls != null) {
                round.framesOf(message, frame -> calls.forEach(call -> frames.add(frame, call)));
            }
        }

        /** Adds the packets of the connections that are the calls' own, and late duplicates of fragments. */
        void finish() {
            addConnections();
            // all are looked up before one is added, which would have them sorted again
            List<int[]> calls = new ArrayList<>();
            for (int i = 0; i < duplicates.count(); i++) {
                calls.add(callsOf(duplicates.completingFrame(i)));
            }
            for (int i = 0; i < duplicates.count(); i++) {
                long frame = duplicates.frame(i);
                if (frames.contains(duplicates.completingFrame(i))) {
                    frames.add(frame);
                }
                for (int call : calls.get(i)) {
                    frames.add(frame, call);
                }
            }
        }

        private void addConnections() {
            connections.ofCallsAlone((connection, call) -> connection.frames(frame -> {
                if (call == CarriedConnections.SEVERAL_CALLS) {
                    frames.add(frame); // of the calls, but of none of them by itself
                } else {
                    frames.add(frame, call);
                }
            }));
        }
    }
}
