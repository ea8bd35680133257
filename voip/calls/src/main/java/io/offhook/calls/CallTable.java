package io.offhook.calls;

import io.offhook.calls.event.CutMessages;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.invite.MessageKeys;
import io.offhook.calls.join.JoinHeaders;
import io.offhook.calls.registration.KeptText;
import io.offhook.calls.registration.RegistrationTable;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipMultipart;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls and other dialogs of one shard, by Call-ID: processes SIP messages in the order of capture.
 * Single-threaded.
 *
 * <p>The numbers of calls and of other dialogs (OPTIONS, REGISTER...) are limited, as are their Call-IDs, to {@value
 * KeptText#LIMIT} characters each on average; beyond that, others of the same kind are evicted and counted. Of the
 * calls, the one that ended first is evicted; a running one only if none has ended, or if it has been silent for so
 * long that its end must have been missed.
 */
public final class CallTable {

    /** The running calls, the one silent longest first. */
    private final Map<String, Call> running = new LinkedHashMap<>(16, 0.75f, true);

    /** The calls that are over, in the order of their ends. */
    private final Map<String, Call> over = new LinkedHashMap<>();

    private final Map<String, Call> others = new LinkedHashMap<>();
    private final SipMessageView view = new SipMessageView();
    private final SipMultipart part = new SipMultipart();
    private final FreshBindings fresh = new FreshBindings();
    private final CutMessages cut = new CutMessages();
    private boolean notes;
    private List<Noted> noted = new ArrayList<>(0);
    private final @Nullable SipListener listener;
    private final RegistrationTable registrations;
    private final QualityReportTable qualityReports;
    private final JoinHeaders joins;
    private final int maxCalls;
    private final int maxOthers;
    private long requests;
    private long responses;
    private final PlacedCount malformed = new PlacedCount();
    private final PlacedCount truncated = new PlacedCount();
    private final PlacedCount headersDropped = new PlacedCount();
    private final PlacedCount withoutCallId = new PlacedCount();
    private final PlacedCount retransmissions = new PlacedCount();
    private final PlacedCount mirrored = new PlacedCount();
    private long callIds;
    private long callText;
    private long otherText;
    private final PlacedCount evictedCalls = new PlacedCount();
    private final PlacedCount evictedRunning = new PlacedCount();
    private final PlacedCount evictedOthers = new PlacedCount();

    /**
     * Creates an empty table.
     *
     * @param joins the headers that name other legs
     * @param listener receives every message; or null
     * @param maxCalls the most calls
     * @param maxOthers the most other dialogs, and the most registrations
     */
    CallTable(JoinHeaders joins, @Nullable SipListener listener, int maxCalls, int maxOthers) {
        this.joins = joins;
        this.listener = listener;
        this.maxCalls = maxCalls;
        this.maxOthers = maxOthers;
        registrations = new RegistrationTable(maxOthers);
        qualityReports = new QualityReportTable(maxOthers);
    }

    /** Processes a message. Its bytes are not needed afterwards. */
    public void accept(SipPacket packet) {
        WrapStatus status = view.wrap(packet.segment(), packet.offset(), packet.length());
        if (status == WrapStatus.MALFORMED || status == WrapStatus.UNSUPPORTED) {
            malformed.add(packet.frameNumber(), packet.timestampNs());
            return;
        }
        if (status == WrapStatus.TRUNCATED) {
            truncated.add(packet.frameNumber(), packet.timestampNs());
        }
        headersDropped.add(view.headerOverflow(), packet.frameNumber(), packet.timestampNs());
        if (view.isRequest()) {
            requests++;
        } else {
            responses++;
        }
        SipListener.Copy copy = SipListener.Copy.FIRST;
        String callId = view.callId();
        boolean isCut = status == WrapStatus.TRUNCATED && (callId.isEmpty() || view.cseqNumber() < 0);
        if (!isCut || !cut.add(view, packet)) {
            copy = whole(callId, packet);
        }
        if (listener != null) {
            listener.message(view, packet, copy);
        }
    }

    private SipListener.Copy whole(String callId, SipPacket packet) {
        if (callId.isEmpty()) {
            withoutCallId.add(packet.frameNumber(), packet.timestampNs());
            return SipListener.Copy.FIRST;
        }
        return dialog(callId, packet);
    }

    /** Whether there are messages whose Call-ID or CSeq was cut off. */
    boolean hasCut() {
        return !cut.isEmpty();
    }

    /** The messages since the last call whose Call-ID or CSeq was cut off. */
    List<CutMessages.Waiting> drainCut() {
        return cut.drain();
    }

    /**
     * Processes a message that was accepted before, without its Call-ID or its CSeq.
     *
     * @param packet the message with both
     * @return its call; null if there was no room
     */
    @Nullable
    Call completed(SipPacket packet, CutMessages.Waiting cut) {
        view.wrap(packet.segment(), packet.offset(), packet.length());
        String callId = view.callId();
        dialog(callId, packet);
        Call call = find(callId);
        if (call != null && cut.callId().isEmpty()) {
            call.cut().add(packet.frameNumber(), cut.part());
        }
        return call;
    }

    /** Removes a call whose messages are another one's, as a message of this frame shows. */
    void remove(Call call, long frame) {
        callText -= call.callId().length();
        callIds--;
        running.remove(call.callId(), call);
        over.remove(call.callId(), call);
        fresh.evict(call, frame);
    }

    private @Nullable Call find(String callId) {
        Call call = running.get(callId);
        call = call == null ? over.get(callId) : call;
        return call == null ? others.get(callId) : call;
    }

    /** Whether a call was not evicted. */
    boolean holds(Call call) {
        return find(call.callId()) == call;
    }

    /** A message, as far as others that lack their Call-IDs may need it; of a response, the method of its request. */
    record Noted(Call call, SipMethod method, long cseq, long branch, CutCalls.Tags tags) {}

    /** Notes messages of calls from now on. */
    void noteRequests() {
        notes = true;
    }

    /** What was noted since the last call. */
    List<Noted> drainNoted() {
        if (noted.isEmpty()) {
            return List.of();
        }
        List<Noted> all = noted;
        noted = new ArrayList<>();
        return all;
    }

    private void note(Call call, SipPacket packet) {
        MessageKeys keys = MessageKeys.of(view);
        boolean isRequest = view.isRequest();
        noted.add(new Noted(
                call,
                isRequest ? view.method() : view.cseqMethod(),
                keys.cseq(),
                keys.branch(),
                CutCalls.Tags.of(
                        packet.source(),
                        packet.destination(),
                        isRequest ? keys.fromTag() : keys.toTag(),
                        isRequest ? keys.toTag() : keys.fromTag())));
    }

    /** Processes one whose transaction is not known: by its Call-ID, if it has that. */
    void incomplete(CutMessages.Waiting message) {
        SipPacket packet = message.packet();
        view.wrap(packet.segment(), packet.offset(), packet.length());
        whole(message.callId(), packet);
    }

    private SipListener.Copy dialog(String callId, SipPacket packet) {
        Call call = running.get(callId);
        if (call == null) {
            call = over.get(callId);
        }
        boolean known = call != null;
        // not what it says of itself: a session timer may have run out between two messages
        boolean wasOver = known && over.containsKey(callId);
        if (call == null) {
            call = others.get(callId);
        }
        if (call == null) {
            call = new Call(callId, packet, fresh, joins);
            callIds++;
            others.put(callId, call);
            otherText += callId.length();
        }
        call.media().beforeMessage();
        try {
            return message(call, packet);
        } finally { // limits hold even where a dialog fails
            call.media().afterMessage(packet.frameNumber());
            place(call, known, wasOver, packet);
        }
    }

    private SipListener.Copy message(Call call, SipPacket packet) {
        SipListener.Copy copy = call.message(view, packet, part);
        if (notes && call.isCall()) {
            note(call, packet);
        }
        if (copy == SipListener.Copy.RETRANSMISSION) {
            retransmissions.add(packet.frameNumber(), packet.timestampNs());
            if (view.cseqMethod() == SipMethod.REGISTER && view.isRequest()) {
                registrations.sentAgain(view);
            }
        } else if (copy == SipListener.Copy.MIRRORED) {
            mirrored.add(packet.frameNumber(), packet.timestampNs());
        } else if (view.cseqMethod() == SipMethod.REGISTER) {
            registrations.accept(view, packet);
        } else {
            qualityReports.accept(view, packet);
        }
        return copy;
    }

    /**
     * Moves a dialog to the table that it belongs to after a message, and makes room there.
     *
     * @param known whether it was among the calls before
     * @param wasOver whether it was among those that are over
     */
    private void place(Call call, boolean known, boolean wasOver, SipPacket packet) {
        String callId = call.callId();
        if (!known && call.isCall()) {
            others.remove(callId);
            otherText -= callId.length();
            callText += callId.length();
            makeRoomForCall(packet);
            (call.isOver() ? over : running).put(callId, call);
        } else if (known && call.isOver() != wasOver) {
            (wasOver ? over : running).remove(callId);
            (wasOver ? running : over).put(callId, call);
        } else if (!known) {
            makeRoomForOther();
        }
    }

    private void makeRoomForCall(SipPacket packet) {
        long nowNs = packet.timestampNs();
        int kept = running.size() + over.size();
        while (kept > 0 && (kept >= maxCalls || callText > (long) maxCalls * KeptText.LIMIT)) {
            Call gone = remove(leaving(nowNs), evictedCalls);
            if (!gone.isOver() && nowNs - gone.lastSeenNs() <= CallReport.LONGEST_SILENCE_NS) {
                evictedRunning.add(gone.firstFrame(), gone.firstSeenNs());
            }
            callText -= gone.callId().length();
            fresh.evict(gone, packet.frameNumber());
            kept--;
        }
    }

    private Map<String, Call> leaving(long nowNs) {
        boolean silent = !running.isEmpty()
                && nowNs - running.values().iterator().next().lastSeenNs() > CallReport.LONGEST_SILENCE_NS;
        return over.isEmpty() || silent ? running : over;
    }

    /** Makes room after a dialog was added. */
    private void makeRoomForOther() {
        while (others.size() > maxOthers || others.size() > 1 && otherText > (long) maxOthers * KeptText.LIMIT) {
            otherText -= remove(others, evictedOthers).callId().length();
        }
    }

    private static Call remove(Map<String, Call> table, PlacedCount evicted) {
        Iterator<Call> calls = table.values().iterator();
        Call first = calls.next();
        evicted.add(first.firstFrame(), first.firstSeenNs());
        calls.remove();
        return first;
    }

    /** What phones reported of their calls. */
    QualityReportTable qualityReports() {
        return qualityReports;
    }

    /** What it reports to media: endpoints named by SDP since the last time, and evicted calls. */
    FreshBindings fresh() {
        return fresh;
    }

    /** The calls, in the order of their first frames. */
    List<Call> calls() {
        List<Call> all = new ArrayList<>(running.values());
        all.addAll(over.values());
        all.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return all;
    }

    /** The registrations. */
    public RegistrationTable registrations() {
        return registrations;
    }

    /** SIP requests, copies included. */
    public long requests() {
        return requests;
    }

    /** SIP responses, copies included. */
    public long responses() {
        return responses;
    }

    /** Messages that began like SIP and could not be read. */
    public PlacedCount malformed() {
        return malformed;
    }

    /** Messages that were captured short. */
    public PlacedCount truncated() {
        return truncated;
    }

    /** Header lines beyond the limit for a message. */
    public PlacedCount headersDropped() {
        return headersDropped;
    }

    /** Messages without a Call-ID, which cannot be assigned. */
    public PlacedCount withoutCallId() {
        return withoutCallId;
    }

    /** Retransmitted messages. */
    public PlacedCount retransmissions() {
        return retransmissions;
    }

    /** Copies of a packet that a mirror port delivered twice. */
    public PlacedCount mirrored() {
        return mirrored;
    }

    /** The number of distinct Call-IDs; one that was evicted and returned counts again. */
    public long callIds() {
        return callIds;
    }

    /** Calls that were evicted; the place is that of their first messages. */
    public PlacedCount evictedCalls() {
        return evictedCalls;
    }

    /** Evicted calls that were still running. */
    public PlacedCount evictedRunning() {
        return evictedRunning;
    }

    /** Evicted dialogs other than calls. */
    public PlacedCount evictedOthers() {
        return evictedOthers;
    }
}
