package io.offhook.calls;

import io.offhook.calls.invite.MessageKeys;
import io.offhook.calls.registration.KeptText;
import io.offhook.sip.SipMessageView;
import org.jspecify.annotations.Nullable;

/** Who calls whom, by From and To of the first message that shows it. */
final class CallParties {
    private @Nullable String fromUser;
    private @Nullable String fromUri;
    private @Nullable String toUser;
    private @Nullable String toUri;
    private long fromTag;
    private boolean known;
    private boolean certain;

    /**
     * Processes a message. The first one that shows it decides who is who; in mid-call, its sender counts as the
     * caller.
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

    /** The hash of the From tag of the deciding message. */
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
