package io.offhook.cli.reproduce;

import io.offhook.cli.messages.KeptMessage;
import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipMessageView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of a leg, with what its place in the dialog depends on. Two of them are never equal. */
final class LegMessage {
    private static final String METHOD = "[A-Za-z0-9_.-]{1,32}";

    private final KeptMessage kept;
    private final boolean isOfCaller;
    private final @Nullable LegMessage request;
    private final String fromTag;
    private final String toTag;
    private final String branch;

    private LegMessage(KeptMessage kept, boolean isOfCaller, @Nullable LegMessage request, SipMessageView view) {
        this.kept = kept;
        this.isOfCaller = isOfCaller;
        this.request = request;
        fromTag = view.fromTag();
        toTag = view.toTag();
        branch = view.topViaBranch();
    }

    /**
     * A message with its place among those before it.
     *
     * @param before of the same leg
     * @return null if it cannot be played: see {@link CallLeg#leftOut}
     */
    static @Nullable LegMessage of(KeptMessage kept, boolean isOfCaller, List<LegMessage> before) {
        SipMessageView view = new SipMessageView();
        boolean isSip = view.wrap(kept.bytes(), 0, kept.bytes().length) != WrapStatus.MALFORMED;
        if (!isSip
                || view.fromUri().isEmpty()
                || view.toUri().isEmpty()
                || kept.cseqNumber() < 0
                || !kept.cseqMethod().matches(METHOD)
                || kept.isRequest() && !kept.method().matches(METHOD)) {
            return null;
        }
        LegMessage request = kept.isRequest() ? null : request(kept, isOfCaller, view.topViaBranch(), before);
        if (!kept.isRequest() && request == null) {
            return null;
        }
        return new LegMessage(kept, isOfCaller, request, view);
    }

    /** The latest request of the other side with that CSeq; of several, as of a challenge that keeps the CSeq, that with the branch. */
    private static @Nullable LegMessage request(
            KeptMessage response, boolean isOfCaller, String branch, List<LegMessage> before) {
        LegMessage found = null;
        for (LegMessage message : before) {
            KeptMessage kept = message.kept;
            if (kept.isRequest()
                    && message.isOfCaller != isOfCaller
                    && kept.cseqNumber() == response.cseqNumber()
                    && kept.method().equals(response.cseqMethod())
                    && (found == null || !found.branch.equals(branch) || message.branch.equals(branch))) {
                found = message;
            }
        }
        return found;
    }

    /** As captured. */
    KeptMessage kept() {
        return kept;
    }

    /** Whether the caller of the leg sent it. */
    boolean isOfCaller() {
        return isOfCaller;
    }

    /** The request that it responds to; null if it is a request. */
    @Nullable
    LegMessage request() {
        return request;
    }

    /** The tag of From; "" if it has none. */
    String fromTag() {
        return fromTag;
    }

    /** The tag of To; "" if it has none. */
    String toTag() {
        return toTag;
    }

    /** The tag of its sender. */
    String ownTag() {
        return isRequest() ? fromTag : toTag;
    }

    /** The tag of its receiver. */
    String peerTag() {
        return isRequest() ? toTag : fromTag;
    }

    /** The branch of the topmost Via; "" if it has none. */
    String branch() {
        return branch;
    }

    boolean isRequest() {
        return kept.isRequest();
    }

    /** "INVITE", or "180". */
    String kind() {
        return isRequest() ? kept.method() : Integer.toString(kept.statusCode());
    }

    /** Whether it is a final response, of 200 and above. */
    boolean isFinal() {
        return kept.statusCode() >= 200;
    }
}
