package io.offhook.proxy.statistics;

import io.offhook.sip.SipMethod;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * What one lane counts. Only the thread of the lane writes; any thread reads. A message costs a few additions and, where
 * its times are recorded, two histograms; nothing is allocated for it.
 */
@SuppressWarnings("EnumOrdinal") // used as an index only
public final class LaneStatistics {
    private static final int TRANSACTION_FIELDS = 3;
    private static final int BEGAN = 0;
    private static final int ENDED = 1;
    private static final int EXPIRED = 2;

    private final CounterArray messages = new CounterArray(MessageKey.END * MessageWay.COUNT);
    private final CounterArray transactions = new CounterArray(TransactionKind.values().length * TRANSACTION_FIELDS);
    private final CounterArray callStates = new CounterArray(CallState.values().length);
    private final CounterArray callOutcomes = new CounterArray(CallOutcome.values().length);
    private final CounterArray callAttempts = new CounterArray(1);
    private final NeighbourTable neighbours;
    private final SingleWriterRecorder queueDelay = Delays.inside();
    private final SingleWriterRecorder[] inProxy = new SingleWriterRecorder[MessageKind.values().length];
    private final Departures departures = new Departures();
    private final List<CauseCounters<?>> causes = new CopyOnWriteArrayList<>();

    /** @param neighbours the most neighbours that are counted apart */
    LaneStatistics(int neighbours) {
        this.neighbours = new NeighbourTable(neighbours);
        for (int i = 0; i < inProxy.length; i++) {
            inProxy[i] = Delays.inside();
        }
    }

    /**
     * Counts a message.
     *
     * @param neighbour the row of the neighbour in {@link #neighbours}
     * @param status of a response, else 0
     */
    public void message(int neighbour, MessageWay way, SipMethod method, int status) {
        messages.add(MessageKey.of(method, status) * MessageWay.COUNT + way.ordinal(), 1);
        neighbours.count(neighbour, way, method, status);
    }

    /** The neighbours of this lane. */
    public NeighbourTable neighbours() {
        return neighbours;
    }

    /** Counts a transaction that begins. */
    public void transactionBegan(TransactionKind kind) {
        transactions.add(kind.ordinal() * TRANSACTION_FIELDS + BEGAN, 1);
    }

    /**
     * Counts a transaction that ends.
     *
     * @param isExpired whether the other side was silent: timers B, F and H
     */
    public void transactionEnded(TransactionKind kind, boolean isExpired) {
        transactions.add(kind.ordinal() * TRANSACTION_FIELDS + ENDED, 1);
        if (isExpired) {
            transactions.add(kind.ordinal() * TRANSACTION_FIELDS + EXPIRED, 1);
        }
    }

    /** Counts a call that begins, in the state {@link CallState#TRYING}. */
    public void callBegan() {
        callAttempts.add(0, 1);
        callStates.add(CallState.TRYING.ordinal(), 1);
    }

    /** Moves a call from one state to the next. */
    public void callMoved(CallState from, CallState to) {
        callStates.add(from.ordinal(), -1);
        callStates.add(to.ordinal(), 1);
    }

    /**
     * Counts a call that ends.
     *
     * @param from the state that it was in
     */
    public void callEnded(CallState from, CallOutcome outcome) {
        callStates.add(from.ordinal(), -1);
        callOutcomes.add(outcome.ordinal(), 1);
    }

    /** Records how long a message waited between its arrival and its turn. */
    public void queueDelay(long ns) {
        Delays.recordInside(queueDelay, ns);
    }

    /** Records how long a message was in the proxy, from its turn until what it caused was handed to the system. */
    public void timeInProxy(MessageKind kind, long ns) {
        Delays.recordInside(inProxy[kind.ordinal()], ns);
    }

    /**
     * A message leaves with the burst at hand; its time in the proxy is recorded by {@link #departed}.
     *
     * @param kind the kind of the message that was received, and caused it
     * @param receivedNs when that had its turn
     */
    public void leaves(MessageKind kind, long receivedNs) {
        if (departures.isFull()) {
            departures.record(this, System.nanoTime());
        }
        departures.add(kind, receivedNs);
    }

    /** The burst at hand was handed to the system. */
    public void departed() {
        if (!departures.isEmpty()) {
            departures.record(this, System.nanoTime());
        }
    }

    /**
     * Adds a group of counters, which the thread of this lane writes.
     *
     * @param <E> the causes
     * @return the group
     */
    public <E extends Enum<E>> CauseCounters<E> add(CauseCounters<E> group) {
        causes.add(group);
        return group;
    }

    long messages(int key, MessageWay way) {
        return messages.get(key * MessageWay.COUNT + way.ordinal());
    }

    long transactionsBegan(TransactionKind kind) {
        return transactions.get(kind.ordinal() * TRANSACTION_FIELDS + BEGAN);
    }

    long transactionsEnded(TransactionKind kind) {
        return transactions.get(kind.ordinal() * TRANSACTION_FIELDS + ENDED);
    }

    long transactionsExpired(TransactionKind kind) {
        return transactions.get(kind.ordinal() * TRANSACTION_FIELDS + EXPIRED);
    }

    long calls(CallState state) {
        return callStates.get(state.ordinal());
    }

    long calls(CallOutcome outcome) {
        return callOutcomes.get(outcome.ordinal());
    }

    long callAttempts() {
        return callAttempts.get(0);
    }

    SingleWriterRecorder queueDelays() {
        return queueDelay;
    }

    SingleWriterRecorder timesInProxy(MessageKind kind) {
        return inProxy[kind.ordinal()];
    }

    List<CauseCounters<?>> causes() {
        return causes;
    }
}
