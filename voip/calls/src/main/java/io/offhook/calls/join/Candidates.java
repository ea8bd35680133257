package io.offhook.calls.join;

import io.offhook.calls.relay.SharedMedia;
import io.offhook.packet.Endpoint;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pairs of dialogs that are worth comparing: those that share a key. Each dialog is compared with a limited
 * number of others for each key, so that the work is linear in the number of dialogs.
 *
 * <p>Dialogs are numbered in the order of their INVITEs.
 */
final class Candidates {
    /** The bits of the index of a dialog; the rest of a key is its hash. */
    private static final int INDEX_BITS = 20;

    private static final long INDEX = (1L << INDEX_BITS) - 1;

    /** The most dialogs before it, of one key, that a dialog is compared with. */
    private static final int MOST_ALIKE = 32;

    /** The most dialogs before it, on the hop before, that a dialog is compared with. */
    private static final int MOST_NEAR = 16;

    private final List<DialogFacts> dialogs;
    private final Map<String, Integer> byCallId;
    private final Set<Endpoint> shared = new HashSet<>();
    private final Longs keys = new Longs();
    private final Longs pairs = new Longs();

    /** A growing array. */
    private static final class Longs {
        private long[] values = new long[64];
        private int size;

        void add(long value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }

        void sort() {
            Arrays.sort(values, 0, size);
        }
    }

    Candidates(
            List<DialogFacts> dialogs, Map<String, Integer> byCallId, Set<Long> tellingOrigins, SharedMedia packets) {
        this.dialogs = dialogs;
        this.byCallId = byCallId;
        packets.forEach(this::pair);
        media();
        others(tellingOrigins);
        named();
        near();
        pairs.sort();
    }

    /** Pairs by the addresses that media was offered at, but for those that a caller uses for several calls at a time. */
    private void media() {
        for (int i = 0; i < dialogs.size(); i++) {
            for (Endpoint media : dialogs.get(i).way().media()) {
                key(Keys.add(Keys.add(media.port(), media.high()), media.low()), i);
            }
        }
        groups(true);
    }

    /** Pairs by Session-ID, group and origin. */
    private void others(Set<Long> tellingOrigins) {
        for (int i = 0; i < dialogs.size(); i++) {
            DialogEvidence evidence = dialogs.get(i).evidence();
            for (SessionIds ids : evidence.sessionIds()) {
                text("session", ids.local(), i);
                text("session", ids.remote(), i);
            }
            for (DialogEvidence.Named group : evidence.groups()) {
                text(group.header(), group.value(), i);
            }
            for (long origin : evidence.callerOrigins()) {
                origin(origin, tellingOrigins, i);
            }
            if (evidence.isOfferless()) {
                for (long origin : evidence.calleeOrigins()) {
                    origin(origin, tellingOrigins, i);
                }
            }
        }
        groups(false);
    }

    private void origin(long origin, Set<Long> telling, int dialog) {
        if (telling.contains(origin)) {
            key(origin, dialog);
        }
    }

    private void text(String kind, String value, int dialog) {
        if (!value.isEmpty()) {
            key(Keys.add(Keys.of(kind), value), dialog);
        }
    }

    private void key(long hash, int dialog) {
        keys.add(hash & ~INDEX | dialog);
    }

    private void groups(boolean areMedia) {
        keys.sort();
        int from = 0;
        while (from < keys.size) {
            int to = from + 1;
            while (to < keys.size && (keys.values[to] & ~INDEX) == (keys.values[from] & ~INDEX)) {
                to++;
            }
            if (to - from > 1 && !(areMedia && isShared(from, to))) {
                group(from, to);
            }
            from = to;
        }
        keys.size = 0;
    }

    private void group(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            for (int j = Math.max(from, i - MOST_ALIKE); j < i; j++) {
                pair(dialog(j), dialog(i));
            }
        }
    }

    private int dialog(int key) {
        return (int) (keys.values[key] & INDEX);
    }

    private record Ends(Endpoint source, Endpoint destination) {
        // written out: a start must not make the classes by which records compare (docs/decisions/0007)
        @Override
        public int hashCode() {
            return 31 * source.hashCode() + destination.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Ends ends && source.equals(ends.source) && destination.equals(ends.destination);
        }
    }

    /** Whether two calls between the same endpoints use a media address at one time; then it tells nothing. */
    private boolean isShared(int from, int to) {
        Map<Ends, Integer> last = new HashMap<>();
        for (int i = from; i < to; i++) {
            DialogFacts dialog = dialogs.get(dialog(i));
            Ends ends = new Ends(dialog.way().source(), dialog.way().destination());
            Integer known = last.get(ends);
            DialogFacts before = known == null ? null : dialogs.get(known);
            if (known != null && before != null && known != dialog(i) && before.overlaps(dialog)) {
                for (Endpoint media : dialog.way().media()) {
                    if (before.way().media().contains(media)) {
                        shared.add(media);
                    }
                }
                return true;
            }
            if (before == null || before.course().untilNs() < dialog.course().untilNs()) {
                last.put(ends, dialog(i));
            }
        }
        return false;
    }

    /** Pairs by Call-IDs that a header names, or that a longer Call-ID contains. */
    private void named() {
        for (int i = 0; i < dialogs.size(); i++) {
            for (DialogEvidence.Named named : dialogs.get(i).evidence().callIds()) {
                named(named.value(), i);
            }
            for (String stem : PairScorer.stems(dialogs.get(i).callId())) {
                named(stem, i);
            }
        }
    }

    private void named(String callId, int dialog) {
        Integer other = byCallId.get(callId);
        if (other != null && other != dialog) {
            pair(Math.min(other, dialog), Math.max(other, dialog));
        }
    }

    /** Pairs of dialogs that follow each other within seconds by way of one host. */
    private void near() {
        Map<Endpoint, int[]> arrived = new HashMap<>(); // the last dialogs at each host, in a ring behind their number
        for (int i = 0; i < dialogs.size(); i++) {
            DialogFacts dialog = dialogs.get(i);
            int[] ring = arrived.get(dialog.way().source().withPort(0));
            if (ring != null) {
                near(ring, i);
            }
            for (Endpoint destination : dialog.way().destinations()) {
                int[] at = arrived.computeIfAbsent(destination.withPort(0), _ -> new int[MOST_NEAR + 1]);
                at[1 + at[0] % MOST_NEAR] = i;
                at[0] = at[0] == Integer.MAX_VALUE ? MOST_NEAR : at[0] + 1;
            }
        }
    }

    private void near(int[] ring, int dialog) {
        long invitedNs = dialogs.get(dialog).course().invitedNs();
        for (int i = 1; i <= Math.min(ring[0], MOST_NEAR); i++) {
            if (invitedNs - dialogs.get(ring[i]).course().invitedNs() <= PairScorer.NEAR_NS) {
                pair(ring[i], dialog);
            }
        }
    }

    private void pair(int earlier, int later) {
        if (earlier != later) {
            pairs.add((long) later << INDEX_BITS | earlier);
        }
    }

    /** Media addresses that tell nothing. */
    Set<Endpoint> shared() {
        return shared;
    }

    /** Receives pairs of dialogs. */
    interface PairSink {
        void pair(int earlier, int later);
    }

    /** Passes on each pair once, in the order of the later dialog. */
    void forEach(PairSink sink) {
        for (int i = 0; i < pairs.size; i++) {
            if (i == 0 || pairs.values[i] != pairs.values[i - 1]) {
                sink.pair((int) (pairs.values[i] & INDEX), (int) (pairs.values[i] >>> INDEX_BITS));
            }
        }
    }
}
