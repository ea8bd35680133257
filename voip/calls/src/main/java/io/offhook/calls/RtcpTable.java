package io.offhook.calls;

import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.figures.FiguresSink;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PlacedCount;
import io.offhook.rtp.ConversationMark;
import io.offhook.rtp.ReceptionSummary;
import io.offhook.rtp.RtcpReports;
import io.offhook.rtp.StreamInterval;
import io.offhook.rtp.figures.ConversationFigures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The RTCP reports by conversation, kept until it is known which streams they are about. Bounded: the conversation that
 * was silent longest is evicted and counted.
 */
final class RtcpTable {
    /** The number of packets remembered to recognize mirrored copies. */
    private static final int RECENT = 64;

    /** The most endpoints of a side, of which ICE has many, between which reports are searched. */
    private static final int MOST_ENDPOINTS = 32;

    private static final long MIRROR_NS = 5_000_000L;

    /** Two endpoints, in either direction. */
    private record Conversation(Endpoint one, Endpoint other) {
        static Conversation of(Endpoint a, Endpoint b) {
            return isBefore(a, b) ? new Conversation(a, b) : new Conversation(b, a);
        }

        private static boolean isBefore(Endpoint a, Endpoint b) {
            if (a.high() != b.high()) {
                return a.high() < b.high();
            }
            return a.low() != b.low() ? a.low() < b.low() : a.port() < b.port();
        }
    }

    /** In the order of their last packets, oldest first. */
    private final Map<Conversation, RtcpReports> conversations = new LinkedHashMap<>();

    /** What was passed on of figures; empty if they are not asked for. */
    private final Map<Conversation, Passed> passed = new HashMap<>(0);

    /** Up to where figures were passed on. */
    private static final class Passed {
        final ConversationMark mark = new ConversationMark();
        long compounds;
        long dueNs = Long.MIN_VALUE;
    }

    private @Nullable Map<Long, RtcpReports> bySsrc;
    private final long[] recentPrint = new long[RECENT];
    private final long[] recentNs = new long[RECENT];
    private int nextRecent;
    private final int maxConversations;
    private final boolean keepsHistory;
    private final PlacedCount mirrored = new PlacedCount();
    private final PlacedCount gone = new PlacedCount();
    private final PlacedCount undecodable = new PlacedCount();
    private final PlacedCount malformed = new PlacedCount();
    private final PlacedCount evicted = new PlacedCount();

    /** @param keepsHistory whether reports are kept one by one */
    RtcpTable(int maxConversations, boolean keepsHistory) {
        this.maxConversations = maxConversations;
        this.keepsHistory = keepsHistory;
    }

    void accept(RtcpPacket packet) {
        if (isMirrored(packet)) {
            mirrored.add(packet.frameNumber(), packet.timestampNs());
            return;
        }
        Conversation key = Conversation.of(packet.source(), packet.destination());
        RtcpReports reports = conversations.remove(key);
        if (reports == null) {
            if (makeRoom()) {
                gone.add(packet.frameNumber(), packet.timestampNs());
            }
            reports = new RtcpReports(keepsHistory);
        }
        conversations.put(key, reports); // moves it to the end of the order
        bySsrc = null;
        long undecodableBefore = reports.undecodable();
        long malformedBefore = reports.malformed();
        long evictedBefore = reports.evicted();
        reports.read(
                packet.segment(),
                packet.offset(),
                packet.length(),
                packet.wireLength(),
                packet.timestampNs(),
                packet.source());
        undecodable.add(reports.undecodable() - undecodableBefore, packet.frameNumber(), packet.timestampNs());
        malformed.add(reports.malformed() - malformedBefore, packet.frameNumber(), packet.timestampNs());
        evicted.add(reports.evicted() - evictedBefore, packet.frameNumber(), packet.timestampNs());
    }

    /** Removes the conversation that was silent longest if there is no room for another one, and says whether. */
    private boolean makeRoom() {
        if (conversations.size() < maxConversations) {
            return false;
        }
        Iterator<Conversation> silent = conversations.keySet().iterator();
        passed.remove(silent.next());
        silent.remove();
        return true;
    }

    /**
     * Adds a conversation that was read elsewhere, in the place of what was added of it before. What could not be decoded
     * was counted there.
     */
    void add(Endpoint one, Endpoint other, ConversationFigures figures) {
        Conversation key = Conversation.of(one, other);
        if (conversations.remove(key) == null && makeRoom()) {
            gone.add(0, latestNs(figures));
        }
        conversations.put(key, RtcpReports.of(figures));
        bySsrc = null;
    }

    private static long latestNs(ConversationFigures figures) {
        return figures.participants().stream()
                .mapToLong(participant -> participant.lastNs())
                .max()
                .orElse(0);
    }

    /** Passes on the figures of the conversations that went on, each at most once in five seconds. */
    void figures(long nowNs, FiguresSink sink) {
        conversations.forEach((key, reports) -> {
            Passed last = passed.computeIfAbsent(key, _ -> new Passed());
            if (nowNs >= last.dueNs && last.compounds != reports.compounds()) {
                last.compounds = reports.compounds();
                last.dueNs =
                        nowNs > Long.MAX_VALUE - StreamInterval.LENGTH_NS ? nowNs : nowNs + StreamInterval.LENGTH_NS;
                sink.conversation(key.one(), key.other(), reports.figuresSince(last.mark));
            }
        });
    }

    /** Whether the same bytes passed between the same endpoints a few ms before: no sender reports so often. */
    private boolean isMirrored(RtcpPacket packet) {
        long print = packet.source().hashCode() * 31L + packet.destination().hashCode();
        for (int i = 0; i < packet.length(); i++) {
            print = print * 0x100000001b3L + NetworkOrder.u8(packet.segment(), packet.offset() + i);
        }
        boolean seen = false;
        for (int i = 0; i < RECENT; i++) {
            seen |= recentPrint[i] == print && Math.abs(packet.timestampNs() - recentNs[i]) < MIRROR_NS;
        }
        recentPrint[nextRecent] = print;
        recentNs[nextRecent] = packet.timestampNs();
        nextRecent = (nextRecent + 1) % RECENT;
        return seen;
    }

    /**
     * Finds the reports on a stream, or at least of its sender: on its own ports (RFC 5761), on the next ones (RFC 3550, 11), on those that SDP
     * names, otherwise wherever its SSRC is reported on.
     */
    @Nullable
    RtcpReports find(
            long ssrc, Endpoint source, Endpoint destination, @Nullable Endpoint sender, @Nullable Endpoint receiver) {
        Endpoint[] sources = {source, next(source), sender};
        Endpoint[] destinations = {destination, next(destination), receiver};
        RtcpReports ofSender = null;
        for (Endpoint from : sources) {
            for (Endpoint to : destinations) {
                RtcpReports reports = from == null || to == null ? null : conversations.get(Conversation.of(from, to));
                if (reports != null && reports.about(ssrc) != null) {
                    return reports;
                }
                if (reports != null && reports.participant(ssrc) != null) {
                    ofSender = reports; // the receiver reports nothing
                }
            }
        }
        if (ofSender != null) {
            return ofSender;
        }
        return bySsrc().get(ssrc);
    }

    /**
     * The reports that passed between the endpoints that SDP names for the audio of both sides of a call, and for nothing
     * else; of many endpoints, the first ones of each side.
     */
    List<RtcpReports> between(List<MediaBinding> bindings) {
        Set<Endpoint> callers = rtcpEndpoints(bindings, Side.CALLER);
        Set<Endpoint> callees = rtcpEndpoints(bindings, Side.CALLEE);
        List<RtcpReports> found = new ArrayList<>(1);
        for (Endpoint caller : callers) {
            for (Endpoint callee : callees) {
                RtcpReports reports = conversations.get(Conversation.of(caller, callee));
                if (reports != null) {
                    found.add(reports);
                }
            }
        }
        return found;
    }

    private static Set<Endpoint> rtcpEndpoints(List<MediaBinding> bindings, Side side) {
        Set<Endpoint> endpoints = new LinkedHashSet<>();
        for (MediaBinding binding : bindings) {
            if (binding.side() == side && binding.isAudio() && endpoints.size() < MOST_ENDPOINTS) {
                endpoints.addAll(binding.rtcpEndpoints());
            }
        }
        for (MediaBinding binding : bindings) {
            if (!endpoints.isEmpty() && !binding.isAudio()) {
                binding.rtcpEndpoints().forEach(endpoints::remove); // a bundle
            }
        }
        return endpoints;
    }

    private static Endpoint next(Endpoint endpoint) {
        return endpoint.withPort(Math.min(0xffff, endpoint.port() + 1));
    }

    /** Reports by the stream they are about; streams that share an SSRC are left out. */
    private Map<Long, RtcpReports> bySsrc() {
        Map<Long, RtcpReports> known = bySsrc;
        if (known == null) {
            known = uniqueSubjects();
            bySsrc = known; // kept even if empty: computing it visits all conversations
        }
        return known;
    }

    private Map<Long, RtcpReports> uniqueSubjects() {
        Map<Long, RtcpReports> found = new HashMap<>();
        Map<Long, Integer> times = new HashMap<>();
        for (RtcpReports reports : conversations.values()) {
            for (ReceptionSummary summary : reports.summaries()) {
                found.put(summary.ssrc(), reports);
                times.merge(summary.ssrc(), 1, Integer::sum);
            }
        }
        found.keySet().removeIf(ssrc -> times.getOrDefault(ssrc, 0) > 1);
        return found;
    }

    PlacedCount mirrored() {
        return mirrored;
    }

    /** Conversations that were evicted, at the packets that needed their room. */
    PlacedCount gone() {
        return gone;
    }

    /** Packets and XR blocks within a payload whose content does not fit their length. */
    PlacedCount malformed() {
        return malformed;
    }

    /** Sources and reported streams that were evicted within their conversation. */
    PlacedCount evicted() {
        return evicted;
    }

    /** Payloads that cannot be decoded as RTCP, most often because they are encrypted. */
    PlacedCount undecodable() {
        return undecodable;
    }
}
