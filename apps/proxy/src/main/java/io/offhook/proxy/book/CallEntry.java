package io.offhook.proxy.book;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.control.LiveCall;
import io.offhook.proxy.statistics.CallOutcome;
import io.offhook.proxy.statistics.CallRecord;
import io.offhook.proxy.statistics.CallState;
import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One call in the book of a lane. Reused; its texts are bytes, so that a call allocates nothing once its arrays have grown. */
final class CallEntry {
    private static final int CALL_ID = 0;
    private static final int CALLER = 1;
    private static final int CALLEE = 2;
    private static final int REQUEST_URI = 3;
    private static final int PARTS = 4;
    /** Longer texts are cut. */
    private static final int MOST_TEXT = 256;

    private final SipHop source = new SipHop();
    private final SipHop target = new SipHop();
    private final int[] end = new int[PARTS];
    private byte[] text = new byte[128];

    long hash;

    @Nullable
    CallEntry nextInBucket;

    @Nullable
    CallEntry older;

    @Nullable
    CallEntry newer;
    /** The numbers of the contexts of its INVITE and its BYE, by which those know that the entry is still theirs. */
    long invite;

    long bye;

    @Nullable
    CallCharge charge;

    private long callerTag;
    private long startedMs;
    private long ringingMs;
    private long answeredMs;
    private int status;
    private boolean hasTarget;
    private CallState state = CallState.TRYING;
    private CallRecord.EndedBy endedBy = CallRecord.EndedBy.UNKNOWN;

    void begin(SipMessageView request, SipHop from, SipAddressView address, long nowMs) {
        startedMs = nowMs;
        ringingMs = 0;
        answeredMs = 0;
        status = 0;
        hasTarget = false;
        state = CallState.TRYING;
        endedBy = CallRecord.EndedBy.UNKNOWN;
        source.set(from);
        bye = 0;
        callerTag = request.fromTagHash();
        int callId = request.find(SipHeader.CALL_ID, 0);
        put(CALL_ID, request.octets(), request.valueOffset(callId), request.valueLength(callId));
        boolean hasFrom = request.address(SipHeader.FROM, address);
        put(CALLER, request.octets(), address.uriOffset(), hasFrom ? address.uriLength() : 0);
        boolean hasTo = request.address(SipHeader.TO, address);
        put(CALLEE, request.octets(), address.uriOffset(), hasTo ? address.uriLength() : 0);
        put(REQUEST_URI, request.octets(), request.requestUriOffset(), request.requestUriLength());
    }

    private void put(int part, byte[] octets, int offset, int length) {
        int from = part == 0 ? 0 : end[part - 1];
        int count = Math.min(length, MOST_TEXT);
        if (text.length < from + count) {
            text = Arrays.copyOf(text, Math.max(2 * text.length, from + count));
        }
        System.arraycopy(octets, offset, text, from, count);
        end[part] = from + count;
    }

    private String text(int part) {
        int from = part == 0 ? 0 : end[part - 1];
        return new String(text, from, end[part] - from, StandardCharsets.UTF_8);
    }

    boolean hasCallId(SipMessageView message) {
        return message.callIdEquals(text, 0, end[CALL_ID]);
    }

    CallState state() {
        return state;
    }

    boolean isAnswered() {
        return answeredMs != 0;
    }

    void forwarded(SipHop to) {
        target.set(to);
        hasTarget = true;
    }

    void rings(int provisional, long nowMs) {
        status = provisional;
        if (state == CallState.TRYING) {
            state = CallState.RINGING;
            ringingMs = nowMs;
        }
    }

    void answered(int success, SipHop by, long nowMs) {
        status = success;
        answeredMs = nowMs;
        state = CallState.ANSWERED;
        target.set(by);
        hasTarget = true;
    }

    void failed(int finalStatus) {
        status = finalStatus;
    }

    /** A BYE was forwarded. */
    void ending(SipMessageView request) {
        state = CallState.ENDING;
        endedBy = request.fromTagHash() == callerTag ? CallRecord.EndedBy.CALLER : CallRecord.EndedBy.CALLEE;
    }

    LiveCall live(int lane) {
        return new LiveCall(
                text(CALL_ID),
                text(CALLER),
                text(CALLEE),
                new LiveCall.Progress(state, startedMs, answeredMs, status),
                endpoint(source),
                hasTarget ? endpoint(target) : null,
                lane);
    }

    CallRecord record(CallOutcome outcome, long nowMs) {
        CallRecord.EndedBy by = endedBy;
        if (outcome == CallOutcome.CANCELLED) {
            by = CallRecord.EndedBy.CALLER;
        } else if (outcome == CallOutcome.REFUSED) {
            by = CallRecord.EndedBy.CALLEE;
        } else if (outcome == CallOutcome.REJECTED || outcome == CallOutcome.TIMED_OUT) {
            by = CallRecord.EndedBy.PROXY;
        }
        return new CallRecord(
                new CallRecord.Parties(text(CALL_ID), text(CALLER), text(CALLEE), text(REQUEST_URI)),
                new CallRecord.Times(startedMs, ringingMs, answeredMs, nowMs),
                status,
                outcome,
                by,
                endpoint(source),
                hasTarget ? endpoint(target) : null);
    }

    private static Endpoint endpoint(SipHop hop) {
        return new Endpoint(hop.high(), hop.low(), hop.port());
    }
}
