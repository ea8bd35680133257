package io.offhook.calls;

import io.offhook.sip.SipMessageView;
import org.jspecify.annotations.Nullable;

/** Who calls whom, by From and To of the first message that tells. */
final class CallParties {
    private @Nullable String fromUser;
    private @Nullable String fromUri;
    private @Nullable String toUser;
    private @Nullable String toUri;
    private long fromTag;
    private boolean known;
    private boolean certain;

    /**
     * Takes a message into account. The first one tells who is who; in mid-call, who sent it counts as the caller.
     *
     * @param isInitial whether it is of the INVITE that makes the call: that knows better than what came before
     */
    void meet(SipMessageView message, MessageKeys keys, boolean isInitial) {
        if (known && (certain || !isInitial)) {
            return;
        }
        fromUser = KeptText.cutOrNull(message.fromUser());
        fromUri = KeptText.cutOrNull(message.fromUri());
        toUser = KeptText.cutOrNull(message.toUser());
        toUri = KeptText.cutOrNull(message.toUri());
        fromTag = keys.fromTag();
        known = true;
        certain = isInitial;
    }

    /** Hash of the From tag of the message that told. */
    long fromTag() {
        return fromTag;
    }

    @Nullable
    String fromUser() {
        return fromUser;
    }

    @Nullable
    String fromUri() {
        return fromUri;
    }

    @Nullable
    String toUser() {
        return toUser;
    }

    @Nullable
    String toUri() {
        return toUri;
    }
}
