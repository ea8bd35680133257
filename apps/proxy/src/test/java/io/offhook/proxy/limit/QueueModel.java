package io.offhook.proxy.limit;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A lane as a queue with one server, fed with calls: an INVITE, then the answers of the callee, the ACK, and the BYE with its
 * answer. A refused INVITE costs its 503 and the ACK to it. A caller that hears nothing within 500 ms sends its INVITE again,
 * and after that gives up; a queue that is full loses what arrives.
 */
final class QueueModel {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    /** The work of a whole call: 1000 calls a second are the capacity. */
    private static final long CALL = MS;

    private static final int QUEUE = 8_000;

    private enum Kind {
        INVITE(0.32),
        RINGING(0.12),
        ANSWER(0.14),
        ACK(0.1),
        BYE(0.2),
        BYE_ANSWER(0.12),
        /** Part of what a refusal costs. */
        ACK_OF_REFUSAL(0),
        REPEATED_INVITE(0.05);

        final long workNs;

        Kind(double share) {
            workNs = (long) (share * CALL);
        }
    }

    /** Of the work of a refusal, the part that is its 503; the rest is the ACK to it. */
    private static final double ANSWER_OF_REFUSAL = 0.75;

    private record Arrival(long atNs, Kind kind, Call call, long order) {}

    private static final class Call {
        boolean isSpoilt;
    }

    /** What a model has counted in a stretch of time. */
    record Counts(int good, int refused, int lost, long longestNs) {}

    private final SplittableRandom random;
    private final OverloadControl control;
    private final long refusalNs;
    private final long ringNs;
    private final long holdNs;
    private final boolean isHoldFixed;
    private final PriorityQueue<Arrival> arrivals =
            new PriorityQueue<>(Comparator.comparingLong(Arrival::atNs).thenComparingLong(Arrival::order));
    private final java.util.ArrayDeque<Arrival> queue = new java.util.ArrayDeque<>();
    private long nowNs;
    private long order;
    private int good;
    private int refused;
    private int lost;
    private long longestNs;

    /**
     * Creates an empty lane.
     *
     * @param refusal what a refusal costs, as a share of a call
     */
    QueueModel(long seed, OverloadControl control, double refusal, long ringNs, long holdNs, boolean isHoldFixed) {
        random = new SplittableRandom(seed);
        this.control = control;
        refusalNs = (long) (refusal * CALL);
        this.ringNs = ringNs;
        this.holdNs = holdNs;
        this.isHoldFixed = isHoldFixed;
    }

    /** Runs for a time with calls at a rate; the server stands still for {@code pauseNs} at the start. */
    Counts run(double seconds, double callsPerSecond, long pauseNs) {
        good = 0;
        refused = 0;
        lost = 0;
        longestNs = 0;
        long startNs = nowNs;
        long endNs = nowNs + (long) (seconds * S);
        for (double at = nowNs + exponential(callsPerSecond); at < endNs; at += exponential(callsPerSecond)) {
            arrive((long) at, Kind.INVITE, new Call());
        }
        nowNs += pauseNs;
        while (nowNs < endNs) {
            take();
            Arrival next = queue.poll();
            if (next == null) {
                Arrival first = arrivals.peek();
                nowNs = first == null || first.atNs() > endNs ? endNs : first.atNs();
            } else {
                serve(next);
            }
        }
        assert nowNs >= startNs;
        return new Counts(good, refused, lost, longestNs);
    }

    private double exponential(double perSecond) {
        return -Math.log(1 - random.nextDouble()) / perSecond * S;
    }

    private void arrive(long atNs, Kind kind, Call call) {
        arrivals.add(new Arrival(atNs, kind, call, order++));
    }

    /** Moves what has arrived into the queue. */
    private void take() {
        while (!arrivals.isEmpty() && arrivals.peek().atNs() <= nowNs) {
            Arrival arrival = arrivals.poll();
            if (queue.size() < QUEUE) {
                queue.add(arrival);
            } else {
                lost++;
                arrival.call().isSpoilt = true;
            }
        }
    }

    private void serve(Arrival message) {
        long waitNs = nowNs - message.atNs();
        longestNs = Math.max(longestNs, waitNs);
        control.measured(waitNs, nowNs);
        Call call = message.call();
        if (message.kind() == Kind.INVITE) {
            if (!control.admits(RequestKind.CALL, waitNs)) {
                refused++;
                nowNs += (long) (ANSWER_OF_REFUSAL * refusalNs);
                arrive(nowNs + MS, Kind.ACK_OF_REFUSAL, call);
                return;
            }
            if (waitNs > 500 * MS) {
                arrive(message.atNs() + 500 * MS, Kind.REPEATED_INVITE, call);
            }
        }
        nowNs += message.kind() == Kind.ACK_OF_REFUSAL
                ? (long) ((1 - ANSWER_OF_REFUSAL) * refusalNs)
                : message.kind().workNs;
        call.isSpoilt |= waitNs > 500 * MS; // it was sent again, or given up
        follow(message.kind(), call);
    }

    private void follow(Kind kind, Call call) {
        switch (kind) {
            case INVITE -> arrive(nowNs + MS, Kind.RINGING, call);
            case RINGING ->
                arrive(nowNs + (ringNs == 0 ? MS : (long) (random.nextDouble() * 2 * ringNs)), Kind.ANSWER, call);
            case ANSWER -> arrive(nowNs + MS, Kind.ACK, call);
            case ACK -> arrive(nowNs + (isHoldFixed ? holdNs : (long) exponential(1e9 / holdNs)), Kind.BYE, call);
            case BYE -> arrive(nowNs + MS, Kind.BYE_ANSWER, call);
            case BYE_ANSWER -> good += call.isSpoilt ? 0 : 1;
            case ACK_OF_REFUSAL, REPEATED_INVITE -> {}
        }
    }
}
