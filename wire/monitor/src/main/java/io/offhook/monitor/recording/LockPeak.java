package io.offhook.monitor.recording;

import org.jspecify.annotations.Nullable;

/** Of several looks, the one at which most threads waited for locks; of these, the last. */
final class LockPeak {
    private @Nullable RecordedLocks peak;
    private @Nullable RecordedLocks written = RecordedLocks.NONE;

    void add(RecordedLocks now) {
        if (peak == null || now.waiting() >= peak.waiting()) {
            peak = now;
        }
    }

    /** What is to be written; null if it is as it was written last. */
    @Nullable
    RecordedLocks unwritten() {
        return peak == null || peak.equals(written) ? null : peak;
    }

    /** It was written, and the next look begins anew. */
    void written() {
        written = peak == null ? written : peak;
        peak = null;
    }

    /** It will not be written. */
    void forget() {
        peak = null;
    }

    /** What was written may be gone. */
    void writeAgain() {
        written = null;
    }
}
