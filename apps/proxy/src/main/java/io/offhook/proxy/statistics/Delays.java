package io.offhook.proxy.statistics;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** The ranges of histograms of times, in nanoseconds, with two significant digits. What is beyond counts as the end. */
final class Delays {
    /** 10 s: nothing stays longer in a proxy that answers. */
    private static final long MOST_INSIDE_NS = 10_000_000_000L;

    private static final long LEAST_INSIDE_NS = 100;
    /** Timer C and a little. */
    private static final long MOST_RESPONSE_NS = 240_000_000_000L;

    private static final long LEAST_RESPONSE_NS = 100_000;
    private static final int DIGITS = 2;

    private Delays() {}

    /** Times inside of the proxy, from 100 ns to 10 s. */
    static SingleWriterRecorder inside() {
        return new SingleWriterRecorder(LEAST_INSIDE_NS, MOST_INSIDE_NS, DIGITS);
    }

    static Histogram totalOfInside() {
        return new Histogram(LEAST_INSIDE_NS, MOST_INSIDE_NS, DIGITS);
    }

    /** Times until a response, from 100 us to 240 s. */
    static SingleWriterRecorder ofResponses() {
        return new SingleWriterRecorder(LEAST_RESPONSE_NS, MOST_RESPONSE_NS, DIGITS);
    }

    static Histogram totalOfResponses() {
        return new Histogram(LEAST_RESPONSE_NS, MOST_RESPONSE_NS, DIGITS);
    }

    /** Records a time within the range of {@link #inside}. */
    static void recordInside(SingleWriterRecorder recorder, long ns) {
        recorder.recordValue(Math.clamp(ns, 0, MOST_INSIDE_NS));
    }

    /** Records a time within the range of {@link #ofResponses}. */
    static void recordResponse(SingleWriterRecorder recorder, long ns) {
        recorder.recordValue(Math.clamp(ns, 0, MOST_RESPONSE_NS));
    }
}
