package io.offhook.proxy.statistics;

import io.offhook.sip.SipMethod;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages by method and status, for the few kinds that one neighbour really sends and gets. One thread writes and any
 * thread reads. It grows when a kind is new, up to {@link #MOST_KINDS}; kinds beyond count as requests of
 * {@link SipMethod#OTHER}.
 */
final class MessageTable {
    static final int MOST_KINDS = 192;

    private static final int OVERFLOW = MessageKey.of(SipMethod.OTHER, 0);
    private static final VarHandle KEY = MethodHandles.arrayElementVarHandle(int[].class);

    /** Keys plus one, 0 where empty; a power of two, at most three quarters full. */
    private static final class Slots {
        private final int[] keys;
        private final CounterArray counts;

        Slots(int size) {
            keys = new int[size];
            counts = new CounterArray(size * MessageWay.COUNT);
        }

        /** The slot of a key, or the empty one where it belongs. */
        int slot(int key) {
            int mask = keys.length - 1;
            int slot = key * 0x9e3779b9 >>> 16 & mask;
            while (keys[slot] != 0 && keys[slot] != key + 1) {
                slot = slot + 1 & mask;
            }
            return slot;
        }
    }

    private volatile Slots slots = new Slots(16);
    private int kinds;

    /** By the writer. */
    @SuppressWarnings("EnumOrdinal") // used as an index only
    void add(MessageWay way, SipMethod method, int status) {
        int key = MessageKey.of(method, status);
        Slots now = slots;
        int slot = now.slot(key);
        if (now.keys[slot] == 0) {
            slot = begin(key);
            now = slots;
        }
        now.counts.add(slot * MessageWay.COUNT + way.ordinal(), 1);
    }

    private int begin(int key) {
        if (kinds >= MOST_KINDS && key != OVERFLOW) {
            int slot = slots.slot(OVERFLOW);
            return slots.keys[slot] != 0 ? slot : enter(OVERFLOW);
        }
        return enter(key);
    }

    private int enter(int key) {
        Slots now = slots;
        if ((kinds + 1) * 4 > now.keys.length * 3) {
            now = grown(now);
            slots = now;
        }
        kinds++;
        int slot = now.slot(key);
        KEY.setRelease(now.keys, slot, key + 1);
        return slot;
    }

    private static Slots grown(Slots before) {
        Slots after = new Slots(before.keys.length * 2);
        for (int i = 0; i < before.keys.length; i++) {
            if (before.keys[i] != 0) {
                int slot = after.slot(before.keys[i] - 1);
                after.keys[slot] = before.keys[i];
                for (int way = 0; way < MessageWay.COUNT; way++) {
                    after.counts.add(slot * MessageWay.COUNT + way, before.counts.get(i * MessageWay.COUNT + way));
                }
            }
        }
        return after;
    }

    /** By any thread. */
    List<MessageCount> counts() {
        Slots now = slots;
        List<MessageCount> counts = new ArrayList<>();
        for (int i = 0; i < now.keys.length; i++) {
            int key = (int) KEY.getAcquire(now.keys, i) - 1;
            if (key >= 0) {
                int cell = i * MessageWay.COUNT;
                counts.add(new MessageCount(
                        MessageKey.method(key),
                        MessageKey.status(key),
                        now.counts.get(cell),
                        now.counts.get(cell + 1),
                        now.counts.get(cell + 2),
                        now.counts.get(cell + 3)));
            }
        }
        counts.sort(MessageCount.IN_ORDER);
        return counts;
    }
}
