package io.offhook.store;

/**
 * One reading of a source: a message of it is not there yet, unless somebody wrote it before this reading began.
 *
 * <p>Its state is that of the thread that writes.
 */
final class MessageFeed {
    /** What {@link #storedUntilNs} is before the first write. */
    static final long UNKNOWN = Long.MAX_VALUE;

    private final String source;
    private long storedUntilNs = UNKNOWN;

    MessageFeed(String source) {
        this.source = source;
    }

    String source() {
        return source;
    }

    /** Only messages up to this time may be in the database already. */
    long storedUntilNs() {
        return storedUntilNs;
    }

    void storedUntilNs(long ns) {
        storedUntilNs = ns;
    }
}
