package io.offhook.calls.binding;

/**
 * How a call without an end loses its ports to another one: once one that began after it was answered has those of both of its
 * sides, the first one is over. Legs of a B2BUA share ports, too, but the later one begins before the other is answered. Not for
 * several threads at a time.
 */
public final class Takeover {
    private boolean isTouched;
    private long successor;
    private boolean isOfCaller;
    private long atNs = Long.MAX_VALUE;

    /** Nobody has taken anything. */
    public Takeover() {}

    /**
     * Another call receives media where one side of this one did, and this one is answered.
     *
     * @param answeredNs when this one was, nanoseconds since the epoch
     * @return whether this one is over with that
     */
    public boolean take(Taking taking, long answeredNs) {
        if (taking.firstSeenNs() < answeredNs || atNs != Long.MAX_VALUE) {
            return false;
        }
        boolean isOver = isTouched && taking.by() == successor && taking.ofCaller() != isOfCaller;
        if (isOver) {
            atNs = taking.firstSeenNs();
        }
        isTouched = true;
        successor = taking.by();
        isOfCaller = taking.ofCaller();
        return isOver;
    }

    /** When the other call began, nanoseconds since the epoch; Long.MAX_VALUE if none took over. */
    public long atNs() {
        return atNs;
    }
}
