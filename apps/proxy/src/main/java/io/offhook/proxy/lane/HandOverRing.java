package io.offhook.proxy.lane;

import io.offhook.sip.SipHop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Messages that one lane has received and another one owns, in their order: one thread puts, another takes. Arrays are reused;
 * what finds no room is refused, and counted by the sender.
 */
final class HandOverRing {
    private static final VarHandle PUT;
    private static final VarHandle TAKEN;
    private static final int FIRST_LENGTH = 2048;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PUT = lookup.findVarHandle(HandOverRing.class, "put", long.class);
            TAKEN = lookup.findVarHandle(HandOverRing.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final byte[][] octets;
    private final int[] length;
    private final SipHop[] source;
    private final long[] arrivedNs;
    private final int mask;
    private volatile long put;
    private volatile long taken;

    /** @param capacity a power of two */
    HandOverRing(int capacity) {
        octets = new byte[capacity][];
        length = new int[capacity];
        source = new SipHop[capacity];
        arrivedNs = new long[capacity];
        for (int i = 0; i < capacity; i++) {
            octets[i] = new byte[0];
            source[i] = new SipHop();
        }
        mask = capacity - 1;
    }

    /** Copies a message into the ring; false if there is no room. */
    boolean put(byte[] message, int count, SipHop from, long arrivalNs) {
        long at = (long) PUT.get(this);
        if (at - (long) TAKEN.getAcquire(this) > mask) {
            return false;
        }
        int i = (int) at & mask;
        if (octets[i].length < count) {
            octets[i] = new byte[Math.max(count, FIRST_LENGTH)];
        }
        System.arraycopy(message, 0, octets[i], 0, count);
        length[i] = count;
        source[i].set(from);
        arrivedNs[i] = arrivalNs;
        PUT.setRelease(this, at + 1);
        return true;
    }

    /** What a lane does with a message. */
    @FunctionalInterface
    interface Receiver {
        void handedOver(byte[] message, int length, SipHop source, long arrivedNs);
    }

    /** Takes at most {@code most} messages. */
    int take(Receiver receiver, int most) {
        long from = (long) TAKEN.get(this);
        long end = Math.min((long) PUT.getAcquire(this), from + most);
        for (long at = from; at < end; at++) {
            int i = (int) at & mask;
            try {
                receiver.handedOver(octets[i], length[i], source[i], arrivedNs[i]);
            } finally {
                TAKEN.setRelease(this, at + 1);
            }
        }
        return (int) (end - from);
    }

    boolean isEmpty() {
        return put == taken;
    }
}
