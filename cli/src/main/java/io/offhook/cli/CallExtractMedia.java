package io.offhook.cli;

import io.offhook.calls.CallReport;
import io.offhook.calls.IcmpEvent;
import io.offhook.calls.StreamReport;
import io.offhook.packet.Endpoint;
import io.offhook.packet.WrapStatus;
import io.offhook.rtp.RtcpReader;
import io.offhook.rtp.RtcpView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which RTP, RTCP and ICMP packets belong to some calls: by what was reported of their streams. Endpoints and SSRCs may be
 * used again by a later call, so each has its time. Single-threaded.
 */
final class CallExtractMedia {
    /** RTCP begins before its media and ends after it, by an interval or two (RFC 3550, 6.2). */
    private static final long RTCP_MARGIN_NS = 15_000_000_000L;
    /** Errors come back within the time that a packet may live. */
    private static final long ICMP_MARGIN_NS = 60_000_000_000L;

    private record StreamKey(Endpoint source, Endpoint destination, long ssrc) {}

    private record Pair(Endpoint source, Endpoint destination) {}

    private record Hosts(long oneHigh, long oneLow, long otherHigh, long otherLow) {}

    /** A stream, from its first frame to its last time. */
    private record Window(int call, long firstFrame, long fromNs, long untilNs, StreamReport stream) {}

    private record Span(int call, long fromNs, long untilNs) {
        boolean holds(long ns) {
            return ns >= fromNs && ns <= untilNs;
        }
    }

    private final Map<StreamKey, List<Window>> streams = new HashMap<>();
    private final Map<Long, List<Window>> bySsrc = new HashMap<>();
    private final Map<Hosts, List<Window>> byHosts = new HashMap<>();
    private final Map<Pair, List<Span>> icmp = new HashMap<>();
    private final CallExtractHits hits;
    private final RtcpReader rtcp = new RtcpReader();
    private final RtcpView report = new RtcpView();

    /** @param hits gets the indexes of the calls that a packet is of */
    CallExtractMedia(List<CallReport> calls, CallExtractHits hits) {
        this.hits = hits;
        for (int i = 0; i < calls.size(); i++) {
            CallReport call = calls.get(i);
            long lastNs = call.endedNs() == CallReport.NEVER ? call.startedNs() : call.endedNs();
            for (StreamReport stream : call.streams()) {
                add(i, stream);
                lastNs = Math.max(lastNs, stream.statistics().lastNs());
            }
            for (IcmpEvent error : call.icmpErrors()) {
                Span span = new Span(
                        i,
                        Math.min(error.timestampNs(), call.firstSeenNs()),
                        Math.max(error.timestampNs(), lastNs + ICMP_MARGIN_NS));
                icmp.computeIfAbsent(new Pair(error.source(), error.destination()), pair -> new ArrayList<>(1))
                        .add(span);
            }
        }
    }

    private void add(int call, StreamReport stream) {
        Window window = new Window(
                call,
                stream.firstFrame(),
                stream.statistics().firstNs(),
                stream.statistics().lastNs(),
                stream);
        Endpoint a = stream.source();
        Endpoint b = stream.destination();
        streams.computeIfAbsent(new StreamKey(a, b, stream.ssrc()), key -> new ArrayList<>(1))
                .add(window);
        bySsrc.computeIfAbsent(stream.ssrc(), key -> new ArrayList<>(1)).add(window);
        byHosts.computeIfAbsent(hosts(a, b), key -> new ArrayList<>(2)).add(window);
        if (!hosts(a, b).equals(hosts(b, a))) {
            byHosts.computeIfAbsent(hosts(b, a), key -> new ArrayList<>(2)).add(window);
        }
    }

    private static Hosts hosts(Endpoint one, Endpoint other) {
        return new Hosts(one.high(), one.low(), other.high(), other.low());
    }

    boolean isEmpty() {
        return streams.isEmpty();
    }

    /** Finds the calls that an RTP packet is of. */
    void rtp(Endpoint source, Endpoint destination, long ssrc, long frameNumber, long timestampNs) {
        List<Window> windows = streams.get(new StreamKey(source, destination, ssrc));
        if (windows == null) {
            return;
        }
        for (Window window : windows) {
            if (frameNumber >= window.firstFrame() && timestampNs <= window.untilNs()) {
                hits.add(window.call());
            }
        }
    }

    /** Finds the calls that a compound RTCP packet is about: by both ends of a stream, or by its SSRC and one end. */
    void rtcp(Endpoint source, Endpoint destination, MemorySegment segment, long offset, int length, long timestampNs) {
        for (Window window : byHosts.getOrDefault(hosts(source, destination), List.of())) {
            if (isDuring(window, timestampNs) && arePortsOf(window.stream(), source, destination)) {
                hits.add(window.call());
            }
        }
        if (rtcp.wrap(segment, offset, length) == WrapStatus.MALFORMED) {
            return;
        }
        for (WrapStatus status = rtcp.next(report); status == WrapStatus.OK; status = rtcp.next(report)) {
            int type = report.packetType();
            if (type == RtcpView.SENDER_REPORT || type == RtcpView.RECEIVER_REPORT) {
                named(report.senderSsrc(), source, destination, timestampNs);
                for (int i = 0; i < report.reportCount(); i++) {
                    named(report.reportSsrc(i), source, destination, timestampNs);
                }
            }
        }
    }

    private void named(long ssrc, Endpoint source, Endpoint destination, long timestampNs) {
        for (Window window : bySsrc.getOrDefault(ssrc, List.of())) {
            StreamReport stream = window.stream();
            boolean sharesHost = isHost(source, stream.source())
                    || isHost(source, stream.destination())
                    || isHost(destination, stream.source())
                    || isHost(destination, stream.destination());
            if (sharesHost && isDuring(window, timestampNs)) {
                hits.add(window.call());
            }
        }
    }

    private static boolean isHost(Endpoint one, Endpoint other) {
        return one.high() == other.high() && one.low() == other.low();
    }

    private static boolean isDuring(Window window, long timestampNs) {
        return timestampNs >= window.fromNs() - RTCP_MARGIN_NS && timestampNs <= window.untilNs() + RTCP_MARGIN_NS;
    }

    /** RTCP goes to the port of the media (RFC 5761) or to the next one. */
    private static boolean arePortsOf(StreamReport stream, Endpoint source, Endpoint destination) {
        return isNear(source, stream.source()) && isNear(destination, stream.destination())
                || isNear(source, stream.destination()) && isNear(destination, stream.source());
    }

    private static boolean isNear(Endpoint control, Endpoint media) {
        return isHost(control, media) && (control.port() == media.port() || control.port() == media.port() + 1);
    }

    /** Finds the calls of which an ICMP error quotes a packet. */
    void icmp(Endpoint quotedSource, Endpoint quotedDestination, long timestampNs) {
        for (Span span : icmp.getOrDefault(new Pair(quotedSource, quotedDestination), List.of())) {
            if (span.holds(timestampNs)) {
                hits.add(span.call());
            }
        }
    }
}
