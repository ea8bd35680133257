package io.offhook.proxy.media;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import org.jspecify.annotations.Nullable;

/**
 * Says for each message of a call what a media relay must do (RFC 3264; RFC 6337 for which messages carry offers and
 * answers). One object a call; it is shown each message on its way, before the message is sent on.
 *
 * <ul>
 *   <li>INVITE, UPDATE and PRACK with a session description offer; their responses with one answer, provisional ones too,
 *       each time, as each must be rewritten.
 *   <li>The response to an INVITE without one offers; the PRACK or ACK answers.
 *   <li>A BYE ends the media of its dialog; a final response other than 2xx to the first INVITE ends those of the call. So a
 *       CANCEL does by the 487 that follows it, and not before: a 200 that crosses it needs its answer.
 *   <li>A re-INVITE or UPDATE that fails changes nothing; the next offer replaces it.
 * </ul>
 *
 * <p>Single-threaded.
 */
public final class MediaSessionRules {
    /** The offer of an INVITE transaction. */
    private enum Offer {
        NONE,
        IN_REQUEST,
        /** The INVITE had none: the response makes it. */
        AWAITED,
        IN_RESPONSE
    }

    private static final int CALLER = 0;
    private static final int CALLEE = 1;

    private final SipMultipart part = new SipMultipart();
    private final Offer[] invite = {Offer.NONE, Offer.NONE};
    /** CSeq of the last UPDATE and PRACK that offered, by who sent it; -1 if none did. */
    private final long[] update = {-1, -1};

    private final long[] prack = {-1, -1};
    private String callId = "";
    private String callerTag = "";
    private boolean isAnswered;
    private boolean hasMedia;
    private int sdpOffset;
    private int sdpLength;

    /** Creates the rules of a call of which no message was seen. */
    public MediaSessionRules() {}

    /**
     * What is to be done about a message before it is sent on; null if nothing. An offer or answer that is done comes with
     * the session description to send instead of the one at {@link #sdpOffset()}.
     *
     * @param viaBranch tells branches of a forked call apart: the same for a request and its responses; "" if the branches
     *     share their ports
     */
    public @Nullable MediaRequest onMessage(SipMessageView message, String viaBranch) {
        // what is compressed is no text that an engine could read
        boolean hasSdp = message.find(SipHeader.CONTENT_ENCODING, 0) < 0 && message.findSdp(part);
        sdpOffset = hasSdp ? part.offset() : 0;
        sdpLength = hasSdp ? part.length() : 0;
        if (callId.isEmpty()) {
            callId = message.callId();
            callerTag = message.fromTag();
        }
        MediaRequest request =
                message.isRequest() ? request(message, viaBranch, hasSdp) : response(message, viaBranch, hasSdp);
        hasMedia |= request != null && request.command() == MediaCommand.OFFER;
        return request;
    }

    /** Who sent the request that a message is or answers. */
    private int sender(SipMessageView message) {
        return message.fromTag().equals(callerTag) ? CALLER : CALLEE;
    }

    private @Nullable MediaRequest request(SipMessageView message, String viaBranch, boolean hasSdp) {
        int sender = sender(message);
        long cseq = message.cseqNumber();
        return switch (message.method()) {
            case INVITE -> {
                invite[sender] = hasSdp ? Offer.IN_REQUEST : Offer.AWAITED;
                yield hasSdp ? described(MediaCommand.OFFER, message, viaBranch, false) : null;
            }
            case ACK -> {
                boolean isAnswer = hasSdp && invite[sender] == Offer.IN_RESPONSE;
                yield isAnswer ? described(MediaCommand.ANSWER, message, viaBranch, true) : null;
            }
            case PRACK -> {
                boolean isAnswer = hasSdp && invite[sender] == Offer.IN_RESPONSE;
                if (isAnswer) {
                    invite[sender] = Offer.NONE; // what the dialog offers next is another offer
                    yield described(MediaCommand.ANSWER, message, viaBranch, true);
                }
                prack[sender] = hasSdp ? cseq : -1;
                yield hasSdp ? described(MediaCommand.OFFER, message, viaBranch, false) : null;
            }
            case UPDATE -> {
                update[sender] = hasSdp ? cseq : -1;
                yield hasSdp ? described(MediaCommand.OFFER, message, viaBranch, false) : null;
            }
            case BYE -> ended(message);
            default -> null;
        };
    }

    private @Nullable MediaRequest response(SipMessageView message, String viaBranch, boolean hasSdp) {
        int sender = sender(message);
        int status = message.statusCode();
        boolean isSuccess = status >= 200 && status < 300;
        return switch (message.cseqMethod()) {
            case INVITE -> inviteResponse(message, viaBranch, hasSdp, sender);
            case UPDATE ->
                hasSdp && isSuccess && update[sender] == message.cseqNumber()
                        ? described(MediaCommand.ANSWER, message, viaBranch, false)
                        : null;
            case PRACK ->
                hasSdp && isSuccess && prack[sender] == message.cseqNumber()
                        ? described(MediaCommand.ANSWER, message, viaBranch, false)
                        : null;
            default -> null;
        };
    }

    private @Nullable MediaRequest inviteResponse(
            SipMessageView message, String viaBranch, boolean hasSdp, int sender) {
        int status = message.statusCode();
        if (status >= 300) {
            invite[sender] = Offer.NONE;
            return isAnswered ? null : expired();
        }
        isAnswered |= status >= 200;
        if (!hasSdp || status == 100) {
            return null;
        }
        return switch (invite[sender]) {
            case IN_REQUEST -> described(MediaCommand.ANSWER, message, viaBranch, false);
            case AWAITED, IN_RESPONSE -> {
                invite[sender] = Offer.IN_RESPONSE;
                yield described(MediaCommand.OFFER, message, viaBranch, true);
            }
            case NONE -> null;
        };
    }

    /**
     * A command with the session description of a message.
     *
     * @param isByReceiver whether the offer is or was made by who got the request: in the response to an INVITE without one
     */
    private MediaRequest described(
            MediaCommand command, SipMessageView message, String viaBranch, boolean isByReceiver) {
        String from = message.fromTag();
        String to = message.toTag();
        boolean isFromCaller = (sender(message) == CALLER) == message.isRequest();
        return new MediaRequest(
                command,
                callId,
                isByReceiver ? to : from,
                isByReceiver ? from : to,
                viaBranch,
                !isFromCaller,
                MediaRequest.sdp(message.octets(), sdpOffset, sdpLength));
    }

    /** Of the dialog alone, as a forked call may have others. */
    private @Nullable MediaRequest ended(SipMessageView message) {
        return hasMedia
                ? new MediaRequest(MediaCommand.DELETE, callId, message.fromTag(), message.toTag(), "", false, "")
                : null;
    }

    /** What is to be done when a branch of a forked call failed and others go on; null if branches share their ports. */
    public @Nullable MediaRequest branchFailed(String viaBranch) {
        return hasMedia && !viaBranch.isEmpty()
                ? new MediaRequest(MediaCommand.DELETE, callId, callerTag, "", viaBranch, false, "")
                : null;
    }

    /** What is to be done when the call ended without a message that says so: a time-out; null if nothing. */
    public @Nullable MediaRequest expired() {
        return hasMedia ? MediaRequest.delete(callId, callerTag) : null;
    }

    /** Where the session description of the last message starts in its octets: its body, or a part of it. */
    public int sdpOffset() {
        return sdpOffset;
    }

    /** The length of the session description of the last message, in bytes; 0 if it has none. */
    public int sdpLength() {
        return sdpLength;
    }

    /** Whether a relay was asked for media of the call. */
    public boolean hasMedia() {
        return hasMedia;
    }
}
