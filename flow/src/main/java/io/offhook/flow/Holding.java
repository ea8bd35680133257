package io.offhook.flow;

/** How bytes are held that came before their turn, or wait for others. */
public enum Holding {
    /**
     * They are copied: the segment that they lie in need not stay. Each piece takes blocks of 2,048 bytes, of memory that
     * is taken as it is needed.
     */
    COPY,
    /**
     * They are referenced where they are: the caller sees to it that they stay until nothing is held of them any more, as
     * they do in a mapped file or in memory. A piece counts with its length, and 64 bytes for what is noted of it, against
     * the same limit.
     */
    REFERENCE
}
