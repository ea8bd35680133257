package io.offhook.calls.join;

import io.offhook.packet.Endpoint;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Finds dialogs that may be legs of one call as far as hosts, numbers and times say: the INVITE of the second came within
 * 5 s from the host that that of the first went to, or has its calling or called number. That joins nothing, but says whose
 * media is worth comparing.
 *
 * <p>Holds at most {@value #MOST_KEYS} hosts and numbers, and the last {@value #MOST_ALIKE} dialogs of each.
 *
 * @param <T> what stands for a dialog
 */
public final class NearDialogs<T> {
    private static final int MOST_KEYS = 65_536;
    private static final int MOST_ALIKE = 16;
    private static final int FEWEST_KEYS = 1024;

    private static final long HOST = Keys.of("host");
    private static final long CALLED = Keys.of("called");
    private static final long CALLING = Keys.of("calling");

    private final Map<Long, Ring> rings = new HashMap<>();
    private int sweepAt = FEWEST_KEYS;

    /** The last dialogs of one key; of most keys there is one. */
    private static final class Ring {
        private Object[] dialogs = new Object[1];
        private long[] times = new long[1];
        private int count;

        void add(Object dialog, long atNs) {
            if (count == dialogs.length && count < MOST_ALIKE) {
                dialogs = Arrays.copyOf(dialogs, Math.min(MOST_ALIKE, 4 * count));
                times = Arrays.copyOf(times, dialogs.length);
            }
            dialogs[count % MOST_ALIKE] = dialog;
            times[count % MOST_ALIKE] = atNs;
            count = count == Integer.MAX_VALUE ? MOST_ALIKE : count + 1;
        }

        boolean isOld(long nowNs) {
            for (int i = 0; i < Math.min(count, MOST_ALIKE); i++) {
                if (nowNs - times[i] <= PairScorer.NEAR_NS) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Creates one without dialogs. */
    public NearDialogs() {}

    /**
     * Adds the next dialog in the order of their INVITEs.
     *
     * @param dialog stands for it
     * @param invitedNs when its INVITE came, nanoseconds since the epoch
     * @param source the sender of its INVITE
     * @param destinations the receivers of its INVITE, on all hops
     * @param users of its INVITE
     * @param pairs receives each earlier dialog that it may be a leg of, and itself; one pair may come several times
     */
    public void add(
            T dialog,
            long invitedNs,
            Endpoint source,
            List<Endpoint> destinations,
            DialogFacts.Users users,
            BiConsumer<T, T> pairs) {
        if (rings.size() >= sweepAt) {
            sweep(invitedNs);
        }
        find(host(source), dialog, invitedNs, pairs);
        for (Endpoint destination : destinations) {
            keep(host(destination), dialog, invitedNs);
        }
        if (!users.called().isEmpty()) {
            find(Keys.add(CALLED, users.called()), dialog, invitedNs, pairs);
            keep(Keys.add(CALLED, users.called()), dialog, invitedNs);
        }
        if (!users.caller().isEmpty()) {
            find(Keys.add(CALLING, users.caller()), dialog, invitedNs, pairs);
            keep(Keys.add(CALLING, users.caller()), dialog, invitedNs);
        }
    }

    private void sweep(long nowNs) {
        Iterator<Ring> all = rings.values().iterator();
        while (all.hasNext()) {
            if (all.next().isOld(nowNs)) {
                all.remove();
            }
        }
        if (rings.size() >= MOST_KEYS) {
            rings.clear();
        }
        sweepAt = Math.max(FEWEST_KEYS, 2 * rings.size());
    }

    private static long host(Endpoint endpoint) {
        return Keys.add(Keys.add(HOST, endpoint.high()), endpoint.low());
    }

    private void keep(long key, T dialog, long atNs) {
        Ring ring = rings.get(key);
        if (ring == null) {
            ring = new Ring();
            rings.put(key, ring);
        }
        ring.add(dialog, atNs);
    }

    @SuppressWarnings("unchecked") // a ring has what add() put there
    private void find(long key, T dialog, long atNs, BiConsumer<T, T> pairs) {
        Ring ring = rings.get(key);
        for (int i = 0; ring != null && i < Math.min(ring.count, MOST_ALIKE); i++) {
            if (Math.abs(atNs - ring.times[i]) <= PairScorer.NEAR_NS && !dialog.equals(ring.dialogs[i])) {
                pairs.accept((T) ring.dialogs[i], dialog);
            }
        }
    }
}
