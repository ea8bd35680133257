package io.offhook.store;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link CallWriter} did since it was started.
 *
 * @param written what is in the database; a call that went on was written several times, of which the last is there
 * @param lost what had no room in the queue, or could not be written
 * @param failedWrites writes that failed; what they were to write was tried again
 * @param queuedBytes of messages that wait now
 * @param lastFailure why the last write failed; null if the last one did not
 */
public record WriterCounts(
        Items written,
        Items lost,
        long failedWrites,
        long queuedBytes,
        @Nullable String lastFailure) {
    /** Nothing was written yet. */
    public static final WriterCounts NOTHING = new WriterCounts(Items.NONE, Items.NONE, 0, 0, null);

    /**
     * What is written.
     *
     * @param calls states of calls
     * @param messages SIP messages
     * @param registrations states of registrations
     */
    public record Items(long calls, long messages, long registrations) {
        /** Nothing. */
        public static final Items NONE = new Items(0, 0, 0);

        /** All together. */
        public long sum() {
            return calls + messages + registrations;
        }
    }
}
