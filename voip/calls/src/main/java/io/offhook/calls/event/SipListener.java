package io.offhook.calls.event;

import io.offhook.sip.SipMessageView;

/** Is told of SIP messages as they are taken into account. What it is given is borrowed, valid until it returns. */
@FunctionalInterface
public interface SipListener {

    /** What a message is to those seen before it in its call. */
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
     * @param packet where and when
     * @param copy whether it was seen before
     */
    void message(SipMessageView message, SipPacket packet, Copy copy);
}
