package io.offhook.calls;

import io.offhook.calls.event.CutMessages;
import io.offhook.calls.invite.InviteLeg;
import io.offhook.calls.registration.KeptText;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assigns messages whose Call-ID the snap length cut off to calls: by the branch of a request (RFC 3261, 17.1.3), by that of
 * the hop before, or by both tags and endpoints. An INVITE that belongs to none makes a call of its own. What is left of a
 * Call-ID is not compared. Messages of which only the CSeq was cut off get it in the same way.
 *
 * <p>Captures without such messages cost nothing: branches and dialogs are indexed from the first one on.
 */
final class CutCalls {
    /** Begins the key of a call without a whole Call-ID; no Call-ID contains this control character (RFC 3261, 25.1). */
    private static final String KEY = "cut\u0001";

    /** The most branches, and the most dialogs, that are indexed; the oldest are forgotten first. */
    private static final int LIMIT = 1 << 18;

    /** The most calls without a Call-ID that may turn out to have one. */
    private static final int MOST_MADE = 1 << 12;

    /** The most messages that a call without a Call-ID keeps, to give them to another one. */
    private static final int MOST_MERGED = 16;

    /** Requests within a dialog are numbered by their branches, so that one that is sent again keeps its number. */
    private static final int NUMBERS = 1 << 20;

    private final CallTable[] tables;
    private final Map<Long, Transaction> transactions = new Limited<>(LIMIT);
    private final Map<Tags, Transaction> dialogs = new Limited<>(LIMIT);
    /** The calls without a whole Call-ID, with their messages while these are few: one may turn out to have one. */
    private final Map<Call, Made> made = new Limited<>(MOST_MADE);

    private boolean isIndexed;
    /** Of the message that is being assigned, or of the one that was noted. */
    private long frame;

    private long keys;

    CutCalls(CallTable[] tables) {
        this.tables = tables;
    }

    /** Whether this is the key of a call without a whole Call-ID. */
    static boolean isKey(String callId) {
        return callId.startsWith(KEY);
    }

    /** Whether there were such messages: from then on, what each table processes is to be shown at once, in order. */
    boolean isNeeded() {
        return isIndexed;
    }

    /** Takes note of a message that a table has processed, and assigns it where its Call-ID or CSeq was cut off. */
    void complete(CallTable table, long frameNumber) {
        frame = frameNumber;
        note(table);
        List<CutMessages.Waiting> waiting = table.drainCut();
        if (!waiting.isEmpty()) {
            index();
            waiting.forEach(message -> complete(table, message));
            note(table);
        }
    }

    /** Assigns the messages of a round that were processed without being shown one by one. */
    void complete() {
        for (CallTable table : tables) {
            note(table);
        }
        List<Cut> waiting = List.of();
        for (CallTable table : tables) {
            for (CutMessages.Waiting message : table.drainCut()) {
                waiting = waiting.isEmpty() ? new ArrayList<>() : waiting;
                waiting.add(new Cut(table, message));
            }
        }
        if (!waiting.isEmpty()) {
            index();
            // those with a Call-ID are in the table of their call, those without it in another one
            waiting.sort(Comparator.comparingLong(each -> each.message.packet().frameNumber()));
            waiting.forEach(each -> complete(each.table, each.message));
        }
    }

    private record Cut(CallTable table, CutMessages.Waiting message) {}

    private void index() {
        if (isIndexed) {
            return;
        }
        isIndexed = true;
        for (CallTable table : tables) {
            table.noteRequests();
            for (Call call : table.calls()) {
                call.branchesInto(
                        branch -> transactions.put(branch, new Transaction(table, call, SipMethod.INVITE, -1)));
                call.dialogsInto((source, destination, callerTag, calleeTag) -> dialogs.put(
                        Tags.of(source, destination, callerTag, calleeTag),
                        new Transaction(table, call, SipMethod.INVITE, -1)));
            }
        }
    }

    /** Indexes what a table processed since the last time. */
    private void note(CallTable table) {
        for (CallTable.Noted noted : table.drainNoted()) {
            Transaction of = new Transaction(table, noted.call(), noted.method(), noted.cseq());
            Transaction known = held(transactions.get(noted.branch()));
            if (known != null && isKey(known.call.callId()) && !isKey(of.call.callId())) {
                merge(known.call, of);
            }
            boolean hasOwnBranch = noted.method() != SipMethod.ACK && noted.method() != SipMethod.CANCEL;
            if (hasOwnBranch && noted.branch() != 0) {
                transactions.put(noted.branch(), of);
            }
            dialogs.put(noted.tags(), of);
        }
    }

    /** Gives the messages of a call without a Call-ID to the one that a shorter message of it shows to be the same. */
    private void merge(Call partial, Transaction whole) {
        Made messages = made.remove(partial);
        if (messages != null && messages.isWhole()) {
            messages.table.remove(partial, frame);
            for (Processed each : messages.processed) {
                add(whole.table, whole.call.callId(), each.message, each.method, each.cseq);
            }
        }
    }

    private void complete(CallTable cutIn, CutMessages.Waiting message) {
        Transaction own = of(message, transactions.get(message.branch()));
        Transaction before = of(message, transactions.get(message.hopBefore()));
        if (own != null) {
            ofTransaction(cutIn, message, own, message.branch());
        } else if (message.status() > 0) {
            cutIn.incomplete(message);
        } else if (before != null) {
            ofTransaction(cutIn, message, before, message.hopBefore());
        } else {
            ofDialog(cutIn, message);
        }
    }

    /** What it belongs to, unless both have Call-IDs, and another one each. */
    private static @Nullable Transaction of(CutMessages.Waiting message, @Nullable Transaction known) {
        Transaction held = held(known);
        boolean isOther = held != null
                && !message.callId().isEmpty()
                && !isKey(held.call.callId())
                && !message.callId().equals(held.call.callId());
        return isOther ? null : held;
    }

    private static @Nullable Transaction held(@Nullable Transaction known) {
        return known != null && known.table.holds(known.call) ? known : null;
    }

    /**
     * A CANCEL has the branch of its INVITE (RFC 3261, 9.1), so that a 2xx after one may be to either; without one it is to
     * the INVITE, since the CANCEL goes the way on which the INVITE was captured.
     */
    private void ofTransaction(CallTable cutIn, CutMessages.Waiting message, Transaction of, long branch) {
        SipMethod method = message.status() > 0 ? of.method : message.method();
        InviteLeg invite = of.method == SipMethod.INVITE ? of.call.inviteOf(branch) : null;
        if (invite == null && of.cseq >= 0) {
            add(cutIn, of, message, method, of.cseq); // a re-INVITE is no leg
        } else if (invite != null
                && invite.fromTag() == message.fromTag()
                && (message.status() == 0 || invite.isCaptured())
                && !(invite.isCancelled() && message.status() / 100 == 2)) {
            add(cutIn, of, message, method, invite.cseq());
        } else {
            cutIn.incomplete(message);
        }
    }

    /** A request with a branch of its own. */
    private void ofDialog(CallTable cutIn, CutMessages.Waiting message) {
        Tags tags =
                Tags.of(message.packet().source(), message.packet().destination(), message.fromTag(), message.toTag());
        Transaction of = of(message, dialogs.get(tags));
        boolean isInitial = message.method() == SipMethod.INVITE && message.toTag() == 0;
        if (of != null) {
            long invited = of.call.inviteCseq(message.fromTag());
            long next = isInitial ? invited + 1 : invited + 1 + Math.floorMod(message.branch(), NUMBERS);
            add(cutIn, of, message, message.method(), message.method() == SipMethod.ACK ? invited : next);
        } else if (isInitial) {
            String callId = message.callId().isEmpty() ? KEY + ++keys : message.callId();
            add(cutIn, callId, message, SipMethod.INVITE, 1);
        } else {
            cutIn.incomplete(message);
        }
    }

    private void add(CallTable cutIn, Transaction of, CutMessages.Waiting message, SipMethod method, long cseq) {
        if (message.callId().isEmpty()) {
            add(of.table, of.call.callId(), message, method, cseq);
        } else {
            add(cutIn, message.callId(), message, method, cseq);
        }
    }

    private void add(CallTable to, String callId, CutMessages.Waiting message, SipMethod method, long cseq) {
        Call call = to.completed(message.completed(callId, cseq, method), message);
        if (call != null && isKey(callId)) {
            made.computeIfAbsent(call, _ -> new Made(to, new ArrayList<>())).add(new Processed(message, method, cseq));
        }
        note(to);
    }

    private record Processed(CutMessages.Waiting message, SipMethod method, long cseq) {}

    private record Made(CallTable table, List<Processed> processed) {
        void add(Processed message) {
            if (isWhole()) {
                processed.add(message);
            }
        }

        /** Whether all messages of the call are here: one that lacked some would not be given to another call. */
        boolean isWhole() {
            return processed.size() <= MOST_MERGED;
        }
    }

    /**
     * A request that was captured, or to which a response was, or that stands for its dialog.
     *
     * @param cseq its number; -1 if the call knows it by the branch
     */
    private record Transaction(CallTable table, Call call, SipMethod method, long cseq) {}

    /** The tags of both ends of a dialog, in an order that does not depend on who sends. */
    record Tags(Endpoint one, Endpoint other, long tagOfOne, long tagOfOther) {
        /** Of a message; a missing tag is 0. */
        static Tags of(Endpoint source, Endpoint destination, long senderTag, long receiverTag) {
            return isBefore(source, destination)
                    ? new Tags(source, destination, senderTag, receiverTag)
                    : new Tags(destination, source, receiverTag, senderTag);
        }

        private static boolean isBefore(Endpoint a, Endpoint b) {
            if (a.high() != b.high()) {
                return a.high() < b.high();
            }
            return a.low() != b.low() ? a.low() < b.low() : a.port() <= b.port();
        }
    }

    private static final class Limited<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;

        private final int limit;

        Limited(int limit) {
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > limit;
        }
    }

    /** What is known of messages of a call whose Call-ID was cut off: their frames, and the longest part of the Call-ID. */
    static final class Parts {
        /** The most frames kept; ladders show as many messages. */
        private static final int MOST_FRAMES = 20_000;

        private List<Long> frames = List.of();
        private String longest = "";

        /** Notes a message; {@code part} is what was captured of its Call-ID. */
        void add(long frame, String part) {
            if (frames.isEmpty()) {
                frames = new ArrayList<>();
            }
            if (frames.size() < MOST_FRAMES) {
                frames.add(frame);
            }
            if (part.length() > longest.length()) {
                longest = KeptText.cut(part);
            }
        }

        /** The frames of the messages, in the order of the capture. */
        List<Long> frames() {
            return List.copyOf(frames);
        }

        /** The longest part of the Call-ID; "" if nothing of it was captured. */
        String longest() {
            return longest;
        }
    }
}
