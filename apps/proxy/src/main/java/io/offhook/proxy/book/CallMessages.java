package io.offhook.proxy.book;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.control.LiveMessages;
import io.offhook.proxy.tap.CallKeys;
import io.offhook.proxy.tap.MessageWatcher;
import io.offhook.proxy.tap.SeenMessage;
import io.offhook.sip.SipMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of each call of one lane, from its first INVITE on. A call that has ended is remembered until at least a
 * thousand others have ended after it, so that its last messages are seen, and those of an INVITE that comes again with
 * credentials. Bounded: the oldest call is forgotten for a new one. Belongs to the lane's thread; a steady load allocates
 * nothing.
 */
public final class CallMessages implements MessageWatcher {
    /** Calls that ended, of which the oldest is used again for a new one if there are more. */
    static final int LEAST_ENDED = 1024;

    private static final int BUCKETS = 1 << 15;
    private static final int REDIRECTION = 300;
    private static final int OK = 200;

    private final int mostCalls;
    private final int mostEnded;
    private final int mostMessages;
    private final List<Endpoint> locals;
    private final CallKeys keys;
    private final @Nullable CallHistory[] buckets = new CallHistory[BUCKETS];
    private final HistoryList running = new HistoryList();
    private final HistoryList ended = new HistoryList();

    /**
     * Remembers nothing yet.
     *
     * @param mostCalls the most calls at a time, 1 or more
     * @param mostMessages the last messages that are kept of each, 1 or more
     * @param locals our addresses by listener
     * @param keys the numbers of calls, as messages have them
     */
    public CallMessages(int mostCalls, int mostMessages, List<Endpoint> locals, CallKeys keys) {
        this.mostCalls = mostCalls;
        this.mostMessages = mostMessages;
        this.locals = List.copyOf(locals);
        this.keys = keys;
        mostEnded = Math.max(2 * LEAST_ENDED, mostCalls / 16);
    }

    @Override
    public void seen(SeenMessage message) {
        if (message.isRejected()) {
            return;
        }
        long key = message.callKey();
        CallHistory history = find(key);
        boolean isInvite = message.method() == SipMethod.INVITE;
        boolean begins = isInvite && message.status() == 0 && !message.isSent();
        if (history == null) {
            if (!begins || key == 0) {
                return;
            }
            history = begin(key, message.epochNs() / 1000);
        } else if (begins && history.isOver && !message.isAgain()) {
            ended.remove(history);
            running.add(history);
            history.isOver = false;
            history.isAnswered = false;
        }
        history.add(message, mostMessages);
        int status = message.status();
        if (isInvite && message.isSent() && status >= OK) {
            history.isAnswered |= status < REDIRECTION;
            if (!history.isAnswered) {
                end(history);
            }
        } else if (message.method() == SipMethod.BYE && status >= OK) {
            end(history);
        }
    }

    /** What is remembered of a call; null if nothing is. */
    public @Nullable LiveMessages messages(String callId) {
        CallHistory history = find(keys.of(callId));
        return history == null
                ? null
                : new LiveMessages(history.messages(mostMessages, locals), history.forgotten(mostMessages));
    }

    private @Nullable CallHistory find(long key) {
        CallHistory at = buckets[(int) key & BUCKETS - 1];
        while (at != null && at.key != key) {
            at = at.nextInBucket;
        }
        return at;
    }

    private CallHistory begin(long key, long epochUs) {
        CallHistory history = null;
        if (ended.count() > LEAST_ENDED) {
            history = ended.removeOldest();
        } else if (running.count() >= mostCalls) {
            history = running.removeOldest();
        }
        if (history == null) {
            history = new CallHistory();
        } else {
            unlink(history);
        }
        history.begin(key, epochUs);
        int bucket = (int) key & BUCKETS - 1;
        history.nextInBucket = buckets[bucket];
        buckets[bucket] = history;
        running.add(history);
        return history;
    }

    private void end(CallHistory history) {
        if (history.isOver) {
            return;
        }
        running.remove(history);
        ended.add(history);
        history.isOver = true;
        if (ended.count() > mostEnded) {
            CallHistory oldest = ended.removeOldest();
            if (oldest != null) {
                unlink(oldest); // after a peak, its memory is given back
            }
        }
    }

    private void unlink(CallHistory history) {
        int bucket = (int) history.key & BUCKETS - 1;
        CallHistory at = buckets[bucket];
        if (at == history) {
            buckets[bucket] = history.nextInBucket;
        } else {
            while (at != null && at.nextInBucket != history) {
                at = at.nextInBucket;
            }
            if (at != null) {
                at.nextInBucket = history.nextInBucket;
            }
        }
        history.nextInBucket = null;
    }
}
