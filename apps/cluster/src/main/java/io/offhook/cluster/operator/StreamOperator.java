package io.offhook.cluster.operator;

import io.offhook.calls.binding.BestCall.End;
import io.offhook.cluster.codec.MessageCodec;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamEnd;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.SeenEvent;
import io.offhook.cluster.message.StreamName;
import io.offhook.cluster.message.StreamSpan;

/** Announces each stream to both of its endpoints: when its first figures come, when it ends, and when its state goes. */
public final class StreamOperator implements Operator {
    private static final String BEGIN = "begin";
    private static final String FIRST = "first";
    private static final String LAST = "last";

    private final OperatorOptions options;

    /** Without state. */
    public StreamOperator(OperatorOptions options) {
        this.options = options;
    }

    @Override
    public void accept(OperatorKey key, OperatorMessage message, Keep keep, Output output) {
        if (!(message instanceof SeenEvent seen)) {
            throw new IllegalArgumentException("not for streams: " + message);
        }
        Event event = seen.event();
        if (event.atNs() < keep.watermarkNs()) {
            output.count(OperatorCount.LATE_EVENTS, 1);
        }
        switch (event.body()) {
            case StreamBegin _ -> keep.put(BEGIN, MessageCodec.write(seen));
            case StreamInterval interval -> interval(interval, keep, output);
            case StreamEnd _ -> {
                if (keep.number(FIRST, Long.MAX_VALUE) != Long.MAX_VALUE) {
                    announce(keep.number(LAST, Long.MAX_VALUE), Long.MAX_VALUE, keep, output);
                }
            }
            default -> throw new IllegalArgumentException("not of a stream: " + event.body());
        }
        keep.put("seen", Math.max(event.atNs(), keep.number("seen", Long.MIN_VALUE)));
        keep.due(event.atNs() + options.retainNs());
    }

    private void interval(StreamInterval interval, Keep keep, Output output) {
        if (keep.value(BEGIN) == null) {
            output.count(OperatorCount.WITHOUT_BEGINNING, 1);
            return;
        }
        long firstNs = interval.update().figures().arrival().times().firstNs();
        keep.put(LAST, interval.update().figures().arrival().times().lastNs());
        if (keep.number(FIRST, Long.MAX_VALUE) != firstNs) {
            keep.put(FIRST, firstNs);
            announce(Long.MAX_VALUE, Long.MAX_VALUE, keep, output);
        }
    }

    private static void announce(long lastNs, long forgottenNs, Keep keep, Output output) {
        byte[] octets = keep.value(BEGIN);
        if (octets == null) {
            return;
        }
        Event event = Dialog.event(octets);
        if (event.body() instanceof StreamBegin begin) {
            StreamName name = StreamName.of(event.origin(), begin.stream());
            long firstNs = keep.number(FIRST, Long.MAX_VALUE);
            output.send(
                    Stage.ENDPOINT,
                    OperatorKey.of(begin.destination()),
                    new StreamSpan(name, begin.destination(), End.DESTINATION, firstNs, lastNs, forgottenNs));
            output.send(
                    Stage.ENDPOINT,
                    OperatorKey.of(begin.source()),
                    new StreamSpan(name, begin.source(), End.SOURCE, firstNs, lastNs, forgottenNs));
        }
    }

    @Override
    public void timer(OperatorKey key, long atNs, Keep keep, Output output) {
        if (!keep.isDue(atNs)) {
            return;
        }
        long untilNs = keep.number("seen", 0) + options.retainNs();
        if (atNs < untilNs) {
            keep.due(untilNs);
            return;
        }
        announce(keep.number(LAST, 0), atNs, keep, output);
        keep.clear();
    }
}
