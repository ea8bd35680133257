package io.offhook.calls.binding;

import java.util.Comparator;

/**
 * A call, as far as it matters for whose media something is.
 *
 * @param callIdHash of its Call-ID
 * @param firstFrame of its first message
 * @param firstSeenNs when it was, nanoseconds since the epoch, as all times here
 * @param answeredNs when it was answered; {@link #NEVER} if it was not
 * @param endNs its end or its last message, whichever is later; {@link #NEVER} if it has no end
 * @param takenOverNs when another call took over its ports; {@link #NEVER} if none did
 */
public record NamedCall(
        long callIdHash, long firstFrame, long firstSeenNs, long answeredNs, long endNs, long takenOverNs)
        implements CallSpan {
    /** What did not happen. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Which one came later: by their times, since frames are numbered by each probe. */
    public static final Comparator<NamedCall> ORDER = Comparator.comparingLong(NamedCall::firstSeenNs)
            .thenComparingLong(NamedCall::firstFrame)
            .thenComparingLong(NamedCall::callIdHash);

    @Override
    public long mediaEndNs(long graceNs) {
        return endNs == NEVER ? takenOverNs : endNs + graceNs;
    }

    /** The same one with another time at which its ports were taken over. */
    public NamedCall takenOverAt(long atNs) {
        return new NamedCall(callIdHash, firstFrame, firstSeenNs, answeredNs, endNs, atNs);
    }
}
