package io.offhook.calls.event;

import io.offhook.sip.SipMessageView;

/** Receives SIP messages as calls take them into account. Arguments are borrowed until it returns. */
@FunctionalInterface
public interface SipListener {

    /** How a message relates to earlier ones of its call. */
    enum Copy {
        /** Not seen before. */
        FIRST,
        /** The sender sent it again. */
        RETRANSMISSION,
        /** The same packet once more, from a mirror port. */
        MIRRORED
    }

    /**
     * A message was captured.
     *
     * @param message its index
     * @param packet its bytes, time and place
     * @param copy whether it was seen before
     */
    void message(SipMessageView message, SipPacket packet, Copy copy);
}
