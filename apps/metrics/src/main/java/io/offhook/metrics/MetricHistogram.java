package io.offhook.metrics;

/**
 * Counts values below bounds, in the unit of its metric.
 *
 * <p>Thread-safe.
 */
public final class MetricHistogram {
    private final double[] bounds;
    private final long[] counts;
    private double sum;

    /**
     * Creates an empty one.
     *
     * @param bounds upper bounds, inclusive and ascending; what is above the last one is counted apart
     */
    public MetricHistogram(double... bounds) {
        this.bounds = bounds.clone();
        counts = new long[bounds.length + 1];
        for (int i = 1; i < bounds.length; i++) {
            if (bounds[i] <= bounds[i - 1]) {
                throw new IllegalArgumentException("bound " + bounds[i] + " follows " + bounds[i - 1]);
            }
        }
    }

    /** Counts a value; one that is no finite number is left out. */
    public synchronized void add(double value) {
        if (!Double.isFinite(value)) {
            return;
        }
        int i = 0;
        while (i < bounds.length && value > bounds[i]) {
            i++;
        }
        counts[i]++;
        sum += value;
    }

    /** What was counted so far. */
    public synchronized Buckets buckets() {
        long[] upTo = new long[counts.length];
        long before = 0;
        for (int i = 0; i < counts.length; i++) {
            before += counts[i];
            upTo[i] = before;
        }
        return new Buckets(bounds, upTo, sum);
    }

    /** The counts at one time. */
    public static final class Buckets {
        private final double[] bounds;
        private final long[] upTo;
        private final double sum;

        /**
         * Takes counts that somebody else has.
         *
         * @param bounds upper bounds, inclusive and ascending
         * @param upTo how many values were up to each bound, and all of them at the end
         * @param sum of all values
         */
        public Buckets(double[] bounds, long[] upTo, double sum) {
            if (upTo.length != bounds.length + 1) {
                throw new IllegalArgumentException(upTo.length + " counts for " + bounds.length + " bounds");
            }
            this.bounds = bounds.clone();
            this.upTo = upTo.clone();
            this.sum = sum;
        }

        /** How many bounds there are. */
        public int bounds() {
            return bounds.length;
        }

        /** Bound {@code i}, from 0. */
        public double bound(int i) {
            return bounds[i];
        }

        /** How many values were at most bound {@code i}. */
        public long upTo(int i) {
            return upTo[i];
        }

        /** How many values there were. */
        public long count() {
            return upTo[bounds.length];
        }

        /** Their sum. */
        public double sum() {
            return sum;
        }
    }
}
