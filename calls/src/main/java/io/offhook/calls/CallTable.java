package io.offhook.calls;

import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipMultipart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls and other dialogs of one shard, by Call-ID: takes SIP messages in the order of capture. Single-threaded.
 *
 * <p>At most {@link #MAX_CALLS} calls and {@link #MAX_OTHERS} other Call-IDs (OPTIONS, REGISTER...) are kept; the oldest
 * of the same kind gives way, counted.
 */
public final class CallTable {
    private static final int MAX_CALLS = 1 << 16;
    private static final int MAX_OTHERS = 1 << 14;

    private final Map<String, Call> calls = new LinkedHashMap<>();
    private final Map<String, Call> others = new LinkedHashMap<>();
    private final SipMessageView view = new SipMessageView();
    private final SipMultipart part = new SipMultipart();
    private final List<MediaBinding> fresh = new ArrayList<>();
    private final @Nullable SipListener listener;
    private final RegistrationTable registrations = new RegistrationTable();
    private final int maxCalls;
    private final int maxOthers;
    private long requests;
    private long responses;
    private long malformed;
    private long truncated;
    private long withoutCallId;
    private long retransmissions;
    private long mirrored;
    private long callIds;
    private long evictedCalls;
    private long evictedOthers;

    /** @param listener told of every message; or null */
    public CallTable(@Nullable SipListener listener) {
        this(listener, MAX_CALLS, MAX_OTHERS);
    }

    CallTable(@Nullable SipListener listener, int maxCalls, int maxOthers) {
        this.listener = listener;
        this.maxCalls = maxCalls;
        this.maxOthers = maxOthers;
    }

    /** Takes a message into account. Its bytes are not needed afterwards. */
    public void accept(SipPacket packet) {
        WrapStatus status = view.wrap(packet.segment(), packet.offset(), packet.length());
        if (status == WrapStatus.MALFORMED || status == WrapStatus.UNSUPPORTED) {
            malformed++;
            return;
        }
        if (status == WrapStatus.TRUNCATED) {
            truncated++;
        }
        if (view.isRequest()) {
            requests++;
        } else {
            responses++;
        }
        SipListener.Copy copy = SipListener.Copy.FIRST;
        String callId = view.callId();
        if (callId.isEmpty()) {
            withoutCallId++;
        } else {
            copy = dialog(callId, packet);
        }
        if (listener != null) {
            listener.message(view, packet, copy);
        }
    }

    private SipListener.Copy dialog(String callId, SipPacket packet) {
        Call call = calls.get(callId);
        boolean known = call != null;
        if (call == null) {
            call = others.get(callId);
        }
        if (call == null) {
            call = new Call(callId, packet, fresh);
            callIds++;
            others.put(callId, call);
        }
        SipListener.Copy copy = call.message(view, packet, part);
        if (copy == SipListener.Copy.RETRANSMISSION) {
            retransmissions++;
        } else if (copy == SipListener.Copy.MIRRORED) {
            mirrored++;
        } else if (view.cseqMethod() == SipMethod.REGISTER) {
            registrations.accept(view, packet);
        }
        if (!known && call.isCall()) {
            others.remove(callId);
            evictedCalls += makeRoom(calls, maxCalls);
            calls.put(callId, call);
        } else if (!known) {
            evictedOthers += makeRoom(others, maxOthers + 1);
        }
        return copy;
    }

    private static int makeRoom(Map<String, Call> table, int limit) {
        if (table.size() < limit) {
            return 0;
        }
        Iterator<Call> oldest = table.values().iterator();
        oldest.next();
        oldest.remove();
        return 1;
    }

    /** Hands over the endpoints that SDP has named since the last time, in the order of capture. */
    void drainBindings(List<MediaBinding> sink) {
        sink.addAll(fresh);
        fresh.clear();
    }

    /** The calls, in the order of their first frames. */
    List<Call> calls() {
        List<Call> all = new ArrayList<>(calls.values());
        all.sort(Comparator.comparingLong(Call::firstFrame));
        return all;
    }

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

    /** What began like SIP and could not be read. */
    public long malformed() {
        return malformed;
    }

    /** Messages that were captured short. */
    public long truncated() {
        return truncated;
    }

    public long withoutCallId() {
        return withoutCallId;
    }

    public long retransmissions() {
        return retransmissions;
    }

    /** Copies of a packet that a mirror port delivered twice. */
    public long mirrored() {
        return mirrored;
    }

    /** Different Call-IDs; one that was evicted and came back counts again. */
    public long callIds() {
        return callIds;
    }

    public long evictedCalls() {
        return evictedCalls;
    }

    public long evictedOthers() {
        return evictedOthers;
    }
}
