package io.offhook.cluster.operator;

import io.offhook.calls.binding.CallSpan;
import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.binding.Naming;
import io.offhook.calls.binding.Taking;
import io.offhook.cluster.codec.MessageCodec;
import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.IcmpError;
import io.offhook.cluster.message.Candidate;
import io.offhook.cluster.message.Candidates;
import io.offhook.cluster.message.Namings;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.SeenEvent;
import io.offhook.cluster.message.StreamSpan;
import io.offhook.cluster.message.Takings;
import io.offhook.packet.Endpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Joins what calls name at an endpoint with what is there: streams, RTCP, ICMP errors. Of each stream it sends all that may claim
 * it, since only who knows both ends can decide; of a call without an end, who took over from it.
 */
public final class EndpointOperator implements Operator {
    /** The most calls and the most streams of an endpoint. */
    static final int MOST = 512;

    /** The most conversations of an endpoint that wait for their SDP. */
    private static final int MOST_WAITING = 64;

    /** The most takings of a call. */
    private static final int MOST_TAKINGS = 64;

    private static final String NAMINGS = "namings";
    private static final String STREAMS = "streams";
    private static final String WAITING = "waiting";
    private static final String ERRORS = "errors";
    private static final String SENT = "sent";
    private static final String FORGOTTEN = "forgotten";

    private static final Comparator<Naming> BY_TIME =
            Comparator.comparingLong(Naming::fromNs).thenComparingLong(Naming::frame);

    /** Without state. */
    public EndpointOperator() {}

    @Override
    public void accept(OperatorKey key, OperatorMessage message, Keep keep, Output output) {
        switch (message) {
            case Namings namings -> namings(key, namings, keep, output);
            case StreamSpan span -> span(span, keep, output);
            case SeenEvent seen -> event(key, seen, keep, output);
            default -> throw new IllegalArgumentException("not for endpoints: " + message);
        }
    }

    private void namings(OperatorKey key, Namings namings, Keep keep, Output output) {
        String call = Long.toHexString(namings.callIdHash());
        if (namings.forgottenNs() != Long.MAX_VALUE) {
            forget(NAMINGS, call, namings.forgottenNs(), keep);
            return;
        }
        keep.remove(FORGOTTEN, NAMINGS + call);
        if (namings.namings().isEmpty()) {
            keep.remove(NAMINGS, call);
        } else {
            if (keep.entry(NAMINGS, call) == null && keep.map(NAMINGS).size() == MOST) {
                output.count(OperatorCount.DROPPED_NAMINGS, 1);
                return;
            }
            keep.put(NAMINGS, call, MessageCodec.write(namings));
        }
        List<Naming> all = all(keep);
        takings(key, all, keep, output);
        for (byte[] stream : keep.map(STREAMS).values()) {
            if (MessageCodec.read(stream) instanceof StreamSpan span) {
                candidates(span, all, keep, output);
            }
        }
        for (byte[] waiting : keep.map(WAITING).values()) {
            if (MessageCodec.read(waiting) instanceof SeenEvent seen) {
                conversation(key, seen, List.of(namings), output);
            }
        }
        clearIfEmpty(keep);
    }

    /** Removes something once nothing of its time comes any more: its sender may be ahead of others. */
    private static void forget(String what, String entry, long atNs, Keep keep) {
        keep.put(
                FORGOTTEN,
                what + entry,
                ByteBuffer.allocate(Long.BYTES).putLong(atNs).array());
        keep.due(atNs);
    }

    /**
     * Removes what is to be removed by now.
     *
     * @return when there is more to remove; Long.MAX_VALUE if there is nothing
     */
    private static long forget(long atNs, Keep keep) {
        long nextNs = Long.MAX_VALUE;
        for (Map.Entry<String, byte[]> forgotten : keep.map(FORGOTTEN).entrySet()) {
            long whenNs = ByteBuffer.wrap(forgotten.getValue()).getLong();
            if (whenNs > atNs) {
                nextNs = Math.min(nextNs, whenNs);
                continue;
            }
            String name = forgotten.getKey().startsWith(NAMINGS) ? NAMINGS : STREAMS;
            String entry = forgotten.getKey().substring(name.length());
            keep.remove(FORGOTTEN, forgotten.getKey());
            keep.remove(name, entry);
            keep.remove(SENT, entry);
        }
        return nextNs;
    }

    private static void clearIfEmpty(Keep keep) {
        if (keep.map(NAMINGS).isEmpty()
                && keep.map(STREAMS).isEmpty()
                && keep.map(WAITING).isEmpty()
                && keep.list(ERRORS).isEmpty()) {
            keep.clear();
        }
    }

    private static List<Namings> kept(Keep keep) {
        List<Namings> kept = new ArrayList<>();
        for (byte[] octets : keep.map(NAMINGS).values()) {
            if (MessageCodec.read(octets) instanceof Namings namings) {
                kept.add(namings);
            }
        }
        return kept;
    }

    /** All that calls name here, in the order of time. */
    private static List<Naming> all(Keep keep) {
        List<Naming> all = new ArrayList<>();
        kept(keep).forEach(namings -> all.addAll(namings.namings()));
        all.sort(BY_TIME);
        return all;
    }

    private static boolean isOf(OperatorKey key, Endpoint endpoint) {
        return OperatorKey.of(endpoint).equals(key);
    }

    /** Sends to each call without an end who took over from it here, if that has changed. */
    private static void takings(OperatorKey key, List<Naming> all, Keep keep, Output output) {
        Map<Long, Endpoint> open = new LinkedHashMap<>();
        for (Naming naming : all) {
            if (naming.call().endNs() == NamedCall.NEVER && isOf(key, naming.endpoint())) {
                open.put(naming.call().callIdHash(), naming.endpoint());
            }
        }
        open.forEach((call, endpoint) -> {
            List<Taking> takings = takings(call, all, endpoint);
            String receiver = Long.toHexString(call);
            if (takings.isEmpty() && keep.entry(SENT, receiver) == null) {
                return;
            }
            Takings message = new Takings(call, endpoint, takings);
            if (Digests.isNew(keep, SENT, receiver, message)) {
                output.send(Stage.CALL, OperatorKey.ofCall(call), message);
            }
        });
    }

    /** SDP of others that names the endpoint since a call did. */
    private static List<Taking> takings(long call, List<Naming> all, Endpoint endpoint) {
        List<Taking> takings = new ArrayList<>(0);
        List<Naming> before = new ArrayList<>(1);
        for (Naming naming : all) {
            if (!naming.endpoint().equals(endpoint)) {
                continue;
            }
            if (naming.call().callIdHash() == call) {
                before.add(naming);
                continue;
            }
            for (Naming own : before) {
                if (takings.size() < MOST_TAKINGS) {
                    NamedCall by = naming.call();
                    takings.add(new Taking(own.ofCaller(), by.callIdHash(), by.firstSeenNs(), naming.fromNs()));
                }
            }
        }
        return takings;
    }

    private static void span(StreamSpan span, Keep keep, Output output) {
        String stream = text(span);
        if (span.forgottenNs() != Long.MAX_VALUE) {
            forget(STREAMS, stream, span.forgottenNs(), keep);
            return;
        }
        keep.remove(FORGOTTEN, STREAMS + stream);
        if (keep.entry(STREAMS, stream) == null && keep.map(STREAMS).size() == MOST) {
            output.count(OperatorCount.DROPPED_STREAMS, 1);
            return;
        }
        keep.put(STREAMS, stream, MessageCodec.write(span));
        candidates(span, all(keep), keep, output);
    }

    private static String text(StreamSpan span) {
        return span.end().name().charAt(0) + span.stream().text();
    }

    /** Sends all that may claim an end of a stream, if that has changed. */
    private static void candidates(StreamSpan span, List<Naming> all, Keep keep, Output output) {
        List<Candidate> candidates = new ArrayList<>(2);
        for (Naming naming : all) {
            NamedCall call = naming.call();
            if (naming.endpoint().equals(span.endpoint()) && call.overlapNs(span.firstNs(), span.lastNs()) >= 0) {
                boolean isOpen = call.endNs() == NamedCall.NEVER;
                candidates.add(
                        new Candidate(naming, isOpen ? takings(call.callIdHash(), all, span.endpoint()) : List.of()));
            }
        }
        Candidates message = new Candidates(span.stream(), span.end(), candidates);
        if ((!candidates.isEmpty() || keep.entry(SENT, text(span)) != null)
                && Digests.isNew(keep, SENT, text(span), message)) {
            output.send(Stage.BINDING, OperatorKey.of(span.stream()), message);
        }
    }

    private static void event(OperatorKey key, SeenEvent seen, Keep keep, Output output) {
        Event event = seen.event();
        switch (event.body()) {
            case Conversation talk -> {
                conversation(key, seen, kept(keep), output);
                String pair = event.origin().incarnation() + " " + talk.one() + " " + talk.other();
                if (keep.entry(WAITING, pair) == null && keep.map(WAITING).size() == MOST_WAITING) {
                    output.count(OperatorCount.DROPPED_OTHERS, 1);
                    return;
                }
                keep.put(WAITING, pair, MessageCodec.write(seen));
            }
            case IcmpError _ -> {
                if (keep.list(ERRORS).size() == MOST_WAITING) {
                    output.count(OperatorCount.DROPPED_OTHERS, 1);
                    return;
                }
                keep.append(ERRORS, MessageCodec.write(seen));
            }
            default -> throw new IllegalArgumentException("not of an endpoint: " + event.body());
        }
        keep.due(event.atNs() + CallSpan.BEFORE_NS);
    }

    /** Passes RTCP on to the calls that name its endpoint. */
    private static void conversation(OperatorKey key, SeenEvent seen, List<Namings> all, Output output) {
        if (!(seen.event().body() instanceof Conversation talk)) {
            return;
        }
        Set<Long> calls = new HashSet<>();
        for (Namings namings : all) {
            for (Naming naming : namings.namings()) {
                if (isRtcpOf(key, naming, talk.one()) || isRtcpOf(key, naming, talk.other())) {
                    calls.add(namings.callIdHash());
                }
            }
        }
        for (long call : calls) {
            output.send(Stage.CALL, OperatorKey.ofCall(call), seen);
        }
    }

    /** Whether an endpoint is where a naming here receives RTCP: at its own, at the next port, or where it says. */
    private static boolean isRtcpOf(OperatorKey key, Naming naming, Endpoint endpoint) {
        if (isOf(key, endpoint)) {
            return true;
        }
        return isOf(key, naming.endpoint()) && endpoint.port() > 0 && isOf(key, endpoint.withPort(endpoint.port() - 1));
    }

    @Override
    public void timer(OperatorKey key, long atNs, Keep keep, Output output) {
        if (!keep.isDue(atNs)) {
            return;
        }
        long nextNs = forget(atNs, keep);
        for (Map.Entry<String, byte[]> waiting : keep.map(WAITING).entrySet()) {
            long untilNs = Dialog.event(waiting.getValue()).atNs() + CallSpan.BEFORE_NS;
            if (untilNs <= atNs) {
                keep.remove(WAITING, waiting.getKey());
            } else {
                nextNs = Math.min(nextNs, untilNs);
            }
        }
        List<byte[]> errors = keep.list(ERRORS);
        keep.removeList(ERRORS);
        for (byte[] octets : errors) {
            Event event = Dialog.event(octets);
            long untilNs = event.atNs() + CallSpan.BEFORE_NS;
            if (untilNs <= atNs) {
                error(key, event, all(keep), output);
            } else {
                keep.append(ERRORS, octets);
                nextNs = Math.min(nextNs, untilNs);
            }
        }
        if (nextNs != Long.MAX_VALUE) {
            keep.due(nextNs);
        }
        clearIfEmpty(keep);
    }

    /** Passes an ICMP error on to the call that had the quoted endpoint: the last one to name it before, else the first one after. */
    private static void error(OperatorKey key, Event event, List<Naming> all, Output output) {
        if (!(event.body() instanceof IcmpError icmp)) {
            return;
        }
        Naming found = null;
        for (Naming naming : all) {
            boolean isQuoted = isQuoted(key, naming, icmp.destination()) || isQuoted(key, naming, icmp.source());
            if (isQuoted && naming.call().overlapNs(event.atNs(), event.atNs()) >= 0) {
                found = naming.fromNs() <= event.atNs() || found == null ? naming : found;
            }
        }
        if (found != null) {
            output.send(Stage.CALL, OperatorKey.ofCall(found.call().callIdHash()), new SeenEvent(event));
        }
    }

    private static boolean isQuoted(OperatorKey key, Naming naming, Endpoint endpoint) {
        Endpoint own = naming.endpoint();
        boolean isNext = endpoint.port() > 0 && own.equals(endpoint.withPort(endpoint.port() - 1));
        return isOf(key, own)
                && (own.equals(endpoint) || isNext && (naming.rtcp() == null || endpoint.equals(naming.rtcp())));
    }
}
