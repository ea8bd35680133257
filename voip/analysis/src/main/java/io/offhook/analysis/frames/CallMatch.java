package io.offhook.analysis.frames;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.packet.Endpoint;
import io.offhook.packet.WrapStatus;
import io.offhook.rtp.RtcpReader;
import io.offhook.rtp.RtcpView;
import io.offhook.rtp.RtpRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Decides which packets belong to a list of calls, by what was reported of them: Call-IDs, streams with their times,
 * RTCP about these, ICMP errors. Endpoints and SSRCs may be reused by a later call, so each has a time. Calls are
 * reported by their index in the list. {@link #rtp} may be called by several threads, everything else by one.
 */
public final class CallMatch {
    /** RTCP begins before its media and ends after it by an interval or two (RFC 3550, 6.2). */
    private static final long RTCP_MARGIN_NS = 15_000_000_000L;

    /** The time in which an error may arrive, as long as a packet may live. */
    private static final long ICMP_MARGIN_NS = 60_000_000_000L;

    private record Pair(Endpoint source, Endpoint destination) {}

    /** A stream, from its first frame to its last time. */
    private record Window(int call, long hash, long firstFrame, long fromNs, long untilNs, StreamReport stream) {}

    private record Span(int call, long fromNs, long untilNs) {
        boolean holds(long ns) {
            return ns >= fromNs && ns <= untilNs;
        }
    }

    /** The calls of each Call-ID. */
    private final Map<String, List<Integer>> callIds = new HashMap<>();

    /** The calls of messages whose Call-ID was cut off. */
    private final Map<Long, List<Integer>> cutFrames = new HashMap<>();

    private final List<Window> windows = new ArrayList<>();
    /** The windows in the order of their hashes. */
    private final Window[] byHash;

    private final long[] hashes;
    private final Map<Long, List<Window>> bySsrc = new HashMap<>();
    /** By both ends, in either direction: two hosts may have very many streams between them. */
    private final Map<Pair, List<Window>> byEnds = new HashMap<>();

    private final Map<Pair, List<Span>> icmp = new HashMap<>();
    private final RtcpReader reader = new RtcpReader();
    private final RtcpView report = new RtcpView();

    public CallMatch(List<CallReport> calls) {
        for (int i = 0; i < calls.size(); i++) {
            CallReport call = calls.get(i);
            for (CallReport.Dialog dialog : call.dialogs()) {
                if (!dialog.isCallIdPartial()) {
                    callIds.computeIfAbsent(dialog.callId(), _ -> new ArrayList<>(1))
                            .add(i);
                }
            }
            for (long frame : call.cutFrames()) {
                cutFrames.computeIfAbsent(frame, _ -> new ArrayList<>(1)).add(i);
            }
            long lastNs = call.times().endedNs() == CallReport.NEVER
                    ? call.times().startedNs()
                    : call.times().endedNs();
            for (StreamReport stream : call.streams()) {
                add(i, stream);
                lastNs = Math.max(lastNs, stream.statistics().lastNs());
            }
            for (IcmpEvent error : call.icmpErrors()) {
                Span span = new Span(
                        i,
                        Math.min(error.timestampNs(), call.times().firstSeenNs()),
                        Math.max(error.timestampNs(), lastNs + ICMP_MARGIN_NS));
                icmp.computeIfAbsent(new Pair(error.source(), error.destination()), _ -> new ArrayList<>(1))
                        .add(span);
            }
        }
        byHash = windows.toArray(Window[]::new);
        Arrays.sort(byHash, (a, b) -> Long.compare(a.hash(), b.hash()));
        hashes = Arrays.stream(byHash).mapToLong(Window::hash).toArray();
    }

    private void add(int call, StreamReport stream) {
        Endpoint a = stream.source();
        Endpoint b = stream.destination();
        Window window = new Window(
                call,
                hash(stream),
                stream.firstFrame(),
                stream.statistics().firstNs(),
                stream.statistics().lastNs(),
                stream);
        windows.add(window);
        bySsrc.computeIfAbsent(stream.ssrc(), _ -> new ArrayList<>(1)).add(window);
        byEnds.computeIfAbsent(new Pair(a, b), _ -> new ArrayList<>(1)).add(window);
        byEnds.computeIfAbsent(new Pair(b, a), _ -> new ArrayList<>(1)).add(window);
    }

    private static long hash(StreamReport stream) {
        Endpoint a = stream.source();
        Endpoint b = stream.destination();
        return a.isIpv4()
                ? RtpRows.hash(RtpRows.addresses(a.low(), b.low()), portsSsrc(stream))
                : RtpRows.hash(a.high(), a.low(), b.high(), b.low(), portsSsrc(stream));
    }

    private static long portsSsrc(StreamReport stream) {
        return (long) stream.source().port() << 48 | (long) stream.destination().port() << 32 | stream.ssrc();
    }

    /** The calls with that Call-ID; where it was cut off, those that the message of a frame belongs to. */
    public List<Integer> callsOf(String callId, long frame) {
        return callId.isEmpty() ? cutFrames.getOrDefault(frame, List.of()) : callIds.getOrDefault(callId, List.of());
    }

    /** Finds the calls that an RTP packet belongs to. */
    public void rtp(RtpRows rows, int row, IntConsumer found) {
        long hash = rows.hash(row);
        int at = Arrays.binarySearch(hashes, hash);
        if (at < 0) {
            return;
        }
        while (at > 0 && hashes[at - 1] == hash) {
            at--;
        }
        for (; at < hashes.length && hashes[at] == hash; at++) {
            Window window = byHash[at];
            if (rows.frame(row) >= window.firstFrame()
                    && rows.arrivalNs(row) <= window.untilNs()
                    && isOf(window.stream(), rows, row)) {
                found.accept(window.call());
            }
        }
    }

    private static boolean isOf(StreamReport stream, RtpRows rows, int row) {
        Endpoint source = stream.source();
        Endpoint destination = stream.destination();
        return rows.portsSsrc(row) == portsSsrc(stream)
                && rows.sourceHigh(row) == source.high()
                && rows.sourceLow(row) == source.low()
                && rows.destinationHigh(row) == destination.high()
                && rows.destinationLow(row) == destination.low();
    }

    /** Finds the calls that a compound RTCP packet is about: by both ends of a stream, or by its SSRC and one end. */
    public void rtcp(RtcpPacket packet, IntConsumer found) {
        if (windows.isEmpty()) {
            return;
        }
        for (int before = 0; before < 4; before++) {
            between(packet, before & 1, before >> 1, found);
        }
        if (reader.wrap(packet.segment(), packet.offset(), packet.length()) == WrapStatus.MALFORMED) {
            return;
        }
        for (WrapStatus status = reader.next(report); status == WrapStatus.OK; status = reader.next(report)) {
            int type = report.packetType();
            if (type == RtcpView.SENDER_REPORT || type == RtcpView.RECEIVER_REPORT) {
                named(report.senderSsrc(), packet, found);
                for (int i = 0; i < report.reportCount(); i++) {
                    named(report.reportSsrc(i), packet, found);
                }
            }
        }
    }

    /**
     * Finds the streams between the ports of an RTCP packet, or the ports before them: RTCP goes to the port of the
     * media (RFC 5761) or to the next one.
     */
    private void between(RtcpPacket packet, int beforeSource, int beforeDestination, IntConsumer found) {
        Endpoint source = packet.source();
        Endpoint destination = packet.destination();
        if (source.port() < beforeSource || destination.port() < beforeDestination) {
            return;
        }
        Pair media = new Pair(
                new Endpoint(source.high(), source.low(), source.port() - beforeSource),
                new Endpoint(destination.high(), destination.low(), destination.port() - beforeDestination));
        for (Window window : byEnds.getOrDefault(media, List.of())) {
            if (isDuring(window, packet.timestampNs())) {
                found.accept(window.call());
            }
        }
    }

    private void named(long ssrc, RtcpPacket packet, IntConsumer found) {
        Endpoint source = packet.source();
        Endpoint destination = packet.destination();
        for (Window window : bySsrc.getOrDefault(ssrc, List.of())) {
            StreamReport stream = window.stream();
            boolean sharesHost = isHost(source, stream.source())
                    || isHost(source, stream.destination())
                    || isHost(destination, stream.source())
                    || isHost(destination, stream.destination());
            if (sharesHost && isDuring(window, packet.timestampNs())) {
                found.accept(window.call());
            }
        }
    }

    private static boolean isHost(Endpoint one, Endpoint other) {
        return one.high() == other.high() && one.low() == other.low();
    }

    private static boolean isDuring(Window window, long timestampNs) {
        return timestampNs >= window.fromNs() - RTCP_MARGIN_NS && timestampNs <= window.untilNs() + RTCP_MARGIN_NS;
    }

    /** Finds the calls of which an ICMP error quotes a packet. */
    public void icmp(IcmpEvent event, IntConsumer found) {
        for (Span span : icmp.getOrDefault(new Pair(event.source(), event.destination()), List.of())) {
            if (span.holds(event.timestampNs())) {
                found.accept(span.call());
            }
        }
    }
}
