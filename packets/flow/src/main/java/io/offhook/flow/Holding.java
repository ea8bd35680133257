package io.offhook.flow;

/** How bytes are held that arrive early, or wait for others. */
public enum Holding {
    /**
     * The bytes are copied, so their segment may be reused. Each piece takes blocks of 2,048 bytes, from memory that is
     * allocated on demand.
     */
    COPY,
    /**
     * The bytes are referenced in place. The caller keeps them valid until they are no longer held, as in a mapped file
     * or a capture in memory. A piece counts against the limit with its length plus 64 bytes of bookkeeping.
     */
    REFERENCE
}
