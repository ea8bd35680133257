package io.offhook.calls;

import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the quality of a stream changed, over its intervals with a MOS on the scale of most of them.
 *
 * @param scale of all values
 * @param minMos the lowest MOS of an interval
 * @param minAtNs when the first interval with that MOS began, nanoseconds since the epoch
 * @param meanMos weighted by duration
 * @param below36Percent the share of the time with a MOS below 3.6, 0 to 100: many users dissatisfied (G.107, annex B)
 * @param below31Percent the share of the time with a MOS below 3.1, 0 to 100: nearly all users dissatisfied
 */
public record QualityOverTime(
        MosScale scale, double minMos, long minAtNs, double meanMos, double below36Percent, double below31Percent) {
    /** A MOS below which many users are dissatisfied: R 70 on the narrowband scale (G.107, annex B). */
    public static final double MANY_DISSATISFIED = 3.6;

    private static final double NEARLY_ALL_DISSATISFIED = 3.1;

    /** Null if no interval has a MOS on the scale. */
    static @Nullable QualityOverTime of(List<RatedInterval> intervals, MosScale scale) {
        double minMos = Double.POSITIVE_INFINITY;
        long minAtNs = 0;
        double sum = 0;
        long allNs = 0;
        long below36Ns = 0;
        long below31Ns = 0;
        for (RatedInterval rated : intervals) {
            if (rated.rating() instanceof Quality quality && quality.scale() == scale) {
                long durationNs = rated.interval().durationNs();
                if (quality.mos() < minMos) {
                    minMos = quality.mos();
                    minAtNs = rated.interval().startNs();
                }
                sum += quality.mos() * durationNs;
                allNs += durationNs;
                below36Ns += quality.mos() < MANY_DISSATISFIED ? durationNs : 0;
                below31Ns += quality.mos() < NEARLY_ALL_DISSATISFIED ? durationNs : 0;
            }
        }
        return allNs == 0
                ? null
                : new QualityOverTime(
                        scale, minMos, minAtNs, sum / allNs, 100.0 * below36Ns / allNs, 100.0 * below31Ns / allNs);
    }
}
