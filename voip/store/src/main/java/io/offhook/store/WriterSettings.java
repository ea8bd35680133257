package io.offhook.store;

/**
 * What may wait to be written.
 *
 * @param queueBytes of messages, 1 MB or more
 * @param queueCalls calls, and as many registrations and drops, 1,000 or more
 */
public record WriterSettings(long queueBytes, int queueCalls) {
    private static final long LEAST_BYTES = 1 << 20;
    private static final int LEAST_CALLS = 1000;

    /** Checks the values. */
    public WriterSettings {
        if (queueBytes < LEAST_BYTES) {
            throw new IllegalArgumentException("queueBytes " + queueBytes + " is below " + LEAST_BYTES);
        }
        if (queueCalls < LEAST_CALLS) {
            throw new IllegalArgumentException("queueCalls " + queueCalls + " is below " + LEAST_CALLS);
        }
    }

    /**
     * 256 MB of messages, which are some seconds of 100,000 a second, and 100,000 calls. In a flood half of it is written at a time:
     * more than the 122,880 messages from which on DuckDB compresses rows at once, without its log, for two thirds of the work.
     */
    public static WriterSettings standard() {
        return new WriterSettings(256 << 20, 100_000);
    }
}
