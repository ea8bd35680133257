package io.offhook.cluster.operator;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReport;
import io.offhook.calls.CallReports;
import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.binding.Taking;
import io.offhook.cluster.calls.CaptureEvents;
import io.offhook.cluster.codec.MessageCodec;
import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.IcmpError;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.message.BoundStream;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.SeenEvent;
import io.offhook.cluster.message.Takings;
import io.offhook.packet.Endpoint;
import java.util.Comparator;

/**
 * Keeps all that belongs to a call, and makes its reports: a second after a message, each 30 s while it runs, ten seconds after its
 * end, and whenever something comes late. What concerns captures as a whole is known to all of its instances, {@link #capture}.
 */
public final class CallOperator implements Operator {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long RUNNING_NS = 30 * SECOND_NS;

    /** After its end: the last figures of its streams take seven seconds. */
    private static final long SETTLED_NS = 10 * SECOND_NS;

    /** The most streams, conversations and errors of a call. */
    private static final int MOST_STREAMS = 256;

    private static final int MOST_OTHERS = 1024;

    private static final String STREAMS = "streams";
    private static final String TAKINGS = "takings";
    private static final String CONVERSATIONS = "conversations";
    private static final String OTHERS = "others";
    private static final String REPORT = "report";
    private static final String LAST = "last";
    private static final String END = "end";
    private static final String VERSION = "version";

    private final OperatorOptions options;
    private final CaptureEvents captures = new CaptureEvents();

    /** Without state but for that of {@link #capture}. */
    public CallOperator(OperatorOptions options) {
        this.options = options;
    }

    /** Takes in what concerns a capture as a whole. */
    public void capture(Event event) {
        boolean _ = captures.add(event);
    }

    @Override
    public void accept(OperatorKey key, OperatorMessage message, Keep keep, Output output) {
        switch (message) {
            case SeenEvent seen -> event(seen, keep, output);
            case BoundStream stream -> {
                stream(stream, keep, output);
                Event interval = stream.interval();
                changed(interval == null ? keep.number(LAST, 0) : interval.atNs(), RUNNING_NS, keep);
            }
            case Takings takings -> {
                Endpoint endpoint = takings.endpoint();
                keep.put(TAKINGS, endpoint.toString(), MessageCodec.write(takings));
                changed(latestNs(takings, keep.number(LAST, 0)), RUNNING_NS, keep);
            }
            default -> throw new IllegalArgumentException("not for calls: " + message);
        }
        keep.due(Math.min(keep.number(REPORT, Long.MAX_VALUE), expiryNs(keep)));
    }

    private static long latestNs(Takings takings, long lastNs) {
        long latestNs = lastNs;
        for (Taking taking : takings.takings()) {
            latestNs = Math.max(latestNs, taking.fromNs());
        }
        return latestNs;
    }

    private void event(SeenEvent seen, Keep keep, Output output) {
        Event event = seen.event();
        if (Dialog.isTooLate(event, keep, options, output)) {
            return;
        }
        switch (event.body()) {
            case SipMessage _ -> {
                if (Dialog.keep(seen, keep, output) == 0) {
                    return;
                }
                changed(event.atNs(), SECOND_NS, keep);
            }
            case Conversation talk -> {
                conversation(seen, talk, keep, output);
                changed(event.atNs(), RUNNING_NS, keep);
            }
            default -> {
                if (keep.list(OTHERS).size() == MOST_OTHERS) {
                    output.count(OperatorCount.DROPPED_OTHERS, 1);
                    return;
                }
                keep.append(OTHERS, MessageCodec.write(seen));
                changed(event.atNs(), RUNNING_NS, keep);
            }
        }
    }

    /** What is cumulative replaces what was before; where each report is kept, each event is. */
    private static void conversation(SeenEvent seen, Conversation talk, Keep keep, Output output) {
        Event event = seen.event();
        String pair = event.origin().incarnation() + " " + talk.one() + " " + talk.other();
        boolean isAdded = talk.update().figures().receptions().stream().anyMatch(each -> each.history() != null);
        String entry = isAdded ? pair + ' ' + event.origin().sequence() : pair;
        byte[] known = keep.entry(CONVERSATIONS, entry);
        if (known == null && keep.map(CONVERSATIONS).size() == MOST_OTHERS) {
            output.count(OperatorCount.DROPPED_OTHERS, 1);
        } else if (known == null
                || Dialog.event(known).origin().sequence() < event.origin().sequence()) {
            keep.put(CONVERSATIONS, entry, MessageCodec.write(seen));
        }
    }

    private static void stream(BoundStream stream, Keep keep, Output output) {
        String name = stream.stream().text();
        if (stream.interval() == null) {
            keep.remove(STREAMS, name);
        } else if (keep.entry(STREAMS, name) == null && keep.map(STREAMS).size() == MOST_STREAMS) {
            output.count(OperatorCount.DROPPED_STREAMS, 1);
        } else {
            keep.put(STREAMS, name, MessageCodec.write(stream));
        }
    }

    /** Has a report made in some time, or once the call is settled. */
    private static void changed(long atNs, long withinNs, Keep keep) {
        keep.put(LAST, Math.max(atNs, keep.number(LAST, Long.MIN_VALUE)));
        long endNs = keep.number(END, NamedCall.NEVER);
        long soonNs = atNs + withinNs;
        long dueNs = endNs == NamedCall.NEVER ? soonNs : Math.max(endNs + SETTLED_NS, atNs + SECOND_NS);
        long inTimeNs = keep.watermarkNs() == Long.MAX_VALUE ? 0 : keep.watermarkNs();
        keep.put(REPORT, Math.min(Math.max(inTimeNs, Math.min(dueNs, soonNs)), keep.number(REPORT, Long.MAX_VALUE)));
    }

    private long expiryNs(Keep keep) {
        long lastNs = keep.number(LAST, 0);
        long endNs = keep.number(END, 0); // nothing is known of a call, or it is none: it goes soon
        return endNs == NamedCall.NEVER ? lastNs + options.openNs() : Math.max(lastNs, endNs) + options.retainNs();
    }

    @Override
    public void timer(OperatorKey key, long atNs, Keep keep, Output output) {
        if (!keep.isDue(atNs)) {
            return;
        }
        if (atNs >= keep.number(REPORT, Long.MAX_VALUE)) {
            keep.put(REPORT, Long.MAX_VALUE);
            contained(key, Math.min(atNs, captures.endNs()), keep, output);
        }
        if (atNs >= expiryNs(keep)) {
            if (keep.number(REPORT, Long.MAX_VALUE) != Long.MAX_VALUE) {
                contained(key, Math.min(atNs, captures.endNs()), keep, output);
            }
            keep.clear();
        } else {
            keep.due(Math.min(keep.number(REPORT, Long.MAX_VALUE), expiryNs(keep)));
        }
    }

    private void contained(OperatorKey key, long nowNs, Keep keep, Output output) {
        try {
            report(key, nowNs, keep, output);
        } catch (RuntimeException e) { // a bug costs the report of that call
            output.count(OperatorCount.FAILED_REPORTS, 1);
        }
    }

    private void report(OperatorKey key, long nowNs, Keep keep, Output output) {
        CallAssembly assembly = Dialog.assembly(options.media(), options.limits());
        captures.begin(assembly);
        CallParts parts = new CallParts(key.high(), Dialog.messages(keep));
        keep.map(STREAMS).values().forEach(octets -> parts.add(MessageCodec.read(octets)));
        keep.map(TAKINGS).values().forEach(octets -> parts.add(MessageCodec.read(octets)));
        keep.map(CONVERSATIONS).values().stream()
                .map(Dialog::event)
                .sorted(Comparator.comparingLong(event -> event.origin().sequence()))
                .forEach(parts::add);
        keep.list(OTHERS).stream()
                .map(Dialog::event)
                .sorted(CallOperator::compare)
                .forEach(parts::add);
        output.count(OperatorCount.INCOMPLETE_STREAMS, parts.feed(assembly));
        output.count(OperatorCount.COPIES, parts.copies());
        captures.end(assembly);
        CallReports reports = CallReports.of(assembly, nowNs, false, captures.isMostlyRtp());
        output.count(OperatorCount.FAILED_REPORTS, reports.failedReports().count());
        long endNs = 0;
        for (NamedCall call : assembly.namedCalls()) {
            endNs = Math.max(endNs, call.endNs());
        }
        keep.put(END, endNs);
        for (CallReport call : reports.calls()) {
            long version = keep.number(VERSION, 0) + 1;
            keep.put(VERSION, version);
            output.count(OperatorCount.REPORTS, 1);
            output.report(new CallResult(key.high(), version, call));
        }
        again(nowNs, endNs, keep);
    }

    /** A call that runs, or is not settled yet, gets another report. */
    private static void again(long nowNs, long endNs, Keep keep) {
        if (keep.watermarkNs() == Long.MAX_VALUE || endNs == 0) {
            return;
        }
        if (endNs == NamedCall.NEVER) {
            keep.put(REPORT, nowNs + RUNNING_NS);
        } else if (nowNs < endNs + SETTLED_NS) {
            keep.put(REPORT, endNs + SETTLED_NS);
        }
    }

    /** In the order of capture. */
    private static int compare(Event one, Event other) {
        int order = Long.compare(one.atNs(), other.atNs());
        return order != 0 ? order : Long.compare(frame(one), frame(other));
    }

    private static long frame(Event event) {
        return event.body() instanceof IcmpError icmp
                ? icmp.frame()
                : event.origin().sequence();
    }
}
