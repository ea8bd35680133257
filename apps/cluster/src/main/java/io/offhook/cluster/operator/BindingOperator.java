package io.offhook.cluster.operator;

import io.offhook.calls.binding.BestCall;
import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.binding.Takeover;
import io.offhook.calls.binding.Taking;
import io.offhook.cluster.codec.MessageCodec;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamEnd;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.message.BoundStream;
import io.offhook.cluster.message.Candidate;
import io.offhook.cluster.message.Candidates;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.SeenEvent;
import io.offhook.cluster.message.StreamName;
import io.offhook.rtp.figures.ArrivalFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which calls a stream belongs to, whenever its time or what may claim it has changed, and sends them its figures: at once
 * where a call is new, soon after the end of a call, else every 20 s of those in which there are any.
 */
public final class BindingOperator implements Operator {
    private static final long EACH_NS = 20_000_000_000L;

    /** After the end of its call: the last figures come once an interval of five seconds is over. */
    private static final long ENDED_NS = 7_000_000_000L;

    private static final String BEGIN = "begin";
    private static final String FIGURES = "figures";
    private static final String CANDIDATES = "candidates";
    private static final String OWNERS = "owners";
    private static final String FLUSH = "flush";
    private static final String SEEN = "seen";

    private final OperatorOptions options;

    /** Without state. */
    public BindingOperator(OperatorOptions options) {
        this.options = options;
    }

    @Override
    public void accept(OperatorKey key, OperatorMessage message, Keep keep, Output output) {
        switch (message) {
            case Candidates candidates -> {
                keep.put(CANDIDATES, candidates.end().name(), MessageCodec.write(candidates));
                if (keep.number(SEEN, Long.MIN_VALUE) == Long.MIN_VALUE) {
                    keep.put(SEEN, lastNs(candidates)); // the figures come, or came long ago
                }
                bind(keep, output);
            }
            case SeenEvent seen -> event(seen, keep, output);
            default -> throw new IllegalArgumentException("not for streams: " + message);
        }
        keep.due(Math.min(keep.number(FLUSH, Long.MAX_VALUE), keep.number(SEEN, 0) + options.retainNs()));
    }

    private static long lastNs(Candidates candidates) {
        long lastNs = 0;
        for (Candidate candidate : candidates.candidates()) {
            lastNs = Math.max(lastNs, candidate.naming().fromNs());
        }
        return lastNs;
    }

    private void event(SeenEvent seen, Keep keep, Output output) {
        Event event = seen.event();
        keep.put(SEEN, Math.max(event.atNs(), keep.number(SEEN, Long.MIN_VALUE)));
        switch (event.body()) {
            case StreamBegin _ -> {
                keep.put(BEGIN, MessageCodec.write(seen));
                bind(keep, output);
            }
            case StreamInterval _ -> {
                Event folded = WholeStream.fold(kept(keep, FIGURES), event);
                byte[] octets;
                try {
                    octets = MessageCodec.write(new SeenEvent(folded));
                } catch (IllegalArgumentException e) { // longer than an event may be
                    output.count(OperatorCount.OVERSIZED_FIGURES, 1);
                    return;
                }
                keep.put(FIGURES, octets);
                flushBy(event.atNs() + EACH_NS, keep);
                bind(keep, output);
            }
            case StreamEnd _ -> flush(keep, output);
            default -> throw new IllegalArgumentException("not of a stream: " + event.body());
        }
    }

    private static @Nullable Event kept(Keep keep, String name) {
        byte[] octets = keep.value(name);
        return octets == null ? null : Dialog.event(octets);
    }

    private static void flushBy(long atNs, Keep keep) {
        keep.put(FLUSH, Math.min(atNs, keep.number(FLUSH, Long.MAX_VALUE)));
    }

    /** Finds the calls of the stream, and sends its figures to those that were not its calls before. */
    private static void bind(Keep keep, Output output) {
        Event begin = kept(keep, BEGIN);
        Event figures = kept(keep, FIGURES);
        if (begin == null || figures == null || !(figures.body() instanceof StreamInterval interval)) {
            return;
        }
        StreamName name = StreamName.of(figures.origin(), interval.stream());
        Map<String, byte[]> before = keep.map(OWNERS);
        Set<String> now = new HashSet<>();
        for (NamedCall call : owners(interval.update().figures().arrival().times(), candidates(keep))) {
            String owner = Long.toHexString(call.callIdHash());
            now.add(owner);
            if (!before.containsKey(owner)) {
                keep.put(OWNERS, owner, new byte[0]);
                send(call.callIdHash(), new BoundStream(call.callIdHash(), name, begin, figures), output);
            }
            if (call.endNs() != NamedCall.NEVER && keep.number(FLUSH, Long.MAX_VALUE) != Long.MAX_VALUE) {
                flushBy(Math.max(call.endNs() + ENDED_NS, keep.number(SEEN, 0)), keep);
            }
        }
        for (String owner : before.keySet()) {
            if (!now.contains(owner)) {
                keep.remove(OWNERS, owner);
                long call = Long.parseUnsignedLong(owner, 16);
                send(call, new BoundStream(call, name, null, null), output);
            }
        }
    }

    private static void send(long call, BoundStream stream, Output output) {
        output.send(Stage.CALL, OperatorKey.ofCall(call), stream);
    }

    private static List<Candidates> candidates(Keep keep) {
        List<Candidates> both = new ArrayList<>(2);
        for (byte[] octets : keep.map(CANDIDATES).values()) {
            if (MessageCodec.read(octets) instanceof Candidates candidates) {
                both.add(candidates);
            }
        }
        both.sort(Comparator.comparing(Candidates::end)
                .reversed()); // the destination first, as where all is in one place
        return both;
    }

    /** The calls that a stream belongs to. */
    private static List<NamedCall> owners(ArrivalFigures.Times times, List<Candidates> ends) {
        Map<Long, NamedCall> calls = new LinkedHashMap<>();
        Map<Long, List<Taking>> takings = new HashMap<>();
        for (Candidates end : ends) {
            Set<Long> taken = new HashSet<>();
            for (Candidate candidate : end.candidates()) {
                NamedCall call = candidate.naming().call();
                calls.merge(call.callIdHash(), call, BindingOperator::later);
                if (taken.add(call.callIdHash())) {
                    takings.computeIfAbsent(call.callIdHash(), _ -> new ArrayList<>(0))
                            .addAll(candidate.takings());
                }
            }
        }
        calls.replaceAll((hash, call) -> takenOver(call, takings.getOrDefault(hash, List.of())));
        BestCall<NamedCall, Candidate> best = new BestCall<>(times.firstNs(), times.lastNs(), NamedCall.ORDER);
        for (Candidates end : ends) {
            for (Candidate candidate : end.candidates()) {
                NamedCall call = calls.get(candidate.naming().call().callIdHash());
                if (call != null) {
                    best.add(call, candidate, candidate.naming().fromNs(), end.end());
                }
            }
        }
        List<NamedCall> owners = new ArrayList<>(1);
        best.best().forEach(found -> owners.add(found.call()));
        return owners;
    }

    /** Of what both ends know of a call for a moment, what came later. */
    private static NamedCall later(NamedCall one, NamedCall other) {
        boolean isOther = one.endNs() == NamedCall.NEVER
                ? other.endNs() != NamedCall.NEVER || other.answeredNs() != NamedCall.NEVER
                : other.endNs() != NamedCall.NEVER && other.endNs() > one.endNs();
        return isOther ? other : one;
    }

    private static NamedCall takenOver(NamedCall call, List<Taking> takings) {
        Takeover takeover = new Takeover();
        takings.sort(Comparator.comparingLong(Taking::fromNs));
        for (Taking taking : takings) {
            if (call.answeredNs() != NamedCall.NEVER) {
                boolean _ = takeover.take(taking, call.answeredNs());
            }
        }
        return call.takenOverAt(takeover.atNs());
    }

    /** Sends the figures to the calls of the stream. */
    private static void flush(Keep keep, Output output) {
        keep.put(FLUSH, Long.MAX_VALUE);
        Event begin = kept(keep, BEGIN);
        Event figures = kept(keep, FIGURES);
        if (begin == null || figures == null || !(figures.body() instanceof StreamInterval interval)) {
            return;
        }
        StreamName name = StreamName.of(figures.origin(), interval.stream());
        for (String owner : keep.map(OWNERS).keySet()) {
            long call = Long.parseUnsignedLong(owner, 16);
            send(call, new BoundStream(call, name, begin, figures), output);
        }
    }

    @Override
    public void timer(OperatorKey key, long atNs, Keep keep, Output output) {
        if (!keep.isDue(atNs)) {
            return;
        }
        if (atNs >= keep.number(FLUSH, Long.MAX_VALUE)) {
            flush(keep, output);
        }
        long untilNs = keep.number(SEEN, 0) + options.retainNs();
        if (atNs >= untilNs) {
            if (keep.number(FLUSH, Long.MAX_VALUE) != Long.MAX_VALUE) {
                flush(keep, output);
            }
            keep.clear();
        } else {
            keep.due(Math.min(keep.number(FLUSH, Long.MAX_VALUE), untilNs));
        }
    }
}
