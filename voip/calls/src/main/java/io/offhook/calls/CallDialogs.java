package io.offhook.calls;

import io.offhook.calls.invite.MessageKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The dialogs of a call (RFC 3261, 12), by the tags of both sides, and which of them were confirmed, acknowledged and
 * ended. A fork creates several dialogs from one INVITE; a B2BUA that keeps the Call-ID has another one on each side.
 */
final class CallDialogs {
    /** The most dialogs followed; early ones are dropped first. */
    private static final int MAX = 16;

    /** 64 T1: after so long, a callee gives up an answer that nobody acknowledges, and ends its dialog (RFC 3261, 13.3.1.4). */
    private static final long UNACKNOWLEDGED_NS = 32_000_000_000L;

    /**
     * How certain a dialog is. Of the dialogs of one INVITE only the most certain count, as some proxies change tags on
     * the way.
     */
    private static final int EARLY = 0;

    private static final int CONFIRMED = 1;
    private static final int ANSWERED_ON_CALLERS_HOP = 2;

    /** One dialog. */
    private static final class Entry {
        private final long callerTag;
        private final long calleeTag;
        private int standing = EARLY;
        private long answeredNs = Call.NEVER;
        private long answeredCseq = -1;
        private int answers;
        private long acknowledgedNs = Call.NEVER;
        /** Whether there was a sign that an ACK would have been captured. */
        private boolean ackExpected;

        private long byeNs = Call.NEVER;
        private Side byeBy = Side.CALLER;

        private Entry(long callerTag, long calleeTag) {
            this.callerTag = callerTag;
            this.calleeTag = calleeTag;
        }
    }

    private final List<Entry> entries = new ArrayList<>(1);
    private boolean confirmed;
    private boolean byeSeen;

    /** Notes a provisional response or another request: the dialog exists, at least early. */
    void met(long callerTag, long calleeTag) {
        entry(callerTag, calleeTag);
    }

    /** Notes a request other than ACK and BYE within the dialog: the ACK takes the same way. */
    void request(long callerTag, long calleeTag) {
        Entry entry = entry(callerTag, calleeTag);
        if (entry != null) {
            entry.ackExpected = true;
        }
    }

    /** Notes a 2xx to the initial INVITE, on the caller's hop or further on. */
    void answer(MessageKeys keys, long timestampNs, boolean onCallersHop) {
        confirm(keys.fromTag(), keys.toTag());
        Entry entry = find(keys.fromTag(), keys.toTag());
        if (entry == null) {
            return;
        }
        if (onCallersHop) {
            entry.standing = ANSWERED_ON_CALLERS_HOP;
        }
        entry.answers = Math.max(1, entry.answers);
        if (entry.answeredNs == Call.NEVER) {
            entry.answeredNs = timestampNs;
            entry.answeredCseq = keys.cseq();
        }
    }

    /** Notes a retransmitted 2xx, which is repeated until the ACK arrives (RFC 3261, 13.3.1.4). */
    void answerAgain(long callerTag, long calleeTag, long cseq) {
        Entry entry = find(callerTag, calleeTag);
        if (entry != null && entry.answeredCseq == cseq) {
            entry.answers++;
            entry.ackExpected = true;
        }
    }

    /**
     * Notes an ACK, which is for the 2xx of this dialog if its CSeq is that of the INVITE. A missing tag, as in a message that
     * was captured short, matches any tag.
     */
    void acknowledge(long callerTag, long calleeTag, long cseq, long timestampNs) {
        for (Entry entry : entries) {
            boolean meant = mayBe(entry.callerTag, callerTag) && mayBe(entry.calleeTag, calleeTag);
            if (meant && entry.answeredCseq == cseq && entry.acknowledgedNs == Call.NEVER) {
                entry.acknowledgedNs = timestampNs;
            }
        }
    }

    /** Notes a message that is only sent in a confirmed dialog. */
    void confirm(long callerTag, long calleeTag) {
        confirmed = true;
        Entry entry = entry(callerTag, calleeTag);
        if (entry != null) {
            entry.standing = Math.max(entry.standing, CONFIRMED);
        }
    }

    /** Notes a BYE. A missing tag, as in a message that was captured short, matches any tag. */
    void bye(long callerTag, long calleeTag, long timestampNs, Side by) {
        byeSeen = true;
        if (callerTag != 0 && calleeTag != 0 || entries.isEmpty()) {
            entry(callerTag, calleeTag);
        }
        for (Entry entry : entries) {
            boolean meant = mayBe(entry.callerTag, callerTag) && mayBe(entry.calleeTag, calleeTag);
            if (meant && (entry.byeNs == Call.NEVER || timestampNs < entry.byeNs)) {
                entry.byeNs = timestampNs;
                entry.byeBy = by;
                entry.ackExpected = true;
            }
        }
    }

    private static boolean mayBe(long tag, long other) {
        return tag == other || tag == 0 || other == 0;
    }

    /** Drops the early dialogs of an INVITE that was given up. */
    void forgetEarly() {
        entries.removeIf(entry -> entry.standing == EARLY);
    }

    /** Whether any dialog was confirmed, by a 2xx or by a message that only follows one. */
    boolean isConfirmed() {
        return confirmed;
    }

    /** Whether a dialog has these tags; a missing one matches any tag. */
    boolean has(long callerTag, long calleeTag) {
        for (Entry entry : entries) {
            if (mayBe(entry.callerTag, callerTag) && mayBe(entry.calleeTag, calleeTag)) {
                return true;
            }
        }
        return false;
    }

    /** Notes the tags of all dialogs: the caller's, and the callee's. */
    void tagsInto(BiConsumer<Long, Long> tags) {
        for (Entry entry : entries) {
            tags.accept(entry.callerTag, entry.calleeTag);
        }
    }

    private @Nullable Entry find(long callerTag, long calleeTag) {
        for (Entry entry : entries) {
            if (entry.callerTag == callerTag && entry.calleeTag == calleeTag) {
                return entry;
            }
        }
        return null;
    }

    private @Nullable Entry entry(long callerTag, long calleeTag) {
        Entry entry = find(callerTag, calleeTag);
        if (entry != null) {
            return entry;
        }
        if (entries.size() == MAX && !dropEarly()) {
            return null;
        }
        entry = new Entry(callerTag, calleeTag);
        entries.add(entry);
        return entry;
    }

    private boolean dropEarly() {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).standing == EARLY) {
                entries.remove(i);
                return true;
            }
        }
        return false;
    }

    /** How a call ended. */
    record End(long byeNs, Side by) {}

    /**
     * The BYE that ended the call: the one after which a hop has no dialog left. After a fork that was answered twice
     * this is the last one; early dialogs count only if none was confirmed, and those that nobody acknowledged only until
     * they end by themselves.
     *
     * @param nowNs until when is known what was captured
     * @return null if there was none
     */
    @Nullable
    End end(long nowNs) {
        if (!byeSeen) {
            return null;
        }
        Entry ending = null;
        for (Entry entry : entries) {
            Entry last = counts(entry) ? lastBye(entry.callerTag, nowNs) : null;
            if (last != null && (ending == null || last.byeNs < ending.byeNs)) {
                ending = last;
            }
        }
        return ending == null ? null : new End(ending.byeNs, ending.byeBy);
    }

    /** Whether a dialog is among the most certain of its INVITE; early ones are not once any dialog was confirmed. */
    private boolean counts(Entry entry) {
        int best = confirmed ? CONFIRMED : EARLY;
        for (Entry other : entries) {
            best = other.callerTag == entry.callerTag ? Math.max(best, other.standing) : best;
        }
        return entry.standing == best;
    }

    /** The last BYE of all dialogs of one INVITE; null while one of them continues. */
    private @Nullable Entry lastBye(long callerTag, long nowNs) {
        Entry last = null;
        for (Entry entry : entries) {
            if (entry.callerTag != callerTag || !counts(entry)) {
                continue;
            }
            if (entry.byeNs == Call.NEVER) {
                if (isGivenUp(entry, nowNs)) {
                    continue;
                }
                return null;
            }
            last = last == null || entry.byeNs > last.byeNs ? entry : last;
        }
        return last;
    }

    /** Whether an answer beside another one was never acknowledged, although ACKs were captured. */
    private boolean isGivenUp(Entry entry, long nowNs) {
        if (entry.answeredNs == Call.NEVER
                || entry.acknowledgedNs != Call.NEVER
                || nowNs - entry.answeredNs < UNACKNOWLEDGED_NS) {
            return false;
        }
        for (Entry other : entries) {
            if (other.callerTag == entry.callerTag && other.acknowledgedNs != Call.NEVER) {
                return true;
            }
        }
        return false;
    }

    /** The time that the slowest ACK took, in nanoseconds; 0 if none was captured. */
    long longestAckNs() {
        long longest = 0;
        for (Entry entry : entries) {
            if (entry.acknowledgedNs != Call.NEVER) {
                longest = Math.max(longest, entry.acknowledgedNs - entry.answeredNs);
            }
        }
        return longest;
    }

    /** How often the answer of any dialog was sent, at most. */
    int answerSends() {
        int most = 0;
        for (Entry entry : entries) {
            most = Math.max(most, entry.answers);
        }
        return most;
    }

    /**
     * The time of the first answer without an ACK where one would have been captured; {@link Call#NEVER} if there is
     * none.
     */
    long unacknowledgedNs() {
        long first = Call.NEVER;
        for (Entry entry : entries) {
            boolean lacks = entry.answeredNs != Call.NEVER && entry.acknowledgedNs == Call.NEVER && entry.ackExpected;
            if (lacks && counts(entry) && (first == Call.NEVER || entry.answeredNs < first)) {
                first = entry.answeredNs;
            }
        }
        return first;
    }
}
