package io.offhook.cli.xray;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pairs what comes into a process with the first that it sends for it: an answer, or the message passed on. 100 Trying is an answer; a
 * request that is passed on after it makes a second gap, from then on. What has no effect outside, such as an ACK that ends in a
 * proxy, is no gap, but a request without any answer is one that ends with the limit. Nothing here reads a clock.
 *
 * <p>A B2BUA sends with another Call-ID, which is not followed: of it, gaps end with its own answers.
 */
final class GapFinder {
    /** A request that has no answer so long is unanswered: as long as its sender waits (RFC 3261, timers B and F). */
    static final long LIMIT_NS = 32_000_000_000L;

    /** The most messages that await an answer; the oldest are forgotten, and counted. */
    static final int MOST = 50_000;

    /** The most of one call, in each of which is searched. */
    static final int MOST_OF_CALL = 100;

    private final Consumer<FoundGap> found;
    private final Map<String, List<Open>> calls = new HashMap<>();
    private final ArrayDeque<Open> inOrder = new ArrayDeque<>();
    private long forgotten;

    /** What came in, and awaits what is sent for it. */
    private static final class Open {
        final SeenMessage came;
        final long fromNs;
        final boolean isContinued;
        int repeats;
        boolean isClosed;

        Open(SeenMessage came, long fromNs, boolean isContinued) {
            this.came = came;
            this.fromNs = fromNs;
            this.isContinued = isContinued;
        }

        boolean isEndedBy(SeenMessage sent) {
            return isContinued ? sent.isForwardedRequest(came) : sent.isFor(came);
        }

        boolean mustBeAnswered() {
            return came.isRequest() && !isContinued && !came.method().equals("ACK");
        }

        FoundGap gap(@Nullable SeenMessage sent, long toNs) {
            return new FoundGap(came, sent, fromNs, toNs, isContinued, repeats);
        }
    }

    /**
     * Creates it.
     *
     * @param found receives gaps, in the order in which they end
     */
    GapFinder(Consumer<FoundGap> found) {
        this.found = found;
    }

    /**
     * A message came in.
     *
     * @param isRepeated whether it was captured before, from the same sender
     */
    void came(SeenMessage message, boolean isRepeated) {
        expire(message.ns());
        for (Open one : calls.getOrDefault(message.callId(), List.of())) {
            if (message.repeats(one.came)) {
                one.repeats++;
                return;
            }
        }
        if (!isRepeated) {
            open(new Open(message, message.ns(), false));
        }
    }

    /** The process sent a message. */
    void sent(SeenMessage message) {
        expire(message.ns());
        List<Open> ofCall = calls.get(message.callId());
        if (ofCall == null) {
            return;
        }
        Open cause = null;
        for (Iterator<Open> all = ofCall.iterator(); all.hasNext(); ) {
            Open one = all.next();
            if (one.isEndedBy(message)) {
                cause = one; // the last one, if there are several
                one.isClosed = true;
                all.remove();
            }
        }
        if (ofCall.isEmpty()) {
            calls.remove(message.callId());
        }
        if (cause != null) {
            found.accept(cause.gap(message, Math.max(cause.fromNs, message.ns())));
            if (message.status() == 100) {
                open(new Open(cause.came, message.ns(), true));
            }
        }
    }

    private void open(Open one) {
        List<Open> ofCall = calls.computeIfAbsent(one.came.callId(), _ -> new ArrayList<>());
        ofCall.add(one);
        inOrder.addLast(one);
        if (ofCall.size() > MOST_OF_CALL) {
            forget(ofCall.getFirst());
        }
        if (inOrder.size() > MOST) {
            forget(inOrder.removeFirst());
        }
    }

    private void forget(Open one) {
        forgotten += one.isClosed ? 0 : 1;
        remove(one);
    }

    private void remove(Open one) {
        if (one.isClosed) {
            return;
        }
        one.isClosed = true;
        List<Open> ofCall = calls.get(one.came.callId());
        if (ofCall != null) {
            ofCall.remove(one);
            if (ofCall.isEmpty()) {
                calls.remove(one.came.callId());
            }
        }
    }

    /** Ends what has waited for longer than the limit. */
    void expire(long nowNs) {
        while (!inOrder.isEmpty() && nowNs - inOrder.getFirst().fromNs >= LIMIT_NS) {
            Open one = inOrder.removeFirst();
            boolean isUnanswered = !one.isClosed && one.mustBeAnswered();
            remove(one);
            if (isUnanswered) {
                found.accept(one.gap(null, one.fromNs + LIMIT_NS));
            }
        }
    }

    /** Requests that still await an answer. */
    int awaited() {
        return (int) inOrder.stream()
                .filter(one -> !one.isClosed && one.mustBeAnswered())
                .count();
    }

    /** Messages that were forgotten because too many awaited an answer. */
    long forgotten() {
        return forgotten;
    }
}
