package io.offhook.calls.relay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which dialogs carry one stream as it is or, by {@link RewrittenMedia}, as a stream of their own, each on its own part of the way: the sign of a B2BUA that relays media as it is.
 *
 * <p>A generator of load sends one recording in all of its calls, and a conference passes one stream on to many. So a stream
 * tells nothing if one host sends it in two dialogs, or receives it. And after a transfer, a stream of one call goes on in
 * another one: both have to begin with it.
 */
public final class SharedMedia {
    /** Without any stream. */
    public static final SharedMedia NONE = new SharedMedia();

    /** The most streams of one SSRC, in the order of their beginnings, that each is compared with. */
    private static final int MOST_ALIKE = 32;

    /** Between the first packets in both dialogs. */
    private static final long TOGETHER_NS = 2_000_000_000L;

    /** The most dialogs. */
    private static final int MOST_DIALOGS = 1 << 20;

    private static final int INDEX_BITS = 20;

    private final Set<Long> pairs = new HashSet<>(0);
    private final Set<Long> rewritten = new HashSet<>(0);

    /** A point and the index of its dialog. */
    private record Place(int dialog, StreamPoint point) {
        long firstNs() {
            return point.statistics().firstNs();
        }
    }

    private SharedMedia() {}

    /** Receives the points of dialogs, one by one. */
    public static final class Builder {
        private final Map<Long, List<Place>> bySsrc = new HashMap<>();
        private final RewrittenMedia payloads = new RewrittenMedia();

        /** Creates one without points. */
        public Builder() {}

        /**
         * Adds a stream, unless it has too few packets to be compared.
         *
         * @param dialog the index of its dialog, 0 to 2^20 - 1
         */
        public void add(int dialog, StreamPoint point) {
            if (dialog < MOST_DIALOGS && point.statistics().distinct() >= CommonRange.FEWEST_PACKETS) {
                bySsrc.computeIfAbsent(point.ssrc(), _ -> new ArrayList<>(1)).add(new Place(dialog, point));
            }
        }

        /**
         * Adds a stream of which packets were logged.
         *
         * @param dialog the index of its dialog, 0 to 2^20 - 1
         */
        public void addLogged(int dialog, StreamPoint point) {
            if (dialog < MOST_DIALOGS) {
                payloads.add(dialog, point);
            }
        }

        /** Adds two dialogs whose payloads are to be compared. */
        public void addNear(int one, int other) {
            payloads.addPair(one, other);
        }

        /** Compares all streams of one SSRC, and the logged ones of dialogs that are near. */
        public SharedMedia build() {
            SharedMedia media = new SharedMedia();
            for (List<Place> places : bySsrc.values()) {
                if (places.size() > 1) {
                    places.sort((a, b) -> Long.compare(a.firstNs(), b.firstNs()));
                    media.compare(places);
                }
            }
            payloads.forEach((one, other) -> media.rewritten.add(key(one, other)));
            return media;
        }
    }

    private void compare(List<Place> places) {
        int count = places.size();
        boolean[] isHabit = new boolean[count];
        List<int[]> same = new ArrayList<>(1);
        for (int i = 0; i < count; i++) {
            Place one = places.get(i);
            for (int j = i + 1; j < count && j <= i + MOST_ALIKE; j++) {
                Place other = places.get(j);
                if (other.firstNs() - one.firstNs() > TOGETHER_NS) {
                    break;
                }
                if (one.dialog != other.dialog && CommonRange.of(one.point, other.point) != null) {
                    boolean shares = one.point.sharesHost(other.point);
                    isHabit[i] |= shares;
                    isHabit[j] |= shares;
                    same.add(new int[] {i, j});
                }
            }
        }
        for (int[] each : same) {
            Place one = places.get(each[0]);
            Place other = places.get(each[1]);
            boolean isPassedOn = one.point.isFromCaller() == other.point.isFromCaller()
                    && (one.point.leadsTo(other.point) || other.point.leadsTo(one.point));
            if (isPassedOn && !isHabit[each[0]] && !isHabit[each[1]]) {
                pairs.add(key(one.dialog, other.dialog));
            }
        }
    }

    private static long key(int one, int other) {
        return (long) Math.min(one, other) << INDEX_BITS | Math.max(one, other);
    }

    /** Whether two dialogs carry one stream. */
    public boolean isShared(int one, int other) {
        return !pairs.isEmpty() && pairs.contains(key(one, other));
    }

    /** Whether two dialogs carry payloads of one stream, which a relay sends as its own. */
    public boolean isRewritten(int one, int other) {
        return !rewritten.isEmpty() && rewritten.contains(key(one, other));
    }

    /** Receives pairs of dialogs by their indexes. */
    @FunctionalInterface
    public interface PairSink {
        /** Receives a pair. */
        void pair(int lower, int higher);
    }

    /** Passes on each pair once, in ascending order. */
    public void forEach(PairSink sink) {
        Set<Long> all = new HashSet<>(pairs);
        all.addAll(rewritten);
        long[] sorted = new long[all.size()];
        int count = 0;
        for (long pair : all) {
            sorted[count++] = pair;
        }
        Arrays.sort(sorted);
        for (long pair : sorted) {
            sink.pair((int) (pair >>> INDEX_BITS), (int) (pair & MOST_DIALOGS - 1));
        }
    }
}
