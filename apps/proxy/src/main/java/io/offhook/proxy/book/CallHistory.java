package io.offhook.proxy.book;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.control.LiveMessage;
import io.offhook.proxy.tap.SeenMessage;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipTransport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of one call, eight bytes each, and the few other ends that they went between. Reused; allocates only while
 * its arrays grow.
 *
 * <pre>
 *  microseconds since the first message (40) | other end (6) | sent (1) | again (1) | method (5) | status (10)
 * </pre>
 */
@SuppressWarnings("EnumOrdinal") // packed into bits, and never stored
final class CallHistory {
    /** Of a fork to more places, the messages of further ones are left out. */
    static final int MOST_ENDS = 64;

    private static final int FIRST_MESSAGES = 16;
    private static final int FIRST_ENDS = 2;
    /** An end is its address, and one number: port, listener, transport. */
    private static final int END_LONGS = 3;

    private static final int TIME_SHIFT = 24;
    private static final int END_SHIFT = 18;
    private static final int SENT = 1 << 17;
    private static final int AGAIN = 1 << 16;
    private static final int METHOD_SHIFT = 11;
    private static final long MOST_TIME = (1L << 40) - 1;
    private static final int MOST_STATUS = (1 << METHOD_SHIFT) - 1;
    private static final int MOST_LISTENER = 0xffff;
    private static final SipMethod[] METHODS = SipMethod.values();
    private static final SipTransport[] TRANSPORTS = SipTransport.values();

    long key;

    @Nullable
    CallHistory nextInBucket;

    @Nullable
    CallHistory older;

    @Nullable
    CallHistory newer;

    /** Whether it is among those that ended. */
    boolean isOver;

    boolean isAnswered;

    private long firstUs;
    private long[] messages = new long[FIRST_MESSAGES];
    private long count;
    private long[] ends = new long[FIRST_ENDS * END_LONGS];
    private int endCount;
    private int leftOut;

    void begin(long callKey, long epochUs) {
        key = callKey;
        firstUs = epochUs;
        count = 0;
        endCount = 0;
        leftOut = 0;
        isOver = false;
        isAnswered = false;
    }

    /** Adds a message; {@code most} of them are kept. */
    void add(SeenMessage message, int most) {
        int end = end(message.remote());
        if (end < 0) {
            leftOut++;
            return;
        }
        long us = Math.clamp(message.epochNs() / 1000 - firstUs, 0, MOST_TIME);
        long packed = us << TIME_SHIFT
                | (long) end << END_SHIFT
                | (message.isSent() ? SENT : 0)
                | (message.isAgain() ? AGAIN : 0)
                | (long) message.method().ordinal() << METHOD_SHIFT
                | Math.min(message.status(), MOST_STATUS);
        if (count >= messages.length && messages.length < most) {
            messages = Arrays.copyOf(messages, Math.min(2 * messages.length, most));
        }
        messages[(int) (count % Math.min(messages.length, most))] = packed;
        count++;
    }

    private int end(SipHop remote) {
        long rest = (long) Math.clamp(remote.listener(), 0, MOST_LISTENER) << 24
                | (long) remote.transport().ordinal() << 16
                | remote.port();
        for (int i = 0; i < endCount; i++) {
            int at = i * END_LONGS;
            if (ends[at + 2] == rest && ends[at + 1] == remote.low() && ends[at] == remote.high()) {
                return i;
            }
        }
        if (endCount == MOST_ENDS) {
            return -1;
        }
        int at = endCount * END_LONGS;
        if (at == ends.length) {
            ends = Arrays.copyOf(ends, 2 * at);
        }
        ends[at] = remote.high();
        ends[at + 1] = remote.low();
        ends[at + 2] = rest;
        return endCount++;
    }

    /** The messages that were not kept: earlier ones, and those of too many ends. */
    long forgotten(int most) {
        return leftOut + Math.max(0, count - Math.min(messages.length, most));
    }

    /** Copies of the messages that are kept, the oldest first. */
    List<LiveMessage> messages(int most, List<Endpoint> locals) {
        int size = Math.min(messages.length, most);
        List<LiveMessage> found = new ArrayList<>();
        for (long i = Math.max(0, count - size); i < count; i++) {
            long packed = messages[(int) (i % size)];
            int end = (int) (packed >>> END_SHIFT & MOST_ENDS - 1) * END_LONGS;
            long rest = ends[end + 2];
            int listener = (int) (rest >>> 24);
            found.add(new LiveMessage(
                    firstUs + (packed >>> TIME_SHIFT),
                    (packed & SENT) != 0,
                    TRANSPORTS[(int) (rest >>> 16 & 0xff)],
                    listener < locals.size() ? locals.get(listener) : new Endpoint(0, 0, 0),
                    new Endpoint(ends[end], ends[end + 1], (int) (rest & 0xffff)),
                    new LiveMessage.Content(
                            METHODS[(int) (packed >>> METHOD_SHIFT & 0x1f)],
                            (int) (packed & MOST_STATUS),
                            (packed & AGAIN) != 0)));
        }
        return found;
    }
}
