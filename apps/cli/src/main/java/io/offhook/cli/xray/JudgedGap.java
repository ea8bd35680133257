package io.offhook.cli.xray;

import io.offhook.monitor.xray.Cause;
import io.offhook.monitor.xray.Slice;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A gap, and what the process did in it.
 *
 * @param slices without holes, from its begin to its end
 */
record JudgedGap(FoundGap gap, List<Slice> slices) {
    /** How long each cause has, in nanoseconds, of those that have any. */
    Map<Cause, Long> byCause() {
        Map<Cause, Long> sums = new EnumMap<>(Cause.class);
        slices.forEach(slice -> sums.merge(slice.cause(), slice.ns(), Long::sum));
        return sums;
    }

    /** The cause that has most of it. */
    Cause main() {
        return longest(byCause(), Cause.UNSEEN);
    }

    /** What there is to say of a cause in it: what holds for longest. */
    String what(Cause cause) {
        Map<String, Long> sums = new HashMap<>();
        slices.stream()
                .filter(slice -> slice.cause() == cause && !slice.what().isEmpty())
                .forEach(slice -> sums.merge(slice.what(), slice.ns(), Long::sum));
        return longest(sums, "");
    }

    private static <T> T longest(Map<T, Long> sums, T otherwise) {
        T most = otherwise;
        long mostNs = 0;
        for (Map.Entry<T, Long> sum : sums.entrySet()) {
            if (sum.getValue() > mostNs) {
                most = sum.getKey();
                mostNs = sum.getValue();
            }
        }
        return most;
    }

    /** A bar of so many letters, each of the cause that has most of its part. */
    String bar(int width) {
        StringBuilder bar = new StringBuilder(width);
        double columnNs = (double) gap.ns() / width;
        for (int i = 0; i < width; i++) {
            long fromNs = gap.fromNs() + Math.round(i * columnNs);
            long toNs = gap.fromNs() + Math.round((i + 1) * columnNs);
            Map<Cause, Long> sums = new EnumMap<>(Cause.class);
            for (Slice slice : slices) {
                long ns = Math.min(slice.toNs(), toNs) - Math.max(slice.fromNs(), fromNs);
                if (ns > 0) {
                    sums.merge(slice.cause(), ns, Long::sum);
                }
            }
            bar.append(longest(sums, Cause.UNSEEN).letter());
        }
        return bar.toString();
    }
}
