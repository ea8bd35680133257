package io.offhook.proxy.book;

import io.offhook.proxy.control.LiveCall;
import io.offhook.proxy.statistics.CallOutcome;
import io.offhook.proxy.statistics.CallRecord;
import io.offhook.proxy.statistics.CallState;
import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.proxy.ProxyObserver;
import io.offhook.sip.proxy.ResponseContext;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one lane, from the INVITE that was forwarded to the answer to the BYE. Bounded: the oldest call is forgotten
 * for a new one, as are those whose BYE never passes. Belongs to the lane's thread; a steady load allocates nothing, unless
 * call records are wanted.
 */
public final class CallBook implements ProxyObserver {
    private static final int BUCKETS = 1 << 14;

    private final int lane;
    private final int limit;
    private final LaneStatistics statistics;
    private final @Nullable Consumer<CallRecord> records;
    private final InstantSource clock;
    private final SipAddressView address = new SipAddressView();
    private final @Nullable CallEntry[] buckets = new CallEntry[BUCKETS];
    private final ArrayDeque<CallEntry> free = new ArrayDeque<>();
    private @Nullable CallEntry oldest;
    private @Nullable CallEntry newest;
    private int count;

    /**
     * Creates an empty book.
     *
     * @param lane the number of the lane
     * @param limit the most calls at a time, 1 or more
     * @param statistics counts the calls
     * @param records receives the calls that ended; null if nobody wants them
     * @param clock the time of day
     */
    public CallBook(
            int lane,
            int limit,
            LaneStatistics statistics,
            @Nullable Consumer<CallRecord> records,
            InstantSource clock) {
        this.lane = lane;
        this.limit = limit;
        this.statistics = statistics;
        this.records = records;
        this.clock = clock;
    }

    /** The number of calls. */
    public int count() {
        return count;
    }

    /** Copies of at most {@code most} calls for which a condition holds, the oldest first. */
    public List<LiveCall> calls(Predicate<LiveCall> condition, int most) {
        List<LiveCall> found = new ArrayList<>();
        for (CallEntry entry = oldest; entry != null && found.size() < most; entry = entry.newer) {
            LiveCall call = entry.live(lane);
            if (condition.test(call)) {
                found.add(call);
            }
        }
        return found;
    }

    @Override
    public void requestForwarded(ResponseContext context, SipMessageView request, SipHop to, long nowNs) {
        if (request.method() == SipMethod.INVITE && !context.isInDialog()) {
            CallEntry entry = own(context);
            if (entry == null) {
                entry = begin(context, request);
            }
            entry.forwarded(to);
        } else if (request.method() == SipMethod.BYE) {
            CallEntry entry = find(request);
            if (entry != null && entry.isAnswered()) {
                statistics.callMoved(entry.state(), CallState.ENDING);
                entry.ending(request);
                entry.bye = context.number();
                context.attachment(entry);
            }
        }
    }

    @Override
    public void responseForwarded(
            ResponseContext context, SipMessageView response, SipHop from, long sentNs, long nowNs) {
        int status = response.statusCode();
        CallEntry entry = status < 200 && context.method() == SipMethod.INVITE ? own(context) : null;
        if (entry != null && !entry.isAnswered()) {
            CallState before = entry.state();
            entry.rings(status, clock.millis());
            if (entry.state() != before) {
                statistics.callMoved(before, entry.state());
            }
        }
    }

    @Override
    public void callAnswered(ResponseContext context, SipMessageView response, SipHop from, long nowNs) {
        CallEntry entry = own(context);
        if (entry != null) {
            statistics.callMoved(entry.state(), CallState.ANSWERED);
            entry.answered(response.statusCode(), from, clock.millis());
        }
    }

    @Override
    public void callFailed(ResponseContext context, int status, long nowNs) {
        CallEntry entry = own(context);
        if (entry == null) {
            refused(context, status);
            return;
        }
        entry.failed(status);
        end(
                entry,
                switch (status) {
                    case 487 -> CallOutcome.CANCELLED;
                    case 408 -> CallOutcome.TIMED_OUT;
                    default -> CallOutcome.REFUSED;
                });
    }

    /** It was refused before it was forwarded to anybody; a challenge is no refusal. */
    private void refused(ResponseContext context, int status) {
        if (context.attachment() instanceof CallCharge charge) {
            charge.release();
        }
        if (status != 401 && status != 407) {
            statistics.callBegan();
            statistics.callEnded(CallState.TRYING, CallOutcome.REJECTED);
        }
    }

    @Override
    public void callEnded(ResponseContext context, int status, long nowNs) {
        if (context.attachment() instanceof CallEntry entry && entry.bye == context.number()) {
            end(entry, CallOutcome.COMPLETED);
        }
    }

    /** The entry of the context of an INVITE; null if it has ended. */
    private static @Nullable CallEntry own(ResponseContext context) {
        return context.attachment() instanceof CallEntry entry && entry.invite == context.number() ? entry : null;
    }

    private CallEntry begin(ResponseContext context, SipMessageView request) {
        if (count == limit && oldest != null) {
            end(oldest, oldest.isAnswered() ? CallOutcome.FORGOTTEN : CallOutcome.TIMED_OUT);
        }
        CallEntry entry = free.isEmpty() ? new CallEntry() : free.removeLast();
        entry.begin(request, context.source(), address, clock.millis());
        entry.invite = context.number();
        entry.hash = request.callIdHash();
        entry.charge = context.attachment() instanceof CallCharge charge ? charge : null;
        context.attachment(entry);
        int bucket = (int) entry.hash & BUCKETS - 1;
        entry.nextInBucket = buckets[bucket];
        buckets[bucket] = entry;
        entry.older = newest;
        if (newest == null) {
            oldest = entry;
        } else {
            newest.newer = entry;
        }
        newest = entry;
        count++;
        statistics.callBegan();
        return entry;
    }

    private @Nullable CallEntry find(SipMessageView message) {
        long hash = message.callIdHash();
        CallEntry entry = buckets[(int) hash & BUCKETS - 1];
        while (entry != null && (entry.hash != hash || !entry.hasCallId(message))) {
            entry = entry.nextInBucket;
        }
        return entry;
    }

    private void end(CallEntry entry, CallOutcome outcome) {
        statistics.callEnded(entry.state(), outcome);
        if (records != null) {
            records.accept(entry.record(outcome, clock.millis()));
        }
        if (entry.charge != null) {
            entry.charge.release();
            entry.charge = null;
        }
        unlink(entry);
        entry.invite = 0;
        entry.bye = 0;
        count--;
        if (free.size() < limit / 4 + 64) {
            free.addLast(entry);
        }
    }

    private void unlink(CallEntry entry) {
        int bucket = (int) entry.hash & BUCKETS - 1;
        CallEntry at = buckets[bucket];
        if (at == entry) {
            buckets[bucket] = entry.nextInBucket;
        } else {
            while (at != null && at.nextInBucket != entry) {
                at = at.nextInBucket;
            }
            if (at != null) {
                at.nextInBucket = entry.nextInBucket;
            }
        }
        if (entry.older == null) {
            oldest = entry.newer;
        } else {
            entry.older.newer = entry.newer;
        }
        if (entry.newer == null) {
            newest = entry.older;
        } else {
            entry.newer.older = entry.older;
        }
        entry.nextInBucket = null;
        entry.older = null;
        entry.newer = null;
    }
}
